"""The actions for deadlines: what a table does when something is due."""

from collections.abc import Callable
from functools import partial
from typing import Final

from bot.engine import View, view
from bot.players.levels import Level, choose, seed_of
from bot.players.styles import Style
from bot.table import absence, consent, play
from bot.table.model import DeadlineKind
from bot.table.play import Change, SeatMove
from bot.table.refusals import OutdatedAction
from bot.table.snapshot import Table


def ai_to_act(table: Table) -> tuple[Level, View, Style]:
    """The level, the view and the style of the AI player to act. Raises a refusal if it isn't an AI player's turn."""
    play.require_going_on(table)
    seat = None if table.turn is None else table.seats[table.turn]
    if table.state is None or table.turn is None or seat is None or seat.ai_level is None:
        raise OutdatedAction
    return Level(seat.ai_level), view(table.state, table.turn, with_played=True), seat.style


def ai_moves(table: Table, chosen: SeatMove | None = None) -> Change:
    """Make the move of the AI player to act: the one that was `chosen` for it, or else choose it now."""
    level, shown, style = ai_to_act(table)
    return play.move(table, choose(level, shown, seed_of(shown), style) if chosen is None else chosen)


ACTIONS: Final[dict[DeadlineKind, Callable[[Table], Change]]] = {
    DeadlineKind.AI: ai_moves,
    DeadlineKind.REMIND: absence.remind,
    DeadlineKind.TURN: absence.handle_timeout,
    DeadlineKind.ANSWER: absence.apply_policy,
    DeadlineKind.ORDERS: consent.carry_out,
    DeadlineKind.CLOSE: partial(play.abandon, reason="deserted"),
}
