"""The options of the rules, and the editions, which are presets of them."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Final, Literal, Self, TypeAlias, get_args, get_type_hints

from bot.engine.excerpt import excerpt, shortened

Value: TypeAlias = str | int

MAX_TARGET: Final = 1000
"""Penalty points."""


class BadOption(ValueError):
    """An unknown option or edition, or an invalid value. `name` is the option."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"{shortened(name)}: {why}")
        self.name = name


@dataclass(frozen=True, slots=True)
class Options:
    """A value for every option of the rules. The defaults are the Days of Wonder edition."""

    flush_order: Literal["highest", "sum"] = "highest"
    """R17: flushes by their highest number, or by the sum of their numbers."""
    forgotten: Literal["out", "takes_back"] = "out"
    """R30: after a forgotten "Last card!", the player is out of the hand, or takes the card back."""
    block: Literal["lead_and_follow", "lead_only"] = "lead_and_follow"
    """R31: a declared last card limits the seat before it when leading and following, or only when leading."""
    end: Literal["reach", "exceed"] = "reach"
    """R32: the match is over when a total reaches, or exceeds, the target."""
    tie: Literal["shared", "deciding_hand"] = "shared"
    """R33: players with equal lowest totals share the win, or a deciding hand is played."""
    deal: Literal["plain", "chinese"] = "plain"
    """R34: deal from the first seat, or by the Chinese cut."""
    cut: Literal["again", "counts"] = "again"
    """R34: a Phoenix or the Dragon at the Chinese cut means cutting again, or counts as a number."""
    last_card: Literal["declared", "automatic"] = "declared"
    """R29: "Last card!" is said by the player, or by the table."""
    target: int = 100
    """R32: penalty points, 1-1000."""

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                raise BadOption(name, f"{excerpt(getattr(self, name))} is not one of {', '.join(choices)}")
        if type(self.target) is not int or not 1 <= self.target <= MAX_TARGET:  # `True` is an int, too
            raise BadOption("target", f"{excerpt(self.target)} is not a number from 1 to {MAX_TARGET}")

    @classmethod
    def of(cls, edition: str, changes: Mapping[str, Value] | None = None) -> Self:
        """The options of an edition with `changes` (name to value; the target may be digits). Raises `BadOption`."""
        if edition not in EDITIONS:
            raise BadOption("edition", f"{excerpt(edition)} is not one of {', '.join(EDITIONS)}")
        values = {**EDITIONS[edition], **(changes or {})}
        for name in values:
            if name not in OPTION_NAMES:
                raise BadOption(name, f"is not one of the options {', '.join(OPTION_NAMES)}")
        target = values.get("target")
        if isinstance(target, str) and target.isdecimal() and len(target) <= len(str(MAX_TARGET)):
            values["target"] = int(target)
        return cls(**values)  # type: ignore[arg-type]  # __post_init__ checks every value

    def with_changes(self, **changes: Value) -> Self:
        """A copy with some options changed. Raises `BadOption`."""
        return replace(self, **changes)  # type: ignore[arg-type]  # __post_init__ checks every value

    def as_dict(self) -> dict[str, Value]:
        """Values by name, as in the match record."""
        return {name: getattr(self, name) for name in OPTION_NAMES}


OPTION_NAMES: Final = tuple(field.name for field in fields(Options))

CHOICES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {name: get_args(hint) for name, hint in get_type_hints(Options).items() if hint is not int}
)
"""The valid values of every option except the target."""

DEFAULT_EDITION: Final = "days-of-wonder"

EDITIONS: Final[Mapping[str, Mapping[str, Value]]] = MappingProxyType(
    {
        "days-of-wonder": {},
        "dargaud-1996": {"forgotten": "takes_back", "tie": "deciding_hand", "cut": "counts"},
        "summary-sheet": {"flush_order": "sum", "block": "lead_only", "end": "exceed"},
    }
)
"""The options in which each edition differs from the defaults."""
