"""Running deletions of users, and packed logs.

Also adds what the first versions of migrations 0002, 0010 and 0011 lacked, so that all databases are alike.
"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply it."""
    op.create_table(
        "deletions",
        sa.Column("user_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("started_at", sa.Integer(), nullable=False),
        sa.Column("guilds", sa.JSON(), nullable=False),
    )
    op.create_table(
        "packed_logs",
        sa.Column("table_id", sa.Integer(), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("lines", sa.LargeBinary(), nullable=False),
    )
    _add_what_is_missing()


def _add_what_is_missing() -> None:
    inspector = sa.inspect(op.get_bind())
    if "ended" not in {column["name"] for column in inspector.get_columns("tables")}:
        op.add_column("tables", sa.Column("ended", sa.String(10)))
    indexes = {index["name"] for index in inspector.get_indexes("tables")}
    if "ix_tables_status_created_at" not in indexes:
        op.create_index("ix_tables_status_created_at", "tables", ["status", "created_at"])
    if "ix_tables_twin_id" not in indexes:
        op.create_index("ix_tables_twin_id", "tables", ["twin_id"])
