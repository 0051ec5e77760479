"""The results of hands and matches, as they are kept when each is over."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from sqlalchemy import func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.engine.events import HandEnded
from bot.engine.scoring import Ranking
from bot.storage.rows import TableRow
from bot.storage.schema import hand_players, match_players, matches, members
from bot.storage.upserts import upsert

Players: TypeAlias = Sequence[int | None]
"""Who has played a hand, seat by seat: people's ids, or None for an AI player."""
Figures: TypeAlias = Mapping[str, object]
"""What else is kept of a seat's hand, by the names of the columns."""


async def record_hand(
    connection: AsyncConnection, table_id: int, hand: HandEnded, players: Players, figures: Sequence[Figures]
) -> None:
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
                **more,
            }
            for number, (person, more) in enumerate(zip(players, figures, strict=True))
        ],
    )


async def record_match(
    connection: AsyncConnection,
    row: TableRow,
    hands: Sequence[HandEnded],
    players: Players,
    ranking: Ranking,
    at: int,
    season: int | None = None,
) -> bool:
    """Store the outcome of a match that has just ended (`at`: UTC seconds), all its hands recorded.

    `players` are those of its last hand. Gives whether only people have played.
    """
    hand = hand_players.c
    by_robot = select(hand.seat).where(hand.table_id == row.id, hand.user_id.is_(None)).limit(1)
    people_only = await connection.scalar(by_robot) is None
    last = await connection.scalar(select(func.max(matches.c.nth)).where(matches.c.guild_id == row.guild_id))
    await connection.execute(
        insert(matches).values(
            table_id=row.id,
            guild_id=row.guild_id,
            channel_id=row.channel_id,
            edition=row.edition,
            hands=len(hands),
            finished_at=at,
            people_only=people_only,
            season=season,
            nth=(last or 0) + 1,
        )
    )
    seats = _seats(row, hands, players, ranking)
    await connection.execute(insert(match_players), seats)
    await _remember_names(connection, seats)
    return people_only


async def _remember_names(connection: AsyncConnection, seats: Sequence[Mapping[str, Any]]) -> None:
    """Note by which name a server knows its members."""
    rows = [
        {"guild_id": seat["guild_id"], "user_id": seat["user_id"], "name": seat["name"], "rated": 0}
        for seat in seats
        if seat["user_id"] is not None
    ]
    new = upsert(connection, members)
    await connection.execute(
        new.on_conflict_do_update(index_elements=list(members.primary_key), set_={"name": new.excluded.name}), rows
    )


def _seats(row: TableRow, hands: Sequence[HandEnded], players: Players, ranking: Ranking) -> list[dict[str, object]]:
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
