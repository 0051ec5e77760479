"""Compute leaderboards, titles, ratings and profiles again from the logs, while the app runs.

Each match is corrected in its own transaction. The sums of a guild are computed separately and replace the stored ones
in one transaction, if no match has ended since. So nobody waits, and no match counts twice.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, TypeAlias

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.analysis.credits import Credit, Substitutes, absent_at_end, absent_from_abandoned, credits_of
from bot.analysis.hand_stats import hand_stats
from bot.analysis.leaderboard import periods
from bot.analysis.titles import Holder, TitleStats, add_match
from bot.engine import replay
from bot.engine.events import MatchEnded, Substituted
from bot.engine.record import Line
from bot.services import titles
from bot.services.rerating import rate_again
from bot.services.results import hand_columns, outcomes
from bot.storage import leaderboard, locks, matches, ratings, results
from bot.storage import recount as stored
from bot.storage.database import Database
from bot.storage.leaderboard import PAR_COLUMNS, SUM_COLUMNS
from bot.storage.recount import CountedMatch, Results, Row
from bot.storage.titles import holders as titles_held
from bot.table.model import TableRow

Progress: TypeAlias = Callable[[int, int, int], None]
"""Called with the guild, the number of matches done, and the number of all matches."""


@dataclass(frozen=True, slots=True)
class Report:
    """The changes of a recount in a guild."""

    guild_id: int
    matches: int
    """Matches read."""
    corrected: int = 0
    """Matches whose results changed."""
    ratings: int = 0
    """Members whose displayed rating changed."""
    entries: int = 0
    """Leaderboard rows that changed."""
    titles: int = 0
    """Titles with a new holder or value."""


@dataclass
class _Sums:
    """Sums over the counted matches of a guild."""

    scores: dict[tuple[Any, ...], Row] = field(default_factory=dict)
    title_stats: dict[int, TitleStats] = field(default_factory=dict)
    without_par: dict[int, CountedMatch] = field(default_factory=dict)
    """The matches that had no par when they were added."""
    seasons: Counter[int | None] = field(default_factory=Counter)
    """The number of matches by season."""

    async def add(self, connection: AsyncConnection, match: CountedMatch) -> None:
        """Add a match as it's stored."""
        self.seasons[match.season] += 1
        rows = await leaderboard.rows_of(connection, match.table_id, periods(match.finished_at, match.season))
        self._add(rows, SUM_COLUMNS)
        if not any(row["par_hands"] for row in rows):
            self.without_par[match.table_id] = match
        for user, played in (await titles.played_in(connection, match.table_id)).items():
            self.title_stats[user] = add_match(self.title_stats.get(user, TitleStats()), *played)

    async def add_pars(self, connection: AsyncConnection, guild_id: int) -> None:
        """Add the luck and skill of matches whose pars have been computed since they were added."""
        for number in await stored.matches_with_par(connection, guild_id) & self.without_par.keys():
            match = self.without_par.pop(number)
            rows = await leaderboard.rows_of(connection, number, periods(match.finished_at, match.season))
            self._add(rows, PAR_COLUMNS)

    def _add(self, rows: Iterable[Row], columns: Collection[str]) -> None:
        for row in rows:
            key = tuple(value for name, value in row.items() if name not in SUM_COLUMNS)
            old = self.scores.get(key)
            self.scores[key] = row if old is None else {**old, **{name: old[name] + row[name] for name in columns}}


async def guilds(database: Database) -> list[int]:
    """The guilds with matches that count."""
    return await database.fetch(stored.guilds)


async def recount(database: Database, guild_id: int, at: int, progress: Progress) -> Report:
    """Compute all results of a guild again (`at`: UTC seconds). Returns the changes."""
    sums, since, done, corrected = _Sums(), 0, 0, 0
    while True:
        new = await database.fetch(stored.matches_since, guild_id, since)
        of = done + len(new)
        for match in new:
            corrected += await _correct_match(database, guild_id, match.table_id)
            await database.fetch(sums.add, match)
            since, done = match.nth, done + 1
            progress(guild_id, done, of)
        async with database.write() as connection:
            await locks.lock(connection, guild_id)
            if await stored.matches_since(connection, guild_id, since):
                continue  # another match has ended
            if await stored.matches_by_season(connection, guild_id) != sums.seasons:
                sums, since, done = _Sums(), 0, 0
                continue  # a season was reset, or the guild was deleted
            await sums.add_pars(connection, guild_id)
            before = await titles_held(connection, guild_id)
            entries = await stored.replace_sums(connection, guild_id, list(sums.scores.values()), sums.title_stats)
            await titles.reassign_titles(connection, guild_id, at)
            changed = _changed(before, await titles_held(connection, guild_id))
        return Report(guild_id, done, corrected, await _recount_ratings(database, guild_id), entries, changed)


