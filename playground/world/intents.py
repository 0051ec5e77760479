"""Gateway intents, and events on their way to the sessions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag

from playground.world.model import Json


class Intent(IntFlag):
    """The gateway intents that the playground's events need."""

    NONE = 0
    GUILDS = 1 << 0
    GUILD_MEMBERS = 1 << 1
    GUILD_PRESENCES = 1 << 8
    GUILD_MESSAGES = 1 << 9
    DIRECT_MESSAGES = 1 << 12
    MESSAGE_CONTENT = 1 << 15

    @classmethod
    def privileged(cls) -> Intent:
        """The intents that Discord grants on request only."""
        return cls.GUILD_MEMBERS | cls.GUILD_PRESENCES | cls.MESSAGE_CONTENT


@dataclass(frozen=True, slots=True)
class Dispatch:
    """A gateway event, before it is filtered by guild and intent for each session."""

    event: str
    data: Json
    guild_id: int | None = None
    intent: Intent = Intent.NONE
