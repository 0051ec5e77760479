"""Actions at tables: decide, commit, then publish. Each table has a lock; reading never waits for it.

An action is one transaction that stores events, seats, deadline and revision. `publish` is called in order, after the
commit and still within the lock, so it must return immediately.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Concatenate, Final
from weakref import WeakValueDictionary

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.engine.events import Abandoned, HandEnded, MatchEnded
from bot.engine.record import Line
from bot.services import duplicates, hosts, results
from bot.services.caches import MAX_TABLES, ReadCache
from bot.services.channel_displays import ChannelDisplays
from bot.services.open_tables import OpenTables
from bot.services.thinking import Think, Thought, think_here
from bot.storage import locks, logs, matches, open_tables, user_settings
from bot.storage import results as stored_results
from bot.storage.database import Database, hold_lock, wait_deadline
from bot.table import absence, consent, lobby, play, timing
from bot.table.absence import close_deserted
from bot.table.due_actions import ACTIONS, ai_moves, ai_to_act
from bot.table.duplicates import create_duplicate
from bot.table.errors import StaleRead, StorageError
from bot.table.guild import Opener
from bot.table.model import Deadline, DeadlineKind, TableRow
from bot.table.play import Args, Change
from bot.table.refusals import NoSuchTable, NotSeated, OutdatedAction, Refusal
from bot.table.snapshot import Table
from bot.table.timing import Downtime, Timing, heeds_quiet_hours, time_lost
from bot.table.user import UserSettings

LOOK_AGAIN_AFTER: Final = (2.0, 10.0, 60.0)
"""Seconds after a commit that wasn't confirmed until its table is read again: it may be carried out later."""


