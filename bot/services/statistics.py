"""What a server remembers, and to whom it counts."""

from collections import Counter
from collections.abc import Sequence

from bot.services.reports import HandReport
from bot.storage import scores
from bot.storage.database import Database
from bot.storage.rows import Seat
from bot.storage.scores import Standing


class Statistics:
    """Answers from finished matches."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def leaderboard(self, guild_id: int) -> list[Standing]:
        """Standings of a server's people, best first."""
        async with self._database.read() as connection:
            return await scores.leaderboard(connection, guild_id)


def players_of(report: HandReport, seats: Sequence[Seat]) -> tuple[int | None, ...]:
    """To whom a hand counts, seat by seat: who sits there at its end, if people made most of the seat's moves."""
    surplus = Counter[int]()
    for move in report.moves:
        surplus[move.seat] += -1 if move.by.startswith("ai:") else 1
    return tuple(seat.person if surplus[number] > 0 else None for number, seat in enumerate(seats))
