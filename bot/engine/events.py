"""The events of a match, each a frozen value and a line of the match record (docs/record.md)."""

from dataclasses import dataclass
from typing import Final, TypeAlias

from bot.engine.cards import Card, Cards
from bot.engine.excerpt import excerpt
from bot.engine.options import Options
from bot.engine.scoring import Ranking


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """`match`: the players and the options. Seats are numbered counter-clockwise from 0.

    Raises ValueError unless there are 3 or 4 seats (R19) and the dealer has one of them.
    """

    edition: str
    options: Options
    seats: tuple[str, ...]
    """Display names."""
    dealer: int
    """The eldest, who deals the first hand (R22)."""
    commitment: str
    """SHA-256 of the seed, hex."""
    salt: str
    """Text that the app couldn't know when it chose the seed."""

    def __post_init__(self) -> None:
        if len(self.seats) not in (3, 4):
            raise ValueError(f"{len(self.seats)} seats; a match has 3 or 4")
        if type(self.dealer) is not int or not 0 <= self.dealer < len(self.seats):  # `True` is an int, too
            raise ValueError(f"no seat {excerpt(self.dealer)}")


@dataclass(frozen=True, slots=True)
class Dealt:
    """`deal`: a new hand. `hands` and `dummy` are secret until it ends."""

    hand: int
    """1, 2, …"""
    direction: int
    """1 counter-clockwise, -1 clockwise (R20)."""
    hands: tuple[Cards, ...]
    """Sixteen cards for each seat, in the order dealt."""
    dummy: Cards
    """The other sixteen cards if three play, else empty (R19)."""
    cut: Cards = ()
    """The cards looked at under the Chinese deal (R34)."""
    first: int | None = None
    """The seat dealt to first under the Chinese deal."""

    def __repr__(self) -> str:
        return f"Dealt(hand={self.hand}, direction={self.direction})"  # keeps hands out of logs


@dataclass(frozen=True, slots=True)
class Gave:
    """`give`: the loser's highest card goes to the winner (R27). Every player sees it."""

    seat: int
    to: int
    card: Card


@dataclass(frozen=True, slots=True)
class GaveBack:
    """`give_back`: a card of the winner's choice goes to the loser (R27). Every player sees it."""

    seat: int
    to: int
    card: Card


@dataclass(frozen=True, slots=True)
class Played:
    """`play`: a combination played; `last_card` is true if "Last card!" was declared with it."""

    seat: int
    cards: Cards
    last_card: bool = False


@dataclass(frozen=True, slots=True)
class Passed:
    """`pass`."""

    seat: int


@dataclass(frozen=True, slots=True)
class Declared:
    """`declare`: "Last card!" said after the play."""

    seat: int


@dataclass(frozen=True, slots=True)
class Forgot:
    """`forgot`: "Last card!" was not declared in time; the option `forgotten` applies (R30, R36)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Undone:
    """`undo`: the seat takes back its play or pass, the latest event."""

    seat: int


AI: Final = "ai:"
"""Begins the name of an AI player in the log; its level follows."""


@dataclass(frozen=True, slots=True)
class Substituted:
    """`sub`: `by` plays this seat from now on; `for_owner` marks a move made for an absent owner, who keeps it."""

    seat: int
    by: str
    for_owner: bool = False


@dataclass(frozen=True, slots=True)
class HandEnded:
    """`hand_end`: cards left, points of this hand and totals, by seat."""

    hand: int
    winner: int
    left: tuple[int, ...]
    points: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """`match_end`: the ranking, and the seed in hex."""

    ranking: Ranking
    seed: str


@dataclass(frozen=True, slots=True)
class Abandoned:
    """`abandoned`: the match ended without a ranking."""

    reason: str
    totals: tuple[int, ...]
    seed: str


Event: TypeAlias = (
    MatchStarted
    | Dealt
    | Gave
    | GaveBack
    | Played
    | Passed
    | Declared
    | Forgot
    | Undone
    | Substituted
    | HandEnded
    | MatchEnded
    | Abandoned
)
