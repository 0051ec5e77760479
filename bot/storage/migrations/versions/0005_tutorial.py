"""The progress of users in the tutorial."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply it."""
    op.add_column("people", sa.Column("lesson", sa.Integer(), nullable=False, server_default="0"))
