"""What a server remembers of hands and matches; it is kept in the transaction of the move that ended them."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TypeAlias

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.engine.events import Event, HandEnded, MatchEnded
from bot.services import titles
from bot.services.boards import periods
from bot.services.days import day_of
from bot.services.facts import hand_facts
from bot.services.luck import strength
from bot.services.rating import rated
from bot.services.reports import HandReport, hand_reports
from bot.services.table import Table
from bot.storage import boards, dailies, matches, ratings, scores, seasons
from bot.storage.ratings import Rating
from bot.storage.rows import Seat

Seats: TypeAlias = Sequence[tuple[int | None, int]]
"""For each seat of a match who played it, None for a former player, and their place."""


async def keep_results(
    connection: AsyncConnection, before: Table, events: tuple[Event, ...], after: Table, at: int
) -> None:
    """Store the result of the hand that has just ended, and of the match if it was the last (`at`: UTC seconds).

    Only the lines of this hand are read. A daily hand counts on its day, and nowhere else.
    """
    ended = next((event for event in events if isinstance(event, HandEnded)), None)
    if ended is None:
        return
    if after.row.daily is not None:
        if after.row.daily == day_of(at * 1000):
            own, *others = ended.points
            await dailies.finish(connection, after.id, own, sum(others))
        return
    start = before.starts[-1]
    lines = await matches.load_lines(connection, after.id, start.length)
    report = next(hand_reports([line.event for line in lines], start.state))
    facts = next(hand_facts(lines, start.state))
    players = players_of(report, before.seats)
    seats = zip(facts.seats, facts.dealt, strict=True)
    figures = [{**asdict(each), "strength": strength(cards)} for each, cards in seats]
    await scores.record_hand(connection, after.id, report.ended, players, figures)
    for event in events:
        if isinstance(event, MatchEnded):
            await _keep_match(connection, after, report, players, event, at)


async def _keep_match(
    connection: AsyncConnection, table: Table, report: HandReport, players: scores.Players, ended: MatchEnded, at: int
) -> None:
    season = await seasons.current(connection, table.row.guild_id)
    number = None if season is None else season.number
    people_only = await scores.record_match(connection, table.row, report.ended, players, ended.ranking, at, number)
    await boards.add(connection, table.id, periods(at, number))
    if people_only:
        await rate(connection, table.id)
    await titles.settle(connection, table.row.guild_id, table.id, at)


async def rate(connection: AsyncConnection, table_id: int) -> None:
    """Let a match of people that is over, as it is stored, change their ratings.

    A former player, of whom nothing is known any more, counts as a newcomer.
    """
    guild_id, seats = await ratings.race(connection, table_id)
    known = await ratings.of_guild(connection, guild_id, [user for user, _ in seats if user is not None])
    await ratings.save(connection, guild_id, table_id, _after(known, seats))


async def rate_anew(connection: AsyncConnection, guild_id: int) -> None:
    """Compute all ratings of a server from its matches, as they are stored: the same digits as match by match."""
    races = await ratings.races(connection, guild_id)
    await ratings.replace_all(connection, guild_id, await asyncio.to_thread(_folded, races))


def _folded(races: Sequence[tuple[int, Seats]]) -> list[tuple[int, ratings.Rated]]:
    known: dict[int, Rating] = {}
    found = []
    for number, seats in races:
        after = _after(known, seats)
        known |= {user: new for user, new in after if user is not None}
        found.append((number, after))
    return found


def _after(known: Mapping[int, Rating], seats: Seats) -> ratings.Rated:
    """The ratings after a match; who is not known is a newcomer."""
    before = [Rating() if user is None else known.get(user, Rating()) for user, _ in seats]
    after = rated(before, [place for _, place in seats])
    return [(user, new) for (user, _), new in zip(seats, after, strict=True)]


def players_of(report: HandReport, seats: Sequence[Seat]) -> tuple[int | None, ...]:
    """To whom a hand counts, seat by seat: who sits there at its end, if people made most of the seat's moves."""
    surplus = Counter[int]()
    for move in report.moves:
        surplus[move.seat] += -1 if move.by.startswith("ai:") else 1
    return tuple(seat.person if surplus[number] > 0 else None for number, seat in enumerate(seats))
