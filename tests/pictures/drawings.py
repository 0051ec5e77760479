"""Drawings for the tests of the render worker, whose process imports them by name."""

import os
import signal
from threading import Event


def who() -> bytes:
    return str(os.getpid()).encode()


def echo(text: str, times: int) -> bytes:
    return (text * times).encode()


def spill() -> bytes:
    raise ValueError("the ink is spilt")


def die() -> bytes:
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


def never() -> bytes:
    Event().wait()
    return b""


def until(path: str) -> bytes:
    """Waits until something is written into the pipe at `path`."""
    with open(path, "rb") as pipe:  # noqa: PTH123  # a FIFO
        return pipe.read()
