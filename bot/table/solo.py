"""Tables of one user against AI players that are never stored: lessons of the tutorial and practice hands."""

from typing import Final

from bot.engine import Options
from bot.players.levels import Level
from bot.table.lobby import AI_NAMES, style_of
from bot.table.model import Pace, Seat, Status, TableRow
from bot.table.snapshot import Table

USER: Final = 0
"""In place of the user's id."""
_NAME: Final = "?"
"""In place of the user's name; messages say "you"."""


def solo_table(edition: str, options: Options, size: int, seat: int, level: Level) -> Table:
    """A table before its first deal, with the user in `seat` and AI players of a level in the others."""
    ai_players = (Seat(name, ai_level=level, ai_style=style_of(name)) for name in AI_NAMES)
    seats = tuple(Seat(_NAME, USER) if number == seat else next(ai_players) for number in range(size))
    return Table(
        TableRow(
            id=0,
            guild_id=0,
            channel_id=0,
            host_id=USER,
            status=Status.PLAYING,
            size=size,
            edition=edition,
            options=options,
            pace=Pace.NONE,
            seed=b"",
            created_at=0,
            seats=seats,
        )
    )
