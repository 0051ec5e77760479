"""Par: the points that the strongest AI players make with the same cards, for luck and skill."""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply it."""
    op.add_column("hand_players", sa.Column("par", sa.Integer()))
    for name in ("par_hands", "luck", "skill"):
        op.add_column("scores", sa.Column(name, sa.Integer(), nullable=False, server_default="0"))
    op.add_column("matches", sa.Column("par_due", sa.Boolean(), nullable=False, server_default=sa.true()))
    due = sa.text("par_due")
    op.create_index("ix_matches_par_due", "matches", ["finished_at"], sqlite_where=due, postgresql_where=due)
