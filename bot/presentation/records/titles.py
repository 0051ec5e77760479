"""The titles of a guild: names, reasons, and the message about new ones."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.analysis.titles import MIN_GIFTS, HeldTitle, Title, TitleChange, least_value
from bot.presentation.text import labels
from bot.presentation.text.i18n import Words, translatable, translatable_plural
from bot.presentation.ui.components import GOLD, Box, Layout

TITLE_MARK: Final = "🏅"
NAMES: Final = {
    Title.GANGS: translatable("The Gang Crown"),
    Title.BREAKER: translatable("The Gang Hammer"),
    Title.STREAK: translatable("The Laurel Wreath"),
    Title.COMEBACKS: translatable("The Second Wind"),
    Title.KINDEST: translatable("The Golden Gift"),
    Title.FIST: translatable("The Iron Fist"),
    Title.FEARED: translatable("The Padlock"),
    Title.FORGETFUL: translatable("The String Round the Finger"),
}
HOW_TO_WIN: Final = {
    Title.GANGS: translatable("Play the most gangs, at least {least}"),
    Title.BREAKER: translatable("Beat the most gangs with gangs, at least {least}"),
    Title.STREAK: translatable("Win the most matches in a row, at least {least}"),
    Title.COMEBACKS: translatable("Win the most matches from last place at half-time, at least {least}"),
    Title.KINDEST: translatable("Give back the highest cards on average, at least {gifts} of them"),
    Title.FIST: translatable("Win a hand that costs the others the most points, at least {least}"),
    Title.FEARED: translatable("Make others block your last card most often, at least {least} times"),
    Title.FORGETFUL: translatable('Forget "Last card!" most often, at least {least} times'),
}


_VALUE_TEXTS: Final = {
    Title.GANGS: translatable_plural("{number} gang played", "{number} gangs played"),
    Title.BREAKER: translatable_plural("{number} gang beaten with a gang", "{number} gangs beaten with gangs"),
    Title.STREAK: translatable_plural("{number} match won in a row", "{number} matches won in a row"),
    Title.COMEBACKS: translatable_plural(
        "{number} match won from last place at half-time", "{number} matches won from last place at half-time"
    ),
    Title.FIST: translatable_plural(
        "{number} point for the others in one hand", "{number} points for the others in one hand"
    ),
    Title.FEARED: translatable_plural("last card blocked {number} time", "last card blocked {number} times"),
    Title.FORGETFUL: translatable_plural(
        '"Last card!" forgotten {number} time', '"Last card!" forgotten {number} times'
    ),
}


def value_text(title: Title, value: float, words: Words) -> str:
    """The value that a title is awarded for: a rank for the kindest player, otherwise a number."""
    if title is Title.KINDEST:
        return words.say("cards given back to losers: rank {rank} on average", rank=words.number(value, 1))
    return words.count(*_VALUE_TEXTS[title], round(value))


def titles_lines(held: Mapping[str, HeldTitle], words: Words) -> list[str]:
    """Every title of a guild, its holder, and how to win it."""
    lines = []
    for title, name in NAMES.items():
        what = words.say("nobody yet")
        if title in held:
            holder = held[title]
            facts = {
                "name": labels.bold(labels.player_name(holder.name, words)),
                "value": value_text(title, holder.value, words),
            }
            what = words.say("{name} ({value})", **facts)
        how = words.say(HOW_TO_WIN[title], least=least_value(title), gifts=MIN_GIFTS)
        lines.append(f"{TITLE_MARK} " + words.say("{name}: {what}", name=words.say(name), what=what))
        lines.append(labels.small(how))
    return lines


def titles_of(user_id: int, held: Mapping[str, HeldTitle], words: Words) -> str:
    """The titles of a user in one line, or an empty string."""
    own = [words.say(name) for title, name in NAMES.items() if title in held and held[title].user_id == user_id]
    return f"{TITLE_MARK} {words.list(own)}" if own else ""


def title_changes_message(changes: Sequence[TitleChange], words: Words) -> Layout:
    """The titles that changed hands after a match."""
    lines = [f"### {TITLE_MARK} " + words.say("New titles")]
    lines += [_change(change, words) for change in changes]
    return Layout(Box(GOLD, "\n".join(lines)))


def _change(change: TitleChange, words: Words) -> str:
    title = Title(change.title)
    facts = {
        "title": labels.bold(words.say(NAMES[title])),
        "name": labels.bold(labels.player_name(change.name, words)),
        "value": value_text(title, change.value, words),
    }
    if change.before is None:
        return words.say("{title} goes to {name}: {value}.", **facts)
    return words.say(
        "{title} goes from {before} to {name}: {value}.", before=labels.player_name(change.before, words), **facts
    )
