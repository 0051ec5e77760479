"""Hints: who can get one, and the reason for a move.

Reasons come from what the seat may know: its hand, the cards played, and the cards that others have left.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from bot.engine import Card, Cards, Combination, GiveBack, Kind, Pass, Play, View, combination_table, view
from bot.engine.cards import holds, without
from bot.engine.combinations import Combinations, answers, find, several
from bot.engine.errors import NotYourTurn
from bot.engine.legality import plays
from bot.engine.moves import ChosenMove
from bot.table import play
from bot.table.refusals import NoHints, OutdatedAction
from bot.table.snapshot import Table

FEW_CARDS: Final = 3
"""A player with this many cards is about to finish."""
MAX_NAMED: Final = 2
"""The number of plays that a reason can name."""


@dataclass(frozen=True, slots=True)
class GoesOut:
    """The play wins the hand."""


@dataclass(frozen=True, slots=True)
class Unbeatable:
    """None of the cards that are still out beats the play."""


@dataclass(frozen=True, slots=True)
class BeatenOnlyBy:
    """Few of the plays that are still possible beat the play. Without any named: only gangs do."""

    plays: tuple[Combination, ...]


@dataclass(frozen=True, slots=True)
class BeatenByHigherGang:
    """The play is a gang, and a higher one is still possible."""


@dataclass(frozen=True, slots=True)
class TooLong:
    """A player who is about to finish has too few cards to answer the play."""

    seat: int
    left: int


@dataclass(frozen=True, slots=True)
class Finishing:
    """The play takes the lead from a player who is about to finish."""

    seat: int
    left: int


@dataclass(frozen=True, slots=True)
class Highest:
    """A player who is about to finish could answer the play, and no other of this size is higher."""

    seat: int
    left: int


@dataclass(frozen=True, slots=True)
class Keeps:
    """The move doesn't break up this combination."""

    combination: Combination


@dataclass(frozen=True, slots=True)
class Alone:
    """The card belongs to no other combination in the hand."""

    card: Card


@dataclass(frozen=True, slots=True)
class Lowest:
    """It is the lowest play of the hand, so the stronger ones remain."""


@dataclass(frozen=True, slots=True)
class LowestOfKind:
    """It is the lowest pair, the lowest flush, and so on."""


@dataclass(frozen=True, slots=True)
class Longest:
    """No play gets rid of more cards at once."""


@dataclass(frozen=True, slots=True)
class WorthMoreLater:
    """The play is too strong to be used now."""

    combination: Combination


ReasonInHand: TypeAlias = Keeps | Alone | Lowest | LowestOfKind | Longest | WorthMoreLater
ReasonAboutOthers: TypeAlias = GoesOut | Unbeatable | BeatenOnlyBy | BeatenByHigherGang | TooLong | Finishing | Highest
Reason: TypeAlias = ReasonAboutOthers | ReasonInHand


@dataclass(frozen=True, slots=True)
class Hint:
    """A move, and the reason why it's better than another one, if there is a simple one."""

    move: ChosenMove
    reason: Reason | None

    @property
    def cards(self) -> Cards:
        """The cards to play; none for another move."""
        return self.move.cards if isinstance(self.move, Play) else ()


def require_hints(table: Table, user_id: int, moment: int) -> View:
    """The view to which a user who must act may get a hint.

    Raises `NotYourTurn`, `NoHints`, `OutdatedAction`, or a refusal of `require_going_on` or `active_seat`.
    """
    play.require_going_on(table)
    seat = play.active_seat(table, user_id)
    if not table.row.allows_hints:
        raise NoHints
    if moment != table.moment or table.state is None or table.state.turn is None:
        raise OutdatedAction
    found = view(table.state, seat, with_played=True)
    if not (found.is_my_turn or found.may_declare):
        raise NotYourTurn(table.state.turn)
    return found


def hint(view: View, move: ChosenMove, other: ChosenMove | None) -> Hint:
    """A legal move of the seat to act, with the first reason that is true of it and false of the other move.

    The view must have the cards played (`with_played`). If `other` is None, the hint has no reason.
    """
    if other is None:
        return Hint(move, None)
    true = (each for each in _reasons(view, move, other) if is_true(each, view, move))
    return Hint(move, next((each for each in true if not is_true(each, view, other)), None))


def is_true(reason: Reason, view: View, move: ChosenMove) -> bool:
    """True if a reason is true of a legal move of the seat to act."""
    cards = _cards(move)
    match reason:
        case Keeps(combination=kept):
            return holds(cards, kept.cards) or not _breaks(view.hand, cards, kept)
        case WorthMoreLater(combination=kept):
            return not _breaks(view.hand, cards, kept)
        case Alone():
            return len(cards) == 1 and _is_alone(view, cards[0])
    if not isinstance(move, Play):
        return isinstance(reason, Lowest | LowestOfKind)  # the stronger plays remain
    play = _combination(view, cards)
    if isinstance(reason, Lowest | LowestOfKind | Longest):
        return _is_true_of_the_hand(reason, view, play)
    return _is_true_of_others(reason, view, play)


