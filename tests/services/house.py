"""Tables as the app puts them together, on a real database, with a clock and entropy that tests hold."""

import asyncio
from collections.abc import Callable
from random import Random

from bot.analysis.leaderboard import Board, Standing
from bot.engine import GiveBack, Options, Pass, Play, view
from bot.engine.moves import Move
from bot.engine.record import Line
from bot.fair_queue import Requester
from bot.players import simple
from bot.services.archive import Archive
from bot.services.background import Background
from bot.services.fair_lock import EXPORTS_WAITING, FairLock
from bot.services.guild_settings import Guilds
from bot.services.leaderboard import Leaderboards
from bot.services.tables import Tables, Update
from bot.storage import deadlines, matches
from bot.storage.database import Database
from bot.table import due_actions, lobby, play
from bot.table.limits import GUILD_TABLES, HOST_TABLES
from bot.table.lobby import DEFAULT_TABLE_SETTINGS, NewTable, Person, TableSetup
from bot.table.model import Pace, Status, TableSettings
from bot.table.snapshot import Table
from bot.table.timing import Timing

GUILD, CHANNEL = 70, 80
ADA, BO, CY, DI = PEOPLE = (
    Person(104, "Ada"),
    Person(102, "Bo"),
    Person(103, "Cy"),
    Person(101, "Di"),
)
"""The youngest account comes first, so that the eldest is not the host."""
EVE = Person(109, "Eve")


def asks(user_id: int, guild_id: int = GUILD) -> Requester:
    """A user who asks for something in a guild."""
    return Requester(guild_id, user_id)


QUICK = Options(target=1)
"""Over after one hand."""
START = 1_700_000_000_000
FIRST_MESSAGE = 1_300_000_000_000_000_000
"""The message of a table in its lobby has this id, plus the number of the table."""
BOUND = 20.0
"""Seconds after which a test gives up waiting."""


class HandClock:
    """A clock that only tests move."""

    def __init__(self) -> None:
        self.now = START
        self._asked = asyncio.Event()

    def milliseconds(self) -> int:
        """What the hands show."""
        self._asked.set()
        return self.now

    async def looked_at(self) -> None:
        """Wait until somebody wants to know what time it is."""
        self._asked.clear()
        async with asyncio.timeout(BOUND):
            await self._asked.wait()


class SeededEntropy:
    """Secrets that are the same in each run."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def seed(self) -> bytes:
        """The next secret."""
        return self._random.randbytes(32)


class House:
    """Tables, and what they told."""

    def __init__(self, database: Database, *, seed: int = 1, ai_delay: int = 1500) -> None:
        self.database = database
        self.clock = HandClock()
        self.told: list[Update] = []
        self.rearmed = 0
        self.on_tell: Callable[[Update], None] = lambda _: None
        self.on_rearm: Callable[[], None] = lambda: None
        self._news = asyncio.Event()
        self.timing = Timing(ai_delay)
        self.tables = Tables(
            database, self.clock, SeededEntropy(seed), self.timing, publish=self._publish, rearm=self._rearm
        )
        self.background = Background()
        self.exports = FairLock(EXPORTS_WAITING)
        self.archive = Archive(database, self.tables, self.background)

    def _publish(self, update: Update) -> None:
        self.told.append(update)
        self.on_tell(update)
        self._news.set()

    def _rearm(self) -> None:
        self.rearmed += 1
        self.on_rearm()

    async def allow_tables(self, number: int = 100_000, guild_id: int = GUILD) -> None:
        """Let each host of a guild open so many tables, as its managers can."""
        guilds = Guilds(self.database, self.clock.milliseconds)
        for limit in (HOST_TABLES, GUILD_TABLES):
            await guilds.set_limit(guild_id, ADA.user_id, limit.setting, number)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait for what the next news bring."""
        async with asyncio.timeout(BOUND):
            while not condition():
                self._news.clear()
                await self._news.wait()

    async def standings(self, guild_id: int = GUILD) -> list[Standing]:
        """The board of a server, most wins first."""
        places = await Leaderboards(self.database, self.clock.milliseconds).places(guild_id, Board(people_only=None))
        return [place.standing for place in places]

    async def table(
        self,
        people: int = 1,
        ai_players: int = 0,
        options: Options = QUICK,
        pace: Pace = Pace.NONE,
        size: int = 0,
        settings: TableSettings = DEFAULT_TABLE_SETTINGS,
    ) -> Table:
        """A table in the lobby, so many people and robots at it; by default that is its size."""
        setup = TableSetup(size or max(people + ai_players, 3), "days-of-wonder", options, pace, settings)
        table = await self.posted(await self.tables.create(NewTable(GUILD, CHANNEL, PEOPLE[0], setup)))
        for person in PEOPLE[1:people]:
            table = await self.tables.act(table.id, play.join, person)
        for _ in range(ai_players):
            table = await self.tables.act(table.id, play.in_lobby, lobby.with_ai, PEOPLE[0].user_id)
        return table

    async def posted(self, table: Table) -> Table:
        """The table once its first message is posted."""
        return await self.tables.act(table.id, play.record_first_message, FIRST_MESSAGE + table.id)

    async def match(
        self,
        people: int = 1,
        ai_players: int = 3,
        options: Options = QUICK,
        pace: Pace = Pace.NONE,
        settings: TableSettings = DEFAULT_TABLE_SETTINGS,
    ) -> Table:
        """A table at which the first hand is dealt."""
        table = await self.table(people, ai_players, options, pace, settings=settings)
        return await self.tables.act(table.id, play.start, table.row.host_id)

    async def act(self, table: Table) -> Table:
        """Whoever is to act does what the simple player would."""
        if person_to_act(table) is None:
            return await self.tables.act(table.id, due_actions.ai_moves)
        return await self.do(table, choice(table))

    async def do(self, table: Table, move: Move) -> Table:
        """The person whose turn it is does this."""
        person = person_to_act(table)
        assert person is not None
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

    async def fall_due(self, table: Table) -> Table:
        """Move the clock to what is due next at a table, and have it done."""
        async with self.database.read() as connection:
            due = await deadlines.of(connection, table.id)
        assert due is not None
        self.clock.now = due.due_at
        await self.tables.due(due)
        return await self.tables.get(table.id)

    async def play_out(self, table: Table) -> Table:
        """The match to its end."""
        while table.row.status is Status.PLAYING:
            table = await self.act(table)
        return table

    async def record(self, table_id: int) -> list[Line]:
        """The whole log of a match."""
        async with self.database.read() as connection:
            return await matches.load_lines(connection, table_id)

    async def to_the_last_card(self, table: Table) -> tuple[Table, int]:
        """Until somebody lays all but one card and says nothing; the table then, and who it was."""
        while True:
            move, person = choice(table), person_to_act(table)
            if isinstance(move, Play) and move.last_card and person is not None:
                return await self.do(table, Play(move.seat, move.cards)), person
            table = await self.act(table)


def person_to_act(table: Table) -> int | None:
    """The person whose turn it is; None for a robot's."""
    assert table.turn is not None
    return table.seats[table.turn].person


def choice(table: Table) -> Move:
    """What the simple player does for whoever is to act."""
    assert table.state is not None
    assert table.turn is not None
    return simple.choose(view(table.state, table.turn))
