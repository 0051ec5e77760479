"""The button that opens a table as a page."""

from bot.presentation.text.i18n import Words
from bot.presentation.ui.components import Button, button
from bot.presentation.ui.custom_ids import Press, Verb


def open_table_buttons(table: int, words: Words) -> list[Button]:
    """The button, if the host has set up the page."""
    return [button(Press(Verb.OPEN_TABLE, table), words.say("Open the table"))] if words.has_page else []
