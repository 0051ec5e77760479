"""What is done when something is due: a robot moves, or everybody hears that time is up."""

from collections.abc import Callable
from typing import Final

from bot.engine import View
from bot.engine.moves import Move
from bot.players import simple
from bot.services.refusals import MomentHasPassed
from bot.services.tables import Tables
from bot.storage.deadlines import Deadline, Kind

LEVELS: Final[dict[str, Callable[[View], Move]]] = {"simple": simple.choose}
"""Robots by their level, as `ai:LEVEL` in the record."""


async def act(tables: Tables, deadline: Deadline) -> None:
    """Do what is due at a table."""
    if deadline.kind is Kind.TURN:
        await tables.time_is_up(deadline.table_id, deadline.due_at)
        return
    try:
        await tables.move_robot(deadline.table_id, LEVELS)
    except MomentHasPassed:  # somebody declared, or took back, while the robot was thinking: it is due anew
        return
