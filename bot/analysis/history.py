"""The finished matches in a user's or channel's history."""

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FinishedPlayer:
    """A player at the end of a match."""

    name: str
    place: int
    total: int
    is_ai: bool


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A match that was played to its end."""

    number: int
    """The number of the table."""
    at: int
    """UTC seconds."""
    edition: str
    hands: int
    players: tuple[FinishedPlayer, ...]
    """Best first."""


@dataclass(frozen=True, slots=True)
class HistoryFilter:
    """The matches of a guild to list: a user's, or those in some channels."""

    guild_id: int
    user_id: int | None = None
    channels: Collection[int] = ()
    """Channel ids; empty for all channels."""
