"""The tables of the database. Ids of people, servers, channels and messages are Discord's snowflakes."""

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

guilds: Final = Table(
    "guilds",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("locale", String(10), nullable=False),
    Column("language", String(10), nullable=False),
    Column("celebrates", Boolean, nullable=False),
    Column("channels", JSON, nullable=False),
    Column("roles", JSON, nullable=False),
    Column("defaults", JSON, nullable=False),
    Column("limits", JSON, nullable=False),
    Column("post_every", String(10), nullable=False),
    Column("post_channel_id", BigInteger),
    Column("post_at", Integer),
    Column("left_at", Integer),
)
"""What a server has set: Discord's `locale` for it, the `language` that it has chosen instead (or empty), whether
gangs are celebrated, in which channels and with which roles tables may be opened (none: everywhere, everybody), what a
new table begins with, the limits that it has changed (by name, see `services.limits`); how often the leaderboard is
posted, where, and when next. `left_at` is when it removed the app, if it did. Times are UTC seconds."""

_OPEN: Final = "status IN ('lobby', 'playing') AND daily IS NULL"
"""The tables of which there are few: those that are not over, without hands of the day."""

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

`revision` grows with every change; a change that expects another revision is refused. `displayed_revision` and
`announced_hand` say how much of it has reached the channel, `message_id`, `notice_id` and `thread_id` where;
`display_version` grows with every change of these, and a change that expects another version is refused;
`notice_channel_id` is where the notice is: the table's place then, or a direct message. `first_message_id` is the one
that first showed the commitment to the seed.
`settings` is what the table has chosen beside the rules; `turn` is the seat that is to act (for lists, which read no
log), `turn_…` its clock (see `TurnClock`), `last_turn` the clock of the turn before, for when its move is taken back;
`invited`, `awaited` (invited, and not there yet) and `removed` are users, `pausing` and `ending` those who agreed to
pause, or to end the match. `daily` is the day of which this is the hand (`2026-12-24`), which one player plays alone.
`duplicate_of` is the other table of a duplicate match; the deals of both are secret (`deals_secret`) while one plays.
`closed_by_id` closed the table.
"""

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
"""Who sits where: a person, a robot, or a robot or sitter for a person who is absent or has conceded.

An empty name is a former player's, here and everywhere. `cut` is where the player cut the deck, 1-63, `bank` the time
bank in milliseconds, `orders` the standing order, given at `ordered_at` (UTC milliseconds); `missed`: see `Seat`.
"""

substitutes: Final = Table(
    "substitutes",
    metadata,
    table_id_column(),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False, index=True),
    Column("name", String(100), primary_key=True),
)
"""Who has ever sat in at a seat, and under which name: it stands in the log, and goes with them."""

events: Final = Table(
    "events",
    metadata,
    table_id_column(),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("line", Text, nullable=False),
)
"""The log: each row is a line of the match record. The key refuses a second writer of the same moment."""

packed_logs: Final = Table(
    "packed_logs",
    metadata,
    table_id_column(),
    Column("lines", LargeBinary, nullable=False),
)
"""The log of a match that has ended, in place of its `events`: the lines, joined by line feeds, compressed by zlib."""

deadlines: Final = Table(
    "deadlines",
    metadata,
    table_id_column(),
    Column("kind", String(10), nullable=False),
    Column("due_at", BigInteger, nullable=False, index=True),
    Index("ix_deadlines_kind_due_at", "kind", "due_at"),
)
"""What happens by itself at a table next, and when (UTC milliseconds)."""

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
"""Matches that count, the `nth` of their guild: those that were played to their end, and rated ones that nobody played
on. `people_only`: every seat belongs to a person. `rated`: it changed ratings. `season` is its number, if any."""

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
"""A row for each owner of a seat in such a match: what leaderboards add up. `place` follows the rule of ratings
(`services.rating.places`), `total` is the table's; `absent`: the owner was not there at the end."""

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
"""A row for each seat in a finished hand: the person who made most of its moves, and if the owner made half of them."""

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
"""What finished matches add up to for a person, in a stretch of time (`all`, `2026-11`, `2026-W47`, `s3`)."""

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
"""Who has finished a match in a server: the name at the last one, and the rating after `rated` rated matches."""

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
"""By what members of a server win titles: sums over their finished matches (see `storage.titles.TitleStats`)."""

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
"""Who holds each title of a server, by what value, since when (UTC seconds) and by which match; and who did before."""

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
"""Seasons of a server, from (and until) UTC seconds; one at most has not ended. `channel_id` is where the podium of
one that has ended is still to be posted."""

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
"""Who has changed which setting of a server, from what to what, `at` UTC seconds."""

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
"""The settings of users: how they are told, their time zone, quiet hours (minutes of the day) and holidays (the first
and the last day, `2026-12-24`), their language (empty: Discord's) and whether they want cards in text; whether they
have been welcomed, how many lessons of the tutorial they have done, and whether boards hide them."""

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
"""The record that a user imported last (`at`: UTC seconds); `deal` (see `history.deal_of`) finds those of one match."""

daily_deals: Final = Table(
    "daily_deals",
    metadata,
    *day_columns(),
    Column("seed", LargeBinary(32), nullable=False),
)
"""What the hand of a day (`2026-12-24`, UTC) is dealt from in a server; secret until the day is over."""

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
"""Who was dealt the hand of a day, and their points and those of all AI players, once they finished it on that day."""

deletions: Final = Table(
    "deletions",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("started_at", Integer, nullable=False),
    Column("guilds", JSON, nullable=False),
)
"""Users whose deletion is under way, and the guilds that rate them; user 0: the file is still to be cleaned."""

daily_marks: Final = Table(
    "daily_marks",
    metadata,
    *day_columns(),
    Column("mark", LargeBinary(32), primary_key=True),
)
"""Who was dealt the hand of a day: HMAC-SHA256 of the user id with its seed. It outlives deletions, not the day."""
