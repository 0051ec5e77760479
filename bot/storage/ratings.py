"""Ratings as they are stored: the newest of each member, and what each match made of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Final, TypeAlias

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.bulk import selected
from bot.storage.schema import match_players, matches, members, ratings

SETTLED_AFTER: Final = 10
"""Rated matches; until then a rating is provisional."""
START: Final = 1000
"""Points of a newcomer, as ratings are shown."""
LEAD: Final = 200
"""Points more that mean finishing ahead of another player about three times in four."""
_SCALE: Final = 20
"""Points for one unit of openskill, so that `LEAD` is what it says for three or four settled players."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed about a player's skill, as a normal distribution; a newcomer has openskill's own values."""

    mu: float = 25.0
    sigma: float = 25.0 / 3
    matches: int = 0

    @property
    def points(self) -> int:
        """The rating as it is shown: the most likely value."""
        return _points(self.mu)

    @property
    def interval(self) -> tuple[int, int]:
        """The points between which the skill lies in 19 of 20 cases."""
        return _points(self.mu - 2 * self.sigma), _points(self.mu + 2 * self.sigma)

    @property
    def is_provisional(self) -> bool:
        """The player has too few rated matches for the rating to mean much."""
        return self.matches < SETTLED_AFTER


def _points(skill: float) -> int:
    return round(START + _SCALE * (skill - 25))


Rated: TypeAlias = Sequence[tuple[int | None, Rating]]
"""For each seat of a match who played it (None: a former player), and their rating after it."""


async def of_guild(connection: AsyncConnection, guild_id: int, users: Sequence[int] | None = None) -> dict[int, Rating]:
    """The ratings of a server's members, or of some of them; who has none is not there."""
    column = members.c
    query = select(column.user_id, column.mu, column.sigma, column.rated).where(
        column.guild_id == guild_id, column.mu.is_not(None)
    )
    if users is not None:
        query = query.where(column.user_id.in_(users))
    return await selected(connection, query, lambda rows: {row.user_id: Rating(*row[1:]) for row in rows})


async def race(connection: AsyncConnection, table_id: int) -> tuple[int, list[tuple[int | None, int]]]:
    """The guild of a match that is over; and for each seat its owner and their place."""
    column = match_players.c
    query = select(column.guild_id, column.user_id, column.place).where(column.table_id == table_id)
    found = list(await connection.execute(query.order_by(column.seat)))
    return found[0].guild_id, [(user, place) for _, user, place in found]


async def races(connection: AsyncConnection, guild_id: int) -> list[tuple[int, list[tuple[int | None, int]]]]:
    """Every rated match of a guild in the order of their ends: its table; by seat, its owner and their place."""
    player = match_players.c
    query = (
        select(matches.c.table_id, player.user_id, player.place)
        .join(match_players, player.table_id == matches.c.table_id)
        .where(matches.c.guild_id == guild_id, matches.c.rated)
        .order_by(matches.c.nth, player.seat)
    )
    found = await connection.execute(query)
    return [
        (number, [(user, place) for _, user, place in seats]) for number, seats in groupby(found, key=itemgetter(0))
    ]


async def replace_all(connection: AsyncConnection, guild_id: int, after: Sequence[tuple[int, Rated]]) -> None:
    """Store the ratings of a server anew: what each of its rated matches, in order, has made of them."""
    of_guild = members.c.guild_id == guild_id
    await connection.execute(delete(ratings).where(ratings.c.guild_id == guild_id))
    await connection.execute(update(members).where(of_guild).values(mu=None, sigma=None, rated=0))
    for number, seats in after:
        await connection.execute(insert(ratings), _rows(guild_id, number, seats))
    newest = {user: rating for _, seats in after for user, rating in seats if user is not None}
    await _save_newest(connection, guild_id, newest)


async def save(connection: AsyncConnection, guild_id: int, table_id: int, after: Rated) -> None:
    """Store what a match has made of ratings."""
    await connection.execute(insert(ratings), _rows(guild_id, table_id, after))
    await _save_newest(connection, guild_id, {user: new for user, new in after if user is not None})


def _rows(guild_id: int, table_id: int, after: Rated) -> list[dict[str, object]]:
    return [
        {"table_id": table_id, "seat": seat, "guild_id": guild_id, "user_id": user, "mu": new.mu, "sigma": new.sigma}
        for seat, (user, new) in enumerate(after)
    ]


async def _save_newest(connection: AsyncConnection, guild_id: int, newest: Mapping[int, Rating]) -> None:
    for user, new in newest.items():
        chosen = (members.c.guild_id == guild_id) & (members.c.user_id == user)
        await connection.execute(update(members).where(chosen).values(mu=new.mu, sigma=new.sigma, rated=new.matches))
