"""The table services as the app wires them, on a real database, with a manual clock and known seeds."""

import asyncio
from collections.abc import Callable
from functools import partial
from random import Random

from bot.analysis.leaderboard import LeaderboardQuery, Standing
from bot.base.fair_queue import Requester
from bot.engine import GiveBack, Options, Pass, Play, view
from bot.engine.events import Event
from bot.engine.moves import Move
from bot.engine.record import Line
from bot.players import simple
from bot.services.archive import Archive
from bot.services.background import Background, RequestLock
from bot.services.guild_settings import Guilds
from bot.services.leaderboard import Leaderboards
from bot.services.tables import Tables
from bot.storage import matches
from bot.storage.database import Database
from bot.table import due_actions, lobby, play
from bot.table.guild import Opener
from bot.table.limits import EXPORTS, GUILD_TABLES, HOST_TABLES
from bot.table.lobby import DEFAULT_TABLE_SETTINGS, NewTable, Person, TableSetup
from bot.table.model import ClockStage, Pace, Status, TableSettings
from bot.table.snapshot import Table
from bot.table.timing import Downtime, Timing
from tests.not_none import not_none

GUILD, CHANNEL = 70, 80
ADA, BO, CY, DI = PEOPLE = (
    Person(104, "Ada"),
    Person(102, "Bo"),
    Person(103, "Cy"),
    Person(101, "Di"),
)
"""The youngest account comes first, so that the eldest is not the host."""
EVE = Person(109, "Eve")
OPENER = Opener((CHANNEL,), None, may_write=True)
"""A member who may open tables."""


def requester(user_id: int, guild_id: int = GUILD) -> Requester:
    """The requester of an expensive action."""
    return Requester(guild_id, user_id)


ONE_HAND = Options(target=1)
"""Options of a match that ends after one hand."""
START = 1_700_000_000_000
FIRST_MESSAGE = 1_300_000_000_000_000_000
"""The first message of a table has this id plus the table's number."""
TIMEOUT = 20.0
"""Seconds that a test waits for a condition."""


class ManualClock:
    """A clock that moves only when a test sets `now`."""

    def __init__(self) -> None:
        self.now = START
        self._asked = asyncio.Event()

    def milliseconds(self) -> int:
        """The current time in UTC milliseconds."""
        self._asked.set()
        return self.now

    async def wait_until_read(self) -> None:
        """Wait until the time is read."""
        self._asked.clear()
        async with asyncio.timeout(TIMEOUT):
            await self._asked.wait()


def seeds(number: int) -> Callable[[], bytes]:
    """A source of seeds that are the same in each run."""
    return partial(Random(number).randbytes, 32)


