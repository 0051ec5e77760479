"""Reminders of a turn without a time limit."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0003", "0002"


def upgrade() -> None:
    """Apply it."""
    op.add_column("tables", sa.Column("turn_reminders", sa.Integer()))
