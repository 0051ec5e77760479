"""Every limit on what one user, channel or guild may do, and the limiter that enforces the rates.

A `Rate` says how often something may be done. It is counted in the memory of this process, so a restart resets it;
that is fine, because a restart takes longer than most rates need to recover.
A `Count` says how many of something there may be at once. Tables and invitations are counted in the database, in the
transaction that adds one, so restarts and simultaneous presses change nothing.

What the app does by itself (AI players, deadlines, posts) is never limited.
"""

import math
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import guild_settings, open_tables
from bot.table.refusals import GuildIsFull, TooManyAtOnce, TooManyTables, TryAgainLater

MOST_KEPT: Final = 10_000
"""Entries that a rate keeps in memory; beyond that, the one used least recently is forgotten."""

ROUNDING: Final = 1e-6
"""Seconds that sums of floating-point numbers may be off."""


class Per(StrEnum):
    """The scope of a limit."""

    USER = "user"
    """One user, in all guilds together."""
    MEMBER = "member"
    """One user in one guild."""
    PAIR = "pair"
    """One user towards one other user."""
    HOST = "host"
    """The host of tables in one guild."""
    TABLE = "table"
    CHANNEL = "channel"
    GUILD = "guild"
    SEAT = "seat"
    """One seat in one hand."""
    APP = "app"
    """The whole app."""


class Action(StrEnum):
    """Something that is limited by rates."""

    PRESS = "press"
    """Any press, form or command."""
    REFUSE = "refuse"
    """Telling a user that they press too fast."""
    OPEN = "open"
    """Open a table: `/gang new` and `/gang duplicate`."""
    REMATCH = "rematch"
    """Open or join a rematch."""
    POST = "post"
    """`/gang show`, which posts a table again."""
    INVITE = "invite"
    """Ask users to a table, each counted once; each is mentioned."""
    INVITE_AGAIN = "invite again"
    """Ask one user again and again."""
    UNDO = "undo"
    """Take a play back, which calls another player."""
    DAILY = "daily"
    """Open the hand of the day."""
    IMPORT = "import"
    PICTURE = "picture"
    """Ask for a picture."""
    REPLAY = "replay"
    """Open a match or go to another moment of it."""
    EXPORT = "export"
    """Get a file: a record, a transcript or personal data."""
    EXPORT_GUILD = "export server"
    """Export the data of a guild."""
    VERIFY = "verify"
    """Deal a match again."""
    FIGURES = "figures"
    """Leaderboards, profiles, comparisons and lists."""
    SETTINGS = "settings"
    """Change a setting of oneself or of a guild."""
    DELETE = "delete"
    """Delete all data about oneself."""
    SEASON = "season"
    """Begin, end or reset a season; an end is posted."""


@dataclass(frozen=True, slots=True)
class Rate:
    """`number` times at once, then again as time passes: `number` times in `seconds`."""

    action: Action
    per: Per
    number: int
    seconds: int
    setting: str = ""
    """The name by which managers of a guild change `number`, if there are `choices`."""
    choices: tuple[int, ...] = ()


RATES: Final = (
    Rate(Action.PRESS, Per.USER, 40, 4),
    Rate(Action.PRESS, Per.USER, 600, 120),
    Rate(Action.REFUSE, Per.USER, 1, 5),
    Rate(Action.OPEN, Per.USER, 8, 60),
    Rate(Action.OPEN, Per.USER, 30, 3600),
    Rate(Action.OPEN, Per.GUILD, 40, 60),
    Rate(Action.REMATCH, Per.USER, 3, 60),
    Rate(Action.REMATCH, Per.USER, 30, 3600),
    Rate(Action.POST, Per.USER, 3, 60),
    Rate(Action.POST, Per.CHANNEL, 6, 60),
    Rate(Action.INVITE, Per.MEMBER, 10, 600, "invitations", (3, 5, 10, 25)),
    Rate(Action.INVITE, Per.GUILD, 60, 600),
    Rate(Action.INVITE_AGAIN, Per.PAIR, 3, 1800),
    Rate(Action.UNDO, Per.USER, 10, 60),
    Rate(Action.DAILY, Per.USER, 5, 60),
    Rate(Action.IMPORT, Per.USER, 10, 600),
    Rate(Action.IMPORT, Per.GUILD, 40, 600),
    Rate(Action.PICTURE, Per.USER, 10, 60),
    Rate(Action.PICTURE, Per.GUILD, 60, 60),
    Rate(Action.REPLAY, Per.USER, 300, 60),
    Rate(Action.EXPORT, Per.USER, 10, 60),
    Rate(Action.EXPORT_GUILD, Per.GUILD, 3, 600),
    Rate(Action.VERIFY, Per.USER, 10, 60),
    Rate(Action.FIGURES, Per.USER, 60, 60),
    Rate(Action.SETTINGS, Per.USER, 100, 600),
    Rate(Action.DELETE, Per.USER, 3, 3600),
    Rate(Action.SEASON, Per.GUILD, 12, 600),
)


