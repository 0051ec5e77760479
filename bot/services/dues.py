"""What is done when something is due at a table."""

from collections.abc import Callable
from contextlib import suppress
from typing import Final

from bot.engine import View, view
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
    with suppress(MomentHasPassed):  # somebody declared, or took back, while the robot was thinking: it is due anew
        await move_robot(tables, deadline.table_id)


async def move_robot(tables: Tables, table_id: int) -> None:
    """Let the robot whose turn it is, if one is to act, choose a move from its view as its level does."""
    table = await tables.get(table_id)
    level = table.seats[table.turn].robot if table.turn is not None else None
    if table.state is None or table.turn is None or level is None:
        return
    made = LEVELS[level](view(table.state, table.turn))
    await tables.act(table_id, _made, made, table.moment)


def _made(table: Table, move: SeatMove, moment: int) -> Change:
    actions.require_moment(table, moment)
    return actions.move(table, move)