class TableHarness:
    """The table services, and the tables that they have published."""

    def __init__(self, database: Database, *, seed: int = 1, ai_delay: int = 1500) -> None:
        self.database = database
        self.people = PEOPLE
        """The people of `table` and `match`, of which the first is the host."""
        self.clock = ManualClock()
        self.updates: list[Table] = []
        self.rearmed = 0
        self.on_update: Callable[[Table], None] = lambda _: None
        self.on_rearm: Callable[[int | None], None] = lambda _: None
        self.last_downtime: Callable[[int], Downtime | None] = lambda _: None
        self._published = asyncio.Event()
        self.timing = Timing(ai_delay)
        self.tables = Tables(
            database,
            self.clock.milliseconds,
            seeds(seed),
            self.timing,
            publish=self._publish,
            rearm=self._rearm,
            last_downtime=self._last_downtime,
        )
        self.background = Background()
        self.exports = RequestLock("exports", EXPORTS)
        self.archive = Archive(database, self.tables, self.background)

    def _publish(self, table: Table) -> None:
        self.updates.append(table)
        self.on_update(table)
        self._published.set()

    def _rearm(self, due_at: int | None) -> None:
        self.rearmed += 1
        self.on_rearm(due_at)

    def _last_downtime(self, guild_id: int) -> Downtime | None:
        return self.last_downtime(guild_id)

    async def allow_tables(self, number: int = 100_000, guild_id: int = GUILD) -> None:
        """Raise the limits of open tables in a guild, as its managers can."""
        guilds = Guilds(self.database, self.clock.milliseconds)
        for limit in (HOST_TABLES, GUILD_TABLES):
            await guilds.set_limit(Requester(guild_id, ADA.user_id), limit.setting, number)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait for updates until the condition holds."""
        async with asyncio.timeout(TIMEOUT):
            while not condition():
                self._published.clear()
                await self._published.wait()

    async def seed(self, table: Table) -> bytes:
        """The seed of a table's deals, from the database."""
        return await self.database.fetch(matches.seed, table.id)

    async def standings(self, guild_id: int = GUILD) -> list[Standing]:
        """The leaderboard of a guild, most wins first."""
        places = await Leaderboards(self.database, self.clock.milliseconds).places(
            guild_id, LeaderboardQuery(people_only=None)
        )
        return [place.standing for place in places]

    async def table(
        self,
        people: int = 1,
        ai_players: int = 0,
        options: Options = ONE_HAND,
        pace: Pace = Pace.NONE,
        size: int = 0,
        settings: TableSettings = DEFAULT_TABLE_SETTINGS,
    ) -> Table:
        """A table in its lobby. By default it has as many seats as players, at least three."""
        setup = TableSetup(size or max(people + ai_players, 3), "days-of-wonder", options, pace, settings)
        table = await self.posted(await self.tables.create(NewTable(GUILD, CHANNEL, self.people[0], setup), OPENER))
        for person in self.people[1:people]:
            table = await self.tables.act(table.id, play.join, person)
        for _ in range(ai_players):
            table = await self.tables.act(table.id, play.change_lobby, lobby.add_ai, self.people[0].user_id)
        return table

    async def posted(self, table: Table) -> Table:
        """The table after its first message has been posted."""
        return await self.tables.act(table.id, play.record_first_message, FIRST_MESSAGE + table.id)

    async def match(
        self,
        people: int = 1,
        ai_players: int = 3,
        options: Options = ONE_HAND,
        pace: Pace = Pace.NONE,
        settings: TableSettings = DEFAULT_TABLE_SETTINGS,
    ) -> Table:
        """A table whose first hand has been dealt."""
        table = await self.table(people, ai_players, options, pace, settings=settings)
        return await self.tables.act(table.id, play.start, table.row.host_id)

    async def act(self, table: Table) -> Table:
        """Make the move of the simple AI player, for a person or an AI player."""
        if user_to_act(table) is None:
            return await self.tables.act(table.id, due_actions.ai_moves)
        return await self.do(table, choice(table))

    async def do(self, table: Table, move: Move) -> Table:
        """Make a move for the person to act."""
        person = player_to_act(table)
        match move:
            case Play(_, cards, last_card):
                return await self.tables.act(
                    table.id, play.play, person, cards, last_card=last_card, moment=table.moment
                )
            case Pass():
                return await self.tables.act(table.id, play.pass_turn, person, table.moment)
            case GiveBack(_, card):
                return await self.tables.act(table.id, play.give_back, person, card, table.moment)
            case _:
                return await self.tables.act(table.id, play.declare, person)

    async def run_due_action(self, table: Table) -> Table:
        """Move the clock to the deadline of a table and run its action."""
        async with self.database.read() as connection:
            due = not_none(await matches.deadline(connection, table.id))
        self.clock.now = due.due_at
        await self.tables.due(due)
        return await self.tables.get(table.id)

    async def play_to_end(self, table: Table) -> Table:
        """Play the match to its end."""
        while table.row.status is Status.PLAYING:
            table = await self.act(table)
        return table

    async def record(self, table_id: int) -> list[Line]:
        """The log of a match."""
        async with self.database.read() as connection:
            return await matches.load_lines(connection, table_id)

    async def latest_events(self) -> tuple[Event, ...]:
        """The events that the latest published change added to its log."""
        *earlier, table = self.updates
        known = max((update.length for update in earlier if update.id == table.id), default=0)
        return tuple(line.event for line in (await self.record(table.id))[known:])

    async def play_until_last_card_is_forgotten(self, table: Table) -> tuple[Table, int]:
        """Play until a person keeps one card without saying so. Returns the table and the person."""
        while True:
            move, person = choice(table), user_to_act(table)
            if isinstance(move, Play) and move.last_card and person is not None:
                return await self.do(table, Play(move.seat, move.cards)), person
            table = await self.act(table)


def user_to_act(table: Table) -> int | None:
    """The person to act, or None if it's an AI player."""
    return table.seats[not_none(table.turn)].player_id


def player_to_act(table: Table) -> int:
    """The person to act, where it's no AI player's turn."""
    return not_none(user_to_act(table))


def choice(table: Table) -> Move:
    """The simple AI player's move for the seat to act."""
    return simple.choose(view(not_none(table.state), not_none(table.turn)))


def stage_of(table: Table) -> ClockStage | None:
    """The stage of the clock that runs at a table."""
    return None if table.row.clock is None else table.row.clock.stage
