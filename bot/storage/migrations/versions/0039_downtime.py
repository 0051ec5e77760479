"""When each shard was last served, and the time of the present turn in which it wasn't."""

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply it."""
    op.create_table(
        "served_shards",
        sa.Column("shard_count", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("shard", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("served_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("shard_count", "shard", name="pk_served_shards"),
    )
    op.add_column("tables", sa.Column("turn_off", sa.BigInteger()))
