"""The expert and the club player, who add the worth of each move and the cost of the rest of the hand.

`compiled.heuristic` in numpy.
"""

from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Final

import numpy as np

from bot.engine import Combination, Declare, GiveBack, Pass, Play, View
from bot.engine.cards import DECK, Cards
from bot.engine.combinations import find
from bot.engine.moves import ChosenMove
from bot.engine.scoring import penalty
from bot.players.bits import FIRST_FIVE, FIRST_GANG, FIRST_PAIR, Floats, Ints, to_bits
from bot.players.division import Division, minus
from bot.players.heuristic_weights import COST_WEIGHTS, TUNED_WEIGHTS
from bot.players.styles import Style, favorite

CLUB_ERROR: Final = 1.4
"""The standard deviation of the club player's errors, in plays."""
_FACTS: Final = tuple(map(float, TUNED_WEIGHTS[COST_WEIGHTS:]))
_DECK: Final = np.array(to_bits(DECK), np.int64)


def choose(view: View, style: Style = Style.STEADY) -> ChosenMove:
    """The expert's move for the seat to act. Raises ValueError if the view lacks the cards played."""
    if view.may_declare:
        return Declare(view.seat)
    moves, values = weigh(view)
    return favorite(style, view, moves, values.tolist())


def choose_for_club(view: View, seed: int, style: Style = Style.STEADY) -> ChosenMove:
    """The move of the club player, who misjudges moves: seldom by much, and often by a little. Raises like `choose`."""
    if view.may_declare:
        return Declare(view.seat)
    chance = Random(seed)  # noqa: S311  # it decides how well the player plays
    moves, values = weigh(view)
    guessed = [value + chance.gauss(0, CLUB_ERROR) for value in values.tolist()]
    return favorite(style, view, moves, guessed)


def weigh(view: View) -> tuple[list[GiveBack | Play | Pass], Floats]:
    """The moves of the seat to act, and their values in plays."""
    position = Position(view)
    return position.gifts() if view.may_give_back else position.moves()


@dataclass(frozen=True)
class Position:
    """A seat's view before its move."""

    view: View

    @cached_property
    def cards(self) -> Ints:
        """The hand."""
        return _bits(self.view.hand)

    @cached_property
    def division(self) -> Division:
        """The costs of the parts of the hand."""
        if self.view.played is None:
            raise ValueError("the view lacks the cards played")
        order = self.view.public.match.options.flush_order
        plays = find(self.view.hand, order)
        return Division(TUNED_WEIGHTS, minus(minus(_DECK, self.cards), _bits(self.view.played)), plays)

    @cached_property
    def fewest(self) -> int:
        """The smallest number of cards of another seat in the hand."""
        public, seat = self.view.public, self.view.seat
        others = [left for other, left in enumerate(public.left) if other not in public.out | {seat}]
        return min(others, default=16)

    def moves(self) -> tuple[list[GiveBack | Play | Pass], Floats]:
        """Plays, and perhaps a pass."""
        view, plays = self.view, self.view.plays()
        rests = [minus(self.cards, _bits(play.cards)) for play in plays] + [self.cards] * view.may_pass
        costs = self.division.costs(np.array(rests, np.int64))
        values = -costs
        moves: list[GiveBack | Play | Pass] = []
        for index, play in enumerate(plays):
            moves.append(view.playing(play.cards))
            values[index] += self._worth(play, float(costs[index]))
        return moves + [Pass(view.seat)] * view.may_pass, values

    def gifts(self) -> tuple[list[GiveBack | Play | Pass], Floats]:
        """The cards to give back."""
        cards = sorted(set(self.view.hand))
        rests = np.array([minus(self.cards, _bits((card,))) for card in cards], np.int64)
        strengths = np.array([self.division.strengths[1, card.rank] for card in cards])
        values = (-self.division.costs(rests) - _FACTS[17] * strengths).astype(np.float32)
        return [GiveBack(self.view.seat, card) for card in cards], values

    def _worth(self, play: Combination, rest: float) -> float:
        """The value of a play itself, without the cost of the rest of the hand."""
        facts, left, strength = _FACTS, len(self.view.hand), self.division.strength(play)
        worth = facts[0] * play.size + facts[1] * (penalty(left) - penalty(left - play.size)) / 10
        if play >= FIRST_GANG:
            worth += facts[2] + facts[3] * (self.fewest <= 4) + facts[4] * (left <= 8)
        if self.view.public.cycle.plays:
            worth += self._worth_of_following(play, strength)
        else:
            worth += self._worth_of_leading(play, strength)
        if left == play.size:
            worth += 100
        return worth + facts[15] * (rest < 1.0) + facts[16] * (rest < 0.3) * strength

    def _worth_of_leading(self, play: Combination, strength: float) -> float:
        facts, fewest = _FACTS, self.fewest
        worth = facts[5] * strength + facts[6] * (play >= FIRST_FIVE)
        worth += facts[7] * (self._next_left() < play.size) + facts[8] * (fewest < play.size)
        return worth + facts[9] * (fewest == 1) * (play < FIRST_PAIR) * (1 - strength)

    def _worth_of_following(self, play: Combination, strength: float) -> float:
        facts, fewest = _FACTS, self.fewest
        worth = facts[10] + facts[11] * strength + facts[12] * (fewest <= 3) + facts[13] * (fewest <= 3) * strength
        return worth + facts[14] * (fewest == 1) * strength * (play < FIRST_PAIR)

    def _next_left(self) -> int:
        """The number of cards of the seat that acts next."""
        public = self.view.public
        seats = len(public.left)
        following = (self.view.seat + public.direction) % seats
        while following in public.out:
            following = (following + public.direction) % seats
        return public.left[following]


def _bits(cards: Cards) -> Ints:
    return np.array(to_bits(cards), np.int64)
