"""Completes the numbers of tables and matches: only of those that the user may see."""

from collections.abc import Mapping
from typing import Final, TypeAlias

import discord
from discord import app_commands

from bot.presentation.records.history import SCOPE_NAMES, plain_ranking
from bot.presentation.text import labels
from bot.presentation.text.i18n import Words
from bot.presentation.text.names import truncated
from bot.presentation.text.readers import words_of
from bot.services.history import History
from bot.services.open_tables import OpenTables
from bot.table.errors import StorageError
from cogs.base import history_filter, visible_tables

Choices: TypeAlias = list[app_commands.Choice[int]]
MAX_LABEL: Final = 100
"""Discord's limit for the characters of a choice."""


async def open_tables(tables: OpenTables, interaction: discord.Interaction, typed: str | int) -> Choices:
    """The newest open tables in channels that the user can see, and their own."""
    words = words_of(interaction)
    try:
        page = await visible_tables(tables, interaction)
    except StorageError:
        return []
    seated = {each.table.id: ", ".join(labels.plain_names(each.table, words)) for each in page.tables}
    return _choices(seated, typed, words)


async def finished_matches(history: History, interaction: discord.Interaction, typed: str | int) -> Choices:
    """The latest finished matches of the user, and of this channel."""
    words, names = words_of(interaction), dict[int, str]()
    try:
        for scope in SCOPE_NAMES:
            found, _ = await history.page(history_filter(interaction, scope), 0)
            names |= {match.number: plain_ranking(match, words) for match in found}
    except StorageError:
        return []
    return _choices(names, typed, words)


def _choices(names: Mapping[int, str], typed: str | int, words: Words) -> Choices:
    """The numbers that begin with what is typed."""
    return [
        app_commands.Choice(
            name=truncated(f"{words.say('Table {number}', number=number)}: {players}", MAX_LABEL), value=number
        )
        for number, players in names.items()
        if str(number).startswith(str(typed))
    ]
