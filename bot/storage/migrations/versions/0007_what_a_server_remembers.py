"""Statistics of hands, scores, members with ratings, seasons, and hidden users.

Earlier matches count for leaderboards of all time only: their statistics and ratings weren't stored.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

NUMBERS = ("strength", "gangs", "biggest", "beaten", "blocked", "forgot")
LISTS = ("gave", "received", "seconds")


def upgrade() -> None:
    """Apply it."""
    for name in NUMBERS:
        op.add_column("hand_players", sa.Column(name, sa.Integer(), nullable=False, server_default="0"))
    for name in LISTS:
        op.add_column("hand_players", sa.Column(name, sa.JSON(), nullable=False, server_default="[]"))
    op.create_index("ix_hand_players_user_id", "hand_players", ["user_id"])
    op.add_column("matches", sa.Column("people_only", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("matches", sa.Column("season", sa.Integer()))
    op.add_column("matches", sa.Column("nth", sa.Integer(), nullable=False, server_default="0"))
    op.execute(
        "UPDATE matches SET nth = (SELECT count(*) FROM matches m WHERE m.guild_id = matches.guild_id AND"
        " (m.finished_at < matches.finished_at"
        " OR m.finished_at = matches.finished_at AND m.table_id <= matches.table_id))"
    )
    op.create_index("ix_matches_guild_nth", "matches", ["guild_id", "nth"], unique=True)
    op.create_index("ix_matches_finished_at", "matches", ["finished_at"])
    op.add_column("people", sa.Column("hidden", sa.Boolean(), nullable=False, server_default=sa.false()))
    _create()
    _count()


def _create() -> None:
    op.create_table(
        "scores",
        sa.Column("guild_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("period", sa.String(10), primary_key=True),
        sa.Column("user_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("channel_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("edition", sa.String(40), primary_key=True),
        sa.Column("people_only", sa.Boolean(), primary_key=True),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("matches", "wins", "by_robot", "hands", "points")),
    )
    op.create_table(
        "members",
        sa.Column("guild_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("user_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("mu", sa.Float()),
        sa.Column("sigma", sa.Float()),
        sa.Column("rated", sa.Integer(), nullable=False),
    )
    op.create_table(
        "ratings",
        sa.Column("table_id", sa.Integer(), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger()),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
    )
    op.create_index("ix_ratings_guild_user", "ratings", ["guild_id", "user_id"])
    op.create_table(
        "seasons",
        sa.Column("guild_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("began_at", sa.Integer(), nullable=False),
        sa.Column("ended_at", sa.Integer()),
    )


def _count() -> None:
    """Fill the leaderboards of all time. It isn't known which matches only people played, so none are marked."""
    op.execute(
        "INSERT INTO members (guild_id, user_id, name, rated)"
        " SELECT p.guild_id, p.user_id, p.name, 0 FROM match_players p"
        " JOIN (SELECT guild_id, user_id, max(table_id) AS last FROM match_players"
        " WHERE user_id IS NOT NULL GROUP BY guild_id, user_id) n"
        " ON n.guild_id = p.guild_id AND n.user_id = p.user_id AND n.last = p.table_id"
    )
    op.execute(
        "INSERT INTO scores (guild_id, period, user_id, channel_id, edition, people_only,"
        " matches, wins, by_robot, hands, points)"
        " SELECT guild_id, 'all', user_id, channel_id, edition, false,"
        " sum(matches), sum(wins), sum(by_robot), sum(hands), sum(points) FROM ("
        " SELECT m.guild_id, p.user_id, m.channel_id, m.edition, 1 AS matches,"
        " CASE WHEN p.place = 1 AND NOT p.by_robot THEN 1 ELSE 0 END AS wins,"
        " CASE WHEN p.by_robot THEN 1 ELSE 0 END AS by_robot, 0 AS hands, 0 AS points"
        " FROM match_players p JOIN matches m ON m.table_id = p.table_id WHERE p.user_id IS NOT NULL"
        " UNION ALL"
        " SELECT m.guild_id, h.user_id, m.channel_id, m.edition, 0, 0, 0, 1, h.points"
        " FROM hand_players h JOIN matches m ON m.table_id = h.table_id WHERE h.user_id IS NOT NULL"
        ") f GROUP BY guild_id, user_id, channel_id, edition"
    )
