"""Routes for guilds, members, roles, channels and threads."""

from aiohttp import web

from playground import payloads
from playground.checks import fields
from playground.errors import (
    ALREADY_A_THREAD,
    NO_THREADS_HERE,
    TOO_MANY_THREADS,
    UNKNOWN_MEMBER,
    UNKNOWN_USER,
    WRONG_CHANNEL_TYPE,
    Refusal,
)
from playground.rest.access import find_channel, find_guild, find_message, path_id, require_permissions
from playground.rest.bodies import json_response, read_object
from playground.rest.drafts import raise_if_invalid
from playground.world.effective_permissions import send_permission
from playground.world.model import Channel, ChannelType, Guild, Json, Member, Thread, User
from playground.world.permissions import Permission
from playground.world.world import World

GUILD = "/api/v10/guilds/{guild_id}"
CHANNEL = "/api/v10/channels/{channel_id}"
THREAD_PARENTS = (ChannelType.TEXT, ChannelType.ANNOUNCEMENT)
"""The channels where threads are started; those of a forum come with their first message."""
ARCHIVE_MINUTES = (60, 1440, 4320, 10080)


class GuildRoutes:
    """Guilds, their members and roles."""

    def __init__(self, world: World) -> None:
        self._world = world

    def routes(self) -> list[web.RouteDef]:
        """The routes of this resource."""
        return [
            web.get(GUILD, self.guild, allow_head=False),
            web.get(f"{GUILD}/channels", self.channels, allow_head=False),
            web.get(f"{GUILD}/roles", self.roles, allow_head=False),
            web.get(f"{GUILD}/members", self.members, allow_head=False),
            web.patch(f"{GUILD}/members/@me", self.edit_me),
            web.get(f"{GUILD}/members/{{user_id}}", self.member, allow_head=False),
            web.get(f"{GUILD}/threads/active", self.threads, allow_head=False),
        ]

    async def guild(self, request: web.Request) -> web.Response:
        """Get a guild."""
        return json_response(payloads.guild_json(find_guild(self._world, request)))

    async def channels(self, request: web.Request) -> web.Response:
        """List the channels, without threads."""
        found = find_guild(self._world, request).channels.values()
        return json_response([payloads.channel_json(each) for each in found if each.thread is None])

    async def roles(self, request: web.Request) -> web.Response:
        """List the roles."""
        return json_response([payloads.role_json(role) for role in find_guild(self._world, request).roles.values()])

    async def members(self, request: web.Request) -> web.Response:
        """List members by id."""
        limit, after = int(request.query.get("limit", 1)), int(request.query.get("after", 0))
        found = sorted(find_guild(self._world, request).members.items())
        return json_response([payloads.member_json(each) for user_id, each in found if user_id > after][:limit])

    async def member(self, request: web.Request) -> web.Response:
        """Get a member."""
        guild = find_guild(self._world, request)
        return json_response(payloads.member_json(self._find(guild.members, path_id(request, "user_id"))))

    async def edit_me(self, request: web.Request) -> web.Response:
        """Change the app's nickname."""
        guild = find_guild(self._world, request)
        me = guild.members[self._world.app.bot.id]
        body = await read_object(request)
        raise_if_invalid([*fields.text(body, "nick", (), 0, 32)])
        me.nick = body.get("nick") or None
        self._world.announce_member(guild, me)
        return json_response(payloads.member_json(me))

    async def threads(self, request: web.Request) -> web.Response:
        """List the active threads."""
        active = _active_threads(find_guild(self._world, request))
        return json_response({"threads": [payloads.channel_json(each) for each in active], "members": []})

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
        members = f"{CHANNEL}/thread-members"
        return [
            web.get(CHANNEL, self.get, allow_head=False),
            web.patch(CHANNEL, self.edit),
            web.delete(CHANNEL, self.delete),
            web.post(f"{CHANNEL}/typing", self.typing),
            web.post(f"{CHANNEL}/threads", self.start_thread),
            web.post(f"{CHANNEL}/messages/{{message_id}}/threads", self.start_thread_on_message),
            web.get(members, self.members, allow_head=False),
            web.put(f"{members}/{{user_id}}", self.add_member),
            web.delete(f"{members}/{{user_id}}", self.remove_member),
        ]

    async def get(self, request: web.Request) -> web.Response:
        """Get a channel or thread."""
        return json_response(payloads.channel_json(find_channel(self._world, request)))

    async def delete(self, request: web.Request) -> web.Response:
        """Delete a channel or thread."""
        channel = find_channel(self._world, request)
        needed = Permission.MANAGE_THREADS if channel.thread else Permission.MANAGE_CHANNELS
        require_permissions(self._world.permissions(self._world.app.bot, channel), needed)
        self._world.delete_channel(channel)
        return json_response(payloads.channel_json(channel))

    async def typing(self, request: web.Request) -> web.Response:
        """Show the typing indicator."""
        channel = find_channel(self._world, request)
        require_permissions(self._world.permissions(self._world.app.bot, channel), send_permission(channel))
        return json_response()

    async def start_thread(self, request: web.Request) -> web.Response:
        """Create a thread without a message."""
        channel = find_channel(self._world, request)
        body = await read_object(request)
        raise_if_invalid([*_check_thread(body), *fields.choice(body, "type", (), (11, 12))])
        kind = ChannelType(body.get("type") or ChannelType.PRIVATE_THREAD)
        return self._start(channel, body, kind, None)

    async def start_thread_on_message(self, request: web.Request) -> web.Response:
        """Create a public thread from a message."""
        channel = find_channel(self._world, request)
        message = find_message(channel, path_id(request, "message_id"))
        body = await read_object(request)
        raise_if_invalid([*_check_thread(body)])
        return self._start(channel, body, ChannelType.PUBLIC_THREAD, message.id)

    def _start(self, channel: Channel, body: Json, kind: ChannelType, thread_id: int | None) -> web.Response:
        private = kind is ChannelType.PRIVATE_THREAD
        needed = Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS
        require_permissions(self._world.permissions(self._world.app.bot, channel), needed)
        if channel.guild is None or channel.type not in THREAD_PARENTS:
            raise Refusal(NO_THREADS_HERE)
        if thread_id in channel.guild.channels:
            raise Refusal(ALREADY_A_THREAD)
        if len(_active_threads(channel.guild)) >= channel.guild.max_active_threads:
            raise Refusal(TOO_MANY_THREADS)
        if channel.type is ChannelType.ANNOUNCEMENT:
            kind = ChannelType.ANNOUNCEMENT_THREAD
        made = self._world.create_thread(channel, body["name"], kind, self._world.app.bot, thread_id)
        _change(_thread(made), body)
        return json_response(payloads.channel_json(made), 201)

    async def edit(self, request: web.Request) -> web.Response:
        """Edit a thread, or rename a channel."""
        channel = find_channel(self._world, request)
        granted = self._world.permissions(self._world.app.bot, channel)
        body = await read_object(request)
        raise_if_invalid(
            [*fields.text(body, "name", (), 1, 100), *fields.choice(body, "auto_archive_duration", (), ARCHIVE_MINUTES)]
        )
        if channel.thread is None:
            require_permissions(granted, Permission.MANAGE_CHANNELS)
        elif channel.thread.owner_id != self._world.app.bot.id or "locked" in body:
            require_permissions(granted, Permission.MANAGE_THREADS)
        channel.name = body.get("name", channel.name)
        if channel.thread is not None:
            _change(channel.thread, body)
        self._world.announce_channel(channel)
        return json_response(payloads.channel_json(channel))

    async def members(self, request: web.Request) -> web.Response:
        """List the members of a thread."""
        channel = find_channel(self._world, request)
        return json_response(
            [payloads.thread_member_json(channel, each) for each in sorted(_thread(channel).member_ids)]
        )

    async def add_member(self, request: web.Request) -> web.Response:
        """Add a member to a thread. `@me` joins."""
        channel = find_channel(self._world, request)
        _thread(channel).member_ids.add(self._user(request, channel).id)
        self._world.announce_channel(channel)
        return json_response()

    async def remove_member(self, request: web.Request) -> web.Response:
        """Remove a member from a thread. `@me` leaves."""
        channel = find_channel(self._world, request)
        user = self._user(request, channel)
        if user is not self._world.app.bot:
            require_permissions(self._world.permissions(self._world.app.bot, channel), Permission.MANAGE_THREADS)
        _thread(channel).member_ids.discard(user.id)
        self._world.announce_channel(channel)
        return json_response()

    def _user(self, request: web.Request, channel: Channel) -> User:
        if request.match_info["user_id"] == "@me":
            return self._world.app.bot
        user = self._world.users.get(path_id(request, "user_id"))
        if user is None or channel.guild is None or user.id not in channel.guild.members:
            raise Refusal(UNKNOWN_USER)
        return user


def _active_threads(guild: Guild) -> list[Channel]:
    return [each for each in guild.channels.values() if each.thread and not each.thread.is_archived]


def _thread(channel: Channel) -> Thread:
    if channel.thread is None:
        raise Refusal(WRONG_CHANNEL_TYPE)
    return channel.thread


def _check_thread(body: Json) -> fields.Faults:
    yield from fields.required_text(body, "name", (), 1, 100)
    yield from fields.choice(body, "auto_archive_duration", (), ARCHIVE_MINUTES)


def _change(thread: Thread, body: Json) -> None:
    thread.is_archived = body.get("archived", thread.is_archived)
    thread.is_locked = body.get("locked", thread.is_locked)
    thread.is_invitable = body.get("invitable", thread.is_invitable)
    thread.auto_archive_minutes = body.get("auto_archive_duration") or thread.auto_archive_minutes
