"""What one hand may do now: the rules of a play, apart from whose turn it is.

A `Situation` is all that decides it, and a seat may know all of it; so the table, the private hand on the screen
and the players all ask here.
"""

from dataclasses import dataclass

from bot.engine.cards import MULTI_ONE, Card, Cards, holds
from bot.engine.combinations import Combination, Kind, table
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
from bot.engine.finding import find
from bot.engine.options import Options


@dataclass(frozen=True, slots=True)
class Situation:
    """One hand (ascending, not empty) before its move."""

    options: Options
    hand: Cards
    lies: Combination | None
    """What is to be beaten; None: this hand leads."""
    opening: bool = False
    """R21: this hand leads the match with the multicolored 1."""
    blocked: int | None = None
    """R31: the seat that acts next, if it has declared its last card."""

    @property
    def highest(self) -> Card:
        """The highest single of the hand."""
        return self.hand[-1]


def identify(situation: Situation, cards: Cards) -> Combination | None:
    """What `cards` are under the options in force, in the hand or not."""
    return table(situation.options.flush_order).identify(cards)


def examine(situation: Situation, cards: Cards) -> Combination:
    """The combination that laying `cards` makes; raises the `IllegalPlay` that forbids it."""
    if not holds(situation.hand, cards):
        raise NotInHand(tuple(card for card in cards if cards.count(card) > situation.hand.count(card)))
    tried = identify(situation, cards)
    if tried is None:
        raise NotACombination(cards)
    if situation.lies is None:
        _examine_lead(situation, tried)
    else:
        _examine_follow(situation, situation.lies, tried)
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
    order = situation.options.flush_order
    found = find(situation.hand, order)
    if situation.lies is not None:
        answers = table(order).answers(found, situation.lies)
        if _is_bound_to_highest(situation):
            return tuple(play for play in answers if _blocks(situation, play))
        return answers
    if situation.opening:
        return tuple(play for play in found if MULTI_ONE in play.cards)
    if situation.blocked is not None:
        return tuple(play for play in found if play.size > 1) or found[-1:]
    return found


def examine_pass(situation: Situation) -> None:
    """Raise what forbids passing: `LeaderMustPlay` or `MustNotPass`."""
    if situation.lies is None:
        raise LeaderMustPlay
    if situation.blocked is not None and _is_bound_to_highest(situation):
        highest = identify(situation, (situation.highest,))
        if highest is not None and highest.beats(situation.lies):
            raise MustNotPass(situation.blocked, situation.highest)


def may_pass(situation: Situation) -> bool:
    """Whether passing is allowed now."""
    try:
        examine_pass(situation)
    except (LeaderMustPlay, MustNotPass):
        return False
    return True


def _examine_lead(situation: Situation, tried: Combination) -> None:
    if situation.opening and MULTI_ONE not in tried.cards:
        raise OpeningNeedsMultiOne
    if situation.blocked is None or tried.size > 1:
        return
    if any(play.size > 1 for play in find(situation.hand, situation.options.flush_order)):
        raise MustLeadSeveral(situation.blocked)
    if tried.cards[0] != situation.highest:
        raise MustPlayHighest(situation.blocked, situation.highest)


def _examine_follow(situation: Situation, lies: Combination, tried: Combination) -> None:
    if not tried.beats(lies):
        if tried.size != lies.size and Kind.GANG not in (lies.kind, tried.kind):
            raise WrongSize(lies, tried)
        decisive = table(situation.options.flush_order).decisive(lies, tried)
        raise NotHigher(lies, tried, decisive)
    if situation.blocked is not None and _is_bound_to_highest(situation) and not _blocks(situation, tried):
        raise MustPlayHighest(situation.blocked, situation.highest)


def _is_bound_to_highest(situation: Situation) -> bool:
    """R31: a single lies there, and the seat that acts next has declared its last card."""
    return (
        situation.blocked is not None
        and situation.options.block == "lead_and_follow"
        and situation.lies is not None
        and situation.lies.kind is Kind.SINGLE
    )


def _blocks(situation: Situation, play: Combination) -> bool:
    return play.kind is Kind.GANG or play.cards == (situation.highest,)
