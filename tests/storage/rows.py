"""Rows to store."""

from bot.engine import Options
from bot.storage.rows import Pace, Seat, Status, TableRow

SEED = bytes(range(0xA0, 0xC0))
HUGE = 2**63 - 1
"""The largest id that can be kept; Discord's are about a seventh of it."""

ADA = Seat("Ada", 101, join_id="9001")
BO = Seat("Bo ⚡ <@1>", HUGE, join_id="9002")
JADE = Seat("Jade", robot="simple")
CY = Seat("Cy", 103, robot="simple", join_id="9003")
"""Somebody who conceded."""


def table_row(
    *,
    number: int = 0,
    guild_id: int = 7,
    status: Status = Status.LOBBY,
    seats: tuple[Seat, ...] = (ADA, BO, JADE, CY),
    options: Options | None = None,
    revision: int = 0,
) -> TableRow:
    """A table, all columns with values of their own."""
    return TableRow(
        id=number,
        guild_id=guild_id,
        channel_id=8,
        host_id=101,
        status=status,
        size=max(len(seats), 3),
        edition="dargaud-1996",
        options=options or Options.of("dargaud-1996", {"target": 55, "deal": "chinese"}),
        pace=Pace.DAY,
        seed=SEED,
        created_at=1_700_000_000,
        seats=seats,
        revision=revision,
    )
