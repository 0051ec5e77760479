"""Cards as text in the public messages of a guild."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply it."""
    op.add_column("guilds", sa.Column("text_cards", sa.Boolean(), nullable=False, server_default=sa.false()))
