"""The tables of the database. The ids of users, guilds, channels and messages are Discord's snowflakes."""

from bot.storage.schema.app import published_commands, served_shards
from bot.storage.schema.guilds import audit_log, guilds, seasons
from bot.storage.schema.parts import metadata
from bot.storage.schema.results import (
    hand_players,
    match_players,
    matches,
    members,
    ratings,
    scores,
    title_stats,
    titles,
)
from bot.storage.schema.tables import (
    daily_deals,
    daily_marks,
    daily_players,
    deadlines,
    events,
    packed_logs,
    seats,
    substitutes,
    tables,
)
from bot.storage.schema.users import deletions, imports, practices, table_alerts, users

__all__ = (
    "audit_log",
    "daily_deals",
    "daily_marks",
    "daily_players",
    "deadlines",
    "deletions",
    "events",
    "guilds",
    "hand_players",
    "imports",
    "match_players",
    "matches",
    "members",
    "metadata",
    "packed_logs",
    "practices",
    "published_commands",
    "ratings",
    "scores",
    "seasons",
    "seats",
    "served_shards",
    "substitutes",
    "table_alerts",
    "tables",
    "title_stats",
    "titles",
    "users",
)
