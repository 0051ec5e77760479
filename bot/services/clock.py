"""The clocks and the randomness that `App` passes to the services."""

import secrets
import time
from typing import Final

from bot.engine.shuffle import SEED_BYTES

_CLOCK: Final[int] = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""Linux has two: its `CLOCK_MONOTONIC` stands still while the machine is suspended, elsewhere it doesn't."""


def milliseconds() -> int:
    """UTC milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def seconds() -> float:
    """Seconds since an arbitrary moment. Nobody can set this clock, and it goes on while the machine is suspended."""
    return time.clock_gettime(_CLOCK)


def new_seed() -> bytes:
    """Draw the seed of a match."""
    return secrets.token_bytes(SEED_BYTES)
