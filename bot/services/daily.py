"""The hand of the day: the same deal for everyone in a guild, each against the same three AI players.

It's a match of one hand at a private table. Its seed is drawn when the first player asks for the hand, or the day
before if a player looks at that day's leaderboard. Players see the commitment before their cards, and the seed stays
secret until the day is over. The hand counts only on the leaderboard of its day.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from bot.analysis.daily import DailyResult, streak
from bot.engine import Options, commitment
from bot.services.tables import Tables
from bot.storage import daily, matches
from bot.storage.database import Database
from bot.table import lobby, play
from bot.table.days import day_after, day_before, day_of
from bot.table.lobby import NewTable, Person, TableSetup
from bot.table.model import Pace, Status, TableSettings, TakingBack
from bot.table.refusals import DailyAlreadyDealt, DailyNotOver, HasStarted
from bot.table.snapshot import Table

_CUSTOMS: Final = TableSettings(undo=TakingBack.OFF)
_SETUP: Final = TableSetup(4, "days-of-wonder", Options(target=1), Pace.NONE, _CUSTOMS)
"""The losers of a hand get at least one point, so a match to one point has one hand."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Today's hand, before a player is dealt it."""

    day: str
    commitment: str
    finished: int
    """The number of players who have finished the hand."""


@dataclass(frozen=True, slots=True)
class DailyDeal:
    """Everything that users may know to check the hand of a day."""

    day: str
    commitment: str | None
    """None if nobody has asked for the hand."""
    revealed_seed: bytes | None
    """None until the day is over."""
    next_commitment: str | None
    """The commitment to the next day's hand; None for days before yesterday."""


@dataclass(frozen=True, slots=True)
class DailyLeaderboard:
    """The results of a hand of the day so far."""

    deal: DailyDeal
    is_over: bool
    results: Sequence[DailyResult]
    """Best first."""
    own_table: int | None
    """The table at which the user has played it."""
    streak: int
    """The number of consecutive days up to this one on which the user has finished the hand."""


class Daily:
    """Deals hands of the day and shows their results."""

    def __init__(self, database: Database, tables: Tables, new_seed: Callable[[], bytes]) -> None:
        self._database = database
        self._tables = tables
        self._new_seed = new_seed

    @property
    def today(self) -> str:
        """Today's date in UTC."""
        return day_of(self._tables.now())

    async def table(self, guild_id: int, user_id: int) -> Table | None:
        """A user's hand of today; None until it's dealt."""
        entry = await self._database.fetch(daily.entry, guild_id, self.today, user_id)
        table = None if entry is None else await self._tables.get(entry.table_id)
        return None if table is None or table.row.status is Status.LOBBY else table

    async def offer(self, guild_id: int) -> Offer:
        """Today's hand, as shown before the deal."""
        day = self.today
        return Offer(day, await self._commitment(guild_id, day), await self.count(guild_id))

    async def deal(self, guild_id: int, channel_id: int, person: Person, day: str) -> Table:
        """Deal the hand of a day whose commitment the player has seen. If they have it already, return that one."""
        async with self._database.write() as connection:
            seed = await daily.lock_seed(connection, guild_id, day, self._new_seed())
            entry = await daily.entry(connection, guild_id, day, person.user_id)
            if entry is None:
                if not await daily.mark(connection, guild_id, day, person.user_id, seed):
                    raise DailyAlreadyDealt
                new = NewTable(guild_id, channel_id, person, _SETUP, in_channel=False)
                row = lobby.new_lobby(new, seed, self._tables.now() // 1000)
                row = replace(lobby.with_steady_ai(lobby.fill_with_ai(row, person.user_id)), daily=day)
                number = await matches.create(connection, row)
                await daily.add_entry(connection, guild_id, day, person.user_id, person.name, number)
            else:
                number = entry.table_id
        table = await self._tables.get(number)
        if table.row.status is Status.LOBBY:
            with suppress(HasStarted):  # the same player pressed twice
                await self._tables.act(number, play.begin_daily)
        return await self._tables.get(number)

    async def count(self, guild_id: int) -> int:
        """The number of players who have finished today's hand."""
        return await self._database.fetch(daily.finished, guild_id, self.today)

    async def _commitment(self, guild_id: int, day: str) -> str:
        """The commitment to the hand of a day. Draws its seed if necessary."""
        seed = await self._database.fetch(daily.seed, guild_id, day)
        if seed is None:
            seed = await self._database.commit(daily.lock_seed, guild_id, day, self._new_seed())
        return commitment(seed)

    async def leaderboard(self, guild_id: int, day: str, user_id: int) -> DailyLeaderboard:
        """The results of a day. Raises `DailyNotOver` if the user hasn't finished today's hand."""
        async with self._database.read() as connection:
            entry = await daily.entry(connection, guild_id, day, user_id)
            is_over = day < self.today
            if not is_over and (entry is None or not entry.is_finished):
                raise DailyNotOver
            results = await daily.results(connection, guild_id, day, unfinished=is_over)
            days = await daily.finished_days(connection, guild_id, user_id, day)
        own_table = None if entry is None else entry.table_id
        return DailyLeaderboard(await self.fair_deal(guild_id, day), is_over, results, own_table, streak(days, day))

    async def fair_deal(self, guild_id: int, day: str) -> DailyDeal:
        """The commitments of a day, and its seed once it's over. Raises `DailyNotOver` for a day that hasn't begun."""
        if day > self.today:
            raise DailyNotOver
        seed = await self._database.fetch(daily.seed, guild_id, day)
        is_recent = day in (self.today, day_before(self.today))
        following = await self._commitment(guild_id, day_after(day)) if is_recent else None
        shown = seed if day < self.today else None
        return DailyDeal(day, None if seed is None else commitment(seed), shown, following)
