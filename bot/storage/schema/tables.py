"""The tables at which people play: seats, logs, deadlines, hands of the day."""

from typing import Final

from sqlalchemy import JSON, BigInteger, Boolean, Column, ForeignKey, Index, Integer, LargeBinary, String, Table, Text

from bot.storage.schema.parts import HAS_LISTED_USERS, day_columns, metadata, partial_index, table_id_column

_OPEN: Final = "status IN ('lobby', 'playing') AND daily IS NULL"
"""The condition for open tables, without hands of the day. There are few of them."""

tables: Final = Table(
    "tables",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("guild_id", BigInteger, nullable=False, index=True),
    Column("channel_id", BigInteger, nullable=False, index=True),
    Column("parent_id", BigInteger),
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
    Column("result_id", BigInteger),
    Column("announced_gangs", Integer, nullable=False),
    Column("gang_id", BigInteger),
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
    Column("turn_reminders", Integer),
    Column("turn", Integer),
    Column("last_turn", JSON),
    Column("paused_at", BigInteger),
    Column("nudged_at", BigInteger),
    Column("thread_id", BigInteger),
    Column("ended", String(10)),
    Column("closed_by_id", BigInteger, index=True),
    Column("rematch_of", Integer, index=True),
    Column("starts_itself", Boolean, nullable=False),
    Column("in_channel", Boolean, nullable=False),
    Column("daily", String(10)),
    Column("duplicate_of", Integer, index=True),
    Column("was_duplicate", Boolean, nullable=False),
    Column("deals_secret", Boolean, nullable=False),
    Column("lowered_moves", Integer, nullable=False),
    Index("ix_tables_status_created_at", "status", "created_at"),
    partial_index("ix_tables_outdated", "id", where="displayed_revision < revision"),
    partial_index("ix_tables_listing", "id", where=HAS_LISTED_USERS),
    partial_index("ix_tables_open", "guild_id", "id", where=_OPEN),
    sqlite_autoincrement=True,
)
"""A table is one match, from its lobby to its end. `seed` is secret until then.

A change based on another `revision` is refused. `displayed_revision` and `announced_…` say how much the channel shows,
`message_id`, `result_id`, `gang_id`, `notice_id` and `thread_id` where. `parent_id` is the channel of the public
thread in which the table was opened. `notice_channel_id` is the table's place at the time of the notice, or a direct
message channel. `first_message_id` is the first message that shows the table. `turn` is the seat to act, stored for
lists, which read no logs. `turn_…` is its clock (see `TurnClock`), and `last_turn` the clock of the previous turn, in
case its move is taken back. `awaited` are invited users who haven't come; `pausing` and `ending` are users who agreed
to pause or end the match. A table that isn't `in_channel` is known to its player only. `daily` is the date of a hand
of the day (`2026-12-24`). `duplicate_of` is the other table of a duplicate match; the deals of both are secret
(`deals_secret`) until both are over, and a match that began as one of two (`was_duplicate`) stays casual.
`closed_by_id` is the user who closed the table. `lowered_moves` counts the moves of AI players that the level below
has chosen."""

seats: Final = Table(
    "seats",
    metadata,
    table_id_column(),
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

daily_marks: Final = Table(
    "daily_marks",
    metadata,
    *day_columns(),
    Column("mark", LargeBinary(32), primary_key=True),
)
"""The players of hands of the day: HMAC-SHA256 of the user id, keyed with the seed. Deletions keep it until the day
ends."""
