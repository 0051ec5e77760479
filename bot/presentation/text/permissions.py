"""The permissions that the app needs in a channel, and the members who can see a table there."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import discord

from bot.base.press_context import seconds_left
from bot.presentation.text.i18n import Words, translatable
from bot.table.guild import Opener
from bot.table.model import Place, TableRow
from bot.table.snapshot import Table

CHANNEL_PERMISSIONS: Final = {
    "view_channel": translatable("View Channel: to find its own messages again"),
    "send_messages": translatable("Send Messages: to post the table and to say whose turn it is"),
}
THREAD_PERMISSIONS: Final = {
    "view_channel": CHANNEL_PERMISSIONS["view_channel"],
    "send_messages_in_threads": translatable("Send Messages in Threads: to post the table and to say whose turn it is"),
}

INVITED_WITH: Final = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    attach_files=True,
    read_message_history=True,
)
"""The permissions that an invitation asks for."""


def is_outside(interaction: discord.Interaction) -> bool:
    """True outside guilds, and in guilds without the app: the user has added it for themselves."""
    is_users_own = interaction.is_user_integration() and not interaction.is_guild_integration()
    return interaction.guild_id is None or is_users_own


def is_bot_missing(interaction: discord.Interaction) -> bool:
    """True if the app was added to the guild without its bot user. The client knows all guilds with it."""
    return interaction.client.get_guild(interaction.guild_id or 0) is None


def may_know(table: Table, user_id: int, guild_id: int, may_see_place: Callable[[TableRow], bool]) -> bool:
    """True if a table is in the guild where the user is, and they have a seat, are invited, or can see its channel.

    A table that no channel shows is known to its player only.
    """
    row = table.row
    if row.guild_id != guild_id:
        return False
    has_seat = table.seat_of(user_id) is not None
    return has_seat or (row.in_channel and (user_id in row.invited or may_see_place(row)))


def may_see(interaction: discord.Interaction, row: TableRow | Place) -> bool:
    """True if the user can see a table's channel or thread. Nobody sees a deleted one.

    As in Discord, administrators see every channel, and members who manage the guild only those open to them.
    """
    if interaction.channel_id in (row.place_id, row.channel_id):
        return interaction.permissions.view_channel  # as computed by Discord, also for private threads
    guild, user = interaction.guild, interaction.user
    channel = place_of(guild, row) if guild is not None else None
    if channel is None or not isinstance(user, discord.Member):
        return False
    return may_read(channel, user)


def may_write(interaction: discord.Interaction) -> bool:
    """True if the user may write in this channel or thread, and the app was added to its guild."""
    return not is_outside(interaction) and _may_send(interaction.permissions, interaction.channel)


def opener_in(interaction: discord.Interaction, channel_id: int, parent_id: int | None = None) -> Opener:
    """The user as the member who opens a table in a channel of the guild, here or elsewhere.

    `parent_id`: the channel of the thread, which may be archived.
    Members who can't write there need their own check: Discord lets them press buttons and use commands.
    """
    user = interaction.user
    if not isinstance(user, discord.Member) or interaction.guild is None:
        return Opener((channel_id,), frozenset(), may_write=False)
    may_manage = interaction.permissions.manage_guild
    if channel_id != interaction.channel_id:
        return opener_elsewhere(user, channel_id, parent_id, may_manage=may_manage)
    return _opener(user, channel_id, interaction.channel, may_write=may_write(interaction), may_manage=may_manage)


async def opener_at(interaction: discord.Interaction, row: TableRow) -> Opener:
    """The same in the channel of a table, perhaps in another guild than the press."""
    guild = interaction.client.get_guild(row.guild_id)
    if guild is None or row.guild_id == interaction.guild_id:
        return opener_in(interaction, row.channel_id, row.parent_id)
    try:
        async with asyncio.timeout(seconds_left()):
            member = await guild.fetch_member(interaction.user.id)
    except discord.NotFound:
        return Opener((row.channel_id,), frozenset(), may_write=False)
    may_manage = member.guild_permissions.manage_guild
    return opener_elsewhere(member, row.channel_id, row.parent_id, may_manage=may_manage)


def opener_elsewhere(
    member: discord.Member, channel_id: int, parent_id: int | None = None, *, may_manage: bool
) -> Opener:
    """The same for a member who isn't in this channel now. `may_manage`: they manage the guild."""
    channel = place_of(member.guild, Place(channel_id, None, parent_id))
    if channel is None:
        return _opener(member, channel_id, channel, may_write=False, may_manage=may_manage)
    people, in_thread = (member, member.guild.me), parent_id is not None
    may_open, app_may = (_may_send(channel.permissions_for(who), channel, in_thread=in_thread) for who in people)
    opener = _opener(member, channel_id, channel, may_write=may_open, may_manage=may_manage)
    return replace(opener, app_may_write=app_may)


