"""Functions that the process of `test_thinking` imports by name."""

import os
import signal
from threading import Event

from bot.engine import Pass, View
from bot.players.levels import Level


def block_forever(level: Level, view: View, seed: int) -> Pass:
    Event().wait()
    return Pass(0)


def fail(level: Level, view: View, seed: int) -> Pass:
    raise ValueError("lost in thought")


def die(level: Level, view: View, seed: int) -> Pass:
    os.kill(os.getpid(), signal.SIGKILL)
    return Pass(0)


def tell_level(level: Level, view: View, seed: int) -> Pass:
    """A move by which a test knows the level."""
    return Pass(list(Level).index(level))


def nothing() -> None:
    """Takes the place of a minute of compiling."""


def no_numba() -> None:
    raise ImportError("numba")
