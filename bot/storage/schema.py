"""The tables of the database. The ids of users, guilds, channels and messages are Discord's snowflakes."""

from typing import Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
)

from bot.storage.instances import instances as instances  # noqa: PLC0414  # one of the tables
from bot.storage.metadata import metadata as metadata  # noqa: PLC0414  # handed on
from bot.storage.published_commands import published_commands as published_commands  # noqa: PLC0414
from bot.storage.schema_parts import HAS_LISTED_USERS, TITLE_STATS, day_columns, partial_index, table_id_column
from bot.storage.table_alerts import table_alerts as table_alerts  # noqa: PLC0414

guilds: Final = Table(
    "guilds",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("locale", String(10), nullable=False),
    Column("language", String(10), nullable=False),
    Column("celebrates", Boolean, nullable=False),
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
"""The settings of guilds. `locale` is Discord's, `language` the chosen one or empty. `channels` and `roles` limit where
and by whom tables can be opened (empty: no limit). `limits` holds changed limits by name (see `table.limits`). `post_…`
says when and where the leaderboard is posted. `left_at` is when the app left the guild. Times are in UTC seconds."""

_OPEN: Final = "status IN ('lobby', 'playing') AND daily IS NULL"
"""The condition for open tables, without hands of the day. There are few of them."""

tables: Final = Table(
    "tables",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
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
    Column("display_version", Integer, nullable=False),
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
    Index("ix_tables_status_created_at", "status", "created_at"),
    partial_index("ix_tables_outdated", "id", where="displayed_revision < revision"),
    partial_index("ix_tables_listing", "id", where=HAS_LISTED_USERS),
    partial_index("ix_tables_open", "guild_id", "id", where=_OPEN),
    sqlite_autoincrement=True,
)
"""A table is one match, from its lobby to its end. `seed` is secret until then.

A change based on another `revision` is refused. `displayed_revision` and `announced_…` say how much the channel shows,
`message_id`, `notice_id` and `thread_id` where; a change of these based on another `display_version` is refused.
`notice_channel_id` is the table's place at the time of the notice, or a direct message channel. `first_message_id` is
the message that first showed the commitment. `turn` is the seat to act, stored for lists, which read no logs. `turn_…`
is its clock (see `TurnClock`), and `last_turn` the clock of the previous turn, in case its move is taken back.
`awaited` are invited users who haven't come; `pausing` and `ending` are users who agreed to pause or end the match.
`daily` is the date of a hand of the day (`2026-12-24`), which one player plays alone. `duplicate_of` is the other
table of a duplicate match; the deals of both are secret (`deals_secret`) until both are over. `closed_by_id` is the
user who closed the table."""

seats: Final = Table(
    "seats",
    metadata,
    table_id_column(),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, index=True),
    Column("ai_level", String(20)),
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
"""The seats of tables. The player is the owner, a substitute or an AI player.

An empty name stands for a deleted player, here and elsewhere. `cut` is where the player cut the deck (1-63), `bank` the
time bank in milliseconds, `orders` the standing order, given at `ordered_at` (UTC milliseconds). For `missed`, see
`Seat`."""

substitutes: Final = Table(
    "substitutes",
    metadata,
    table_id_column(),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False, index=True),
    Column("name", String(100), primary_key=True),
)
"""All users who have ever substituted in a seat, with the names that the log has for them."""

events: Final = Table(
    "events",
    metadata,
    table_id_column(),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("line", Text, nullable=False),
)
"""The logs of matches. Each row is a line of the record. The key refuses a second line at the same position."""

packed_logs: Final = Table(
    "packed_logs",
    metadata,
    table_id_column(),
    Column("lines", LargeBinary, nullable=False),
)
"""The logs of matches that have ended, in place of `events`: the lines joined by line feeds, compressed by zlib."""

deadlines: Final = Table(
    "deadlines",
    metadata,
    table_id_column(),
    Column("kind", String(10), nullable=False),
    Column("due_at", BigInteger, nullable=False, index=True),
    Index("ix_deadlines_kind_due_at", "kind", "due_at"),
)
"""The next deadline of each table (UTC milliseconds)."""

