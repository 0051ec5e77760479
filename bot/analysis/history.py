"""Finished matches as lists show them."""

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finisher:
    """Somebody at the end of a match."""

    name: str
    place: int
    total: int
    is_ai: bool


@dataclass(frozen=True, slots=True)
class Finished:
    """A match that was played to its end."""

    number: int
    """Of its table."""
    at: int
    """UTC seconds."""
    edition: str
    hands: int
    players: tuple[Finisher, ...]
    """Best first."""


@dataclass(frozen=True, slots=True)
class Whose:
    """Of which matches of a server a list tells."""

    guild_id: int
    user_id: int | None = None
    channels: Collection[int] = ()
    """None: of all."""
