"""Closes a table after a question, for its host or a member who manages the guild."""

from dataclasses import dataclass

import discord
from discord import app_commands
from discord.ext import commands

from bot.presentation.table.closing import closing_message, closing_note, hidden_closing_message
from bot.presentation.text.readers import words_of
from bot.presentation.ui.components import Layout
from bot.presentation.ui.custom_ids import Press, Verb
from bot.presentation.ui.replies import edit_message, show
from bot.services.tables import Tables
from bot.table import consent
from bot.table.refusals import NoSuchTable
from bot.table.snapshot import Table
from cogs.base import find_table, require_own_message
from cogs.completion import Choices, open_tables
from cogs.routing import costs, on_press


@dataclass(eq=False)
class ClosingCog(commands.Cog):
    """`/gang close`."""

    tables: Tables

    @costs(None)
    @app_commands.command(name="close", description="Close a table (its host or a server manager)")
    @app_commands.describe(table="Table number (default: yours in this channel)")
    async def close(self, interaction: discord.Interaction, table: int | None = None) -> None:
        """Ask whether to close a table."""
        found, is_visible = await self._table(interaction, table)
        words, manages = words_of(interaction), interaction.permissions.manage_guild
        consent.require_may_close(found, interaction.user.id, may_manage=manages)
        if is_visible:
            await show(interaction, closing_message(found, interaction.user.id, words, at_once=manages))
        else:
            await show(interaction, hidden_closing_message(found.id, words))

    @close.autocomplete("table")
    async def complete_table(self, interaction: discord.Interaction, typed: str | int) -> Choices:
        """Offer tables whose numbers begin with what is typed."""
        return await open_tables(self.tables.open, interaction, typed)

    @on_press(Verb.CLOSE, costs=None)
    async def confirm(self, interaction: discord.Interaction, press: Press) -> None:
        """Close the table, or ask the others to agree."""
        require_own_message(interaction)
        table, _ = await self._table(interaction, press.table)
        user_id, manages = interaction.user.id, interaction.permissions.manage_guild
        table = await self.tables.act(table.id, consent.close, user_id, may_manage=manages)
        text = closing_note(table, user_id, words_of(interaction))
        await edit_message(interaction, Layout(text))

    async def _table(self, interaction: discord.Interaction, number: int | None) -> tuple[Table, bool]:
        """The table with this number, and True if the user may see it.

        Members who manage the guild may also close a table in a channel that they can't see.
        """
        try:
            return await find_table(self.tables, interaction, number), True
        except NoSuchTable:
            if number is None or not interaction.permissions.manage_guild:
                raise
            table = await self.tables.get(number)
            if table.row.guild_id != interaction.guild_id or table.row.daily is not None:
                raise
            return table, False
