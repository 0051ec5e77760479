"""What follows from a change at a table, in the same transaction: the clock of the turn, and the scores."""

from dataclasses import replace

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.engine.events import Event, HandEnded, MatchEnded
from bot.services import orders
from bot.services.table import Table
from bot.services.timing import settled, started
from bot.storage import matches, people, scores


async def timed(connection: AsyncConnection, before: Table, after: Table, now: int) -> Table:
    """The table with the clock of its present turn: a new one where the turn, or who is to take it, has changed."""
    row, person = after.row, after.person_to_act
    if before.moment != after.moment or before.person_to_act != person:
        seats = list(row.seats)
        if before.row.clock is not None and before.turn is not None:
            seats[before.turn] = settled(seats[before.turn], before.row.clock, row.pace, now)
        for number, seat in enumerate(seats):
            seats[number] = replace(seat, orders=orders.kept(seat.orders, before.public(), after.public()))
        row = replace(row, seats=tuple(seats), clock=None, nudged_at=None)
        if person is not None and after.turn is not None:
            habits = await people.load(connection, person)
            row = replace(row, clock=started(row.pace, seats[after.turn].bank, now, habits))
    return replace(after, row=row)


async def keep_results(
    connection: AsyncConnection, before: Table, events: tuple[Event, ...], after: Table, at: int
) -> None:
    """Add what has just ended to the scores of the server."""
    for event in events:
        if isinstance(event, HandEnded):
            await scores.record_hand(connection, before.row, event)
        elif isinstance(event, MatchEnded):
            log = await matches.load_lines(connection, after.id)
            hands = [line.event for line in log if isinstance(line.event, HandEnded)]
            await scores.record_match(connection, after.row, hands, event.ranking, at)
