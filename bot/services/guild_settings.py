"""The settings and seasons of guilds, with an audit log."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.analysis.schedules import next_after
from bot.base.fair_queue import Requester
from bot.services.caches import ReadCache
from bot.storage import audit_log, guild_settings, history, locks, open_tables, seasons
from bot.storage.database import Database
from bot.table import limits
from bot.table.guild import Activity, AuditEntry, GuildSettings, Podium, PostInterval, Schedule, Season, Week
from bot.table.refusals import NotCurrentSeason

AUDIT_PAGE_SIZE: Final = 10
ACTIVITY_WEEKS: Final = 8
WEEK_SECONDS: Final = 7 * 24 * 3600
_FIRST_MONDAY: Final = 4 * 24 * 3600
"""January 5, 1970, in UTC seconds."""


class Guilds:
    """Reads and changes guild settings, and logs each change with its user (`now`: UTC milliseconds)."""

    def __init__(
        self, database: Database, now: Callable[[], int], came_back: Callable[[int, int], None] = lambda *_: None
    ) -> None:
        """`came_back` gets each guild that adds the app again, and when it had removed it (UTC milliseconds)."""
        self._database = database
        self._now = now
        self._came_back = came_back
        self._known = ReadCache(database, guild_settings.load)
        self.forget_all: Final = self._known.forget_all
        """Reads the settings of all guilds again next time."""

    async def get(self, guild_id: int) -> GuildSettings:
        """The settings of a guild, or the defaults."""
        return await self._known.get(guild_id)

    async def record_locale(self, guild_id: int, chosen: str | None, language: str) -> bool:
        """Store the locale that a guild has chosen on Discord. If it can't choose one, its first language here.

        Returns True if it has changed.
        """
        locale = chosen or (await self.get(guild_id)).locale or language
        if (await self.get(guild_id)).locale == locale:
            return False
        async with self._database.write() as connection:
            await locks.lock(connection, guild_id)
            settings = await guild_settings.load(connection, guild_id)
            await guild_settings.save(connection, guild_id, replace(settings, locale=locale))
        self._known.forget(guild_id)
        return True

    async def sync_guilds(self, present: Collection[int]) -> set[int]:
        """Store that the app is in these guilds and no others. Returns the new ones."""
        now = self._now() // 1000
        async with self._database.write() as connection:
            known = await guild_settings.presence(connection)
            here = {guild_id: None for guild_id in present if known.get(guild_id, now) is not None}
            gone = {guild_id: now for guild_id, left in known.items() if guild_id not in present and left is None}
            self._count_absences({guild_id: known.get(guild_id) for guild_id in here})
            await guild_settings.set_presence(connection, {**here, **gone})
        self._known.forget(*here)  # they may have been deleted meanwhile
        return set(here)

    async def record_join(self, guild_id: int) -> bool:
        """Store that the app has joined a guild. Returns False if it was there already."""
        async with self._database.write() as connection:
            known = await guild_settings.presence(connection)
            self._count_absences({guild_id: known.get(guild_id)})
            await guild_settings.set_presence(connection, {guild_id: None})
        self._known.forget(guild_id)  # it may have been deleted meanwhile
        return known.get(guild_id, 0) is not None

    def _count_absences(self, left: Mapping[int, int | None]) -> None:
        """Report the guilds that add the app again, before their deadlines are read. `left`: UTC seconds."""
        for guild_id, at in left.items():
            if at is not None:
                self._came_back(guild_id, at * 1000)

    async def record_leave(self, guild_id: int) -> None:
        """Store that the app has left a guild."""
        await self._database.commit(guild_settings.set_presence, {guild_id: self._now() // 1000})

    async def set(self, manager: Requester, **changed: Any) -> None:  # noqa: ANN401  # a field each
        """Set `language`, `celebrations`, `text_cards`, `channels`, `roles` or `schedule`."""
        await self._change(manager, lambda settings: replace(settings, **changed))

    async def set_default(self, manager: Requester, **changed: Any) -> None:  # noqa: ANN401  # a field each
        """Set a default option of new tables, a field of `TableDefaults`."""
        await self._change(manager, lambda settings: replace(settings, defaults=replace(settings.defaults, **changed)))

    async def set_limit(self, manager: Requester, name: str, number: int) -> None:
        """Set one of the limits in `limits.ADJUSTABLE`."""
        await self._change(manager, lambda settings: replace(settings, limits={**settings.limits, name: number}))

    async def set_schedule(self, manager: Requester, every: PostInterval | None, channel_id: int) -> None:
        """Post the leaderboard to a channel regularly, or stop that with None."""
        now = self._now() // 1000
        schedule = None if every is None else Schedule(every, channel_id, next_after(now, every))
        await self.set(manager, schedule=schedule)

    async def _change(self, manager: Requester, change: Callable[[GuildSettings], GuildSettings]) -> None:
        guild_id = manager.guild_id
        async with self._database.write() as connection:
            await locks.lock(connection, guild_id)
            before = await guild_settings.load(connection, guild_id)
            after = change(before)
            values = _audited(after)
            for what, value in _audited(before).items():
                await self._record_change(connection, manager, what, value, values[what])
            await guild_settings.save(connection, guild_id, after)
        self._known.forget(guild_id)

    async def season(self, guild_id: int) -> Season | None:
        """The current season."""
        return await self._database.fetch(seasons.current, guild_id)

    async def begin_season(self, manager: Requester, name: str) -> None:
        """Begin a season. Raises `NotCurrentSeason` if another one is running."""
        async with self._database.write() as connection:
            await locks.lock(connection, manager.guild_id)
            if await seasons.current(connection, manager.guild_id) is not None:
                raise NotCurrentSeason
            season = await seasons.begin(connection, manager.guild_id, name, self._now() // 1000)
            await self._record_change(connection, manager, "season", "", f"{season.number}: {name}")

    async def end_season(self, manager: Requester, number: int, channel_id: int) -> None:
        """End the current season, and schedule its podium. Raises `NotCurrentSeason` if it isn't season `number`."""
        async with self._database.write() as connection:
            season = await self._running(connection, manager.guild_id, number)
            await seasons.end(connection, manager.guild_id, number, self._now() // 1000, channel_id)
            await self._record_change(connection, manager, "season", f"{number}: {season.name}", "")

    async def reset_season(self, manager: Requester, number: int) -> None:
        """Start the current season again. Raises `NotCurrentSeason` if it isn't season `number`."""
        async with self._database.write() as connection:
            season = await self._running(connection, manager.guild_id, number)
            await seasons.reset(connection, manager.guild_id, number, self._now() // 1000)
            name = f"{number}: {season.name}"
            await self._record_change(connection, manager, "reset", name, name)

    async def due_posts(self, now: int) -> dict[int, Schedule]:
        """The schedules due at `now` (UTC seconds), by guild."""
        return await self._database.fetch(guild_settings.due_posts, now)

    async def record_posted(self, guild_id: int, schedule: Schedule, now: int) -> None:
        """Schedule the next leaderboard. Missed times are skipped."""
        await self._database.commit(guild_settings.set_post_at, guild_id, schedule, next_after(now, schedule.every))
        self._known.forget(guild_id)

    async def podiums(self) -> list[Podium]:
        """The podiums that haven't been posted yet."""
        return await self._database.fetch(seasons.podiums)

    async def record_podium_posted(self, podium: Podium) -> None:
        """Store that a podium has been posted."""
        await self._database.commit(seasons.record_podium_posted, podium)

    async def _running(self, connection: AsyncConnection, guild_id: int, number: int) -> Season:
        await locks.lock(connection, guild_id)
        season = await seasons.current(connection, guild_id)
        if season is None or season.number != number:
            raise NotCurrentSeason
        return season

    async def changes(self, guild_id: int, page: int) -> tuple[int, Sequence[AuditEntry]]:
        """The number of pages of the audit log, and one page (from 0), the newest entries first."""
        async with self._database.read() as connection:
            every, found = await audit_log.page(connection, guild_id, page, AUDIT_PAGE_SIZE)
        return max(1, -(-every // AUDIT_PAGE_SIZE)), found

    async def activity(self, guild_id: int) -> Activity:
        """The open tables of a guild, and what was played there in the latest weeks."""
        monday = _monday(self._now() // 1000)
        async with self._database.read() as connection:
            weeks = [
                Week(start, *await history.played_between(connection, guild_id, start, start + WEEK_SECONDS))
                for start in range(monday, monday - ACTIVITY_WEEKS * WEEK_SECONDS, -WEEK_SECONDS)
            ]
            return Activity(await open_tables.count(connection, guild_id), tuple(weeks))

    async def _record_change(
        self, connection: AsyncConnection, manager: Requester, what: str, before: object, after: object
    ) -> None:
        entry = AuditEntry(self._now() // 1000, manager.user_id, what, audit_text(before), audit_text(after))
        if what == "reset" or entry.before != entry.after:
            await audit_log.add(connection, manager.guild_id, entry)


def _monday(now: int) -> int:
    """The beginning of the week of a time, both in UTC seconds."""
    return now - (now - _FIRST_MONDAY) % WEEK_SECONDS


def _audited(settings: GuildSettings) -> dict[str, object]:
    """The settings whose changes are logged, by name."""
    own = ("language", "celebrations", "text_cards", "channels", "roles", "schedule")
    changed_limits = {name: limit.number for name, limit in limits.ADJUSTABLE.items()} | dict(settings.limits)
    return {name: getattr(settings, name) for name in own} | asdict(settings.defaults) | changed_limits


def audit_text(value: object) -> str:
    """A setting as text for the audit log: ids of channels and roles with commas, empty for none."""
    if isinstance(value, Schedule):
        return f"{value.every},{value.channel_id}"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return "" if value is None else str(value)
