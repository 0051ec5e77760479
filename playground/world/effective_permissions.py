"""What a member may do in a channel: role bits, then the channel's overwrites."""

from collections.abc import Iterable

from playground.world.model import Channel, Guild, Member
from playground.world.permissions import Permission


def send_permission(channel: Channel) -> Permission:
    """The permission needed to write there."""
    return Permission.SEND_MESSAGES if channel.thread is None else Permission.SEND_MESSAGES_IN_THREADS


def guild_permissions(guild: Guild, member: Member) -> Permission:
    """What the member's roles add up to, before any channel has its say."""
    if member.user.id == guild.owner_id:
        return Permission.everything()
    granted = guild.everyone.permissions
    for role_id in member.role_ids:
        granted |= guild.roles[role_id].permissions
    return Permission.everything() if granted & Permission.ADMINISTRATOR else granted


def channel_permissions(guild: Guild, member: Member, channel: Channel) -> Permission:
    """What the member may do in that channel; a thread asks its parent."""
    granted = guild_permissions(guild, member)
    if granted & Permission.ADMINISTRATOR:
        return granted
    overwrites = (channel.parent or channel).overwrites
    granted = _apply(granted, overwrites, [guild.id])
    granted = _apply(granted, overwrites, member.role_ids)
    granted = _apply(granted, overwrites, [member.user.id])
    return granted if granted & Permission.VIEW_CHANNEL else Permission(0)


def _apply(
    granted: Permission, overwrites: dict[int, tuple[Permission, Permission]], targets: Iterable[int]
) -> Permission:
    """Deny first, then allow, over all targets of one layer together."""
    pairs = [overwrites[target] for target in targets if target in overwrites]
    for _, deny in pairs:
        granted &= ~deny
    for allow, _ in pairs:
        granted |= allow
    return granted
