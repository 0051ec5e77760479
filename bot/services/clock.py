"""The only sources of time and randomness, injected into the services."""

import secrets
import time
from typing import Protocol

from bot.engine.shuffle import SEED_BYTES


class Clock(Protocol):
    """A source of time."""

    def milliseconds(self) -> int:
        """UTC milliseconds since 1970."""
        ...


class Entropy(Protocol):
    """A source of secrets."""

    def seed(self) -> bytes:
        """Draw the seed of a match."""
        ...


class SystemClock:
    """The machine's clock."""

    def milliseconds(self) -> int:
        """UTC milliseconds since 1970."""
        return time.time_ns() // 1_000_000


class SystemEntropy:
    """The operating system's randomness."""

    def seed(self) -> bytes:
        """Draw the seed of a match."""
        return secrets.token_bytes(SEED_BYTES)