def _is_true_of_the_hand(reason: Lowest | LowestOfKind | Longest, view: View, play: Combination) -> bool:
    others = [each for each in _plays_of_the_hand(view) if each != play]
    match reason:
        case Lowest():
            return all(play < each for each in others)
        case LowestOfKind():
            return all(play < each for each in others if each.kind is play.kind)
        case Longest():
            return not view.public.cycle.plays and all(play.size >= each.size for each in others)


def _is_true_of_others(reason: ReasonAboutOthers, view: View, play: Combination) -> bool:
    plays = view.public.cycle.plays
    match reason:
        case GoesOut():
            return play.size == len(view.hand)
        case TooLong(left=left):
            return not plays and left < play.size
        case Finishing(seat=seat):
            return bool(plays) and plays[-1][0] == seat
        case Highest(left=left):
            return left == play.size and _is_highest(view, play)
        case Unbeatable():
            return not _beating(view, play)
        case BeatenByHigherGang():
            return not _beating_without_gangs(view, play)
        case BeatenOnlyBy(plays=beating):
            return len(_beating_without_gangs(view, play)) <= len(beating)


def _reasons(view: View, move: ChosenMove, other: ChosenMove) -> Iterator[Reason]:
    """Reasons that may be true of a move, the most important first."""
    cards, finishing = _cards(move), _finishing(view)
    kept = several(_combinations(view, without(view.hand, cards)))
    yield GoesOut()
    if finishing is not None:
        yield from (TooLong(*finishing), Finishing(*finishing), Highest(*finishing))
    yield Unbeatable()
    if isinstance(move, Play):
        play = _combination(view, cards)
        beating = _beating_without_gangs(view, play)
        if play.kind is Kind.GANG:
            yield BeatenByHigherGang()
        elif len(beating) <= MAX_NAMED:
            yield BeatenOnlyBy(beating)
    if kept and kept[-1].kind >= Kind.STRAIGHT:
        yield Keeps(kept[-1])
    if isinstance(move, Pass) and isinstance(other, Play):
        yield WorthMoreLater(_combination(view, other.cards))
    if len(cards) == 1:
        yield Alone(cards[0])
    yield from (Longest(), Lowest(), LowestOfKind())
    yield from (Keeps(each) for each in reversed(kept) if each.kind < Kind.STRAIGHT)


def _cards(move: ChosenMove) -> Cards:
    """The cards that leave the hand."""
    match move:
        case Play(cards=cards):
            return cards
        case GiveBack(card=card):
            return (card,)
    return ()


def _combination(view: View, cards: Cards) -> Combination:
    """The play of these cards. Raises ValueError if they make none."""
    found = combination_table(view.public.match.options.flush_order).identify(cards)
    if found is None:
        raise ValueError(f"{cards} can't be played")
    return found


def _finishing(view: View) -> tuple[int, int] | None:
    """The other seat with the fewest cards, and their number, if it's about to finish."""
    public = view.public
    others = [(left, seat) for seat, left in enumerate(public.left) if seat != view.seat and seat not in public.out]
    left, seat = min(others)
    return (seat, left) if left <= FEW_CARDS else None


def _is_highest(view: View, play: Combination) -> bool:
    """True if other plays of this size are lower, and none is higher."""
    same_size = [each for each in _plays_of_the_hand(view) if each.size == play.size]
    return len(same_size) > 1 and play == max(same_size)


def _beating(view: View, play: Combination) -> list[Combination]:
    """The plays that beat `play`, made of cards that this seat hasn't seen, and no longer than any hand."""
    if not view.unseen:
        return []
    most = max(left for seat, left in enumerate(view.public.left) if seat != view.seat)
    return [each for each in answers(_combinations(view, view.unseen), play) if each.size <= most]


def _beating_without_gangs(view: View, play: Combination) -> tuple[Combination, ...]:
    return tuple(each for each in _beating(view, play) if each.kind is not Kind.GANG)


def _plays_of_the_hand(view: View) -> tuple[Combination, ...]:
    """The plays that would be legal without R31 (a declared last card) and without R21 (the first lead of a match)."""
    return () if view.situation is None else plays(view.situation._replace(blocked=None, opening=False))


def _is_alone(view: View, card: Card) -> bool:
    """True if the card belongs to no combination of several cards in the hand."""
    return not any(card in each.cards for each in several(_combinations(view, view.hand)))


def _combinations(view: View, hand: Cards) -> Combinations:
    return find(hand, view.public.match.options.flush_order)


def _breaks(hand: Cards, used: Cards, combination: Combination) -> bool:
    """True if `combination` is no longer in the hand when `used` have been played."""
    return not holds(without(hand, used), combination.cards)
