"""The settings of users, and the extent of the data about them."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class NotificationMode(StrEnum):
    """The ways to notify a user that a table is waiting for them."""

    AWAY = "away"
    """A mention in the table's channel, unless the user is playing right now."""
    EVERY = "every"
    """A mention at every turn."""
    DIRECT = "direct"
    """A direct message, or a mention if it can't be delivered, unless the user is playing right now."""
    NEVER = "never"
    """Neither."""


@dataclass(frozen=True, slots=True)
class UserSettings:
    """The settings of a user: notifications, quiet times and display."""

    notifications: NotificationMode = NotificationMode.AWAY
    zone: str = ""
    """The time zone, by a name that `time_zones.zone_of` accepts; empty: not chosen."""
    quiet: tuple[int, int] | None = None
    """The start and end of quiet hours, in minutes of the day in this zone. They can span midnight."""
    away: tuple[date, date] | None = None
    """The first and last day of holidays."""
    language: str = ""
    """The language of private messages, such as `de`; empty: Discord's locale."""
    text_cards: bool = False
    """Show cards as text, such as `7R`, instead of emoji."""
    by_color: bool = False
    """Sort hands by color, then by number."""


@dataclass(frozen=True, slots=True)
class StoredCounts:
    """The numbers of a user's stored matches and hands, and of their guilds."""

    matches: int
    hands: int
    guilds: int
