"""Menus for the options of a table. Each names its option, and each choice explains itself."""

from typing import Final

from bot.presentation.text import labels
from bot.presentation.text.i18n import Words
from bot.presentation.text.option_texts import OPTIONS, SWITCHES
from bot.presentation.ui.components import Row, menu, options_of
from bot.presentation.ui.custom_ids import Press

TARGETS: Final = (25, 50, 75, 100, 150, 200, 300)
BASICS: Final = ("size", "edition", "target", "last_card", "pace", "ai_level")
TABLE_SETTINGS: Final = ("late", *SWITCHES)
HOUSE_RULES: Final = ("flush_order", "forgotten", "block", "end", "tie", "deal", "cut")


def choices(name: str, target: int, words: Words) -> dict[str, str]:
    """The values of an option with the labels of its menu. The `target` is offered besides the usual ones."""
    if name == "size":
        return {size: words.say("Seats: {number}", number=size) for size in ("3", "4")}
    if name == "target":
        targets = sorted({*TARGETS, target})
        return {str(each): words.count("Target: {number} point", "Target: {number} points", each) for each in targets}
    texts = OPTIONS[name].values.items()
    return {value: labels.capitalized(words.say(text.long or text.short)) for value, text in texts}


def option_menu(press: Press, name: str, now: str, target: int, words: Words) -> Row:
    """A menu for an option whose current value is `now`."""
    texts = OPTIONS[name]
    details = {value: words.say(text.detail) for value, text in texts.values.items() if text.detail}
    return menu(press, words.say(texts.name), options_of(choices(name, target, words), now, details))
