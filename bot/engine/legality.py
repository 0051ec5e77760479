"""The legal plays of one hand, regardless of whose turn it is.

They depend on a `Situation` only, all of which the seat may know. So the table, the private hand message and the
AI players share this module. `legal_indexes` and `pass_is_legal` are the same rules for playouts.
"""

from typing import NamedTuple

from bot.engine.cards import MULTI_ONE, Card, Cards, holds
from bot.engine.combinations import Combination, Kind, combination_table
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
from bot.engine.finding import HandCombinations, hand_combinations
from bot.engine.lookups import Indexes
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
    def combinations(self) -> HandCombinations:
        """The combinations in the hand."""
        return hand_combinations(self.hand, self.options.flush_order)


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


def plays(situation: Situation) -> tuple[Combination, ...]:
    """All legal plays, ascending; equal copies of a card count once."""
    options = situation.options
    indexes = legal_indexes(
        situation.combinations, situation.to_beat, situation.opening, situation.blocked is not None, options
    )
    return combination_table(options.flush_order).at(indexes) if indexes else ()


def legal_indexes(
    combinations: HandCombinations, to_beat: Combination | None, opening: bool, blocked: bool, options: Options
) -> Indexes:
    """The indexes of the legal plays, ascending (R15-R18, R21, R31)."""
    if to_beat is None:
        return _leads(combinations, opening, blocked)
    answers = combinations.answers(to_beat)
    if blocked and block_limits_follow(to_beat, options):
        return tuple(play for play in answers if play == combinations.highest or play in combinations.of(Kind.GANG))
    return answers


def _leads(combinations: HandCombinations, opening: bool, blocked: bool) -> Indexes:
    if opening:
        return combinations.with_multi_one()
    if blocked:
        return combinations.several() or (combinations.highest,)
    return combinations.plays()


def block_limits_follow(to_beat: Combination, options: Options) -> bool:
    """True if a declared last card limits what may follow `to_beat` (R31)."""
    return to_beat.kind is Kind.SINGLE and options.block == "lead_and_follow"


def pass_is_legal(combinations: HandCombinations, to_beat: Combination, blocked: bool, options: Options) -> bool:
    """True if a hand with these combinations may pass instead of beating `to_beat` (R23, R31)."""
    return not (blocked and block_limits_follow(to_beat, options) and combinations.highest > to_beat.ceiling)


def check_pass(situation: Situation) -> None:
    """Raise `LeaderMustPlay` or `MustNotPass` if passing is forbidden."""
    if may_pass(situation):
        return
    if situation.to_beat is None or situation.blocked is None:
        raise LeaderMustPlay
    raise MustNotPass(situation.blocked, situation.highest)


def may_pass(situation: Situation) -> bool:
    """True if passing is legal now."""
    if situation.to_beat is None:
        return False
    return situation.blocked is None or pass_is_legal(
        situation.combinations, situation.to_beat, True, situation.options
    )


def _check_lead(situation: Situation, tried: Combination) -> None:
    if situation.opening and MULTI_ONE not in tried.cards:
        raise OpeningNeedsMultiOne
    if situation.blocked is None or tried.size > 1:
        return
    if situation.combinations.several():
        raise MustLeadSeveral(situation.blocked)
    if tried.cards[0] != situation.highest:
        raise MustPlayHighest(situation.blocked, situation.highest)


def _check_follow(situation: Situation, to_beat: Combination, tried: Combination) -> None:
    if not tried.beats(to_beat):
        if tried.size != to_beat.size and Kind.GANG not in (to_beat.kind, tried.kind):
            raise WrongSize(to_beat, tried)
        decisive = combination_table(situation.options.flush_order).decisive(to_beat, tried)
        raise NotHigher(to_beat, tried, decisive)
    if situation.blocked is None or not block_limits_follow(to_beat, situation.options):
        return
    if tried.kind is not Kind.GANG and tried.cards[0] != situation.highest:
        raise MustPlayHighest(situation.blocked, situation.highest)
