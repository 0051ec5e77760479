"""The start of a clock's stage, the previous turn, the time of standing orders, and missed turns."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply it."""
    op.add_column("tables", sa.Column("turn_since", sa.BigInteger()))
    op.add_column("tables", sa.Column("last_turn", sa.JSON()))
    op.add_column("seats", sa.Column("ordered_at", sa.BigInteger()))
    op.add_column("seats", sa.Column("missed", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.execute("UPDATE tables SET turn_since = turn_due WHERE turn_stage NOT IN ('running', 'reminded')")
