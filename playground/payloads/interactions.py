"""Interactions and the application as API objects."""

from playground.payloads.messages import message_json, owners_json
from playground.payloads.places import channel_json, member_json, user_json
from playground.world.model import MAX_FILE_BYTES, Application, Guild, Interaction, Json, Message, MessageFlags, User
from playground.world.permissions import Permission

EMBEDDED = 1 << 17
"""The flag of an application with Activities."""


def interaction_json(interaction: Interaction) -> Json:
    """An interaction object, the data of INTERACTION_CREATE."""
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
        "authorizing_integration_owners": owners_json(interaction),
        "context": channel.context,
        "attachment_size_limit": MAX_FILE_BYTES,
        "app_permissions": str(int(_app_permissions(interaction))),
    }
    if interaction.message is not None:
        data["message"] = message_json(interaction.message)
    return data | (_guild_context_json(interaction, guild) if guild else _dm_context_json(interaction))


def _app_permissions(interaction: Interaction) -> Permission:
    """The app's permissions. In a guild without its bot user Discord doesn't say which they are: here everyone's."""
    channel, guild = interaction.channel, interaction.channel.guild
    if channel.context == 2:
        return Permission.ATTACH_FILES | Permission.EMBED_LINKS | Permission.MENTION_EVERYONE
    if guild is not None and channel.world.app.bot.id not in guild.members:
        return guild.everyone.permissions
    return channel.world.permissions(channel.world.app.bot, channel)


def _guild_context_json(interaction: Interaction, guild: Guild) -> Json:
    granted = interaction.channel.world.permissions(interaction.user, interaction.channel)
    return {
        "guild_id": str(guild.id),
        "guild": {"id": str(guild.id), "locale": guild.locale, "features": guild.features},
        "guild_locale": guild.locale,
        "channel": channel_json(interaction.channel, permissions=granted),
        "member": member_json(guild.members[interaction.user.id], permissions=granted),
    }


def _dm_context_json(interaction: Interaction) -> Json:
    return {"user": user_json(interaction.user), "channel": channel_json(interaction.channel)}


def focused_option(data: Json) -> Json:
    """The option with the focus in an autocomplete. An empty text option if a test sends none."""
    options = data.get("options") or []
    while options and options[0].get("type") in (1, 2):
        options = options[0].get("options") or []
    return next((each for each in options if each.get("focused")), {"type": 3})


def callback_json(interaction: Interaction, ephemeral: bool, shown: Message | None) -> Json:
    """The response of an interaction callback with the query parameter `with_response`."""
    data: Json = {
        "id": str(interaction.id),
        "type": int(interaction.type),
        "channel_id": str(interaction.channel.id),
        "response_message_loading": bool(shown and shown.flags & MessageFlags.LOADING),
        "response_message_ephemeral": ephemeral,
    }
    if interaction.original is not None:
        data["response_message_id"] = str(interaction.original.id)
    if interaction.channel.guild is not None:
        data["guild_id"] = str(interaction.channel.guild.id)
    resource: Json = {"type": int(interaction.response_type or 0)}
    if interaction.activity_id is not None:
        data["activity_instance_id"] = interaction.activity_id
        resource["activity_instance"] = {"id": interaction.activity_id}
    if shown is not None:
        resource["message"] = message_json(shown)
    return {"interaction": data, "resource": resource}


def application_json(app: Application, owner: User) -> Json:
    """An application object."""
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
        "flags": EMBEDDED if app.has_activities else 0,
        "redirect_uris": app.redirect_uris,
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "event_webhooks_url": None,
        "event_webhooks_status": 1,
        "explicit_content_filter": 0,
        "rpc_origins": [],
        "tags": [],
        "integration_types_config": {"0": {}, "1": {}},
        "approximate_guild_count": 1,
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
    }
