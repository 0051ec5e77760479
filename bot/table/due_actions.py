"""What is done when something is due at a table."""

from collections.abc import Callable
from typing import Final

from bot.engine import View, view
from bot.players import simple
from bot.table import absence, consent, play
from bot.table.model import DeadlineKind
from bot.table.play import Change, SeatMove
from bot.table.refusals import OutdatedAction
from bot.table.snapshot import Table

LEVELS: Final[dict[str, Callable[[View], SeatMove]]] = {"simple": simple.choose}
"""Robots by their level, as `ai:LEVEL` in the record."""


def ai_moves(table: Table) -> Change:
    """Make the move that the robot whose turn it is chooses from its view, as its level does."""
    play.require_going_on(table)
    level = table.seats[table.turn].ai_level if table.turn is not None else None
    if table.state is None or table.turn is None or level is None:
        raise OutdatedAction
    return play.move(table, LEVELS[level](view(table.state, table.turn)))


def _deserted(table: Table) -> Change:
    return play.abandon(table, "deserted")


ACTIONS: Final[dict[DeadlineKind, Callable[[Table], Change]]] = {
    DeadlineKind.AI: ai_moves,
    DeadlineKind.REMIND: absence.remind,
    DeadlineKind.TURN: absence.time_is_up,
    DeadlineKind.ANSWER: absence.nobody_answered,
    DeadlineKind.ORDERS: consent.carry_out,
    DeadlineKind.CLOSE: _deserted,
}
