"""The log, which users can't flood."""

import logging

from bot.logs import MAX_PER_MINUTE, RepeatLimiter


def _line(level: int, message: str, value: int, at: float) -> logging.LogRecord:
    record = logging.LogRecord("bot", level, __file__, 1, message, (value,), None)
    record.created = at
    return record


def test_repeated_warnings_are_counted_instead_of_written() -> None:
    fewer = RepeatLimiter()
    flood = [_line(logging.WARNING, "press %d", number, at=number / 1000) for number in range(5624)]
    assert sum(map(fewer.filter, flood)) == MAX_PER_MINUTE
    assert fewer.filter(_line(logging.WARNING, "another %d", 1, at=6))
    later = _line(logging.WARNING, "press %d", 1, at=70)
    assert fewer.filter(later)
    assert later.getMessage() == f"press 1 (and {5624 - MAX_PER_MINUTE} more like this)"
    again = _line(logging.WARNING, "press %d", 2, at=71)
    assert fewer.filter(again)
    assert again.getMessage() == "press 2"


def test_information_is_always_written() -> None:
    fewer = RepeatLimiter()
    assert all(fewer.filter(_line(logging.INFO, "table %d", number, at=0)) for number in range(100))
