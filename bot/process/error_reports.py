"""Reports of errors to Sentry or a compatible server, if `SENTRY_DSN` is set.

A report says where the app failed: the type of the error, the functions and lines that it came through, and the ids of
the press. It holds no values, because local variables and texts of errors may contain hands, and log lines users' ids.
"""

import copy
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from bot import __version__
from bot.base import press_context
from bot.process.logs import RepeatLimiter
from bot.process.settings import Secret

if TYPE_CHECKING:
    from sentry_sdk.types import Event, Hint

LAST_SECONDS: Final = 2.0
"""The time for reports that aren't sent yet when the app stops."""
_FIELDS: Final = ("event_id", "timestamp", "level", "logger", "platform", "release", "sdk")
"""The fields of a report that are kept as Sentry's client fills them."""
_FRAME_FIELDS: Final = ("module", "filename", "function", "lineno", "in_app")
"""The fields that are kept of each function that an error came through."""


@contextmanager
def reporting_errors(dsn: Secret | None) -> Iterator[None]:
    """Report errors that are logged in the block, and the one that ends it. Does nothing without a DSN."""
    if dsn is None:
        yield
        return
    import sentry_sdk  # noqa: PLC0415  # an optional package
    from sentry_sdk.integrations.logging import EventHandler  # noqa: PLC0415  # see above

    sentry_sdk.init(
        dsn.value,
        release=__version__,
        before_send=_Reducer().reduce,
        default_integrations=False,  # they add what libraries do: requests to Discord, statements of the database
        auto_enabling_integrations=False,
        include_local_variables=False,
        include_source_context=False,
        send_default_pii=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        auto_session_tracking=False,
        send_client_reports=False,
    )
    handler = EventHandler(logging.ERROR)
    logging.getLogger().addHandler(handler)
    try:
        yield
    except Exception:
        sentry_sdk.capture_exception()
        raise
    finally:
        logging.getLogger().removeHandler(handler)
        sentry_sdk.get_client().close(LAST_SECONDS)


class _Reducer:
    """Reduces reports to what the module's docstring lists, and their number like that of lines in the log."""

    def __init__(self) -> None:
        self._limiter = RepeatLimiter()

    def reduce(self, event: "Event", hint: "Hint") -> "Event | None":
        """The report to send; None to send nothing. Sentry's client calls it before it sends `event`."""
        record: logging.LogRecord | None = hint.get("log_record")
        if record is not None and not self._limiter.filter(copy.copy(record)):
            return None
        found: Mapping[str, Any] = event
        reduced = {name: found[name] for name in _FIELDS if name in found}
        if record is not None and record.name.startswith(("bot.", "cogs.")):  # others may log values as part of it
            reduced["logentry"] = {"message": str(record.msg)}
        if "exception" in found:
            reduced["exception"] = {"values": [_where(each) for each in found["exception"]["values"]]}
        if (press := press_context.current()) is not None:
            tags = {"kind": press.kind, "verb": press.verb, "request": str(press.id), "table": str(press.table)}
            reduced["tags"] = tags
        return reduced  # type: ignore[return-value]  # a TypedDict, from which fields are chosen


def _where(exception: Mapping[str, Any]) -> dict[str, object]:
    """The type of an exception, and the functions it came through."""
    frames = (exception.get("stacktrace") or {}).get("frames", ())
    return {
        "type": exception.get("type"),
        "module": exception.get("module"),
        "stacktrace": {"frames": [{name: frame.get(name) for name in _FRAME_FIELDS} for frame in frames]},
    }
