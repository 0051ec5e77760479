"""The style of each AI player; those of earlier matches are steady."""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply it."""
    op.add_column("seats", sa.Column("ai_style", sa.String(20), nullable=False, server_default="steady"))