def _opener(member: discord.Member, channel_id: int, channel: object, *, may_write: bool, may_manage: bool) -> Opener:
    parent = channel.parent_id if isinstance(channel, discord.Thread) else getattr(channel, "id", channel_id)
    roles = None if may_manage else frozenset(role.id for role in member.roles)
    is_public = isinstance(channel, discord.Thread) and not channel.is_private()
    return Opener((channel_id, parent), roles, may_write, parent_id=parent if is_public else None)


def _may_send(permissions: discord.Permissions, channel: object, *, in_thread: bool = False) -> bool:
    sends_in_thread = in_thread or isinstance(channel, discord.Thread)
    sends = permissions.send_messages_in_threads if sends_in_thread else permissions.send_messages
    return permissions.view_channel and sends


def may_read(
    channel: discord.abc.GuildChannel | discord.Thread,
    member: discord.Member,
    parent: discord.abc.GuildChannel | None = None,
) -> bool:
    """True if a member can see a channel or thread, as far as known. A `parent` is needed if it isn't in the cache."""
    allowed = (parent or channel).permissions_for(member)
    if isinstance(channel, discord.Thread) and channel.is_private():
        return allowed.view_channel and allowed.manage_threads  # Discord doesn't send the members of a thread
    return allowed.view_channel


def place_of(guild: discord.Guild, row: TableRow | Place) -> discord.abc.GuildChannel | discord.Thread | None:
    """The channel or cached thread of a table. For an archived thread, its channel."""
    place = guild.get_channel_or_thread(row.place_id) or guild.get_channel(row.channel_id)
    return place or guild.get_channel(row.parent_id or 0)


def is_gone(interaction: discord.Interaction, row: TableRow) -> bool:
    """True if the channel of a table was deleted, as far as known."""
    guild = interaction.guild
    return guild is not None and guild.id == row.guild_id and place_of(guild, row) is None


def gone_text(number: int, words: Words) -> str:
    """Say that the channel of a table was deleted, and how to play on."""
    return words.say("The channel of table {number} is gone. You can play on with `/gang hand`.", number=number)


def unreachable_text(interaction: discord.Interaction, row: TableRow, words: Words) -> str:
    """The reason why a table of this guild can't be shown in its channel, or an empty string."""
    guild = interaction.guild
    if guild is None or guild.id != row.guild_id:
        return ""
    channel = place_of(guild, row)
    if channel is None:
        return gone_text(row.id, words)
    is_here = interaction.channel_id == row.place_id
    allowed = interaction.app_permissions if is_here else channel.permissions_for(guild.me)
    if _may_send(allowed, channel, in_thread=(row.thread_id or row.parent_id) is not None):
        return ""
    place = f"<#{row.place_id}>"
    return words.say("I can't write in the channel of table {number}: {place}.", number=row.id, place=place)


def missing_thread_text(interaction: discord.Interaction, row: TableRow, words: Words) -> str:
    """The reason why a table can't have the thread that it wants, or an empty string."""
    if not row.settings.thread or interaction.guild is None:
        return ""
    channel = interaction.guild.get_channel(row.channel_id)
    if not isinstance(channel, discord.TextChannel):  # in a thread, or in the chat of a voice channel
        return words.say("There are no threads here, so the match is played in this channel.")
    allowed = channel.permissions_for(interaction.guild.me)
    if allowed.create_public_threads and allowed.send_messages_in_threads:
        return ""
    return words.say("I can't create public threads and write in them here, so the match is played in this channel.")


def missing_permissions(permissions: discord.Permissions, channel: Any, words: Words) -> str:  # noqa: ANN401  # any kind
    """The permissions that a table needs and the app lacks, for the member who opens it; empty if none."""
    needed = THREAD_PERMISSIONS if isinstance(channel, discord.Thread) else CHANNEL_PERMISSIONS
    missing = [why for name, why in needed.items() if not getattr(permissions, name)]
    if not missing:
        return ""
    lines = [words.say("I lack permissions that a table needs in this channel.")]
    lines += [f"- {words.say(why)}" for why in missing]
    lines.append(words.say("A server manager can allow it in the channel's settings."))
    return "\n".join(lines)
