"""Shared parts of the cogs: what an interaction holds, and access to tables."""

from functools import partial
from typing import Any, Final, cast

import discord

from bot.analysis.history import HistoryFilter
from bot.base.fair_queue import Requester
from bot.base.press_context import record_table
from bot.presentation.records.history import HERE
from bot.presentation.settings.user_settings import AS_IN_DISCORD
from bot.presentation.table.lobby_options import lobby_options_message
from bot.presentation.text import permissions
from bot.presentation.text.i18n import languages
from bot.presentation.text.names import APP_NAME, chosen_name
from bot.presentation.text.permissions import is_outside, may_see
from bot.presentation.text.readers import words_of
from bot.presentation.ui.components import MAX_OPTIONS, Layout
from bot.presentation.ui.custom_ids import CardOrder, InvalidCustomId, LobbyPage, Press, whole_number
from bot.services.open_tables import OpenTables, Page
from bot.services.tables import Tables
from bot.table import lobby
from bot.table.guild import own_guild_id
from bot.table.model import Status
from bot.table.refusals import NoSuchTable
from bot.table.snapshot import Table

MAX_TYPED_LENGTH: Final = 4000
"""Discord's limit for the characters of a field."""


def chosen_value(interaction: discord.Interaction, *offered: str) -> str:
    """The value chosen in a menu for one choice: any, or one of those `offered`. Raises `InvalidCustomId`."""
    match chosen_values(interaction):
        case [value] if not offered or value in offered:
            return value
    raise InvalidCustomId(str(interaction.custom_id))


def chosen_values(interaction: discord.Interaction) -> list[str]:
    """The values chosen in a menu, perhaps none. Raises `InvalidCustomId`."""
    match cast("Any", interaction.data):
        case {"values": [*chosen]} if len(chosen) <= MAX_OPTIONS:
            return [str(value) for value in chosen]
    raise InvalidCustomId(str(interaction.custom_id))


def chosen_language(interaction: discord.Interaction) -> str:
    """The chosen language, or an empty string for Discord's. Raises `InvalidCustomId`."""
    language = chosen_value(interaction, AS_IN_DISCORD, *languages())
    return "" if language == AS_IN_DISCORD else language


def chosen_ids(interaction: discord.Interaction) -> tuple[int, ...]:
    """The ids of the users, channels or roles chosen in a menu, perhaps none. Raises `InvalidCustomId`."""
    return tuple(map(whole_number, chosen_values(interaction)))


def guests_of(interaction: discord.Interaction) -> tuple[int, ...]:
    """The users chosen in a menu, without apps. Raises `InvalidCustomId` if nothing was chosen."""
    chosen = chosen_ids(interaction)
    if not chosen:
        raise InvalidCustomId(str(interaction.custom_id))
    return tuple(user_id for user_id in chosen if not _is_app(interaction, user_id))


def _is_app(interaction: discord.Interaction, user_id: int) -> bool:
    match cast("Any", interaction.data):
        case {"resolved": {"users": {**users}}}:
            match users.get(str(user_id)):
                case {"bot": True}:
                    return True
    return False


def form_values(interaction: discord.Interaction) -> dict[str, str]:
    """The text of each field of a form, by the field's id. Raises `InvalidCustomId`."""
    match cast("Any", interaction.data):
        case {"components": [*parts]}:
            return dict(_field(part) for part in parts)
    raise InvalidCustomId(str(interaction.custom_id))


def _field(part: object) -> tuple[str, str]:
    match part:
        case {"component": {"custom_id": str(name), "value": str(typed)}} if len(typed) <= MAX_TYPED_LENGTH:
            return name, typed
    raise InvalidCustomId(str(part))


def person(interaction: discord.Interaction) -> lobby.Person:
    """The user as a player for a seat."""
    app = interaction.client.user
    name = chosen_name(interaction.user, APP_NAME if app is None else app.name)
    return lobby.Person(interaction.user.id, name)


def guild_id_of(interaction: discord.Interaction) -> int:
    """The id of the guild. Outside guilds, and in guilds without the app, one of the user's own."""
    if interaction.guild_id is None or is_outside(interaction):
        return own_guild_id(interaction.user.id)
    return interaction.guild_id


