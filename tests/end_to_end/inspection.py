"""Read the app's replies, log and database, and send interactions that no client offers."""

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import lru_cache
from pathlib import Path

from bot.engine.record import Line, from_fields
from bot.storage.logs import unpack
from playground.client.person import Person
from playground.client.screen import Reply, SeenMessage
from playground.world.model import CallbackType, Channel, InteractionType, Json
from tests.end_to_end.app_harness import PATIENCE, AppHarness


def private_text(reply: Reply) -> str:
    """The text of a private reply."""
    text = private(reply).text
    assert "Something broke" not in text
    return text


def private(reply: Reply) -> SeenMessage:
    """The message of a private reply."""
    assert reply.failed is None, reply
    message = shown(reply)
    assert message.ephemeral
    return message


def shown(reply: Reply) -> SeenMessage:
    """The message of a reply."""
    assert reply.message is not None, reply
    return reply.message


async def verify(person: Person, channel: Channel, number: int) -> Reply:
    """Let the app check the deals of a match, from its replay."""
    replay = private(await person.slash(channel, "gang history", number=number))
    return await person.press_old(f"g4:past:{number}:0:t:a:verify", replay)


def menu_of(panel: SeenMessage, verb: str) -> str:
    """The custom id of a panel's menu with this verb."""
    return next(menu.custom_id for menu in panel.selects if f":{verb}:" in f"{menu.custom_id}:")


async def choose(person: Person, panel: SeenMessage, label: str) -> Reply:
    """Choose a button in a panel's menu of buttons."""
    return await person.select(panel, label, custom_id=menu_of(panel, "buttons"))


async def send_raw(
    person: Person, kind: InteractionType, channel: Channel, data: Json, message: SeenMessage | None = None
) -> Reply:
    """Send an interaction that no client would send, and wait for the reply."""
    about = None if message is None else message.message
    sent = person.world.interactions.start(kind, person, channel, data, message=about)
    await person.until(lambda: sent.is_settled)
    shown = None if sent.original is None else SeenMessage(sent.original)
    return Reply(sent, message=shown, updated=sent.response_type is CallbackType.UPDATE_MESSAGE, failed=sent.failure)


async def choose_forged(person: Person, message: SeenMessage, custom_id: str, *values: str) -> Reply:
    """Use a menu that the message doesn't have."""
    data = {"custom_id": custom_id, "component_type": 3, "values": list(values)}
    return await send_raw(person, InteractionType.COMPONENT, message.message.channel, data, message)


async def wait_for_log(harness: AppHarness, text: str) -> str:
    """Wait until the app's log contains `text`. Returns the log."""
    async with asyncio.timeout(PATIENCE):
        while text not in (log := harness.log.read_text()):  # noqa: ASYNC110  # a file can only be polled
            await asyncio.sleep(0.01)
    return log


def database_of(harness: AppHarness) -> Path:
    """The app's database file."""
    return harness.log.parent / "gang.sqlite3"


@contextmanager
def app_database(harness: AppHarness) -> Iterator[sqlite3.Connection]:
    """Open the app's database from the test process."""
    with closing(sqlite3.connect(database_of(harness), isolation_level=None)) as connection:
        yield connection


def stored(harness: AppHarness) -> list[tuple[object, ...]]:
    """The rows of tables, seats and logs, without the columns of the display state."""
    with app_database(harness) as connection:
        rows = connection.execute("SELECT id, status, revision, host_id, size, edition, options, pace FROM tables")
        seats = connection.execute("SELECT * FROM seats ORDER BY table_id, seat")
        events = connection.execute("SELECT * FROM events ORDER BY table_id, seq")
        packed_logs = connection.execute("SELECT * FROM packed_logs ORDER BY table_id")
        return [*rows, *seats, *events, *packed_logs]


def names_of(harness: AppHarness, table: int = 1) -> list[str]:
    """The names at a table."""
    with app_database(harness) as connection:
        found = connection.execute("SELECT name FROM seats WHERE table_id = ? ORDER BY seat", (table,))
        return [name for (name,) in found]


def record_of(harness: AppHarness, table: int = 1) -> list[Line]:
    """The log of a match."""
    with app_database(harness) as connection:
        return log_of(connection, table)


def log_of(connection: sqlite3.Connection, table: int) -> list[Line]:
    """The log of a match, whether packed or not."""
    packs = connection.execute("SELECT lines FROM packed_logs WHERE table_id = ?", (table,)).fetchall()
    rows = connection.execute("SELECT line FROM events WHERE table_id = ? ORDER BY seq", (table,)).fetchall()
    lines = [line for (log,) in packs for line in unpack(log)] or [line for (line,) in rows]
    return [_parsed(line) for line in lines]


@lru_cache(100_000)
def _parsed(line: str) -> Line:
    """A line of a log, kept since tests read logs again and again until they have grown."""
    return from_fields(json.loads(line))
