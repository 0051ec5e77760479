"""Up to when downtimes have been counted in the present turn."""

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply it."""
    op.add_column("tables", sa.Column("turn_off_until", sa.BigInteger()))
