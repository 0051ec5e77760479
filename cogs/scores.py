"""What a server remembers."""

import discord
from discord import app_commands
from discord.app_commands import locale_str

from bot.presentation.answers import whisper
from bot.presentation.overview import leaderboard
from bot.presentation.readers import words_of
from bot.services.statistics import Statistics
from bot.services.tables import Tables
from cogs.pressing import GangCog


class ScoresCog(GangCog):
    """Scores."""

    def __init__(self, tables: Tables, statistics: Statistics) -> None:
        super().__init__(tables)
        self.statistics = statistics

    @app_commands.command(
        name=locale_str("leaderboard"), description=locale_str("Wins and penalty points in this server")
    )
    async def leaderboard(self, interaction: discord.Interaction) -> None:
        """Show the standings of this server."""
        standings = await self.statistics.leaderboard(interaction.guild_id or 0)
        await whisper(interaction, leaderboard(standings, interaction.user.id, words_of(interaction)))
