"""Posts public versions of private panels, for the people who opened them."""

from dataclasses import dataclass

import discord

from bot.presentation.text import labels
from bot.presentation.text.i18n import Words
from bot.presentation.text.permissions import may_write
from bot.presentation.text.readers import Readers
from bot.presentation.ui.components import Layout
from bot.services.guild_settings import Guilds
from bot.table.refusals import MayNotPost
from cogs.base import guild_id_of, person, require_own_message


@dataclass(frozen=True)
class Posting:
    """Posts in the channel of a private panel, in the language of the guild."""

    readers: Readers
    guilds: Guilds

    async def begin(self, interaction: discord.Interaction) -> Words:
        """Acknowledge the press of a user who may post here, and return the guild's words.

        Raises `InvalidCustomId` if the panel isn't the user's own, or `MayNotPost`.
        """
        require_own_message(interaction)
        if not may_write(interaction):
            raise MayNotPost
        if not interaction.response.is_done():
            await interaction.response.defer()
        return self.readers.public_words(await self.guilds.get(guild_id_of(interaction)))

    async def post(self, interaction: discord.Interaction, view: Layout, words: Words) -> None:
        """Post a message for everyone, with the user's name."""
        name = labels.safe(person(interaction).name)
        view.append(labels.small(words.say("Posted by {name}", name=name)))
        await interaction.followup.send(view=view, files=view.files())
