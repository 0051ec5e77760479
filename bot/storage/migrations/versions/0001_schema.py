"""The schema of version 1.0.0. What the columns mean is said in `bot.storage.schema`."""

from alembic import op
from sqlalchemy import JSON, BigInteger, Boolean, Column, Float, ForeignKey, Integer, LargeBinary, String, Text, text

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_HAS_LISTED_USERS = " OR ".join(
    f"CAST({name} AS TEXT) <> '[]'" for name in ("invited", "awaited", "removed", "pausing", "ending")
)
"""The condition that one of these lists isn't empty."""


def upgrade() -> None:
    """Create all tables and indexes in an empty database."""
    _tables()
    _results()
    _guilds()
    _users()
    _app()


def _table_id() -> Column[int]:
    """The number of the table that a row belongs to. The row is deleted with the table."""
    return Column("table_id", Integer, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)


def _create_partial_index(name: str, table: str, columns: list[str], condition: str) -> None:
    """Create an index of the rows that satisfy a condition."""
    op.create_index(name, table, columns, sqlite_where=text(condition), postgresql_where=text(condition))


def _tables() -> None:
    op.create_table(
        "tables",
        Column("id", Integer, primary_key=True),
        Column("guild_id", BigInteger, nullable=False, index=True),
        Column("channel_id", BigInteger, nullable=False, index=True),
        Column("host_id", BigInteger, nullable=False, index=True),
        Column("status", String(10), nullable=False),
        Column("size", Integer, nullable=False),
        Column("edition", String(40), nullable=False),
        Column("options", JSON, nullable=False),
        Column("pace", String(10), nullable=False),
        Column("seed", LargeBinary(32), nullable=False),
        Column("revision", Integer, nullable=False),
        Column("created_at", Integer, nullable=False),
        Column("first_message_id", BigInteger),
        Column("message_id", BigInteger),
        Column("notice_id", BigInteger),
        Column("notice", String(40)),
        Column("notice_channel_id", BigInteger),
        Column("displayed_revision", Integer, nullable=False),
        Column("announced_hand", Integer, nullable=False),
        Column("announced_gangs", Integer, nullable=False),
        Column("announced_titles", Boolean, nullable=False),
        Column("announced_duplicate", Boolean, nullable=False),
        Column("settings", JSON, nullable=False),
        Column("invited", JSON, nullable=False),
        Column("awaited", JSON, nullable=False),
        Column("invitations", Integer, nullable=False),
        Column("removed", JSON, nullable=False),
        Column("pausing", JSON, nullable=False),
        Column("ending", JSON, nullable=False),
        Column("turn_began", BigInteger),
        Column("turn_due", BigInteger),
        Column("turn_stage", String(10)),
        Column("turn_remind", BigInteger),
        Column("turn_since", BigInteger),
        Column("turn_answers", Integer),
        Column("turn_paused", BigInteger),
        Column("turn_off", BigInteger),
        Column("turn_off_until", BigInteger),
        Column("turn", Integer),
        Column("last_turn", JSON),
        Column("paused_at", BigInteger),
        Column("nudged_at", BigInteger),
        Column("thread_id", BigInteger),
        Column("ended", String(10)),
        Column("closed_by_id", BigInteger, index=True),
        Column("rematch_of", Integer, index=True),
        Column("starts_itself", Boolean, nullable=False),
        Column("daily", String(10)),
        Column("duplicate_of", Integer, index=True),
        Column("deals_secret", Boolean, nullable=False),
        sqlite_autoincrement=True,
    )
    _create_partial_index("ix_tables_listing", "tables", ["id"], _HAS_LISTED_USERS)
    _create_partial_index(
        "ix_tables_open", "tables", ["guild_id", "id"], "status IN ('lobby', 'playing') AND daily IS NULL"
    )
    _create_partial_index("ix_tables_outdated", "tables", ["id"], "displayed_revision < revision")
    op.create_index("ix_tables_status_created_at", "tables", ["status", "created_at"])
    op.create_table(
        "seats",
        _table_id(),
        Column("seat", Integer, primary_key=True, autoincrement=False),
        Column("user_id", BigInteger, index=True),
        Column("ai_level", String(20)),
        Column("ai_style", String(20), nullable=False),
        Column("name", String(100), nullable=False),
        Column("cut", Integer),
        Column("substitute_id", BigInteger, index=True),
        Column("substitute_name", String(100)),
        Column("conceded", Boolean, nullable=False),
        Column("bank", Integer, nullable=False),
        Column("orders", String(20), nullable=False),
        Column("ordered_at", BigInteger),
        Column("missed", Boolean, nullable=False),
    )
    op.create_table(
        "substitutes",
        _table_id(),
        Column("seat", Integer, primary_key=True, autoincrement=False),
        Column("user_id", BigInteger, primary_key=True, autoincrement=False, index=True),
        Column("name", String(100), primary_key=True),
    )
    op.create_table(
        "events",
        _table_id(),
        Column("seq", Integer, primary_key=True, autoincrement=False),
        Column("line", Text, nullable=False),
    )
    op.create_table(
        "packed_logs",
        _table_id(),
        Column("lines", LargeBinary, nullable=False),
    )
    op.create_table(
        "deadlines",
        _table_id(),
        Column("kind", String(10), nullable=False),
        Column("due_at", BigInteger, nullable=False, index=True),
    )
    op.create_index("ix_deadlines_kind_due_at", "deadlines", ["kind", "due_at"])
    op.create_table(
        "daily_deals",
        Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
        Column("day", String(10), primary_key=True),
        Column("seed", LargeBinary(32), nullable=False),
    )
    op.create_table(
        "daily_players",
        Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
        Column("day", String(10), primary_key=True),
        Column("user_id", BigInteger, primary_key=True, autoincrement=False),
        Column("name", String(100), nullable=False),
        Column(
            "table_id", Integer, ForeignKey("tables.id", ondelete="CASCADE"), nullable=False, unique=True, index=True
        ),
        Column("points", Integer),
        Column("others", Integer),
    )
    op.create_table(
        "daily_marks",
        Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
        Column("day", String(10), primary_key=True),
        Column("mark", LargeBinary(32), primary_key=True),
    )


