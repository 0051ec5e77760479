"""How presses of buttons and menus reach the cogs."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeAlias, cast

import discord
from discord.ext import commands

from bot.presentation.buttons import ForeignId, Press
from bot.presentation.habits import AS_IN_DISCORD
from bot.presentation.permissions import may_see
from bot.presentation.words import languages
from bot.services import lobby
from bot.services.refusals import NoSuchTable, NoTableOfYours
from bot.services.table import Table
from bot.services.tables import Tables

Handler: TypeAlias = Callable[[discord.Interaction, Press], Awaitable[None]]
MOST_CHOICES: Final = 25
"""Of a menu."""


def choice(interaction: discord.Interaction) -> str:
    """What was chosen in a menu of one choice. Raises `ForeignId`."""
    match cast("dict[str, Any]", interaction.data):
        case {"values": [value]}:
            return str(value)
    raise ForeignId(str(interaction.custom_id))


def values(interaction: discord.Interaction) -> list[str]:
    """What was chosen in a menu of several choices; it may be nothing. Raises `ForeignId`."""
    match cast("dict[str, Any]", interaction.data):
        case {"values": [*chosen]}:
            return [str(value) for value in chosen]
    raise ForeignId(str(interaction.custom_id))


def chosen_language(interaction: discord.Interaction) -> str:
    """The language that was chosen, or nothing for Discord's. Raises `ForeignId`."""
    language = choice(interaction)
    if language == AS_IN_DISCORD:
        return ""
    if language not in languages():
        raise ForeignId(language)
    return language


def choices(interaction: discord.Interaction) -> tuple[int, ...]:
    """The people who were chosen in a menu. Raises `ForeignId`."""
    match cast("dict[str, Any]", interaction.data):
        case {"values": [*values]} if values and all(str(value).isdecimal() for value in values):
            return tuple(int(value) for value in values)
    raise ForeignId(str(interaction.custom_id))


def guests_of(interaction: discord.Interaction) -> tuple[int, ...]:
    """Those of the people chosen in a menu who are people, not apps. Raises `ForeignId`."""
    known = cast("dict[str, Any]", interaction.data).get("resolved", {}).get("users", {})
    return tuple(guest for guest in choices(interaction) if not known.get(str(guest), {}).get("bot"))


def numbers(interaction: discord.Interaction) -> list[int]:
    """The channels or roles that were chosen in a menu; it may be none. Raises `ForeignId`."""
    found = values(interaction)
    if len(found) > MOST_CHOICES or not all(value.isascii() and value.isdecimal() for value in found):
        raise ForeignId(str(interaction.custom_id))
    return [int(value) for value in found]


def filled_in(interaction: discord.Interaction) -> dict[str, str]:
    """What was typed into a form, by the ids of its fields. Raises `ForeignId`."""
    fields = {}
    for part in cast("dict[str, Any]", interaction.data).get("components", ()):
        match part:
            case {"component": {"custom_id": str(name), "value": str(typed)}}:
                fields[name] = typed
            case _:
                raise ForeignId(str(interaction.custom_id))
    return fields


def person(interaction: discord.Interaction) -> lobby.Person:
    """Whoever asks, as they take a seat: the id of the interaction goes into the salt of the deal."""
    return lobby.Person(interaction.user.id, interaction.user.display_name, str(interaction.id))


def require_own_panel(interaction: discord.Interaction) -> None:
    """Raise `ForeignId` unless the press came from a private message, whose place the answer is to take."""
    message = interaction.message
    if message is None or not message.flags.ephemeral:
        raise ForeignId(str(interaction.custom_id))
    opened = message.interaction_metadata
    if opened is not None and opened.user.id != interaction.user.id:
        raise ForeignId(str(interaction.custom_id))


class GangCog(commands.Cog):
    """A cog of the `/gang` family; it also says which presses it handles, by their verb."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    def presses(self) -> Mapping[str, Handler]:
        """Verb to handler."""
        return {}

    async def table_of(self, interaction: discord.Interaction, number: int) -> Table:
        """The table of this number, if it stands in the server where it is asked for, and is nobody else's alone."""
        table = await self.tables.get(number)
        is_private = table.row.daily is not None and table.row.host_id != interaction.user.id
        if table.row.guild_id != interaction.guild_id or is_private:
            raise NoSuchTable
        return table

    def may_know(self, interaction: discord.Interaction, table: Table) -> bool:
        """Whether whoever asks sits at the table, or may see where it stands."""
        return table.seat_of(interaction.user.id) is not None or may_see(interaction, table.row)

    async def find(self, interaction: discord.Interaction, number: int | None) -> Table:
        """The table of this number; without one, the most likely: here before elsewhere, a turn before a wait."""
        if number is not None:
            table = await self.table_of(interaction, number)
            if table.row.daily is not None or not self.may_know(interaction, table):
                raise NoSuchTable
            return table
        user_id, channel_id = interaction.user.id, interaction.channel_id

        def likely(table: Table) -> tuple[bool, bool, bool, int]:
            turn = table.person_to_act == user_id
            return (table.seat_of(user_id) is not None, table.row.place_id == channel_id, turn, table.id)

        tables = await self.tables.open_in(interaction.guild_id or 0)
        near = [table for table in tables if likely(table)[0] or likely(table)[1]]
        if not near:
            raise NoTableOfYours
        return max(near, key=likely)
