"""What can be done at tables. One lock a table: decide, commit, then speak. Whoever only looks waits for nobody.

An action is one transaction of events, seats, deadline and revision. Only when it is committed do those hear of it
who were handed in as `tell`; they are told within the lock, so in order, and must not wait for anything.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import Concatenate, Final
from weakref import WeakValueDictionary

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.engine.events import Event
from bot.engine.record import Line
from bot.services import duplicates, hosts, results
from bot.services.clock import Clock, Entropy
from bot.services.hosts import require_room
from bot.services.open_tables import OpenTables
from bot.storage import deadlines, logs, matches, user_settings
from bot.storage.database import Database, era_of, holding, patience
from bot.storage.matches import SHORT_LOG
from bot.table import consent, lobby, play, turn_clock
from bot.table.due_actions import ACTIONS
from bot.table.duplicates import doubled
from bot.table.errors import StaleTable
from bot.table.model import Deadline, Shown, TableRow
from bot.table.play import Args, Change
from bot.table.refusals import MomentHasPassed, NoSuchTable
from bot.table.snapshot import Table
from bot.table.timing import Timing
from bot.table.user import UserSettings

MOST_IN_MEMORY: Final = 1000


@dataclass(frozen=True, slots=True)
class Update:
    """What was committed: the table as it is now, and the events that led there."""

    table: Table
    events: tuple[Event, ...]


class Tables:
    """All tables of all servers; they are loaded when touched."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        entropy: Entropy,
        timing: Timing,
        *,
        tell: Callable[[Update], None],
        rearm: Callable[[], None],
    ) -> None:
        self._database = database
        self._clock = clock
        self._entropy = entropy
        self._timing = timing
        self._tell = tell
        self._rearm = rearm
        self.open = OpenTables(database, self.get)
        self._loaded: dict[int, Table] = {}
        self._era: int | None = None
        """Of what is in memory (see `Database.era`)."""
        self._given_up = 0
        """How often something was taken out of memory: what was read before may not come into it."""
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def now(self) -> int:
        """UTC milliseconds."""
        return self._clock.milliseconds()

    async def make(self, new: lobby.NewTable) -> Table:
        """Open a table with its host in the first seat, committed to a seed that nobody knows."""
        return await self._lay(lobby.laid(new, self._entropy.seed(), self.now() // 1000), patience())

    async def rematch(self, table_id: int, person: lobby.Person, *, options_first: bool = False) -> Table:
        """Sit down with the same people for the same game: the first who asks opens the table, the last starts it.

        `options_first`: as its host, who changes the options before; that is for who came last.
        """
        async with self._turn(table_id) as until:
            old = await self.get(table_id)
            play.require_over(old)
            if options_first:
                play.require_last(old, person.user_id)
            numbers = await self.open.rematches(table_id)
            if not numbers:
                seed, now = self._entropy.seed(), self.now() // 1000
                return await self._lay(lobby.rematch(old.row, person, seed, now, options_first=options_first), until)
        join = play.wish_options_first if options_first else play.join
        return await self.act(numbers[0], join, person)

    async def duplicate(self, table_id: int, channel_id: int, person: lobby.Person) -> Table:
        """Open a second table for the deals of one that is in its lobby yet."""
        first = await self.act(table_id, doubled, channel_id, person, self.now() // 1000)
        return await self.get(first.row.duplicate_of or 0)

    async def start(self, table_id: int, user_id: int) -> Table:
        """Begin a match as its host."""
        follows = (await self.get(table_id)).row.follows
        return await self.act(table_id, play.start, user_id, None if follows is None else await self.get(follows))

    async def _lay(self, row: TableRow, until: float) -> Table:
        """Store a new table, and speak of it."""
        async with self._database.write(until) as connection:
            await self._notice(connection)
            table = await self._put(connection, row)
        self._remember(table)
        self._rearm()
        self._tell(Update(table, ()))
        return table

    async def _put(self, connection: AsyncConnection, row: TableRow) -> Table:
        await require_room(connection, row.guild_id, row.host_id)
        table = Table(replace(row, id=await matches.create(connection, row)))
        await deadlines.put(connection, table.id, self._timing.next(table, self.now()))
        return table

    def is_newest(self, table: Table) -> bool:
        """Whether nothing has happened at the table since, as far as memory knows."""
        return self._loaded.get(table.id) is table

    def at_hand(self) -> list[int]:
        """The open tables at which something has happened of late."""
        return [number for number, table in self._loaded.items() if table.row.status.is_open]

    async def get(self, table_id: int) -> Table:
        """The table as it was last committed. Raises `NoSuchTable`."""
        known = self._loaded.get(table_id)
        if known is None:
            given_up = self._given_up
            read = await self._read(table_id)
            known = self._loaded.get(table_id, read)  # what came into memory meanwhile is newer
            if given_up == self._given_up:
                self._remember(known)
        return known

    def forget(self, numbers: Iterable[int] | None = None) -> None:
        """Give up what is in memory of some tables, or of all: it is another in the database now."""
        self._given_up += 1
        for number in list(self._loaded) if numbers is None else numbers:
            self._loaded.pop(number, None)

    async def tell_anew(self, numbers: Iterable[int]) -> None:
        """Speak of tables that were changed in the database alone; those that are gone are passed over."""
        for number in numbers:
            with suppress(NoSuchTable):
                self._tell(Update(await self.get(number), ()))
        self._rearm()

    @property
    def era(self) -> int:
        """How often the database has been restored from a backup, as far as is known."""
        return self._era or 0

    async def look(self) -> None:
        """Give up memory, if the database has been restored meanwhile."""
        async with self._database.read() as connection:
            await self._notice(connection)

    async def _notice(self, connection: AsyncConnection) -> None:
        before, self._era = self._era, await era_of(connection)
        if before not in (None, self._era):
            self.forget()

    async def newest(self, table_id: int) -> Table:
        """The table as it is stored, also where another process has changed it. Raises `NoSuchTable`."""
        async with self._database.read() as connection:
            revision = await matches.revision(connection, table_id)
        known = self._loaded.get(table_id)
        if known is not None and revision is not None and known.row.revision < revision:
            self.forget([table_id])
        return await self.get(table_id)

    async def active_since(self, moment: int) -> list[int]:
        """Numbers of the tables at which something may have happened since then (UTC milliseconds)."""
        async with self._database.read() as connection:
            return await matches.active_since(connection, moment)

    async def shown(self, table_id: int) -> Shown:
        """What of a table is on display. Raises `NoSuchTable` where it has been forgotten meanwhile."""
        async with self._database.read() as connection:
            found = await matches.shown(connection, table_id)
        if found is None:
            raise NoSuchTable
        return found

    async def show(self, table_id: int, shown: Shown) -> Shown:
        """Remember what of a table is on display; gives what is to be changed next time.

        Raises `StaleDisplay` if another process has shown the table since it was read.
        """
        async with self._database.write() as connection:
            return await matches.show(connection, table_id, shown)

    async def unshown(self, guild_id: int | None = None) -> list[int]:
        """Tables, of a server or of all, of which something is not on display."""
        async with self._database.read() as connection:
            return await matches.unshown(connection, guild_id)

    async def act(
        self,
        table_id: int,
        action: Callable[Concatenate[Table, Args], Change],
        *args: Args.args,
        **kwargs: Args.kwargs,
    ) -> Table:
        """Carry out `action(table, *args, **kwargs)`, and raise what it refuses with.

        Where another process was quicker, it is carried out on what is then true.
        """
        async with self._turn(table_id) as until:
            table = await self.get(table_id)
            try:
                return await self._commit(table, action(table, *args, **kwargs), until)
            except StaleTable:
                table = await self.get(table_id)
            try:
                return await self._commit(table, action(table, *args, **kwargs), until)
            except StaleTable:
                raise MomentHasPassed from None

    async def due(self, deadline: Deadline) -> None:
        """Carry out what is due, unless something has happened at the table meanwhile."""
        async with self._turn(deadline.table_id) as until:
            async with self._database.read() as connection:
                if await deadlines.of(connection, deadline.table_id) != deadline:
                    return
            table = await self.get(deadline.table_id)
            with suppress(StaleTable):
                await self._commit(table, ACTIONS[deadline.kind](table), until)

    async def _commit(self, table: Table, change: Change, until: float) -> Table:
        """Store a change and speak of it; where that fails, memory may not be the truth, and is given up."""
        now = self._clock.milliseconds()
        change = consent.agreed(table, change, now)
        try:
            after, duplicate = await self._store(table, change, now, until)
        except StaleTable:
            await self.look()
            self._loaded.pop(table.id, None)
            raise
        except BaseException:
            self._loaded.pop(table.id, None)
            raise
        self._remember(after)
        self._rearm()
        self._tell(Update(after, change.events))
        if duplicate is not None:
            self._remember(duplicate)
            self._tell(Update(duplicate, ()))
        return after

    async def _store(self, table: Table, change: Change, now: int, until: float) -> tuple[Table, Table | None]:
        """Store a change; gives the table then, and the other one of a duplicate match, if that is another now, too."""
        row = replace(change.row, revision=table.row.revision + 1)
        after = replace(table, row=row).after(change.events)
        paused = 0 if table.row.clock is None else table.row.clock.paused // 1000
        lines = [Line(event, at=now // 1000, paused=paused) for event in change.events]
        async with self._database.write(until) as connection:
            if await era_of(connection) != self._era:
                raise StaleTable
            person = after.person_to_act
            settings = UserSettings() if person is None else await user_settings.load(connection, person)
            after = replace(after, row=turn_clock.timed(table, after, change.events, now, settings))
            after = await hosts.with_room(connection, table, after)
            after, duplicate_of = await self._with_duplicate(connection, table, after, change.also_create)
            await matches.save(connection, after.row, table.row)
            if lines:
                await matches.append(connection, table.id, table.length, lines)
            await deadlines.put(connection, table.id, self._timing.next(after, now))
            await results.keep_results(connection, table, change.events, after, now // 1000)
            if after.length and not after.row.status.is_open:
                await logs.pack(connection, [table.id])
            return after, None if duplicate_of is None else await _load(connection, duplicate_of)

    async def _with_duplicate(
        self, connection: AsyncConnection, before: Table, after: Table, also_create: TableRow | None
    ) -> tuple[Table, int | None]:
        """The table as it has become by its twin, and the number of that, if it has become another, too."""
        if also_create is not None:
            duplicate = await self._put(connection, also_create)
            return replace(after, row=replace(after.row, duplicate_of=duplicate.id)), duplicate.id
        after = await duplicates.settled(connection, before, after)
        return after, None if after.row.deals_secret == before.row.deals_secret else before.row.duplicate_of

    async def _read(self, table_id: int) -> Table:
        async with self._database.read() as connection:
            table = await _load(connection, table_id)
            await self._notice(connection)
        return table

    def _remember(self, table: Table) -> None:
        self._loaded.pop(table.id, None)
        self._loaded[table.id] = table
        if len(self._loaded) > MOST_IN_MEMORY:
            del self._loaded[next(iter(self._loaded))]

    @asynccontextmanager
    async def _turn(self, table_id: int) -> AsyncIterator[float]:
        """Be the one who acts at a table; gives until when to wait for the database, too.

        One patience for both, so that of many presses at a table none waits until those before it have given up.
        """
        until = patience()
        async with holding(self._locks.setdefault(table_id, asyncio.Lock()), until):
            yield until


async def _load(connection: AsyncConnection, table_id: int) -> Table:
    row = await matches.load(connection, table_id)
    if row is None:
        raise NoSuchTable
    lines = await matches.load_lines(connection, table_id)
    events = [line.event for line in lines]
    if len(events) <= SHORT_LOG:
        return Table.replayed(row, events)
    return await asyncio.to_thread(Table.replayed, row, events)
