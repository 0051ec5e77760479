"""The only sources of time and randomness. `App` passes them to the services."""

import secrets
import time

from bot.engine.shuffle import SEED_BYTES


def milliseconds() -> int:
    """UTC milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def new_seed() -> bytes:
    """Draw the seed of a match."""
    return secrets.token_bytes(SEED_BYTES)
