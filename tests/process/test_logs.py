"""The log, which users can't flood, and its lines as JSON."""

import json
import logging
from typing import Any, Literal

import pytest

from bot.base.press_context import PressContext, answering, record_table
from bot.process.logs import MAX_PER_MINUTE, RepeatLimiter, set_up_logging


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


def _logged(capsys: pytest.CaptureFixture[str], line_format: Literal["text", "json"]) -> list[str]:
    """Log a line outside a press, one in it, and an error in it. Returns the lines."""
    log = logging.getLogger("bot.test")
    with set_up_logging("INFO", line_format):
        log.info("hello %s", "world\n")
        with answering(PressContext(10**18, "press", "play", 3)):
            record_table(4)
            log.warning("in a press")
            try:
                int("no number")
            except ValueError:
                log.exception("failed")
    return capsys.readouterr().err.splitlines()


def test_a_line_of_json_holds_what_belongs_to_it(capsys: pytest.CaptureFixture[str]) -> None:
    hello, pressed, failed = (json.loads(line) for line in _logged(capsys, "json"))
    assert hello.keys() == {"time", "level", "logger", "message"}
    assert (hello["level"], hello["logger"], hello["message"]) == ("INFO", "bot.test", "hello world\n")
    assert hello["time"].endswith("+00:00")
    press: dict[str, Any] = {"kind": "press", "verb": "play", "request": str(10**18), "table": 4}
    assert pressed.items() >= {**press, "message": "in a press"}.items()
    assert failed.items() >= {**press, "message": "failed"}.items()
    assert failed["exception"].startswith("Traceback")
    assert failed["exception"].endswith("'no number'")


def test_text_is_as_short_as_before(capsys: pytest.CaptureFixture[str]) -> None:
    lines = _logged(capsys, "text")
    assert lines[0].endswith(" INFO    bot.test: hello world")
    assert lines[2].endswith(" WARNING bot.test: in a press")
    assert lines[-1].startswith("ValueError: ")


def test_the_reason_for_a_failed_connection_takes_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with set_up_logging("INFO", "text"):
        try:
            int("no number")
        except ValueError:
            logging.getLogger("discord.shard").exception("Attempting a reconnect in %.2fs", 3)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(
        "Attempting a reconnect in 3.00s: ValueError: invalid literal for int() with base 10: 'no number'"
    )


def test_an_address_in_a_line_of_discord_py_names_no_user(capsys: pytest.CaptureFixture[str]) -> None:
    said = "We are being rate limited. %s %s responded with 429. Retrying in %.2f seconds."
    with set_up_logging("INFO", "text"):
        for path in ("guilds/111/members/222", "users/222", "users/@me/guilds"):
            logging.getLogger("discord.http").warning(said, "GET", f"https://discord.com/api/v10/{path}", 0.5)
    lines = capsys.readouterr().err
    assert "222" not in lines
    assert "/guilds/111/members/… responded with 429" in lines
    assert "/users/@me/guilds" in lines
