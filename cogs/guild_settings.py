"""The settings of a guild, for members who manage it."""

from collections.abc import Awaitable, Callable, Collection, Iterable
from dataclasses import dataclass
from functools import wraps
from typing import TypeAlias

import discord
from discord.ext import commands

from bot.presentation.settings.guild_settings import (
    NEVER,
    GuildSettingsState,
    changed_default,
    changed_limit,
    guild_export_message,
    guild_settings_message,
    season_confirmation,
    season_form,
)
from bot.presentation.text.errors import error_text
from bot.presentation.text.names import readable
from bot.presentation.text.option_texts import BASICS
from bot.presentation.text.permissions import may_see, missing_permissions
from bot.presentation.text.readers import words_of
from bot.presentation.ui.components import Layout
from bot.presentation.ui.custom_ids import (
    MAX_PAGES,
    CardStyle,
    GuildPage,
    InvalidCustomId,
    Part,
    Press,
    Verb,
    whole_number,
)
from bot.presentation.ui.replies import edit_message, show
from bot.services.guild_export import GuildExports
from bot.services.guild_settings import Guilds
from bot.services.tables import Tables
from bot.table.guild import Celebrations, PostInterval
from bot.table.limits import Action
from bot.table.model import Place
from bot.table.refusals import ManagersOnly, NotCurrentSeason
from cogs.base import (
    chosen_ids,
    chosen_language,
    chosen_value,
    defer_privately,
    form_values,
    guild_id_of,
    requester,
    require_own_message,
)
from cogs.routing import ByArgument, on_form, on_press

Method: TypeAlias = Callable[["GuildSettingsCog", discord.Interaction, Press], Awaitable[None]]


def _for_managers(method: Method) -> Method:
    """Accept only presses in the user's own private message, from members who manage the guild at that moment."""

    @wraps(method)
    async def checked(cog: "GuildSettingsCog", interaction: discord.Interaction, press: Press) -> None:
        require_own_message(interaction)
        if not interaction.permissions.manage_guild:
            raise ManagersOnly
        await method(cog, interaction, press)

    return checked


