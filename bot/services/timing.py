"""When something happens by itself at a table."""

from dataclasses import dataclass

from bot.engine import PublicView
from bot.services.table import Table
from bot.storage.deadlines import Deadline, Kind

PATIENCE = 4
"""How many times longer a robot waits while a person may still say "Last card!"."""


@dataclass(frozen=True, slots=True)
class Timing:
    """How long robots take, in milliseconds; how long people may take is the table's pace."""

    robot: int = 1500

    def next(self, table: Table, now: int) -> Deadline | None:
        """What is due next at a table whose present turn begins `now` (UTC milliseconds)."""
        public = table.public()
        if public is None or table.turn is None or not table.row.status.is_open:
            return None
        if table.seats[table.turn].robot is not None:
            wait = self.robot * (PATIENCE if _somebody_may_declare(table, public) else 1)
            return Deadline(table.id, Kind.ROBOT, now + wait)
        seconds = table.row.pace.seconds
        return None if seconds is None else Deadline(table.id, Kind.TURN, now + seconds * 1000)


def _somebody_may_declare(table: Table, public: PublicView) -> bool:
    return any(table.seats[seat].person is not None for seat in public.owing)
