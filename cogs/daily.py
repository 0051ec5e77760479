"""The hand of the day."""

from dataclasses import dataclass

import discord
from discord import app_commands
from discord.ext import commands

from bot.presentation.channel.open_hands import OpenHands
from bot.presentation.table.daily import (
    daily_fair_deal_message,
    daily_leaderboard_message,
    daily_offer_message,
    daily_result_message,
    day_of_press,
    finished_note,
)
from bot.presentation.table.hand import hand_message
from bot.presentation.table.selection import HandState
from bot.presentation.text.permissions import may_write
from bot.presentation.text.readers import words_of
from bot.presentation.ui.components import Layout
from bot.presentation.ui.custom_ids import Part, Press, Verb
from bot.presentation.ui.replies import edit_message, show
from bot.services.daily import Daily
from bot.table.limits import Action
from bot.table.model import Status
from bot.table.snapshot import Table
from cogs.base import guild_id_of, person, require_own_message
from cogs.posting import Posting
from cogs.routing import ByArgument, costs, on_press


@dataclass(eq=False)
class DailyCog(commands.Cog):
    """One deal a day for all members of a guild. Each plays it alone, in a private hand."""

    daily: Daily
    hands: OpenHands
    posting: Posting

    @costs(Action.DAILY)
    @app_commands.command(name="daily", description="The hand of the day: the same cards for everyone, once a day")
    async def play(self, interaction: discord.Interaction) -> None:
        """Offer today's hand, continue it, or show the day's leaderboard if it's over."""
        guild_id = guild_id_of(interaction)
        table = await self.daily.table(guild_id, interaction.user.id)
        if table is None:
            await show(interaction, daily_offer_message(await self.daily.offer(guild_id), words_of(interaction)))
        elif table.row.status is Status.PLAYING:
            await show(interaction, await self._hand_message(interaction, table))
            await self.hands.track_new(interaction, table)
        else:
            await show(interaction, await self._leaderboard_message(interaction, self.daily.today))

    @on_press(Verb.DEAL, costs=None)
    async def deal(self, interaction: discord.Interaction, press: Press) -> None:
        """Deal the hand whose commitment the message shows. If it's from an earlier day, show today's instead."""
        require_own_message(interaction)
        guild_id, day = guild_id_of(interaction), day_of_press(press)
        if day != self.daily.today:
            offer = await self.daily.offer(guild_id)
            await edit_message(interaction, daily_offer_message(offer, words_of(interaction)))
            return
        table = await self.daily.deal(guild_id, interaction.channel_id or 0, person(interaction), day)
        welcome = await self.hands.welcome(interaction)
        await edit_message(interaction, await self._hand_message(interaction, table, welcome))
        await self.hands.track_new(interaction, table, welcome)

    async def _hand_message(self, interaction: discord.Interaction, table: Table, welcome: str = "") -> Layout:
        words = words_of(interaction)
        note = welcome or finished_note(await self.daily.count(guild_id_of(interaction)), words)
        return hand_message(table, interaction.user.id, HandState(), words, note)

    @on_press(Verb.DAILY, costs=ByArgument({Part.POST: Action.POST}, otherwise=Action.FIGURES))
    async def show_leaderboard(self, interaction: discord.Interaction, press: Press) -> None:
        """Show the leaderboard of a day, in a new message or in place of another day's, or something on it."""
        require_own_message(interaction)
        day = day_of_press(press)
        match press.part:
            case Part.POST:
                await self._post_result(interaction, day)
            case Part.FAIR_DEAL:
                deal = await self.daily.fair_deal(guild_id_of(interaction), day)
                await show(interaction, daily_fair_deal_message(deal, words_of(interaction)))
            case Part.TURN:
                await edit_message(interaction, await self._leaderboard_message(interaction, day))
            case _:
                await show(interaction, await self._leaderboard_message(interaction, day))

    async def _post_result(self, interaction: discord.Interaction, day: str) -> None:
        """Post the user's own result."""
        leaderboard = await self.daily.leaderboard(guild_id_of(interaction), day, interaction.user.id)
        words = await self.posting.begin(interaction)
        await self.posting.post(interaction, daily_result_message(leaderboard, interaction.user.id, words), words)

    async def _leaderboard_message(self, interaction: discord.Interaction, day: str) -> Layout:
        leaderboard = await self.daily.leaderboard(guild_id_of(interaction), day, interaction.user.id)
        words, may_post = words_of(interaction), may_write(interaction)
        return daily_leaderboard_message(leaderboard, interaction.user.id, words, may_post=may_post)
