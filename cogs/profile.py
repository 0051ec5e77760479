"""The statistics of one player, of two against each other, and their charts."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

import discord
from discord import app_commands
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
    all_figures_message,
    app_text,
    no_matches_text,
    profile_message,
    profile_text,
    titles_message,
    versus_message,
)
from bot.presentation.text.i18n import Words, translatable
from bot.presentation.text.permissions import may_write
from bot.presentation.text.readers import words_of
from bot.presentation.ui.components import Layout, post_button, rows
from bot.presentation.ui.custom_ids import InvalidCustomId, Part, Press, Verb
from bot.presentation.ui.replies import edit_message, show
from bot.services.archive import Archive
from bot.services.profile import Profiles
from bot.services.tables import Tables
from bot.services.titles import Titles
from bot.table.limits import Action
from cogs.base import defer_privately, guild_id_of, own_table_of, requester, require_own_message
from cogs.posting import Posting
from cogs.routing import ByArgument, costs, in_apps_menu, on_press

CHART_COST: Final = ByArgument({Part.POST: Action.POST}, otherwise=Action.PICTURE)


@dataclass(eq=False)
class ProfileCog(commands.Cog):
    """Statistics of players."""

    tables: Tables
    archive: Archive
    profiles: Profiles
    titles: Titles
    illustrator: Illustrator
    posting: Posting

    @costs(Action.FIGURES)
    @app_commands.command(name="profile", description="A player's matches, hands, gangs, rivals, luck and titles")
    @app_commands.describe(person="Player (default: you)", against="Two people against each other")
    async def profile(
        self,
        interaction: discord.Interaction,
        person: discord.User | None = None,
        against: discord.User | None = None,
    ) -> None:
        """Show the statistics of a player, or of two against each other."""
        if against is None:
            await self._show_profile(interaction, person or interaction.user)
        else:
            await self._show_versus(interaction, (person or interaction.user).id, against.id)

    @in_apps_menu(translatable("Profile"), costs=Action.FIGURES)
    async def profile_of(self, interaction: discord.Interaction, person: discord.Member | discord.User) -> None:
        """Show the statistics of a player."""
        await self._show_profile(interaction, person)

    @in_apps_menu(translatable("Compare with me"), costs=Action.FIGURES)
    async def compare_with_me(self, interaction: discord.Interaction, person: discord.Member | discord.User) -> None:
        """Show the user's results against a player."""
        words = words_of(interaction)
        if person == interaction.user:
            await show(interaction, Layout(words.say("That's you. Use it on another person.")))
        elif person.bot:
            await show(interaction, Layout(app_text(person.display_name, words)))
        else:
            await self._show_versus(interaction, interaction.user.id, person.id)

    @on_press(Verb.PROFILE, costs=ByArgument({Part.POST: Action.POST}, otherwise=Action.FIGURES))
    async def turn_page(self, interaction: discord.Interaction, press: Press) -> None:
        """Show another page of a profile."""
        require_own_message(interaction)
        user_id = press.number
        match press.part:
            case Part.POST if user_id == interaction.user.id:
                await self._post_profile(interaction)
                return
            case Part.TITLES:
                held = await self.titles.held(guild_id_of(interaction))
                view = titles_message(user_id, held, words_of(interaction))
            case Part.FIGURES | Part.MORE as page:
                panel = await self._profile_message(interaction, user_id, page)
                if panel is None:
                    raise InvalidCustomId(str(press))
                view = panel
            case _:
                raise InvalidCustomId(str(press))
        await edit_message(interaction, view)

    @on_press(Verb.VERSUS, costs=Action.FIGURES)
    async def against_me(self, interaction: discord.Interaction, press: Press) -> None:
        """Show the user's results against the player of the profile; in their own, against whom they meet most."""
        own = interaction.user.id
        await self._show_versus(interaction, own, None if press.number == own else press.number)

    @on_press(Verb.CURVE, costs=CHART_COST)
    async def show_ratings(self, interaction: discord.Interaction, press: Press) -> None:
        """Show a chart of a player's ratings."""
        name, ratings = await self.profiles.ratings(guild_id_of(interaction), press.number, _reader(interaction, press))
        is_own = press.number == interaction.user.id
        await self._show_chart(interaction, press, partial(rating_chart, name, ratings), may_post=is_own)

    @on_press(Verb.PENALTIES, costs=CHART_COST)
    async def show_penalties(self, interaction: discord.Interaction, press: Press) -> None:
        """Show a chart of a player's penalty points per hand."""
        reader = _reader(interaction, press)
        name, hands = await self.profiles.penalties(guild_id_of(interaction), press.number, reader)
        is_own = press.number == interaction.user.id
        await self._show_chart(interaction, press, partial(penalties_chart, name, hands), may_post=is_own)

    @on_press(Verb.MAP, costs=CHART_COST)
    async def show_map(self, interaction: discord.Interaction, press: Press) -> None:
        """Show who finishes ahead of whom among the most active players."""
        meetings = await self.profiles.meetings(guild_id_of(interaction), _reader(interaction, press))
        await self._show_chart(interaction, press, partial(meetings_chart, meetings), may_post=True)

    @on_press(Verb.TOTALS, costs=CHART_COST)
    async def show_totals(self, interaction: discord.Interaction, press: Press) -> None:
        """Show a chart of the totals of a match, hand by hand. It can be posted where the match was played."""
        table = await own_table_of(self.tables, interaction, press.table)
        hands = await self.archive.hands(table.id)
        is_here = interaction.channel_id in (table.row.channel_id, table.row.place_id)
        await self._show_chart(interaction, press, partial(totals_chart, table, hands), may_post=is_here)

    async def _show_profile(self, interaction: discord.Interaction, person: discord.Member | discord.User) -> None:
        words = words_of(interaction)
        view = await self._profile_message(interaction, person.id)
        if view is None:
            text_of = app_text if person.bot else no_matches_text
            view = Layout(text_of(person.display_name, words))
        await show(interaction, view)

    async def _profile_message(
        self, interaction: discord.Interaction, user_id: int, page: Part = Part.FIGURES
    ) -> Layout | None:
        guild_id, reader = guild_id_of(interaction), interaction.user.id
        profile = await self.profiles.get(guild_id, user_id, reader)
        if profile is None:
            return None
        words, held = words_of(interaction), await self.titles.held(guild_id)
        if page is Part.MORE:
            return all_figures_message(profile, held, reader, words)
        return profile_message(profile, held, reader, words, may_post=may_write(interaction))

    async def _post_profile(self, interaction: discord.Interaction) -> None:
        """Post the user's own statistics, unless they hide them."""
        guild_id, user_id = guild_id_of(interaction), interaction.user.id
        profile = await self.profiles.get(guild_id, user_id, 0)
        if profile is None:
            raise InvalidCustomId(str(user_id))
        words = await self.posting.begin(interaction)
        text = profile_text(profile, await self.titles.held(guild_id), 0, words)
        await self.posting.post(interaction, Layout(text), words)

    async def _show_versus(self, interaction: discord.Interaction, one: int, two: int | None) -> None:
        words = words_of(interaction)
        if one == two:
            await show(interaction, Layout(words.say("Choose two different people.")))
            return
        versus = await self.profiles.versus(guild_id_of(interaction), one, two, interaction.user.id)
        if versus is None:
            await show(interaction, Layout(words.say("No finished match together in this server yet.")))
        else:
            await show(interaction, versus_message(versus, words))

    async def _show_chart(
        self, interaction: discord.Interaction, press: Press, draw: Callable[[Words], Chart], *, may_post: bool
    ) -> None:
        """Show a chart to the user, or post it."""
        posts = press.part is Part.POST
        if posts and not may_post:
            raise InvalidCustomId(str(press))
        if posts:
            words = await self.posting.begin(interaction)
        else:
            words = words_of(interaction)
            await defer_privately(interaction)  # the worker may have to start
        chart = draw(words)
        pictures = await self.illustrator.of_chart(chart.plot, chart.alt, requester(interaction))
        if posts:
            await self.posting.post(interaction, chart_message(chart, pictures), words)
        else:
            can_post = may_post and may_write(interaction) and chart.plot is not None
            more = rows([post_button(press, words)]) if can_post else []
            await show(interaction, chart_message(chart, pictures, more))


def _reader(interaction: discord.Interaction, press: Press) -> int:
    """The user who reads what is shown; 0 for everyone, if it is posted."""
    return 0 if press.part is Part.POST else interaction.user.id
