"""The tutorial: users learn the game by playing prepared hands."""

from dataclasses import dataclass

import discord
from discord import app_commands
from discord.ext import commands

from bot.presentation.help.tutorial import after_press, opening_page, tutorial_message
from bot.presentation.text.readers import words_of
from bot.presentation.ui.custom_ids import Part, Press, Verb
from bot.presentation.ui.replies import edit_message, show
from bot.services.user_settings import Users
from cogs.base import chosen_value, require_own_message
from cogs.routing import costs, on_press


@dataclass(eq=False)
class TutorialCog(commands.Cog):
    """The tutorial. Each user's lesson is stored, so they can continue at any time."""

    users: Users

    @costs(None)
    @app_commands.command(name="tutorial", description="Learn the game by playing, in ten minutes")
    async def tutorial(self, interaction: discord.Interaction) -> None:
        """Open the tutorial at the user's lesson."""
        words = words_of(interaction)
        page = opening_page(await self.users.lesson(interaction.user.id), words)
        await show(interaction, tutorial_message(page, words))

    @on_press(Verb.TUTORIAL_HAND, Verb.TUTORIAL_SHOW, Verb.TUTORIAL_GO, Verb.TUTORIAL_OVER, costs=None)
    async def handle_press(self, interaction: discord.Interaction, press: Press) -> None:
        """Handle a press in the tutorial."""
        require_own_message(interaction)
        words, user_id = words_of(interaction), interaction.user.id
        done = await self.users.lesson(user_id)
        in_menu = press.arguments[:1] == (Verb.PLAYS_MENU,) or press.part is Part.LIST
        page = after_press(press, done, words, chosen_value(interaction) if in_menu else "")
        if page.step != done:
            await self.users.set_lesson(user_id, page.step)
        await edit_message(interaction, tutorial_message(page, words))
