"""Duplicate matches: the other table with the same deals, and whether they are still secret."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply it."""
    op.add_column("tables", sa.Column("twin_id", sa.Integer()))
    op.create_index("ix_tables_twin_id", "tables", ["twin_id"])
    op.add_column("tables", sa.Column("sealed", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("tables", sa.Column("told_twin", sa.Boolean(), nullable=False, server_default=sa.false()))
