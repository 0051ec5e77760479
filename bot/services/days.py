"""Days (UTC) of which a hand is played, and when one is over."""

from datetime import UTC, date, datetime, timedelta

from bot.services.refusals import DayIsNotOver
from bot.storage.rows import TableRow


def day_of(at: int) -> str:
    """The day of a moment in UTC milliseconds, `2026-12-24`."""
    return datetime.fromtimestamp(at / 1000, UTC).date().isoformat()


def day_before(day: str) -> str:
    """The day before a day."""
    return (date.fromisoformat(day) - timedelta(days=1)).isoformat()


def require_told(row: TableRow, now: int) -> None:
    """Raise `DayIsNotOver` for the hand of the present day, of which nothing is told to others before it is over."""
    if row.daily is not None and row.daily >= day_of(now):
        raise DayIsNotOver
