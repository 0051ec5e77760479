"""Settings of servers, their audit log, the time when the app left, and substitutes.

Every server with stored data has a row from now on. Earlier substitutes are known only where a seat or a hand still
names them.
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply it."""
    for name, empty in (("channels", "[]"), ("roles", "[]"), ("defaults", "{}")):
        op.add_column("guilds", sa.Column(name, sa.JSON(), nullable=False, server_default=empty))
    op.add_column("guilds", sa.Column("post_every", sa.String(10), nullable=False, server_default=""))
    op.add_column("guilds", sa.Column("post_channel_id", sa.BigInteger()))
    op.add_column("guilds", sa.Column("post_at", sa.Integer()))
    op.add_column("guilds", sa.Column("left_at", sa.Integer()))
    op.add_column("seasons", sa.Column("channel_id", sa.BigInteger()))
    op.create_table(
        "changes",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=True),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger()),
        sa.Column("what", sa.String(20), nullable=False),
        sa.Column("before", sa.Text(), nullable=False),
        sa.Column("after", sa.Text(), nullable=False),
    )
    op.create_index("ix_changes_guild_id", "changes", ["guild_id", "id"])
    op.create_table(
        "sitters",
        sa.Column("table_id", sa.Integer(), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("user_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("name", sa.String(100), primary_key=True),
    )
    op.create_index("ix_sitters_user_id", "sitters", ["user_id"])
    op.create_index("ix_tables_status_created_at", "tables", ["status", "created_at"])
    op.execute(
        "INSERT INTO guilds (id, locale, language, celebrates)"
        " SELECT DISTINCT guild_id, 'en-US', '', true FROM tables WHERE guild_id NOT IN (SELECT id FROM guilds)"
    )
    op.execute(
        "INSERT INTO sitters (table_id, seat, user_id, name)"
        " SELECT table_id, seat, sitter_id, coalesce(sitter_name, '') FROM seats WHERE sitter_id IS NOT NULL"
    )
