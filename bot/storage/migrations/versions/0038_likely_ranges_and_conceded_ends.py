"""Sums of squares for likely ranges, and seats conceded by ending a match.

Managers who had ended a match of their own have lost it, as the results say. `python -m bot recount` fills in the sums.
"""

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply it."""
    op.add_column("scores", sa.Column("squares", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("scores", sa.Column("skill_squares", sa.BigInteger(), nullable=False, server_default="0"))
    ended = "table_id IN (SELECT id FROM tables WHERE ended = 'closed')"
    op.execute(f"UPDATE match_players SET conceded = absent WHERE {ended}")  # noqa: S608
    lost = "p.table_id = seats.table_id AND p.seat = seats.seat AND p.absent"
    op.execute(
        f"UPDATE seats SET conceded = true WHERE {ended} AND EXISTS (SELECT 1 FROM match_players p WHERE {lost})"  # noqa: S608
    )
