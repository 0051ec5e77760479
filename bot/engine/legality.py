"""The legal plays of one hand, regardless of whose turn it is.

They depend on a `Situation` only, all of which the seat may know. So the table, the private hand message and the
AI players share this module.
"""

from itertools import groupby
from typing import NamedTuple

from bot.engine.cards import MULTI_ONE, Card, Cards, holds
from bot.engine.combinations import Combination, Combinations, Kind, answers, combination_table, find, several, strength
from bot.engine.errors import (
    LeaderMustPlay,
    MustLeadSeveral,
    MustNotPass,
    MustPlayHighest,
    NotACombination,
    NotHigher,
    NotInHand,
    OpeningNeedsMultiOne,
    WrongSize,
)
from bot.engine.options import Options


class Situation(NamedTuple):
    """One hand (ascending, not empty) before its move, and all that limits the move."""

    options: Options
    hand: Cards
    to_beat: Combination | None
    """The play to beat; None if this hand leads."""
    opening: bool = False
    """True if this hand opens the match, so its lead must include the multicolored 1 (R21)."""
    blocked: int | None = None
    """The next seat, if it has declared its last card (R31)."""

    def __repr__(self) -> str:
        return f"<Situation of {len(self.hand)} cards, to beat: {self.to_beat}>"  # keeps the hand out of logs

    @property
    def highest(self) -> Card:
        """The highest card of the hand."""
        return self.hand[-1]

    @property
    def combinations(self) -> Combinations:
        """The combinations in the hand."""
        return find(self.hand, self.options.flush_order)

    @property
    def limits_follow(self) -> bool:
        """True if a declared last card limits what may follow the play to beat (R31)."""
        follows_single = self.to_beat is not None and self.to_beat.kind is Kind.SINGLE
        return self.blocked is not None and follows_single and self.options.block == "lead_and_follow"


def identify(situation: Situation, cards: Cards) -> Combination | None:
    """The combination that `cards` make, in the hand or not; None if they don't make one."""
    return combination_table(situation.options.flush_order).identify(cards)


def check_play(situation: Situation, cards: Cards) -> Combination:
    """Return the combination that `cards` make. Raises `IllegalPlay` if they can't be played."""
    if not holds(situation.hand, cards):
        raise NotInHand(tuple(card for card in cards if cards.count(card) > situation.hand.count(card)))
    tried = identify(situation, cards)
    if tried is None:
        raise NotACombination(cards)
    if situation.to_beat is None:
        _check_lead(situation, tried)
    else:
        _check_follow(situation, situation.to_beat, tried)
    return tried


def plays(situation: Situation) -> Combinations:
    """All legal plays, ascending; equal copies of a card count once (R15-R18, R21, R31)."""
    found = situation.combinations
    if situation.to_beat is None:
        return _leads(situation, found)
    higher = answers(found, situation.to_beat)
    if not situation.limits_follow:
        return higher
    return tuple(play for play in higher if play.kind is Kind.GANG or play.cards == (situation.highest,))


def _leads(situation: Situation, found: Combinations) -> Combinations:
    if situation.opening:
        return tuple(play for play in found if MULTI_ONE in play.cards)
    if situation.blocked is None:
        return found
    return several(found) or found[-1:]  # singles only: the highest


def cheapest_with(found: Combinations, cards: Cards) -> Combinations:
    """Those of `found` that contain `cards`; of equally strong ones only the one with the lowest cards."""
    containing = found if not cards else [play for play in found if cards[0] in play.cards and holds(play.cards, cards)]
    return tuple([next(same) for _, same in groupby(containing, key=strength)])


def check_pass(situation: Situation) -> None:
    """Raise `LeaderMustPlay` or `MustNotPass` if passing is forbidden."""
    if may_pass(situation):
        return
    if situation.to_beat is None or situation.blocked is None:
        raise LeaderMustPlay
    raise MustNotPass(situation.blocked, situation.highest)


def may_pass(situation: Situation) -> bool:
    """True if passing is legal now (R23, R31)."""
    if situation.to_beat is None:
        return False
    must_play_highest = situation.limits_follow and any(play.kind is Kind.SINGLE for play in plays(situation))
    return not must_play_highest


def _check_lead(situation: Situation, tried: Combination) -> None:
    if situation.opening and MULTI_ONE not in tried.cards:
        raise OpeningNeedsMultiOne
    if situation.blocked is None or tried.size > 1:
        return
    if several(situation.combinations):
        raise MustLeadSeveral(situation.blocked)
    if tried.cards[0] != situation.highest:
        raise MustPlayHighest(situation.blocked, situation.highest)


def _check_follow(situation: Situation, to_beat: Combination, tried: Combination) -> None:
    if not tried.beats(to_beat):
        if tried.size != to_beat.size and Kind.GANG not in (to_beat.kind, tried.kind):
            raise WrongSize(to_beat, tried)
        decisive = combination_table(situation.options.flush_order).decisive(to_beat, tried)
        raise NotHigher(to_beat, tried, decisive)
    if situation.blocked is None or not situation.limits_follow:
        return
    if tried.kind is not Kind.GANG and tried.cards[0] != situation.highest:
        raise MustPlayHighest(situation.blocked, situation.highest)