def _results() -> None:
    op.create_table(
        "matches",
        _table_id(),
        Column("guild_id", BigInteger, nullable=False),
        Column("channel_id", BigInteger, nullable=False),
        Column("edition", String(40), nullable=False),
        Column("hands", Integer, nullable=False),
        Column("finished_at", Integer, nullable=False, index=True),
        Column("people_only", Boolean, nullable=False),
        Column("rated", Boolean, nullable=False),
        Column("season", Integer),
        Column("nth", Integer, nullable=False),
        Column("par_due", Boolean, nullable=False),
    )
    op.create_index("ix_matches_channel_nth", "matches", ["guild_id", "channel_id", "nth"])
    op.create_index("ix_matches_guild_nth", "matches", ["guild_id", "nth"], unique=True)
    _create_partial_index("ix_matches_par_due", "matches", ["finished_at"], "par_due")
    op.create_table(
        "match_players",
        _table_id(),
        Column("seat", Integer, primary_key=True, autoincrement=False),
        Column("guild_id", BigInteger, nullable=False),
        Column("user_id", BigInteger),
        Column("name", String(100), nullable=False),
        Column("place", Integer, nullable=False),
        Column("total", Integer, nullable=False),
        Column("hands", Integer, nullable=False),
        Column("hands_won", Integer, nullable=False),
        Column("conceded", Boolean, nullable=False),
        Column("absent", Boolean, nullable=False),
        Column("nth", Integer, nullable=False),
    )
    op.create_index("ix_match_players_guild_user_nth", "match_players", ["guild_id", "user_id", "nth"])
    op.create_table(
        "hand_players",
        _table_id(),
        Column("hand", Integer, primary_key=True, autoincrement=False),
        Column("seat", Integer, primary_key=True, autoincrement=False),
        Column("left", Integer, nullable=False),
        Column("points", Integer, nullable=False),
        Column("won", Boolean, nullable=False),
        Column("user_id", BigInteger, index=True),
        Column("by_owner", Boolean, nullable=False),
        Column("strength", Integer, nullable=False),
        Column("gangs", Integer, nullable=False),
        Column("biggest", Integer, nullable=False),
        Column("beaten", Integer, nullable=False),
        Column("blocked", Integer, nullable=False),
        Column("forgot", Integer, nullable=False),
        Column("gave", JSON, nullable=False),
        Column("received", JSON, nullable=False),
        Column("seconds", JSON, nullable=False),
        Column("par", Integer),
    )
    op.create_table(
        "scores",
        Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
        Column("period", String(10), primary_key=True),
        Column("user_id", BigInteger, primary_key=True, autoincrement=False),
        Column("channel_id", BigInteger, primary_key=True, autoincrement=False),
        Column("edition", String(40), primary_key=True),
        Column("people_only", Boolean, primary_key=True),
        Column("matches", Integer, nullable=False),
        Column("wins", Integer, nullable=False),
        Column("absent", Integer, nullable=False),
        Column("hands", Integer, nullable=False),
        Column("points", Integer, nullable=False),
        Column("squares", Integer, nullable=False),
        Column("par_hands", Integer, nullable=False),
        Column("luck", Integer, nullable=False),
        Column("skill", Integer, nullable=False),
        Column("skill_squares", BigInteger, nullable=False),
    )
    op.create_table(
        "members",
        Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
        Column("user_id", BigInteger, primary_key=True, autoincrement=False),
        Column("name", String(100), nullable=False),
        Column("mu", Float),
        Column("sigma", Float),
        Column("rated", Integer, nullable=False),
    )
    op.create_table(
        "ratings",
        _table_id(),
        Column("seat", Integer, primary_key=True, autoincrement=False),
        Column("guild_id", BigInteger, nullable=False),
        Column("user_id", BigInteger),
        Column("mu", Float, nullable=False),
        Column("sigma", Float, nullable=False),
    )
    op.create_index("ix_ratings_guild_user", "ratings", ["guild_id", "user_id"])
    op.create_table(
        "title_stats",
        Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
        Column("user_id", BigInteger, primary_key=True, autoincrement=False),
        Column("gangs", Integer, nullable=False),
        Column("beaten", Integer, nullable=False),
        Column("blocked", Integer, nullable=False),
        Column("forgot", Integer, nullable=False),
        Column("gifts", Integer, nullable=False),
        Column("given", Integer, nullable=False),
        Column("hardest", Integer, nullable=False),
        Column("comebacks", Integer, nullable=False),
        Column("streak", Integer, nullable=False),
        Column("longest", Integer, nullable=False),
    )
    op.create_table(
        "titles",
        Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
        Column("title", String(20), primary_key=True),
        Column("user_id", BigInteger, nullable=False),
        Column("value", Float, nullable=False),
        Column("since", Integer, nullable=False),
        Column("before_id", BigInteger),
        Column("table_id", Integer, nullable=False),
    )


