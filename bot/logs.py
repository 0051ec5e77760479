"""Log lines to standard error, written by a thread of their own so that the loop never waits for a disk."""

import logging
import queue
from collections.abc import Iterator
from contextlib import contextmanager
from logging.handlers import QueueHandler, QueueListener


@contextmanager
def set_up_logging(level: str) -> Iterator[None]:
    """Log at `level` within the block."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)-7s %(name)s: %(message)s"))
    lines: queue.SimpleQueue[logging.LogRecord] = queue.SimpleQueue()
    listener = QueueListener(lines, handler)
    root = logging.getLogger()
    root.addHandler(QueueHandler(lines))
    root.setLevel(level)
    for chatty in ("discord", "aiosqlite", "sqlalchemy", "alembic"):
        logging.getLogger(chatty).setLevel(max(logging.WARNING, root.level))
    listener.start()
    try:
        yield
    finally:
        listener.stop()
