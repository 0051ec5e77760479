"""A lease for each shard, instead of one row for each process."""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply it."""
    op.create_table(
        "leases",
        sa.Column("shard_count", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("shard", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("holder", sa.String(32), nullable=False),
        sa.Column("host", sa.String(200), nullable=False),
        sa.Column("place", sa.String(32), nullable=False),
        sa.Column("beat", sa.BigInteger(), nullable=False),
        sa.Column("waiting", sa.BigInteger(), nullable=False),
        sa.Column("is_substitute", sa.Boolean(), nullable=False),
        sa.Column("handled", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("shard_count", "shard", name="pk_leases"),
    )
    op.drop_table("instances")
