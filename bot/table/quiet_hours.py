"""Move deadlines out of the quiet hours and holidays of a player."""

from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import Final

from bot.table.time_zones import zone_of
from bot.table.user import UserSettings

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)
_DAY: Final = timedelta(days=1)


def first_free_moment(due: int, settings: UserSettings) -> int:
    """The first moment from `due` on outside of quiet hours and holidays (UTC milliseconds).

    Both follow the local time in the user's zone. Raises `BadTimeZone`.
    """
    zone = zone_of(settings.zone)
    while (free := _end_of_quiet(local(due, zone), settings)) is not None:
        due = _moment_shown(due, free, zone)
    return due


def is_free(moment: int, settings: UserSettings) -> bool:
    """True if a moment (UTC milliseconds) is outside of quiet hours and holidays."""
    return first_free_moment(moment, settings) == moment


def local(moment: int, zone: tzinfo) -> datetime:
    """The local time in a zone at a moment (UTC milliseconds), as a naive datetime."""
    return (_EPOCH + moment * _MILLISECOND).astimezone(zone).replace(tzinfo=None)


def _end_of_quiet(now: datetime, settings: UserSettings) -> datetime | None:
    """The local time when the holidays or quiet hours at `now` end; None outside of both."""
    midnight = datetime.combine(now, time())
    if settings.away is not None and settings.away[0] <= now.date() <= settings.away[1]:
        return datetime.combine(settings.away[1], time()) + _DAY
    if settings.quiet is None:
        return None
    start, end = (midnight + timedelta(minutes=minutes) for minutes in settings.quiet)
    if start <= now < end or now < end < start:
        return end
    return end + _DAY if end < start <= now else None


def _moment_shown(moment: int, shown: datetime, zone: tzinfo) -> int:
    """The first moment after `moment` with the local time `shown`, or the earlier moment when the clocks change."""
    offset = _offset(moment, zone)
    then = moment + (shown - local(moment, zone)) // _MILLISECOND
    if _offset(then, zone) == offset:
        return then
    before, after = moment, then
    while after - before > 1:
        middle = (before + after) // 2
        if _offset(middle, zone) == offset:
            before = middle
        else:
            after = middle
    return after


def _offset(moment: int, zone: tzinfo) -> timedelta:
    return local(moment, zone) - local(moment, UTC)