class Tables:
    """The tables of all guilds."""

    def __init__(
        self,
        database: Database,
        now: Callable[[], int],
        new_seed: Callable[[], bytes],
        timing: Timing,
        *,
        publish: Callable[[Table], None],
        rearm: Callable[[int | None], None],
        think: Think = think_here,
        keeps: Callable[[int], bool] = lambda _: True,
        last_downtime: Callable[[int], Downtime | None],
    ) -> None:
        """`keeps` gets a guild's id. Tables of other guilds are read each time, because they're changed elsewhere.

        `last_downtime` returns the last downtime of a guild.
        """
        self._database = database
        self.now = now
        """UTC milliseconds."""
        self._new_seed = new_seed
        self._timing = timing
        self._publish = publish
        self._rearm = rearm
        self._think = think
        self._last_downtime = last_downtime
        self.cache = ReadCache(database, load, keeps=lambda table: keeps(table.row.guild_id), max_values=MAX_TABLES)
        self.get: Final = self.cache.get
        """The table as last committed by this process. Raises `NoSuchTable`."""
        self._seeds = ReadCache(database, matches.seed)
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self.displays = ChannelDisplays(database)
        self.open = OpenTables(database, self.get)

    async def create(self, new: lobby.NewTable, opener: Opener) -> Table:
        """Open a table with its host in the first seat, and draw its secret seed.

        Outside of channels a user has one match in each guild. While it goes on, it's returned instead.
        """
        ai_names = await self.open.ai_names(new.guild_id, new.channel_id) if new.in_channel else ()
        row = lobby.new_lobby(new, self._new_seed(), self.now() // 1000, ai_names)
        return await self._create(row, opener, wait_deadline())

    async def rematch(
        self, table_id: int, person: lobby.Person, opener: Opener, *, options_first: bool = False
    ) -> Table:
        """Join a new table for the same players and setup. The first player to ask opens it; the last one starts it.

        With `options_first` the last player becomes the host and can change the options before the start.
        """
        async with self._locked(table_id) as until:
            old = await self.get(table_id)
            if old.row.daily is not None:
                raise NoSuchTable
            play.require_over(old)
            if not old.row.has_owner(person.user_id):
                raise NotSeated
            if options_first:
                play.require_last_place(old, person.user_id)
            numbers = await self.open.rematches(table_id)
            if not (numbers and old.row.in_channel):
                seed, now = self._new_seed(), self.now() // 1000
                ai_names = await self.open.ai_names(old.row.guild_id, old.row.channel_id)
                row = lobby.rematch(old.row, person, seed, now, ai_names, options_first=options_first)
                return await self._create(row, opener, until)
        join = play.join_as_host if options_first else play.join
        return await self.act(numbers[0], join, person)

    async def duplicate(self, table_id: int, channel_id: int, person: lobby.Person, opener: Opener) -> Table:
        """Open a second table for the deals of a table in its lobby."""
        first = await self.act(table_id, create_duplicate, channel_id, person, opener, self.now() // 1000)
        return await self.get(first.row.duplicate_of or 0)

    async def add_ai(self, table_id: int, user_id: int) -> Table:
        """Add an AI player whose name no other AI player in the channel has."""
        row = (await self.get(table_id)).row
        ai_names = await self.open.ai_names(row.guild_id, row.channel_id)
        return await self.act(table_id, play.change_lobby, lobby.add_ai, user_id, ai_names)

    async def start(self, table_id: int, user_id: int, *, fill: bool = False) -> Table:
        """Start the match as its host. With `fill`, AI players take the free seats first."""
        row = (await self.get(table_id)).row
        first = None if row.first_table_id is None else await self.get(row.first_table_id)
        ai_names = await self.open.ai_names(row.guild_id, row.channel_id) if fill else None
        return await self.act(table_id, play.start, user_id, first, ai_names)

    async def sit_in(self, table_id: int, person: lobby.Person, moment: int) -> Table:
        """Let a user substitute for a late player, under a name that no other substitute at the table has had."""
        async with self._database.read() as connection:
            known = await stored_results.substitutes_of(connection, table_id)
        names = {name for (_, name), user_id in known.items() if user_id != person.user_id}
        return await self.act(table_id, absence.sit_in, person, moment, names)

    async def publish_again(self, table_ids: Iterable[int]) -> None:
        """Publish tables that were changed directly in the database; skip deleted ones."""
        for table_id in table_ids:
            with suppress(NoSuchTable):
                self._publish(await self.get(table_id))
        self._rearm(None)

    async def _create(self, row: TableRow, opener: Opener, until: float) -> Table:
        async with self._database.write(until) as connection:
            known = await _solo_match(connection, row)
            if known is None:
                table = await self._insert(connection, row, opener)
        if known is not None:
            return await self.get(known)
        self._rearm(None)
        self._committed(table)
        return table

    async def _insert(self, connection: AsyncConnection, row: TableRow, opener: Opener) -> Table:
        if row.in_channel:
            await hosts.require_may_open(connection, row.guild_id, row.host_id, opener)
        row = replace(row, parent_id=row.parent_id or opener.parent_id)
        row = replace(row, id=await matches.create(connection, row))
        table = Table(row.without_seed())
        await matches.put_deadline(connection, table.id, self._timing.next(table, self.now()))
        if lobby.starts_now(row):
            table, _ = await self._store(connection, table, play.start_if_complete(row), self.now())
        return table

    async def act(
        self,
        table_id: int,
        action: Callable[Concatenate[Table, Args], Change],
        *args: Args.args,
        **kwargs: Args.kwargs,
    ) -> Table:
        """Commit the change that `action(table, *args, **kwargs)` decides on, or raise its refusal.

        If another process has changed the table first, the action decides once more. Raises `OutdatedAction` if that
        happens twice.
        """
        async with self._locked(table_id) as until:
            for _ in range(2):
                table = await self.get(table_id)
                with suppress(StaleRead):
                    return await self._commit(table, action(await self._with_seed(table), *args, **kwargs), until)
        raise OutdatedAction

    @asynccontextmanager
    async def _locked(self, table_id: int) -> AsyncIterator[float]:
        """Lock a table. Yields the deadline for waiting on the database.

        Lock and database share one deadline, so presses that queue at a table don't wait for each other's timeouts.
        """
        until = wait_deadline()
        async with hold_lock(self._locks.setdefault(table_id, asyncio.Lock()), until):
            yield until

    def is_current(self, table: Table) -> bool:
        """True if the table is the last committed version in memory."""
        return self.cache.known(table.id) is table

    def open_in_memory(self) -> list[int]:
        """The open tables in memory."""
        return [table.id for table in self.cache.all_known() if table.row.status.is_open]

    def time_off(self, table: Table) -> int:
        """Milliseconds of the last downtime that belong to the present turn and that its clock doesn't count yet."""
        last, clock = self._last_downtime(table.row.guild_id), table.row.clock
        if last is None or clock is None:
            return 0
        return max(0, last.until - max(last.since, clock.began if clock.off_until is None else clock.off_until))

    async def due(self, deadline: Deadline) -> None:
        """Carry out the action of a deadline, unless the table has changed since.

        A deadline of a person or table that passed while the app was off is moved instead.

        AI players choose their moves before the table is locked.
        """
        action = ACTIONS[deadline.kind]
        if deadline.kind is DeadlineKind.AI:
            with suppress(Refusal):  # the table has changed since
                seen = await self.get(deadline.table_id)
                action = partial(_make_chosen, seen.length, await self._think(*ai_to_act(seen)))
        async with self._locked(deadline.table_id) as until:
            async with self._database.read() as connection:
                if await matches.deadline(connection, deadline.table_id) != deadline:
                    return
            table = await self.get(deadline.table_id)
            if deadline.kind is DeadlineKind.CLOSE and table.user_to_act is not None:
                settings = await self._database.fetch(user_settings.load, table.user_to_act)
                action = partial(close_deserted, settings=settings, now=self.now())
            last, off = self._last_downtime(table.row.guild_id), self.time_off(table)
            lost = time_lost(deadline, table.row.pace, last, off)
            with suppress(StaleRead):
                secret = await self._with_seed(table)
                await self._commit(table, Change(secret.row, lost=lost) if lost else action(secret), until)

    async def _with_seed(self, table: Table) -> Table:
        """The table as an action gets it."""
        return replace(table, row=replace(table.row, seed=await self._seeds.get(table.id)))

    async def _commit(self, table: Table, change: Change, until: float) -> Table:
        """Store a change and publish it. After a failure the table is read from the database again."""
        now = self.now()
        if change.row.ending or change.row.pausing:
            change = consent.apply_consent(table, change, now)
        try:
            async with self._database.write(until) as connection:
                after, duplicate = await self._store(connection, table, change, now)
        except StaleRead:
            self.cache.forget(table.id)
            raise
        except StorageError:
            self.cache.forget(table.id)
            for seconds in LOOK_AGAIN_AFTER:
                asyncio.get_running_loop().call_later(seconds, self._look_again, table)
            raise
        except BaseException:
            self.cache.forget(table.id)
            raise
        deadline = self._timing.next(after, now)
        self._rearm(None if deadline is None or duplicate is not None else deadline.due_at)
        self._committed(after)
        if duplicate is not None:
            self._committed(duplicate)
        return after

    def _look_again(self, table: Table) -> None:
        """Show what the database has. A commit that wasn't confirmed may have been carried out."""
        self.cache.forget(table.id)
        self._rearm(None)
        self._publish(table)

    def _committed(self, table: Table) -> None:
        self.cache.put(table.id, table)
        self._publish(table)

    async def _store(
        self, connection: AsyncConnection, table: Table, change: Change, now: int
    ) -> tuple[Table, Table | None]:
        """Store a change. Returns the table, and the other table of a duplicate match if that changed as well."""
        row = replace(change.row, revision=table.row.revision + 1, seed=b"")
        after = table.after(change.events, row)
        off = self.time_off(table)
        paused = 0 if table.row.clock is None else (table.row.clock.paused + off) // 1000
        lines = [Line(event, at=now // 1000, paused=paused) for event in change.events]
        if _affects_guild(table, change):
            await locks.lock(connection, row.guild_id)
        if change.opener is not None:
            await hosts.require_may_open(connection, row.guild_id, row.host_id, change.opener)
            await self.displays.begin(connection, after)
        settings = await _quiet_hours_of(connection, table, after)
        after = replace(after, row=timing.updated_clock(table, after, change.events, now, settings, off))
        if change.lost:
            after = replace(after, row=timing.after_downtime(after.row, change.lost, now, settings))
        if after.row.host_id != table.row.host_id and after.row.status.is_open:
            after = await hosts.with_host_who_has_room(connection, table, after)
        after, duplicate_of = await self._with_duplicate(connection, table, after, change.also_create)
        await matches.save(connection, after.row, table.row)
        if lines:
            await matches.append(connection, table.id, table.length, lines)
        await matches.put_deadline(connection, table.id, self._timing.next(after, now))
        if any(isinstance(event, HandEnded | MatchEnded | Abandoned) for event in change.events):
            await results.store_results(connection, table, change.events, after, now // 1000)
        if after.length and not after.row.status.is_open:
            await logs.pack(connection, [table.id])
        return after, None if duplicate_of is None else await load(connection, duplicate_of)

    async def _with_duplicate(
        self, connection: AsyncConnection, before: Table, after: Table, also_create: tuple[TableRow, Opener] | None
    ) -> tuple[Table, int | None]:
        """Update the duplicate match. Returns the table, and the id of the other table if that changed as well."""
        if also_create is not None:
            duplicate = await self._insert(connection, *also_create)
            return replace(after, row=replace(after.row, duplicate_of=duplicate.id)), duplicate.id
        duplicate_of = before.row.duplicate_of
        if duplicate_of is None:
            return after, None
        after = await duplicates.update_duplicate(connection, duplicate_of, before, after)
        return after, None if after.row.deals_secret == before.row.deals_secret else duplicate_of


async def _solo_match(connection: AsyncConnection, new: TableRow) -> int | None:
    """The match outside of channels that the host of a new one has already."""
    if new.in_channel:
        return None
    await locks.lock(connection, new.guild_id)
    return await open_tables.solo_match(connection, new.guild_id, new.host_id)


async def load(connection: AsyncConnection, table_id: int) -> Table:
    """Read a table and replay its log, in a thread if it's long. Raises `NoSuchTable`."""
    row = await matches.load(connection, table_id)
    if row is None:
        raise NoSuchTable
    lines = await matches.load_lines(connection, table_id)
    events = [line.event for line in lines]
    if len(events) <= matches.SHORT_LOG:
        return Table(row).after(events)
    return await asyncio.to_thread(Table(row).after, events)


async def _quiet_hours_of(connection: AsyncConnection, before: Table, after: Table) -> UserSettings:
    """The settings of the user to act if their quiet hours matter now, otherwise the defaults.

    Without a time limit they matter only to reminders, so moves needn't wait for this query.
    """
    matter = heeds_quiet_hours(after.row.pace) or timing.is_another_reminder(before.row.clock, after.row.clock)
    if after.user_to_act is None or not matter:
        return UserSettings()
    return await user_settings.load(connection, after.user_to_act)


def _affects_guild(table: Table, change: Change) -> bool:
    """True if a change affects what the tables of a guild share: results, and the number of tables of each host."""
    is_over = any(isinstance(event, MatchEnded | Abandoned) for event in change.events)
    return is_over or change.row.host_id != table.row.host_id or change.also_create is not None


def _make_chosen(length: int, thought: Thought, table: Table) -> Change:
    """Make an AI player's move, chosen when the log had this length. Raises `StaleRead` if it has grown."""
    if table.length != length:
        raise StaleRead
    change = ai_moves(table, thought.move)
    if not thought.is_lowered:
        return change
    return replace(change, row=replace(change.row, lowered_moves=table.row.lowered_moves + 1))
