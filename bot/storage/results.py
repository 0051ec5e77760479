"""The results of completed hands and finished matches."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import TypeAlias

from sqlalchemy import func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.engine.events import HandEnded
from bot.storage.database import put_rows
from bot.storage.schema import hand_players, match_players, matches, members, substitutes
from bot.table.model import TableRow

HandColumns: TypeAlias = Mapping[str, object]
"""The columns of a seat's hand besides its points: who played it, and statistics."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a match for the owner of a seat."""

    place: int
    total: int
    absent: bool


async def record_hand(
    connection: AsyncConnection, table_id: int, hand: HandEnded, columns: Sequence[HandColumns]
) -> None:
    """Store the result of a hand that has just ended."""
    await connection.execute(insert(hand_players), hand_rows(table_id, hand, columns))


def hand_rows(table_id: int, hand: HandEnded, columns: Sequence[HandColumns]) -> list[dict[str, object]]:
    """The rows of a completed hand, one for each seat."""
    return [
        {
            "table_id": table_id,
            "hand": hand.hand,
            "seat": seat,
            "left": hand.left[seat],
            "points": hand.points[seat],
            "won": seat == hand.winner,
            **more,
        }
        for seat, more in enumerate(columns)
    ]


async def points_of(connection: AsyncConnection, table_id: int) -> list[tuple[Sequence[int], Sequence[bool]]]:
    """The completed hands of a table: the points by seat, and True for each owner who played the hand."""
    hand = hand_players.c
    query = select(hand.hand, hand.points, hand.by_owner).where(hand.table_id == table_id)
    rows = await connection.execute(query.order_by(hand.hand, hand.seat))
    found: list[tuple[Sequence[int], Sequence[bool]]] = []
    for _, seats in groupby(rows, key=itemgetter(0)):
        _, points, by_owner = zip(*seats, strict=True)
        found.append((points, by_owner))
    return found


async def substitutes_of(connection: AsyncConnection, table_id: int) -> dict[tuple[int, str], int]:
    """All users who have ever substituted at a table, by seat and name."""
    query = select(substitutes.c.seat, substitutes.c.name, substitutes.c.user_id).where(
        substitutes.c.table_id == table_id
    )
    return {(seat, name): user_id for seat, name, user_id in await connection.execute(query)}


async def ended_hands(connection: AsyncConnection, table_id: int) -> list[HandEnded]:
    """The results of a table's completed hands, in order. Hands of the day aren't stored here."""
    hand = hand_players.c
    query = select(hand.hand, hand.left, hand.points, hand.won).where(hand.table_id == table_id)
    rows = await connection.execute(query.order_by(hand.hand, hand.seat))
    ended: list[HandEnded] = []
    for number, seats in groupby(rows, key=attrgetter("hand")):
        of_hand = list(seats)
        points = tuple(seat.points for seat in of_hand)
        before = ended[-1].totals if ended else (0,) * len(points)
        totals = tuple(total + more for total, more in zip(before, points, strict=True))
        winner = next(seat for seat, row in enumerate(of_hand) if row.won)
        ended.append(HandEnded(number, winner, tuple(seat.left for seat in of_hand), points, totals))
    return ended


async def winners_of(connection: AsyncConnection, table_id: int) -> set[int] | None:
    """The seats that have won a match on leaderboards; None if it doesn't count."""
    player = match_players.c
    query = select(player.seat, player.place, player.absent).where(player.table_id == table_id)
    rows = (await connection.execute(query)).all()
    return {row.seat for row in rows if row.place == 1 and not row.absent} if rows else None


async def record_match(
    connection: AsyncConnection,
    row: TableRow,
    outcomes: Sequence[Outcome],
    hands: int,
    at: int,
    season: int | None = None,
    *,
    rated: bool = False,
) -> None:
    """Store the result of a match that has just ended, after all its hands (`at`: UTC seconds)."""
    newest = await connection.scalar(select(func.max(matches.c.nth)).where(matches.c.guild_id == row.guild_id))
    nth = (newest or 0) + 1
    await connection.execute(
        insert(matches).values(
            table_id=row.id,
            guild_id=row.guild_id,
            channel_id=row.channel_id,
            edition=row.edition,
            hands=hands,
            finished_at=at,
            people_only=not any(seat.is_ai for seat in row.seats),
            rated=rated,
            season=season,
            nth=nth,
            par_due=True,
        )
    )
    won = await _hands_won(connection, row.id)
    await connection.execute(insert(match_players), _owners(row, outcomes, hands, won, nth))
    owners = {seat.user_id: seat.name for seat in row.seats}
    await put_rows(connection, members, await member_rows(connection, row.guild_id, row.id, owners), ["name"])


def _owners(
    row: TableRow, outcomes: Sequence[Outcome], hands: int, won: Mapping[int, int], nth: int
) -> list[dict[str, object]]:
    return [
        {
            "table_id": row.id,
            "seat": number,
            "guild_id": row.guild_id,
            "user_id": seat.user_id,
            "name": seat.name,
            "hands": hands,
            "hands_won": won.get(number, 0),
            "conceded": seat.conceded,
            "nth": nth,
            **asdict(outcome),
        }
        for number, (seat, outcome) in enumerate(zip(row.seats, outcomes, strict=True))
    ]


async def _hands_won(connection: AsyncConnection, table_id: int) -> dict[int, int]:
    """The number of hands won by each seat. Seats without any are missing."""
    hand = hand_players.c
    query = select(hand.seat, func.count().label("won")).where(hand.table_id == table_id, hand.won).group_by(hand.seat)
    return {row.seat: row.won for row in await connection.execute(query)}


async def member_rows(
    connection: AsyncConnection, guild_id: int, table_id: int, owners: Mapping[int | None, str]
) -> list[dict[str, object]]:
    """The rows of new members of a guild: the owners and substitutes of a match, with their names."""
    names = dict(owners)
    for (_, name), user_id in (await substitutes_of(connection, table_id)).items():
        names.setdefault(user_id, name)
    return [
        {"guild_id": guild_id, "user_id": user_id, "name": name, "rated": 0}
        for user_id, name in names.items()
        if user_id is not None
    ]
