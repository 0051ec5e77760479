"""Logging to standard error in a separate thread, so the event loop never waits for a disk."""

import json
import logging
import queue
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from logging.handlers import QueueHandler, QueueListener
from typing import Final, Literal

from bot.base import press_context
from bot.base.metrics import LOGGED

MAX_PER_MINUTE: Final = 10
"""Lines of one kind that are written within a minute."""
MAX_KINDS: Final = 1000


class RepeatLimiter(logging.Filter):
    """Drops warnings and errors of one kind beyond `MAX_PER_MINUTE`, because users can cause some at will.

    Lines are of one kind if they differ only in their values. The next line of that kind gives the number of dropped
    lines.
    """

    def __init__(self) -> None:
        super().__init__()
        self._written: dict[tuple[str, str], list[float]] = {}
        self._skipped: dict[tuple[str, str], int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return True to write this line."""
        if record.levelno < logging.WARNING:
            return True
        if len(self._written) > MAX_KINDS:
            self._written.clear()
        kind = (record.name, str(record.msg))
        written = [at for at in self._written.get(kind, ()) if record.created - 60 < at]
        if len(written) >= MAX_PER_MINUTE:
            self._skipped[kind] = self._skipped.get(kind, 0) + 1
            return False
        self._written[kind] = [*written, record.created]
        if skipped := self._skipped.pop(kind, 0):
            record.msg = f"{record.msg} (and {skipped} more like this)"
        return True


class JsonFormatter(logging.Formatter):
    """Formats a line as a JSON object.

    Its fields are time (ISO 8601, UTC), level, logger, message, and exception if there is one. Lines about a press also
    have kind, verb, request (the id of the interaction) and, if it concerns one, the number of the table.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The JSON object, without a line break."""
        fields: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if (press := press_context.current()) is not None:
            # as text, because many programs round such large numbers
            fields |= {"kind": press.kind, "verb": press.verb, "request": str(press.id)}
            fields |= {"table": press.table} if press.table else {}
        if record.exc_info:
            fields["exception"] = self.formatException(record.exc_info)
        return json.dumps(fields, ensure_ascii=False)


_USER: Final = re.compile(r"(/(?:users|members)/)\d+")
_FORMATTERS: Final = {
    "text": logging.Formatter("%(asctime)s %(levelname)-7s %(name)s: %(message)s"),
    "json": JsonFormatter(),
}


def _count(record: logging.LogRecord) -> bool:
    """Count warnings and errors in the metrics."""
    if record.levelno >= logging.WARNING:
        LOGGED.labels(record.levelname.lower()).inc()
    return True


def _shorten(record: logging.LogRecord) -> bool:
    """Write why discord.py can't connect, without its traceback, which would fill the log during an outage."""
    if record.name == "discord.shard" and record.exc_info and isinstance(record.args, tuple):
        error = record.exc_info[1]
        record.msg, record.args = f"{record.msg}: %s: %s", (*record.args, type(error).__name__, error)
        record.exc_info = record.exc_text = None
    return True


def _hide_users(record: logging.LogRecord) -> bool:
    """Leave the ids of users out of the addresses that discord.py logs."""
    if record.name == "discord.http" and isinstance(record.args, tuple):
        record.args = tuple(_USER.sub(r"\1…", each) if isinstance(each, str) else each for each in record.args)
    return True


@contextmanager
def set_up_logging(level: str, line_format: Literal["text", "json"]) -> Iterator[None]:
    """Log at `level` inside the `with` block."""
    lines: queue.SimpleQueue[logging.LogRecord] = queue.SimpleQueue()
    listener = QueueListener(lines, logging.StreamHandler())
    root = logging.getLogger()
    to_writer = QueueHandler(lines)
    to_writer.setFormatter(_FORMATTERS[line_format])  # here, not in the writer's thread, which doesn't know the press
    to_writer.addFilter(_count)
    to_writer.addFilter(_shorten)
    to_writer.addFilter(_hide_users)
    to_writer.addFilter(RepeatLimiter())
    root.addHandler(to_writer)
    root.setLevel(level)
    for chatty in ("discord", "aiosqlite", "sqlalchemy", "alembic"):
        logging.getLogger(chatty).setLevel(max(logging.WARNING, root.level))
    listener.start()
    try:
        yield
    finally:
        listener.stop()
