"""Small texts that several messages share: names, options, moments."""

import re
from collections.abc import Collection
from typing import Final

import discord

from bot.analysis.rating import MIN_RATED_TARGET, CasualReason, casual_reason
from bot.engine import Options
from bot.presentation.text.i18n import Words, mark_for_translation
from bot.presentation.text.names import AI_MARK, readable
from bot.table.model import Pace, Seat, Status, TableRow, TableSettings, TimeoutPolicy
from bot.table.snapshot import Table

_MARKUP: Final = re.compile(r"[\\*_~|`<\[]|:(?=//)|^[#>-]")
"""Where Discord's markdown begins, links and mentions included."""


def safe(name: str) -> str:
    """A name, or what a user typed, for a message: readable, without markdown, links and mentions."""
    return discord.utils.escape_mentions(_MARKUP.sub(r"\\\g<0>", readable(name) or "?"))


def person_name(name: str, words: Words) -> str:
    """A person's name for a message; it is empty for a former player."""
    return safe(name) if name else words.say("a former player")


def seat_name(seat: Seat, words: Words) -> str:
    """The player of a seat, for a message."""
    name = person_name(seat.name, words)
    if seat.user_id is None and seat.name:
        return f"{AI_MARK} {name}"
    if seat.ai_level is not None:
        return words.say("{robot} for {name}", robot=AI_MARK, name=name)
    if seat.substitute_name is not None:
        return words.say("{sitter} for {name}", sitter=person_name(seat.substitute_name, words), name=name)
    return name


def names(table: Table, words: Words) -> list[str]:
    """The names of all seats, in seat order."""
    return [seat_name(seat, words) for seat in table.seats]


def plain_names(table: Table, words: Words) -> tuple[str, ...]:
    """The names of all seats where markdown isn't read: in pictures, menus and files."""
    return tuple(_plain_name(seat, words) for seat in table.seats)


def _plain_name(seat: Seat, words: Words) -> str:
    name = seat.name if seat.substitute_name is None else seat.substitute_name
    if not name:
        return words.say("a former player")
    if seat.user_id is None:
        return words.say("{name} (AI)", name=name)
    return readable(name) or "?"


def named(table: Table, people: Collection[int], words: Words) -> str:
    """The names of those `people` who play at a table or own a seat there."""
    found = []
    for seat in table.seats:
        if seat.person in people:
            found.append(seat_name(seat, words))
        if seat.is_absent and seat.user_id in people:
            found.append(person_name(seat.name, words))
    return words.list(found)


def setup(table: Table, words: Words) -> list[str]:
    """Who has agreed to what takes everybody's consent."""
    pausing, ending = (named(table, people, words) for people in (table.row.pausing, table.row.ending))
    return [
        *([words.say("For a pause: {names}.", names=pausing)] if pausing else []),
        *([words.say("For an end of the match: {names}.", names=ending)] if ending else []),
    ]


def points_so_far(table: Table, words: Words) -> list[str]:
    """The totals of a match, as one line; none before it has begun."""
    public = table.public()
    if public is None:
        return []
    totals = [
        words.say("{name} {total}", name=name, total=total)
        for name, total in zip(names(table, words), public.totals, strict=True)
    ]
    return [words.say("Points so far: {totals}.", totals=words.list(totals))]


def ended(table: Table, words: Words) -> str:
    """That nothing more can be done at a table."""
    return words.say("The match is over.") if table.row.status is Status.OVER else words.say("This table is closed.")


def bold(text: str) -> str:
    """Emphasized."""
    return f"**{text}**"


def hand_title(number: int, direction: int, words: Words) -> str:
    """Which hand, and which way round it is played (R20)."""
    if direction == 1:
        return words.say("Hand {hand} · counter-clockwise, to the right", hand=number)
    return words.say("Hand {hand} · clockwise, to the left", hand=number)


def place(number: int) -> str:
    """A number that a line begins with, before its dot; where it is told as it is, by Discord's markdown.

    Else Discord takes the lines for a list and counts them itself: 1, 2, 3 where two share the first place.
    """
    return f"{number}\\"


def capitalized(line: str) -> str:
    """The line with a capital letter at its beginning."""
    return line[:1].upper() + line[1:]


def small(text: str) -> str:
    """A line of subtext."""
    return f"-# {text}"


def relative(milliseconds: int) -> str:
    """A moment as Discord counts to it."""
    return f"<t:{milliseconds // 1000}:R>"


