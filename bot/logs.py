"""Logging to standard error in a separate thread, so the event loop never waits for a disk."""

import logging
import queue
from collections.abc import Iterator
from contextlib import contextmanager
from logging.handlers import QueueHandler, QueueListener
from typing import Final

from bot.metrics import LOGGED

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
        LOGGED.labels(record.levelname.lower()).inc()
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


@contextmanager
def set_up_logging(level: str) -> Iterator[None]:
    """Log at `level` inside the `with` block."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)-7s %(name)s: %(message)s"))
    lines: queue.SimpleQueue[logging.LogRecord] = queue.SimpleQueue()
    listener = QueueListener(lines, handler)
    root = logging.getLogger()
    to_writer = QueueHandler(lines)
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