def requester(interaction: discord.Interaction) -> Requester:
    """The user and the guild of the interaction."""
    return Requester(guild_id_of(interaction), interaction.user.id)


async def defer_privately(interaction: discord.Interaction) -> None:
    """Acknowledge an interaction before a slow private answer: Discord waits 3 s. Does nothing if it's done."""
    if not interaction.response.is_done():
        await interaction.response.defer(ephemeral=True, thinking=True)


def chosen_order(press: Press) -> CardOrder:
    """The order of cards in a press. Raises `InvalidCustomId`."""
    if press.argument not in list(CardOrder):
        raise InvalidCustomId(str(press))
    return CardOrder(press.argument)


def require_own_message(interaction: discord.Interaction) -> None:
    """Raise `InvalidCustomId` unless the press came from a private message of the user."""
    if not is_in_own_message(interaction):
        raise InvalidCustomId(str(interaction.custom_id))


def is_in_own_message(interaction: discord.Interaction) -> bool:
    """True for a press in a private message of the user."""
    message = interaction.message
    if message is None or not message.flags.ephemeral:
        return False
    opened = message.interaction_metadata
    return opened is None or opened.user.id == interaction.user.id


async def table_of(tables: Tables, interaction: discord.Interaction, number: int) -> Table:
    """The table with this number. Every command and press that names a table gets it here.

    Raises `NoSuchTable` if it doesn't exist or the user may not know about it.
    """
    table = await tables.get(number)
    if not may_know(interaction, table):
        raise NoSuchTable
    record_table(table.id)
    return table


async def own_table_of(tables: Tables, interaction: discord.Interaction, number: int) -> Table:
    """The same for the player of a match, who may act from a direct message or another guild, too."""
    table = await tables.get(number)
    is_match = table.row.daily is None and table.row.status is not Status.LOBBY
    if not is_match or table.seat_of(interaction.user.id) is None:
        return await table_of(tables, interaction, number)
    record_table(table.id)
    return table


def may_manage(interaction: discord.Interaction, table: Table) -> bool:
    """True if the user manages the table's guild. A press in another guild tells nothing about that."""
    return interaction.permissions.manage_guild and guild_id_of(interaction) == table.row.guild_id


def may_know(interaction: discord.Interaction, table: Table) -> bool:
    """True if the user may know about the table here."""
    may_see_place = partial(may_see, interaction)
    return permissions.may_know(table, interaction.user.id, guild_id_of(interaction), may_see_place)


async def find_table(tables: Tables, interaction: discord.Interaction, number: int | None) -> Table:
    """The table with this number; without a number, the table that the user most likely means here.

    Raises `NoSuchTable` or `NoOpenTable`.
    """
    if number is None:
        guild_id, channel_id = guild_id_of(interaction), interaction.channel_id or 0
        nearest = await tables.open.nearest(guild_id, interaction.user.id, channel_id)
        record_table(nearest.id)
        return nearest
    table = await own_table_of(tables, interaction, number)
    if table.row.daily is not None:
        raise NoSuchTable
    return table


def lobby_menu(interaction: discord.Interaction, table: Table, page: LobbyPage | None = None, note: str = "") -> Layout:
    """The options of a lobby: a page, or the first that the user has."""
    user_id, words = interaction.user.id, words_of(interaction)
    page = page or (LobbyPage.BASICS if user_id == table.row.host_id else LobbyPage.FAIRNESS)
    return lobby_options_message(table, page, user_id, words, note, may_manage=may_manage(interaction, table))


async def visible_tables(open_tables: OpenTables, interaction: discord.Interaction, number: int = 0) -> Page:
    """A page of the guild's open tables (from 0): those in channels that the user can see, and their own."""
    guild_id = guild_id_of(interaction)
    visible = {place.place_id for place in await open_tables.places(guild_id) if may_see(interaction, place)}
    return await open_tables.page(guild_id, interaction.user.id, visible, number)


def history_filter(interaction: discord.Interaction, scope: str) -> HistoryFilter:
    """The filter for a list opened here. A thread counts as its channel."""
    guild_id = guild_id_of(interaction)
    if scope != HERE:
        return HistoryFilter(guild_id, user_id=interaction.user.id)
    places = interaction.channel_id, getattr(interaction.channel, "parent_id", None)
    return HistoryFilter(guild_id, channels=[place for place in places if place is not None])
