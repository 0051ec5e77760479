"""Plain names for tables and columns, and `ai` instead of `robot` in stored values."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

TABLES = {"sitters": "substitutes", "people": "users", "changes": "audit_log", "deeds": "title_stats"}
COLUMNS = {
    "tables": {
        "customs": "settings",
        "sent_away": "removed",
        "twin_id": "duplicate_of",
        "sealed": "deals_secret",
        "shown_revision": "displayed_revision",
        "shown_version": "display_version",
        "told_hand": "announced_hand",
        "told_gangs": "announced_gangs",
        "told_titles": "announced_titles",
        "told_twin": "announced_duplicate",
    },
    "seats": {"robot": "ai_level", "sitter_id": "substitute_id", "sitter_name": "substitute_name"},
    "users": {"telling": "notifications"},
}
OUTDATED = sa.text("displayed_revision < revision")
SETTINGS = "replace(replace(CAST(settings AS TEXT), '\"late\"', '\"on_timeout\"'), 'robot\"', 'ai\"')"


def upgrade() -> None:
    """Apply it."""
    for old, new in TABLES.items():
        op.rename_table(old, new)
    for table, columns in COLUMNS.items():
        for old, new in columns.items():
            op.execute(sa.text(f"ALTER TABLE {table} RENAME COLUMN {old} TO {new}"))
    for name in ("ix_tables_unshown", "ix_tables_twin_id", "ix_seats_sitter_id", "ix_sitters_user_id"):
        op.drop_index(name)
    op.drop_index("ix_changes_guild_id")
    op.create_index("ix_tables_outdated", "tables", ["id"], sqlite_where=OUTDATED, postgresql_where=OUTDATED)
    op.create_index("ix_tables_duplicate_of", "tables", ["duplicate_of"])
    op.create_index("ix_seats_substitute_id", "seats", ["substitute_id"])
    op.create_index("ix_substitutes_user_id", "substitutes", ["user_id"])
    op.create_index("ix_audit_log_guild_id", "audit_log", ["guild_id", "id"])
    settings = SETTINGS if op.get_bind().dialect.name == "sqlite" else f"CAST({SETTINGS} AS JSON)"
    op.execute(sa.text(f"UPDATE tables SET settings = {settings}"))  # noqa: S608  # no value of anybody's
    op.execute(sa.text("UPDATE deadlines SET kind = 'ai' WHERE kind = 'robot'"))
