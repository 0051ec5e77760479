"""The objects of the simulated Discord: users, guilds, channels, messages and interactions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum, IntFlag
from typing import Any, Protocol

from playground.world.permissions import NOTHING, Permission

Json = dict[str, Any]
MAX_FILE_BYTES = 10 * 1024 * 1024
"""The size of an uploaded file."""


class Editor(Protocol):
    """Changes guilds and channels, and publishes the changes. Implemented by `places.Places`."""

    app: Application

    def create_channel(self, guild: Guild, name: str, kind: ChannelType) -> Channel:
        """Create a channel."""

    def create_role(self, guild: Guild, name: str, permissions: Permission, members: Iterable[User]) -> Role:
        """Create a role and assign it to these members."""

    def add_member(self, guild: Guild, user: User) -> Member:
        """Add a user to a guild."""

    def remove_member(self, guild: Guild, user: User) -> None:
        """Remove a user from a guild."""

    def delete_channel(self, channel: Channel) -> None:
        """Delete a channel and its messages."""

    def overwrite(
        self, channel: Channel, target: User | Role, *, allow: Permission = NOTHING, deny: Permission = NOTHING
    ) -> None:
        """Change the permission overwrite of a user or role in a channel."""

    def permissions(self, user: User, channel: Channel) -> Permission:
        """The user's permissions in a channel."""

    def attachment_url(self, channel: Channel, attachment: Attachment) -> str:
        """A signed URL that expires."""


class ChannelType(IntEnum):
    """The channel types that the playground supports."""

    TEXT = 0
    DM = 1
    VOICE = 2
    GROUP_DM = 3
    ANNOUNCEMENT = 5
    ANNOUNCEMENT_THREAD = 10
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12
    STAGE = 13
    FORUM = 15


class MessageType(IntEnum):
    """The message types that the playground creates."""

    DEFAULT = 0
    REPLY = 19
    CHAT_INPUT_COMMAND = 20
    CONTEXT_MENU_COMMAND = 23


class MessageFlags(IntFlag):
    """The message flags that the playground supports."""

    SUPPRESS_EMBEDS = 1 << 2
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    SUPPRESS_NOTIFICATIONS = 1 << 12
    COMPONENTS_V2 = 1 << 15


@dataclass(eq=False, slots=True)
class User:
    """The account of a person or an app."""

    id: int
    name: str
    locale: str = "en-US"
    is_bot: bool = False
    accepts_direct_messages: bool = True
    scrolled_up: bool = False
    """True while the user reads earlier messages. Ephemeral messages that arrive then never appear:
    https://github.com/discord/discord-api-docs/issues/4675"""
    has_installed: bool = False
    """True if the user has added the app for themselves. Its commands for users are offered to them everywhere."""
    privileges: Permission = field(default=Permission(0))
    """Permissions beyond those of @everyone, in each guild that the user joins."""

    @property
    def username(self) -> str:
        """The username: lower case, without spaces."""
        return "".join(each for each in self.name.lower() if each.isalnum() or each in "_.") or "someone"

    @property
    def mention(self) -> str:
        """The markup that mentions this user."""
        return f"<@{self.id}>"


@dataclass(eq=False, slots=True)
class Role:
    """A role. The one with the guild's id is @everyone."""

    id: int
    name: str
    permissions: Permission
    position: int


@dataclass(eq=False, slots=True)
class Member:
    """A user in a guild."""

    user: User
    joined_at: datetime
    role_ids: list[int] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Thread:
    """The attributes that only threads have."""

    owner_id: int
    member_ids: set[int]
    created_at: datetime
    auto_archive_minutes: int = 1440
    is_archived: bool = False
    is_locked: bool = False


@dataclass(eq=False, slots=True)
class Channel:
    """A channel of a guild, a thread, or a direct message channel."""

    world: Editor = field(repr=False)
    id: int
    type: ChannelType
    name: str = ""
    guild: Guild | None = field(default=None, repr=False)
    parent: Channel | None = field(default=None, repr=False)
    thread: Thread | None = None
    recipients: tuple[User, ...] = ()
    overwrites: dict[int, tuple[Permission, Permission]] = field(default_factory=dict)
    """Allowed and denied permissions by role or user id."""
    messages: dict[int, Message] = field(default_factory=dict, repr=False)
    """Messages by id, oldest first, with ephemeral and without deleted ones."""

    @property
    def context(self) -> int:
        """The context of interactions: a guild (0), a direct message with the app (1), or one among people (2)."""
        if self.guild is not None:
            return 0
        return 1 if self.world.app.bot in self.recipients else 2

    @property
    def has_app(self) -> bool:
        """True if the app can be used here by everyone, because it was added to the guild."""
        return self.guild.has_commands if self.guild is not None else self.context == 1

    def allow(self, target: User | Role, permissions: Permission) -> None:
        """Allow permissions in this channel."""
        self.world.overwrite(self, target, allow=permissions)

    def deny(self, target: User | Role, permissions: Permission) -> None:
        """Deny permissions in this channel."""
        self.world.overwrite(self, target, deny=permissions)

    def delete(self) -> None:
        """Delete the channel and its messages."""
        self.world.delete_channel(self)


