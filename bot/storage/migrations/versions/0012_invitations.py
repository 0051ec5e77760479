"""Invitations: the users who haven't come yet, and the number of invitations."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply it."""
    op.add_column("tables", sa.Column("awaited", sa.JSON(), nullable=False, server_default="[]"))
    op.add_column("tables", sa.Column("invitations", sa.Integer(), nullable=False, server_default="0"))
