"""The lobby: seats, cuts, options, invitations, and the start."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Final

import discord
from discord.ext import commands

from bot.engine.options import BadOption
from bot.presentation.channel.open_hands import OpenHands
from bot.presentation.table.cut import cut_form, typed_cut
from bot.presentation.table.hand import hand_message
from bot.presentation.table.lobby_options import AI_PLAYERS, PAGES, lobby_options_message, set_option
from bot.presentation.table.selection import HandState
from bot.presentation.text.i18n import Words, translatable
from bot.presentation.text.permissions import missing_thread_text
from bot.presentation.text.readers import words_of
from bot.presentation.ui.components import Layout
from bot.presentation.ui.custom_ids import InvalidCustomId, LobbyPage, Press, Verb, whole_number
from bot.presentation.ui.replies import edit_message, show
from bot.services.guild_settings import Guilds
from bot.services.rate_limiter import RateLimiter
from bot.services.tables import Tables
from bot.table import lobby, play
from bot.table.limits import Action
from bot.table.model import Status, TableRow
from bot.table.play import change_lobby
from bot.table.snapshot import Table
from cogs.base import (
    chosen_value,
    form_values,
    guests_of,
    guild_id_of,
    is_in_own_message,
    lobby_menu,
    may_manage,
    person,
    require_own_message,
    table_of,
)
from cogs.routing import actor_of, in_apps_menu, on_form, on_press

SEAT_CHANGES: Final[Mapping[Verb, Callable[[TableRow, int], TableRow]]] = {
    Verb.LEAVE: lobby.leave,
    Verb.REMOVE_AI: lobby.remove_ai,
}


@dataclass(eq=False)
class LobbyCog(commands.Cog):
    """Everything at a table before the first deal."""

    tables: Tables
    guilds: Guilds
    hands: OpenHands
    limiter: RateLimiter

    @on_press(Verb.JOIN, costs=None)
    async def join(self, interaction: discord.Interaction, press: Press) -> None:
        """Take a seat."""
        table = await table_of(self.tables, interaction, press.table)
        await self.tables.act(table.id, play.join, person(interaction))
        await interaction.response.defer()

    @on_press(*SEAT_CHANGES, costs=None)
    async def change_seats(self, interaction: discord.Interaction, press: Press) -> None:
        """Leave the lobby, or remove an AI player."""
        table = await table_of(self.tables, interaction, press.table)
        await self.tables.act(table.id, change_lobby, SEAT_CHANGES[press.verb], interaction.user.id)
        await interaction.response.defer()

    @on_press(Verb.ADD_AI, costs=None)
    async def add_ai(self, interaction: discord.Interaction, press: Press) -> None:
        """Add an AI player."""
        table = await table_of(self.tables, interaction, press.table)
        await self.tables.add_ai(table.id, interaction.user.id)
        await interaction.response.defer()

    @on_press(Verb.START, costs=None)
    async def start(self, interaction: discord.Interaction, press: Press) -> None:
        """Deal the first hand."""
        table = await table_of(self.tables, interaction, press.table)
        await self.tables.start(table.id, interaction.user.id)
        await interaction.response.defer()

    @on_press(Verb.FILL, costs=None)
    async def fill(self, interaction: discord.Interaction, press: Press) -> None:
        """Fill the free seats with AI players, deal the first hand, and show it to the host."""
        table = await table_of(self.tables, interaction, press.table)
        table = await self.tables.start(table.id, interaction.user.id, fill=True)
        welcome = await self.hands.welcome(interaction)
        await show(interaction, hand_message(table, interaction.user.id, HandState(), words_of(interaction), welcome))
        await self.hands.track_new(interaction, table, welcome)

    @on_press(Verb.CUT, costs=None)
    async def open_cut(self, interaction: discord.Interaction, press: Press) -> None:
        """Open the form for cutting the deck."""
        table = await table_of(self.tables, interaction, press.table)
        lobby.require_may_cut(table.row, interaction.user.id)
        await interaction.response.send_modal(
            cut_form(table, interaction.user.id, interaction.id, words_of(interaction))
        )

    @on_form(Verb.CUT_NUMBER, costs=None)
    async def cut(self, interaction: discord.Interaction, press: Press) -> None:
        """Cut the deck at the typed number, or remove the cut, perhaps after joining. The table's message shows it."""
        table = await table_of(self.tables, interaction, press.table)
        match form_values(interaction):
            case {"number": typed}:
                table = await self.tables.act(table.id, play.cut, person(interaction), typed_cut(typed))
            case _:
                raise InvalidCustomId(str(press))
        if table.row.status is Status.LOBBY and is_in_own_message(interaction):
            await edit_message(interaction, lobby_menu(interaction, table, LobbyPage.FAIRNESS))
        else:  # a rematch starts with its last player
            await interaction.response.defer()

    @on_press(Verb.OPTIONS, costs=None)
    async def options(self, interaction: discord.Interaction, press: Press) -> None:
        """Open the options, or show another page of them. Everyone may see the page about fairness."""
        table = await table_of(self.tables, interaction, press.table)
        lobby.require_lobby(table.row)
        match press.arguments:
            case ():
                await show(interaction, lobby_menu(interaction, table))
                return
            case (page,) if page in list(LobbyPage):
                if page != LobbyPage.FAIRNESS:
                    lobby.require_host(table.row, interaction.user.id)
            case _:
                raise InvalidCustomId(str(press))
        if page == LobbyPage.PEOPLE:
            view = await self._people(interaction, table)
        else:
            view = lobby_menu(interaction, table, LobbyPage(page))
        await (edit_message if is_in_own_message(interaction) else show)(interaction, view)

    @on_press(Verb.SET_OPTION, costs=None)
    async def set_option(self, interaction: discord.Interaction, press: Press) -> None:
        """Change one option."""
        require_own_message(interaction)
        table = await table_of(self.tables, interaction, press.table)
        match press.arguments:
            case (page, name) if page in list(LobbyPage) and name in PAGES.get(LobbyPage(page), ()):
                value = chosen_value(interaction)
            case _:
                raise InvalidCustomId(str(press))
        try:
            table = await self.tables.act(table.id, change_lobby, set_option, interaction.user.id, name, value)
        except BadOption as bad:
            raise InvalidCustomId(value) from bad
        note = missing_thread_text(interaction, table.row, words_of(interaction))
        await edit_message(interaction, lobby_menu(interaction, table, LobbyPage(page), note))

    @on_press(Verb.INVITE, costs=None)
    async def invite(self, interaction: discord.Interaction, press: Press) -> None:
        """Invite users to the table."""
        guests = guests_of(interaction)
        words = words_of(interaction)
        require_own_message(interaction)
        table = await table_of(self.tables, interaction, press.table)
        note = _no_apps_text(words)
        if guests:
            table = await self._invite(interaction, table, guests)
            note = words.say("Invited: {names}.", names=words.list([f"<@{guest}>" for guest in guests]))
        await edit_message(interaction, await self._people(interaction, table, note))

    @in_apps_menu(translatable("Invite to my table"), costs=None)
    async def invite_to_my_table(self, interaction: discord.Interaction, guest: discord.Member | discord.User) -> None:
        """Invite `guest` to a table that the user hosts: one in this channel, or else the newest."""
        words = words_of(interaction)
        if guest == interaction.user:
            note = words.say("That's you. Use it on another person.")
        elif guest.bot:
            note = _no_apps_text(words)
        else:
            note = await self._invite_to_own(interaction, guest.id, words)
        await show(interaction, Layout(note))

    async def _invite_to_own(self, interaction: discord.Interaction, guest: int, words: Words) -> str:
        """Invite `guest` to a table that the user hosts. Returns the answer."""
        guild_id, channel_id = guild_id_of(interaction), interaction.channel_id or 0
        table = await self.tables.open.nearest_lobby(guild_id, interaction.user.id, channel_id)
        if table is None:
            return words.say("You host no table that waits for players. `/gang new` opens one.")
        facts = {"name": f"<@{guest}>", "number": table.id}
        if table.row.has_owner(guest):
            return words.say("{name} already sits at table {number}.", **facts)
        await self._invite(interaction, table, [guest])
        return words.say("{name} is invited to table {number}.", **facts)

    async def _invite(self, interaction: discord.Interaction, table: Table, guests: Sequence[int]) -> Table:
        """Invite users to a table of the user. Those who haven't been invited before are mentioned, which counts."""
        new, actor = lobby.newly_invited(table.row, guests), actor_of(interaction)
        limits = await self._limits(interaction)
        spending = self.limiter.spending(Action.INVITE, actor, len(new), limits) if new else nullcontext()
        with spending, self.limiter.mentioning(actor, new):
            return await self.tables.act(table.id, change_lobby, lobby.invite, interaction.user.id, guests)

    async def _people(self, interaction: discord.Interaction, table: Table, note: str = "") -> Layout:
        """The page where the host invites and removes users."""
        max_guests = self.limiter.max_at_once(Action.INVITE, await self._limits(interaction))
        return lobby_options_message(
            *(table, LobbyPage.PEOPLE, interaction.user.id, words_of(interaction), note),
            may_manage=may_manage(interaction, table),
            max_guests=max_guests,
            drawing=interaction.id,
        )

    async def _limits(self, interaction: discord.Interaction) -> Mapping[str, int]:
        """The limits that the guild has set."""
        return (await self.guilds.get(guild_id_of(interaction))).limits

    @on_press(Verb.AI_LEVEL, costs=None)
    async def choose_ai_player(self, interaction: discord.Interaction, press: Press) -> None:
        """Set the level of an AI player, and its style."""
        level, style = AI_PLAYERS[chosen_value(interaction, *AI_PLAYERS)]
        name = press.argument
        require_own_message(interaction)
        table = await table_of(self.tables, interaction, press.table)
        table = await self.tables.act(
            table.id, change_lobby, lobby.set_ai_player, interaction.user.id, name, level, style
        )
        await edit_message(interaction, await self._people(interaction, table))

    @on_press(Verb.REMOVE, costs=None)
    async def remove(self, interaction: discord.Interaction, press: Press) -> None:
        """Remove a user from the table."""
        guest = whole_number(chosen_value(interaction))
        require_own_message(interaction)
        table = await table_of(self.tables, interaction, press.table)
        table = await self.tables.act(table.id, change_lobby, lobby.remove, interaction.user.id, guest)
        await edit_message(interaction, await self._people(interaction, table))


def _no_apps_text(words: Words) -> str:
    return words.say("Apps can't be invited. The table's message has a button for AI players.")
