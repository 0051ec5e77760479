"""Compare what a channel should show, computed from the database alone, with what it shows."""

import asyncio
import json
import re
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from bot.analysis.gangs import gang_plays
from bot.analysis.hand_reports import hand_reports
from bot.analysis.highlights import highlight
from bot.engine.events import HandEnded
from bot.engine.record import Line
from bot.presentation.channel.gang_announcer import gang_nonce
from bot.presentation.channel.notices import ChannelNotice, current_notice
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
from tests.end_to_end.app_harness import AppHarness
from tests.end_to_end.inspection import app_database, log_of
from tests.presentation.sent_messages import payload


@dataclass(frozen=True)
class ExpectedState:
    """A stored table, and what should be displayed of it."""

    table: Table
    lines: list[Line]
    deadline: Deadline | None
    """The next deadline."""
    direct: frozenset[int]
    """The users who chose direct messages."""
    has_titles: bool
    """True if a title was won in this match."""
    winners: frozenset[int] | None
    """The seats that have won on leaderboards; None without a result."""

    @property
    def user_to_act(self) -> int | None:
        """The user to act; None for an AI player."""
        return self.table.user_to_act

    @cached_property
    def notice(self) -> ChannelNotice | None:
        """The notice of the turn."""
        return current_notice(self.table, words_in("en-US"))

    @property
    def nonce(self) -> str | None:
        """The nonce of the notice."""
        notice = self.notice
        return None if notice is None else notice.nonce

    @property
    def direct_recipient(self) -> int | None:
        """The person who gets the notice as a direct message."""
        notice = self.notice
        if notice is None or not notice.is_personal or self.user_to_act not in self.direct:
            return None
        return self.user_to_act

    def is_settled(self, now: int) -> bool:
        """True if nothing more happens until a person acts or time passes."""
        row = self.table.row
        if row.settings.thread and row.status is Status.PLAYING and row.thread_id is None:
            return False
        return self.deadline is None or (self.deadline.kind is not DeadlineKind.AI and self.deadline.due_at > now)

    @property
    def hands(self) -> list[int]:
        """The numbers of the finished hands."""
        return [line.event.hand for line in self.lines if isinstance(line.event, HandEnded)]

    @property
    def celebrations(self) -> list[str]:
        """The nonce of the message about the latest gang of a person in the present hand, if there is one."""
        if self.table.is_gang_undone:
            return []
        gangs = enumerate(gang_plays([line.event for line in self.lines], None), 1)
        present = [(gang, number) for number, gang in gangs if gang.hand > self.table.hands_over and not gang.by_ai]
        return [gang_nonce(self.table, gang, number) for gang, number in present[-1:]]

    def message(self) -> str:
        """The text that the table's message should have."""
        public, moment = self.table.public, None
        if self.table.row.status is Status.OVER and public is not None and public.ranking:
            moment = highlight([*hand_reports([line.event for line in self.lines])], public.ranking[0])
        view = table_message(self.table, words_in("en-US"), self.winners, moment)
        return "\n".join(components.texts(payload(view)))


def expected_states(harness: AppHarness) -> dict[int, ExpectedState]:
    """The expected state of every table in the harness's channel, by number."""
    with app_database(harness) as connection:
        connection.row_factory = sqlite3.Row
        connection.execute("BEGIN")  # a consistent snapshot
        direct = frozenset(person for (person,) in connection.execute(_DIRECT, (NotificationMode.DIRECT,)))
        found = {}
        for row in connection.execute(_TABLES, (harness.channel.id,)).fetchall():
            seats = connection.execute(_SEATS, (row["id"],)).fetchall()
            log = log_of(connection, row["id"])
            table = Table(_row(row, seats)).after(line.event for line in log)
            has_titles = connection.execute("SELECT 1 FROM titles WHERE table_id = ?", (table.id,)).fetchone()
            deadline, winners = _deadline(connection, table.id), _winners(connection, table.id)
            found[table.id] = ExpectedState(table, log, deadline, direct, has_titles is not None, winners)
        return found


