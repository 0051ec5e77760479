"""What a server sets, by whoever manages it."""

from collections.abc import Mapping

import discord

from bot.presentation.buttons import ForeignId, Press
from bot.presentation.readers import words_of
from bot.presentation.server_panel import server_message
from bot.services.refusals import ManagersOnly
from bot.services.servers import Servers
from bot.services.tables import Tables
from bot.storage.guilds import Server
from cogs.pressing import GangCog, Handler, choice, chosen_language, require_own_panel


class ServerCog(GangCog):
    """The settings of a server."""

    def __init__(self, tables: Tables, servers: Servers) -> None:
        super().__init__(tables)
        self.servers = servers

    def presses(self) -> Mapping[str, Handler]:
        """Verb to handler."""
        return {"server": self.open, "publiclanguage": self.choose_language, "celebrate": self.choose_celebrations}

    async def open(self, interaction: discord.Interaction, _press: Press) -> None:
        """Open the panel of the server in place of one's own."""
        _require_own_panel(interaction)
        await self._show(interaction, await self.servers.get(interaction.guild_id or 0))

    async def choose_language(self, interaction: discord.Interaction, _press: Press) -> None:
        """Have public messages in the language that was chosen."""
        _require_own_panel(interaction)
        language = chosen_language(interaction)
        await self._show(interaction, await self.servers.set_language(interaction.guild_id or 0, language))

    async def choose_celebrations(self, interaction: discord.Interaction, _press: Press) -> None:
        """Have gangs celebrated, or not."""
        _require_own_panel(interaction)
        value = choice(interaction)
        if value not in ("on", "off"):
            raise ForeignId(value)
        await self._show(
            interaction, await self.servers.set_celebrates(interaction.guild_id or 0, celebrates=value == "on")
        )

    async def _show(self, interaction: discord.Interaction, server: Server) -> None:
        await interaction.response.edit_message(view=server_message(server, words_of(interaction)))


def _require_own_panel(interaction: discord.Interaction) -> None:
    require_own_panel(interaction)
    if not interaction.permissions.manage_guild:  # or no longer
        raise ManagersOnly
