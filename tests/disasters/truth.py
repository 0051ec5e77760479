"""What a channel should show, told from the database alone, and what it shows."""

import asyncio
import json
import re
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bot.engine.events import HandEnded
from bot.engine.record import Line
from bot.presentation.channel.notices import Notice, notice_of
from bot.presentation.table.message import table_message
from bot.presentation.text.i18n import words_in
from bot.storage.matches import from_rows
from bot.table.model import Deadline, DeadlineKind, Status, TableRow
from bot.table.snapshot import Table
from bot.table.user import NotificationMode
from playground import components
from playground.client.person import Person
from playground.client.screen import SeenMessage
from playground.world.model import Channel
from tests.disasters.steered import SteeredRoom
from tests.end_to_end.evidence import log_of, opened
from tests.end_to_end.room import Room
from tests.presentation.limits import payload


@dataclass(frozen=True)
class Truth:
    """A table as it is stored."""

    table: Table
    lines: list[Line]
    deadline: Deadline | None
    """What is due next."""
    direct: frozenset[int]
    """Who wants to be told of turns by direct messages."""
    has_titles: bool
    """Whether somebody holds a title since this match."""

    @property
    def person(self) -> int | None:
        """Whose turn it is."""
        return self.table.person_to_act

    @property
    def notice(self) -> Notice | None:
        """What calls whoever is to act, or all of them."""
        return notice_of(self.table, words_in("en-US"))

    @property
    def call(self) -> str | None:
        """What the call of this turn is sent under."""
        notice = self.notice
        return None if notice is None else notice.nonce

    @property
    def told_directly(self) -> int | None:
        """Who is called by a direct message."""
        notice = self.notice
        if notice is None or not notice.is_personal or self.person not in self.direct:
            return None
        return self.person

    def is_settled(self, now: int) -> bool:
        """Whether nothing more happens here before somebody does something or time passes."""
        row = self.table.row
        if row.settings.thread and row.status is Status.PLAYING and row.thread_id is None:
            return False
        return self.deadline is None or (self.deadline.kind is not DeadlineKind.AI and self.deadline.due_at > now)

    @property
    def hands(self) -> list[int]:
        """The hands that are over."""
        return [line.event.hand for line in self.lines if isinstance(line.event, HandEnded)]

    def message(self) -> str:
        """What the table's message says."""
        return "\n".join(components.texts(payload(table_message(self.table, words_in("en-US")))))


def truths(room: Room) -> dict[int, Truth]:
    """Every table in the room's channel."""
    with opened(room) as connection:
        connection.row_factory = sqlite3.Row
        connection.execute("BEGIN")  # so that all is of one moment
        direct = frozenset(person for (person,) in connection.execute(_DIRECT, (NotificationMode.DIRECT,)))
        found = {}
        for row in connection.execute(_TABLES, (room.channel.id,)).fetchall():
            seats = connection.execute(_SEATS, (row["id"],)).fetchall()
            log = log_of(connection, row["id"])
            table = Table.from_events(_row(row, seats), [line.event for line in log])
            has_titles = connection.execute("SELECT 1 FROM titles WHERE table_id = ?", (table.id,)).fetchone()
            found[table.id] = Truth(table, log, _deadline(connection, table.id), direct, has_titles is not None)
        return found


def _deadline(connection: sqlite3.Connection, number: int) -> Deadline | None:
    row = connection.execute("SELECT kind, due_at FROM deadlines WHERE table_id = ?", (number,)).fetchone()
    return None if row is None else Deadline(number, DeadlineKind(row["kind"]), row["due_at"])


_TABLES = "SELECT * FROM tables WHERE channel_id = ? ORDER BY id"
_SEATS = "SELECT * FROM seats WHERE table_id = ? ORDER BY seat"
_DIRECT = "SELECT user_id FROM users WHERE notifications = ?"
_JSON = ("options", "settings", "invited", "awaited", "removed", "pausing", "ending", "last_turn")


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


def place_of(room: Room, truth: Truth) -> Channel:
    """Where a table is shown: in the channel, or in its thread."""
    return room.guild.channels.get(truth.table.row.place_id, room.channel)


def pointers_shown(person: Person, channel: Channel, number: int) -> list[SeenMessage]:
    """The messages that say in which thread a table is played."""
    start = f"The match of table {number} is played in <#"
    return [message for message in _public(person, channel) if message.text.startswith(start)]


def celebrations_shown(person: Person, channel: Channel, number: int) -> list[SeenMessage]:
    """The messages that celebrate a table's gangs."""
    gang = re.compile(rf"{number}\.gang\d+")
    return [message for message in _public(person, channel) if gang.fullmatch(str(message.message.nonce))]


def titles_shown(person: Person, channel: Channel, number: int) -> list[SeenMessage]:
    """The messages that tell of titles that a match has won for somebody."""
    return [message for message in _public(person, channel) if str(message.message.nonce) == f"{number}.titles"]


