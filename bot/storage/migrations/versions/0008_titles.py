"""Titles, the statistics behind them, and the titles that have been announced.

Earlier matches count for no title: their statistics weren't stored.
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

DEEDS = ("gangs", "beaten", "blocked", "forgot", "gifts", "given", "hardest", "comebacks", "streak", "longest")


def upgrade() -> None:
    """Apply it."""
    op.create_table(
        "deeds",
        sa.Column("guild_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("user_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in DEEDS),
    )
    op.create_table(
        "titles",
        sa.Column("guild_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("title", sa.String(20), primary_key=True),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("since", sa.Integer(), nullable=False),
        sa.Column("before_id", sa.BigInteger()),
        sa.Column("table_id", sa.Integer(), nullable=False),
    )
    op.add_column("tables", sa.Column("told_titles", sa.Boolean(), nullable=False, server_default=sa.false()))
