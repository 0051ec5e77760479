"""What finished matches add up to."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import case, func, insert, select
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

    @property
    def average(self) -> float:
        """Penalty points a hand."""
        return self.points / self.hands if self.hands else 0.0


async def record_match(
    connection: AsyncConnection, row: TableRow, hands: Sequence[HandEnded], ranking: Ranking, at: int
) -> None:
    """Store the outcome of a match that has just ended (`at`: UTC seconds)."""
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
    await connection.execute(insert(match_players), _players(row, hands, ranking))
    await connection.execute(insert(hand_players), _hands(row, hands))


async def leaderboard(connection: AsyncConnection, guild_id: int) -> list[Standing]:
    """Standings of a server's people: most wins first, then the fewest points a hand."""
    player = match_players.c
    wins = func.sum(case((player.place == 1, case((player.conceded, 0), else_=1)), else_=0))
    points, hands = func.sum(player.total), func.sum(player.hands)
    query = (
        select(player.user_id, func.max(player.table_id).label("last"), func.count(), wins, points, hands)
        .where(player.guild_id == guild_id, player.user_id.is_not(None))
        .group_by(player.user_id)
        .order_by(wins.desc(), (points * 1.0 / hands), player.user_id)
    )
    sums = query.subquery()
    named = select(*sums.c, player.name).join(
        match_players, (player.table_id == sums.c.last) & (player.user_id == sums.c.user_id)
    )
    found = (await connection.execute(named)).all()
    standings = [Standing(line[0], line[6], line[2], line[3], line[4], line[5]) for line in found]
    return sorted(standings, key=lambda line: (-line.wins, line.average, line.user_id))


def _players(row: TableRow, hands: Sequence[HandEnded], ranking: Ranking) -> list[dict[str, object]]:
    places = {seat: 1 + sum(map(len, ranking[:index])) for index, equal in enumerate(ranking) for seat in equal}
    return [
        {
            "table_id": row.id,
            "seat": number,
            "guild_id": row.guild_id,
            "user_id": seat.user_id,
            "name": seat.name,
            "place": places[number],
            "total": hands[-1].totals[number],
            "hands": len(hands),
            "hands_won": sum(hand.winner == number for hand in hands),
            "conceded": seat.user_id is not None and seat.robot is not None,
        }
        for number, seat in enumerate(row.seats)
    ]


def _hands(row: TableRow, hands: Sequence[HandEnded]) -> list[dict[str, object]]:
    return [
        {
            "table_id": row.id,
            "hand": hand.hand,
            "seat": seat,
            "left": hand.left[seat],
            "points": hand.points[seat],
            "won": seat == hand.winner,
        }
        for hand in hands
        for seat in range(row.size)
    ]
