"""Compute the permissions of a member in a guild or channel: roles first, then the channel's overwrites."""

from collections.abc import Iterable

from playground.world.model import Channel, ChannelType, Guild, Member
from playground.world.permissions import Permission


def send_permission(channel: Channel) -> Permission:
    """The permission needed to post in the channel."""
    return Permission.SEND_MESSAGES if channel.thread is None else Permission.SEND_MESSAGES_IN_THREADS


def guild_permissions(guild: Guild, member: Member) -> Permission:
    """The permissions granted by the member's roles, without channel overwrites."""
    if member.user.id == guild.owner_id:
        return Permission.everything()
    granted = guild.everyone.permissions
    for role_id in member.role_ids:
        granted |= guild.roles[role_id].permissions
    return Permission.everything() if granted & Permission.ADMINISTRATOR else granted


def channel_permissions(guild: Guild, member: Member, channel: Channel) -> Permission:
    """The member's permissions in the channel. A thread uses the overwrites of its parent.

    Private threads are for their members and moderators: https://docs.discord.com/developers/topics/threads
    """
    granted = guild_permissions(guild, member)
    if granted & Permission.ADMINISTRATOR:
        return granted
    overwrites = (channel.parent or channel).overwrites
    granted = _apply(granted, overwrites, [guild.id])
    granted = _apply(granted, overwrites, member.role_ids)
    granted = _apply(granted, overwrites, [member.user.id])
    is_member = channel.thread is None or member.user.id in channel.thread.member_ids
    is_hidden = channel.type is ChannelType.PRIVATE_THREAD and not is_member and not granted & Permission.MANAGE_THREADS
    return granted if granted & Permission.VIEW_CHANNEL and not is_hidden else Permission(0)


def _apply(
    granted: Permission, overwrites: dict[int, tuple[Permission, Permission]], targets: Iterable[int]
) -> Permission:
    """Apply the overwrites of all targets: denials first, then allowances."""
    pairs = [overwrites[target] for target in targets if target in overwrites]
    for _, deny in pairs:
        granted &= ~deny
    for allow, _ in pairs:
        granted |= allow
    return granted
