"""Users, roles, channels and files in interaction data: their ids and their `resolved` objects."""

import base64
from enum import IntEnum

from playground import payloads
from playground.world.model import Attachment, Channel, Json, User
from playground.world.permissions import Permission
from playground.world.world import World


class OptionType(IntEnum):
    """The types of command options."""

    SUBCOMMAND = 1
    GROUP = 2
    STRING = 3
    INTEGER = 4
    BOOLEAN = 5
    USER = 6
    CHANNEL = 7
    ROLE = 8
    MENTIONABLE = 9
    NUMBER = 10
    ATTACHMENT = 11


GROUP_TYPES = (OptionType.SUBCOMMAND, OptionType.GROUP)
RESOLVED_TYPES = (OptionType.USER, OptionType.CHANNEL, OptionType.ROLE, OptionType.MENTIONABLE)


class NotOffered(Exception):
    """An action that a real client doesn't allow."""


def resolve(world: World, channel: Channel, option: Json, value: object, resolved: Json) -> str:
    """Add a user, role or channel, given as object or id, to `resolved` and return its id."""
    target_id = int(str(getattr(value, "id", value)))
    guild = channel.guild
    kind = option["type"]
    if kind in (OptionType.USER, OptionType.MENTIONABLE) and target_id in world.users:
        _resolve_user(world.users[target_id], channel, resolved)
    elif kind in (OptionType.ROLE, OptionType.MENTIONABLE) and guild and target_id in guild.roles:
        resolved.setdefault("roles", {})[str(target_id)] = payloads.role_json(guild.roles[target_id])
    elif kind == OptionType.CHANNEL and guild and target_id in guild.channels:
        found = guild.channels[target_id]
        shown = payloads.channel_json(found, permissions=Permission.ordinary())
        resolved.setdefault("channels", {})[str(target_id)] = shown
    else:
        raise NotOffered(f"{option['name']}: nothing here has the id {target_id}")
    return str(target_id)


def upload(world: World, channel: Channel, option: Json, value: object, resolved: Json) -> str:
    """Add a file to `resolved` and return its id. `value` is (name, content), or from the page base64 JSON."""
    match value:
        case (str(name), bytes(content)):
            pass
        case {"filename": str(name), "content": str(encoded)}:
            content = base64.b64decode(encoded)
        case _:
            raise NotOffered(f"{option['name']} takes a file")
    attachment = Attachment(world.snowflakes.next(), name, content, "application/octet-stream")
    world.uploads[attachment.id] = attachment
    resolved.setdefault("attachments", {})[str(attachment.id)] = payloads.attachment_json(channel, attachment)
    return str(attachment.id)


def _resolve_user(user: User, channel: Channel, resolved: Json) -> None:
    resolved.setdefault("users", {})[str(user.id)] = payloads.user_json(user)
    member = channel.guild.members.get(user.id) if channel.guild else None
    if member is not None:
        granted = channel.world.permissions(user, channel)
        shown = payloads.member_json(member, user=False, permissions=granted)
        resolved.setdefault("members", {})[str(user.id)] = shown
