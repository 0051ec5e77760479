"""The number of a table's answers about a late turn."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply it."""
    op.add_column("tables", sa.Column("turn_answers", sa.Integer()))
