"""What follows from a change at a table, in the same transaction: the clock of the turn, and the scores."""

from dataclasses import replace
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.engine.events import Event, HandEnded, MatchEnded
from bot.services import turns
from bot.services.reports import hand_reports
from bot.services.statistics import players_of
from bot.services.table import Table
from bot.storage import matches, people, scores
from bot.storage.people import Habits

NO_HABITS: Final = Habits()


async def timed(connection: AsyncConnection, before: Table, after: Table, events: tuple[Event, ...], now: int) -> Table:
    """The table with the clock of its present turn."""
    person = after.person_to_act
    habits = NO_HABITS if person is None else await people.load(connection, person)
    return replace(after, row=turns.timed(before, after, events, now, habits))


async def keep_results(
    connection: AsyncConnection, before: Table, events: tuple[Event, ...], after: Table, at: int
) -> None:
    """Add what has just ended to the scores of the server."""
    if not any(isinstance(event, HandEnded) for event in events):
        return
    log = await matches.load_lines(connection, after.id)
    *_, report = hand_reports([line.event for line in log])
    players = players_of(report, before.seats)
    await scores.record_hand(connection, after.id, report.ended, players)
    for event in events:
        if isinstance(event, MatchEnded):
            await scores.record_match(connection, after.row, report.hands, players, event.ranking, at)
