"""Convert the playground's objects to Discord's JSON, for REST responses and gateway events."""

from playground.payloads.interactions import application_json, callback_json, focused_option, interaction_json
from playground.payloads.messages import attachment_json, emoji_json, message_json
from playground.payloads.places import (
    channel_json,
    guild_create_json,
    guild_json,
    member_json,
    role_json,
    thread_member_json,
    user_json,
)

__all__ = [
    "application_json",
    "attachment_json",
    "callback_json",
    "channel_json",
    "emoji_json",
    "focused_option",
    "guild_create_json",
    "guild_json",
    "interaction_json",
    "member_json",
    "message_json",
    "role_json",
    "thread_member_json",
    "user_json",
]
