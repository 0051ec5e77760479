"""Opening a table: the button for a match against AI players, and the answer to the host."""

from collections.abc import Sequence

import discord

from bot.players.levels import Level
from bot.presentation.table.lobby_options import option_menu
from bot.presentation.text.i18n import Words
from bot.presentation.text.option_texts import choices
from bot.presentation.text.permissions import INVITED_WITH
from bot.presentation.ui.components import Button, Call, Layout, Row, button, link_button, menu, options_of, rows
from bot.presentation.ui.custom_ids import LobbyPage, Part, Press, Verb
from bot.table.model import Pace, Status
from bot.table.snapshot import Table


def play_ai_button(words: Words, *, goes_on: bool = False) -> Button:
    """Start a solo match with AI players in all other seats, or continue the one that `goes_on`."""
    label = words.say("Continue my match") if goes_on else words.say("Play against AI")
    return button(Press(Verb.PLAY_AI), label, discord.ButtonStyle.success)


def play_ai_menu(words: Words) -> Row:
    """The same, against AI players of the chosen level."""
    options = options_of(choices("ai_level", 0, words), "")
    return menu(Press(Verb.PLAY_AI, arguments=(Part.LEVEL,)), words.say("Play against AI: choose a level"), options)


def play_ai_of_level_button(level: Level, words: Words) -> Button:
    """A button for a match against AI players of a level."""
    return button(Press(Verb.PLAY_AI, arguments=(level,)), words.say("A whole match"))


def forming_message(table: Table, user_ids: Sequence[int], words: Words) -> Call:
    """Tell users about a new table with free seats."""
    names, free = words.list([f"<@{each}>" for each in user_ids]), table.row.size - len(table.seats)
    text = words.count(
        "{names}: table {table} is open, with {number} seat free.",
        "{names}: table {table} is open, with {number} seats free.",
        free,
        names=names,
        table=table.id,
    )
    return Call(text, button(Press(Verb.JOIN, table.id), words.say("Join"), discord.ButtonStyle.success))


def opened_message(table: Table, words: Words) -> Layout:
    """The number of a new table. If its match starts at once, a button opens the host's hand.

    The host of a table without a time limit is asked for one.
    """
    text, row = words.say("Table {number} is open.", number=table.id), table.row
    if starts_at_once(table):
        return Layout(text, *rows([hand_button(table, words)]))
    if row.pace is not Pace.NONE or row.rematch_of is not None or row.first_table_id is not None:
        return Layout(text)
    question = words.say("How much time should each turn have?")
    press = Press(Verb.SET_OPTION, table.id, 0, (LobbyPage.BASICS, "pace"))
    return Layout(f"{text}\n{question}", option_menu(press, "pace", row.pace, row.options.target, words))


def goes_on_text(words: Words) -> str:
    """Say that the user has a match against AI players already, in place of a new one."""
    return words.say("Your match goes on. To begin another one, end this one under **More**.")


def bot_missing_message(interaction: discord.Interaction, words: Words) -> Layout:
    """The reason why no table can be opened in a guild that has added the app without its bot user."""
    text = words.say(
        "Only my commands were added to this server, so I can't post a table here. A server manager can add the rest "
        "of me with this button."
    )
    here = discord.Object(interaction.guild_id or 0)
    url = discord.utils.oauth_url(interaction.application_id, permissions=INVITED_WITH, guild=here)
    return Layout(text, *rows([link_button(words.say("Add to the server"), url)]))


def starts_at_once(table: Table) -> bool:
    """True for a new table that has started, or starts as soon as its message has been posted."""
    is_full = len(table.seats) == table.row.size
    return is_full and (table.row.starts_itself or table.row.status is Status.PLAYING)


def hand_button(table: Table, words: Words) -> Button:
    """Open the user's hand."""
    return button(Press(Verb.HAND, table.id), words.say("My hand"), discord.ButtonStyle.primary)
