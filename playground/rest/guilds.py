"""Routes for guilds, members, channels and threads."""

from aiohttp import web

from playground import payloads
from playground.checks import fields
from playground.errors import (
    ALREADY_A_THREAD,
    NO_THREADS_HERE,
    TOO_MANY_THREADS,
    UNKNOWN_MEMBER,
    Refusal,
)
from playground.rest.access import find_channel, find_guild, find_message, path_id, require_permissions
from playground.rest.bodies import json_response, read_object
from playground.rest.drafts import raise_if_invalid
from playground.world.effective_permissions import send_permission
from playground.world.model import Channel, ChannelType, Guild, Json, Member
from playground.world.permissions import Permission
from playground.world.world import World

GUILD = "/api/v10/guilds/{guild_id}"
CHANNEL = "/api/v10/channels/{channel_id}"
THREAD_KINDS = {
    ChannelType.TEXT: ChannelType.PUBLIC_THREAD,
    ChannelType.ANNOUNCEMENT: ChannelType.ANNOUNCEMENT_THREAD,
}
"""The channels where threads are started; those of a forum come with their first message."""
ARCHIVE_MINUTES = (60, 1440, 4320, 10080)


class GuildRoutes:
    """Guilds and their members."""

    def __init__(self, world: World) -> None:
        self._world = world

    def routes(self) -> list[web.RouteDef]:
        """The routes of this resource."""
        return [
            web.get(GUILD, self.guild, allow_head=False),
            web.get(f"{GUILD}/members/{{user_id}}", self.member, allow_head=False),
        ]

    async def guild(self, request: web.Request) -> web.Response:
        """Get a guild."""
        return json_response(payloads.guild_json(find_guild(self._world, request)))

    async def member(self, request: web.Request) -> web.Response:
        """Get a member."""
        guild = find_guild(self._world, request)
        return json_response(payloads.member_json(self._find(guild.members, path_id(request, "user_id"))))

    @staticmethod
    def _find(members: dict[int, Member], user_id: int) -> Member:
        if user_id not in members:
            raise Refusal(UNKNOWN_MEMBER)
        return members[user_id]


class ChannelRoutes:
    """Channels and threads."""

    def __init__(self, world: World) -> None:
        self._world = world

    def routes(self) -> list[web.RouteDef]:
        """The routes of this resource."""
        return [
            web.get(CHANNEL, self.get, allow_head=False),
            web.post(f"{CHANNEL}/typing", self.typing),
            web.post(f"{CHANNEL}/messages/{{message_id}}/threads", self.start_thread_on_message),
        ]

    async def get(self, request: web.Request) -> web.Response:
        """Get a channel or thread."""
        return json_response(payloads.channel_json(find_channel(self._world, request)))

    async def typing(self, request: web.Request) -> web.Response:
        """Show the typing indicator."""
        channel = find_channel(self._world, request)
        require_permissions(self._world.permissions(self._world.app.bot, channel), send_permission(channel))
        return json_response()

    async def start_thread_on_message(self, request: web.Request) -> web.Response:
        """Create a public thread from a message."""
        channel = find_channel(self._world, request)
        message = find_message(channel, path_id(request, "message_id"))
        body = await read_object(request)
        raise_if_invalid([*_check_thread(body)])
        return self._start(channel, body, message.id)

    def _start(self, channel: Channel, body: Json, thread_id: int) -> web.Response:
        granted = self._world.permissions(self._world.app.bot, channel)
        require_permissions(granted, Permission.CREATE_PUBLIC_THREADS)
        if channel.guild is None or channel.type not in THREAD_KINDS:
            raise Refusal(NO_THREADS_HERE)
        if thread_id in channel.guild.channels:
            raise Refusal(ALREADY_A_THREAD)
        if len(_active_threads(channel.guild)) >= channel.guild.max_active_threads:
            raise Refusal(TOO_MANY_THREADS)
        kind = THREAD_KINDS[channel.type]
        made = self._world.create_thread(channel, body["name"], kind, self._world.app.bot, thread_id)
        assert made.thread is not None  # noqa: S101 - it is a thread
        made.thread.auto_archive_minutes = body.get("auto_archive_duration") or made.thread.auto_archive_minutes
        return json_response(payloads.channel_json(made), 201)


def _active_threads(guild: Guild) -> list[Channel]:
    return [each for each in guild.channels.values() if each.thread and not each.thread.is_archived]


def _check_thread(body: Json) -> fields.Faults:
    yield from fields.required_text(body, "name", (), 1, 100)
    yield from fields.choice(body, "auto_archive_duration", (), ARCHIVE_MINUTES)
