"""When a deadline may fall: not into the quiet hours of whoever it is for, nor into their holidays."""

from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import Final

from bot.table.time_zones import zone_of
from bot.table.user import UserSettings

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)
_DAY: Final = timedelta(days=1)


def moved(due: int, settings: UserSettings) -> int:
    """The first moment from `due` on that falls neither into quiet hours nor into holidays (UTC milliseconds).

    What counts is what the clocks of the person's zone show. Raises `BadTimeZone`.
    """
    zone = zone_of(settings.zone)
    while (free := _free(local(due, zone), settings)) is not None:
        due = _when(due, free, zone)
    return due


def is_free(moment: int, settings: UserSettings) -> bool:
    """Whether a moment (UTC milliseconds) falls neither into quiet hours nor into holidays."""
    return moved(moment, settings) == moment


def local(moment: int, zone: tzinfo) -> datetime:
    """What the clocks of a zone show at a moment (UTC milliseconds), as a time without a zone."""
    return (_EPOCH + moment * _MILLISECOND).astimezone(zone).replace(tzinfo=None)


def _free(now: datetime, settings: UserSettings) -> datetime | None:
    """What clocks show when the holidays or the quiet hours of now are over; None outside of both."""
    midnight = datetime.combine(now, time())
    if settings.away is not None and settings.away[0] <= now.date() <= settings.away[1]:
        return datetime.combine(settings.away[1], time()) + _DAY
    if settings.quiet is None:
        return None
    start, end = (midnight + timedelta(minutes=minutes) for minutes in settings.quiet)
    if start <= now < end or now < end < start:
        return end
    return end + _DAY if end < start <= now else None


def _when(moment: int, shown: datetime, zone: tzinfo) -> int:
    """When the clocks show this, which they do not yet; or the moment at which they are put forward or back before."""
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
