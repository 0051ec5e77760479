"""Buttons of several screens: they open a table as a page, its rules, or one rule."""

from typing import Final

from bot.engine import Options
from bot.engine.options import CHOICES, DEFAULT_EDITION
from bot.presentation.text.i18n import Words
from bot.presentation.ui.components import Button, button
from bot.presentation.ui.custom_ids import InvalidCustomId, Press, Verb

BRIEF: Final = "brief"
"""The first page of the rules."""


def open_table_buttons(table: int, words: Words) -> list[Button]:
    """The button that opens a table as a page, if the host has set up the page."""
    return [button(Press(Verb.OPEN_TABLE, table), words.say("Open the table"))] if words.has_page else []


def rules_button(options: Options, words: Words) -> Button:
    """A button that opens the rules of a table with these options."""
    return button(Press(Verb.RULES, arguments=(BRIEF, code_of(options))), words.say("Rules"))


def why_button(rule: str, words: Words, options: Options | None = None) -> Button:
    """A button that opens a rule, as it holds at a table with these options."""
    return button(Press(Verb.WHY, arguments=(rule, code_of(options))), words.say("Why?"))


def code_of(options: Options | None) -> str:
    """Options in a custom id: the number of each value, and the target. Empty for the general rules."""
    if options is None:
        return ""
    values = "".join(
        str(CHOICES[name].index(str(value))) for name, value in options.as_dict().items() if name in CHOICES
    )
    return f"{values}-{options.target}"


def options_of_code(code: str) -> Options | None:
    """The options in a custom id. An id from before an option was added doesn't have it. Raises `InvalidCustomId`."""
    if not code:
        return None
    values, _, target = code.partition("-")
    if len(values) > len(CHOICES):
        raise InvalidCustomId(code)
    try:
        chosen = {name: offered[int(at)] for (name, offered), at in zip(CHOICES.items(), values, strict=False)}
        options = Options.of(DEFAULT_EDITION, {**chosen, "target": target})
    except (IndexError, ValueError):
        raise InvalidCustomId(code) from None
    return options
