"""List the newest matches of a user without reading the older ones."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply it."""
    op.add_column("match_players", sa.Column("nth", sa.Integer(), nullable=False, server_default="0"))
    own_match = "matches WHERE matches.table_id = match_players.table_id"
    op.execute(f"UPDATE match_players SET nth = coalesce((SELECT nth FROM {own_match}), 0)")  # noqa: S608
    op.create_index("ix_match_players_guild_user_nth", "match_players", ["guild_id", "user_id", "nth"])
    op.drop_index("ix_match_players_guild_user", "match_players")
