"""Changes that people's clients show. The app learns of them through gateway events instead."""

from dataclasses import dataclass

from playground.world.instance import ActivityInstance
from playground.world.model import Guild, Interaction, Message, User


@dataclass(frozen=True, slots=True)
class MessageShown:
    """A message was posted or edited."""

    message: Message


@dataclass(frozen=True, slots=True)
class MessageGone:
    """A message was deleted, or dismissed by its only reader."""

    message: Message


@dataclass(frozen=True, slots=True)
class Notified:
    """A new message notified a user."""

    message: Message
    user_id: int


@dataclass(frozen=True, slots=True)
class Responded:
    """The app sent its first response to an interaction."""

    interaction: Interaction


@dataclass(frozen=True, slots=True)
class Failed:
    """An interaction failed. `interaction.failure` is the text that the client shows."""

    interaction: Interaction


@dataclass(frozen=True, slots=True)
class CommandsChanged:
    """The app registered, changed or removed commands."""


@dataclass(frozen=True, slots=True)
class PlacesChanged:
    """The channels or members of a guild changed."""

    guild: Guild


@dataclass(frozen=True, slots=True)
class PersonJoined:
    """A person was created."""

    user: User


@dataclass(frozen=True, slots=True)
class TimeMoved:
    """The time was moved forward."""


@dataclass(frozen=True, slots=True)
class ActivityChanged:
    """A user has opened an Activity, or left it."""

    instance: ActivityInstance
    user: User


Change = (
    MessageShown
    | MessageGone
    | Notified
    | Responded
    | Failed
    | CommandsChanged
    | PlacesChanged
    | PersonJoined
    | TimeMoved
    | ActivityChanged
)