@dataclass(eq=False, slots=True)
class Guild:
    """A guild, which users call a server."""

    world: Editor = field(repr=False)
    id: int
    name: str
    owner_id: int
    community_locale: str | None = None
    """The language that its managers have chosen. Only guilds with the Community feature can choose one."""
    roles: dict[int, Role] = field(default_factory=dict)
    members: dict[int, Member] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)
    """Channels and threads by id."""
    max_active_threads: int = 1000
    has_only_commands: bool = False
    """True if the app was added without its bot user: its commands are offered, but it can't see the guild."""

    @property
    def has_commands(self) -> bool:
        """True if the app's commands and buttons work here."""
        return self.has_only_commands or self.world.app.bot.id in self.members

    @property
    def locale(self) -> str:
        """The preferred locale: always en-US without the Community feature."""
        return self.community_locale or "en-US"

    @property
    def features(self) -> list[str]:
        """The features that the app sees."""
        return [] if self.community_locale is None else ["COMMUNITY"]

    @property
    def everyone(self) -> Role:
        """The role @everyone."""
        return self.roles[self.id]

    def channel(self, name: str, kind: ChannelType = ChannelType.TEXT) -> Channel:
        """Create a channel, by default a text channel."""
        return self.world.create_channel(self, name, kind)

    def role(self, name: str, permissions: Permission, *members: User) -> Role:
        """Create a role and assign it to these members."""
        return self.world.create_role(self, name, permissions, members)

    def add(self, user: User) -> Member:
        """Add a user. Their privileges become a role of their own."""
        return self.world.add_member(self, user)

    def remove(self, user: User) -> None:
        """Remove a user. For the app, this uninstalls it."""
        self.world.remove_member(self, user)

    def remove_only_the_bot(self) -> None:
        """Leave the app's commands without its bot user, as after an installation without the scope `bot`."""
        self.world.remove_member(self, self.world.app.bot)
        self.has_only_commands = True


@dataclass(eq=False, slots=True)
class Attachment:
    """A file attached to a message."""

    id: int
    filename: str
    content: bytes = field(repr=False)
    content_type: str
    description: str | None = None
    size: tuple[int, int] | None = None
    """Width and height, for images."""


@dataclass(eq=False, slots=True)
class Emoji:
    """An emoji uploaded by the application."""

    id: int
    name: str
    image: bytes = field(repr=False)
    content_type: str

    @property
    def is_animated(self) -> bool:
        """True for GIFs."""
        return self.content_type == "image/gif"


@dataclass(eq=False, slots=True)
class Message:
    """A message in its current state."""

    id: int
    channel: Channel = field(repr=False)
    author: User
    type: MessageType = MessageType.DEFAULT
    content: str = ""
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    flags: MessageFlags = field(default=MessageFlags(0))
    created_at: datetime = field(kw_only=True)
    edited_at: datetime | None = None
    mentions: list[User] = field(default_factory=list)
    """The users mentioned in the text, notified or not."""
    mentioned_role_ids: list[int] = field(default_factory=list)
    mentions_everyone: bool = False
    is_deleted: bool = False
    reader: User | None = None
    """The only user who sees the message, if it is ephemeral."""
    dismissed: bool = False
    """True once the reader has dismissed it."""
    interaction: Interaction | None = field(default=None, repr=False)
    """The message that this one replies to."""
    reference: Message | None = field(default=None, repr=False)
    nonce: str | None = None

    @property
    def is_ephemeral(self) -> bool:
        """True if only one user sees the message."""
        return bool(self.flags & MessageFlags.EPHEMERAL)

    @property
    def is_v2(self) -> bool:
        """True if the message uses Components V2."""
        return bool(self.flags & MessageFlags.COMPONENTS_V2)


class CommandType(IntEnum):
    """Discord's types of commands."""

    SLASH = 1
    USER = 2
    MESSAGE = 3
    ENTRY_POINT = 4


class EntryPointHandler(IntEnum):
    """Who answers an Entry Point command."""

    APP = 1
    DISCORD = 2


class InteractionType(IntEnum):
    """Discord's interaction types."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL_SUBMIT = 5


class CallbackType(IntEnum):
    """Discord's types of interaction response."""

    PONG = 1
    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE_MESSAGE = 7
    AUTOCOMPLETE = 8
    MODAL = 9
    LAUNCH_ACTIVITY = 12


@dataclass(eq=False, slots=True)
class Interaction:
    """An interaction: a person's action, its token and the app's response."""

    id: int
    type: InteractionType
    token: str = field(repr=False)
    user: User
    channel: Channel
    data: Json
    created_at: float
    message: Message | None = None
    """The message whose component was used, or whose button opened the modal."""
    parent: Interaction | None = None
    """For a submitted modal: the interaction that opened it."""
    installs: tuple[int, ...] = (0,)
    """The kinds of installation that offer it: of the guild (0) or the user (1)."""
    response_type: CallbackType | None = None
    original: Message | None = None
    """The message of the first response: `@original`."""
    modal: Json | None = None
    choices: list[Json] = field(default_factory=list)
    """The choices of an autocomplete response."""
    activity_id: str | None = None
    """The instance of the Activity that the response has opened."""
    failure: str | None = None
    """The text that the client shows if there was no response in time. The token is invalid then."""

    @property
    def is_settled(self) -> bool:
        """True once there is a first response or a failure."""
        return self.response_type is not None or self.failure is not None


@dataclass(eq=False, slots=True)
class Application:
    """The application under test, with its bot user and its settings in the developer portal."""

    id: int
    name: str
    bot: User
    token: str = field(repr=False)
    client_secret: str = field(repr=False)
    redirect_uris: list[str] = field(default_factory=list)
    has_activities: bool = False
    url_mappings: dict[str, str] = field(default_factory=dict)
    """Where the proxy of Activities finds what is below a path: hosts without a scheme, the longest path first."""
