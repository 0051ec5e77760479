"""Rated and casual matches, and the player of each hand. `python -m bot recount` fills in the exact values."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply it."""
    for table in ("match_players", "scores"):
        op.execute(f"ALTER TABLE {table} RENAME COLUMN by_robot TO absent")
    op.add_column("matches", sa.Column("rated", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.execute("UPDATE matches SET rated = people_only")
    op.add_column("hand_players", sa.Column("by_owner", sa.Boolean(), nullable=False, server_default=sa.true()))
