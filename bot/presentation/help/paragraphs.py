"""The parts of the rules' pages."""

from dataclasses import dataclass
from enum import Enum, auto


class Table(Enum):
    """A table of the rules."""

    PENALTIES = auto()
    EDITIONS = auto()


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A few sentences with examples."""

    rules: tuple[str, ...]
    """Numbers of rules of the game, or names of their parts and of house rules. Refusals refer to them."""
    text: str
    examples: tuple[str, ...] = ()
    """Cards in text, or two plays separated by `<`: the second beats the first."""
    table: Table | None = None
    """The table below the text."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the rules."""

    title: str
    paragraphs: tuple[Paragraph, ...]


def paragraph(rules: str, text: str, *examples: str, table: Table | None = None) -> Paragraph:
    """A paragraph about rules, given as their numbers with spaces between them."""
    return Paragraph(tuple(rules.split()), text, examples, table)