@dataclass(eq=False)
class GuildSettingsCog(commands.Cog):
    """The settings of a guild.

    `wake` posts scheduled leaderboards that are due; `redraw` draws tables again.
    """

    tables: Tables
    guilds: Guilds
    exports: GuildExports
    wake: Callable[[], None]
    redraw: Callable[[Iterable[int]], None]

    @on_press(
        Verb.GUILD_SETTINGS, costs=ByArgument({Part.EXPORT: Action.EXPORT_GUILD, GuildPage.ACTIVITY: Action.FIGURES})
    )
    @_for_managers
    async def open(self, interaction: discord.Interaction, press: Press) -> None:
        """Open a page of the guild's settings in place of the user's own or another page."""
        match press.arguments:
            case ():
                await self._show(interaction, GuildPage.GENERAL)
            case (Part.EXPORT,):
                await self._export(interaction)
            case (Part.EXPORT, before):
                await self._export(interaction, whole_number(before))
            case (page,) if page in list(GuildPage):
                await self._show(interaction, GuildPage(page))
            case (GuildPage.LOG, number, _):
                await self._show(interaction, GuildPage.LOG, page=whole_number(number, MAX_PAGES))
            case _:
                raise InvalidCustomId(str(press))

    async def _export(self, interaction: discord.Interaction, before: int | None = None) -> None:
        await defer_privately(interaction)
        sees_all = interaction.permissions.administrator  # also deleted channels
        export = await self.exports.export(
            requester(interaction),
            lambda place: sees_all or may_see(interaction, place),
            interaction.filesize_limit,
            before,
        )
        await show(interaction, guild_export_message(export, words_of(interaction)))

    @on_press(Verb.GUILD_LANGUAGE, costs=Action.SETTINGS)
    @_for_managers
    async def choose_language(self, interaction: discord.Interaction, _press: Press) -> None:
        """Set the language of public messages, and draw the guild's tables again."""
        await self.guilds.set(requester(interaction), language=chosen_language(interaction))
        self.redraw(await self.tables.open.numbers(guild_id_of(interaction)))
        await self._show(interaction, GuildPage.GENERAL)

    @on_press(Verb.CELEBRATE, costs=Action.SETTINGS)
    @_for_managers
    async def choose_celebrations(self, interaction: discord.Interaction, _press: Press) -> None:
        """Celebrate the gangs of people, all gangs, or none."""
        celebrations = Celebrations(chosen_value(interaction, *Celebrations))
        await self.guilds.set(requester(interaction), celebrations=celebrations)
        await self._show(interaction, GuildPage.GENERAL)

    @on_press(Verb.GUILD_CARDS, costs=Action.SETTINGS)
    @_for_managers
    async def choose_cards(self, interaction: discord.Interaction, _press: Press) -> None:
        """Show cards in public messages as pictures or as text, and draw the guild's tables again."""
        is_text = chosen_value(interaction, *CardStyle) == CardStyle.TEXT
        await self.guilds.set(requester(interaction), text_cards=is_text)
        self.redraw(await self.tables.open.numbers(guild_id_of(interaction)))
        await self._show(interaction, GuildPage.GENERAL)

    @on_press(Verb.CHANNELS, costs=Action.SETTINGS)
    @_for_managers
    async def choose_channels(self, interaction: discord.Interaction, _press: Press) -> None:
        """Set the channels where tables can be opened."""
        before = (await self.guilds.get(guild_id_of(interaction))).channels
        await self.guilds.set(requester(interaction), channels=_chosen_channels(interaction, before))
        await self._show(interaction, GuildPage.GENERAL)

    @on_press(Verb.ROLES, costs=Action.SETTINGS)
    @_for_managers
    async def choose_roles(self, interaction: discord.Interaction, _press: Press) -> None:
        """Set the roles that can open tables."""
        before = (await self.guilds.get(guild_id_of(interaction))).roles
        await self.guilds.set(requester(interaction), roles=_chosen_roles(interaction, before))
        await self._show(interaction, GuildPage.GENERAL)

    @on_press(Verb.DEFAULT, costs=Action.SETTINGS)
    @_for_managers
    async def choose_default(self, interaction: discord.Interaction, press: Press) -> None:
        """Change a default of new tables."""
        changed = changed_default(press.argument, chosen_value(interaction))
        await self.guilds.set_default(requester(interaction), **changed)
        await self._show(interaction, GuildPage.TABLES if press.argument in BASICS else GuildPage.CUSTOMS)

    @on_press(Verb.USE_THREADS, costs=Action.SETTINGS)
    async def use_threads(self, interaction: discord.Interaction, _press: Press) -> None:
        """Play each match in a thread by default. The button is in the public greeting."""
        if not interaction.permissions.manage_guild:
            raise ManagersOnly
        await self.guilds.set_default(requester(interaction), thread=True)
        text = words_of(interaction).say("New tables open a thread when they start. `/gang settings` can change that.")
        await show(interaction, Layout(text))

    @on_press(Verb.LIMIT, costs=Action.SETTINGS)
    @_for_managers
    async def choose_limit(self, interaction: discord.Interaction, press: Press) -> None:
        """Set a limit."""
        await self.guilds.set_limit(requester(interaction), *changed_limit(press.argument, chosen_value(interaction)))
        await self._show(interaction, GuildPage.LIMITS)

    @on_press(Verb.SCHEDULE, costs=Action.SETTINGS)
    @_for_managers
    async def choose_schedule(self, interaction: discord.Interaction, _press: Press) -> None:
        """Set the schedule of the leaderboard. A new one is posted in this channel."""
        value = chosen_value(interaction, NEVER, *PostInterval)
        before = (await self.guilds.get(guild_id_of(interaction))).schedule
        channel = (interaction.channel_id or 0) if before is None else before.channel_id
        every = None if value == NEVER else PostInterval(value)
        await self.guilds.set_schedule(requester(interaction), every, channel)
        await self._show(interaction, GuildPage.SEASON)

    @on_press(Verb.SCHEDULE_CHANNEL, costs=Action.SETTINGS)
    @_for_managers
    async def choose_channel(self, interaction: discord.Interaction, _press: Press) -> None:
        """Set the channel of the leaderboard."""
        schedule = (await self.guilds.get(guild_id_of(interaction))).schedule
        if schedule is not None:  # else another member has switched it off, and the message shows that
            match _chosen_channels(interaction, [schedule.channel_id]):
                case (channel_id,):
                    await self.guilds.set_schedule(requester(interaction), schedule.every, channel_id)
                case _:
                    raise InvalidCustomId(str(interaction.custom_id))
        await self._show(interaction, GuildPage.SEASON)

    @on_press(Verb.SEASON, costs=Action.SEASON)
    @_for_managers
    async def change_season(self, interaction: discord.Interaction, press: Press) -> None:
        """Begin, end or reset a season, after a question if that can't be undone."""
        match press.arguments:
            case (Part.BEGIN,):
                await interaction.response.send_modal(season_form(interaction.id, words_of(interaction)))
            case (Part.END | Part.RESET as part, number):
                wanted, season = whole_number(number), await self.guilds.season(guild_id_of(interaction))
                if season is None or season.number != wanted:
                    await self._show(
                        interaction, GuildPage.SEASON, error_text(NotCurrentSeason(), words_of(interaction))
                    )
                else:
                    await edit_message(interaction, season_confirmation(Part(part), season, words_of(interaction)))
            case (Part.END, number, Part.YES):
                ending = self.guilds.end_season(
                    requester(interaction), whole_number(number), interaction.channel_id or 0
                )
                missing = missing_permissions(interaction.app_permissions, interaction.channel, words_of(interaction))
                await self._change_season(interaction, ending, missing or "")
                self.wake()
            case (Part.RESET, number, Part.YES):
                reset = self.guilds.reset_season(requester(interaction), whole_number(number))
                await self._change_season(interaction, reset)
            case _:
                raise InvalidCustomId(str(press))

    @on_form(Verb.SEASON_NAME, costs=Action.SEASON)
    @_for_managers
    async def begin_season(self, interaction: discord.Interaction, press: Press) -> None:
        """Begin a season with the typed name. A forged form can exceed the field's limits."""
        match form_values(interaction):
            case {"name": name}:
                begun = self.guilds.begin_season(requester(interaction), readable(name) or "?")
                await self._change_season(interaction, begun)
            case _:
                raise InvalidCustomId(str(press))

    async def _change_season(self, interaction: discord.Interaction, change: Awaitable[None], note: str = "") -> None:
        try:
            await change
        except NotCurrentSeason as refusal:
            note = error_text(refusal, words_of(interaction))
        await self._show(interaction, GuildPage.SEASON, note)

    async def _show(self, interaction: discord.Interaction, shown: GuildPage, note: str = "", page: int = 0) -> None:
        guild_id = guild_id_of(interaction)
        settings, season = await self.guilds.get(guild_id), await self.guilds.season(guild_id)
        pages, changes = await self.guilds.changes(guild_id, page)
        activity = await self.guilds.activity(guild_id) if shown is GuildPage.ACTIVITY else None
        state = GuildSettingsState(settings, season, pages, changes, page, activity)
        await edit_message(interaction, guild_settings_message(state, words_of(interaction), shown, note))


def _chosen_channels(interaction: discord.Interaction, before: Collection[int]) -> tuple[int, ...]:
    """The ids of the channels chosen in a menu.

    Each must be a text channel of this guild that the member can see, or be in `before`: a menu also sends its default
    values. Raises `InvalidCustomId`.
    """
    guild, chosen = interaction.guild, chosen_ids(interaction)
    for channel_id in chosen:
        channel = None if guild is None else guild.get_channel(channel_id)
        is_seen = isinstance(channel, discord.TextChannel) and may_see(interaction, Place(channel_id, None))
        if not is_seen and channel_id not in before:
            raise InvalidCustomId(str(interaction.custom_id))
    return chosen


def _chosen_roles(interaction: discord.Interaction, before: Collection[int]) -> tuple[int, ...]:
    """The ids of the chosen roles: roles of this guild, or in `before`. Raises `InvalidCustomId`."""
    guild, chosen = interaction.guild, chosen_ids(interaction)
    for role_id in chosen:
        if (guild is None or guild.get_role(role_id) is None) and role_id not in before:
            raise InvalidCustomId(str(interaction.custom_id))
    return chosen
