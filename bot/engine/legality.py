"""What one hand may do now: the rules of a play, apart from whose turn it is.

A `Situation` is all that decides it, and a seat may know all of it; so the table, the private hand on the screen
and the players all ask here. `legal_places` and `is_bound` are the same rules on what playouts keep.
"""

from typing import NamedTuple

from bot.engine.cards import MULTI_ONE, Card, Cards, holds
from bot.engine.combinations import Combination, Kind, combination_table
from bot.engine.errors import (
    IllegalPlay,
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
from bot.engine.finding import Holding, holding
from bot.engine.options import Options
from bot.engine.parts import Places


class Situation(NamedTuple):
    """One hand (ascending, not empty) before its move."""

    options: Options
    hand: Cards
    to_beat: Combination | None
    """What is to be beaten; None: this hand leads."""
    opening: bool = False
    """R21: this hand leads the match with the multicolored 1."""
    blocked: int | None = None
    """R31: the seat that acts next, if it has declared its last card."""

    def __repr__(self) -> str:
        return f"<Situation of {len(self.hand)} cards, to beat: {self.to_beat}>"  # no hand in a log

    @property
    def highest(self) -> Card:
        """The highest single of the hand."""
        return self.hand[-1]

    @property
    def held(self) -> Holding:
        """The combinations of the hand."""
        return holding(self.hand, self.options.flush_order)


def identify(situation: Situation, cards: Cards) -> Combination | None:
    """What `cards` are under the options in force, in the hand or not."""
    return combination_table(situation.options.flush_order).identify(cards)


def examine(situation: Situation, cards: Cards) -> Combination:
    """The combination that laying `cards` makes; raises the `IllegalPlay` that forbids it."""
    if not holds(situation.hand, cards):
        raise NotInHand(tuple(card for card in cards if cards.count(card) > situation.hand.count(card)))
    tried = combination_table(situation.options.flush_order).identify(cards)
    if tried is None:
        raise NotACombination(cards)
    if situation.to_beat is None:
        _examine_lead(situation, tried)
    else:
        _examine_follow(situation, situation.to_beat, tried)
    return tried


def is_legal(situation: Situation, cards: Cards) -> bool:
    """Whether `cards` may be laid now."""
    try:
        examine(situation, cards)
    except IllegalPlay:
        return False
    return True


def plays(situation: Situation) -> tuple[Combination, ...]:
    """All legal plays, ascending, once per kind of card."""
    options = situation.options
    places = legal_places(situation.held, situation.to_beat, situation.opening, situation.blocked is not None, options)
    return combination_table(options.flush_order).at(places) if places else ()


def legal_places(held: Holding, to_beat: Combination | None, opening: bool, blocked: bool, options: Options) -> Places:
    """Where the legal plays stand in the table, ascending (R15-R18, R21, R31)."""
    if to_beat is None:
        return _leads(held, opening, blocked)
    answers = held.answers(to_beat)
    if blocked and is_bound(to_beat, options):
        return tuple(play for play in answers if play == held.highest or play in held.of(Kind.GANG))
    return answers


def _leads(held: Holding, opening: bool, blocked: bool) -> Places:
    if opening:
        return held.with_multi_one()
    if blocked:
        return held.several() or (held.highest,)
    return held.plays()


def is_bound(to_beat: Combination, options: Options) -> bool:
    """R31: whether who follows `to_beat` is bound to the highest single when the next seat has declared."""
    return to_beat.kind is Kind.SINGLE and options.block == "lead_and_follow"


def may_let_pass(held: Holding, to_beat: Combination, blocked: bool, options: Options) -> bool:
    """Whether who follows `to_beat` may pass (R23, R31)."""
    return not (blocked and is_bound(to_beat, options) and held.highest > to_beat.ceiling)


def examine_pass(situation: Situation) -> None:
    """Raise what forbids passing: `LeaderMustPlay` or `MustNotPass`."""
    if may_pass(situation):
        return
    if situation.to_beat is None or situation.blocked is None:
        raise LeaderMustPlay
    raise MustNotPass(situation.blocked, situation.highest)


def may_pass(situation: Situation) -> bool:
    """Whether passing is allowed now."""
    if situation.to_beat is None:
        return False
    return situation.blocked is None or may_let_pass(situation.held, situation.to_beat, True, situation.options)


def _examine_lead(situation: Situation, tried: Combination) -> None:
    if situation.opening and MULTI_ONE not in tried.cards:
        raise OpeningNeedsMultiOne
    if situation.blocked is None or tried.size > 1:
        return
    if situation.held.several():
        raise MustLeadSeveral(situation.blocked)
    if tried.cards[0] != situation.highest:
        raise MustPlayHighest(situation.blocked, situation.highest)


def _examine_follow(situation: Situation, to_beat: Combination, tried: Combination) -> None:
    if not tried.beats(to_beat):
        if tried.size != to_beat.size and Kind.GANG not in (to_beat.kind, tried.kind):
            raise WrongSize(to_beat, tried)
        decisive = combination_table(situation.options.flush_order).decisive(to_beat, tried)
        raise NotHigher(to_beat, tried, decisive)
    if situation.blocked is None or not is_bound(to_beat, situation.options):
        return
    if tried.kind is not Kind.GANG and tried.cards[0] != situation.highest:
        raise MustPlayHighest(situation.blocked, situation.highest)
