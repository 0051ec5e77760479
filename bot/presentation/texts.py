"""Small texts that several messages share: names, options, moments."""

import re
from typing import Final

import discord

from bot.engine import EDITIONS, Options
from bot.presentation.words import Words
from bot.services.table import Table
from bot.storage.rows import Pace, Seat

ROBOT_MARK: Final = "🤖"
LONGEST_NAME: Final = 32
"""Discord's display names are no longer; four fit on a line of a message."""
_INVISIBLE: Final = re.compile("[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
"""Marks of direction, which would turn the rest of a line around, and characters without width."""
_MARKUP: Final = re.compile(r"[\\*_~|`<\[]|:(?=//)|^[#>-]")
"""Where Discord's markdown begins, links and mentions included."""


def safe(name: str) -> str:
    """A display name that formats nothing, mentions nobody and turns no text around."""
    plain = re.sub(r"\s+", " ", _INVISIBLE.sub("", name)).strip()[:LONGEST_NAME] or "?"
    return discord.utils.escape_mentions(_MARKUP.sub(r"\\\g<0>", plain))


def seat_name(seat: Seat, words: Words) -> str:
    """Who plays a seat."""
    name = safe(seat.name)
    if seat.robot is None:
        return name
    if seat.user_id is None:
        return f"{ROBOT_MARK} {name}"
    return words.say("{robot} for {name}", robot=ROBOT_MARK, name=name)


def names(table: Table, words: Words) -> list[str]:
    """The names of all seats, in seat order."""
    return [seat_name(seat, words) for seat in table.seats]


def bold(text: str) -> str:
    """Emphasized."""
    return f"**{text}**"


def small(text: str) -> str:
    """A line of subtext."""
    return f"-# {text}"


def relative(milliseconds: int) -> str:
    """A moment as Discord counts to it."""
    return f"<t:{milliseconds // 1000}:R>"


def edition_name(edition: str, words: Words) -> str:
    """An edition as a choice."""
    return {
        "days-of-wonder": words.say("Days of Wonder"),
        "dargaud-1996": words.say("Dargaud 1996"),
        "summary-sheet": words.say("Summary sheet"),
    }[edition]


def pace_name(pace: Pace, words: Words) -> str:
    """A pace as a choice."""
    return {
        Pace.LIVE: words.say("live: 2 minutes a turn"),
        Pace.QUICK: words.say("quick: 1 hour a turn"),
        Pace.DAY: words.say("day: 24 hours a turn"),
        Pace.SLOW: words.say("slow: 3 days a turn"),
        Pace.NONE: words.say("no time limit"),
    }[pace]


def value_name(option: str, value: object, words: Words) -> str:
    """The value of an option in words."""
    return {
        ("flush_order", "highest"): words.say("flushes by their highest number"),
        ("flush_order", "sum"): words.say("flushes by the sum of their numbers"),
        ("forgotten", "out"): words.say('who forgets "Last card!" is out of the hand'),
        ("forgotten", "takes_back"): words.say('who forgets "Last card!" takes it back'),
        ("block", "lead_and_follow"): words.say("the block binds leads and answers"),
        ("block", "lead_only"): words.say("the block binds leads only"),
        ("end", "reach"): words.say("over when the target is reached"),
        ("end", "exceed"): words.say("over when the target is exceeded"),
        ("tie", "shared"): words.say("a tie is shared"),
        ("tie", "deciding_hand"): words.say("a tie is decided by one more hand"),
        ("deal", "plain"): words.say("plain deal"),
        ("deal", "chinese"): words.say("Chinese deal"),
        ("cut", "again"): words.say("Phoenix or Dragon at the cut: cut again"),
        ("cut", "counts"): words.say("Phoenix or Dragon at the cut counts 3 or 4"),
        ("last_card", "declared"): words.say('"Last card!" is said by the player'),
        ("last_card", "automatic"): words.say('"Last card!" is said automatically'),
    }.get((option, str(value)), str(value))


def options_line(table: Table, words: Words) -> str:
    """What is played, in one line: the edition, the target, the last card, the pace, and what is set otherwise."""
    row = table.row
    preset = Options.of(row.edition)
    parts = [
        edition_name(row.edition, words),
        words.say("to {target} points", target=row.options.target),
        value_name("last_card", row.options.last_card, words),
        pace_name(row.pace, words),
    ]
    parts += [
        value_name(name, value, words)
        for name, value in row.options.as_dict().items()
        if name not in ("target", "last_card") and value != getattr(preset, name)
    ]
    return " · ".join(parts)


def editions(words: Words) -> dict[str, str]:
    """Every edition and its name."""
    return {edition: edition_name(edition, words) for edition in EDITIONS}
