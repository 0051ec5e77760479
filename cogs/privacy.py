"""The data that the app stores about a user."""

import asyncio
from dataclasses import dataclass
from typing import Final

import discord
from discord.ext import commands

from bot.presentation.settings.privacy import (
    deleted_message,
    deleting_message,
    deletion_message,
    export_message,
    privacy_message,
)
from bot.presentation.text.readers import words_of
from bot.presentation.ui.components import Layout
from bot.presentation.ui.custom_ids import InvalidCustomId, Part, Press, Verb
from bot.presentation.ui.replies import edit_message, show
from bot.services.deletions import Deletions
from bot.services.privacy import Privacy
from bot.table.limits import Action
from cogs.base import defer_privately, requester, require_own_message
from cogs.routing import ByArgument, on_press

PRIVACY_COST: Final = ByArgument(
    {Part.OPEN: Action.FIGURES, Part.EXPORT: Action.EXPORT, Part.YES: Action.DELETE}, otherwise=Action.SETTINGS
)


@dataclass(eq=False)
class PrivacyCog(commands.Cog):
    """Shows, hides, exports and deletes it."""

    kept: Privacy
    deletions: Deletions
    policy: str | None

    @on_press(Verb.PRIVACY, costs=PRIVACY_COST)
    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Handle a press in the privacy message."""
        require_own_message(interaction)
        match press.arguments:
            case (Part.OPEN,):
                await edit_message(interaction, await self._privacy_message(interaction))
            case (Part.HIDE | Part.SHOW as part,):
                await self.kept.hide(interaction.user.id, hidden=part == Part.HIDE)
                await edit_message(interaction, await self._privacy_message(interaction))
            case (Part.EXPORT,):
                await self._export(interaction)
            case (Part.DELETE,):
                await edit_message(interaction, deletion_message(words_of(interaction)))
            case (Part.DELETE, Part.YES):
                await edit_message(interaction, deleting_message(words_of(interaction)))
                if await self.deletions.delete(interaction.user.id):
                    await edit_message(interaction, deleted_message(words_of(interaction)))
            case _:
                raise InvalidCustomId(str(press))

    async def _export(self, interaction: discord.Interaction) -> None:
        await defer_privately(interaction)
        file = await self.kept.export(requester(interaction))
        content = await asyncio.to_thread(file.content, interaction.filesize_limit)
        await show(interaction, export_message(content, words_of(interaction)))

    async def _privacy_message(self, interaction: discord.Interaction) -> Layout:
        user_id = interaction.user.id
        stored_counts, hidden = await self.kept.stored_counts(user_id), await self.kept.is_hidden(user_id)
        return privacy_message(stored_counts, words_of(interaction), hidden=hidden, policy=self.policy)
