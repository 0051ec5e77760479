"""Finished matches of a server, the newest first; and records that somebody has brought to look at."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import delete, func, insert, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.schema import imports, match_players, matches


@dataclass(frozen=True, slots=True)
class Finisher:
    """Somebody at the end of a match."""

    name: str
    place: int
    total: int
    is_robot: bool


@dataclass(frozen=True, slots=True)
class Finished:
    """A match that was played to its end."""

    number: int
    """Of its table."""
    at: int
    """UTC seconds."""
    edition: str
    hands: int
    players: tuple[Finisher, ...]
    """Best first."""


@dataclass(frozen=True, slots=True)
class Whose:
    """Of which matches of a server a list tells."""

    guild_id: int
    user_id: int | None = None
    channels: Collection[int] = ()
    """None: of all."""


async def finished(connection: AsyncConnection, whose: Whose, skip: int, most: int) -> list[Finished]:
    """So many of the finished matches, without the newest `skip`."""
    match = matches.c
    chosen = [match.guild_id == whose.guild_id]
    if whose.user_id is not None:
        player = match_players.c
        theirs = select(player.table_id).where(player.guild_id == whose.guild_id, player.user_id == whose.user_id)
        chosen.append(match.table_id.in_(theirs))
    if whose.channels:
        chosen.append(match.channel_id.in_(whose.channels))
    query = select(match.table_id, match.finished_at, match.edition, match.hands).where(*chosen)
    found = list(await connection.execute(query.order_by(match.nth.desc()).offset(skip).limit(most)))
    players = await _players(connection, [number for number, *_ in found])
    return [Finished(number, at, edition, hands, tuple(players[number])) for number, at, edition, hands in found]


async def _players(connection: AsyncConnection, numbers: Collection[int]) -> dict[int, list[Finisher]]:
    player = match_players.c
    place = func.rank().over(partition_by=player.table_id, order_by=player.total)  # at the table, whoever was absent
    query = (
        select(player.table_id, player.name, place, player.total, player.user_id.is_(None))
        .where(player.table_id.in_(numbers))
        .order_by(player.table_id, player.total, player.seat)
    )
    found: dict[int, list[Finisher]] = {number: [] for number in numbers}
    for number, name, rank, total, is_robot in await connection.execute(query):
        found[number].append(Finisher(name, rank, total, bool(is_robot)))
    return found


async def keep_import(connection: AsyncConnection, user_id: int, record: str, at: int, forget_before: int) -> int:
    """Keep a record for whoever brought it (`at`: UTC seconds), in place of their last one; gives its number.

    What was brought by anybody before `forget_before` is forgotten.
    """
    old = or_(imports.c.user_id == user_id, imports.c.at < forget_before)
    await connection.execute(delete(imports).where(old))
    values = {"user_id": user_id, "record": record, "at": at}
    number: int = (await connection.execute(insert(imports).values(values).returning(imports.c.id))).scalar_one()
    return number


async def load_import(connection: AsyncConnection, user_id: int, number: int) -> str | None:
    """A record that this person has brought; None where it is forgotten."""
    query = select(imports.c.record).where(imports.c.id == number, imports.c.user_id == user_id)
    record: str | None = await connection.scalar(query)
    return record
