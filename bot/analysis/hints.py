"""Hints: who can get one, and the reasons for a move.

The reasons come from what the seat may know: its hand, the cards played, and the cards that others have left.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

from bot.engine import Card, Cards, Combination, Declare, GiveBack, Kind, Pass, Play, View, view
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
MAX_REASONS: Final = 2


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
    """The move doesn't use any card of this combination. Another move would have broken it up."""

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
class OnlyAnswer:
    """Nothing else in the hand beats the play on the table."""


@dataclass(frozen=True, slots=True)
class WorthMoreLater:
    """The lowest answer is too strong to be used now."""

    answer: Combination


ReasonInHand: TypeAlias = Keeps | Alone | Lowest | LowestOfKind | Longest | OnlyAnswer | WorthMoreLater
Reason: TypeAlias = (
    GoesOut | Unbeatable | BeatenOnlyBy | BeatenByHigherGang | TooLong | Finishing | Highest | ReasonInHand
)


@dataclass(frozen=True, slots=True)
class Hint:
    """A move, and at most two reasons for it, the most important first."""

    move: ChosenMove
    reasons: tuple[Reason, ...]

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


def hint(view: View, move: ChosenMove) -> Hint:
    """The reasons for a legal move of the seat to act. The view must have the cards played (`with_played`)."""
    match move:
        case Play():
            reasons = _for_playing(view, next(each for each in view.plays() if each.cards == move.cards))
        case Pass():
            reasons = _for_passing(view)
        case GiveBack():
            reasons = _for_giving(view, move.card)
        case Declare():
            reasons = []
    return Hint(move, tuple(reasons[:MAX_REASONS]))


def _for_playing(view: View, play: Combination) -> list[Reason]:
    if play.size == len(view.hand):
        return [GoesOut()]
    return [*_about_others(view, play), *_about_the_hand(view, play)] or _smaller_ones(view, play)


def _about_others(view: View, play: Combination) -> list[Reason]:
    """The effects of the play on the other players."""
    reasons: list[Reason] = []
    finishing = _finishing(view)
    if finishing is not None and not view.public.cycle.plays and finishing[1] < play.size:
        reasons.append(TooLong(*finishing))
    elif finishing is not None and view.public.cycle.plays and view.public.cycle.plays[-1][0] == finishing[0]:
        reasons.append(Finishing(*finishing))
    elif finishing is not None and finishing[1] == play.size and _is_highest(view, play):
        reasons.append(Highest(*finishing))
    beating = _beating(view, play)
    if not beating:
        reasons.append(Unbeatable())
    elif play.kind is Kind.GANG:
        reasons.append(BeatenByHigherGang())
    elif len(named := tuple(each for each in beating if each.kind is not Kind.GANG)) <= MAX_NAMED:
        reasons.append(BeatenOnlyBy(named))
    return reasons


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
    order = view.public.match.options.flush_order
    most = max(left for seat, left in enumerate(view.public.left) if seat != view.seat)
    return [each for each in answers(find(view.unseen, order), play) if each.size <= most]


def _about_the_hand(view: View, play: Combination) -> list[Reason]:
    """The effects of the play on the rest of the hand."""
    reasons: list[Reason] = []
    others = [each for each in _plays_of_the_hand(view) if each != play]
    kept = _kept(view, play, Kind.STRAIGHT)
    if kept is not None:
        reasons.append(Keeps(kept))
    if play.size == 1 and _is_alone(view, play.cards[0]):
        reasons.append(Alone(play.cards[0]))
    leads = not view.public.cycle.plays
    sizes = {each.size for each in others}
    if leads and play.size > min(sizes, default=play.size) and play.size >= max(sizes):
        reasons.append(Longest())
    if not others and not leads:
        reasons.append(OnlyAnswer())
    elif others and play < min(others):
        reasons.append(Lowest())
    elif play < min((each for each in others if each.kind is play.kind), default=play):
        reasons.append(LowestOfKind())
    return reasons


def _smaller_ones(view: View, play: Combination) -> list[Reason]:
    """Reasons that are too small to stand beside others."""
    kept = _kept(view, play, Kind.PAIR)
    if kept is not None:
        return [Keeps(kept)]
    return [Longest()] if play.size > 1 and play.size >= max(each.size for each in _plays_of_the_hand(view)) else []


def _plays_of_the_hand(view: View) -> tuple[Combination, ...]:
    """The plays that would be legal without R31 (a declared last card) and without R21 (the first lead of a match)."""
    return () if view.situation is None else plays(view.situation._replace(blocked=None, opening=False))


def _for_passing(view: View) -> list[Reason]:
    answers = view.plays()
    if not answers:
        return []
    best = _strongest(view, view.hand)
    if best is not None and all(_breaks(view.hand, each.cards, best) for each in answers):
        return [Keeps(best)]
    return [WorthMoreLater(answers[0])]


def _for_giving(view: View, card: Card) -> list[Reason]:
    reasons: list[Reason] = [Alone(card)] if _is_alone(view, card) else []
    kept = _strongest(view, without(view.hand, (card,)))
    return [*reasons, *([] if kept is None else [Keeps(kept)])]


def _kept(view: View, play: Combination, least: Kind) -> Combination | None:
    """The strongest combination, at least of this kind, that `play` leaves complete and another play would break up."""
    for each in reversed(_combinations(view, without(view.hand, play.cards))):
        if each.kind >= least and any(_breaks(view.hand, other.cards, each) for other in view.plays()):
            return each
    return None


def _strongest(view: View, hand: Cards) -> Combination | None:
    """The strongest combination of at least five cards, or gang, in a hand; None without any."""
    found = _combinations(view, hand)
    return found[-1] if found and found[-1].kind >= Kind.STRAIGHT else None


def _is_alone(view: View, card: Card) -> bool:
    """True if the card belongs to no combination of several cards in the hand."""
    return not any(card in each.cards for each in several(_combinations(view, view.hand)))


def _combinations(view: View, hand: Cards) -> Combinations:
    return find(hand, view.public.match.options.flush_order)


def _breaks(hand: Cards, used: Cards, combination: Combination) -> bool:
    """True if `combination` is no longer in the hand when `used` have been played."""
    return not holds(without(hand, used), combination.cards)
