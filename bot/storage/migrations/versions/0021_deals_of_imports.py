"""Deals of imports: an imported record is found by its match, and stored in the app's own form.

Earlier imports may have another form, in which a deletion could miss names, so they are dropped. They were stored for
a week only; users can import them again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply it."""
    op.execute("DELETE FROM imports")
    op.add_column("imports", sa.Column("deal", sa.String(64), nullable=False))
    op.create_index("ix_imports_deal", "imports", ["deal"])
