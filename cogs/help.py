"""The rules in brief, help, and what this is."""

import discord
from discord import app_commands
from discord.app_commands import locale_str

from bot import __version__
from bot.presentation.answers import show, whisper
from bot.presentation.guide import about_text, help_text, rules_message
from bot.presentation.readers import words_of
from cogs.pressing import GangCog


class HelpCog(GangCog):
    """Things to read."""

    @app_commands.command(name=locale_str("rules"), description=locale_str("The rules in brief: what beats what"))
    async def rules(self, interaction: discord.Interaction) -> None:
        """Show the rules in brief."""
        await show(interaction, rules_message(words_of(interaction)))

    @app_commands.command(name=locale_str("help"), description=locale_str("How to play here"))
    async def help(self, interaction: discord.Interaction) -> None:
        """Show how to use the app."""
        await whisper(interaction, help_text(words_of(interaction)))

    @app_commands.command(name=locale_str("about"), description=locale_str("What this app is"))
    async def about(self, interaction: discord.Interaction) -> None:
        """Show what this is."""
        await whisper(interaction, about_text(__version__, words_of(interaction)))
