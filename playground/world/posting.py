"""Post, edit and delete messages, and notify the users they mention."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from playground import components, payloads
from playground.world.assets import image_info
from playground.world.changes import MessageGone, MessageShown, Notified
from playground.world.intents import Intent
from playground.world.model import Attachment, Channel, Interaction, Json, Message, MessageFlags, MessageType, User
from playground.world.permissions import Permission
from playground.world.places import Places

COMMAND_MENTION = re.compile(r"</([^:>\n]+):(\d+)>")
USER_MENTION = re.compile(r"<@!?(\d+)>")
ROLE_MENTION = re.compile(r"<@&(\d+)>")
EVERYONE = re.compile(r"@(everyone|here)\b")


@dataclass(frozen=True, slots=True)
class Upload:
    """A file in a multipart request."""

    filename: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Draft:
    """The validated body of a request to post or edit a message, with its files by number."""

    body: Json
    uploads: Mapping[int, Upload] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Source:
    """The author of a message, and the interaction or message it responds to."""

    author: User
    type: MessageType = MessageType.DEFAULT
    interaction: Interaction | None = None
    reference: Message | None = None


class Posting:
    """Changes messages and sends the events that follow. All changes of messages go through it."""

    def __init__(self, world: Places) -> None:
        self.notifications: dict[int, list[Message]] = {}
        """All messages that notified a user, by user id."""
        self._world = world

    def post(self, channel: Channel, source: Source, draft: Draft) -> Message:
        """Post a message and notify the users it mentions."""
        message = Message(
            self._world.snowflakes.next(),
            channel,
            source.author,
            source.type,
            created_at=self._world.clock.now(),
            interaction=source.interaction,
            reference=source.reference,
        )
        message.flags = MessageFlags(draft.body.get("flags") or 0)
        message.nonce = draft.body.get("nonce")
        if message.is_ephemeral and source.interaction is not None:
            message.reader = source.interaction.user
            message.dismissed = message.reader.scrolled_up
        self._fill(message, draft)
        channel.messages[message.id] = message
        self._dispatch("MESSAGE_CREATE", message)
        self._world.publish(MessageShown(message))
        self._notify(message, draft.body.get("allowed_mentions"))
        return message

    def edit(self, message: Message, draft: Draft) -> None:
        """Edit a message or fill a deferred response. Neither notifies anyone."""
        was_loading = bool(message.flags & MessageFlags.LOADING)
        if draft.body.get("flags") is not None:
            kept = message.flags & ~MessageFlags.SUPPRESS_EMBEDS
            wanted = MessageFlags(draft.body["flags"])
            message.flags = kept | (wanted & (MessageFlags.SUPPRESS_EMBEDS | MessageFlags.COMPONENTS_V2))
        message.flags &= ~MessageFlags.LOADING
        if not was_loading:
            message.edited_at = self._world.clock.now()
        self._fill(message, draft)
        self._dispatch("MESSAGE_UPDATE", message)
        self._world.publish(MessageShown(message))

    def delete(self, message: Message) -> None:
        """Delete a message."""
        message.is_deleted = True
        message.channel.messages.pop(message.id, None)
        self._dispatch("MESSAGE_DELETE", message)
        self._world.publish(MessageGone(message))

    def _fill(self, message: Message, draft: Draft) -> None:
        body = draft.body
        if "content" in body:
            message.content = body["content"] or ""
        if "embeds" in body:
            message.embeds = [{"type": "rich"} | embed for embed in body["embeds"] or []]
        if "components" in body:
            message.components = components.with_ids(body["components"] or [])
        self._attach(message, draft)
        self._check_commands(message)
        if "content" in body or "components" in body:
            self._read_mentions(message, body.get("allowed_mentions"))

    def _attach(self, message: Message, draft: Draft) -> None:
        """Add the new files. If the body lists attachments, drop the old ones that aren't listed."""
        described = draft.body.get("attachments")
        if described is not None:
            kept_ids = {str(each["id"]) for each in described}
            message.attachments = [each for each in message.attachments if str(each.id) in kept_ids]
        details_by_id = {str(each["id"]): each for each in described or []}
        for number, upload in sorted(draft.uploads.items()):
            message.attachments.append(self._attachment(upload, details_by_id.get(str(number), {})))

    def _attachment(self, upload: Upload, details: Json) -> Attachment:
        info = image_info(upload.content)
        return Attachment(
            self._world.snowflakes.next(),
            details.get("filename") or upload.filename,
            upload.content,
            info.content_type if info else "application/octet-stream",
            details.get("description"),
            info.size if info else None,
        )

    # Mentions

    def _check_commands(self, message: Message) -> None:
        """Report mentions of commands that can't be tapped, because they don't exist."""
        for path, command_id in COMMAND_MENTION.findall(mentionable_text(message)):
            name, *rest = path.split()
            command = self._world.commands[None].get(int(command_id), {})
            names = {each["name"] for each in command.get("options") or ()}
            if command.get("name") != name or not names.issuperset(rest):
                self._world.report_violation(f"a message mentions the command {path!r}, which doesn't exist")

    def _read_mentions(self, message: Message, allowed: Json | None) -> None:
        named = {int(each) for each in USER_MENTION.findall(mentionable_text(message))}
        users = [self._world.users[each] for each in sorted(named) if each in self._world.users]
        message.mentions = [user for user in users if _is_mention_allowed("users", user.id, allowed)]
        if not self._world.permissions(message.author, message.channel) & Permission.MENTION_EVERYONE:
            return
        roles = {int(each) for each in ROLE_MENTION.findall(mentionable_text(message))}
        message.mentioned_role_ids = sorted(each for each in roles if _is_mention_allowed("roles", each, allowed))
        everyone = EVERYONE.search(mentionable_text(message))
        message.mentions_everyone = everyone is not None and _is_mention_allowed("everyone", 0, allowed)

    def _notify(self, message: Message, allowed: Json | None) -> None:
        """Notify the users that a new message mentions, if they can see it."""
        if message.flags & (MessageFlags.EPHEMERAL | MessageFlags.LOADING | MessageFlags.SUPPRESS_NOTIFICATIONS):
            return
        self._add_mentioned_to_thread(message)
        for user_id in sorted(self._recipients(message, allowed) - {message.author.id}):
            user = self._world.users[user_id]
            if not user.is_bot and self._world.can_see(user, message):
                self.notifications.setdefault(user_id, []).append(message)
                self._world.publish(Notified(message, user_id))

    def _recipients(self, message: Message, allowed: Json | None) -> set[int]:
        """The ids of the users to notify of a new message. In a direct channel, all recipients."""
        guild = message.channel.guild
        if guild is None:
            return {user.id for user in message.channel.recipients}
        named = {user.id for user in message.mentions}
        if message.mentions_everyone:
            named |= set(guild.members)
        roles = set(message.mentioned_role_ids)
        named |= {each.user.id for each in guild.members.values() if roles & set(each.role_ids)}
        if message.reference is not None and (allowed or {}).get("replied_user", allowed is None):
            named.add(message.reference.author.id)
        return named

    def _add_mentioned_to_thread(self, message: Message) -> None:
        """Add the mentioned users to the thread, as Discord does."""
        thread, guild = message.channel.thread, message.channel.guild
        if thread is not None and guild is not None:
            thread.member_ids |= {user.id for user in message.mentions if user.id in guild.members}

    # Gateway

    def _dispatch(self, event: str, message: Message) -> None:
        """Send an event to the app. Ephemeral messages have no guild, as on Discord."""
        guild = None if message.is_ephemeral else message.channel.guild
        if guild is not None and self._world.app.bot.id not in guild.members:
            return
        if event == "MESSAGE_DELETE":
            data: Json = {"id": str(message.id), "channel_id": str(message.channel.id)}
        else:
            data = payloads.message_json(message)
        if guild is not None:
            data["guild_id"] = str(guild.id)
        member = guild.members.get(message.author.id) if guild else None
        if member is not None and event != "MESSAGE_DELETE":
            data["member"] = payloads.member_json(member, user=False)
        intent = Intent.GUILD_MESSAGES if guild else Intent.DIRECT_MESSAGES
        self._world.dispatch(event, data, guild.id if guild else None, intent)


def mentionable_text(message: Message) -> str:
    """The text in which mentions notify: the content and text displays, but not embeds."""
    shown = [each["content"] for each in components.flatten(message.components) if each["type"] == 10]
    return "\n".join([message.content, *shown])


def _is_mention_allowed(kind: str, target: int, allowed: Json | None) -> bool:
    """True if `allowed_mentions` permits the mention. Without it, all mentions are permitted."""
    if allowed is None or kind in (allowed.get("parse") or []):
        return True
    return str(target) in {str(each) for each in allowed.get(kind) or []}
