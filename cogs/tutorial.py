"""The tutorial: learning the game by playing a hand that is set out for it."""

import discord
from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot.presentation.help.tutorial import VERBS, after_press, opened, tutorial_message
from bot.presentation.text.readers import words_of
from bot.presentation.ui.custom_ids import Press
from bot.presentation.ui.replies import show
from bot.presentation.ui.verbs import Verb
from bot.services.user_settings import Users
from cogs.base import on_press, require_own_panel


class TutorialCog(commands.Cog):
    """Somebody who learns; how far they have come is kept, so they go on where they were at any time."""

    def __init__(self, users: Users) -> None:
        self.users = users

    @app_commands.command(
        name=locale_str("tutorial"), description=locale_str("Learn the game by playing, in ten minutes")
    )
    async def tutorial(self, interaction: discord.Interaction) -> None:
        """Open the tutorial where whoever asks has come to."""
        words = words_of(interaction)
        page = opened(await self.users.lesson(interaction.user.id), words)
        await show(interaction, tutorial_message(page, words))

    @on_press(*VERBS.values(), Verb.LEARN_SHOW, Verb.LEARN_OVER)
    async def go_on(self, interaction: discord.Interaction, press: Press) -> None:
        """Do what a button of the tutorial says, and show what came of it."""
        require_own_panel(interaction)
        words, user_id = words_of(interaction), interaction.user.id
        done = await self.users.lesson(user_id)
        page = after_press(press, done, words)
        if page.step != done:
            await self.users.set_lesson(user_id, page.step)
        await interaction.response.edit_message(view=tutorial_message(page, words))
