"""What finished matches add up to."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sqlalchemy import Subquery, case, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.engine.events import HandEnded
from bot.engine.scoring import Ranking
from bot.storage.rows import TableRow
from bot.storage.schema import hand_players, match_players, matches


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of a server's leaderboard."""

    user_id: int
    name: str
    """As it was at the last match."""
    matches: int
    wins: int
    points: int
    """Penalty points in all."""
    hands: int
    by_robot: int = 0
    """How many of the matches an AI player finished for them."""

    @property
    def average(self) -> float:
        """Penalty points a hand."""
        return self.points / self.hands if self.hands else 0.0


Players: TypeAlias = Sequence[int | None]
"""Who has played a hand, seat by seat: people's ids, or None for an AI player."""


async def record_hand(connection: AsyncConnection, table_id: int, hand: HandEnded, players: Players) -> None:
    """Store the outcome of a hand that has just ended at a table."""
    await connection.execute(
        insert(hand_players),
        [
            {
                "table_id": table_id,
                "hand": hand.hand,
                "seat": number,
                "left": hand.left[number],
                "points": hand.points[number],
                "won": number == hand.winner,
                "user_id": person,
            }
            for number, person in enumerate(players)
        ],
    )


async def record_match(
    connection: AsyncConnection,
    row: TableRow,
    hands: Sequence[HandEnded],
    players: Players,
    ranking: Ranking,
    at: int,
) -> None:
    """Store the outcome of a match that has just ended (`at`: UTC seconds); `players` are those of its last hand."""
    await connection.execute(
        insert(matches).values(
            table_id=row.id,
            guild_id=row.guild_id,
            channel_id=row.channel_id,
            edition=row.edition,
            hands=len(hands),
            finished_at=at,
        )
    )
    await connection.execute(insert(match_players), _players(row, hands, players, ranking))


async def leaderboard(connection: AsyncConnection, guild_id: int) -> list[Standing]:
    """Standings of a server's people: most wins first, then the fewest points a hand.

    A match and its place belong to whoever played its last hand; if that was a robot, to the seat's owner, but no win.
    The points of a hand belong to whoever played that hand.
    """
    ended, played, player = _ended(guild_id), _played(guild_id), match_players.c
    query = (
        select(
            ended.c.user_id,
            player.name,
            ended.c.matches,
            ended.c.wins,
            func.coalesce(played.c.points, 0),
            func.coalesce(played.c.hands, 0),
            ended.c.by_robot,
        )
        .join(match_players, (player.table_id == ended.c.last) & (player.user_id == ended.c.user_id))
        .outerjoin(played, played.c.user_id == ended.c.user_id)
    )
    standings = [Standing(*line) for line in await connection.execute(query)]
    return sorted(standings, key=lambda line: (-line.wins, line.average, line.user_id))


def _ended(guild_id: int) -> Subquery:
    """What the matches of each person came to."""
    player = match_players.c
    return (
        select(
            player.user_id,
            func.max(player.table_id).label("last"),
            func.count().label("matches"),
            func.sum(case((player.by_robot, 0), (player.place == 1, 1), else_=0)).label("wins"),
            func.sum(case((player.by_robot, 1), else_=0)).label("by_robot"),
        )
        .where(player.guild_id == guild_id, player.user_id.is_not(None))
        .group_by(player.user_id)
        .subquery()
    )


def _played(guild_id: int) -> Subquery:
    """What the hands of each person came to."""
    hand = hand_players.c
    return (
        select(hand.user_id, func.sum(hand.points).label("points"), func.count().label("hands"))
        .join(matches, matches.c.table_id == hand.table_id)
        .where(matches.c.guild_id == guild_id, hand.user_id.is_not(None))
        .group_by(hand.user_id)
        .subquery()
    )


def _players(row: TableRow, hands: Sequence[HandEnded], players: Players, ranking: Ranking) -> list[dict[str, object]]:
    places = {seat: 1 + sum(map(len, ranking[:index])) for index, equal in enumerate(ranking) for seat in equal}
    return [
        {
            "table_id": row.id,
            "seat": number,
            "guild_id": row.guild_id,
            "user_id": seat.user_id if person is None else person,
            "name": seat.sitter_name if person is not None and person == seat.sitter_id else seat.name,
            "place": places[number],
            "total": hands[-1].totals[number],
            "hands": len(hands),
            "hands_won": sum(hand.winner == number for hand in hands),
            "conceded": seat.conceded,
            "by_robot": seat.user_id is not None and person is None,
        }
        for number, (seat, person) in enumerate(zip(row.seats, players, strict=True))
    ]
