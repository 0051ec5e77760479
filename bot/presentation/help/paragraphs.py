"""The paragraphs of the rules: their texts and examples, and the tables at which they hold."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from bot.engine import Options

GENERAL: Final = "general"
"""Marks a paragraph of the general rules only. A table's own rules have others in its place."""


class Listing(Enum):
    """A list that the rules show below a text."""

    PENALTIES = auto()
    EDITIONS = auto()


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A few sentences with examples."""

    rules: tuple[str, ...]
    """Numbers of rules of the game, or names of their parts and of house rules.

    Refusals refer to them. Ids of existing buttons hold them, so they must not change.
    """
    text: str
    examples: tuple[str, ...] = ()
    """Cards in text, or two plays separated by `<`: the second beats the first."""
    listing: Listing | None = None
    """The list below the text."""
    when: tuple[str, ...] = ()
    """The options of a table at which it holds, such as `block=lead_only`, or `general`."""
    note: str | None = None
    """If it isn't None, the paragraph is also among the general rules, followed by this note about other tables."""

    def fits(self, options: Options | None) -> bool:
        """True if the paragraph belongs to the rules of a table with these options, or to the general rules."""
        if options is None:
            return self.when in ((), (GENERAL,)) or self.note is not None
        values = {f"{name}={value}" for name, value in options.as_dict().items()}
        return values.issuperset(self.when)


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the rules."""

    title: str
    paragraphs: tuple[Paragraph, ...]


def paragraph(
    rules: str,
    text: str,
    *examples: str,
    listing: Listing | None = None,
    when: str = "",
    note: str | None = None,
) -> Paragraph:
    """A paragraph about rules. Their numbers, and the options with which it holds, have spaces between them."""
    return Paragraph(tuple(rules.split()), text, examples, listing, tuple(when.split()), note)
