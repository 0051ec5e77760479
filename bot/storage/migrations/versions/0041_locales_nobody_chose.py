"""Servers with Discord's default locale forget it: most of them haven't chosen it.

Those that have chosen it get it back with their next table.
"""

from alembic import op

revision = "0041"
down_revision = "0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply it."""
    op.execute("UPDATE guilds SET locale = '' WHERE locale = 'en-US'")
