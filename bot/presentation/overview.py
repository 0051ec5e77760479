"""Lists for one person: the tables of a server, and what waits."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Final

from bot.presentation import texts
from bot.presentation.words import Words, noted
from bot.services.table import Table
from bot.services.waiting import Wait, waits
from bot.storage.rows import Status

ROOM: Final = 3400
"""Characters that these lines may take; the message has 4000."""


def overview(tables: Sequence[Table], messages: Mapping[int, int | None], user_id: int, words: Words) -> str:
    """The open tables of a server, with links to their messages."""
    if not tables:
        return words.say("No table is open in this server. `/gang new` opens one.")
    title = texts.bold(words.count("{number} open table", "{number} open tables", len(tables)))
    newest = fitting(_table_line(table, messages[table.id], user_id, words) for table in reversed(tables))
    return "\n".join([title, *reversed(newest)])


def fitting(lines: Iterable[str]) -> list[str]:
    """The first of the lines, as many as there is room for."""
    every = list(lines)
    return every[: bisect_right(list(accumulate(map(len, every))), ROOM)]


def _table_line(table: Table, message_id: int | None, user_id: int, words: Words) -> str:
    row = table.row
    name = _linked(table, message_id, words)
    people = words.list([texts.seat_name(seat, words) for seat in table.seats]) if table.seats else ""
    facts = {"table": name, "channel": f"<#{row.place_id}>", "people": people}
    if row.status is Status.LOBBY:
        free = row.size - len(table.seats)
        line = words.count(
            "{table} in {channel}: {people}; {number} seat free",
            "{table} in {channel}: {people}; {number} seats free",
            free,
            **facts,
        )
    elif table.person_to_act == user_id:
        line = words.say("{table} in {channel}: {people}; **it is your turn**", **facts)
    elif table.turn is not None:
        turn = texts.seat_name(table.seats[table.turn], words)
        line = words.say("{table} in {channel}: {people}; {turn} is to act", turn=turn, **facts)
    else:
        line = words.say("{table} in {channel}: {people}", **facts)
    return f"- {line}"


def _linked(table: Table, message_id: int | None, words: Words) -> str:
    """The name of a table, with a link to its message where that is known."""
    name = words.say("Table {number}", number=table.id)
    if message_id is None:
        return name
    return f"[{name}](https://discord.com/channels/{table.row.guild_id}/{table.row.place_id}/{message_id})"


def turns(tables: Sequence[Table], messages: Mapping[int, int | None], user_id: int, words: Words) -> str:
    """What waits for the reader at these tables, in the order in which they come."""
    if not tables:
        return words.say("Nothing in this server waits for you. `/gang list` shows its tables.")
    title = texts.bold(words.count("{number} table waits for you", "{number} tables wait for you", len(tables)))
    lines = (_wait(wait, table, messages[table.id], words) for table in tables for wait in waits(table, user_id))
    return "\n".join([title, *fitting(lines)])


_WAITS: Final = {
    Wait.START: noted("{table} in {channel}: all seats are taken, and you can start"),
    Wait.REMATCH: noted("{table} in {channel}: the rematch begins when you have joined"),
    Wait.INVITATION: noted("{table} in {channel}: you are invited"),
    Wait.TURN: noted("{table} in {channel}: **it is your turn**"),
    Wait.SEAT: noted("{table} in {channel}: somebody sits in for you; **I am back** gives you your seat again"),
    Wait.QUESTION: noted("{table} in {channel}: the time of {late} is up; you can say what the table does"),
    Wait.PAUSE: noted("{table} in {channel}: for a pause: {pausing}; under **More** you can agree"),
    Wait.END: noted("{table} in {channel}: for an end of the match: {ending}; under **More** you can agree"),
}


def _wait(wait: Wait, table: Table, message_id: int | None, words: Words) -> str:
    """One thing that waits for the reader."""
    row = table.row
    facts = {
        "table": _linked(table, message_id, words),
        "channel": f"<#{row.place_id}>",
        "late": "" if table.turn is None else texts.names(table, words)[table.turn],
        "pausing": texts.named(table, row.pausing, words),
        "ending": texts.named(table, row.ending, words),
    }
    if wait is Wait.TURN and row.clock is not None and row.clock.due is not None:
        when = texts.relative(row.clock.due)
        return "- " + words.say("{table} in {channel}: **it is your turn**, deadline {when}", when=when, **facts)
    return "- " + words.say(_WAITS[wait], **facts)
