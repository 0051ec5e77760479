"""Guilds, channels, members and roles: how they change, and the permissions of users in them."""

import base64
import secrets
from collections.abc import Iterable
from datetime import timedelta

from playground import payloads
from playground.clock import Clock
from playground.hub import Hub
from playground.world.assets import Assets
from playground.world.changes import CommandsChanged, PlacesChanged
from playground.world.effective_permissions import channel_permissions
from playground.world.intents import Intent
from playground.world.model import (
    Application,
    Attachment,
    Channel,
    ChannelType,
    CommandType,
    Emoji,
    EntryPointHandler,
    Guild,
    Json,
    Member,
    Message,
    Role,
    Thread,
    User,
)
from playground.world.permissions import NOTHING, Permission


class Places(Hub):
    """Creates, changes and deletes guilds, channels, members and roles, and checks permissions."""

    def __init__(self, clock: Clock | None = None) -> None:
        super().__init__(clock)
        self.assets = Assets(self.clock)
        self.app = self._new_app()
        self.owner = User(self.snowflakes.next(), "Owner")
        self.users: dict[int, User] = {self.app.bot.id: self.app.bot, self.owner.id: self.owner}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.emojis: dict[int, Emoji] = {}
        self.emoji_refusals = 0.0
        """The share of messages whose emoji are refused although they exist, as on Discord at times."""
        self.uploads: dict[int, Attachment] = {}
        """Files sent as command options, by id."""
        self.commands: dict[int | None, dict[int, Json]] = {None: {}}
        """Registered commands by guild id (None for global commands), then by command id."""

    def _new_app(self) -> Application:
        app_id = self.snowflakes.next()
        token = f"{base64.b64encode(str(app_id).encode()).decode().rstrip('=')}.play.ground"
        return Application(app_id, "The App", User(app_id, "The App", is_bot=True), token, secrets.token_urlsafe(24))

    def enable_activities(self, target: str | None = None) -> None:
        """Switch Activities on, as in the developer portal. Discord then adds a command that launches them itself.

        `target` is the host and port of the app's web page, without a scheme.
        """
        self.app.has_activities = True
        if target is not None:
            self.app.url_mappings["/"] = target
        command_id = self.snowflakes.next()
        self.commands[None][command_id] = {
            "id": str(command_id),
            "application_id": str(self.app.id),
            "version": str(self.snowflakes.next()),
            "type": CommandType.ENTRY_POINT,
            "handler": EntryPointHandler.DISCORD,
            "name": "launch",
            "description": "",
            "default_member_permissions": None,
            "contexts": [0, 1, 2],
            "integration_types": [0, 1],
            "nsfw": False,
        }
        self.publish(CommandsChanged())

    # Guilds and members

    def guild(self, name: str, *, guild_id: int | None = None, locale: str | None = None) -> Guild:
        """Create a guild with the role @everyone. The app and all existing people have been members for a month.

        A guild with a locale has the Community feature.
        """
        guild = Guild(self, guild_id or self.snowflakes.next(), name, self.owner.id, locale)
        guild.roles[guild.id] = Role(guild.id, "@everyone", Permission.ordinary(), 0)
        self.guilds[guild.id] = guild
        for user in self.users.values():
            guild.members[user.id] = Member(user, self.clock.now() - timedelta(days=30))
            self.add_member(guild, user)
        return guild

    def create_role(self, guild: Guild, name: str, permissions: Permission, members: Iterable[User]) -> Role:
        """Create a role above the existing ones and assign it to these members."""
        role = Role(self.snowflakes.next(), name, permissions, len(guild.roles))
        guild.roles[role.id] = role
        self._dispatch_guild("GUILD_ROLE_CREATE", guild, {"guild_id": str(guild.id), "role": payloads.role_json(role)})
        for user in members:
            guild.members[user.id].role_ids.append(role.id)
            self._dispatch_member("GUILD_MEMBER_UPDATE", guild, guild.members[user.id])
        return role

    def set_role(self, guild: Guild, role: Role, permissions: Permission) -> None:
        """Replace the permissions of a role."""
        role.permissions = permissions
        self._dispatch_guild("GUILD_ROLE_UPDATE", guild, {"guild_id": str(guild.id), "role": payloads.role_json(role)})

    def add_member(self, guild: Guild, user: User) -> Member:
        """Add a user to a guild. Their privileges become a role of their own."""
        member = guild.members.setdefault(user.id, Member(user, self.clock.now()))
        if user is self.app.bot:
            guild.has_only_commands = False
            self._dispatch_guild("GUILD_CREATE", guild, payloads.guild_create_json(guild, user))
        else:
            self._dispatch_member("GUILD_MEMBER_ADD", guild, member)
        if user.privileges:
            self.create_role(guild, user.name, user.privileges, [user])
        self.publish(PlacesChanged(guild))
        return member

    def remove_member(self, guild: Guild, user: User) -> None:
        """Remove a user from a guild. For the app, this uninstalls it."""
        member = guild.members.pop(user.id)
        if user is self.app.bot:
            self._dispatch_guild("GUILD_DELETE", guild, {"id": str(guild.id)})
            self.commands.pop(guild.id, None)
        else:
            self._dispatch_member("GUILD_MEMBER_REMOVE", guild, member)
        self.publish(PlacesChanged(guild))

    # Channels

    def create_channel(self, guild: Guild, name: str, kind: ChannelType = ChannelType.TEXT) -> Channel:
        """Create a channel."""
        channel = Channel(self, self.snowflakes.next(), kind, name, guild)
        self._store(channel, guild)
        self._dispatch_guild("CHANNEL_CREATE", guild, payloads.channel_json(channel))
        return channel

    def create_thread(
        self, parent: Channel, name: str, kind: ChannelType, owner: User, thread_id: int | None = None
    ) -> Channel:
        """Create a thread and add its owner. A thread started from a message has the id of the message."""
        assert parent.guild is not None  # noqa: S101 - threads exist in guilds only
        thread = Thread(owner.id, {owner.id}, self.clock.now())
        channel = Channel(self, thread_id or self.snowflakes.next(), kind, name, parent.guild, parent, thread)
        self._store(channel, parent.guild)
        data = payloads.channel_json(channel) | {"newly_created": True}
        if owner is self.app.bot:
            data["member"] = payloads.thread_member_json(channel, owner.id)
        self._dispatch_guild("THREAD_CREATE", parent.guild, data)
        return channel

    def _store(self, channel: Channel, guild: Guild) -> None:
        guild.channels[channel.id] = channel
        self.channels[channel.id] = channel
        self.publish(PlacesChanged(guild))

    def direct_channel(self, user: User) -> Channel:
        """The direct message channel of the app and the user, created if needed."""
        for channel in self.channels.values():
            if channel.type is ChannelType.DM and user in channel.recipients:
                return channel
        channel = Channel(self, self.snowflakes.next(), ChannelType.DM, recipients=(user, self.app.bot))
        self.channels[channel.id] = channel
        return channel

    def group_channel(self, *people: User) -> Channel:
        """A direct message channel of people, without the app."""
        channel = Channel(self, self.snowflakes.next(), ChannelType.GROUP_DM, recipients=people)
        self.channels[channel.id] = channel
        return channel

    def delete_channel(self, channel: Channel) -> None:
        """Delete a channel, its threads and their messages."""
        guild = channel.guild
        assert guild is not None  # noqa: S101 - direct channels cannot be deleted
        for each in [one for one in guild.channels.values() if one.parent is channel]:
            self.delete_channel(each)
        del guild.channels[channel.id], self.channels[channel.id]
        event = "CHANNEL_DELETE" if channel.thread is None else "THREAD_DELETE"
        self._dispatch_guild(event, guild, payloads.channel_json(channel))
        self.publish(PlacesChanged(guild))

    def overwrite(
        self,
        channel: Channel,
        target: User | Role,
        *,
        allow: Permission = NOTHING,
        deny: Permission = NOTHING,
    ) -> None:
        """Change the permission overwrite of a user or role in a channel."""
        allowed, denied = channel.overwrites.get(target.id, (NOTHING, NOTHING))
        channel.overwrites[target.id] = ((allowed | allow) & ~deny, (denied | deny) & ~allow)
        self.announce_channel(channel)

    def announce_channel(self, channel: Channel) -> None:
        """Send the update of a channel or thread to the app and to people's clients."""
        assert channel.guild is not None  # noqa: S101 - direct channels do not change
        event = "CHANNEL_UPDATE" if channel.thread is None else "THREAD_UPDATE"
        self._dispatch_guild(event, channel.guild, payloads.channel_json(channel))
        self.publish(PlacesChanged(channel.guild))

    def announce_member(self, guild: Guild, member: Member) -> None:
        """Send the update of a member to the app."""
        self._dispatch_member("GUILD_MEMBER_UPDATE", guild, member)

    # Queries

    def attachment_url(self, channel: Channel, attachment: Attachment) -> str:
        """A signed URL that expires."""
        return self.assets.attachment_url(channel.id, attachment)

    def permissions(self, user: User, channel: Channel) -> Permission:
        """The user's permissions in a channel: none if they aren't a member."""
        if channel.guild is None:
            return Permission.everything() if user in channel.recipients else NOTHING
        member = channel.guild.members.get(user.id)
        if member is None:
            return NOTHING
        return channel_permissions(channel.guild, member, channel)

    def can_message(self, direct: Channel) -> bool:
        """True if the app can write in a direct channel: the person allows it and shares a guild with the app."""
        people = [user for user in direct.recipients if not user.is_bot]
        shared = [guild for guild in self.guilds.values() if self.app.bot.id in guild.members]
        return all(
            user.accepts_direct_messages and any(user.id in guild.members for guild in shared) for user in people
        )

    def can_see(self, user: User, message: Message) -> bool:
        """True if the message is on the user's screen."""
        if message.is_deleted or message.dismissed or message.reader not in (None, user):
            return False
        is_there = message.channel.id in self.channels
        return is_there and bool(self.permissions(user, message.channel) & Permission.VIEW_CHANNEL)

    # Dispatching

    def _dispatch_guild(self, event: str, guild: Guild, data: Json) -> None:
        if self.app.bot.id in guild.members or event == "GUILD_DELETE":
            self.dispatch(event, data, guild.id, Intent.GUILDS)

    def _dispatch_member(self, event: str, guild: Guild, member: Member) -> None:
        data = payloads.member_json(member) | {"guild_id": str(guild.id)}
        is_app = member.user is self.app.bot and event == "GUILD_MEMBER_UPDATE"
        self.dispatch(event, data, guild.id, Intent.GUILDS if is_app else Intent.GUILD_MEMBERS)
