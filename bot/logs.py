"""Log lines to standard error, written by a thread of their own so that the loop never waits for a disk."""

import logging
import queue
from collections.abc import Iterator
from contextlib import contextmanager
from logging.handlers import QueueHandler, QueueListener
from typing import Final

MOST_A_MINUTE: Final = 10
"""How many lines of one kind are written within a minute."""
MOST_KINDS: Final = 1000


class FewerRepeats(logging.Filter):
    """Leaves out warnings and errors of one kind beyond `MOST_A_MINUTE`: users can cause some of them at will.

    Lines are of one kind if they differ only in the values in them. The next line of that kind says how many were
    left out.
    """

    def __init__(self) -> None:
        super().__init__()
        self._written: dict[tuple[str, str], list[float]] = {}
        self._left_out: dict[tuple[str, str], int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return True to write this line."""
        if record.levelno < logging.WARNING:
            return True
        if len(self._written) > MOST_KINDS:
            self._written.clear()
        kind = (record.name, str(record.msg))
        written = [at for at in self._written.get(kind, ()) if record.created - 60 < at]
        if len(written) >= MOST_A_MINUTE:
            self._left_out[kind] = self._left_out.get(kind, 0) + 1
            return False
        self._written[kind] = [*written, record.created]
        if left_out := self._left_out.pop(kind, 0):
            record.msg = f"{record.msg} (and {left_out} more like this)"
        return True


@contextmanager
def set_up_logging(level: str) -> Iterator[None]:
    """Log at `level` within the block."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)-7s %(name)s: %(message)s"))
    lines: queue.SimpleQueue[logging.LogRecord] = queue.SimpleQueue()
    listener = QueueListener(lines, handler)
    root = logging.getLogger()
    to_writer = QueueHandler(lines)
    to_writer.addFilter(FewerRepeats())
    root.addHandler(to_writer)
    root.setLevel(level)
    for chatty in ("discord", "aiosqlite", "sqlalchemy", "alembic"):
        logging.getLogger(chatty).setLevel(max(logging.WARNING, root.level))
    listener.start()
    try:
        yield
    finally:
        listener.stop()
