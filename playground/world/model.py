"""What a small Discord consists of: values, which `world.World` changes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum, IntFlag
from typing import Any, Protocol

from playground.world.permissions import NOTHING, Permission

Json = dict[str, Any]


class Editor(Protocol):
    """Changes guilds and channels, and tells everyone concerned. `places.Places` is the one that does."""

    app: Application

    def create_channel(self, guild: Guild, name: str) -> Channel:
        """Make a text channel."""

    def create_role(self, guild: Guild, name: str, permissions: Permission, members: Iterable[User]) -> Role:
        """Make a role and give it to these members."""

    def add_member(self, guild: Guild, user: User) -> Member:
        """Let an account into a guild."""

    def remove_member(self, guild: Guild, user: User) -> None:
        """Take an account out of a guild."""

    def delete_channel(self, channel: Channel) -> None:
        """Remove a channel with everything in it."""

    def overwrite(
        self, channel: Channel, who: User | Role, *, allow: Permission = NOTHING, deny: Permission = NOTHING
    ) -> None:
        """Change what an account or a role may do in one channel."""

    def permissions(self, user: User, channel: Channel) -> Permission:
        """What an account may do in a channel."""

    def attachment_url(self, channel: Channel, attachment: Attachment) -> str:
        """The address of a file, signed and valid for a while."""


class ChannelType(IntEnum):
    """The kinds of channel in which messages are posted here."""

    TEXT = 0
    DM = 1
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12


class MessageType(IntEnum):
    """The kinds of message that people and apps cause."""

    DEFAULT = 0
    PINNED = 6
    THREAD_CREATED = 18
    REPLY = 19
    CHAT_INPUT_COMMAND = 20
    CONTEXT_MENU_COMMAND = 23


class MessageFlags(IntFlag):
    """The message flags an app may meet."""

    SUPPRESS_EMBEDS = 1 << 2
    HAS_THREAD = 1 << 5
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    SUPPRESS_NOTIFICATIONS = 1 << 12
    COMPONENTS_V2 = 1 << 15


@dataclass(eq=False, slots=True)
class User:
    """An account: a person's or an app's."""

    id: int
    name: str
    locale: str = "en-US"
    is_bot: bool = False
    accepts_direct_messages: bool = True
    privileges: Permission = field(default=Permission(0))
    """What the account may do beyond @everyone in each guild it joins."""

    @property
    def username(self) -> str:
        """The account's handle: lower case, no spaces."""
        return "".join(each for each in self.name.lower() if each.isalnum() or each in "_.") or "someone"

    @property
    def mention(self) -> str:
        """The text that mentions this account."""
        return f"<@{self.id}>"


@dataclass(eq=False, slots=True)
class Role:
    """A named set of permissions; the one with the guild's own id is @everyone."""

    id: int
    name: str
    permissions: Permission
    position: int


@dataclass(eq=False, slots=True)
class Member:
    """An account in one guild."""

    user: User
    joined_at: datetime
    role_ids: list[int] = field(default_factory=list)
    nick: str | None = None


@dataclass(eq=False, slots=True)
class Thread:
    """What only a thread has."""

    owner_id: int
    member_ids: set[int]
    created_at: datetime
    auto_archive_minutes: int = 1440
    is_archived: bool = False
    is_locked: bool = False
    is_invitable: bool = True


@dataclass(eq=False, slots=True)
class Channel:
    """A place for messages: in a guild, a thread under such a place, or between two accounts."""

    world: Editor = field(repr=False)
    id: int
    type: ChannelType
    name: str = ""
    guild: Guild | None = field(default=None, repr=False)
    parent: Channel | None = field(default=None, repr=False)
    thread: Thread | None = None
    recipients: tuple[User, ...] = ()
    overwrites: dict[int, tuple[Permission, Permission]] = field(default_factory=dict)
    """Who (role or account id) -> what is allowed and denied here."""
    messages: dict[int, Message] = field(default_factory=dict, repr=False)
    """Oldest first; ephemeral ones are here too, deleted ones are not."""

    def allow(self, who: User | Role, permissions: Permission) -> None:
        """Grant permissions in this channel alone."""
        self.world.overwrite(self, who, allow=permissions)

    def deny(self, who: User | Role, permissions: Permission) -> None:
        """Take permissions away in this channel alone."""
        self.world.overwrite(self, who, deny=permissions)

    def delete(self) -> None:
        """Remove the channel and everything in it."""
        self.world.delete_channel(self)


