"""What people's clients are told. The app hears the same through the gateway, as Discord words it."""

from dataclasses import dataclass

from playground.world.model import Guild, Interaction, Message, User


@dataclass(frozen=True, slots=True)
class MessageShown:
    """A message is new, or has changed."""

    message: Message


@dataclass(frozen=True, slots=True)
class MessageGone:
    """A message was deleted, or closed by its only reader."""

    message: Message


@dataclass(frozen=True, slots=True)
class Notified:
    """A new message mentions somebody so that their phone rings."""

    message: Message
    user_id: int


@dataclass(frozen=True, slots=True)
class Answered:
    """The app gave its first answer to something a person did."""

    interaction: Interaction


@dataclass(frozen=True, slots=True)
class Failed:
    """Something a person did came to nothing; `interaction.failure` is what their client shows."""

    interaction: Interaction


@dataclass(frozen=True, slots=True)
class CommandsChanged:
    """The app has registered, changed or removed commands."""


@dataclass(frozen=True, slots=True)
class PlacesChanged:
    """Channels or members came or went in a guild."""

    guild: Guild


@dataclass(frozen=True, slots=True)
class PersonJoined:
    """Somebody new is in the world."""

    user: User


Change = MessageShown | MessageGone | Notified | Answered | Failed | CommandsChanged | PlacesChanged | PersonJoined
