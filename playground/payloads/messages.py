"""Messages, attachments and emoji as API objects."""

from playground import components
from playground.clock import isoformat
from playground.payloads.places import user_json
from playground.world.model import (
    Attachment,
    Channel,
    CommandType,
    Emoji,
    Interaction,
    InteractionType,
    Json,
    Message,
    User,
)


def attachment_json(channel: Channel, attachment: Attachment) -> Json:
    """An attachment object. Its URL expires."""
    url = channel.world.attachment_url(channel, attachment)
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
    """A message object."""
    data: Json = {
        "id": str(message.id),
        "type": int(message.type),
        "channel_id": str(message.channel.id),
        "author": user_json(message.author),
        "content": message.content,
        "embeds": _embeds_json(message),
        "attachments": [attachment_json(message.channel, each) for each in message.attachments],
        "components": _components_json(message),
        "mentions": [user_json(user) for user in message.mentions],
        "mention_roles": [str(role_id) for role_id in message.mentioned_role_ids],
        "mention_everyone": message.mentions_everyone,
        "timestamp": isoformat(message.created_at),
        "edited_timestamp": isoformat(message.edited_at) if message.edited_at else None,
        "pinned": False,
        "tts": False,
        "flags": int(message.flags),
    }
    if message.nonce is not None:
        data["nonce"] = message.nonce
    return data | _origin_json(message)


def _origin_json(message: Message) -> Json:
    """The fields about the interaction or message that a message responds to."""
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
        data["referenced_message"] = None if message.reference.is_deleted else _without_reference(message.reference)
    return data


def _components_json(message: Message) -> list[Json]:
    shown = components.with_media(message.components, lambda url: _media_json(message, url))
    attached = {str(each.id): each for each in message.attachments}
    for part in components.flatten(shown):
        if part["type"] == components.ComponentType.FILE:
            found = attached[part["file"]["attachment_id"]]
            part |= {"name": found.filename, "size": len(found.content)}
    return shown


def _embeds_json(message: Message) -> list[Json]:
    """Embed objects with `attachment://` URLs resolved."""
    return [
        embed | {name: _media_json(message, embed[name]["url"]) for name in ("image", "thumbnail") if embed.get(name)}
        for embed in message.embeds
    ]


def _media_json(message: Message, url: str) -> Json:
    """A media object for a URL: an attachment of the message or an external one."""
    wanted = url.removeprefix("attachment://")
    found = next((each for each in message.attachments if each.filename == wanted), None)
    if found is None or wanted == url:
        return {"id": "0", "url": url, "proxy_url": url, "width": None, "height": None, "loading_state": 2}
    file = attachment_json(message.channel, found)
    kept = {key: file.get(key) for key in ("id", "url", "proxy_url", "width", "height", "content_type")}
    return kept | {"attachment_id": file["id"], "loading_state": 2}


def _reference_json(message: Message) -> Json:
    data: Json = {"type": 0, "message_id": str(message.id), "channel_id": str(message.channel.id)}
    if message.channel.guild is not None:
        data["guild_id"] = str(message.channel.guild.id)
    return data


def _without_reference(message: Message) -> Json:
    """A referenced message object. It has no `referenced_message` of its own."""
    data = message_json(message)
    data.pop("referenced_message", None)
    return data


def interaction_metadata_json(interaction: Interaction) -> Json:
    """An interaction metadata object."""
    data: Json = {
        "id": str(interaction.id),
        "type": int(interaction.type),
        "user": user_json(interaction.user),
        "authorizing_integration_owners": owners_json(interaction),
    }
    if interaction.type is InteractionType.COMMAND:
        data |= {"name": command_path(interaction.data)} | _target_json(interaction.data)
    if interaction.type is InteractionType.COMPONENT and interaction.message is not None:
        data["interacted_message_id"] = str(interaction.message.id)
    if interaction.parent is not None:
        data["triggering_interaction_metadata"] = interaction_metadata_json(interaction.parent)
    return data


def _target_json(data: Json) -> Json:
    """The user or message that a command of the Apps menu was used on. Tests may send data with parts missing."""
    match data:
        case {"type": CommandType.USER, "target_id": str(target), "resolved": {"users": {**users}}} if target in users:
            return {"target_user": users[target]}
        case {"type": CommandType.MESSAGE, "target_id": str(target)}:
            return {"target_message_id": target}
    return {}


def _legacy_interaction_json(interaction: Interaction) -> Json:
    name = command_path(interaction.data)
    return {"id": str(interaction.id), "type": 2, "name": name, "user": user_json(interaction.user)}


def command_path(data: Json) -> str:
    """The full name of a command, such as `gang new`. Tests may send data with parts missing."""
    names = [str(data.get("name"))]
    options = data.get("options") or []
    while options and options[0].get("type") in (1, 2):
        names.append(str(options[0].get("name")))
        options = options[0].get("options") or []
    return " ".join(names)


def owners_json(interaction: Interaction) -> Json:
    """The owners of the installations that offer the interaction."""
    guild = interaction.channel.guild
    owners = {0: str(guild.id if guild else 0), 1: str(interaction.user.id)}
    return {str(kind): owners[kind] for kind in interaction.installs}


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
