"""Functions that the process of `test_thinking` imports by name."""

import os
import signal
from threading import Event

from bot.engine import Pass, Play, View
from bot.players.levels import Level
from bot.players.strongest import DealtHand, MoveCost, Par
from bot.players.styles import Style


def block_forever(level: Level, view: View, seed: int, style: Style = Style.STEADY) -> Pass:
    Event().wait()
    return Pass(0)


def fail(level: Level, view: View, seed: int, style: Style = Style.STEADY) -> Pass:
    raise ValueError("lost in thought")


def die(level: Level, view: View, seed: int, style: Style = Style.STEADY) -> Pass:
    os.kill(os.getpid(), signal.SIGKILL)
    return Pass(0)


def tell_level(level: Level, view: View, seed: int, style: Style = Style.STEADY) -> Pass:
    """A move by which a test knows the level."""
    return Pass(list(Level).index(level))


def nothing() -> None:
    """Takes the place of a minute of compiling."""


def compile_forever() -> None:
    Event().wait()


def no_numba() -> None:
    raise ImportError("numba")


def damaged() -> None:
    raise ValueError("a file of weights")


def cost_five(view: View, played: Play | Pass, seed: int) -> MoveCost:
    """Each move costs five points, compared with itself."""
    return MoveCost(played, 5.0, 0.5)


def par_by_seat(deal: DealtHand) -> Par:
    """The par of each seat is its number."""
    seats = range(len(deal.hands))
    return Par(tuple(map(float, seats)), (0.0,) * len(seats))


def die_reviewing(view: View, played: Play | Pass, seed: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_comparing(deal: DealtHand) -> None:
    os.kill(os.getpid(), signal.SIGKILL)
