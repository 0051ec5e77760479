"""Forms for settings that users type, and the parsing of their content."""

import re
from datetime import date
from typing import Final

import discord

from bot.presentation.settings.user_settings import time_text
from bot.presentation.text.i18n import Words
from bot.presentation.ui.custom_ids import Press, UserForm, Verb
from bot.presentation.ui.forms import Field, field, form
from bot.table.refusals import BadDate, BadTime
from bot.table.user import UserSettings

_TIME: Final = re.compile(r"(\d{1,2})(?:[:.h]?(\d{2}))?(?:([ap])\.?m\.?|h|uhr)?")
_DAYS: Final = (
    re.compile(r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})"),
    re.compile(r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})"),
)
"""Unambiguous notations of dates. Slashes are ambiguous."""


def user_settings_form(name: UserForm, settings: UserSettings, nonce: int, words: Words) -> discord.ui.Modal:
    """A form filled with the present setting.

    Quiet hours and holidays depend on the time zone, so their forms ask for it until it's chosen.
    """
    zone = [] if settings.zone else [_zone_field("", words)]
    press = Press(Verb.FORM_SENT, arguments=(name, str(nonce)))
    match name:
        case UserForm.ZONE:
            return form(press, words.say("Your time zone"), _zone_field(settings.zone, words))
        case UserForm.QUIET_HOURS:
            start, end = map(time_text, settings.quiet) if settings.quiet else ("", "")
            times = field("start", words.say("From"), "22:00", start), field("end", words.say("To"), "07:30", end)
            return form(press, words.say("Your quiet hours"), *zone, *times)
        case UserForm.HOLIDAYS:
            first, last = map(str, settings.away) if settings.away else ("", "")
            days = (
                field("first", words.say("First day (year-month-day)"), "2026-12-24", first),
                field("last", words.say("Last day (year-month-day)"), "2027-01-02", last),
            )
            return form(press, words.say("Your holidays"), *zone, *days)


def _zone_field(zone: str, words: Words) -> Field:
    return field("zone", words.say("A large city near you, or UTC+2"), "Europe/Berlin", zone)


def parse_time(typed: str) -> int:
    """Parse a time of day into minutes: `22`, `22:30`, `2230`, `10.30 pm`. Raises `BadTime`."""
    found = _TIME.fullmatch("".join(typed.split()).casefold())
    if found is None:
        raise BadTime(typed)
    hour, minute, half = int(found[1]), int(found[2] or 0), found[3]
    if minute > 59 or (hour, minute) > (24, 0) or (half and not 1 <= hour <= 12):
        raise BadTime(typed)
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return hour % 24 * 60 + minute


def parse_day(typed: str) -> date:
    """Parse a date: `2026-12-24` or `24.12.2026`. Raises `BadDate`."""
    text = "".join(typed.split())
    found = next(filter(None, (way.fullmatch(text) for way in _DAYS)), None)
    if found is None:
        raise BadDate(typed)
    try:
        return date(**{part: int(number) for part, number in found.groupdict().items()})
    except ValueError:  # such as February 30
        raise BadDate(typed) from None
