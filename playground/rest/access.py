"""Find the guild, channel or message in a route's path, and check the app's permissions."""

from aiohttp import web

from playground.errors import (
    MISSING_ACCESS,
    MISSING_PERMISSIONS,
    UNKNOWN_CHANNEL,
    UNKNOWN_GUILD,
    UNKNOWN_MESSAGE,
    Refusal,
)
from playground.world.model import Channel, Guild, Message
from playground.world.permissions import Permission
from playground.world.world import World


def path_id(request: web.Request, name: str) -> int:
    """An id from the path. 0, which matches nothing, if it isn't a number."""
    value = request.match_info[name]
    return int(value) if value.isdecimal() else 0


def find_guild(world: World, request: web.Request) -> Guild:
    """The guild in the path. Refuse if the app isn't a member."""
    guild = world.guilds.get(path_id(request, "guild_id"))
    if guild is None or world.app.bot.id not in guild.members:
        raise Refusal(UNKNOWN_GUILD)
    return guild


def find_channel(world: World, request: web.Request, *needed: Permission) -> Channel:
    """The channel in the path. Refuse if the app can't see it or lacks a permission."""
    channel = world.channels.get(path_id(request, "channel_id"))
    if channel is None:
        raise Refusal(UNKNOWN_CHANNEL)
    granted = world.permissions(world.app.bot, channel)
    if not granted & Permission.VIEW_CHANNEL:
        raise Refusal(MISSING_ACCESS)
    require_permissions(granted, *needed)
    return channel


def require_permissions(granted: Permission, *needed: Permission) -> None:
    """Refuse if a permission is missing."""
    for permission in needed:
        if not granted & permission:
            raise Refusal(MISSING_PERMISSIONS, f"Missing Permissions: {permission.name}")


def find_message(channel: Channel, message_id: int) -> Message:
    """A message in the channel. Refuse ephemeral ones."""
    message = channel.messages.get(message_id)
    if message is None or message.is_ephemeral:
        raise Refusal(UNKNOWN_MESSAGE)
    return message
