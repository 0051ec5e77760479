"""Pars of finished matches: computed by the process of AI players, and added to leaderboards and profiles."""

from collections.abc import AsyncIterator
from typing import Final

import pytest
from sqlalchemy import func, select, update

from bot.analysis.leaderboard import LeaderboardQuery, Order, Period, RankedMember
from bot.analysis.par import HUNDREDTHS, results
from bot.services import recount, thinking
from bot.services.background import Background
from bot.services.leaderboard import Leaderboards
from bot.services.par import HANDS_AT_ONCE, Pars
from bot.services.profile import Profiles
from bot.services.thinking import Thinking
from bot.storage import leaderboard, par
from bot.storage.database import Database
from bot.storage.schema import hand_players, scores, tables
from bot.storage.schema import matches as finished
from tests.not_none import not_none
from tests.services.test_recount import GUILD, everything, silent
from tests.services.test_recount import play_matches as play_any
from tests.services.thoughts import die_comparing, no_numba, nothing, par_by_seat
from tests.simulated_matches import CLUB

pytestmark = pytest.mark.usefixtures("machine_code")

SKILL: Final = LeaderboardQuery(Order.SKILL, people_only=None)


@pytest.fixture
async def process(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Thinking]:
    """The process of AI players, ready at once. The par of each seat is its number."""
    monkeypatch.setattr(thinking, "warm_up", nothing)
    monkeypatch.setattr(thinking, "par_of", par_by_seat)
    ours = Thinking()
    try:
        ours.is_ready()
        await not_none(ours._warming)
        yield ours
    finally:
        await ours.close()


async def play(database: Database, count: int) -> None:
    """Store matches whose deals are public."""
    await play_any(database, count)
    async with database.write() as connection:
        await connection.execute(update(tables).values(deals_secret=False))


async def places(database: Database, query: LeaderboardQuery = SKILL) -> list[RankedMember]:
    return await Leaderboards(database, lambda: CLUB.since * 1000).places(GUILD, query)


async def due(database: Database) -> int:
    async with database.read() as connection:
        return await connection.scalar(select(func.count()).where(finished.c.par_due)) or 0


async def expected(database: Database) -> dict[int, tuple[int, int]]:
    """By user: the hands, and the skill in hundredths if the par of each seat is its number."""
    found: dict[int, tuple[int, int]] = {}
    hand = hand_players.c
    query = select(hand.table_id, hand.hand, hand.user_id, hand.points).order_by(hand.table_id, hand.hand, hand.seat)
    by_hand: dict[tuple[int, int], list[tuple[int | None, int]]] = {}
    async with database.read() as connection:
        for table_id, number, user, points in await connection.execute(query):
            by_hand.setdefault((table_id, number), []).append((user, points))
    for seats in by_hand.values():
        each = results([points for _, points in seats], [float(seat) for seat in range(len(seats))])
        for (user, _), result in zip(seats, each, strict=True):
            if user is not None:
                hands, skill = found.get(user, (0, 0))
                found[user] = hands + 1, skill + round(HUNDREDTHS * result.skill)
    return found


async def test_pars_are_computed_once_and_count_on_leaderboards(database: Database, process: Thinking) -> None:
    await play(database, 5)
    assert await places(database) == []
    ours = Pars(database, process, Background())
    while await due(database):
        await ours.compute(0)
    wanted = await expected(database)
    found = await places(database)
    assert {each.standing.user_id: (each.standing.par_hands, each.standing.skill) for each in found} == wanted
    skills = [each.standing.safe_skill for each in found]
    assert skills == sorted(skills, reverse=True)
    assert {each.standing.user_id for each in await places(database, LeaderboardQuery(Order.SKILL, Period.MONTH))} <= {
        *wanted
    }
    before = await everything(database)
    await ours.compute(0)
    async with database.write() as connection:
        await par.store(connection, 1, {1: [9, 9, 9]})
    assert await everything(database) == before
    assert await recount.recount(database, GUILD, CLUB.since, silent) == recount.Report(GUILD, 5)
    assert await everything(database) == before


