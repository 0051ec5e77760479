"""The world in Discord's own JSON: API objects as REST answers and gateway events carry them."""

from playground import components
from playground.clock import isoformat
from playground.model import (
    Application,
    Attachment,
    Channel,
    ChannelType,
    Emoji,
    Guild,
    Interaction,
    InteractionType,
    Json,
    Member,
    Message,
    Role,
    User,
)
from playground.permissions import Permission, channel_permissions


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
    """A guild member object; messages leave the user out, interactions add the channel's permissions."""
    data: Json = {
        "roles": [str(role_id) for role_id in member.role_ids],
        "joined_at": isoformat(member.joined_at),
        "nick": member.nick,
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
    """A channel object; interactions add the person's permissions in it."""
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
    common = {"guild_id": str(guild.id), "name": channel.name, "parent_id": parent_id, "rate_limit_per_user": 0}
    if channel.thread is not None:
        return common | _thread_json(channel)
    return common | {
        "position": list(guild.channels).index(channel.id) if channel.id in guild.channels else 0,
        "topic": None,
        "nsfw": False,
        "permission_overwrites": [
            {"id": str(who), "type": int(who not in guild.roles), "allow": str(int(yes)), "deny": str(int(no))}
            for who, (yes, no) in channel.overwrites.items()
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
    if channel.type is ChannelType.PRIVATE_THREAD:
        metadata["invitable"] = thread.is_invitable
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
    """A guild object as REST gives it."""
    return {
        "id": str(guild.id),
        "name": guild.name,
        "owner_id": str(guild.owner_id),
        "roles": [role_json(role) for role in guild.roles.values()],
        "preferred_locale": guild.locale,
        "emojis": [],
        "stickers": [],
        "features": [],
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
    """The guild object of GUILD_CREATE: with its channels, threads and, of the members, the app alone."""
    me = guild.members[app_user.id]
    visible = [
        channel
        for channel in guild.channels.values()
        if channel_permissions(guild, me, channel) & Permission.VIEW_CHANNEL
    ]
    return guild_json(guild) | {
        "joined_at": isoformat(me.joined_at),
        "large": False,
        "unavailable": False,
        "member_count": len(guild.members),
        "members": [member_json(me)],
        "channels": [channel_json(channel) for channel in visible if channel.thread is None],
        "threads": [
            channel_json(channel) | {"member": thread_member_json(channel, app_user.id)}
            for channel in visible
            if channel.thread is not None and app_user.id in channel.thread.member_ids
        ],
        "voice_states": [],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def attachment_json(channel: Channel, attachment: Attachment) -> Json:
    """An attachment object, with an address that expires."""
    url = channel.world.assets.attachment_url(channel.id, attachment)
    data: Json = {
        "id": str(attachment.id),
        "filename": attachment.filename,
        "size": len(attachment.content),
        "url": url,
        "proxy_url": url,
        "content_type": attachment.content_type,
    }
    if attachment.description:
        data["description"] = attachment.description
    if attachment.size:
        data["width"], data["height"] = attachment.size
    return data


def message_json(message: Message) -> Json:
    """A message object, as its reader and the app see it."""
    data: Json = {
        "id": str(message.id),
        "type": int(message.type),
        "channel_id": str(message.channel.id),
        "author": user_json(message.author),
        "content": message.content,
        "embeds": message.embeds,
        "attachments": [attachment_json(message.channel, each) for each in message.attachments],
        "components": _message_components_json(message),
        "mentions": [user_json(user) for user in message.mentions],
        "mention_roles": [],
        "mention_everyone": message.mentions_everyone,
        "timestamp": isoformat(message.created_at),
        "edited_timestamp": isoformat(message.edited_at) if message.edited_at else None,
        "pinned": message.is_pinned,
        "tts": False,
        "flags": int(message.flags),
    }
    if message.nonce is not None:
        data["nonce"] = message.nonce
    return data | _origin_json(message)


def _origin_json(message: Message) -> Json:
    """What a message came from: an interaction, another message."""
    data: Json = {}
    if message.author.is_bot:
        data["application_id"] = str(message.channel.world.app.id)
    if message.interaction is not None:
        data["webhook_id"] = str(message.channel.world.app.id)
        data["interaction_metadata"] = interaction_metadata_json(message.interaction)
    if message.interaction is not None and message.interaction.type is InteractionType.COMMAND:
        data["interaction"] = _legacy_interaction_json(message.interaction)
    if message.reference is not None:
        data["message_reference"] = _reference_json(message.reference)
        data["referenced_message"] = None if message.reference.is_deleted else _brief(message.reference)
    return data


def _message_components_json(message: Message) -> list[Json]:
    def resolve(url: str) -> Json:
        wanted = url.removeprefix("attachment://")
        found = next((each for each in message.attachments if each.filename == wanted), None)
        if found is None or wanted == url:
            return {"id": "0", "url": url, "proxy_url": url, "width": None, "height": None, "loading_state": 2}
        file = attachment_json(message.channel, found)
        kept = {key: file.get(key) for key in ("id", "url", "proxy_url", "width", "height", "content_type")}
        return kept | {"attachment_id": file["id"], "loading_state": 2}

    return components.with_media(message.components, resolve)


def _reference_json(message: Message) -> Json:
    data: Json = {"type": 0, "message_id": str(message.id), "channel_id": str(message.channel.id)}
    if message.channel.guild is not None:
        data["guild_id"] = str(message.channel.guild.id)
    return data


def _brief(message: Message) -> Json:
    """A referenced message, which carries no reference of its own."""
    data = message_json(message)
    data.pop("referenced_message", None)
    return data


def interaction_metadata_json(interaction: Interaction) -> Json:
    """Who caused a message, and through what."""
    data: Json = {
        "id": str(interaction.id),
        "type": int(interaction.type),
        "user": user_json(interaction.user),
        "authorizing_integration_owners": _owners_json(interaction),
    }
    if interaction.type is InteractionType.COMMAND:
        data["name"] = command_path(interaction.data)
    if interaction.type is InteractionType.COMPONENT and interaction.message is not None:
        data["interacted_message_id"] = str(interaction.message.id)
    if interaction.parent is not None:
        data["triggering_interaction_metadata"] = interaction_metadata_json(interaction.parent)
    return data


def _legacy_interaction_json(interaction: Interaction) -> Json:
    name = command_path(interaction.data)
    return {"id": str(interaction.id), "type": 2, "name": name, "user": user_json(interaction.user)}


def command_path(data: Json) -> str:
    """The full name of an invoked command, such as `gang new`."""
    names = [data["name"]]
    options = data.get("options") or []
    while options and options[0]["type"] in (1, 2):
        names.append(options[0]["name"])
        options = options[0].get("options") or []
    return " ".join(names)


def _owners_json(interaction: Interaction) -> Json:
    guild = interaction.channel.guild
    return {"0": str(guild.id if guild else 0)}


def interaction_json(interaction: Interaction) -> Json:
    """An interaction as INTERACTION_CREATE brings it to the app."""
    world = interaction.channel.world
    channel, guild = interaction.channel, interaction.channel.guild
    data: Json = {
        "id": str(interaction.id),
        "application_id": str(world.app.id),
        "type": int(interaction.type),
        "token": interaction.token,
        "version": 1,
        "data": interaction.data,
        "channel_id": str(channel.id),
        "locale": interaction.user.locale,
        "entitlements": [],
        "entitlement_sku_ids": [],
        "authorizing_integration_owners": _owners_json(interaction),
        "context": 0 if guild else 1,
        "attachment_size_limit": 10 * 1024 * 1024,
        "app_permissions": str(int(world.permissions(world.app.bot, channel))),
    }
    if interaction.message is not None:
        data["message"] = message_json(interaction.message)
    return data | (_guild_context_json(interaction, guild) if guild else _dm_context_json(interaction))


def _guild_context_json(interaction: Interaction, guild: Guild) -> Json:
    granted = interaction.channel.world.permissions(interaction.user, interaction.channel)
    return {
        "guild_id": str(guild.id),
        "guild": {"id": str(guild.id), "locale": guild.locale, "features": []},
        "guild_locale": guild.locale,
        "channel": channel_json(interaction.channel, permissions=granted),
        "member": member_json(guild.members[interaction.user.id], permissions=granted),
    }


def _dm_context_json(interaction: Interaction) -> Json:
    return {"user": user_json(interaction.user), "channel": channel_json(interaction.channel)}


def emoji_json(emoji: Emoji, owner: User) -> Json:
    """An application emoji object."""
    return {
        "id": str(emoji.id),
        "name": emoji.name,
        "roles": [],
        "user": user_json(owner),
        "require_colons": True,
        "managed": False,
        "animated": emoji.is_animated,
        "available": True,
    }


def callback_json(interaction: Interaction, ephemeral: bool, shown: Message | None) -> Json:
    """What an interaction callback answers when asked to (`with_response`)."""
    about: Json = {
        "id": str(interaction.id),
        "type": int(interaction.type),
        "channel_id": str(interaction.channel.id),
        "response_message_loading": bool(shown and shown.flags & 128),
        "response_message_ephemeral": ephemeral,
    }
    if interaction.original is not None:
        about["response_message_id"] = str(interaction.original.id)
    if interaction.channel.guild is not None:
        about["guild_id"] = str(interaction.channel.guild.id)
    resource: Json = {"type": int(interaction.answer or 0)}
    if shown is not None:
        resource["message"] = message_json(shown)
    return {"interaction": about, "resource": resource}


def application_json(app: Application, owner: User) -> Json:
    """The application object, as both `applications/@me` routes give it."""
    return {
        "id": str(app.id),
        "name": app.name,
        "description": "",
        "icon": None,
        "type": None,
        "bot": user_json(app.bot),
        "bot_public": True,
        "bot_require_code_grant": False,
        "owner": user_json(owner),
        "team": None,
        "verify_key": "0" * 64,
        "flags": 0,
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "event_webhooks_url": None,
        "event_webhooks_status": 1,
        "explicit_content_filter": 0,
        "rpc_origins": [],
        "tags": [],
        "integration_types_config": {"0": {}},
        "approximate_guild_count": 1,
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
    }

