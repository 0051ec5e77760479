"""Guilds: their settings, seasons and audit log."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from bot.engine.options import DEFAULT_EDITION
from bot.table.model import Pace


class PostInterval(StrEnum):
    """How often a leaderboard is posted."""

    WEEK = "week"
    MONTH = "month"


@dataclass(frozen=True, slots=True)
class TableDefaults:
    """What a new table begins with, if nothing else is asked for."""

    size: int = 4
    edition: str = DEFAULT_EDITION
    target: int = 100
    pace: Pace = Pace.NONE


@dataclass(frozen=True, slots=True)
class Schedule:
    """How often the leaderboard is posted, where, and when next (UTC seconds)."""

    every: PostInterval
    channel_id: int
    at: int


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """What a server has set, and what Discord says of it."""

    locale: str = "en-US"
    """The language of the server as Discord knows it."""
    language: str = ""
    """The language that it has chosen for public messages; empty: what Discord says."""
    celebrates: bool = True
    """Whether gangs and titles are celebrated."""
    channels: tuple[int, ...] = ()
    """Where tables may be opened; none: everywhere."""
    roles: tuple[int, ...] = ()
    """Who may open tables: whoever has one of these; none: everybody."""
    defaults: TableDefaults = TableDefaults()
    schedule: Schedule | None = None
    limits: Mapping[str, int] = field(default_factory=dict)
    """The limits that it has changed, by name (see `services.limits`)."""


@dataclass(frozen=True, slots=True)
class Season:
    """A season; its number is 1 for the first of a server."""

    number: int
    name: str
    began_at: int
    """UTC seconds."""
    ended_at: int | None = None


@dataclass(frozen=True, slots=True)
class Podium:
    """The end of a season that is still to be told in a channel."""

    guild_id: int
    season: Season
    channel_id: int


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """A setting of a server that somebody has changed."""

    at: int
    """UTC seconds."""
    user_id: int | None
    """None for a former player."""
    what: str
    before: str
    after: str