def _guilds() -> None:
    op.create_table(
        "guilds",
        Column("id", BigInteger, primary_key=True, autoincrement=False),
        Column("locale", String(10), nullable=False),
        Column("language", String(10), nullable=False),
        Column("celebrations", String(10), nullable=False),
        Column("text_cards", Boolean, nullable=False),
        Column("channels", JSON, nullable=False),
        Column("roles", JSON, nullable=False),
        Column("defaults", JSON, nullable=False),
        Column("limits", JSON, nullable=False),
        Column("post_every", String(10), nullable=False),
        Column("post_channel_id", BigInteger),
        Column("post_at", Integer),
        Column("left_at", Integer),
    )
    op.create_table(
        "audit_log",
        Column("id", Integer, primary_key=True),
        Column("guild_id", BigInteger, nullable=False),
        Column("at", Integer, nullable=False),
        Column("user_id", BigInteger),
        Column("what", String(20), nullable=False),
        Column("before", Text, nullable=False),
        Column("after", Text, nullable=False),
    )
    op.create_index("ix_audit_log_guild_id", "audit_log", ["guild_id", "id"])
    op.create_table(
        "seasons",
        Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
        Column("number", Integer, primary_key=True, autoincrement=False),
        Column("name", String(100), nullable=False),
        Column("began_at", Integer, nullable=False),
        Column("ended_at", Integer),
        Column("channel_id", BigInteger),
    )


def _users() -> None:
    op.create_table(
        "users",
        Column("user_id", BigInteger, primary_key=True, autoincrement=False),
        Column("notifications", String(10), nullable=False),
        Column("zone", String(40), nullable=False),
        Column("quiet_from", Integer),
        Column("quiet_until", Integer),
        Column("away_from", String(10)),
        Column("away_until", String(10)),
        Column("language", String(10), nullable=False),
        Column("text_cards", Boolean, nullable=False),
        Column("greeted", Boolean, nullable=False),
        Column("lesson", Integer, nullable=False),
        Column("hidden", Boolean, nullable=False),
        Column("puzzle_day", String(10)),
        Column("puzzle_streak", Integer),
        Column("puzzle_best", Integer),
    )
    op.create_table(
        "table_alerts",
        Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
        Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    )
    op.create_table(
        "imports",
        Column("id", Integer, primary_key=True),
        Column("user_id", BigInteger, nullable=False, unique=True, index=True),
        Column("record", Text, nullable=False),
        Column("at", Integer, nullable=False),
        Column("deal", String(64), nullable=False, index=True),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "practices",
        Column("user_id", BigInteger, primary_key=True, autoincrement=False),
        Column("begun_at", BigInteger, nullable=False, index=True),
        Column("source", String(10), nullable=False),
        Column("match_number", Integer, nullable=False),
        Column("level", String(10), nullable=False),
        Column("seat", Integer, nullable=False),
        Column("begins", Integer, nullable=False),
        Column("log", Text, nullable=False),
    )
    op.create_table(
        "deletions",
        Column("user_id", BigInteger, primary_key=True, autoincrement=False),
        Column("started_at", Integer, nullable=False),
        Column("guilds", JSON, nullable=False),
    )


def _app() -> None:
    op.create_table(
        "served_shards",
        Column("shard_count", Integer, primary_key=True, autoincrement=False),
        Column("shard", Integer, primary_key=True, autoincrement=False),
        Column("served_at", BigInteger, nullable=False),
    )
    op.create_table(
        "published_commands",
        Column("application_id", BigInteger, primary_key=True, autoincrement=False),
        Column("digest", String(64), nullable=False),
    )
