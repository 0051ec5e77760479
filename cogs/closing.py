"""Closes a table after a question, for its host or a member who manages the guild."""

from dataclasses import dataclass

import discord
from discord.ext import commands

from bot.presentation.table.closing import closing_form, closing_message, closing_note, hidden_closing_message
from bot.presentation.text.readers import words_of
from bot.presentation.ui.components import Layout
from bot.presentation.ui.custom_ids import InvalidCustomId, Part, Press, Verb, whole_number
from bot.presentation.ui.replies import edit_message, show
from bot.services.tables import Tables
from bot.table import consent
from bot.table.model import Status
from bot.table.refusals import ManagersOnly, NoSuchTable
from bot.table.snapshot import Table
from cogs.base import find_table, form_values, guild_id_of, may_manage, require_own_message
from cogs.routing import on_form, on_press


@dataclass(eq=False)
class ClosingCog(commands.Cog):
    """Closes a table, from its menu or by its number."""

    tables: Tables

    @on_press(Verb.CLOSE, costs=None)
    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Ask for the number of a table, ask whether to close one, or close it or ask the others to agree."""
        require_own_message(interaction)
        match press.arguments:
            case (Part.BEGIN,):
                _require_manager(interaction)
                await interaction.response.send_modal(closing_form(interaction.id, words_of(interaction)))
            case (Part.OPEN,):
                await self._ask(interaction, press.table)
            case (Status.LOBBY | Status.PLAYING as status,):
                await self._close(interaction, press.table, Status(status))
            case _:
                raise InvalidCustomId(str(press))

    @on_form(Verb.CLOSE_NUMBER, costs=None)
    async def read_number(self, interaction: discord.Interaction, press: Press) -> None:
        """Ask whether to close the table with the typed number."""
        _require_manager(interaction)
        match form_values(interaction):
            case {"number": typed}:
                try:
                    number = whole_number(typed.strip())
                except InvalidCustomId:
                    raise NoSuchTable from None
                await self._ask(interaction, number)
            case _:
                raise InvalidCustomId(str(press))

    async def _ask(self, interaction: discord.Interaction, number: int) -> None:
        found, is_visible = await self._table(interaction, number)
        words, manages = words_of(interaction), may_manage(interaction, found)
        consent.require_may_close(found, interaction.user.id, may_manage=manages)
        if is_visible:
            await show(interaction, closing_message(found, interaction.user.id, words, at_once=manages))
        else:
            await show(interaction, hidden_closing_message(found, words))

    async def _close(self, interaction: discord.Interaction, number: int, status: Status) -> None:
        """Close the table, or ask the others to agree. `status`: the table's when the user was asked."""
        table, _ = await self._table(interaction, number)
        user_id, manages = interaction.user.id, may_manage(interaction, table)
        table = await self.tables.act(table.id, consent.close, user_id, may_manage=manages, status=status)
        text = closing_note(table, user_id, words_of(interaction))
        await edit_message(interaction, Layout(text))

    async def _table(self, interaction: discord.Interaction, number: int) -> tuple[Table, bool]:
        """The table with this number, and True if the user may see it.

        Members who manage the guild may also close a table in a channel that they can't see.
        """
        try:
            return await find_table(self.tables, interaction, number), True
        except NoSuchTable:
            if not interaction.permissions.manage_guild:
                raise
            table = await self.tables.get(number)
            if table.row.guild_id != guild_id_of(interaction) or not table.row.in_channel:
                raise
            return table, False


def _require_manager(interaction: discord.Interaction) -> None:
    if not interaction.permissions.manage_guild:
        raise ManagersOnly
