"""The finished hands and matches of a member, alone and against others."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Text, and_, case, cast, false, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.analysis.leaderboard import ALL_TIME
from bot.analysis.par import HUNDREDTHS
from bot.analysis.profile import THRASHINGS, Duel, HeadToHead, Luck, PlayedHand, PlayedMatch
from bot.analysis.rating import Rating
from bot.storage.bulk import stream_rows
from bot.storage.schema import hand_players, match_players, matches, members, ratings, scores, users

_Columns: TypeAlias = Any
"""SQLAlchemy has no type for the columns of a table or of its alias."""


async def name_of(connection: AsyncConnection, guild_id: int, user_id: int) -> str | None:
    """The name of a member; None without a finished match in the guild."""
    chosen = (members.c.guild_id == guild_id) & (members.c.user_id == user_id)
    name: str | None = await connection.scalar(select(members.c.name).where(chosen))
    return name


async def hands_of(connection: AsyncConnection, guild_id: int, user_id: int) -> list[PlayedHand]:
    """All hands that a member has played in a guild, the oldest first."""
    return await _hands(connection, (matches.c.guild_id == guild_id) & (hand_players.c.user_id == user_id))


async def hands_in(connection: AsyncConnection, table_id: int) -> list[PlayedHand]:
    """All hands that users have played in a match."""
    return await _hands(connection, (hand_players.c.table_id == table_id) & hand_players.c.user_id.is_not(None))


async def _hands(connection: AsyncConnection, chosen: ColumnElement[bool]) -> list[PlayedHand]:
    own, every, before = hand_players.c, hand_players.alias(), hand_players.alias()
    same_hand = and_(every.c.table_id == own.table_id, every.c.hand == own.hand)
    points_of_all = select(func.sum(every.c.points)).where(same_hand).scalar_subquery()
    one_earlier = and_(before.c.table_id == own.table_id, before.c.hand == own.hand - 1, before.c.seat == own.seat)
    found = {
        "points_won": case((own.won, points_of_all), else_=0),
        "won_before": func.coalesce(before.c.won, false()),
        **{name: cast(own[name], Text) for name in ("gave", "received", "seconds")},
    }
    columns = [found[field.name] if field.name in found else own[field.name] for field in fields(PlayedHand)]
    query = (
        select(*columns)
        .join(matches, matches.c.table_id == own.table_id)
        .outerjoin(before, one_earlier)
        .where(chosen)
        .order_by(matches.c.nth, own.hand)
    )
    return [PlayedHand(*row) async for row in stream_rows(connection, query)]


async def matches_of(connection: AsyncConnection, guild_id: int, user_id: int) -> list[PlayedMatch]:
    """All matches of a guild that count for a member, the oldest first."""
    player = match_players.c
    return await _matches(connection, (player.guild_id == guild_id) & (player.user_id == user_id))


async def matches_in(connection: AsyncConnection, table_id: int) -> list[PlayedMatch]:
    """A match, as it counts for each of its users."""
    return await _matches(connection, (match_players.c.table_id == table_id) & match_players.c.user_id.is_not(None))


async def _matches(connection: AsyncConnection, chosen: ColumnElement[bool]) -> list[PlayedMatch]:
    player = match_players.c
    every = match_players.alias()
    size = select(func.count()).where(every.c.table_id == player.table_id).scalar_subquery()
    query = (
        select(player.table_id, player.seat, player.user_id, size, player.place, player.absent)
        .join(matches, matches.c.table_id == player.table_id)
        .where(chosen)
        .order_by(matches.c.nth)
    )
    totals_at_half = await _totals_at_half(connection, chosen & (player.place == 1))
    found = []
    async for table_id, seat, user_id, seats, place, absent in stream_rows(connection, query):
        half = totals_at_half.get(table_id, {})
        totals = tuple(half.values()), half.get(seat, 0)
        found.append(PlayedMatch(user_id, table_id, seats, place, absent, *totals))
    return found


async def _totals_at_half(connection: AsyncConnection, chosen: ColumnElement[bool]) -> dict[int, dict[int, int]]:
    """The totals after half of the hands, by table and seat."""
    hand = hand_players.c
    some = select(match_players.c.table_id).where(chosen)
    query = (
        select(hand.table_id, hand.seat, func.sum(hand.points))
        .join(matches, matches.c.table_id == hand.table_id)
        .where(hand.table_id.in_(some), hand.hand <= matches.c.hands // 2)
        .group_by(hand.table_id, hand.seat)
    )
    found: dict[int, dict[int, int]] = {}
    async for table_id, seat, total in stream_rows(connection, query):
        found.setdefault(table_id, {})[seat] = int(total)
    return found


async def against(
    connection: AsyncConnection, guild_id: int, user_id: int, other_id: int | None = None
) -> list[HeadToHead]:
    """The results of a member's hands against each other player, or against one."""
    others = hand_players.alias()
    own, other = hand_players.c, others.c
    together = and_(other.table_id == own.table_id, other.hand == own.hand, other.seat != own.seat)
    hidden = func.coalesce(users.c.hidden, false())
    query = (
        select(other.user_id, members.c.name, hidden, func.count(), *_sums(own, other))
        .join(matches, matches.c.table_id == own.table_id)
        .join(others, together)
        .outerjoin(members, (members.c.guild_id == matches.c.guild_id) & (members.c.user_id == other.user_id))
        .outerjoin(users, users.c.user_id == other.user_id)
        .where(matches.c.guild_id == guild_id, own.user_id == user_id)
        .group_by(other.user_id, members.c.name, hidden)
    )
    if other_id is not None:
        query = query.where(other.user_id == other_id)
    found = [tuple(row) for row in await connection.execute(query)]
    return [HeadToHead(row[0], row[1], bool(row[2]), *map(int, row[3:])) for row in found]


