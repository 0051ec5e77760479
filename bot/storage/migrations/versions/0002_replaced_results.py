"""The messages of results and gangs in channels, so that the next ones replace them."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0002", "0001"


def upgrade() -> None:
    """Apply it."""
    op.add_column("tables", sa.Column("result_id", sa.BigInteger()))
    op.add_column("tables", sa.Column("gang_id", sa.BigInteger()))
