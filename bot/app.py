"""The app: create all parts and run them together."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final

import discord

from bot.discord_client.client import GangBot
from bot.discord_client.requests import edit_original
from bot.discord_client.sessions import NewSessions
from bot.features import Shared, all_cogs
from bot.page_server import serving_page
from bot.pictures.render_worker import RenderWorker
from bot.presentation.channel.announcer import Announcer
from bot.presentation.channel.open_hands import OpenHands
from bot.presentation.channel.scheduled_posts import ScheduledPosts
from bot.presentation.channel.turn_notices import ActivePlayers
from bot.presentation.records.pictures import Illustrator
from bot.presentation.text.emojis import CardEmojis
from bot.presentation.text.readers import Readers
from bot.process.health import HealthReporter
from bot.process.ownership import Ownership, Status
from bot.process.process_setup import fill_caches, limit_pauses
from bot.process.settings import Settings
from bot.services import clock
from bot.services.archive import Archive
from bot.services.background import Background, running
from bot.services.chores import Chore, Chores
from bot.services.coaching import Coach
from bot.services.daily import Daily
from bot.services.deadlines import Deadlines
from bot.services.deletions import Deletions
from bot.services.guild_settings import Guilds
from bot.services.hints import Hints
from bot.services.history import History
from bot.services.leaderboard import Leaderboards
from bot.services.par import Pars
from bot.services.practice import Practices
from bot.services.prepared_reviews import PreparedReviews
from bot.services.published_commands import PublishedCommands
from bot.services.rate_limiter import RateLimiter
from bot.services.retention import Retention
from bot.services.tables import Tables
from bot.services.thinking import Think, Thinking, think_in_thread
from bot.services.titles import Titles
from bot.services.user_settings import Users
from bot.storage.database import Database
from bot.storage.guild_filter import ALL_GUILDS, GuildFilter
from bot.table import limits
from bot.table.model import Deadline
from bot.table.refusals import Restarting
from bot.table.snapshot import Table
from bot.table.timing import Timing
from bot.web.open_pages import OpenPages
from cogs.posting import Posting

log = logging.getLogger(__name__)

DRAIN_SECONDS: Final = 3.0
"""Seconds for running actions when the app stops."""
FINAL_DRAIN_SECONDS: Final = 1.0
"""Seconds for the last answers. Pictures that they wait for have been canceled by then."""
DATABASE_SECONDS: Final = 10.0
"""Seconds that PostgreSQL may take for an answer, outside presses."""


class App:
    """The whole app. Call `run`, and `stop` to end it."""

    _is_serving = False

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._stopping = asyncio.Event()
        url = settings.database_url.value
        self._own_guilds = _own_guilds(settings)
        self._ownership = Ownership(url=url, guilds=self._own_guilds, heard=self._hear)
        self._database = Database(
            url=url, answer_seconds=DATABASE_SECONDS, guilds=self._own_guilds, require_ownership=self._ownership.require
        )
        self._pages = OpenPages(settings.web_secret, clock.milliseconds, self._ownership.tell)
        self._limiter = RateLimiter(scale=settings.limits_scale)
        self.client = GangBot(
            prepare=self._prepare,
            published=PublishedCommands(self._database),
            limiter=self._limiter,
            new_sessions=NewSessions(self._ownership.identifying),
            api_url=settings.discord_api_url,
        )
        timing = Timing(ai_delay=round(settings.ai_delay_seconds * 1000))
        self._deadlines = self._create_deadlines(timing)
        self._health = HealthReporter(
            settings=settings,
            client=self.client,
            ownership=self._ownership,
            since_write=self._deadlines.downtimes.since_save,
        )
        self._thinking = Thinking() if settings.ai_worker else None
        self._render_worker = RenderWorker(limits.PICTURES) if settings.pictures else None
        self._emojis = CardEmojis(self.client, self._render_worker)
        self._shared = self._create_shared(self._create_tables(timing))
        self._tables = self._shared.tables
        self._hands = self._shared.hands
        self._reviews = PreparedReviews(self._shared.coach, self._shared.archive)
        self._active = ActivePlayers(clock.milliseconds, self._shows)
        self._announcer = self._create_announcer()
        self._chores = Chores(clock.milliseconds, list(self._create_chores()))
        self.client.features = all_cogs(self._shared, self._announcer, self._chores.wake)

    def _create_deadlines(self, timing: Timing) -> Deadlines:
        return Deadlines(
            database=self._database,
            now=clock.milliseconds,
            due=self._due,
            max_delays=timing.max_delays,
            connected=self._connected,
        )

    @property
    def _think(self) -> Think:
        """Chooses the moves of AI players."""
        return think_in_thread if self._thinking is None else self._thinking.choose

    def _create_tables(self, timing: Timing) -> Tables:
        return Tables(
            database=self._database,
            now=clock.milliseconds,
            new_seed=clock.new_seed,
            timing=timing,
            publish=self._publish,
            rearm=self._deadlines.rearm,
            think=self._think,
            keeps=self._own_guilds.has,
            last_downtime=self._deadlines.downtimes.last,
        )

    def _create_shared(self, tables: Tables) -> Shared:
        database, now, background = self._database, clock.milliseconds, Background()
        users = Users(database, lambda user_id: self._ownership.tell(f"user {user_id}"))
        guilds = Guilds(database, now, self._deadlines.downtimes.end_absence)
        readers = Readers(users=users, guilds=guilds, emojis=self._emojis, has_page=self._pages.is_set_up)
        daily = Daily(database=database, tables=tables, new_seed=clock.new_seed)
        archive = Archive(database=database, tables=tables, background=background)
        return Shared(
            settings=self._settings,
            database=database,
            client=self.client,
            limiter=self._limiter,
            background=background,
            thinking=self._thinking,
            users=users,
            guilds=guilds,
            tables=tables,
            archive=archive,
            history=History(database=database, background=background, now=now),
            hints=Hints(background, think_in_thread if self._thinking is None else self._thinking.choose_patiently),
            coach=Coach(self._thinking, background),
            practices=Practices(
                database=database, background=background, now=now, new_seed=clock.new_seed, think=self._think
            ),
            daily=daily,
            titles=Titles(database),
            leaderboards=Leaderboards(database, now),
            deletions=self._create_deletions(tables, users),
            readers=readers,
            illustrator=Illustrator(self._render_worker),
            hands=OpenHands(tables=tables, archive=archive, daily=daily, users=users, edit=edit_original),
            posting=Posting(readers, guilds),
            pages=self._pages,
        )

    def _create_deletions(self, tables: Tables, users: Users) -> Deletions:
        return Deletions(
            database=self._database,
            tables=tables,
            now=clock.milliseconds,
            idle_seconds=self._limiter.idle_seconds,
            record_change=users.record_change,
            forget_table=self._forget_table,
        )

    def _forget_table(self, table_id: int) -> None:
        """Let all pages and processes read a table again."""
        self._pages.watchers.changed(table_id)
        self._ownership.tell(f"forget {table_id}")

    def _create_announcer(self) -> Announcer:
        return Announcer(
            tables=self._tables,
            archive=self._shared.archive,
            users=self._shared.users,
            guilds=self._shared.guilds,
            titles=self._shared.titles,
            readers=self._shared.readers,
            illustrator=self._shared.illustrator,
            active=self._active,
            channels=self.client,
        )

    def stop(self) -> bool:
        """Stop `run` after running actions have finished. False if the app is still starting or already stopping."""
        is_serving, self._is_serving = self._is_serving, False
        self._stopping.set()
        return is_serving

    async def run(self) -> None:
        """Run until stopped, then close everything in reverse order."""
        async with AsyncExitStack() as closing:
            await closing.enter_async_context(self._monitoring())
            await asyncio.to_thread(fill_caches)
            limit_pauses()
            closing.callback(self._health.close)
            await closing.enter_async_context(running(self._health.run_forever(), "health reports"))
            closing.push_async_callback(self._ownership.release)
            closing.push_async_callback(self._database.close)
            await self._database.open()
            await self._ownership.acquire(lambda is_alone: self._database.migrate(is_alone=is_alone))
            keeping = await closing.enter_async_context(self._keeping())
            await closing.enter_async_context(self.client)
            closing.push_async_callback(self.client.drain, FINAL_DRAIN_SECONDS)
            await self.client.login(self._settings.discord_token.value)
            closing.push_async_callback(self._tables.displays.store_drawn)
            closing.push_async_callback(self._announcer.close)
            await self._shared.deletions.clean()
            await self._announcer.resume()
            self._announcer.start()
            await self.client.choose_shards(self._settings.shard_count, self._settings.shard_ids)
            closing.push_async_callback(self._hands.close)
            self._hands.start()
            if self._thinking is not None:
                closing.push_async_callback(self._thinking.close)
            await closing.enter_async_context(running(self._deadlines.run(), "deadlines"))
            await closing.enter_async_context(running(self._tables.displays.run(), "displays"))
            await closing.enter_async_context(running(self._chores.run(), "chores"))
            await closing.enter_async_context(running(self._reviews.run(), "prepared reviews"))
            if self._render_worker is not None:
                # closed before the client, so that nothing waits for pictures
                closing.push_async_callback(self._render_worker.close)
                await closing.enter_async_context(running(self._upload_emojis(), "card emoji"))
            await closing.enter_async_context(
                serving_page(self._shared, self._pages, self._admit, self._active.record_action)
            )
            log.info("connected to the database; joining Discord")
            self._is_serving = True
            await self._stay_connected(keeping)

    @asynccontextmanager
    async def _monitoring(self) -> AsyncIterator[None]:
        """Serve metrics and health in the block, if `METRICS_ADDRESS` is set. Raises `AddressError`."""
        if self._settings.metrics_address is None:
            yield
            return
        from bot.process.monitoring import Monitoring  # noqa: PLC0415  # it takes memory

        server = Monitoring(
            address=self._settings.metrics_address,
            client=self.client,
            ownership=self._ownership,
            problem=self._problem,
        )
        async with server.serving():
            yield

    def _problem(self) -> str | None:
        """Why the app isn't ready for presses, as a sentence; None if it is."""
        if self._is_serving or self._ownership.status is Status.WAITING:
            return self._health.problem()
        return "The app is starting or stopping."

    @asynccontextmanager
    async def _keeping(self) -> AsyncIterator[asyncio.Future[None]]:
        """Keep the ownership during the block. The future ends with `InUse` if it's another process's now."""
        keeping = asyncio.ensure_future(self._ownership.keep(self._read_again))
        try:
            yield keeping
        finally:
            keeping.cancel()
            await asyncio.wait({keeping})

    async def _stay_connected(self, keeping: asyncio.Future[None]) -> None:
        """Stay connected until stopped, then refuse new actions and finish running ones. Raises `InUse` at once.

        discord.py ignores a cancellation during a reconnect, so it's repeated.
        """
        for event in ("on_shard_connect", "on_shard_resumed"):
            self.client.add_listener(self._rearm_deadlines, event)
        connection = asyncio.ensure_future(self.client.connect())
        stopping = asyncio.ensure_future(self._stopping.wait())
        ends: tuple[asyncio.Future[Any], ...] = (connection, keeping, stopping)
        try:
            ended, _ = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            for each in ended:
                await each
            log.info("stopping: new actions are refused, running ones end first")
            await self.client.drain(DRAIN_SECONDS)
        finally:
            stopping.cancel()
            while not connection.done():
                connection.cancel()
                await asyncio.wait({connection}, timeout=0.1)

    async def _upload_emojis(self) -> None:
        """Keep the card emojis uploaded, and redraw the open tables with them after each change."""
        redraw = self._announcer.redraw
        await self._emojis.keep_uploaded(
            self.client.outgoing.emoji_refused, lambda: redraw(self._tables.open_in_memory())
        )

    async def _read_again(self) -> None:
        """Trust nothing in memory, because another process may have served the guilds. Raises `StorageError`."""
        self._tables.cache.forget_all()
        self._tables.displays.forget_all()
        self._shared.users.forget_all()
        self._shared.guilds.forget_all()
        await self._announcer.resume()
        self._pages.watchers.changed_all()
        self._deadlines.rearm()
        self._chores.wake()

    def _create_chores(self) -> Iterator[Chore]:
        """The regular work. Some of it is for all guilds: one process does that."""
        shared = self._shared
        posts = ScheduledPosts(
            guilds=shared.guilds, leaderboards=shared.leaderboards, readers=shared.readers, channels=self.client
        )
        pars = Pars(database=self._database, thinking=self._thinking, background=shared.background)
        yield from (posts.post, pars.compute)
        if 0 in self._own_guilds.shards:
            retention = Retention(self._database, self._tables)
            yield from (retention.delete_expired, shared.deletions.resume, self._emojis.delete_old)

    async def _prepare(self, interaction: discord.Interaction) -> None:
        """Prepare the user's language, and record a press. Raises `DeletionRunning` if their data is being deleted."""
        self._ownership.require()
        self._active.record(interaction)
        await self._shared.readers.prepare(interaction)
        await self._shared.users.require_not_deleting(interaction.user.id)

    async def _admit(self, user_id: int) -> None:
        """Raise a refusal if nothing can be done for a user of the page now."""
        if not self._is_serving:
            raise Restarting
        self._ownership.require()
        await self._shared.users.require_not_deleting(user_id)

    def _publish(self, table: Table) -> None:
        """Show a changed table, or let the process do that which serves its guild."""
        is_ours = self._own_guilds.has(table.row.guild_id)
        if self._pages.is_set_up:
            self._pages.changed(table, is_ours=is_ours)
        if is_ours:
            self._announcer.refresh(table.id)
            self._hands.refresh(table.id)
            if not table.row.status.is_open:
                self._reviews.prepare(table)
        else:
            self._ownership.tell(f"table {table.id} {table.row.guild_id}")

    def _hear(self, message: str) -> None:
        """Read again what another process has changed."""
        match message.split():
            case ["user", user_id]:
                self._shared.users.forget(int(user_id))
            case ["forget", table_id]:
                self._tables.cache.forget(int(table_id))
            case ["table", table_id, guild_id] if self._own_guilds.has(int(guild_id)):
                self._tables.cache.forget(int(table_id))
                self._announcer.refresh(int(table_id))
                self._hands.refresh(int(table_id))
                self._deadlines.rearm()
        self._pages.hear(message)

    def _shows(self, table_id: int, user_id: int) -> bool:
        """True if a user sees each change at a table, in an open hand or on the page."""
        return self._hands.shows(table_id, user_id) or self._pages.watchers.shows(table_id, user_id)

    def _connected(self) -> GuildFilter:
        """The guilds to which this process is connected, so that players can press."""
        return GuildFilter(self.client.shard_count or 1, frozenset(self.client.connected_shards))

    async def _rearm_deadlines(self, _shard: int) -> None:
        self._deadlines.rearm()

    async def _due(self, deadline: Deadline) -> None:
        await self._tables.due(deadline)  # they're created after the deadlines


def _own_guilds(settings: Settings) -> GuildFilter:
    """The guilds that this process serves. Without `SHARD_IDS` it serves all, however many shards they need."""
    if settings.shard_ids is None or len(settings.shard_ids) == settings.shard_count:
        return ALL_GUILDS
    return GuildFilter(settings.shard_count or 1, settings.shard_ids)
