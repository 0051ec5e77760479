"""Open the table as a page: as an Activity in Discord, or in a browser."""

import logging
from dataclasses import dataclass

import discord
from discord.ext import commands

from bot.presentation.text.i18n import Words
from bot.presentation.text.readers import words_of
from bot.presentation.ui.components import Layout, link_button, rows
from bot.presentation.ui.custom_ids import Press, Verb
from bot.presentation.ui.replies import is_too_late, show
from bot.services.tables import Tables
from bot.table.refusals import UnknownButton
from bot.table.snapshot import Table
from bot.web.files import has_sdk
from bot.web.launches import Launches
from cogs.base import own_table_of
from cogs.routing import on_press

log = logging.getLogger(__name__)


@dataclass(eq=False)
class WebCog(commands.Cog):
    """The way from Discord to the page."""

    tables: Tables
    launches: Launches
    url: str | None
    """The address of the page; None if the host hasn't set it up."""

    @on_press(Verb.OPEN_TABLE, costs=None)
    async def open_table(self, interaction: discord.Interaction, press: Press) -> None:
        """Open the page at a table. Without the Activity, link to it."""
        if self.url is None:
            raise UnknownButton
        table = await own_table_of(self.tables, interaction, press.table)
        self.launches.record(interaction.user.id, table.id)
        if not (has_sdk() and await _launches(interaction)):
            await show(interaction, _link_message(table, self.url, words_of(interaction)))


async def _launches(interaction: discord.Interaction) -> bool:
    """Open the Activity. False if Discord refuses it: it has to be switched on in the portal."""
    try:
        await interaction.response.launch_activity()
    except discord.HTTPException as error:
        if is_too_late(error) or error.status >= 500:
            raise
        log.warning("Discord doesn't open the Activity: %s", error.text)
        return False
    return True


def _link_message(table: Table, url: str, words: Words) -> Layout:
    link = link_button(words.say("Open the table"), f"{url}/?table={table.id}")
    return Layout(words.say("Table {number}", number=table.id), *rows([link]))
