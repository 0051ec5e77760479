"""Rows to store."""

from bot.engine import Options, commitment
from bot.players.styles import Style
from bot.table.model import (
    ClockStage,
    LastTurn,
    Pace,
    Seat,
    Status,
    TableRow,
    TableSettings,
    TakingBack,
    TimeoutPolicy,
    TurnClock,
)

SEED = bytes(range(0xA0, 0xC0))
HUGE = 2**63 - 1
"""The largest possible id. Discord's are about a seventh of it."""

ADA = Seat("Ada", 101)
BO = Seat("Bo ⚡ <@1>", HUGE)
JADE = Seat("Jade", ai_level="simple", ai_style=Style.HOARDER)
CY = Seat(
    "Cy",
    103,
    "simple",
    63,
    HUGE,
    "Eve",
    conceded=True,
    bank=86_400_000,
    orders="above:11",
    ordered_at=6,
    missed=True,
    ai_style=Style.BOLD,
)
"""A user with all settings changed."""


def table_row(
    *,
    number: int = 0,
    guild_id: int = 7,
    status: Status = Status.LOBBY,
    seats: tuple[Seat, ...] = (ADA, BO, JADE, CY),
    options: Options | None = None,
    revision: int = 0,
) -> TableRow:
    """A table with values in all columns."""
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
        commitment=commitment(SEED),
        created_at=1_700_000_000,
        seats=seats,
        revision=revision,
        settings=TableSettings(TimeoutPolicy.ASK_AI, undo=TakingBack.ON, private=True, thread=True),
        invited=(HUGE, 102),
        awaited=(HUGE,),
        invitations=2,
        pausing=(101,),
        ending=(HUGE,),
        clock=TurnClock(1_700_000_000_000, 1_700_086_400_000, ClockStage.CALLED, 1_700_000_000_003, 1_700_000_000_004),
        last_turn=LastTurn(TurnClock(-86_400_000, None, ClockStage.REMINDED, -1), 5),
        paused_at=1_700_000_000_001,
        nudged_at=1_700_000_000_002,
        parent_id=HUGE,
        thread_id=HUGE,
        ended="deserted",
        rematch_of=1,
        starts_itself=True,
        duplicate_of=2,
        was_duplicate=True,
        deals_secret=True,
        lowered_moves=3,
    )
