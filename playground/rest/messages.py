"""Routes for messages in channels."""

from aiohttp import web

from playground import payloads
from playground.clock import snowflake_time
from playground.errors import (
    CANNOT_MESSAGE_USER,
    NOT_A_TEXT_CHANNEL,
    NOT_THE_AUTHOR,
    THREAD_ARCHIVED,
    UNKNOWN_MESSAGE,
    Fault,
    InvalidForm,
    Refusal,
)
from playground.limits import Limits
from playground.rest.access import find_channel, find_message, path_id, require_permissions
from playground.rest.bodies import json_response
from playground.rest.drafts import read_message
from playground.world.effective_permissions import send_permission
from playground.world.model import Channel, ChannelType, Json, Message, MessageType
from playground.world.permissions import Permission
from playground.world.posting import Draft, Source
from playground.world.world import World

NONCE_WINDOW = 5 * 60
"""Seconds; Discord says only that a nonce is checked for "in the past few minutes"."""
ROOT = "/api/v10/channels/{channel_id}"


class MessageRoutes:
    """Messages."""

    def __init__(self, world: World, limits: Limits) -> None:
        self._world = world
        self._limits = limits
        self._by_nonce: dict[str, Message] = {}
        """The app's recent messages, in all channels, with deleted ones."""

    def routes(self) -> list[web.RouteDef]:
        """The routes of this resource."""
        one = f"{ROOT}/messages/{{message_id}}"
        return [
            web.post(f"{ROOT}/messages", self.create),
            web.get(f"{ROOT}/messages", self.list, allow_head=False),
            web.get(one, self.get, allow_head=False),
            web.patch(one, self.edit),
            web.delete(one, self.delete),
        ]

    async def create(self, request: web.Request) -> web.Response:
        """Post a message."""
        channel = find_channel(self._world, request)
        self._require_can_post(channel)
        draft = await read_message(self._world, request)
        self._require_content_permissions(channel, draft)
        posted = self._same_nonce(draft)
        if posted is not None:
            return json_response(payloads.message_json(posted))
        self._reopen(channel)
        message = self._world.posting.post(channel, self._source(channel, draft), draft)
        if message.nonce is not None:
            self._by_nonce.pop(message.nonce, None)
            self._by_nonce[message.nonce] = message
        return json_response(payloads.message_json(message))

    def _require_can_post(self, channel: Channel) -> None:
        granted = self._world.permissions(self._world.app.bot, channel)
        if channel.type is ChannelType.FORUM:
            raise Refusal(NOT_A_TEXT_CHANNEL)
        if channel.guild is None and not self._world.can_message(channel):
            raise Refusal(CANNOT_MESSAGE_USER)
        require_permissions(granted, send_permission(channel))
        if channel.thread is not None and channel.thread.is_archived and channel.thread.is_locked:
            raise Refusal(THREAD_ARCHIVED)

    def _require_content_permissions(self, channel: Channel, draft: Draft) -> None:
        granted = self._world.permissions(self._world.app.bot, channel)
        if draft.uploads:
            require_permissions(granted, Permission.ATTACH_FILES)
        if draft.body.get("embeds"):
            require_permissions(granted, Permission.EMBED_LINKS)

    def _same_nonce(self, draft: Draft) -> Message | None:
        """The app's recent message with the same nonce, in any channel, if the draft has `enforce_nonce`."""
        since = self._world.clock.time() - NONCE_WINDOW
        while self._by_nonce and snowflake_time(next(iter(self._by_nonce.values())).id) < since:
            del self._by_nonce[next(iter(self._by_nonce))]
        if not draft.body.get("enforce_nonce"):
            return None
        found = self._by_nonce.get(str(draft.body.get("nonce")))
        if found is not None and (found.is_deleted or found.channel.id not in self._world.channels):
            raise Refusal(UNKNOWN_MESSAGE)
        return found

    def _reopen(self, channel: Channel) -> None:
        """Unarchive a thread that a message is posted to."""
        if channel.thread is not None and channel.thread.is_archived:
            channel.thread.is_archived = False
            self._world.announce_channel(channel)

    def _source(self, channel: Channel, draft: Draft) -> Source:
        """The app as author, possibly replying to another message."""
        me = self._world.app.bot
        reference = draft.body.get("message_reference")
        if not reference:
            return Source(me)
        found = channel.messages.get(int(reference["message_id"]))
        if found is None and reference.get("fail_if_not_exists", True):
            raise InvalidForm([Fault(("message_reference",), "MESSAGE_REFERENCE_UNKNOWN_MESSAGE", "Unknown message")])
        return Source(me, MessageType.REPLY, reference=found) if found else Source(me)

    async def list(self, request: web.Request) -> web.Response:
        """List messages, newest first."""
        channel = find_channel(self._world, request)
        limit = int(request.query.get("limit", "50"))
        before, after = int(request.query.get("before", 2**63)), int(request.query.get("after", 0))
        if not 1 <= limit <= 100:
            raise InvalidForm([Fault(("limit",), "NUMBER_TYPE_MAX", "int value should be between 1 and 100.")])
        granted = self._world.permissions(self._world.app.bot, channel)
        shown = [
            each
            for each in channel.messages.values()
            if before > each.id > after and not each.is_ephemeral and granted & Permission.READ_MESSAGE_HISTORY
        ]
        chosen = shown[:limit] if "after" in request.query else shown[-limit:]
        return json_response([_without_nonce(each) for each in reversed(chosen)])

    async def get(self, request: web.Request) -> web.Response:
        """Get a message."""
        channel = find_channel(self._world, request, Permission.READ_MESSAGE_HISTORY)
        return json_response(_without_nonce(find_message(channel, path_id(request, "message_id"))))

    async def edit(self, request: web.Request) -> web.Response:
        """Edit a message of the app."""
        channel = find_channel(self._world, request)
        message = find_message(channel, path_id(request, "message_id"))
        if message.author is not self._world.app.bot:
            raise Refusal(NOT_THE_AUTHOR)
        self._limits.take_old_edit(channel.id, self._world.clock.time() - snowflake_time(message.id))
        draft = await read_message(self._world, request, before=message)
        self._require_content_permissions(channel, draft)
        if channel.messages.get(message.id) is not message:
            raise Refusal(UNKNOWN_MESSAGE)  # deleted while the body was read
        self._world.posting.edit(message, draft)
        return json_response(payloads.message_json(message))

    async def delete(self, request: web.Request) -> web.Response:
        """Delete a message. Those of others need MANAGE_MESSAGES."""
        channel = find_channel(self._world, request)
        message = find_message(channel, path_id(request, "message_id"))
        if message.author is not self._world.app.bot:
            require_permissions(self._world.permissions(self._world.app.bot, channel), Permission.MANAGE_MESSAGES)
        self._world.posting.delete(message)
        return json_response()


def _without_nonce(message: Message) -> Json:
    """A message as it is returned later: without its nonce."""
    found = payloads.message_json(message)
    found.pop("nonce", None)
    return found
