"""Drawings for the tests of the render worker, whose process imports them by name."""

import os
import signal
from threading import Event


def process_id() -> bytes:
    return str(os.getpid()).encode()


def echo(text: str, times: int) -> bytes:
    return (text * times).encode()


def fail() -> bytes:
    raise ValueError("the ink is spilt")


def kill_self() -> bytes:
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


def block_forever() -> bytes:
    Event().wait()
    return b""


def wait_for_pipe(path: str) -> bytes:
    """Wait until the test writes to the pipe at `path`."""
    with open(path, "rb") as pipe:  # noqa: PTH123  # a FIFO
        return pipe.read()