def _winners(connection: sqlite3.Connection, number: int) -> frozenset[int] | None:
    rows = connection.execute("SELECT seat, place = 1 AND NOT absent FROM match_players WHERE table_id = ?", (number,))
    results = rows.fetchall()
    return frozenset(seat for seat, has_won in results if has_won) if results else None


def _deadline(connection: sqlite3.Connection, number: int) -> Deadline | None:
    row = connection.execute("SELECT kind, due_at FROM deadlines WHERE table_id = ?", (number,)).fetchone()
    return None if row is None else Deadline(number, DeadlineKind(row["kind"]), row["due_at"])


GREETING = "### 👋 Gang of Four is here"
"""The first line of the app's first message in a server."""
_TABLES = "SELECT * FROM tables WHERE channel_id = ? ORDER BY id"
_SEATS = "SELECT * FROM seats WHERE table_id = ? ORDER BY seat"
_DIRECT = "SELECT user_id FROM users WHERE notifications = ?"
_JSON = ("options", "settings", "invited", "awaited", "removed", "pausing", "ending", "last_turn")


def _row(row: sqlite3.Row, seats: Iterable[sqlite3.Row]) -> TableRow:
    """A table with its seed, as actions get it."""
    values = {**row, **{name: json.loads(row[name]) for name in _JSON}}
    return replace(from_rows(values, [dict(seat) for seat in seats]), seed=row["seed"])


def _public(person: Person, channel: Channel) -> list[SeenMessage]:
    return [message for message in person.sees(channel) if not message.ephemeral]


def tables_shown(person: Person, channel: Channel, number: int) -> list[SeenMessage]:
    """The messages of a table."""
    title = f"### Gang of Four · table {number}"
    return [message for message in _public(person, channel) if message.text.splitlines()[:1] == [title]]


def pings_shown(person: Person, channel: Channel, number: int) -> list[SeenMessage]:
    """The turn notices of a table."""
    return _with_nonce(person, channel, rf"{number}\.\d+\.\w+")


def _with_nonce(person: Person, channel: Channel, pattern: str) -> list[SeenMessage]:
    return [each for each in _public(person, channel) if re.fullmatch(pattern, nonce_of(each))]


def nonce_of(message: SeenMessage) -> str:
    """The nonce without the place."""
    return str(message.message.nonce).partition("@")[0]


def _starting(person: Person, channel: Channel, start: str) -> list[str]:
    """The first lines of the messages that begin with a text."""
    return [each.text.splitlines()[0] for each in _public(person, channel) if each.text.startswith(start)]


def place_of(harness: AppHarness, expected: ExpectedState) -> Channel:
    """The channel or thread in which a table is shown."""
    return harness.guild.channels.get(expected.table.row.place_id, harness.channel)


def _unexpected_messages(person: Person, channel: Channel, numbers: Iterable[int]) -> list[str]:
    """The texts of the messages in the channel that belong to no table."""
    ids = "|".join(map(str, numbers))
    nonce = re.compile(rf"({ids})\.(\d+\.\w+|gang\d+|titles)")
    text = re.compile(
        rf"### Gang of Four · table ({ids})$|The match of table ({ids}) is played in <#|### Table |{GREETING}",
        re.MULTILINE,
    )
    others = [message for message in _public(person, channel) if not nonce.fullmatch(nonce_of(message))]
    return [message.text for message in others if not text.match(message.text)]


