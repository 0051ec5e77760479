"""The data stored about a user: show its extent, hide it from leaderboards, and export it."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any, Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.base.fair_queue import Requester
from bot.engine.events import Dealt, Substituted
from bot.engine.record import Line, to_fields
from bot.services import titles
from bot.services.background import RequestLock
from bot.services.json_file import JsonFile
from bot.storage import locks, matches, personal_data, user_settings
from bot.storage.database import Database
from bot.storage.personal_data import SeatData, UserSeat
from bot.storage.readable import readable
from bot.table.user import StoredCounts

SEATS_AT_ONCE: Final = 10
"""Seats whose tables and logs are in memory at the same time."""
_LISTS: Final[dict[str, Callable[[AsyncConnection, int], Awaitable[object]]]] = {
    "hosted": partial(personal_data.tables_with, column="host_id"),
    "closed": partial(personal_data.tables_with, column="closed_by_id"),
    "listed": personal_data.listed,
    "lost_titles": personal_data.lost_titles,
}
"""Further lists in an export, and the functions that read them."""


class Privacy:
    """Shows, hides and exports the data of users."""

    def __init__(self, database: Database, exports: RequestLock, now: Callable[[], int]) -> None:
        self._database = database
        self._exports = exports
        self._now = now
        """UTC milliseconds."""

    async def stored_counts(self, user_id: int) -> StoredCounts:
        """The amount of data that is stored about a user."""
        return await self._database.fetch(personal_data.stored_counts, user_id)

    async def is_hidden(self, user_id: int) -> bool:
        """True if a user is hidden from leaderboards."""
        return await self._database.fetch(user_settings.is_hidden, user_id)

    async def hide(self, user_id: int, *, hidden: bool) -> None:
        """Hide a user from leaderboards, or show them again."""
        async with self._database.write() as connection:
            guilds = await personal_data.guilds_of(connection, user_id)
            await locks.lock(connection, *guilds)
            await user_settings.hide(connection, user_id, hidden=hidden)
            for guild_id in guilds:
                await titles.reassign_titles(connection, guild_id, self._now() // 1000)

    async def export(self, requester: Requester) -> JsonFile:
        """All data stored about the requester: rows, seats and moves, and the cards that they were dealt.

        It contains nothing about other seats, because their cards may still be secret. Only a part of it is in memory
        at a time, besides the compressed file. Only one export runs at a time, because each holds a connection. Raises
        `TryAgainLater` if too many wait.
        """
        user_id, file, run = requester.user_id, JsonFile(), asyncio.to_thread
        async with self._exports.turn(requester):
            async with self._database.read() as connection:
                await run(file.add, "user_id", user_id)
                async for name, rows in personal_data.rows(connection, user_id):
                    await run(file.extend, name, rows)
                for list_name, load in _LISTS.items():
                    await run(file.add, list_name, await load(connection, user_id))
                user_seats = await personal_data.user_seats(connection, user_id)
            await run(file.extend, "seats", [])
            for start in range(0, len(user_seats), SEATS_AT_ONCE):
                some = user_seats[start : start + SEATS_AT_ONCE]
                table_ids = {user_seat.table_id for user_seat in some}
                await run(
                    _add_seats, file, some, await self._database.fetch(personal_data.seat_data, user_id, table_ids)
                )
        return file


def _add_seats(file: JsonFile, user_seats: Sequence[UserSeat], data: SeatData) -> None:
    """Add seats to an export, each with the user's moves and cards."""
    logs = data.logs.unpack()
    for user_seat in user_seats:
        moves = own_moves(matches.parse_lines(logs.get(user_seat.table_id, ())), user_seat)
        file.extend("seats", [{**asdict(user_seat), **data.columns(user_seat), "moves": list(moves)}])


def own_moves(lines: Sequence[Line], user_seat: UserSeat) -> Iterator[dict[str, Any]]:
    """The moves that a user made in a seat, and the cards that they were dealt there.

    Owners who have conceded get only the cards of hands in which they played: an AI player may still hold the others.
    """
    plays = user_seat.is_owned
    sees_all = user_seat.is_owned and not user_seat.conceded
    for line in lines:
        event = line.event
        if isinstance(event, Substituted) and event.seat == user_seat.seat:
            plays = event.by in user_seat.names and not event.for_owner
        elif isinstance(event, Dealt):
            if plays or sees_all:
                hand = [str(card) for card in event.hands[user_seat.seat]]
                yield _timed({"t": "deal", "hand": event.hand, "cards": hand}, line)
        elif plays and getattr(event, "seat", None) == user_seat.seat:
            yield _timed(to_fields(line), line)


def _timed(fields: dict[str, Any], line: Line) -> dict[str, Any]:
    return fields if line.at is None else {**fields, "at": readable("at", line.at)}
