"""Days (UTC) of which a hand is played."""

from datetime import UTC, date, datetime, timedelta


def day_of(at: int) -> str:
    """The day of a moment in UTC milliseconds, `2026-12-24`."""
    return datetime.fromtimestamp(at / 1000, UTC).date().isoformat()


def day_before(day: str) -> str:
    """The day before a day."""
    return (date.fromisoformat(day) - timedelta(days=1)).isoformat()


def day_after(day: str) -> str:
    """The day after a day."""
    return (date.fromisoformat(day) + timedelta(days=1)).isoformat()
