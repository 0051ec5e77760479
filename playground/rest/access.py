"""What a route needs first: the channel, guild or message it names, and the permission to touch it."""

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
    """An id from the path; 0, which nothing has, if it is no number."""
    value = request.match_info[name]
    return int(value) if value.isdecimal() else 0


def find_guild(world: World, request: web.Request) -> Guild:
    """The guild of the path, of which the app is a member."""
    guild = world.guilds.get(path_id(request, "guild_id"))
    if guild is None or world.app.bot.id not in guild.members:
        raise Refusal(UNKNOWN_GUILD)
    return guild


def find_channel(world: World, request: web.Request, *needed: Permission) -> Channel:
    """The channel of the path, which the app can see and where it may do what is `needed`."""
    channel = world.channels.get(path_id(request, "channel_id"))
    if channel is None:
        raise Refusal(UNKNOWN_CHANNEL)
    granted = world.permissions(world.app.bot, channel)
    if not granted & Permission.VIEW_CHANNEL:
        raise Refusal(MISSING_ACCESS)
    require_permissions(granted, *needed)
    return channel


def require_permissions(granted: Permission, *needed: Permission) -> None:
    """Refuse if anything `needed` is not granted."""
    for permission in needed:
        if not granted & permission:
            raise Refusal(MISSING_PERMISSIONS, f"Missing Permissions: {permission.name}")


def find_message(channel: Channel, message_id: int) -> Message:
    """A message of that channel; ephemeral ones cannot be reached this way."""
    message = channel.messages.get(message_id)
    if message is None or message.is_ephemeral:
        raise Refusal(UNKNOWN_MESSAGE)
    return message
