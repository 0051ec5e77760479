"""The judgment of the strongest player, which needs numba: pars of deals and costs of moves."""

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from bot.engine import Cards, MatchStarted, Options, Pass, Phase, Play, View, advance, begin, commitment, view
from bot.engine.moves import Deal
from bot.players import simple
from bot.players.levels import Level, choose

_SEED: Final = bytes(32)


@dataclass(frozen=True, slots=True)
class DealtHand:
    """A hand as it was dealt, before the exchange."""

    options: Options
    hands: tuple[Cards, ...] = field(repr=False)
    """The cards by seat."""
    direction: int
    """1 counter-clockwise, -1 clockwise."""
    leader: int | None
    """The first leader of the match; None in later hands, which the last winner leads."""


class Par(NamedTuple):
    """By seat: the mean penalty points that the network makes with the cards, and their standard errors."""

    points: tuple[float, ...]
    errors: tuple[float, ...]


class MoveCost(NamedTuple):
    """A move compared with that of a master."""

    better: Play | Pass
    points: float
    """The mean cost in this hand, in points compared with the other players. Chance can make it negative."""
    error: float
    """Its standard error."""


def par_of(deal: DealtHand) -> Par:
    """The par of each seat. Raises ImportError without numba. The same deal gives the same par."""
    from bot.players.compiled.par import estimator  # noqa: PLC0415  # numba takes time and memory

    return Par(*estimator().par(deal.options, deal.hands, deal.direction, deal.leader))


def cost_of(view: View, played: Play | Pass, seed: int) -> MoveCost | None:
    """The cost of a move of the seat to act; None if it was the only one. Raises ImportError without numba.

    The view must have its history (see `bot.engine.view`). The same arguments give the same cost.
    """
    from bot.players.compiled.review import reviewer  # noqa: PLC0415  # numba takes time and memory

    found = reviewer().cost(view, played, seed)
    return None if found is None else MoveCost(*found)


def warm_up() -> None:
    """Compile the code of the strongest player, or load it if it has been compiled before: use each part once.

    Raises ImportError without numba.
    """
    import bot.players.compiled.master  # noqa: F401, PLC0415  # it takes memory

    match = MatchStarted("days-of-wonder", Options(target=1000), ("A", "B", "C", "D"), 0, commitment(_SEED), "1")
    now, _ = advance(begin(match), Deal(_SEED), _SEED)
    par_of(DealtHand(match.options, now.hands, now.direction, now.turn))
    done = set[tuple[Phase, bool]]()
    while now.turn is not None and (Phase.EXCHANGE, False) not in done:
        shown, position = view(now, now.turn, with_played=True), (now.phase, bool(now.cycle.passed))
        if position not in done:
            choose(Level.MASTER, shown, 1)
            for play in shown.plays()[:2]:  # at most one is the master's, whose cost takes no comparison
                cost_of(shown, Play(shown.seat, play.cards), 1)
            done.add(position)
        now, _ = advance(now, simple.choose(shown), _SEED)
