"""The titles of a guild: names, reasons, and the message when they change hands."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import discord

from bot.analysis.titles import HeldTitle, Title, TitleChange
from bot.presentation.text import labels
from bot.presentation.text.i18n import Words, translatable
from bot.presentation.ui.custom_ids import layout

TITLE_MARK: Final = "🏅"
ACCENT: Final = 0xE0A526
NAMES: Final = {
    Title.GANGS: translatable("The Gang Crown"),
    Title.BREAKER: translatable("The Gang Hammer"),
    Title.STREAK: translatable("The Laurel Wreath"),
    Title.COMEBACKS: translatable("The Second Wind"),
    Title.KINDEST: translatable("The Golden Gift"),
    Title.FIST: translatable("The Iron Fist"),
    Title.FEARED: translatable("The Padlock"),
    Title.FORGETFUL: translatable("The Knot in the Handkerchief"),
}


def gangs_text(number: int, words: Words) -> str:
    """The number of gangs that a player has played."""
    return words.count("{number} gang laid", "{number} gangs laid", number)


def beaten_text(number: int, words: Words) -> str:
    """The number of gangs that a player has beaten with gangs."""
    return words.count("{number} gang beaten with a gang", "{number} gangs beaten with gangs", number)


def streak_text(number: int, words: Words) -> str:
    """The number of matches won in a row."""
    return words.count("{number} match won in a row", "{number} matches won in a row", number)


def comebacks_text(number: int, words: Words) -> str:
    """The number of matches won after last place at half-time."""
    return words.count(
        "{number} match won from last place at half-time", "{number} matches won from last place at half-time", number
    )


def points_dealt_text(number: int, words: Words) -> str:
    """The points that other players got in one hand."""
    return words.count(
        "{number} point for the others in one hand", "{number} points for the others in one hand", number
    )


def blocked_text(number: int, words: Words) -> str:
    """The number of blocked last cards."""
    return words.count("last card blocked {number} time", "last card blocked {number} times", number)


def forgot_text(number: int, words: Words) -> str:
    """The number of forgotten "Last card!" calls."""
    return words.count('"Last card!" forgotten {number} time', '"Last card!" forgotten {number} times', number)


def _kindness_text(rank: float, words: Words) -> str:
    return words.say("cards given back to losers: rank {rank} on average", rank=words.number(rank, 1))


_VALUE_TEXTS: Final[Mapping[Title, Callable[[int, Words], str]]] = {
    Title.GANGS: gangs_text,
    Title.BREAKER: beaten_text,
    Title.STREAK: streak_text,
    Title.COMEBACKS: comebacks_text,
    Title.FIST: points_dealt_text,
    Title.FEARED: blocked_text,
    Title.FORGETFUL: forgot_text,
}


def _value_text(title: Title, value: float, words: Words) -> str:
    """The reason why a player holds a title."""
    return _kindness_text(value, words) if title is Title.KINDEST else _VALUE_TEXTS[title](round(value), words)


def titles_lines(held: Mapping[str, HeldTitle], words: Words) -> list[str]:
    """Every title of a guild and its holder."""
    lines = []
    for title, name in NAMES.items():
        what = words.say("nobody yet")
        if title in held:
            holder = held[title]
            facts = {
                "name": labels.bold(labels.player_name(holder.name, words)),
                "value": _value_text(title, holder.value, words),
            }
            what = words.say("{name} ({value})", **facts)
        lines.append(f"{TITLE_MARK} " + words.say("{name}: {what}", name=words.say(name), what=what))
    return lines


def titles_of(user_id: int, held: Mapping[str, HeldTitle], words: Words) -> str:
    """The titles of a user in one line, or an empty string."""
    own = [words.say(name) for title, name in NAMES.items() if title in held and held[title].user_id == user_id]
    return f"{TITLE_MARK} {words.list(own)}" if own else ""


def title_changes_message(changes: Sequence[TitleChange], words: Words) -> discord.ui.LayoutView:
    """The titles that changed hands after a match."""
    lines = [f"### {TITLE_MARK} " + words.say("Titles change hands")]
    lines += [_change(change, words) for change in changes]
    return layout(discord.ui.Container(discord.ui.TextDisplay("\n".join(lines)), accent_color=ACCENT))


def _change(change: TitleChange, words: Words) -> str:
    title = Title(change.title)
    facts = {
        "title": labels.bold(words.say(NAMES[title])),
        "name": labels.bold(labels.player_name(change.name, words)),
        "value": _value_text(title, change.value, words),
    }
    if change.before is None:
        return words.say("{title} goes to {name}: {value}.", **facts)
    return words.say(
        "{title} goes from {before} to {name}: {value}.", before=labels.player_name(change.before, words), **facts
    )
