"""Turn clocks, settings of users, and settings of tables."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply it. Columns change one by one, because a table that SQLite creates again loses its references."""
    for column in (
        sa.Column("notice", sa.String(40)),
        sa.Column("customs", sa.JSON(), nullable=False, server_default="{}"),
        sa.Column("invited", sa.JSON(), nullable=False, server_default="[]"),
        sa.Column("pausing", sa.JSON(), nullable=False, server_default="[]"),
        sa.Column("ending", sa.JSON(), nullable=False, server_default="[]"),
        sa.Column("turn_began", sa.BigInteger()),
        sa.Column("turn_due", sa.BigInteger()),
        sa.Column("turn_stage", sa.String(10)),
        sa.Column("paused_at", sa.BigInteger()),
        sa.Column("nudged_at", sa.BigInteger()),
        sa.Column("thread_id", sa.BigInteger()),
        sa.Column("ended", sa.String(10)),
        sa.Column("rematch_of", sa.Integer()),
        sa.Column("starts_itself", sa.Boolean(), nullable=False, server_default=sa.false()),
    ):
        op.add_column("tables", column)
    op.create_index("ix_tables_rematch_of", "tables", ["rematch_of"])
    op.execute("ALTER TABLE tables DROP COLUMN notice_moment")
    op.create_index(
        "ix_tables_unshown",
        "tables",
        ["id"],
        sqlite_where=sa.text("shown_revision < revision"),
        postgresql_where=sa.text("shown_revision < revision"),
    )
    for column in (
        sa.Column("sitter_id", sa.BigInteger()),
        sa.Column("sitter_name", sa.String(100)),
        sa.Column("conceded", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("bank", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("orders", sa.String(20), nullable=False, server_default=""),
    ):
        op.add_column("seats", column)
    op.create_index("ix_seats_sitter_id", "seats", ["sitter_id"])
    op.execute(sa.text("UPDATE seats SET conceded = true WHERE user_id IS NOT NULL AND robot IS NOT NULL"))
    op.add_column("match_players", sa.Column("by_robot", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.execute(sa.text("UPDATE match_players SET by_robot = conceded"))
    op.add_column("hand_players", sa.Column("user_id", sa.BigInteger()))
    op.execute(
        sa.text(
            "UPDATE hand_players SET user_id = (SELECT user_id FROM match_players WHERE NOT conceded"
            " AND match_players.table_id = hand_players.table_id AND match_players.seat = hand_players.seat)"
        )
    )
    op.create_table(
        "people",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("telling", sa.String(10), nullable=False),
        sa.Column("zone", sa.String(40), nullable=False),
        sa.Column("quiet_from", sa.Integer()),
        sa.Column("quiet_until", sa.Integer()),
        sa.Column("away_from", sa.String(10)),
        sa.Column("away_until", sa.String(10)),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_people")),
    )
