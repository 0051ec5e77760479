"""Time and randomness, handed in from the top: the only door for either."""

import secrets
import time
from typing import Protocol

from bot.engine.shuffle import SEED_BYTES


class Clock(Protocol):
    """What time it is."""

    def milliseconds(self) -> int:
        """UTC milliseconds since 1970."""
        ...


class Entropy(Protocol):
    """Where secrets come from."""

    def seed(self) -> bytes:
        """Make the secret of one match."""
        ...


class SystemClock:
    """The machine's clock."""

    def milliseconds(self) -> int:
        """UTC milliseconds since 1970."""
        return time.time_ns() // 1_000_000


class SystemEntropy:
    """The operating system's randomness."""

    def seed(self) -> bytes:
        """Make the secret of one match."""
        return secrets.token_bytes(SEED_BYTES)
