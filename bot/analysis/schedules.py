"""The schedule of automatic leaderboard posts, and the periods that they cover. All times are UTC."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

from bot.analysis.leaderboard import periods
from bot.table.guild import PostInterval

HOUR: Final = 8
"""The hour of a post, on Mondays or on the first of a month."""


def next_after(now: int, every: PostInterval) -> int:
    """The first time to post that is later than `now` (UTC seconds)."""
    day = datetime.fromtimestamp(now, UTC).replace(hour=HOUR, minute=0, second=0, microsecond=0)
    while not (_is_posted(day, every) and day.timestamp() > now):
        day += timedelta(days=1)
    return int(day.timestamp())


@dataclass(frozen=True, slots=True)
class CompletedPeriod:
    """A week or a month that has ended."""

    key: str
    """See `leaderboard.periods`."""
    first: date
    last: date


def latest_period(now: int, every: PostInterval) -> CompletedPeriod:
    """The latest completed period at `now` (UTC seconds)."""
    day = datetime.fromtimestamp(now, UTC).replace(hour=HOUR, minute=0, second=0, microsecond=0)
    while not (_is_posted(day, every) and day.timestamp() <= now):
        day -= timedelta(days=1)
    last = day - timedelta(days=1)
    _, month, week = periods(int(last.timestamp()), None)
    if every is PostInterval.WEEK:
        return CompletedPeriod(week, (day - timedelta(days=7)).date(), last.date())
    return CompletedPeriod(month, last.date().replace(day=1), last.date())


def _is_posted(day: datetime, every: PostInterval) -> bool:
    return day.weekday() == 0 if every is PostInterval.WEEK else day.day == 1
