"""Guilds: their settings, seasons and audit log."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from bot.engine.options import DEFAULT_EDITION
from bot.players.levels import DEFAULT_LEVEL, Level
from bot.table.model import Pace, TableSettings, TakingBack, TimeoutPolicy
from bot.table.refusals import AppMayNotWrite, MayNotOpen, MissingRole, WrongChannel


def own_guild_id(user_id: int) -> int:
    """The id under which a user's matches outside guilds are stored. It's negative, so no guild has it."""
    return -user_id


def is_own(guild_id: int) -> bool:
    """True if this id stands for a user's matches outside guilds."""
    return guild_id < 0


class PostInterval(StrEnum):
    """The interval at which the leaderboard is posted."""

    WEEK = "week"
    MONTH = "month"


@dataclass(frozen=True, slots=True)
class TableDefaults:
    """The default options for new tables."""

    size: int = 4
    edition: str = DEFAULT_EDITION
    target: int = 100
    pace: Pace = Pace.NONE
    last_card: str = "declared"
    late: TimeoutPolicy = TimeoutPolicy.ASK_MOVE
    undo: TakingBack = TakingBack.CASUAL
    private: bool = False
    thread: bool = False
    rated: bool = True
    hints: bool = True
    ai_level: Level = DEFAULT_LEVEL

    @property
    def settings(self) -> TableSettings:
        """The options besides the rules of the game."""
        return TableSettings(self.late, self.undo, self.private, self.thread, self.rated, self.hints, self.ai_level)


@dataclass(frozen=True, slots=True)
class Schedule:
    """The regular posts of the leaderboard; the next one is due at `at` (UTC seconds)."""

    every: PostInterval
    channel_id: int
    at: int


class Celebrations(StrEnum):
    """The events that are celebrated in the channel."""

    PEOPLE = "people"
    """Gangs of people, and titles."""
    ALL = "all"
    """Gangs of AI players, too."""
    OFF = "off"


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """The settings of a guild, and its locale."""

    locale: str = ""
    """The guild's locale on Discord, or the language of the member who opened the first table; empty before that."""
    language: str = ""
    """The language for public messages that a manager has chosen; empty: `locale`."""
    celebrations: Celebrations = Celebrations.PEOPLE
    channels: tuple[int, ...] = ()
    """The channels where tables can be opened; empty: all."""
    roles: tuple[int, ...] = ()
    """The roles that can open tables; empty: everyone."""
    defaults: TableDefaults = TableDefaults()
    schedule: Schedule | None = None
    text_cards: bool = False
    """Public messages show cards as text such as `7R`, not as emoji."""
    limits: Mapping[str, int] = field(default_factory=dict)
    """The limits that the guild has changed, by name (see `table.limits`)."""


@dataclass(frozen=True, slots=True)
class Opener:
    """A member who opens a table in a channel, as far as it decides whether they may."""

    channels: tuple[int, ...]
    """The channel, and the parent of a thread."""
    roles: frozenset[int] | None
    """Their roles; None for members who manage the guild."""
    may_write: bool
    """They may write in the channel."""
    app_may_write: bool = True
    """The app may write there, too."""
    parent_id: int | None = None
    """The parent of a public thread. That of a private one doesn't say who can see the thread."""

    def require_may_open(self, settings: GuildSettings) -> None:
        """Raise a refusal if the member can't open a table there: `WrongChannel` and others."""
        if not self.may_write:
            raise MayNotOpen(self.channels[0])
        if not self.app_may_write:
            raise AppMayNotWrite(self.channels[0])
        if settings.channels and not set(settings.channels) & set(self.channels):
            raise WrongChannel(settings.channels)
        if settings.roles and self.roles is not None and not set(settings.roles) & self.roles:
            raise MissingRole(settings.roles)


@dataclass(frozen=True, slots=True)
class Season:
    """A season of a guild. The first one has number 1."""

    number: int
    name: str
    began_at: int
    """UTC seconds."""
    ended_at: int | None = None


@dataclass(frozen=True, slots=True)
class Podium:
    """The end of a season that hasn't been posted yet."""

    guild_id: int
    season: Season
    channel_id: int


@dataclass(frozen=True, slots=True)
class Week:
    """The matches and players of a guild in a week."""

    began_at: int
    """The Monday at 0:00 UTC, in UTC seconds."""
    matches: int
    """Finished matches."""
    players: int
    """Users who owned seats in them."""


@dataclass(frozen=True, slots=True)
class Activity:
    """The activity in a guild. The current week comes first."""

    open_tables: int
    weeks: tuple[Week, ...]


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """A change to a guild's settings."""

    at: int
    """UTC seconds."""
    user_id: int | None
    """None for a deleted player."""
    what: str
    before: str
    after: str
