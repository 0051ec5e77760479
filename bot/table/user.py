"""Users and their settings."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class NotificationMode(StrEnum):
    """How somebody hears that a table waits for them."""

    MENTION = "mention"
    """Where the table is."""
    DIRECT = "direct"
    """By a direct message; where none can be delivered, as by default."""
    NOTHING = "nothing"
    """Not at all."""


@dataclass(frozen=True, slots=True)
class UserSettings:
    """How somebody is told, and when nobody expects anything of them."""

    notifications: NotificationMode = NotificationMode.MENTION
    zone: str = "UTC"
    """The time zone, by a name that `services.zones` knows."""
    quiet: tuple[int, int] | None = None
    """From when until when, in minutes of the day as the clocks of the zone show it; it may be past midnight."""
    away: tuple[date, date] | None = None
    """The first and the last day of holidays."""
    language: str = ""
    """The language of private messages, such as `de`; empty: what Discord says."""
    text_cards: bool = False
    """Whether cards are shown as `7R` instead of pictures."""


@dataclass(frozen=True, slots=True)
class Figures:
    """How much is kept of somebody."""

    matches: int
    hands: int
    servers: int
