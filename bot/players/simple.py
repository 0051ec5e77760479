"""The simple player: the lowest answer, and the longest lead with its lowest card. It keeps nothing in mind."""

from bot.engine import Combination, Declare, GiveBack, Pass, Play, View


def choose(view: View) -> GiveBack | Declare | Play | Pass:
    """A legal move for the seat whose turn it is; it always declares its last card, at the latest now."""
    if view.may_give_back:
        return GiveBack(view.seat, view.hand[0])
    if view.may_declare:
        return Declare(view.seat)
    plays = view.plays()
    if not plays:
        return Pass(view.seat)
    best = plays[0] if view.public.cycle.plays else _lead(view, plays)
    return Play(view.seat, best.cards, last_card=len(view.hand) - best.size == 1)


def _lead(view: View, plays: tuple[Combination, ...]) -> Combination:
    """The longest of the plays that get rid of the lowest card, if there is one; the lowest among equals."""
    with_lowest = [play for play in plays if view.hand[0] in play.cards]
    return max(with_lowest or plays, key=lambda play: (play.size, -play))
