"""What can be told from outside: the answers to presses that no client offers, and what stands in the database."""

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from bot.engine.record import Line, from_fields
from bot.storage.logs import unpacked
from playground.client.person import Person
from playground.client.screen import Reply, SeenMessage
from playground.world.model import CallbackType, Channel, InteractionType, Json
from tests.end_to_end.room import Room


def whispered(reply: Reply) -> str:
    """The private message that answers a press, to be read."""
    assert reply.failed is None, reply
    assert reply.message is not None, reply
    assert reply.message.ephemeral
    assert "Something broke" not in reply.message.text
    return reply.message.text


def shown(reply: Reply) -> SeenMessage:
    """The message that answers a press."""
    assert reply.message is not None, reply
    return reply.message


def menu_of(panel: SeenMessage, verb: str) -> str:
    """The id of the menu of a panel that has this verb."""
    return next(menu.custom_id for menu in panel.selects if f":{verb}:" in f"{menu.custom_id}:")


async def send_raw(
    person: Person, kind: InteractionType, channel: Channel, data: Json, message: SeenMessage | None = None
) -> Reply:
    """Send an interaction that no client would send, and wait for what comes of it."""
    about = None if message is None else message.message
    sent = person.world.interactions.start(kind, person, channel, data, message=about)
    await person.until(lambda: sent.is_settled)
    shown = None if sent.original is None else SeenMessage(sent.original)
    return Reply(sent, message=shown, updated=sent.response_type is CallbackType.UPDATE_MESSAGE, failed=sent.failure)


async def choose_forged(person: Person, message: SeenMessage, custom_id: str, *values: str) -> Reply:
    """Use a menu that the message does not have."""
    data = {"custom_id": custom_id, "component_type": 3, "values": list(values)}
    return await send_raw(person, InteractionType.COMPONENT, message.message.channel, data, message)


async def logged(room: Room, text: str) -> str:
    """The app's log, once it says `text`."""
    async with asyncio.timeout(10):
        while text not in (log := room.log.read_text()):  # noqa: ASYNC110  # a file wakes nobody
            await asyncio.sleep(0.01)
    return log


def database_of(room: Room) -> Path:
    """The app's file."""
    return room.log.parent / "gang.sqlite3"


@contextmanager
def opened(room: Room) -> Iterator[sqlite3.Connection]:
    """The app's database, as another process sees it."""
    with closing(sqlite3.connect(database_of(room), isolation_level=None)) as connection:
        yield connection


def stored(room: Room) -> list[tuple[object, ...]]:
    """All that is in store of tables, seats and matches, apart from what of it has been shown."""
    with opened(room) as connection:
        rows = connection.execute("SELECT id, status, revision, host_id, size, edition, options, pace FROM tables")
        seats = connection.execute("SELECT * FROM seats ORDER BY table_id, seat")
        events = connection.execute("SELECT * FROM events ORDER BY table_id, seq")
        packed_logs = connection.execute("SELECT * FROM packed_logs ORDER BY table_id")
        return [*rows, *seats, *events, *packed_logs]


def names_of(room: Room, table: int = 1) -> list[str]:
    """Who sits at a table."""
    with opened(room) as connection:
        found = connection.execute("SELECT name FROM seats WHERE table_id = ? ORDER BY seat", (table,))
        return [name for (name,) in found]


def record_of(room: Room, table: int = 1) -> list[Line]:
    """The log of a match."""
    with opened(room) as connection:
        return log_of(connection, table)


def log_of(connection: sqlite3.Connection, table: int) -> list[Line]:
    """The log of a match, packed or not."""
    packs = connection.execute("SELECT lines FROM packed_logs WHERE table_id = ?", (table,)).fetchall()
    rows = connection.execute("SELECT line FROM events WHERE table_id = ? ORDER BY seq", (table,)).fetchall()
    lines = [line for (log,) in packs for line in unpacked(log)] or [line for (line,) in rows]
    return [from_fields(json.loads(line)) for line in lines]
