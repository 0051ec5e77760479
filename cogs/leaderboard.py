"""Leaderboards of a guild."""

from dataclasses import dataclass

import discord
from discord import app_commands
from discord.ext import commands

from bot.presentation.records.leaderboard import LeaderboardState, leaderboard_message
from bot.presentation.text.readers import words_of
from bot.presentation.ui.components import Layout
from bot.presentation.ui.custom_ids import InvalidCustomId, Part, Press, Verb
from bot.presentation.ui.replies import edit_message, show
from bot.services.leaderboard import Leaderboards
from bot.table.limits import Action
from cogs.base import chosen_value, guild_id_of, require_own_message
from cogs.routing import costs, on_press

PAGE_BUTTONS = (Part.BACK, Part.NEXT, Part.HERE, Part.ALL)
"""Buttons whose ids carry the page to show."""
MENUS = (Part.ORDER, Part.PERIOD, Part.COMPANY, Part.EDITION)


@dataclass(eq=False)
class LeaderboardCog(commands.Cog):
    """Leaderboards of a guild."""

    leaderboards: Leaderboards
    has_skill: bool
    """False if nothing computes skill."""

    @costs(Action.FIGURES)
    @app_commands.command(name="leaderboard", description="Wins, penalty points and ratings in this server")
    async def leaderboard(self, interaction: discord.Interaction) -> None:
        """Show the guild's leaderboard."""
        await show(interaction, await self._message(interaction, LeaderboardState()))

    @on_press(Verb.LEADERBOARD, costs=Action.FIGURES)
    async def update(self, interaction: discord.Interaction, press: Press) -> None:
        """Show another page or another leaderboard."""
        require_own_message(interaction)
        state, part = LeaderboardState.parse(press), press.part
        if part in MENUS:
            state = state.chosen(part, chosen_value(interaction))
        elif part not in PAGE_BUTTONS:
            raise InvalidCustomId(str(press))
        await edit_message(interaction, await self._message(interaction, state))

    async def _message(self, interaction: discord.Interaction, state: LeaderboardState) -> Layout:
        places = await self.leaderboards.places(guild_id_of(interaction), state.query(_channel_of(interaction)))
        return leaderboard_message(state, places, interaction.user.id, words_of(interaction), has_skill=self.has_skill)


def _channel_of(interaction: discord.Interaction) -> int | None:
    """The channel here. The thread that the app has made for a table counts as its channel."""
    channel = interaction.channel
    if isinstance(channel, discord.Thread) and channel.owner_id == interaction.application_id:
        return channel.parent_id
    return interaction.channel_id
