"""Defaults are no choices: Discord's locale of most servers, and the time zone of users who were never asked for it.

Those who have chosen them get the locale back with the server's next table, and are asked once for the time zone.
"""

from alembic import op

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply it."""
    op.execute("UPDATE guilds SET locale = '' WHERE locale = 'en-US'")
    op.execute("UPDATE users SET zone = '' WHERE zone = 'UTC'")
