"""Which gateway events an app has asked for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag

from playground.world.model import Json


class Intent(IntFlag):
    """Gateway intents that decide about the events sent here."""

    NONE = 0
    GUILDS = 1 << 0
    GUILD_MEMBERS = 1 << 1
    GUILD_PRESENCES = 1 << 8
    GUILD_MESSAGES = 1 << 9
    DIRECT_MESSAGES = 1 << 12
    MESSAGE_CONTENT = 1 << 15

    @classmethod
    def privileged(cls) -> Intent:
        """Those an app must be granted by hand."""
        return cls.GUILD_MEMBERS | cls.GUILD_PRESENCES | cls.MESSAGE_CONTENT


@dataclass(frozen=True, slots=True)
class Dispatch:
    """One gateway event, before sessions pick those they asked for."""

    event: str
    data: Json
    guild_id: int | None = None
    intent: Intent = Intent.NONE