EDITION_NAMES: Final = {
    "days-of-wonder": mark_for_translation("Days of Wonder"),
    "dargaud-1996": mark_for_translation("Dargaud 1996"),
    "summary-sheet": mark_for_translation("Summary sheet"),
}
PACE_NAMES: Final = {
    Pace.LIVE: mark_for_translation("live: 2 minutes a turn"),
    Pace.QUICK: mark_for_translation("quick: 1 hour a turn"),
    Pace.DAY: mark_for_translation("day: 24 hours a turn"),
    Pace.SLOW: mark_for_translation("slow: 3 days a turn"),
    Pace.NONE: mark_for_translation("no time limit"),
}
TIMEOUT_POLICY_NAMES: Final = {
    TimeoutPolicy.ASK_WAIT: mark_for_translation("time is up: ask the table, else wait"),
    TimeoutPolicy.ASK_MOVE: mark_for_translation("time is up: ask the table, else make the gentlest move"),
    TimeoutPolicy.ASK_AI: mark_for_translation("time is up: ask the table, else an AI sits in"),
    TimeoutPolicy.MOVE: mark_for_translation("time is up: make the gentlest move at once"),
    TimeoutPolicy.AI: mark_for_translation("time is up: an AI sits in at once"),
}
TABLE_SETTING_NAMES: Final = {
    "undo": {
        "off": mark_for_translation("plays cannot be taken back"),
        "on": mark_for_translation("the last play can be taken back"),
    },
    "private": {
        "off": mark_for_translation("whoever likes may join"),
        "on": mark_for_translation("only invited people may join"),
    },
    "thread": {"off": mark_for_translation("in this channel"), "on": mark_for_translation("in a thread of its own")},
    "rated": {"off": mark_for_translation("casual"), "on": mark_for_translation("rated")},
}
"""What a table may choose beside the rules, apart from what happens when time is up."""
CASUAL_NAMES: Final = {
    CasualReason.AI: mark_for_translation("casual: AI players take part"),
    CasualReason.TARGET: mark_for_translation("casual: fewer than {target} points"),
    CasualReason.CHOSEN: mark_for_translation("casual"),
}
VALUE_NAMES: Final = {
    "flush_order": {
        "highest": mark_for_translation("flushes by their highest number"),
        "sum": mark_for_translation("flushes by the sum of their numbers"),
    },
    "forgotten": {
        "out": mark_for_translation('who forgets "Last card!" is out of the hand'),
        "takes_back": mark_for_translation('who forgets "Last card!" takes it back'),
    },
    "block": {
        "lead_and_follow": mark_for_translation("the block binds leads and answers"),
        "lead_only": mark_for_translation("the block binds leads only"),
    },
    "end": {
        "reach": mark_for_translation("over when the target is reached"),
        "exceed": mark_for_translation("over when the target is exceeded"),
    },
    "tie": {
        "shared": mark_for_translation("a tie is shared"),
        "deciding_hand": mark_for_translation("a tie is decided by one more hand"),
    },
    "deal": {"plain": mark_for_translation("plain deal"), "chinese": mark_for_translation("Chinese deal")},
    "cut": {
        "again": mark_for_translation("Phoenix or Dragon at the cut: cut again"),
        "counts": mark_for_translation("Phoenix or Dragon at the cut counts 3 or 4"),
    },
    "last_card": {
        "declared": mark_for_translation('"Last card!" is said by the player'),
        "automatic": mark_for_translation('"Last card!" is said automatically'),
    },
}
"""Every option but the target: its values in words."""


_ON: Final = "on"


def goal(target: int, words: Words) -> str:
    """How many points end a match."""
    return words.count("to {number} point", "to {number} points", target)


def rules_line(row: TableRow, words: Words) -> str:
    """By which rules is played, in one line: the edition, the target, the last card, and what is set otherwise."""
    options, preset = row.options.as_dict(), Options.of(row.edition).as_dict()
    otherwise = [name for name in VALUE_NAMES if name != "last_card" and options[name] != preset[name]]
    parts = [
        words.say(EDITION_NAMES[row.edition]),
        goal(row.options.target, words),
        words.say(VALUE_NAMES["last_card"][row.options.last_card]),
        *(words.say(VALUE_NAMES[name][str(options[name])]) for name in otherwise),
    ]
    return " · ".join(parts)


def rated_text(row: TableRow, words: Words) -> str:
    """The match is rated, or why it is not."""
    why = casual_reason(row)
    if why is None:
        return words.say(TABLE_SETTING_NAMES["rated"][_ON])
    return words.say(CASUAL_NAMES[why], target=words.number(MIN_RATED_TARGET))


def options_line(table: Table, words: Words) -> str:
    """One line: the rules, the pace, what else the table has chosen, and whether it is rated."""
    row, chosen = table.row, ("undo", "private", "thread")
    parts = [
        rules_line(row, words),
        words.say(PACE_NAMES[row.pace]),
        *(
            []
            if row.settings.on_timeout is TableSettings().on_timeout
            else [words.say(TIMEOUT_POLICY_NAMES[row.settings.on_timeout])]
        ),
        *(words.say(TABLE_SETTING_NAMES[custom][_ON]) for custom in chosen if getattr(row.settings, custom)),
        rated_text(row, words),
    ]
    return " · ".join(parts)
