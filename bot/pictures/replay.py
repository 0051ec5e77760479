"""A hand played again, for all to see: what the animation and the still picture have in common."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.engine import Cards
from bot.engine.cards import without

MOST_MOVES: Final = 256
"""Moves of a hand that can be drawn: 64 plays with three passes after each. Only a made-up record has more."""


@dataclass(frozen=True, slots=True)
class Move:
    """One thing that somebody did. What was taken back is left out."""

    seat: int
    cards: Cards
    """What was laid; empty where nothing was."""
    text: str
    """What it is: `pair of 7s`, `pass`, `out: forgot "Last card!"`."""
    leads: bool = False
    """Whether it opens a cycle, so that what lay there is gone."""
    last_card: bool = False
    """Whether "Last card!" was said with it, or before the next move."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A hand that is over."""

    title: str
    """`Table 12 · hand 5`."""
    players: tuple[str, ...]
    """Names in seat order."""
    began: tuple[Cards, ...]
    """What each seat began with, the exchange done."""
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
        """The seats in the order of play, from whoever leads first."""
        first, count = self.moves[0].seat, len(self.players)
        return tuple((first + self.direction * place) % count for place in range(count))


@dataclass(frozen=True, slots=True)
class Moment:
    """What is on the table after a move."""

    number: int
    """How many moves there were, this one included."""
    move: Move
    to_beat: Move | None
    """The highest play of the cycle."""
    hands: tuple[Cards, ...]
    said: dict[int, str]
    """By seat, what each did last in this cycle: `pair of 7s`, `pass`."""
    declared: frozenset[int]
    """Who has said "Last card!"."""


def moments(replay: Replay) -> Iterator[Moment]:
    """The table after each move."""
    nothing = Move(replay.moves[0].seat, (), "")
    moment = Moment(0, nothing, None, replay.began, {}, frozenset())
    for move in replay.moves:
        moment = _after(moment, move)
        yield moment


def _after(moment: Moment, move: Move) -> Moment:
    before = {} if move.leads else moment.said
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


MOVE_MILLISECONDS: Final = 1200
END_MILLISECONDS: Final = 6000
"""How long the last moment stands."""
