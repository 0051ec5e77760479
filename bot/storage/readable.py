"""Stored values in readable form, for exports."""

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import RowMapping

TIMES: Final = {
    **dict.fromkeys(("at", "since", "created_at", "opened_at", "finished_at", "began_at", "ended_at"), 1),
    **dict.fromkeys(("started_at", "left_at", "post_at"), 1),
    **dict.fromkeys(("ordered_at", "due_at", "paused_at", "nudged_at", "begun_at", "logged_out_at"), 1000),
    **dict.fromkeys(("turn_began", "turn_due", "turn_remind", "turn_since", "turn_off_until"), 1000),
}
"""Columns with times: 1 for UTC seconds, 1000 for UTC milliseconds."""


def readable(column: str, value: Any) -> Any:  # noqa: ANN401  # a column can hold anything
    """The value of a column: times as ISO 8601 text in UTC, bytes in hex."""
    if isinstance(value, bytes):
        return value.hex()
    if value is None or column not in TIMES:
        return value
    return datetime.fromtimestamp(value / TIMES[column], UTC).isoformat()


def readable_row(row: RowMapping, without: Collection[str] = ()) -> dict[str, Any]:
    """A row as a JSON object, without some of its columns."""
    return {str(name): readable(str(name), value) for name, value in row.items() if name not in without}
