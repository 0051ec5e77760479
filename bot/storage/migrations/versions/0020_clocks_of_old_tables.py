"""Clocks for tables of the first version, in which turns had none and no table was closed automatically.

A running turn with a limit ends when it would have ended. Other turns, and lobbies, start now.
"""

from time import time

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

HOUR = 3_600_000
PACES = {"live": HOUR // 30, "quick": HOUR, "day": 24 * HOUR, "slow": 72 * HOUR}
"""How long a turn takes, in milliseconds."""


def upgrade() -> None:
    """Apply it."""
    limited = sa.text(
        "UPDATE tables SET turn_stage = 'running',"
        " turn_began = (SELECT due_at FROM deadlines WHERE table_id = tables.id) - CAST(:length AS BIGINT),"
        " turn_due = (SELECT due_at FROM deadlines WHERE table_id = tables.id)"
        " WHERE status = 'playing' AND pace = :pace AND turn_began IS NULL"
        " AND id IN (SELECT table_id FROM deadlines WHERE kind = 'turn')"
    )
    for pace, length in PACES.items():
        op.execute(limited.bindparams(pace=pace, length=length))
    now = round(time() * 1000)
    unlimited = sa.text(
        "UPDATE tables SET turn_stage = 'running', turn_began = :now"
        " WHERE status = 'playing' AND turn_began IS NULL AND paused_at IS NULL AND daily IS NULL"
        " AND id NOT IN (SELECT table_id FROM deadlines)"
    )
    op.execute(unlimited.bindparams(now=now))
    closing = sa.text(
        "INSERT INTO deadlines (table_id, kind, due_at) SELECT id, 'close', CAST(:due AS BIGINT) FROM tables"
        " WHERE status = :status AND (status = 'lobby' OR turn_began = :now)"
        " AND id NOT IN (SELECT table_id FROM deadlines)"
    )
    for status, days in (("lobby", 3), ("playing", 30)):
        op.execute(closing.bindparams(status=status, now=now, due=now + days * 24 * HOUR))
