"""List the newest matches of a channel without reading those of other channels."""

from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply it."""
    op.create_index("ix_matches_channel_nth", "matches", ["guild_id", "channel_id", "nth"])
    op.drop_index("ix_matches_guild_id", "matches")
