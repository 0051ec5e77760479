"""The replay of a hand, as both the animation and the still picture use it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.engine import Cards
from bot.engine.cards import without

MAX_MOVES: Final = 256
"""Moves that can be drawn: 64 plays with three passes after each. Only a forged record has more."""
MAX_PAGES: Final = 10
"""Discord's limit for the pictures of a message. The last page of a longer hand is higher."""


@dataclass(frozen=True, slots=True)
class Move:
    """One move. Moves that were taken back are left out."""

    seat: int
    cards: Cards
    """The cards played; empty for a pass or a forgotten declaration."""
    text: str
    """The name of the move: `pair of 7s`, `pass`, `out: forgot "Last card!"`."""
    leads: bool = False
    """True if it opens a cycle."""
    last_card: bool = False
    """True if "Last card!" was declared with it or before the next move."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A finished hand."""

    title: str
    """`Table 12 · hand 5`."""
    players: tuple[str, ...]
    """Names in seat order."""
    cards_at_start: tuple[Cards, ...]
    """The cards of each seat after the exchange."""
    direction: int
    """1 counter-clockwise, -1 clockwise (R20)."""
    moves: tuple[Move, ...]
    """At least one."""
    last_card: str
    """`Last card!`"""
    finale: str
    """`Ada is out first.`"""

    @property
    def order(self) -> tuple[int, ...]:
        """The seats in the order of play, from the first leader."""
        first, count = self.moves[0].seat, len(self.players)
        return tuple((first + self.direction * place) % count for place in range(count))


@dataclass(frozen=True, slots=True)
class Moment:
    """The table after a move."""

    number: int
    """The number of the move, from 1."""
    move: Move
    to_beat: Move | None
    """The play to beat."""
    hands: tuple[Cards, ...]
    last_moves: dict[int, str]
    """The text of the last move of each seat in this cycle: `pair of 7s`, `pass`."""
    declared: frozenset[int]
    """The seats that have declared."""


def moments(replay: Replay) -> Iterator[Moment]:
    """The table after each move."""
    nothing = Move(replay.moves[0].seat, (), "")
    moment = Moment(0, nothing, None, replay.cards_at_start, {}, frozenset())
    for move in replay.moves:
        moment = _after(moment, move)
        yield moment


def _after(moment: Moment, move: Move) -> Moment:
    before = {} if move.leads else moment.last_moves
    declared = moment.declared | {move.seat} if move.last_card else moment.declared
    hands = list(moment.hands)
    hands[move.seat] = without(hands[move.seat], move.cards)
    to_beat = None if move.leads else moment.to_beat
    return Moment(
        moment.number + 1,
        move,
        move if move.cards else to_beat,
        tuple(hands),
        {**before, move.seat: move.text},
        declared,
    )
