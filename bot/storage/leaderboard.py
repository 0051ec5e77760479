"""The sums on leaderboards: a row for each user, period and sort of match.

Rows are added to when a match ends, so a leaderboard reads a few thousand rows of one index, however many hands were
played.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from sqlalchemy import Row, bindparam, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.analysis.leaderboard import ALL_TIME, Standing, periods
from bot.analysis.par import HUNDREDTHS, ParResult, results
from bot.storage.bulk import fetch_converted
from bot.storage.database import upsert
from bot.storage.schema import hand_players, match_players, matches, members, scores, users

RESULT_COLUMNS: Final = ("matches", "wins", "absent", "hands", "points", "squares")
PAR_COLUMNS: Final = ("par_hands", "luck", "skill", "skill_squares")
SUM_COLUMNS: Final = (*RESULT_COLUMNS, *PAR_COLUMNS)
_SHOWN: Final = (*RESULT_COLUMNS, "par_hands", "skill", "skill_squares")
"""The sums that a leaderboard shows, in the order of `Standing`."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The matches that a leaderboard counts."""

    guild_id: int
    period: str = ALL_TIME
    """A key of `periods`."""
    channel_id: int | None = None
    edition: str | None = None
    people_only: bool | None = None
    """True: matches between people only; False: only other ones; None: all."""


async def add(connection: AsyncConnection, table_id: int, keys: Iterable[str]) -> None:
    """Add a stored match to the periods with these keys."""
    rows = await rows_of(connection, table_id, keys)
    if rows:
        new = upsert(connection, scores)
        grown = {name: scores.c[name] + new.excluded[name] for name in SUM_COLUMNS}
        await connection.execute(new.on_conflict_do_update(index_elements=list(scores.primary_key), set_=grown), rows)


async def add_pars(connection: AsyncConnection, table_id: int) -> None:
    """Add the luck and skill of a match that was added before its pars were known.

    Rows of users who were deleted since, and of seasons that were reset, don't come back.
    """
    found = matches.c
    ended = await connection.execute(select(found.finished_at, found.season).where(found.table_id == table_id))
    keys = [column.name for column in scores.primary_key]
    for finished_at, season in ended.all():
        rows = await rows_of(connection, table_id, periods(finished_at, season))
        known = [{f"new_{name}": value for name, value in row.items()} for row in rows if row["par_hands"]]
        if known:
            own = [scores.c[name] == bindparam(f"new_{name}") for name in keys]
            grown = {name: scores.c[name] + bindparam(f"new_{name}") for name in PAR_COLUMNS}
            await connection.execute(update(scores).where(*own).values(grown), known)


async def rows_of(connection: AsyncConnection, table_id: int, keys: Iterable[str]) -> list[dict[str, Any]]:
    """The rows of `scores` that a stored match adds; none if it was deleted."""
    found = matches.c
    of_match = select(found.guild_id, found.channel_id, found.edition, found.people_only).where(
        found.table_id == table_id
    )
    match = (await connection.execute(of_match)).mappings().one_or_none()
    if match is None:
        return []
    sums = await _sums(connection, table_id)
    return [
        {**match, "period": period, "user_id": user_id, **counted}
        for period in keys
        for user_id, counted in sums.items()
    ]


async def _sums(connection: AsyncConnection, table_id: int) -> dict[int, dict[str, int]]:
    """The sums of a match by user: matches count for the owners of seats, hands for those who played them."""
    player, hand = match_players.c, hand_players.c
    counted: dict[int, dict[str, int]] = {}

    def of(user_id: int) -> dict[str, int]:
        return counted.setdefault(user_id, dict.fromkeys(SUM_COLUMNS, 0))

    ended = select(player.user_id, player.place, player.absent).where(
        player.table_id == table_id, player.user_id.is_not(None)
    )
    for user_id, place, absent in await connection.execute(ended):
        sums = of(user_id)
        sums["matches"] += 1
        sums["wins"] += place == 1 and not absent
        sums["absent"] += absent
    played = (
        select(hand.user_id, func.count(), func.sum(hand.points), func.sum(hand.points * hand.points))
        .where(hand.table_id == table_id, hand.user_id.is_not(None))
        .group_by(hand.user_id)
    )
    for user_id, hands, points, squares in await connection.execute(played):
        sums = of(user_id)
        sums["hands"] += hands
        sums["points"] += points
        sums["squares"] += squares
    for user_id, result in await _results(connection, table_id):
        sums = of(user_id)
        sums["par_hands"] += 1
        sums["luck"] += round(HUNDREDTHS * result.luck)
        skill = round(HUNDREDTHS * result.skill)
        sums["skill"] += skill
        sums["skill_squares"] += skill * skill
    return counted


async def _results(connection: AsyncConnection, table_id: int) -> list[tuple[int, ParResult]]:
    """The users who played the hands of a match with a known par, and their results."""
    hand = hand_players.c
    known = select(hand.hand, hand.user_id, hand.points, hand.par).where(
        hand.table_id == table_id, hand.par.is_not(None)
    )
    rows = (await connection.execute(known.order_by(hand.hand, hand.seat))).all()
    found: list[tuple[int, ParResult]] = []
    for _, seats in groupby(rows, key=itemgetter(0)):
        _, users, points, pars = zip(*seats, strict=True)
        each = results(points, [par / HUNDREDTHS for par in pars])
        found += [(user, result) for user, result in zip(users, each, strict=True) if user is not None]
    return found


async def standings(connection: AsyncConnection, scope: Scope, *, with_skill: bool = True) -> list[Standing]:
    """The sums of all users, unordered, without hidden users. Without skill it takes less time."""
    column, sums = scores.c, _SHOWN if with_skill else RESULT_COLUMNS
    chosen = [column.guild_id == scope.guild_id, column.period == scope.period, users.c.hidden.is_not(True)]
    if scope.channel_id is not None:
        chosen.append(column.channel_id == scope.channel_id)
    if scope.edition is not None:
        chosen.append(column.edition == scope.edition)
    if scope.people_only is not None:
        chosen.append(column.people_only == scope.people_only)
    query = (
        select(column.user_id, members.c.name, *(func.sum(column[name]) for name in sums))
        .join(members, (members.c.guild_id == column.guild_id) & (members.c.user_id == column.user_id))
        .outerjoin(users, users.c.user_id == column.user_id)
        .where(*chosen)
        .group_by(column.user_id, members.c.name)
    )
    return await fetch_converted(connection, query, _standings)


def _standings(rows: Iterable[Row[Any]]) -> list[Standing]:
    lines: Iterable[tuple[Any, ...]] = map(tuple, rows)
    return [Standing(user_id, name, *map(int, sums)) for user_id, name, *sums in lines]
