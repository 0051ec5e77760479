"""An index of open tables, the seat to act, and the limits that a guild has changed."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

OPEN = sa.text("status IN ('lobby', 'playing') AND daily IS NULL")


def upgrade() -> None:
    """Apply it."""
    op.add_column("tables", sa.Column("turn", sa.Integer()))
    op.add_column("guilds", sa.Column("limits", sa.JSON(), nullable=False, server_default="{}"))
    op.create_index("ix_tables_open", "tables", ["guild_id", "id"], sqlite_where=OPEN, postgresql_where=OPEN)
