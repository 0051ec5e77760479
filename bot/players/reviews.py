"""Compares a move with better ones. Only the process that thinks can do it: it needs numba."""

from typing import NamedTuple

from bot.engine import Pass, Play, View


class MoveCost(NamedTuple):
    """A move compared with the best one found."""

    better: Play | Pass
    points: float
    """The mean cost in this hand, in points compared with the other players. Chance can make it negative."""
    error: float
    """Its standard error."""


def cost_of(view: View, played: Play | Pass, seed: int) -> MoveCost | None:
    """The cost of a move of the seat to act; None if it was the only one. Raises ImportError without numba.

    The view must have its history (see `bot.engine.view`). The same arguments give the same cost.
    """
    from bot.players.compiled.review import reviewer  # noqa: PLC0415  # numba takes time and memory

    found = reviewer().cost(view, played, seed)
    return None if found is None else MoveCost(*found)
