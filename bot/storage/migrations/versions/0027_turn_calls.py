"""New settings for turn calls: the old default mentioned players at every turn, even while they were playing."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply it."""
    for old, new in {"mention": "away", "nothing": "never"}.items():
        op.execute(sa.text(f"UPDATE users SET notifications = '{new}' WHERE notifications = '{old}'"))  # noqa: S608  # constants