@dataclass(eq=False, slots=True)
class Guild:
    """What people call a server."""

    world: Editor = field(repr=False)
    id: int
    name: str
    owner_id: int
    locale: str = "en-US"
    roles: dict[int, Role] = field(default_factory=dict)
    members: dict[int, Member] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)
    """Threads are here too."""

    @property
    def everyone(self) -> Role:
        """The role that every member has."""
        return self.roles[self.id]

    def channel(self, name: str) -> Channel:
        """Make a text channel."""
        return self.world.create_channel(self, name)

    def role(self, name: str, permissions: Permission, *members: User) -> Role:
        """Make a role and give it to these members."""
        return self.world.create_role(self, name, permissions, members)

    def add(self, user: User) -> Member:
        """Let an account in; its privileges come as a role of its own."""
        return self.world.add_member(self, user)

    def remove(self, user: User) -> None:
        """Show an account the door; for the app this is an un-install."""
        self.world.remove_member(self, user)


@dataclass(eq=False, slots=True)
class Attachment:
    """A file that came with a message."""

    id: int
    filename: str
    content: bytes = field(repr=False)
    content_type: str
    description: str | None = None
    size: tuple[int, int] | None = None
    """Width and height, of pictures."""


@dataclass(eq=False, slots=True)
class Emoji:
    """A picture the application has uploaded for use in text and on buttons."""

    id: int
    name: str
    image: bytes = field(repr=False)
    content_type: str

    @property
    def is_animated(self) -> bool:
        """Only GIFs move here."""
        return self.content_type == "image/gif"


@dataclass(eq=False, slots=True)
class Message:
    """A message as it now is."""

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
    """Accounts the text names, whether or not they were notified."""
    mentioned_role_ids: list[int] = field(default_factory=list)
    mentions_everyone: bool = False
    is_pinned: bool = False
    is_deleted: bool = False
    reader: User | None = None
    """Who alone sees it, when it is ephemeral."""
    dismissed: bool = False
    """Whether that reader has closed it."""
    interaction: Interaction | None = field(default=None, repr=False)
    """What it answers."""
    reference: Message | None = field(default=None, repr=False)
    nonce: str | None = None

    @property
    def is_ephemeral(self) -> bool:
        """Whether one account alone sees it."""
        return bool(self.flags & MessageFlags.EPHEMERAL)

    @property
    def is_v2(self) -> bool:
        """Whether it is made of Components V2 and can be nothing else."""
        return bool(self.flags & MessageFlags.COMPONENTS_V2)


class InteractionType(IntEnum):
    """What a person did."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL_SUBMIT = 5


class CallbackType(IntEnum):
    """How an app may answer that."""

    PONG = 1
    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE_MESSAGE = 7
    AUTOCOMPLETE = 8
    MODAL = 9


@dataclass(eq=False, slots=True)
class Interaction:
    """One thing a person did, and the app's right to answer it."""

    id: int
    type: InteractionType
    token: str = field(repr=False)
    user: User
    channel: Channel
    data: Json
    created_at: float
    message: Message | None = None
    """The message that was clicked, or whose button opened the modal."""
    parent: Interaction | None = None
    """For a submitted modal: what opened it."""
    answer: CallbackType | None = None
    original: Message | None = None
    """The answer as a message: what `@original` means."""
    modal: Json | None = None
    choices: list[Json] = field(default_factory=list)
    """What an autocomplete offered."""
    failure: str | None = None
    """What the person's client shows when no answer came in time; the token is void then."""

    @property
    def is_settled(self) -> bool:
        """Whether the person knows what came of it."""
        return self.answer is not None or self.failure is not None


@dataclass(frozen=True, slots=True)
class Application:
    """The app under test: one application and its bot account."""

    id: int
    name: str
    bot: User
    token: str = field(repr=False)