def _changed(before: dict[str, Holder], after: dict[str, Holder]) -> int:
    old, new = ({name: (each.user_id, each.value) for name, each in held.items()} for held in (before, after))
    return sum(old.get(name) != new.get(name) for name in old.keys() | new.keys())


async def _recount_ratings(database: Database, guild_id: int) -> int:
    """Compute the ratings again. Returns the number of members whose displayed rating changed."""
    before = await database.fetch(ratings.of_guild, guild_id)
    await rate_again(database, guild_id)
    after = await database.fetch(ratings.of_guild, guild_id)
    shown = [{user: (rating.points, rating.matches) for user, rating in each.items()} for each in (before, after)]
    return sum(shown[0].get(user) != shown[1].get(user) for user in before.keys() | after.keys())


async def _correct_match(database: Database, guild_id: int, table_id: int) -> bool:
    """Store the results of a match as computed from its log. Returns True if they changed.

    Skips a match that was deleted because its guild has removed the app.
    """
    while True:
        async with database.read() as connection:
            row, substitutes = await _people(connection, table_id)
            lines = await matches.load_lines(connection, table_id)
            old = await stored.match_results(connection, table_id)
        if row is None or old is None:
            return False
        new = recounted(row, lines, substitutes, old)
        if new == old:
            return False
        async with database.write() as connection:
            await locks.lock(connection, guild_id)
            await locks.lock_tables(connection, [table_id])
            if await _people(connection, table_id) == (row, substitutes):  # no user was deleted since
                await stored.replace_results(connection, guild_id, table_id, new)
                return True


async def _people(connection: AsyncConnection, table_id: int) -> tuple[TableRow | None, Substitutes]:
    return await matches.load(connection, table_id), await results.substitutes_of(connection, table_id)


def recounted(row: TableRow, lines: Sequence[Line], substitutes: Substitutes, old: Results) -> Results:
    """The results of a match, computed from its log.

    When a substitute's data is deleted, the log keeps an empty name. If several substitutes of a seat have been
    deleted, it no longer says which of them played a hand, so the `old` results decide about such seats.
    """
    events = [line.event for line in lines]
    unnamed = {event.seat for event in events if isinstance(event, Substituted) and not event.by}
    hands, rows, last = [], list[Row](), tuple[Credit, ...]()
    for stats in hand_stats(lines):
        last = _with_old_credits(credits_of(stats.moves, row.seats, substitutes), unnamed, stats.ended.hand, old)
        hands.append((stats.ended.points, [credit.by_owner for credit in last]))
        rows += results.hand_rows(row.id, stats.ended, hand_columns(stats, last))
    if isinstance(events[-1], MatchEnded):
        absent = absent_at_end(replay(events), row.seats, last)
    else:
        absent = absent_from_abandoned(row, replay(events[:-1]), events) or frozenset()
    absent = absent - unnamed | {seat for seat in unnamed if old.players[seat]["absent"]}
    found = outcomes(len(row.seats), hands, absent)
    owners = [{"user_id": seat.user_id, "name": seat.name} for seat in row.seats]
    players = [owner | asdict(outcome) for owner, outcome in zip(owners, found, strict=True)]
    people_only = not any(seat.is_ai for seat in row.seats)
    return Results(people_only, row.casual_reason is None, players, [_as_stored(each) for each in rows])


def _with_old_credits(found: Sequence[Credit], unnamed: Collection[int], hand: int, old: Results) -> tuple[Credit, ...]:
    """The credits of a hand by seat, where those of `unnamed` seats come from the `old` results if these have them."""
    known = {each["seat"]: each for each in old.hands if each["hand"] == hand and each["seat"] in unnamed}
    return tuple(
        replace(credit, user_id=known[seat]["user_id"], by_owner=known[seat]["by_owner"]) if seat in known else credit
        for seat, credit in enumerate(found)
    )


def _as_stored(row: Row) -> Row:
    """The row as the database returns it: JSON has lists instead of tuples."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in row.items()}
