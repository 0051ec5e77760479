"""Marks of users who were dealt the hand of a day. They outlive a deletion until the day is over."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply it."""
    op.create_table(
        "daily_marks",
        sa.Column("guild_id", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("mark", sa.LargeBinary(32), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "day", "mark", name="pk_daily_marks"),
    )
