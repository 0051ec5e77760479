"""The actions for deadlines: what a table does when something is due."""

from collections.abc import Callable
from functools import partial
from typing import Final

from bot.engine import View, view
from bot.players import simple
from bot.table import absence, consent, play
from bot.table.model import DeadlineKind
from bot.table.play import Change, SeatMove
from bot.table.refusals import OutdatedAction
from bot.table.snapshot import Table

AI_LEVELS: Final[dict[str, Callable[[View], SeatMove]]] = {"simple": simple.choose}
"""The AI players by level; the record names them `ai:LEVEL`."""


def ai_moves(table: Table) -> Change:
    """Make the move of the AI player to act."""
    play.require_going_on(table)
    level = table.seats[table.turn].ai_level if table.turn is not None else None
    if table.state is None or table.turn is None or level is None:
        raise OutdatedAction
    return play.move(table, AI_LEVELS[level](view(table.state, table.turn)))


ACTIONS: Final[dict[DeadlineKind, Callable[[Table], Change]]] = {
    DeadlineKind.AI: ai_moves,
    DeadlineKind.REMIND: absence.remind,
    DeadlineKind.TURN: absence.handle_timeout,
    DeadlineKind.ANSWER: absence.apply_policy,
    DeadlineKind.ORDERS: consent.carry_out,
    DeadlineKind.CLOSE: partial(play.abandon, reason="deserted"),
}