def display_errors(expected: ExpectedState, harness: AppHarness) -> list[str]:
    """Differences between a table and its display, as sentences."""
    number, wrong, person, place = expected.table.id, [], harness.people[-1], place_of(harness, expected)
    shown = [message.text for message in tables_shown(person, place, number)]
    if shown != [expected.message()]:
        wrong.append(f"table {number} is\n{expected.message()}\nand is shown as\n" + "\nand as\n".join(shown))
    called = [nonce_of(message) for message in pings_shown(person, place, number)]
    nonces = [] if expected.nonce is None or expected.direct_recipient is not None else [expected.nonce]
    if called != nonces:
        wrong.append(f"table {number} should have the notices {nonces} and has {called}")
    reports = _starting(person, place, f"### Table {number} · hand ")
    if reports != [f"### Table {number} · hand {hand} is over" for hand in expected.hands[-1:]]:
        wrong.append(f"hands {expected.hands} of table {number} are over, and {reports} are reported")
    gangs = [nonce_of(message) for message in _with_nonce(person, place, rf"{number}\.gang\d+")]
    if gangs != expected.celebrations:
        wrong.append(f"{gangs} celebrate gangs of table {number} instead of {expected.celebrations}")
    titles = len(_with_nonce(person, place, rf"{number}\.titles"))
    if not expected.has_titles <= titles <= 1:
        wrong.append(f"match {number} has won titles: {expected.has_titles}, and they are announced {titles} times")
    links = _starting(person, harness.channel, f"The match of table {number} ")
    if links != ([] if place is harness.channel else [f"The match of table {number} is played in <#{place.id}>."]):
        wrong.append(f"table {number} is in #{place.name}, and the links are {links}")
    return wrong


def direct_message_errors(found: Iterable[ExpectedState], people: Iterable[Person]) -> list[str]:
    """Differences in direct messages, as sentences."""
    wrong = []
    for person in people:
        nonces = [each.nonce for each in found if each.direct_recipient == person.id]
        shown = [nonce_of(message) for message in person.direct_messages]
        if shown != nonces:
            wrong.append(f"{person.name} should have the direct messages {nonces} and has {shown}")
    return wrong


def all_display_errors(harness: AppHarness, found: Mapping[int, ExpectedState]) -> list[str]:
    """Differences in the channel, its threads and direct messages."""
    onlooker, tables = harness.people[-1], found.values()
    places = [
        harness.channel,
        *(place_of(harness, expected) for expected in tables if place_of(harness, expected) is not harness.channel),
    ]
    wrong = [
        f"unexpected message: {stray!r}" for place in places for stray in _unexpected_messages(onlooker, place, found)
    ]
    wrong += [sentence for expected in tables for sentence in display_errors(expected, harness)]
    return wrong + direct_message_errors(tables, harness.people)


async def _settled(harness: AppHarness) -> dict[int, ExpectedState]:
    """Wait until no AI player is to move and nothing is due. Returns the expected states."""
    async with asyncio.timeout(20):
        while True:
            found = expected_states(harness)
            if all(expected.is_settled(harness.now()) for expected in found.values()):
                return found
            await asyncio.sleep(0.01)  # a file can only be polled


async def wait_until_displayed(harness: AppHarness, timeout: float = 20.0) -> dict[int, ExpectedState]:  # noqa: ASYNC109  # a bound
    """Wait until everything is displayed as expected. Returns the expected states.

    They're read again each time, since posting a table's message changes the table (`first_message_id`).
    """
    found = await _settled(harness)

    def is_displayed() -> bool:
        nonlocal found
        found = expected_states(harness)
        return not all_display_errors(harness, found)

    try:
        await harness.people[-1].until(is_displayed, timeout=timeout)
    except AssertionError:
        raise AssertionError(
            "\n\n".join([*all_display_errors(harness, found), harness.log.read_text()[-3000:]])
        ) from None
    return found


def ping_counts(person: Person) -> dict[str, int]:
    """The number of times a person was pinged by each notice, by nonce; deleted notices count too."""
    heard: dict[str, int] = {}
    for ping in person.pings:
        nonce = nonce_of(ping)
        heard[nonce] = heard.get(nonce, 0) + 1
    return heard


def is_everything_recorded(harness: AppHarness) -> bool:
    """True if the app has recorded that everything is displayed, and the ids of its notices."""
    with app_database(harness) as connection:
        found = connection.execute(
            "SELECT count(*) FROM tables"
            " WHERE displayed_revision < revision OR (notice IS NOT NULL AND notice_id IS NULL)"
        )
        return bool(found.fetchone() == (0,))


async def wait_until_recorded(harness: AppHarness) -> None:
    """Wait until the app has recorded that everything is displayed."""
    async with asyncio.timeout(10):
        while not is_everything_recorded(harness):  # noqa: ASYNC110  # a file can only be polled
            await asyncio.sleep(0.005)
