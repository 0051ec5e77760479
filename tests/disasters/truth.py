"""What a channel should show, told from the database alone, and what it shows."""

import asyncio
import json
import re
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from bot.engine.events import HandEnded
from bot.engine.record import Line, from_fields
from bot.presentation.notices import notice_of
from bot.presentation.table import table_message
from bot.presentation.words import words_in
from bot.services.table import Table
from bot.storage.matches import from_rows
from bot.storage.rows import TableRow
from playground import components
from playground.model import Channel
from playground.people import Person
from playground.sight import SeenMessage
from tests.end_to_end.evidence import opened
from tests.end_to_end.room import Room


@dataclass(frozen=True)
class Truth:
    """A table as it is stored."""

    table: Table
    lines: list[Line]

    @property
    def person(self) -> int | None:
        """Whose turn it is."""
        return self.table.person_to_act

    @property
    def call(self) -> str | None:
        """What the call of this turn is sent under."""
        notice = notice_of(self.table, words_in("en-US"))
        return None if notice is None else notice.nonce

    @property
    def hands(self) -> list[int]:
        """The hands that are over."""
        return [line.event.hand for line in self.lines if isinstance(line.event, HandEnded)]

    def message(self) -> str:
        """What the table's message says."""
        view = table_message(self.table, words_in("en-US"))
        return "\n".join(components.texts(view.to_components()))


def truths(room: Room) -> dict[int, Truth]:
    """Every table in the room's channel."""
    with opened(room) as connection:
        connection.row_factory = sqlite3.Row
        connection.execute("BEGIN")  # so that all is of one moment
        found = {}
        for row in connection.execute(_TABLES, (room.channel.id,)).fetchall():
            seats = connection.execute(_SEATS, (row["id"],)).fetchall()
            lines = connection.execute("SELECT line FROM events WHERE table_id = ? ORDER BY seq", (row["id"],))
            log = [from_fields(json.loads(line)) for (line,) in lines]
            found[row["id"]] = Truth(Table.replayed(_row(row, seats), [line.event for line in log]), log)
        return found


_TABLES = "SELECT * FROM tables WHERE channel_id = ? ORDER BY id"
_SEATS = "SELECT * FROM seats WHERE table_id = ? ORDER BY seat"
_JSON = ("options", "customs", "invited", "sent_away", "pausing", "ending")


def _row(row: sqlite3.Row, seats: Iterable[sqlite3.Row]) -> TableRow:
    return from_rows({**row, **{name: json.loads(row[name]) for name in _JSON}}, [dict(seat) for seat in seats])


def _public(person: Person, channel: Channel) -> list[SeenMessage]:
    return [message for message in person.sees(channel) if not message.ephemeral]


def tables_shown(person: Person, channel: Channel, number: int) -> list[SeenMessage]:
    """The messages that show a table."""
    title = f"### Gang of Four · table {number}"
    return [message for message in _public(person, channel) if message.text.splitlines()[:1] == [title]]


def calls_shown(person: Person, channel: Channel, number: int) -> list[SeenMessage]:
    """The messages that call somebody to a table."""
    call = re.compile(rf"{number}\.\d+\.\d+")
    return [message for message in _public(person, channel) if call.fullmatch(str(message.message.nonce))]


def reports_shown(person: Person, channel: Channel, number: int) -> list[str]:
    """The titles of the reports of a table's hands."""
    title = f"### Table {number} · hand "
    return [m.text.splitlines()[0] for m in _public(person, channel) if m.text.startswith(title)]


def strays(person: Person, channel: Channel, numbers: Iterable[int]) -> list[str]:
    """What else the app has left in the channel."""
    known: set[int] = set()
    for number in numbers:
        known |= {message.id for message in tables_shown(person, channel, number)}
        known |= {message.id for message in calls_shown(person, channel, number)}
    reports = [m.id for m in _public(person, channel) if m.text.startswith("### Table ")]
    return [m.text for m in _public(person, channel) if m.id not in known.union(reports)]


def what_is_wrong(truth: Truth, person: Person, channel: Channel) -> list[str]:
    """What the channel shows otherwise than it is, as sentences."""
    number, wrong = truth.table.id, []
    shown = [message.text for message in tables_shown(person, channel, number)]
    if shown != [truth.message()]:
        wrong.append(f"table {number} is\n{truth.message()}\nand is shown as\n" + "\nand as\n".join(shown))
    called = [message.message.nonce for message in calls_shown(person, channel, number)]
    expected = [] if truth.call is None else [truth.call]
    if called != expected:
        wrong.append(f"at table {number} {expected} should be called, and {called} are")
    reports = reports_shown(person, channel, number)
    if reports != [f"### Table {number} · hand {hand} is over" for hand in truth.hands]:
        wrong.append(f"the hands {truth.hands} of table {number} are over, and it is said of {reports}")
    return wrong


async def comes_true(room: Room, timeout: float = 20.0) -> dict[int, Truth]:  # noqa: ASYNC109  # a bound
    """Wait until everything that is shown is true; gives what it is."""
    onlooker, found = room.people[-1], truths(room)

    def wrong() -> list[str]:
        sentences = [f"{stray!r} stands there" for stray in strays(onlooker, room.channel, found)]
        return sentences + [wrong for truth in found.values() for wrong in what_is_wrong(truth, onlooker, room.channel)]

    try:
        await onlooker.until(lambda: not wrong(), timeout=timeout)
    except AssertionError:
        raise AssertionError("\n\n".join([*wrong(), room.log.read_text()[-3000:]])) from None
    return found


def calls_heard(person: Person) -> dict[str, int]:
    """How often a phone rang for each call, by its nonce; calls that were deleted count, too."""
    heard: dict[str, int] = {}
    for ping in person.pings:
        nonce = str(ping.message.nonce)
        heard[nonce] = heard.get(nonce, 0) + 1
    return heard


def has_everything_remembered(room: Room) -> bool:
    """Whether the app has noted that everything is told, and has heard of each message that it sent."""
    with opened(room) as connection:
        found = connection.execute(
            "SELECT count(*) FROM tables WHERE shown_revision < revision OR (notice IS NOT NULL AND notice_id IS NULL)"
        )
        return bool(found.fetchone() == (0,))


async def is_remembered(room: Room) -> None:
    """Wait until the app has noted that everything is told."""
    async with asyncio.timeout(10):
        while not has_everything_remembered(room):  # noqa: ASYNC110  # a file wakes nobody
            await asyncio.sleep(0.005)
