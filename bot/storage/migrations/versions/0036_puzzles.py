"""The progress of users with the puzzles of the day."""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply it."""
    op.add_column("users", sa.Column("puzzle_day", sa.String(10)))
    op.add_column("users", sa.Column("puzzle_streak", sa.Integer()))
    op.add_column("users", sa.Column("puzzle_best", sa.Integer()))
