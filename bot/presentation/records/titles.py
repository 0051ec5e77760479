"""Titles of a server: what they are called, what they are held for, and when they change hands."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import discord

from bot.analysis.titles import HeldTitle, Title, TitleChange
from bot.presentation.text import labels
from bot.presentation.text.i18n import Words, mark_for_translation
from bot.presentation.ui.custom_ids import layout

MARK: Final = "🏅"
ACCENT: Final = 0xE0A526
NAMES: Final = {
    Title.GANGS: mark_for_translation("The Gang Crown"),
    Title.BREAKER: mark_for_translation("The Gang Hammer"),
    Title.STREAK: mark_for_translation("The Laurel Wreath"),
    Title.COMEBACKS: mark_for_translation("The Second Wind"),
    Title.KINDEST: mark_for_translation("The Golden Gift"),
    Title.FIST: mark_for_translation("The Iron Fist"),
    Title.FEARED: mark_for_translation("The Padlock"),
    Title.FORGETFUL: mark_for_translation("The Knot in the Handkerchief"),
}


def gangs(number: int, words: Words) -> str:
    """How many were laid."""
    return words.count("{number} gang laid", "{number} gangs laid", number)


def beaten(number: int, words: Words) -> str:
    """How many of others."""
    return words.count("{number} gang beaten with a gang", "{number} gangs beaten with gangs", number)


def in_a_row(number: int, words: Words) -> str:
    """How many matches."""
    return words.count("{number} match won in a row", "{number} matches won in a row", number)


def comebacks(number: int, words: Words) -> str:
    """How many matches."""
    return words.count(
        "{number} match won from last place at half-time", "{number} matches won from last place at half-time", number
    )


def dealt_out(number: int, words: Words) -> str:
    """How many points."""
    return words.count(
        "{number} point for the others in one hand", "{number} points for the others in one hand", number
    )


def blocked(number: int, words: Words) -> str:
    """How often."""
    return words.count("last card blocked {number} time", "last card blocked {number} times", number)


def forgot(number: int, words: Words) -> str:
    """How often."""
    return words.count('"Last card!" forgotten {number} time', '"Last card!" forgotten {number} times', number)


def _kindness(rank: float, words: Words) -> str:
    return words.say("cards given back to losers: rank {rank} on average", rank=words.number(rank, 1))


_COUNTS: Final[Mapping[Title, Callable[[int, Words], str]]] = {
    Title.GANGS: gangs,
    Title.BREAKER: beaten,
    Title.STREAK: in_a_row,
    Title.COMEBACKS: comebacks,
    Title.FIST: dealt_out,
    Title.FEARED: blocked,
    Title.FORGETFUL: forgot,
}


def _value(title: Title, value: float, words: Words) -> str:
    """What somebody holds a title for."""
    return _kindness(value, words) if title is Title.KINDEST else _COUNTS[title](round(value), words)


def titles_lines(held: Mapping[str, HeldTitle], words: Words) -> list[str]:
    """Every title of a server and who holds it."""
    lines = []
    for title, name in NAMES.items():
        what = words.say("nobody yet")
        if title in held:
            holder = held[title]
            facts = {
                "name": labels.bold(labels.person_name(holder.name, words)),
                "value": _value(title, holder.value, words),
            }
            what = words.say("{name} ({value})", **facts)
        lines.append(f"{MARK} " + words.say("{name}: {what}", name=words.say(name), what=what))
    return lines


def titles_of(user_id: int, held: Mapping[str, HeldTitle], words: Words) -> str:
    """The titles that somebody holds, in a line; empty if there is none."""
    own = [words.say(name) for title, name in NAMES.items() if title in held and held[title].user_id == user_id]
    return f"{MARK} {words.list(own)}" if own else ""


def change_message(changes: Sequence[TitleChange], words: Words) -> discord.ui.LayoutView:
    """What the channel of a match is told of the titles that it has won for somebody."""
    lines = [f"### {MARK} " + words.say("Titles change hands")]
    lines += [_change(change, words) for change in changes]
    return layout(discord.ui.Container(discord.ui.TextDisplay("\n".join(lines)), accent_color=ACCENT))


def _change(change: TitleChange, words: Words) -> str:
    title = Title(change.title)
    facts = {
        "title": labels.bold(words.say(NAMES[title])),
        "name": labels.bold(labels.person_name(change.name, words)),
        "value": _value(title, change.value, words),
    }
    if change.before is None:
        return words.say("{title} goes to {name}: {value}.", **facts)
    return words.say(
        "{title} goes from {before} to {name}: {value}.", before=labels.person_name(change.before, words), **facts
    )
