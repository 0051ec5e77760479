"""The move made for an absent player: pass, or else the lowest legal play."""

from bot.engine import GiveBack, Pass, Play, View


def choose(view: View) -> GiveBack | Pass | Play:
    """A legal move for the seat to move. It declares if it leaves one card."""
    if view.may_give_back:
        return GiveBack(view.seat, view.hand[0])
    if view.may_pass:
        return Pass(view.seat)
    return view.playing(view.plays()[0].cards)