async def test_the_newest_matches_come_first_and_a_run_is_short(database: Database, process: Thinking) -> None:
    await play(database, 3)
    async with database.read() as connection:
        newest = await connection.scalar(select(func.max(finished.c.table_id)))
        assert await par.newest_due(connection) == newest
        hands = select(finished.c.hands).order_by(finished.c.table_id.desc())
        counts = list(await connection.scalars(hands))
    await Pars(database, process, Background()).compute(0)
    done = next(number for number in range(4) if number == 3 or sum(counts[:number]) >= HANDS_AT_ONCE)
    assert await due(database) == 3 - done


async def test_deals_that_others_still_play_wait(database: Database, process: Thinking) -> None:
    await play(database, 1)
    for is_secret, left in ((True, 1), (False, 0)):
        async with database.write() as connection:
            await connection.execute(update(tables).values(deals_secret=is_secret))
        await Pars(database, process, Background()).compute(0)
        assert await due(database) == left


async def test_a_user_who_was_deleted_meanwhile_does_not_come_back(database: Database, process: Thinking) -> None:
    await play(database, 2)
    users = [*await expected(database)]
    ours = Pars(database, process, Background())
    async with database.write() as connection:
        await connection.execute(scores.delete().where(scores.c.user_id == users[0]))
        await connection.execute(update(hand_players).where(hand_players.c.user_id == users[0]).values(user_id=None))
    while await due(database):
        await ours.compute(0)
    async with database.read() as connection:
        assert users[0] not in {*await connection.scalars(select(scores.c.user_id))}


async def test_pars_that_arrive_during_a_recount_count_once(
    database: Database, process: Thinking, monkeypatch: pytest.MonkeyPatch
) -> None:
    await play(database, 3)
    original = leaderboard.rows_of

    async def and_pars_arrive(*args: object) -> object:
        found = await original(*args)  # type: ignore[arg-type]
        monkeypatch.setattr(leaderboard, "rows_of", original)
        while await due(database):
            await Pars(database, process, Background()).compute(0)
        return found

    monkeypatch.setattr(leaderboard, "rows_of", and_pars_arrive)
    await recount.recount(database, GUILD, CLUB.since, silent)
    found = await places(database)
    assert {each.standing.user_id: (each.standing.par_hands, each.standing.skill) for each in found} == await expected(
        database
    )


async def test_a_profile_has_luck_and_skill(database: Database, process: Thinking) -> None:
    await play(database, 2)
    while await due(database):
        await Pars(database, process, Background()).compute(0)
    for user, (hands, skill) in (await expected(database)).items():
        profile = not_none(await Profiles(database).get(GUILD, user, user))
        assert (profile.luck.hands, profile.luck.skill) == (hands, skill / HUNDREDTHS / hands)


async def test_without_the_process_pars_stay_due(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    await play(database, 1)
    await Pars(database, None, Background()).compute(0)
    monkeypatch.setattr(thinking, "warm_up", no_numba)
    ours = Thinking()
    try:
        await Pars(database, ours, Background()).compute(0)
        await not_none(ours._warming)
        await Pars(database, ours, Background()).compute(0)
    finally:
        await ours.close()
    assert await due(database) == 1


async def test_a_process_that_dies_leaves_the_match_for_later(
    database: Database, process: Thinking, monkeypatch: pytest.MonkeyPatch
) -> None:
    await play(database, 1)
    monkeypatch.setattr(thinking, "par_of", die_comparing)
    await Pars(database, process, Background()).compute(0)
    assert await due(database) == 1


async def test_a_log_that_cannot_be_read_is_tried_once(
    database: Database, process: Thinking, caplog: pytest.LogCaptureFixture
) -> None:
    await play(database, 1)
    async with database.write() as connection:
        await connection.exec_driver_sql('UPDATE events SET line = \'{"t": "pass", "seat": 0}\' WHERE seq = 0')
    await Pars(database, process, Background()).compute(0)
    assert await due(database) == 0
    assert "has no par" in caplog.text
