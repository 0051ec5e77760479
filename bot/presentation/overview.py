"""Lists for one person: the tables of a server, and its leaderboard."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Final

from bot.presentation import texts
from bot.presentation.words import Words
from bot.services.table import Table
from bot.storage.rows import Status
from bot.storage.scores import Standing

MOST: Final = 20
"""Lines of a leaderboard."""
ROOM: Final = 3400
"""Characters that these lines may take; the message has 4000."""


def overview(tables: Sequence[Table], messages: Mapping[int, int | None], user_id: int, words: Words) -> str:
    """The open tables of a server, with links to their messages."""
    if not tables:
        return words.say("No table is open in this server. `/gang new` opens one.")
    title = texts.bold(words.count("{number} open table", "{number} open tables", len(tables)))
    newest = _fitting(_table_line(table, messages[table.id], user_id, words) for table in reversed(tables))
    return "\n".join([title, *reversed(newest)])


def _fitting(lines: Iterable[str]) -> list[str]:
    """The first of the lines, as many as there is room for."""
    every = list(lines)
    return every[: bisect_right(list(accumulate(map(len, every))), ROOM)]


def _table_line(table: Table, message_id: int | None, user_id: int, words: Words) -> str:
    row = table.row
    name = words.say("Table {number}", number=table.id)
    if message_id is not None:
        name = f"[{name}](https://discord.com/channels/{row.guild_id}/{row.channel_id}/{message_id})"
    people = words.list([texts.seat_name(seat, words) for seat in table.seats]) if table.seats else ""
    facts = {"table": name, "channel": f"<#{row.channel_id}>", "people": people}
    if row.status is Status.LOBBY:
        free = row.size - len(table.seats)
        line = words.count(
            "{table} in {channel}: {people}; {number} seat free",
            "{table} in {channel}: {people}; {number} seats free",
            free,
            **facts,
        )
    elif table.turn is not None and table.seats[table.turn].person == user_id:
        line = words.say("{table} in {channel}: {people}; **it is your turn**", **facts)
    elif table.turn is not None:
        turn = texts.seat_name(table.seats[table.turn], words)
        line = words.say("{table} in {channel}: {people}; {turn} is to act", turn=turn, **facts)
    else:
        line = words.say("{table} in {channel}: {people}", **facts)
    return f"- {line}"


def leaderboard(standings: Sequence[Standing], user_id: int, words: Words) -> str:
    """A server's leaderboard, the reader's own place always among its lines."""
    if not standings:
        return words.say("No match has been finished in this server yet. `/gang new` opens a table.")
    lines = [
        "### " + words.say("Leaderboard of this server"),
        texts.small(words.say("Most wins first, then the fewest penalty points a hand.")),
    ]
    placed = list(enumerate(standings, 1))
    best = _fitting(_standing(place, line, user_id, words) for place, line in placed[:MOST])
    own = [(place, line) for place, line in placed[len(best) :] if line.user_id == user_id]
    lines += best
    lines += ["…", *(_standing(place, line, user_id, words) for place, line in own)] if own else []
    return "\n".join(lines)


def _standing(place: int, line: Standing, user_id: int, words: Words) -> str:
    name = texts.safe(line.name)
    facts = {
        "place": place,
        "name": texts.bold(words.say("{name} (you)", name=name) if line.user_id == user_id else name),
        "matches": words.count("{number} match", "{number} matches", line.matches),
        "wins": words.count("{number} win", "{number} wins", line.wins),
        "points": words.count("{number} point", "{number} points", line.points),
        "average": words.number(line.average, 1),
    }
    return words.say("{place}. {name}: {matches}, {wins}, {points}, {average} a hand", **facts)
