"""Time zones: IANA names, offsets from UTC, and what users type for them."""

import re
import unicodedata
from datetime import UTC, timedelta, timezone, tzinfo
from difflib import get_close_matches
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from bot.table.refusals import BadTimeZone

MAX_NAME_LENGTH: Final = 40
"""The length of a stored zone name."""
MAX_SUGGESTIONS: Final = 5
_AREAS: Final = frozenset(
    ["Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"]
)
"""The first parts of zones named after places. Other names stand for countries or laws, or are outdated."""
_OFFSET: Final = re.compile(r"(?:UTC|GMT)?\s*([+\-\u2212])\s*(\d{1,2})(?::?([0-5]\d))?", re.IGNORECASE)
_WEST, _EAST = -12 * 60, 14 * 60
"""The outermost offsets in use, in minutes."""


def zone_of(name: str) -> tzinfo:
    """The zone with exactly this name, such as `Europe/Berlin` or `UTC+05:30`; UTC if it's empty.

    Raises `BadTimeZone`.
    """
    minutes = _minutes(name)
    if minutes is not None:
        return timezone(timedelta(minutes=minutes)) if minutes else UTC
    if name in ("", "UTC"):
        return UTC
    if name not in _available():
        raise BadTimeZone(name)
    return ZoneInfo(name)


def find_zone(typed: str) -> str:
    """The name of the zone that a user means: a city, a name in any case, or an offset from UTC.

    Raises `BadTimeZone` with similar names.
    """
    minutes = _minutes(typed.strip())
    if minutes is not None:
        return _offset_name(minutes)
    key = _folded(typed)
    try:
        return _names()[key]
    except KeyError:
        raise BadTimeZone(typed, _suggestions(key)) from None


def _minutes(text: str) -> int | None:
    """Minutes east of UTC; None if the text isn't an offset, or no zone has it."""
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
    """All names except those that depend on the machine."""
    return frozenset(available_timezones() - {"localtime", "Factory"})


@cache
def _names() -> dict[str, str]:
    """Zone names by what users may type: the whole name, or only its last part."""
    places = sorted((name for name in _available() if name.partition("/")[0] in _AREAS), reverse=True)
    whole = (name for name in _available() if not re.search(r"GMT[+-]", name))  # their signs are reversed
    return {_folded(name.rpartition("/")[2]): name for name in places} | {_folded(name): name for name in whole}


def _folded(text: str) -> str:
    """The text in lower case, without accents, and with only letters, digits, `/` and `+`."""
    plain = unicodedata.normalize("NFKD", text[:MAX_NAME_LENGTH]).casefold()
    return "".join(sign for sign in plain if sign.isalnum() or sign in "/+")


def _suggestions(key: str) -> tuple[str, ...]:
    """The zones with similar names, the most likely first."""
    within = sorted((other for other in _names() if len(key) > 2 and key in other), key=len)
    found = [*within, *get_close_matches(key, _names(), MAX_SUGGESTIONS)]
    return tuple(dict.fromkeys(_names()[other] for other in found))[:MAX_SUGGESTIONS]
