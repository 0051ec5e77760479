"""The processes that use the database, and the version of a table's display."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply it."""
    op.add_column("tables", sa.Column("shown_version", sa.Integer(), nullable=False, server_default="0"))
    op.create_table(
        "instances",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("host", sa.String(200), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.Column("shared_since", sa.BigInteger()),
        sa.PrimaryKeyConstraint("id", name="pk_instances"),
    )
