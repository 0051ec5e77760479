"""Users, members, roles, channels and guilds as API objects."""

from playground.clock import isoformat
from playground.world.model import Channel, ChannelType, Guild, Json, Member, Role, User
from playground.world.permissions import Permission


def user_json(user: User) -> Json:
    """A user object."""
    return {
        "id": str(user.id),
        "username": user.name if user.is_bot else user.username,
        "global_name": None if user.is_bot else user.name,
        "discriminator": "0001" if user.is_bot else "0",
        "avatar": None,
        "bot": user.is_bot,
        "public_flags": 0,
        "flags": 0,
    }


def member_json(member: Member, *, user: bool = True, permissions: Permission | None = None) -> Json:
    """A guild member object. Messages omit the user, interactions add the permissions in the channel."""
    data: Json = {
        "roles": [str(role_id) for role_id in member.role_ids],
        "joined_at": isoformat(member.joined_at),
        "nick": None,
        "avatar": None,
        "banner": None,
        "premium_since": None,
        "communication_disabled_until": None,
        "pending": False,
        "deaf": False,
        "mute": False,
        "flags": 0,
    }
    if user:
        data["user"] = user_json(member.user)
    if permissions is not None:
        data["permissions"] = str(int(permissions))
    return data


def role_json(role: Role) -> Json:
    """A role object."""
    return {
        "id": str(role.id),
        "name": role.name,
        "permissions": str(int(role.permissions)),
        "position": role.position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": False,
        "mentionable": False,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }


def channel_json(channel: Channel, *, permissions: Permission | None = None) -> Json:
    """A channel object. Interactions add the user's permissions."""
    data: Json = {
        "id": str(channel.id),
        "type": int(channel.type),
        "last_message_id": str(max(channel.messages)) if channel.messages else None,
        "flags": 0,
    }
    if channel.guild is None:
        data["recipients"] = [user_json(user) for user in channel.recipients if not user.is_bot]
    else:
        data |= _guild_channel_json(channel, channel.guild)
    if permissions is not None:
        data["permissions"] = str(int(permissions))
    return data


def _guild_channel_json(channel: Channel, guild: Guild) -> Json:
    parent_id = str(channel.parent.id) if channel.parent else None
    common: Json = {"guild_id": str(guild.id), "name": channel.name, "parent_id": parent_id, "rate_limit_per_user": 0}
    if channel.thread is not None:
        return common | _thread_json(channel)
    if channel.type in (ChannelType.VOICE, ChannelType.STAGE):
        common |= {"bitrate": 64000, "user_limit": 0, "rtc_region": None}
    if channel.type is ChannelType.FORUM:
        common |= {"available_tags": [], "default_reaction_emoji": None, "default_sort_order": None}
    return common | {
        "position": list(guild.channels).index(channel.id) if channel.id in guild.channels else 0,
        "topic": None,
        "nsfw": False,
        "permission_overwrites": [
            {"id": str(target), "type": int(target not in guild.roles), "allow": str(int(yes)), "deny": str(int(no))}
            for target, (yes, no) in channel.overwrites.items()
        ],
    }


def _thread_json(channel: Channel) -> Json:
    thread = channel.thread
    assert thread is not None  # noqa: S101 - the caller has looked
    metadata = {
        "archived": thread.is_archived,
        "locked": thread.is_locked,
        "auto_archive_duration": thread.auto_archive_minutes,
        "archive_timestamp": isoformat(thread.created_at),
        "create_timestamp": isoformat(thread.created_at),
    }
    return {
        "owner_id": str(thread.owner_id),
        "message_count": len(channel.messages),
        "total_message_sent": len(channel.messages),
        "member_count": min(len(thread.member_ids), 50),
        "thread_metadata": metadata,
    }


def thread_member_json(channel: Channel, user_id: int) -> Json:
    """A thread member object."""
    assert channel.thread is not None  # noqa: S101 - only threads have thread members
    joined = isoformat(channel.thread.created_at)
    return {"id": str(channel.id), "user_id": str(user_id), "join_timestamp": joined, "flags": 0}


def guild_json(guild: Guild) -> Json:
    """A guild object."""
    return {
        "id": str(guild.id),
        "name": guild.name,
        "owner_id": str(guild.owner_id),
        "roles": [role_json(role) for role in guild.roles.values()],
        "preferred_locale": guild.locale,
        "emojis": [],
        "stickers": [],
        "features": guild.features,
        "icon": None,
        "splash": None,
        "banner": None,
        "description": None,
        "afk_channel_id": None,
        "afk_timeout": 300,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "rules_channel_id": None,
        "public_updates_channel_id": None,
        "verification_level": 0,
        "default_message_notifications": 1,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "premium_progress_bar_enabled": False,
        "vanity_url_code": None,
        "max_members": 500000,
    }


def guild_create_json(guild: Guild, app_user: User) -> Json:
    """The guild object of GUILD_CREATE: with all channels, the threads that the app sees, and the app's member.

    This is the event after the app joins a guild. After READY, the caller adds `unavailable`.
    """
    channels = guild.channels.values()
    me = guild.members[app_user.id]
    return guild_json(guild) | {
        "joined_at": isoformat(me.joined_at),
        "large": False,
        "member_count": len(guild.members),
        "members": [member_json(me)],
        "channels": [channel_json(channel) for channel in channels if channel.thread is None],
        "threads": [_thread_json_for(channel, me.user) for channel in channels if _is_visible_thread(channel, me.user)],
        "voice_states": [],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def _is_visible_thread(channel: Channel, user: User) -> bool:
    """True if the channel is an active thread that the user sees."""
    if channel.thread is None or channel.thread.is_archived:
        return False
    return bool(channel.world.permissions(user, channel) & Permission.VIEW_CHANNEL)


def _thread_json_for(channel: Channel, user: User) -> Json:
    is_in = channel.thread is not None and user.id in channel.thread.member_ids
    return channel_json(channel) | ({"member": thread_member_json(channel, user.id)} if is_in else {})