matches: Final = Table(
    "matches",
    metadata,
    table_id_column(),
    Column("guild_id", BigInteger, nullable=False, index=True),
    Column("channel_id", BigInteger, nullable=False),
    Column("edition", String(40), nullable=False),
    Column("hands", Integer, nullable=False),
    Column("finished_at", Integer, nullable=False, index=True),
    Column("people_only", Boolean, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("season", Integer),
    Column("nth", Integer, nullable=False),
    Index("ix_matches_guild_nth", "guild_id", "nth", unique=True),
)
"""Matches that count, `nth` in their guild: those played to the end, and rated ones that were abandoned.
`people_only`: all seats belong to people. `rated`: it changed ratings. `season` is the season's number, if any."""

match_players: Final = Table(
    "match_players",
    metadata,
    table_id_column(),
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
    Index("ix_match_players_guild_user", "guild_id", "user_id"),
)
"""The owners of seats in these matches, with their results. `place` follows the rules for ratings
(`analysis.rating.places`), `total` is the one at the table. `absent`: the owner wasn't there at the end."""

hand_players: Final = Table(
    "hand_players",
    metadata,
    table_id_column(),
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
)
"""The seats in completed hands, each with the user who made most of its moves. `by_owner`: the owner made half of
them."""

scores: Final = Table(
    "scores",
    metadata,
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
)
"""The sums of finished matches by user and period (`all`, `2026-11`, `2026-W47`, `s3`)."""

members: Final = Table(
    "members",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", String(100), nullable=False),
    Column("mu", Float),
    Column("sigma", Float),
    Column("rated", Integer, nullable=False),
)
"""The members of guilds who have finished a match: their latest name, and their rating after `rated` rated matches."""

ratings: Final = Table(
    "ratings",
    metadata,
    table_id_column(),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("guild_id", BigInteger, nullable=False),
    Column("user_id", BigInteger),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Index("ix_ratings_guild_user", "guild_id", "user_id"),
)
"""The rating of each player after each rated match."""

title_stats: Final = Table(
    "title_stats",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    *(Column(name, Integer, nullable=False) for name in TITLE_STATS),
)
"""The statistics of members that decide who holds titles (see `analysis.titles.TitleStats`)."""

titles: Final = Table(
    "titles",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("title", String(20), primary_key=True),
    Column("user_id", BigInteger, nullable=False),
    Column("value", Float, nullable=False),
    Column("since", Integer, nullable=False),
    Column("before_id", BigInteger),
    Column("table_id", Integer, nullable=False),
)
"""The titles of guilds: the holder, the value, when (UTC seconds) and by which match it was won, the last holder."""

seasons: Final = Table(
    "seasons",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("name", String(100), nullable=False),
    Column("began_at", Integer, nullable=False),
    Column("ended_at", Integer),
    Column("channel_id", BigInteger),
)
"""The seasons of guilds, in UTC seconds. At most one of a guild is running. `channel_id` is where a podium is to be
posted."""

audit_log: Final = Table(
    "audit_log",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("at", Integer, nullable=False),
    Column("user_id", BigInteger),
    Column("what", String(20), nullable=False),
    Column("before", Text, nullable=False),
    Column("after", Text, nullable=False),
    Index("ix_audit_log_guild_id", "guild_id", "id"),
)
"""The changes to guild settings, in UTC seconds."""

users: Final = Table(
    "users",
    metadata,
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
)
"""The settings of users: notifications, time zone, quiet hours (minutes of the day), holidays (first and last day,
`2026-12-24`), language (empty: Discord's) and cards as text. `greeted`: the user has been welcomed. `lesson`: the
number of completed tutorial lessons. `hidden`: leaderboards don't show the user."""

imports: Final = Table(
    "imports",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("user_id", BigInteger, nullable=False, index=True, unique=True),
    Column("record", Text, nullable=False),
    Column("at", Integer, nullable=False),
    Column("deal", String(64), nullable=False, index=True),
    sqlite_autoincrement=True,
)
"""The last record that each user imported (`at`: UTC seconds). `deal` (see `history.deal_of`) identifies the match."""

daily_deals: Final = Table(
    "daily_deals",
    metadata,
    *day_columns(),
    Column("seed", LargeBinary(32), nullable=False),
)
"""The seed of each hand of the day (`2026-12-24`, UTC). It's secret until the day is over."""

daily_players: Final = Table(
    "daily_players",
    metadata,
    *day_columns(),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", String(100), nullable=False),
    Column("table_id", Integer, ForeignKey("tables.id", ondelete="CASCADE"), nullable=False, unique=True, index=True),
    Column("points", Integer),
    Column("others", Integer),
)
"""The players of hands of the day, with their points and those of all AI players if they finished on that day."""

deletions: Final = Table(
    "deletions",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("started_at", Integer, nullable=False),
    Column("guilds", JSON, nullable=False),
)
"""Unfinished deletions of users, and the guilds that rate them. User 0: the database file must be cleaned."""

daily_marks: Final = Table(
    "daily_marks",
    metadata,
    *day_columns(),
    Column("mark", LargeBinary(32), primary_key=True),
)
"""The players of hands of the day: HMAC-SHA256 of the user id, keyed with the seed. Deletions keep it until the day
ends."""
