"""Store the results of hands and matches, in the transaction of the move that ends them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from operator import add
from typing import TypeAlias

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.analysis.credits import Credit, absent_at_end, absent_from_abandoned, credits_of
from bot.analysis.hand_stats import HandStats, hand_stats
from bot.analysis.hand_strength import strength
from bot.analysis.leaderboard import periods
from bot.analysis.rating import Rated, Rating, Seats, places, rated, rated_points
from bot.engine.events import Abandoned, Event, HandEnded, MatchEnded
from bot.services import titles
from bot.storage import daily, leaderboard, locks, matches, ratings, results, seasons
from bot.storage.results import Outcome
from bot.table.days import day_of
from bot.table.snapshot import Table

HandResult: TypeAlias = tuple[Sequence[int], Sequence[bool]]
"""The points by seat, and True for each owner who played the hand."""


async def store_results(
    connection: AsyncConnection, before: Table, events: tuple[Event, ...], after: Table, at: int
) -> None:
    """Store the result of a hand that has just ended, and of the match if it's over (`at`: UTC seconds).

    Only the log of this hand is read. A hand of the day counts only on its day's leaderboard.
    """
    over = next((event for event in events if isinstance(event, MatchEnded | Abandoned)), None)
    if any(isinstance(event, HandEnded) for event in events):
        if after.row.daily is not None:
            await _store_daily(connection, after, events, at)
            return
        last_hand = await _store_hand(connection, before)
        if isinstance(over, MatchEnded) and after.state is not None:
            absent = absent_at_end(after.state, after.seats, last_hand)
            await _store_match(connection, after, absent, at)
    elif isinstance(over, Abandoned) and before.state is not None and after.row.casual_reason is None:
        gone = absent_from_abandoned(after.row, before.state, events)
        if gone is not None:
            await _store_match(connection, after, gone, at)


async def _store_daily(connection: AsyncConnection, table: Table, events: Sequence[Event], at: int) -> None:
    if table.row.daily == day_of(at * 1000):
        own, *others = next(event.points for event in events if isinstance(event, HandEnded))
        await daily.finish(connection, table.id, own, sum(others))


async def _store_hand(connection: AsyncConnection, before: Table) -> Sequence[Credit]:
    """Store the hand that has just ended. Returns its players."""
    start = before.starts[-1]
    lines = await matches.load_lines(connection, before.id, start.length)
    stats = next(hand_stats(lines, start.state))
    played = credits_of(stats.moves, before.seats, await results.substitutes_of(connection, before.id))
    await results.record_hand(connection, before.id, stats.ended, hand_columns(stats, played))
    return played


def hand_columns(stats: HandStats, played: Sequence[Credit]) -> list[dict[str, object]]:
    """The columns of `hand_players` besides the points, by seat."""
    return [
        {"user_id": credit.user_id, "by_owner": credit.by_owner, **asdict(each), "strength": strength(cards)}
        for each, cards, credit in zip(stats.seats, stats.dealt, played, strict=True)
    ]


async def _store_match(connection: AsyncConnection, table: Table, absent: Collection[int], at: int) -> None:
    await locks.lock(connection, table.row.guild_id)
    season = await seasons.current(connection, table.row.guild_id)
    number = None if season is None else season.number
    rated = table.row.casual_reason is None
    hands = await results.points_of(connection, table.id)
    found = outcomes(len(table.seats), hands, absent)
    await results.record_match(connection, table.row, found, len(hands), at, number, rated=rated)
    await leaderboard.add(connection, table.id, periods(at, number))
    if rated:
        await rate_match(connection, table.id)
    await titles.count_match(connection, table.row.guild_id, table.id, at)


def outcomes(size: int, hands: Iterable[HandResult], absent: Collection[int]) -> list[Outcome]:
    """The result of a match for each owner: the total at the table, and the place by the rules for ratings."""
    totals, counting = [0] * size, [0] * size
    for points, by_owner in hands:
        totals = list(map(add, totals, points))
        counting = list(map(add, counting, rated_points(points, by_owner)))
    found = zip(places(counting, absent), totals, strict=True)
    return [Outcome(place, total, seat in absent) for seat, (place, total) in enumerate(found)]


async def rate_match(connection: AsyncConnection, table_id: int) -> None:
    """Update the ratings after a stored match.

    Former players count as newcomers, because nothing is known about them.
    """
    guild_id, seats = await ratings.owners_and_places(connection, table_id)
    known = await ratings.of_guild(connection, guild_id, [user for user, _ in seats if user is not None])
    await ratings.save(connection, guild_id, table_id, ratings_after(known, seats))


def ratings_after(known: Mapping[int, Rating], seats: Seats) -> Rated:
    """The ratings after a match. A player without a rating is a newcomer."""
    before = [Rating() if user is None else known.get(user, Rating()) for user, _ in seats]
    after = rated(before, [place for _, place in seats])
    return [(user, new) for (user, _), new in zip(seats, after, strict=True)]
