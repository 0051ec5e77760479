"""Guilds choose whose gangs are celebrated."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply it."""
    op.add_column("guilds", sa.Column("celebrations", sa.String(10), nullable=False, server_default="people"))
    op.execute("UPDATE guilds SET celebrations = 'off' WHERE NOT celebrates")
    op.drop_column("guilds", "celebrates")
    op.execute("""UPDATE audit_log SET "before" = 'people' WHERE what = 'celebrates' AND "before" = 'on'""")
    op.execute("""UPDATE audit_log SET "after" = 'people' WHERE what = 'celebrates' AND "after" = 'on'""")
    op.execute("UPDATE audit_log SET what = 'celebrations' WHERE what = 'celebrates'")
