"""The language and cards of users, and the number of celebrated gangs."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply it."""
    op.add_column("people", sa.Column("language", sa.String(10), nullable=False, server_default=""))
    op.add_column("people", sa.Column("text_cards", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("people", sa.Column("greeted", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("guilds", sa.Column("language", sa.String(10), nullable=False, server_default=""))
    op.add_column("guilds", sa.Column("celebrates", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("tables", sa.Column("told_gangs", sa.Integer(), nullable=False, server_default="0"))
