"""What a table may choose: the options of the rules, and the editions as presets of them."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from types import MappingProxyType
from typing import Final, Literal, Self, TypeAlias, get_args, get_type_hints

from bot.engine.excerpt import excerpt, shortened

Value: TypeAlias = str | int

MOST_TARGET: Final = 1000
"""Penalty points."""


class BadOption(ValueError):
    """An option or edition that does not exist, or a value it cannot take. `name` is the option."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"{shortened(name)}: {why}")
        self.name = name


@dataclass(frozen=True, slots=True)
class Options:
    """Every option of the rules with its value in force. The defaults are the Days of Wonder edition."""

    flush_order: Literal["highest", "sum"] = "highest"
    """R17: flushes by their highest number, or by the sum of their numbers."""
    forgotten: Literal["out", "takes_back"] = "out"
    """R30: what becomes of a forgotten "Last card!"."""
    block: Literal["lead_and_follow", "lead_only"] = "lead_and_follow"
    """R31: when the seat before a declared last card is bound."""
    end: Literal["reach", "exceed"] = "reach"
    """R32: the match is over when a total reaches, or exceeds, the target."""
    tie: Literal["shared", "deciding_hand"] = "shared"
    """R33: what equal lowest totals lead to."""
    deal: Literal["plain", "chinese"] = "plain"
    """R34: deal from the first seat, or by the Chinese cut."""
    cut: Literal["again", "counts"] = "again"
    """R34: what a Phoenix or the Dragon at the Chinese cut means."""
    last_card: Literal["declared", "automatic"] = "declared"
    """R29: "Last card!" is said by the player, or by the table."""
    target: int = 100
    """R32: penalty points, 1-1000."""

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                raise BadOption(name, f"{excerpt(getattr(self, name))} is none of {', '.join(choices)}")
        if type(self.target) is not int or not 1 <= self.target <= MOST_TARGET:  # `True` is an int, too
            raise BadOption("target", f"{excerpt(self.target)} is not a number from 1 to {MOST_TARGET}")

    @classmethod
    def of(cls, edition: str, changes: Mapping[str, Value] | None = None) -> Self:
        """The options of an edition with `changes` (name to value; digits will do for the target)."""
        if edition not in EDITIONS:
            raise BadOption("edition", f"{excerpt(edition)} is none of {', '.join(EDITIONS)}")
        values = {**EDITIONS[edition], **(changes or {})}
        for name in values:
            if name not in OPTION_NAMES:
                raise BadOption(name, f"is none of the options {', '.join(OPTION_NAMES)}")
        target = values.get("target")
        if isinstance(target, str) and target.isdecimal() and len(target) <= len(str(MOST_TARGET)):
            values["target"] = int(target)
        return cls(**values)  # type: ignore[arg-type]  # __post_init__ checks every value

    def with_changes(self, **changes: Value) -> Self:
        """These options with some set otherwise."""
        return replace(self, **changes)  # type: ignore[arg-type]  # __post_init__ checks every value

    def as_dict(self) -> dict[str, Value]:
        """Name to value, as the match record carries them."""
        return asdict(self)


OPTION_NAMES: Final = tuple(field.name for field in fields(Options))

CHOICES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {name: get_args(hint) for name, hint in get_type_hints(Options).items() if hint is not int}
)
"""The values of every option but the target."""

DEFAULT_EDITION: Final = "days-of-wonder"

EDITIONS: Final[Mapping[str, Mapping[str, Value]]] = MappingProxyType(
    {
        "days-of-wonder": {},
        "dargaud-1996": {"forgotten": "takes_back", "tie": "deciding_hand", "cut": "counts"},
        "summary-sheet": {"flush_order": "sum", "block": "lead_only", "end": "exceed"},
    }
)
"""What each edition sets otherwise than the defaults."""
