"""Prepares the strongest player: compiles its code, or loads it if it has been compiled before."""

from bot.engine import MatchStarted, Options, Phase, Play, advance, begin, commitment, view
from bot.engine.moves import Deal
from bot.players import par, simple
from bot.players.levels import Level, choose
from bot.players.reviews import cost_of

_SEED = bytes(32)


def warm_up() -> None:
    """Compute the par of a deal, choose a lead and a card to give back, and review the lead.

    Raises ImportError without numba.
    """
    import bot.players.compiled.master  # noqa: F401, PLC0415  # it takes memory

    match = MatchStarted("days-of-wonder", Options(target=1000), ("A", "B", "C", "D"), 0, commitment(_SEED), "1")
    now, _ = advance(begin(match), Deal(_SEED), _SEED)
    par.par_of(par.DealtHand(match.options, now.hands, now.direction, now.turn))
    phases = {Phase.PLAY, Phase.EXCHANGE}
    while phases and now.turn is not None:
        shown = view(now, now.turn, with_played=True)
        if now.phase in phases:
            chosen = choose(Level.MASTER, shown, 1)
            if isinstance(chosen, Play):
                cost_of(shown, chosen, 1)
            phases.remove(now.phase)
        now, _ = advance(now, simple.choose(shown), _SEED)
