"""The settings of users, and the list of what waits for them."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypeAlias

import discord
from discord import app_commands
from discord.ext import commands

from bot.presentation.settings.user_settings import (
    NO_QUIET_HOURS,
    parse_day,
    parse_time,
    user_settings_form,
    user_settings_message,
)
from bot.presentation.table.lists import pending_message
from bot.presentation.text.errors import error_text
from bot.presentation.text.permissions import is_gone
from bot.presentation.text.readers import Readers, words_of
from bot.presentation.ui.components import Layout
from bot.presentation.ui.custom_ids import CardOrder, CardStyle, InvalidCustomId, Part, Press, UserForm, Verb
from bot.presentation.ui.replies import edit_message, show
from bot.services.table_alerts import TableAlerts
from bot.services.tables import Tables
from bot.services.user_settings import Users, local_time
from bot.table import absence, play
from bot.table.limits import Action
from bot.table.pending_items import PendingItem, pending_for
from bot.table.refusals import BadTimeZone, OutdatedAction, Refusal
from bot.table.user import NotificationMode, UserSettings
from cogs.base import (
    chosen_language,
    chosen_order,
    chosen_value,
    form_values,
    guild_id_of,
    own_table_of,
    require_own_message,
)
from cogs.routing import costs, on_form, on_press

MAX_TURNS: Final = 5
"""Turns with buttons in the list of what waits for a user."""
Change: TypeAlias = Callable[[], Awaitable[UserSettings]]


@dataclass(eq=False)
class UserSettingsCog(commands.Cog):
    """A user's settings and the tables that wait for them."""

    tables: Tables
    users: Users
    alerts: TableAlerts
    readers: Readers

    @costs(Action.FIGURES)
    @app_commands.command(name="turns", description="Everything that is waiting for you, in all servers")
    async def turns(self, interaction: discord.Interaction) -> None:
        """List what waits for the user, with links, and buttons to play the first turns."""
        await show(interaction, await self._turns(interaction))

    @on_press(Verb.PASS_IN_LIST, costs=None)
    async def pass_turn(self, interaction: discord.Interaction, press: Press) -> None:
        """Pass at a table of the list, and show the list after it."""
        require_own_message(interaction)
        table = await own_table_of(self.tables, interaction, press.table)
        with suppress(OutdatedAction):
            await self.tables.act(table.id, play.pass_turn, interaction.user.id, press.moment)
        await edit_message(interaction, await self._turns(interaction))

    async def _turns(self, interaction: discord.Interaction) -> Layout:
        user_id = interaction.user.id
        found = await self.tables.open.waiting_for(guild_id_of(interaction), user_id)
        mine = [each.table.id for each in found if PendingItem.TURN in pending_for(each.table, user_id)]
        turns = [await self.tables.get(table_id) for table_id in mine[:MAX_TURNS]]
        return pending_message(found, user_id, words_of(interaction), partial(is_gone, interaction), turns)

    @costs(None)
    @app_commands.command(name="settings", description="Your notifications, time zone, quiet hours and holidays")
    async def settings(self, interaction: discord.Interaction) -> None:
        """Open the user's settings."""
        await show(interaction, await self._message(interaction, await self.users.get(interaction.user.id)))

    @on_press(Verb.NOTIFICATIONS, costs=Action.SETTINGS)
    async def choose_notifications(self, interaction: discord.Interaction, _press: Press) -> None:
        """Set how the user is notified."""
        mode = NotificationMode(chosen_value(interaction, *NotificationMode))
        await self._change(interaction, partial(self.users.set, interaction.user.id, notifications=mode))

    @on_press(Verb.QUIET_HOURS, costs=Action.SETTINGS)
    async def choose_quiet(self, interaction: discord.Interaction, _press: Press) -> None:
        """Set the quiet hours to the chosen ones, or first ask for the time zone in a form."""
        quiet, settings = _quiet_hours(chosen_value(interaction)), await self.users.get(interaction.user.id)
        if quiet is not None and not settings.zone:
            require_own_message(interaction)
            form = user_settings_form(
                UserForm.QUIET_HOURS, replace(settings, quiet=quiet), interaction.id, words_of(interaction)
            )
            await interaction.response.send_modal(form)
            return
        await self._change(interaction, partial(self.users.set_quiet, interaction.user.id, quiet))

    @on_press(Verb.TIME_ZONE, costs=Action.SETTINGS)
    async def choose_zone(self, interaction: discord.Interaction, _press: Press) -> None:
        """Set the time zone to a suggestion for the typed text."""
        await self._change(interaction, partial(self.users.set_zone, interaction.user.id, chosen_value(interaction)))

    @on_press(Verb.LANGUAGE, costs=Action.SETTINGS)
    async def choose_language(self, interaction: discord.Interaction, _press: Press) -> None:
        """Set the language."""
        language = chosen_language(interaction)
        await self._change(interaction, partial(self.users.set, interaction.user.id, language=language))

    @on_press(Verb.CARDS, costs=Action.SETTINGS)
    async def choose_cards(self, interaction: discord.Interaction, _press: Press) -> None:
        """Set the look of cards."""
        is_text = chosen_value(interaction, *CardStyle) == CardStyle.TEXT
        await self._change(interaction, partial(self.users.set, interaction.user.id, text_cards=is_text))

    @on_press(Verb.SORT_HANDS, costs=Action.SETTINGS)
    async def choose_order(self, interaction: discord.Interaction, press: Press) -> None:
        """Set the order of cards in the user's hands."""
        by_color = chosen_order(press) is CardOrder.COLOR
        await self._change(interaction, partial(self.users.set, interaction.user.id, by_color=by_color))

    @on_press(Verb.END_HOLIDAYS, costs=Action.SETTINGS)
    async def end_holidays(self, interaction: discord.Interaction, _press: Press) -> None:
        """Delete the holidays."""
        await self._change(interaction, partial(self.users.set_away, interaction.user.id, None, _asked_at(interaction)))

    @on_press(Verb.ALERTS, costs=Action.SETTINGS)
    async def choose_alerts(self, interaction: discord.Interaction, press: Press) -> None:
        """Turn mentions for new tables of this guild on or off."""
        require_own_message(interaction)
        match press.arguments:
            case (Part.ON | Part.OFF as part,):
                await self.alerts.set(guild_id_of(interaction), interaction.user.id, wanted=part == Part.ON)
                settings = await self.users.get(interaction.user.id)
                await edit_message(interaction, await self._message(interaction, settings))
            case _:
                raise InvalidCustomId(str(press))

    @on_press(Verb.FORM, costs=None)
    async def open_form(self, interaction: discord.Interaction, press: Press) -> None:
        """Open a form."""
        require_own_message(interaction)
        if press.argument not in list(UserForm):
            raise InvalidCustomId(press.argument)
        settings = await self.users.get(interaction.user.id)
        form = user_settings_form(UserForm(press.argument), settings, interaction.id, words_of(interaction))
        await interaction.response.send_modal(form)

    @on_form(Verb.FORM_SENT, costs=Action.SETTINGS)
    async def read_form(self, interaction: discord.Interaction, press: Press) -> None:
        """Save the content of a form."""
        user_id, now = interaction.user.id, _asked_at(interaction)
        match press.arguments, form_values(interaction):
            case (UserForm.ZONE, _), {"zone": zone}:
                await self._change(interaction, partial(self.users.set_zone, user_id, zone))
            case (UserForm.QUIET_HOURS, _), {"start": start, "end": end, **others}:
                zone = others.get("zone", "")
                await self._change(
                    interaction, lambda: self.users.set_quiet(user_id, (parse_time(start), parse_time(end)), zone)
                )
            case (UserForm.HOLIDAYS, _), {"first": first, "last": last, **others}:
                read, zone = partial(parse_day, language=words_of(interaction).language), others.get("zone", "")
                await self._change(
                    interaction, lambda: self.users.set_away(user_id, (read(first), read(last)), now, zone)
                )
            case _:
                raise InvalidCustomId(str(press))

    async def _change(self, interaction: discord.Interaction, change: Change) -> None:
        """Change a setting and show the result, or the reason for a refusal."""
        require_own_message(interaction)
        try:
            settings = await change()
            await self.readers.prepare(interaction)
            await self._move_deadlines(interaction.user.id, settings)
            message = await self._message(interaction, settings)
        except Refusal as refusal:
            settings, note = await self.users.get(interaction.user.id), error_text(refusal, words_of(interaction))
            suggestions = refusal.suggestions if isinstance(refusal, BadTimeZone) else ()
            message = await self._message(interaction, settings, note, suggestions)
        await edit_message(interaction, message)

    async def _message(
        self, interaction: discord.Interaction, settings: UserSettings, note: str = "", suggestions: Sequence[str] = ()
    ) -> Layout:
        return user_settings_message(
            settings,
            local_time(settings, _asked_at(interaction)),
            words_of(interaction),
            note,
            suggestions,
            may_manage=interaction.permissions.manage_guild,
            has_alerts=await self.alerts.wants(guild_id_of(interaction), interaction.user.id),
        )

    async def _move_deadlines(self, user_id: int, settings: UserSettings) -> None:
        """Adapt the deadlines of the user's turns to the new settings."""
        for number in await self.tables.open.with_deadline(user_id):
            with suppress(OutdatedAction):
                await self.tables.act(number, absence.observe_quiet_hours, user_id, settings)


def _asked_at(interaction: discord.Interaction) -> int:
    """The time of the interaction, in UTC milliseconds."""
    return round(interaction.created_at.timestamp() * 1000)


def _quiet_hours(value: str) -> tuple[int, int] | None:
    """Parse a choice of quiet hours. Raises `InvalidCustomId`."""
    if value == NO_QUIET_HOURS:
        return None
    try:
        start, end = map(int, value.split("-"))
    except ValueError:
        raise InvalidCustomId(value) from None
    return start, end
