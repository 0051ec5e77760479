"""The longest match that an import allows."""

import json
from functools import cache
from hashlib import sha256
from itertools import accumulate
from typing import Final

from bot.engine import Options, replay
from bot.engine.events import Abandoned, Event, Passed, Played
from bot.engine.record import Line, to_fields
from bot.players.simulation import SimulationSettings, simulate
from bot.services.history import MAX_RECORD_BYTES

_SETTING: Final = SimulationSettings(3, "days-of-wonder", Options(target=1000), "longest")
_SEED: Final = sha256(f"{_SETTING.seed}/1".encode()).hexdigest()
"""What `simulate` deals its first match from."""


@cache
def longest_record() -> bytes:
    """A valid record with as many moves as fit, nearly 8,000, in over a hundred hands; then it is abandoned."""
    _, events = simulate(_SETTING, 1)
    sizes = list(accumulate(len(_written(event)) for event in events))
    length = next(
        length
        for length in range(len(events) - 1, 0, -1)
        if sizes[length] < MAX_RECORD_BYTES
        and isinstance(events[length], Passed)
        and isinstance(events[length - 1], Played)
    )
    end = Abandoned("close", replay(events[:length]).totals, _SEED)
    return b"".join(map(_written, [*events[:length], end]))


def _written(event: Event) -> bytes:
    """A line without any space that it does not need."""
    return json.dumps(to_fields(Line(event)), separators=(",", ":")).encode() + b"\n"