def strays(person: Person, channel: Channel, numbers: Iterable[int]) -> list[str]:
    """What else the app has left in the channel."""
    known: set[int] = set()
    for number in numbers:
        known |= {message.id for message in tables_shown(person, channel, number)}
        known |= {message.id for message in calls_shown(person, channel, number)}
        known |= {message.id for message in pointers_shown(person, channel, number)}
        known |= {message.id for message in celebrations_shown(person, channel, number)}
        known |= {message.id for message in titles_shown(person, channel, number)}
    said = [m.id for m in _public(person, channel) if m.text.startswith("### Table ")]
    return [m.text for m in _public(person, channel) if m.id not in known.union(said)]


def what_is_wrong(truth: Truth, room: Room) -> list[str]:
    """What is shown otherwise than it is, as sentences."""
    number, wrong, person, place = truth.table.id, [], room.people[-1], place_of(room, truth)
    shown = [message.text for message in tables_shown(person, place, number)]
    if shown != [truth.message()]:
        wrong.append(f"table {number} is\n{truth.message()}\nand is shown as\n" + "\nand as\n".join(shown))
    called = [message.message.nonce for message in calls_shown(person, place, number)]
    expected = [] if truth.call is None or truth.told_directly is not None else [truth.call]
    if called != expected:
        wrong.append(f"at table {number} {expected} should be called, and {called} are")
    reports = reports_shown(person, place, number)
    if reports != [f"### Table {number} · hand {hand} is over" for hand in truth.hands]:
        wrong.append(f"the hands {truth.hands} of table {number} are over, and it is said of {reports}")
    gangs = len(celebrations_shown(person, place, number))
    if gangs != truth.table.gangs:
        wrong.append(f"{truth.table.gangs} gangs were laid at table {number}, and {gangs} are celebrated")
    titles = len(titles_shown(person, place, number))
    if not truth.has_titles <= titles <= 1:
        wrong.append(f"match {number} has won titles: {truth.has_titles}, and that is told {titles} times")
    pointers = [message.text.rpartition("is played in ")[2] for message in pointers_shown(person, room.channel, number)]
    if pointers != ([] if place is room.channel else [f"<#{place.id}>."]):
        wrong.append(f"table {number} is in #{place.name}, and people are sent to {pointers}")
    return wrong


def wrong_directly(found: Iterable[Truth], people: Iterable[Person]) -> list[str]:
    """Who is told otherwise by direct messages than it is, as sentences."""
    wrong = []
    for person in people:
        expected = [truth.call for truth in found if truth.told_directly == person.id]
        told = [message.message.nonce for message in person.direct_messages]
        if told != expected:
            wrong.append(f"{person.name} should be told directly of {expected}, and is of {told}")
    return wrong


def wrong_in(room: Room, found: Mapping[int, Truth]) -> list[str]:
    """What is shown otherwise than it is, in the channel, the threads of its tables and direct messages."""
    onlooker, tables = room.people[-1], found.values()
    places = [room.channel, *(place_of(room, truth) for truth in tables if place_of(room, truth) is not room.channel)]
    wrong = [f"{stray!r} stands there" for place in places for stray in strays(onlooker, place, found)]
    wrong += [sentence for truth in tables for sentence in what_is_wrong(truth, room)]
    return wrong + wrong_directly(tables, room.people)


async def _settled(room: SteeredRoom) -> dict[int, Truth]:
    """Wait until no AI player is to move and nothing is due; gives every table of the room's channel."""
    async with asyncio.timeout(20):
        while True:
            found = truths(room)
            if all(truth.is_settled(room.now()) for truth in found.values()):
                return found
            await asyncio.sleep(0.01)  # a file wakes nobody


async def comes_true(room: SteeredRoom, timeout: float = 20.0) -> dict[int, Truth]:  # noqa: ASYNC109  # a bound
    """Wait until everything that is shown is true; gives what it is.

    It is read again each time: that a table's message has been posted changes the table (`first_message_id`).
    """
    found = await _settled(room)

    def is_true() -> bool:
        nonlocal found
        found = truths(room)
        return not wrong_in(room, found)

    try:
        await room.people[-1].until(is_true, timeout=timeout)
    except AssertionError:
        raise AssertionError("\n\n".join([*wrong_in(room, found), room.log.read_text()[-3000:]])) from None
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
            "SELECT count(*) FROM tables"
            " WHERE displayed_revision < revision OR (notice IS NOT NULL AND notice_id IS NULL)"
        )
        return bool(found.fetchone() == (0,))


async def is_remembered(room: Room) -> None:
    """Wait until the app has noted that everything is told."""
    async with asyncio.timeout(10):
        while not has_everything_remembered(room):  # noqa: ASYNC110  # a file wakes nobody
            await asyncio.sleep(0.005)
