"""The user who closed a table."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply it."""
    op.add_column("tables", sa.Column("closed_by_id", sa.BigInteger(), nullable=True))
