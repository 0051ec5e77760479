"""The log: what users can cause at will does not fill it."""

import logging

from bot.logs import MOST_A_MINUTE, FewerRepeats


def _line(level: int, message: str, value: int, at: float) -> logging.LogRecord:
    record = logging.LogRecord("bot", level, __file__, 1, message, (value,), None)
    record.created = at
    return record


def test_a_flood_of_one_warning_is_counted_not_written() -> None:
    fewer = FewerRepeats()
    flood = [_line(logging.WARNING, "press %d", number, at=number / 1000) for number in range(5624)]
    assert sum(map(fewer.filter, flood)) == MOST_A_MINUTE
    assert fewer.filter(_line(logging.WARNING, "another %d", 1, at=6))
    later = _line(logging.WARNING, "press %d", 1, at=70)
    assert fewer.filter(later)
    assert later.getMessage() == f"press 1 (and {5624 - MOST_A_MINUTE} more like this)"
    again = _line(logging.WARNING, "press %d", 2, at=71)
    assert fewer.filter(again)
    assert again.getMessage() == "press 2"


def test_what_is_no_warning_is_always_written() -> None:
    fewer = FewerRepeats()
    assert all(fewer.filter(_line(logging.INFO, "table %d", number, at=0)) for number in range(100))
