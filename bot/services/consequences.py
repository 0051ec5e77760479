"""What follows from a change at a table, in the same transaction: the clock of the turn."""

from dataclasses import replace
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.engine.events import Event
from bot.services import turns
from bot.services.table import Table
from bot.storage import people
from bot.storage.people import Habits

NO_HABITS: Final = Habits()


async def timed(connection: AsyncConnection, before: Table, after: Table, events: tuple[Event, ...], now: int) -> Table:
    """The table with the clock of its present turn."""
    person = after.person_to_act
    habits = NO_HABITS if person is None else await people.load(connection, person)
    return replace(after, row=turns.timed(before, after, events, now, habits))
