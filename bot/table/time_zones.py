"""Time zones, by the names that the IANA gives them and by what people type."""

import re
import unicodedata
from datetime import UTC, timedelta, timezone, tzinfo
from difflib import get_close_matches
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from bot.table.refusals import BadTimeZone

LONGEST_NAME: Final = 40
"""As many characters as are kept of a name."""
MOST_NEAR: Final = 5
_AREAS: Final = (
    "Africa/",
    "America/",
    "Antarctica/",
    "Arctic/",
    "Asia/",
    "Atlantic/",
    "Australia/",
    "Europe/",
    "Indian/",
    "Pacific/",
)
"""What the zones of places begin with; other names are of countries, of laws, or old."""
_OFFSET: Final = re.compile(r"(?:UTC|GMT)?\s*([+\-\u2212])\s*(\d{1,2})(?::?([0-5]\d))?", re.IGNORECASE)
_WEST, _EAST = -12 * 60, 14 * 60
"""The outermost offsets in use, in minutes."""


def zone_of(name: str) -> tzinfo:
    """The zone of this very name, such as `Europe/Berlin`, `UTC` or `UTC+05:30`. Raises `BadTimeZone`."""
    minutes = _minutes(name)
    if minutes is not None:
        return timezone(timedelta(minutes=minutes)) if minutes else UTC
    if name == "UTC":
        return UTC
    if name not in _available():
        raise BadTimeZone(name)
    return ZoneInfo(name)


def named(typed: str) -> str:
    """The name of the zone that somebody means: a city, a name in any case, or a distance from UTC.

    Raises `BadTimeZone`, with the names that come near to what was typed.
    """
    minutes = _minutes(typed.strip())
    if minutes is not None:
        return _offset_name(minutes)
    key = _folded(typed)
    try:
        return _names()[key]
    except KeyError:
        raise BadTimeZone(typed, _near(key)) from None


def _minutes(text: str) -> int | None:
    """East of UTC; None if the text does not say so, or such a zone is nowhere."""
    found = _OFFSET.fullmatch(text)
    if found is None:
        return None
    sign, hours, minutes = found.groups()
    east = (int(hours) * 60 + int(minutes or 0)) * (1 if sign == "+" else -1)
    return east if _WEST <= east <= _EAST else None


def _offset_name(minutes: int) -> str:
    if not minutes:
        return "UTC"
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'+' if minutes > 0 else '-'}{hours:02}:{rest:02}"


@cache
def _available() -> frozenset[str]:
    """Every name, apart from those that mean another zone on another machine or none at all."""
    return frozenset(available_timezones() - {"localtime", "Factory"})


@cache
def _names() -> dict[str, str]:
    """Names by how they may be typed: whole, or only the place, the last part of it."""
    places = sorted((name for name in _available() if name.startswith(_AREAS)), reverse=True)
    whole = (name for name in _available() if not re.search(r"GMT[+-]", name))  # their signs mean the contrary
    return {_folded(name.rpartition("/")[2]): name for name in places} | {_folded(name): name for name in whole}


def _folded(text: str) -> str:
    """Letters, digits, `/` and `+` only, in lower case and without accents."""
    plain = unicodedata.normalize("NFKD", text[:LONGEST_NAME]).casefold()
    return "".join(sign for sign in plain if sign.isalnum() or sign in "/+")


def _near(key: str) -> tuple[str, ...]:
    """The zones whose names look like this, the likeliest first."""
    within = sorted((other for other in _names() if len(key) > 2 and key in other), key=len)
    found = [*within, *get_close_matches(key, _names(), MOST_NEAR)]
    return tuple(dict.fromkeys(_names()[other] for other in found))[:MOST_NEAR]