@dataclass(frozen=True, slots=True)
class Count:
    """At most `number` of something at once; managers of a guild can change it if there are `choices`."""

    setting: str
    per: Per
    number: int
    choices: tuple[int, ...] = ()

    def in_guild(self, changed: Mapping[str, int]) -> int:
        """The number in a guild that has `changed` some."""
        return changed.get(self.setting, self.number)


HOST_TABLES: Final = Count("host_tables", Per.HOST, 5, (1, 2, 3, 5, 10, 25))
"""Open tables of one host in a guild."""
GUILD_TABLES: Final = Count("guild_tables", Per.GUILD, 100, (10, 25, 50, 100, 250, 500))
"""Open tables of a guild."""
INVITED: Final = Count("invited", Per.TABLE, 25)
"""Users who are invited to one table."""
UNDOS: Final = Count("undos", Per.SEAT, 20)
"""Moves that are taken back."""
USER_PICTURES: Final = Count("user_pictures", Per.USER, 2)
"""Pictures that wait to be drawn for one user."""
GUILD_PICTURES: Final = Count("guild_pictures", Per.GUILD, 8)
"""Pictures that wait to be drawn for one guild."""
PICTURES: Final = Count("pictures", Per.APP, 64)
"""Pictures that wait to be drawn in all."""
USER_WORK: Final = Count("user_work", Per.USER, 10)
"""Long computations that wait for one user."""
GUILD_WORK: Final = Count("guild_work", Per.GUILD, 40)
"""Long computations that wait for one guild."""
WORK: Final = Count("work", Per.APP, 200)
"""Long computations that wait in all."""
USER_EXPORTS: Final = Count("user_exports", Per.USER, 1)
"""Exports of stored data that wait for one user."""
GUILD_EXPORTS: Final = Count("guild_exports", Per.GUILD, 5)
"""Exports that wait for one guild."""
EXPORTS: Final = Count("exports", Per.APP, 20)
"""Exports that wait in all."""

COUNTS: Final = (
    *(HOST_TABLES, GUILD_TABLES, INVITED, UNDOS, USER_PICTURES, GUILD_PICTURES, PICTURES),
    *(USER_WORK, GUILD_WORK, WORK, USER_EXPORTS, GUILD_EXPORTS, EXPORTS),
)
ADJUSTABLE: Final[Mapping[str, Rate | Count]] = {limit.setting: limit for limit in (*COUNTS, *RATES) if limit.choices}
"""What managers of a guild can change, by the name of the setting."""


async def require_room(connection: AsyncConnection, guild_id: int, host_id: int) -> None:
    """Raise `TooManyTables` or `GuildIsFull` if a host cannot open another table in a guild.

    To be asked in the transaction that opens the table: until that is over, no other one opens any in the guild.
    """
    await require_room_of_host(connection, guild_id, host_id)
    most = GUILD_TABLES.in_guild((await guild_settings.load(connection, guild_id)).limits)
    if await open_tables.count(connection, guild_id) >= most:
        raise GuildIsFull(most)


async def require_room_of_host(connection: AsyncConnection, guild_id: int, host_id: int) -> None:
    """Raise `TooManyTables` if a user cannot host another table in a guild. To be asked as `require_room`."""
    free, most = await room_of_hosts(connection, guild_id, [host_id])
    if free[host_id] <= 0:
        raise TooManyTables(most)


