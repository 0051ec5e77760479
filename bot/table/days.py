"""The days of hands of the day, as ISO dates in UTC."""

from datetime import UTC, date, datetime, time, timedelta


def day_of(at: int) -> str:
    """The date of a moment in UTC milliseconds, such as `2026-12-24`."""
    return datetime.fromtimestamp(at / 1000, UTC).date().isoformat()


def day_before(day: str) -> str:
    """The date of the previous day."""
    return (date.fromisoformat(day) - timedelta(days=1)).isoformat()


def day_after(day: str) -> str:
    """The date of the next day."""
    return (date.fromisoformat(day) + timedelta(days=1)).isoformat()


def end_of_day(day: str) -> int:
    """The end of a day in UTC milliseconds."""
    return round(datetime.combine(date.fromisoformat(day_after(day)), time(), UTC).timestamp() * 1000)
