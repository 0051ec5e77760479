"""The statistics of one player, of two against each other, and their charts."""

import discord
from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot.presentation.records.charts import (
    Chart,
    chart_message,
    meetings_chart,
    penalties_chart,
    rating_chart,
    totals_chart,
)
from bot.presentation.records.pictures import Illustrator
from bot.presentation.records.profile import (
    FIGURES,
    TITLES,
    no_matches_text,
    profile_message,
    titles_message,
    versus_message,
)
from bot.presentation.text.readers import words_of
from bot.presentation.ui.custom_ids import InvalidCustomId, Press, Verb
from bot.presentation.ui.replies import reply_privately, show
from bot.services.archive import Archive
from bot.services.profile import Profiles
from bot.services.tables import Tables
from bot.services.titles import Titles
from cogs.base import on_press, requester, require_own_message, table_of


class ProfileCog(commands.Cog):
    """Statistics of players."""

    def __init__(
        self, tables: Tables, archive: Archive, profiles: Profiles, titles: Titles, illustrator: Illustrator
    ) -> None:
        self.tables = tables
        self.archive = archive
        self.profiles = profiles
        self.titles = titles
        self.illustrator = illustrator

    @app_commands.command(
        name=locale_str("profile"), description=locale_str("A player's matches, hands, gangs, rivals, luck and titles")
    )
    @app_commands.rename(person=locale_str("person"))
    @app_commands.describe(person=locale_str("Player (default: you)"))
    async def profile(self, interaction: discord.Interaction, person: discord.User | None = None) -> None:
        """Show the statistics of a player."""
        found, words = person or interaction.user, words_of(interaction)
        view = await self._profile_message(interaction, found.id)
        if view is None:
            await reply_privately(interaction, no_matches_text(found.display_name, words))
        else:
            await show(interaction, view)

    @app_commands.command(name=locale_str("versus"), description=locale_str("Two people against each other"))
    @app_commands.rename(person=locale_str("person"), other=locale_str("other"))
    @app_commands.describe(
        person=locale_str("Opponent (default: the player you meet most)"),
        other=locale_str("The other player (default: you)"),
    )
    async def versus(
        self,
        interaction: discord.Interaction,
        person: discord.User | None = None,
        other: discord.User | None = None,
    ) -> None:
        """Show the results of two players against each other."""
        await self._show_versus(interaction, (other or interaction.user).id, None if person is None else person.id)

    @on_press(Verb.PROFILE)
    async def turn_page(self, interaction: discord.Interaction, press: Press) -> None:
        """Show another page of a profile."""
        require_own_message(interaction)
        user_id = press.number
        match press.arguments[1:]:
            case (page,) if page == TITLES:
                held = await self.titles.held(interaction.guild_id or 0)
                view = titles_message(user_id, held, words_of(interaction))
            case (page,) if (
                page == FIGURES and (panel := await self._profile_message(interaction, user_id)) is not None
            ):
                view = panel
            case _:
                raise InvalidCustomId(str(press))
        await interaction.response.edit_message(view=view)

    @on_press(Verb.VERSUS)
    async def against_me(self, interaction: discord.Interaction, press: Press) -> None:
        """Show the user's results against the player of the profile."""
        await self._show_versus(interaction, interaction.user.id, press.number)

    @on_press(Verb.CURVE)
    async def show_ratings(self, interaction: discord.Interaction, press: Press) -> None:
        """Show a chart of a player's ratings."""
        name, ratings = await self.profiles.ratings(interaction.guild_id or 0, press.number, interaction.user.id)
        await self._show_chart(interaction, rating_chart(name, ratings, words_of(interaction)))

    @on_press(Verb.PENALTIES)
    async def show_penalties(self, interaction: discord.Interaction, press: Press) -> None:
        """Show a chart of a player's penalty points per hand."""
        name, hands = await self.profiles.penalties(interaction.guild_id or 0, press.number, interaction.user.id)
        await self._show_chart(interaction, penalties_chart(name, hands, words_of(interaction)))

    @on_press(Verb.MAP)
    async def show_map(self, interaction: discord.Interaction, _press: Press) -> None:
        """Show who finishes ahead of whom among the most active players."""
        meetings = await self.profiles.meetings(interaction.guild_id or 0, interaction.user.id)
        await self._show_chart(interaction, meetings_chart(meetings, words_of(interaction)))

    @on_press(Verb.TOTALS)
    async def show_totals(self, interaction: discord.Interaction, press: Press) -> None:
        """Show a chart of the totals of a match, hand by hand."""
        table = await table_of(self.tables, interaction, press.table)
        hands = await self.archive.hands(table.id)
        await self._show_chart(interaction, totals_chart(table, hands, words_of(interaction)))

    async def _profile_message(self, interaction: discord.Interaction, user_id: int) -> discord.ui.LayoutView | None:
        guild_id, reader = interaction.guild_id or 0, interaction.user.id
        profile = await self.profiles.get(guild_id, user_id, reader)
        if profile is None:
            return None
        return profile_message(profile, await self.titles.held(guild_id), reader, words_of(interaction))

    async def _show_versus(self, interaction: discord.Interaction, one: int, two: int | None) -> None:
        words = words_of(interaction)
        if one == two:
            await reply_privately(interaction, words.say("Choose two different people."))
            return
        versus = await self.profiles.versus(interaction.guild_id or 0, one, two, interaction.user.id)
        if versus is None:
            await reply_privately(interaction, words.say("No matches in this server yet."))
        else:
            await show(interaction, versus_message(versus, words))

    async def _show_chart(self, interaction: discord.Interaction, chart: Chart) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)  # the worker may have to start
        picture = None
        if chart.plot is not None:
            picture = await self.illustrator.of_chart(chart.draw, chart.plot, chart.alt, requester(interaction))
        await show(interaction, chart_message(chart, picture), [] if picture is None else [picture.file()])
