"""Completes the numbers of tables and matches: only of those that the user may see."""

from collections.abc import Mapping
from typing import Any, Final, cast

import discord
from discord import app_commands

from bot.presentation.records.history import SCOPE_NAMES, plain_ranking
from bot.presentation.text import labels
from bot.presentation.text.i18n import Words
from bot.presentation.text.names import cut
from bot.presentation.text.permissions import may_see
from bot.presentation.text.readers import words_of
from bot.services.history import History
from bot.services.tables import Tables
from bot.table.errors import StorageError
from cogs.base import history_filter

MAX_LABEL: Final = 100
"""Discord's limit for the characters of a choice."""


async def open_tables(interaction: discord.Interaction, typed: str | int) -> list[app_commands.Choice[int]]:
    """The newest open tables in channels that the user can see, and their own. The command's cog has `tables`."""
    guild_id, words = interaction.guild_id or 0, words_of(interaction)
    tables: Tables = cast("Any", interaction.command).binding.tables
    try:
        visible = {each.place_id for each in await tables.open.places(guild_id) if may_see(interaction, each)}
        page = await tables.open.page(guild_id, interaction.user.id, visible, 0)
    except StorageError:
        return []
    seated = {each.table.id: ", ".join(labels.plain_names(each.table, words)) for each in page.tables}
    return _choices(seated, typed, words)


async def finished_matches(interaction: discord.Interaction, typed: str | int) -> list[app_commands.Choice[int]]:
    """The latest finished matches of the user, and of this channel. The command's cog has `history`."""
    words, names = words_of(interaction), dict[int, str]()
    history: History = cast("Any", interaction.command).binding.history
    try:
        for scope in SCOPE_NAMES:
            found, _ = await history.page(history_filter(interaction, scope), 0)
            names |= {match.number: plain_ranking(match, words) for match in found}
    except StorageError:
        return []
    return _choices(names, typed, words)


def _choices(names: Mapping[int, str], typed: str | int, words: Words) -> list[app_commands.Choice[int]]:
    """The numbers that begin with what is typed."""
    return [
        app_commands.Choice(
            name=cut(f"{words.say('Table {number}', number=number)}: {players}", MAX_LABEL), value=number
        )
        for number, players in names.items()
        if str(number).startswith(str(typed))
    ]
