"""What is done when something is due at a table."""

from collections.abc import Callable
from typing import Final

from bot.engine import View
from bot.players import simple
from bot.services import absence, actions, consent
from bot.services.actions import Change, SeatMove
from bot.services.refusals import MomentHasPassed
from bot.services.table import Table
from bot.services.tables import Tables
from bot.storage.deadlines import Deadline, Kind

LEVELS: Final[dict[str, Callable[[View], SeatMove]]] = {"simple": simple.choose}
"""Robots by their level, as `ai:LEVEL` in the record."""


def _deserted(table: Table) -> Change:
    return actions.abandon(table, "deserted")


ACTIONS: Final[dict[Kind, Callable[[Table], Change]]] = {
    Kind.REMIND: absence.remind,
    Kind.TURN: absence.time_is_up,
    Kind.ANSWER: absence.nobody_answered,
    Kind.ORDERS: consent.carry_out,
    Kind.CLOSE: _deserted,
}


async def act(tables: Tables, deadline: Deadline) -> None:
    """Do what is due at a table."""
    if deadline.kind in ACTIONS:
        await tables.due(deadline, ACTIONS[deadline.kind])
        return
    try:
        await tables.move_robot(deadline.table_id, LEVELS)
    except MomentHasPassed:  # somebody declared, or took back, while the robot was thinking: it is due anew
        return
