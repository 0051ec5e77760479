"""Indexes that find the tables which name a user, so a deletion doesn't read all tables."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

LISTS = sa.text(
    "CAST(invited AS TEXT) <> '[]' OR CAST(awaited AS TEXT) <> '[]' OR CAST(sent_away AS TEXT) <> '[]'"
    " OR CAST(pausing AS TEXT) <> '[]' OR CAST(ending AS TEXT) <> '[]'"
)


def upgrade() -> None:
    """Apply it."""
    op.create_index("ix_tables_host_id", "tables", ["host_id"])
    op.create_index("ix_tables_closed_by_id", "tables", ["closed_by_id"])
    op.create_index("ix_tables_listing", "tables", ["id"], sqlite_where=LISTS, postgresql_where=LISTS)
