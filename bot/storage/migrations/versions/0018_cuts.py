"""Cuts: the salt of a deal consists of the message that first showed the commitment and of the players' cuts."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply it."""
    op.add_column("tables", sa.Column("first_message_id", sa.BigInteger()))
    op.execute("UPDATE tables SET first_message_id = message_id WHERE status = 'lobby'")
    op.add_column("seats", sa.Column("cut", sa.Integer()))
    op.drop_column("seats", "join_id")