async def room_of_hosts(connection: AsyncConnection, guild_id: int, users: Iterable[int]) -> tuple[dict[int, int], int]:
    """How many more tables each of these users may host in a guild, and how many each may host at all."""
    await open_tables.lock(connection, guild_id)
    most = HOST_TABLES.in_guild((await guild_settings.load(connection, guild_id)).limits)
    return {user: most - await open_tables.count(connection, guild_id, user) for user in users}, most


@dataclass(frozen=True, slots=True)
class Who:
    """The user who does something, and where; 0 where there is none."""

    user_id: int
    guild_id: int = 0
    channel_id: int = 0
    guest_id: int = 0
    """The other user, if something is done to one."""

    def key(self, per: Per) -> tuple[int, ...]:
        """What a rate of this kind counts by."""
        match per:
            case Per.MEMBER | Per.HOST:
                return (self.user_id, self.guild_id)
            case Per.PAIR:
                return (self.user_id, self.guest_id)
            case Per.CHANNEL | Per.TABLE:
                return (self.channel_id,)
            case Per.GUILD:
                return (self.guild_id,)
            case Per.APP:
                return ()
            case _:
                return (self.user_id,)


class RateLimiter:
    """Counts what is done by the rates of `RATES`, in memory.

    A rate keeps one time per key: when all that was done will have been paid back, if each time costs
    `seconds / number` (the generic cell rate algorithm, https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm).

    `seconds` is a monotonic clock; `scale` multiplies all numbers, for tests and servers that trust their users.
    """

    def __init__(self, seconds: Callable[[], float] = time.monotonic, scale: float = 1) -> None:
        self._seconds = seconds
        self._scale = scale
        self._paid: dict[Rate, dict[tuple[int, ...], float]] = {rate: {} for rate in RATES}

    @property
    def entries(self) -> int:
        """How many are in memory."""
        return sum(map(len, self._paid.values()))

    def spend(self, action: Action, who: Who, times: int = 1, settings: Mapping[str, int] | None = None) -> None:
        """Count an action that is done `times` times at once. Raises `TryAgainLater`, and then counts nothing.

        `settings` are numbers that a guild has set instead of those in `RATES`. Raises `TooManyAtOnce` for more times
        than a rate ever allows at once.
        """
        now, most = self._seconds(), self.most_at_once(action, settings or {})
        if times > most:
            raise TooManyAtOnce(most)
        rates = [(rate, self._interval(rate, settings or {})) for rate in RATES if rate.action is action]
        wait = max(self._wait(rate, interval, who, times, now) for rate, interval in rates)
        if wait > ROUNDING:
            raise TryAgainLater(math.ceil(wait - ROUNDING))
        for rate, interval in rates:
            self._count(rate, interval * times, who, now)

    def most_at_once(self, action: Action, settings: Mapping[str, int]) -> int:
        """How many times an action is accepted at once, if it was not done before."""
        return min(int(self._number(rate, settings)) for rate in RATES if rate.action is action)

    def _number(self, rate: Rate, settings: Mapping[str, int]) -> float:
        """How many times a rate allows in its seconds."""
        return settings.get(rate.setting, rate.number) * self._scale

    def _interval(self, rate: Rate, settings: Mapping[str, int]) -> float:
        """How many seconds one time costs."""
        return rate.seconds / self._number(rate, settings)

    def _wait(self, rate: Rate, interval: float, who: Who, times: int, now: float) -> float:
        """The seconds until a rate allows it; 0 or less: it does now."""
        paid = self._paid[rate].get(who.key(rate.per), now)
        return max(paid, now) + interval * times - rate.seconds - now

    def _count(self, rate: Rate, cost: float, who: Who, now: float) -> None:
        """Add to what is to be paid back, and forget what has been."""
        entries, key = self._paid[rate], who.key(rate.per)
        entries[key] = max(entries.pop(key, now), now) + cost
        while len(entries) > MOST_KEPT or entries[next(iter(entries))] <= now:
            del entries[next(iter(entries))]
