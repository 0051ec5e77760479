"""The results of matches: scores, ratings, titles."""

from typing import Final

from sqlalchemy import JSON, BigInteger, Boolean, Column, Float, Index, Integer, String, Table

from bot.storage.schema.parts import TITLE_STATS, metadata, partial_index, table_id_column

matches: Final = Table(
    "matches",
    metadata,
    table_id_column(),
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
    partial_index("ix_matches_par_due", "finished_at", where="par_due"),
    Index("ix_matches_guild_nth", "guild_id", "nth", unique=True),
    Index("ix_matches_channel_nth", "guild_id", "channel_id", "nth"),
)
"""Matches that count, `nth` in their guild: those played to the end, and rated ones that were abandoned.
`people_only`: all seats belong to people. `rated`: it changed ratings. `season` is the season's number, if any.
`par_due`: the pars of its hands haven't been computed yet."""

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
    Column("nth", Integer, nullable=False),
    Index("ix_match_players_guild_user_nth", "guild_id", "user_id", "nth"),
)
"""The owners of seats in these matches, with their results. `place` follows the rules for ratings
(`analysis.rating.places`), `total` is the one at the table. `absent`: the owner wasn't there at the end.
`nth`: the match's, so that the newest matches of a user are read first."""

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
    Column("par", Integer),
)
"""The seats in completed hands, each with the user who made most of its moves. `by_owner`: the owner made half of
them. `par`: the points that the strongest AI players make with these cards, in hundredths; null if unknown."""

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
    Column("squares", Integer, nullable=False),
    Column("par_hands", Integer, nullable=False),
    Column("luck", Integer, nullable=False),
    Column("skill", Integer, nullable=False),
    Column("skill_squares", BigInteger, nullable=False),
)
"""The sums of finished matches by user and period (`all`, `2026-11`, `2026-W47`, `s3`). `luck` and `skill` are in
hundredths of a point, over the `par_hands` hands with a known par. `squares` and `skill_squares` are the sums of the
squares of `points` and `skill` hand by hand, for likely ranges."""

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
