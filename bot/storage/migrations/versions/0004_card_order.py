"""The order in which a user's cards are sorted."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0004", "0003"


def upgrade() -> None:
    """Apply it."""
    op.add_column("users", sa.Column("by_color", sa.Boolean(), nullable=False, server_default="0"))
