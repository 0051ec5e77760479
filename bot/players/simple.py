"""The simple AI player: it follows as low as it can, and leads the longest play with its lowest card."""

from bot.engine import Combination, Declare, GiveBack, Pass, Play, View
from bot.engine.moves import ChosenMove


def choose(view: View) -> ChosenMove:
    """A legal move for the seat to move. It always declares its last card."""
    if view.may_give_back:
        return GiveBack(view.seat, view.hand[0])
    if view.may_declare:
        return Declare(view.seat)
    plays = view.plays()
    if not plays:
        return Pass(view.seat)
    best = plays[0] if view.public.cycle.plays else _lead(view, plays)
    return view.playing(best.cards)


def choose_gently(view: View) -> GiveBack | Pass | Play:
    """The move for an absent player: pass, or else the lowest legal play. It declares if it leaves one card."""
    if view.may_give_back:
        return GiveBack(view.seat, view.hand[0])
    if view.may_pass:
        return Pass(view.seat)
    return view.playing(view.plays()[0].cards)


def _lead(view: View, plays: tuple[Combination, ...]) -> Combination:
    """The longest play with the lowest card, or else the longest; the lowest of equally long ones."""
    with_lowest = [play for play in plays if view.hand[0] in play.cards]
    return max(with_lowest or plays, key=lambda play: (play.size, -play))
