"""Finished matches as lists show them."""

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FinishedPlayer:
    """Somebody at the end of a match."""

    name: str
    place: int
    total: int
    is_ai: bool


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A match that was played to its end."""

    number: int
    """Of its table."""
    at: int
    """UTC seconds."""
    edition: str
    hands: int
    players: tuple[FinishedPlayer, ...]
    """Best first."""


@dataclass(frozen=True, slots=True)
class HistoryFilter:
    """Of which matches of a server a list tells."""

    guild_id: int
    user_id: int | None = None
    channels: Collection[int] = ()
    """None: of all."""
