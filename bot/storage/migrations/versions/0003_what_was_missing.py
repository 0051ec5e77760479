"""Removed players, the channel of a notice, the time of a reminder, and deadlines by kind."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply it."""
    op.add_column("tables", sa.Column("sent_away", sa.JSON(), nullable=False, server_default="[]"))
    op.add_column("tables", sa.Column("notice_channel_id", sa.BigInteger()))
    op.add_column("tables", sa.Column("turn_remind", sa.BigInteger()))
    op.create_index("ix_deadlines_kind_due_at", "deadlines", ["kind", "due_at"])
