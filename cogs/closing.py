"""Closes a table after a question, for its host or a member who manages the guild."""

from dataclasses import dataclass

import discord
from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot.presentation.table.closing import closing_message, closing_note, hidden_closing_message
from bot.presentation.text.readers import words_of
from bot.presentation.ui.custom_ids import Press, Verb, layout
from bot.presentation.ui.replies import show
from bot.services.tables import Tables
from bot.table import consent
from bot.table.refusals import NoSuchTable
from bot.table.snapshot import Table
from cogs.base import find_table, on_press, require_own_message


@dataclass(frozen=True, slots=True)
class Closable:
    """A table that a user may try to close."""

    table: Table
    is_visible: bool
    """True if the user may see the table."""


class ClosingCog(commands.Cog):
    """`/gang close`."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    @app_commands.command(
        name=locale_str("close"), description=locale_str("End a table: its host, or who manages the server")
    )
    @app_commands.rename(table=locale_str("table"))
    @app_commands.describe(table=locale_str("Its number; by default yours in this channel"))
    async def close(self, interaction: discord.Interaction, table: int | None = None) -> None:
        """Ask whether to close a table."""
        found, words = await self._closable(interaction, table), words_of(interaction)
        manages = interaction.permissions.manage_guild
        consent.require_may_close(found.table, interaction.user.id, may_manage=manages)
        if found.is_visible:
            await show(interaction, closing_message(found.table, interaction.user.id, words, at_once=manages))
        else:
            await show(interaction, hidden_closing_message(found.table.id, words))

    @on_press(Verb.CLOSE)
    async def confirm(self, interaction: discord.Interaction, press: Press) -> None:
        """Close the table, or ask the others to agree."""
        require_own_message(interaction)
        found, user_id = await self._closable(interaction, press.table), interaction.user.id
        manages = interaction.permissions.manage_guild
        table = await self.tables.act(found.table.id, consent.close, user_id, may_manage=manages)
        text = closing_note(table, user_id, words_of(interaction))
        await interaction.response.edit_message(view=layout(text))

    async def _closable(self, interaction: discord.Interaction, number: int | None) -> Closable:
        """The table with this number. Members who manage the guild may close one in a channel that they can't see."""
        try:
            return Closable(await find_table(self.tables, interaction, number), is_visible=True)
        except NoSuchTable:
            if number is None or not interaction.permissions.manage_guild:
                raise
            table = await self.tables.get(number)
            if table.row.guild_id != interaction.guild_id or table.row.daily is not None:
                raise
            return Closable(table, is_visible=False)
