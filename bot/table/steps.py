"""The moves between two states of a table, as everyone at it has seen them."""

from bot.engine import Cards
from bot.engine.state import History
from bot.table.snapshot import Table


def moves_made(table: Table) -> int:
    """The number of plays and passes of the present hand."""
    return len(_history(table))


def moves_since(before: Table, after: Table) -> list[tuple[int, Cards]] | None:
    """The plays and passes (no cards) of the present hand that `before` doesn't have, in order.

    None if moves were taken back.
    """
    earlier, later = _history(before) if _hand(before) == _hand(after) else (), _history(after)
    if later[: len(earlier)] != earlier:
        return None
    return [(seat, () if play is None else play.cards) for seat, play in later[len(earlier) :]]


def _history(table: Table) -> History:
    return () if table.state is None else table.state.history


def _hand(table: Table) -> int:
    return 0 if table.state is None else table.state.hand_number
