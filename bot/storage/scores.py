"""The results of hands and matches, as they are kept when each is over."""

from collections.abc import Mapping, Sequence
from itertools import groupby, repeat
from operator import add, itemgetter
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


async def ended_hands(connection: AsyncConnection, table_id: int) -> list[HandEnded]:
    """The finished hands of a table, in order. Daily hands are not stored here."""
    hand = hand_players.c
    query = select(hand.hand, hand.left, hand.points, hand.won).where(hand.table_id == table_id)
    rows = await connection.execute(query.order_by(hand.hand, hand.seat))
    ended: list[HandEnded] = []
    for number, seats in groupby(rows, key=itemgetter(0)):
        _, left, points, won = zip(*seats, strict=True)
        totals = map(add, points, ended[-1].totals if ended else repeat(0))
        ended.append(HandEnded(number, won.index(True), left, points, tuple(totals)))
    return ended


async def record_match(
    connection: AsyncConnection,
    row: TableRow,
    last: HandEnded,
    players: Players,
    ranking: Ranking,
    at: int,
    season: int | None = None,
) -> bool:
    """Store the outcome of a match that has just ended (`at`: UTC seconds), all its hands recorded.

    `players` are those of its last hand. Returns whether only people have played.
    """
    hand = hand_players.c
    by_robot = select(hand.seat).where(hand.table_id == row.id, hand.user_id.is_(None)).limit(1)
    people_only = await connection.scalar(by_robot) is None
    newest = await connection.scalar(select(func.max(matches.c.nth)).where(matches.c.guild_id == row.guild_id))
    await connection.execute(
        insert(matches).values(
            table_id=row.id,
            guild_id=row.guild_id,
            channel_id=row.channel_id,
            edition=row.edition,
            hands=last.hand,
            finished_at=at,
            people_only=people_only,
            season=season,
            nth=(newest or 0) + 1,
        )
    )
    seats = _seats(row, last, await _hands_won(connection, row.id), players, ranking)
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


async def _hands_won(connection: AsyncConnection, table_id: int) -> dict[int, int]:
    """How many hands each seat has won; seats without one are left out."""
    hand = hand_players.c
    query = select(hand.seat, func.count().label("won")).where(hand.table_id == table_id, hand.won).group_by(hand.seat)
    return {row.seat: row.won for row in await connection.execute(query)}


def _seats(
    row: TableRow, last: HandEnded, won: Mapping[int, int], players: Players, ranking: Ranking
) -> list[dict[str, object]]:
    places = {seat: 1 + sum(map(len, ranking[:index])) for index, equal in enumerate(ranking) for seat in equal}
    return [
        {
            "table_id": row.id,
            "seat": number,
            "guild_id": row.guild_id,
            "user_id": seat.user_id if person is None else person,
            "name": seat.sitter_name if person is not None and person == seat.sitter_id else seat.name,
            "place": places[number],
            "total": last.totals[number],
            "hands": last.hand,
            "hands_won": won.get(number, 0),
            "conceded": seat.conceded,
            "by_robot": seat.user_id is not None and person is None,
        }
        for number, (seat, person) in enumerate(zip(row.seats, players, strict=True))
    ]