def _sums(own: _Columns, other: _Columns) -> list[ColumnElement[int]]:
    """The sums of `HeadToHead`, in the order of its fields."""
    points = [
        own.points,
        other.points,
        case((own.won, 1), else_=0),
        case((other.won, 1), else_=0),
        case((other.won, own.points), else_=0),
        case((own.won, other.points), else_=0),
    ]
    conditions = [
        *(own.won & (other.points >= bound) for bound in THRASHINGS),
        *(other.won & (own.points >= bound) for bound in THRASHINGS),
        own.points < other.points,
        own.points == other.points,
    ]
    return [func.sum(each) for each in (*points, *(case((condition, 1), else_=0) for condition in conditions))]


async def luck_of(connection: AsyncConnection, guild_id: int, user_id: int) -> Luck:
    """The luck and skill of a member in all matches of a guild."""
    column = scores.c
    query = select(func.sum(column.par_hands), func.sum(column.luck), func.sum(column.skill)).where(
        column.guild_id == guild_id, column.period == ALL_TIME, column.user_id == user_id
    )
    hands, luck, skill = (int(each or 0) for each in (await connection.execute(query)).one())
    return Luck(hands, luck / HUNDREDTHS / hands, skill / HUNDREDTHS / hands) if hands else Luck()


async def duels(connection: AsyncConnection, guild_id: int, users: Sequence[int]) -> dict[tuple[int, int], Duel]:
    """The match results of these users against each other, for those who have met."""
    others = match_players.alias()
    own, other = match_players.c, others.c
    better, worse = (case((condition, 1), else_=0) for condition in (own.place < other.place, own.place > other.place))
    query = (
        select(own.user_id, other.user_id, func.count(), func.sum(better), func.sum(worse))
        .join(others, (other.table_id == own.table_id) & (other.seat != own.seat))
        .where(own.guild_id == guild_id, own.user_id.in_(users), other.user_id.in_(users))
        .where(~own.absent, ~other.absent)
        .group_by(own.user_id, other.user_id)
    )
    found = [tuple(row) for row in await connection.execute(query)]
    return {(one, two): Duel(*map(int, counts)) for one, two, *counts in found}


async def most_active(connection: AsyncConnection, guild_id: int, limit: int, reader: int) -> list[tuple[int, str]]:
    """The members with the most finished matches, by id and name. Hidden members are included only for themselves."""
    column = scores.c
    played = func.sum(column.matches)
    query = (
        select(column.user_id, members.c.name)
        .join(members, (members.c.guild_id == column.guild_id) & (members.c.user_id == column.user_id))
        .outerjoin(users, users.c.user_id == column.user_id)
        .where(column.guild_id == guild_id, column.period == ALL_TIME)
        .where(users.c.hidden.is_not(True) | (column.user_id == reader))
        .group_by(column.user_id, members.c.name)
        .order_by(played.desc(), column.user_id)
        .limit(limit)
    )
    return [(user_id, name) for user_id, name in await connection.execute(query)]


async def ratings_of(connection: AsyncConnection, guild_id: int, user_id: int) -> list[Rating]:
    """A member's rating after each rated match, the oldest first."""
    query = (
        select(ratings.c.mu, ratings.c.sigma)
        .join(matches, matches.c.table_id == ratings.c.table_id)
        .where(ratings.c.guild_id == guild_id, ratings.c.user_id == user_id)
        .order_by(matches.c.nth)
    )
    found = [row async for row in stream_rows(connection, query)]
    return [Rating(mu, sigma, number) for number, (mu, sigma) in enumerate(found, 1)]


async def penalties_of(connection: AsyncConnection, guild_id: int, user_id: int) -> dict[int, int]:
    """The number of a member's hands by penalty points."""
    own = hand_players.c
    query = (
        select(own.points, func.count().label("hands"))
        .join(matches, matches.c.table_id == own.table_id)
        .where(matches.c.guild_id == guild_id, own.user_id == user_id)
        .group_by(own.points)
        .order_by(own.points)
    )
    return {row.points: row.hands for row in await connection.execute(query)}
