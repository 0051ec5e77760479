"""What a server has set for everybody in it, by whom, and its seasons."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any, Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.analysis.schedules import next_after
from bot.storage import audit_log, guild_settings, seasons
from bot.storage.database import Database
from bot.table import limits
from bot.table.guild import AuditEntry, GuildSettings, Podium, PostInterval, Schedule, Season, TableDefaults
from bot.table.refusals import MissingRole, NotCurrentSeason, WrongChannel

AUDIT_PAGE_SIZE: Final = 10


class Guilds:
    """Asks and changes what a server has set; `now` gives UTC milliseconds. Each change is noted with who made it."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now

    async def get(self, guild_id: int) -> GuildSettings:
        """What a server has set, or what every server begins with."""
        async with self._database.read() as connection:
            return await guild_settings.load(connection, guild_id)

    async def record_locale(self, guild_id: int, locale: str) -> None:
        """Remember what Discord says is the language of a server."""
        if (await self.get(guild_id)).locale != locale:
            async with self._database.write() as connection:
                settings = await guild_settings.load(connection, guild_id)
                await guild_settings.save(connection, guild_id, replace(settings, locale=locale))

    async def sync_guilds(self, present: Collection[int]) -> None:
        """Remember in which servers we are, all of them; the others we have left, if we have not before."""
        now = self._now() // 1000
        async with self._database.write() as connection:
            known = await guild_settings.presence(connection)
            here = {guild_id: None for guild_id in present if known.get(guild_id, now) is not None}
            gone = {guild_id: now for guild_id, left in known.items() if guild_id not in present and left is None}
            await guild_settings.set_presence(connection, {**here, **gone})

    async def record_join(self, guild_id: int) -> None:
        """Remember that we are in a server, perhaps again."""
        async with self._database.write() as connection:
            await guild_settings.set_presence(connection, {guild_id: None})

    async def record_leave(self, guild_id: int) -> None:
        """Remember that a server has thrown us out just now."""
        async with self._database.write() as connection:
            await guild_settings.set_presence(connection, {guild_id: self._now() // 1000})

    async def require_may_open(
        self, guild_id: int, channels: Collection[int], roles: Collection[int] | None
    ) -> GuildSettings:
        """What the server has set, if who has these roles (None: any) may open tables in one of these channels.

        Raises `WrongChannel` or `MissingRole`.
        """
        settings = await self.get(guild_id)
        if settings.channels and not set(settings.channels) & set(channels):
            raise WrongChannel(settings.channels)
        if settings.roles and roles is not None and not set(settings.roles) & set(roles):
            raise MissingRole(settings.roles)
        return settings

    async def set_language(self, guild_id: int, user_id: int, language: str) -> GuildSettings:
        """Have public messages in this language; empty: in Discord's."""
        return await self._set(guild_id, user_id, "language", language)

    async def set_celebrates(self, guild_id: int, user_id: int, *, celebrates: bool) -> GuildSettings:
        """Have gangs celebrated, or not."""
        return await self._set(guild_id, user_id, "celebrates", celebrates)

    async def set_channels(self, guild_id: int, user_id: int, channels: Sequence[int]) -> GuildSettings:
        """Have tables opened in these channels; none: everywhere."""
        return await self._set(guild_id, user_id, "channels", tuple(channels))

    async def set_roles(self, guild_id: int, user_id: int, roles: Sequence[int]) -> GuildSettings:
        """Have tables opened by who has one of these roles; none: by everybody."""
        return await self._set(guild_id, user_id, "roles", tuple(roles))

    async def set_default(self, guild_id: int, user_id: int, **changed: Any) -> GuildSettings:  # noqa: ANN401  # a field each
        """Have new tables begin with something else, a field of `TableDefaults`."""
        async with self._database.write() as connection:
            settings = await guild_settings.load(connection, guild_id)
            defaults: TableDefaults = replace(settings.defaults, **changed)
            for name, after in changed.items():
                await self._record_change(connection, guild_id, user_id, name, getattr(settings.defaults, name), after)
            await guild_settings.save(connection, guild_id, settings := replace(settings, defaults=defaults))
        return settings

    async def set_limit(self, guild_id: int, user_id: int, name: str, number: int) -> GuildSettings:
        """Set one of the limits that can be adjusted (see `limits.ADJUSTABLE`)."""
        async with self._database.write() as connection:
            settings = await guild_settings.load(connection, guild_id)
            before = settings.limits.get(name, limits.ADJUSTABLE[name].number)
            await self._record_change(connection, guild_id, user_id, name, before, number)
            settings = replace(settings, limits={**settings.limits, name: number})
            await guild_settings.save(connection, guild_id, settings)
        return settings

    async def set_schedule(
        self, guild_id: int, user_id: int, every: PostInterval | None, channel_id: int
    ) -> GuildSettings:
        """Have the leaderboard posted to a channel now and then, or not."""
        now = self._now() // 1000
        schedule = None if every is None else Schedule(every, channel_id, next_after(now, every))
        return await self._set(guild_id, user_id, "schedule", schedule)

    async def _set(self, guild_id: int, user_id: int, what: str, after: object) -> GuildSettings:
        async with self._database.write() as connection:
            settings = await guild_settings.load(connection, guild_id)
            await self._record_change(connection, guild_id, user_id, what, getattr(settings, what), after)
            settings = replace(settings, **{what: after})  # type: ignore[arg-type]  # a field of it
            await guild_settings.save(connection, guild_id, settings)
        return settings

    async def season(self, guild_id: int) -> Season | None:
        """The season that runs."""
        async with self._database.read() as connection:
            return await seasons.current(connection, guild_id)

    async def begin_season(self, guild_id: int, user_id: int, name: str) -> None:
        """Begin a season. Raises `NotCurrentSeason` while another runs."""
        async with self._database.write() as connection:
            if await seasons.current(connection, guild_id) is not None:
                raise NotCurrentSeason
            season = await seasons.begin(connection, guild_id, name, self._now() // 1000)
            await self._record_change(connection, guild_id, user_id, "season", "", f"{season.number}: {name}")

    async def end_season(self, guild_id: int, user_id: int, number: int, channel_id: int) -> None:
        """End the season; its podium is posted in a channel. Raises `NotCurrentSeason` if another runs, or none."""
        async with self._database.write() as connection:
            season = await self._running(connection, guild_id, number)
            await seasons.end(connection, guild_id, number, self._now() // 1000, channel_id)
            await self._record_change(connection, guild_id, user_id, "season", f"{number}: {season.name}", "")

    async def reset_season(self, guild_id: int, user_id: int, number: int) -> None:
        """Let the season begin anew. Raises `NotCurrentSeason` if another runs, or none."""
        async with self._database.write() as connection:
            season = await self._running(connection, guild_id, number)
            await seasons.reset(connection, guild_id, number, self._now() // 1000)
            name = f"{number}: {season.name}"
            await self._record_change(connection, guild_id, user_id, "reset", name, name)

    async def due_posts(self, now: int) -> dict[int, Schedule]:
        """The schedules, by server, whose time has come `now` (UTC seconds)."""
        async with self._database.read() as connection:
            return await guild_settings.due_posts(connection, now)

    async def record_posted(self, guild_id: int, schedule: Schedule, now: int) -> None:
        """Remember that the leaderboard has been posted: also where several times were missed, it is posted once."""
        async with self._database.write() as connection:
            await guild_settings.set_post_at(connection, guild_id, schedule, next_after(now, schedule.every))

    async def podiums(self) -> list[Podium]:
        """The ends of seasons that are still to be told."""
        async with self._database.read() as connection:
            return await seasons.podiums(connection)

    async def record_podium_posted(self, podium: Podium) -> None:
        """Remember that the end of a season has been told."""
        async with self._database.write() as connection:
            await seasons.record_podium_posted(connection, podium)

    async def _running(self, connection: AsyncConnection, guild_id: int, number: int) -> Season:
        season = await seasons.current(connection, guild_id)
        if season is None or season.number != number:
            raise NotCurrentSeason
        return season

    async def changes(self, guild_id: int, page: int) -> tuple[int, Sequence[AuditEntry]]:
        """How many pages of changes there are, and one of them (from 0), the newest first."""
        async with self._database.read() as connection:
            every, found = await audit_log.page(connection, guild_id, page, AUDIT_PAGE_SIZE)
        return max(1, -(-every // AUDIT_PAGE_SIZE)), found

    async def _record_change(
        self, connection: AsyncConnection, guild_id: int, user_id: int, what: str, before: object, after: object
    ) -> None:
        entry = AuditEntry(self._now() // 1000, user_id, what, audit_text(before), audit_text(after))
        if what == "reset" or entry.before != entry.after:
            await audit_log.add(connection, guild_id, entry)


def audit_text(value: object) -> str:
    """A setting as it stands in the audit log: numbers of channels and roles with commas, nothing for none."""
    if isinstance(value, Schedule):
        return f"{value.every},{value.channel_id}"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return "" if value is None else str(value)
