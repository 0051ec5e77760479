"""Recounting from the logs: correct results stay, wrong ones are corrected, and matches can end during a recount."""

from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest
from sqlalchemy import Table, delete, insert, select, update

from bot import __main__
from bot.engine import Options
from bot.services import recount
from bot.services.deletions import Deletions
from bot.services.guild_settings import Guilds
from bot.services.privacy import Privacy
from bot.services.recount import Report
from bot.services.titles import Titles
from bot.storage import erasure, leaderboard, user_settings
from bot.storage.connection import AsyncConnection
from bot.storage.database import Database
from bot.storage.recounts import Row
from bot.storage.schema import hand_players, match_players, members, ratings, scores, title_stats, titles
from bot.storage.schema import matches as finished
from bot.table.user import UserSettings
from tests.services.test_results import with_substitute
from tests.simulated_matches import CLUB, record
from tests.table_harness import EVE, TableHarness

GUILD = CLUB.guild_id
RESULTS = (hand_players, match_players, finished, scores, ratings, members, title_stats)


@pytest.fixture
def database(any_database: Database) -> Database:
    """Every test of this module runs on both engines."""
    return any_database


async def play(database: Database, count: int, first: int = 0) -> None:
    for number in range(first, first + count):
        await record(database, number, Random(number), replace(CLUB, targets=(5, 50)))


async def rows(database: Database, table: Table) -> list[tuple[object, ...]]:
    async with database.read() as connection:
        return sorted(map(tuple, await connection.execute(select(table))), key=repr)


async def everything(database: Database) -> list[list[tuple[object, ...]]]:
    return [await rows(database, table) for table in RESULTS]


def silent(_guild: int, _done: int, _of: int) -> None:
    pass


async def recounted(database: Database) -> Report:
    return await recount.recount(database, GUILD, CLUB.since, silent)


async def test_correct_results_are_unchanged(database: Database) -> None:
    await play(database, 12)
    before = await everything(database)
    assert await recounted(database) == Report(GUILD, 12)
    assert await everything(database) == before


async def test_wrong_results_are_corrected(database: Database) -> None:
    await play(database, 12)
    before, held = await everything(database), await Titles(database).held(GUILD)
    async with database.write() as connection:
        await connection.execute(update(hand_players).values(blocked=99, seconds=[0], by_owner=False, user_id=None))
        await connection.execute(update(match_players).values(absent=True, place=4, total=7))
        await connection.execute(update(finished).values(rated=True, people_only=False))
        await connection.execute(update(members).values(mu=3, sigma=1, rated=80))
        for table in (scores, ratings, title_stats, titles):
            await connection.execute(delete(table))
        await connection.execute(
            insert(title_stats).values({**dict.fromkeys(title_stats.c.keys(), 9), "guild_id": GUILD})
        )
    report = await recounted(database)
    assert await everything(database) == before
    assert {title: holder.value for title, holder in (await Titles(database).held(GUILD)).items()} == {
        title: holder.value for title, holder in held.items()
    }
    assert (report.matches, report.corrected, report.titles) == (12, 12, len(held))
    assert report.ratings > 0
    assert report.entries == len(before[RESULTS.index(scores)])
    assert await recounted(database) == Report(GUILD, 12)


async def test_a_match_that_ends_during_a_recount_counts_once(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await play(database, 3)
    original = leaderboard.rows_of

    async def and_another_match_ends(connection: AsyncConnection, number: int, periods: Iterable[str]) -> list[Row]:
        found = await original(connection, number, periods)
        monkeypatch.setattr(leaderboard, "rows_of", original)
        await play(database, 1, first=3)
        return found

    monkeypatch.setattr(leaderboard, "rows_of", and_another_match_ends)
    done: list[tuple[int, int]] = []
    report = await recount.recount(database, GUILD, CLUB.since, lambda _, number, of: done.append((number, of)))
    assert report == Report(GUILD, 4)
    assert done == [(1, 3), (2, 3), (3, 3), (4, 4)]


async def test_a_match_deleted_during_a_recount_is_left_out(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await play(database, 3)
    original = leaderboard.rows_of

    async def and_the_guild_is_forgotten(connection: AsyncConnection, number: int, periods: Iterable[str]) -> list[Row]:
        monkeypatch.setattr(leaderboard, "rows_of", original)
        await Guilds(database, lambda: 0).record_leave(GUILD)
        async with database.write() as writer:
            while await erasure.delete_guild(writer, GUILD, left_before=1, limit=20) is not None:
                pass
        return await original(connection, number, periods)

    monkeypatch.setattr(leaderboard, "rows_of", and_the_guild_is_forgotten)
    assert (await recounted(database)).corrected == 0
    assert await rows(database, scores) == []


async def test_moves_of_a_deleted_substitute_are_not_the_deleted_owners(harness: TableHarness) -> None:
    table, owner = await with_substitute(harness, Options(target=50))
    table = await harness.play_to_end(table)
    deletions = Deletions(harness.database, harness.tables, harness.clock.milliseconds)
    for user in (owner, EVE.user_id):
        await deletions.delete(user)
    before = await everything(harness.database)
    report = await recount.recount(harness.database, table.row.guild_id, CLUB.since, silent)
    assert (report.matches, report.corrected) == (1, 0)
    assert await everything(harness.database) == before


@pytest.mark.usefixtures("any_target")
async def test_titles_of_deleted_and_hidden_members_are_reassigned_immediately(harness: TableHarness) -> None:
    for _ in range(6):
        await harness.play_to_end(await harness.match(3, 0))
    privacy, found = Privacy(harness.database, harness.exports, harness.clock.milliseconds), Titles(harness.database)
    held = await found.held(70)
    assert held
    title, first = next(iter(held.items()))
    await privacy.hide(first.user_id, hidden=True)
    second = (await found.held(70)).get(title)
    assert second is None or second.user_id != first.user_id
    async with harness.database.write() as connection:
        await user_settings.save(connection, first.user_id, UserSettings())
    await Deletions(harness.database, harness.tables, harness.clock.milliseconds).delete(first.user_id)
    assert first.user_id not in {holder.user_id for holder in (await found.held(70)).values()}
    assert {*held} >= {*(await found.held(70))}
    async with harness.database.read() as connection:
        stored = {row.user_id for row in await connection.execute(select(titles.c.user_id))}
    assert stored == {holder.user_id for holder in (await found.held(70)).values()}


def test_a_missing_database_is_named(
    clean_environment: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_URL", "sqlite+aiosqlite:///nowhere.sqlite3")
    assert __main__.main(["recount"]) == 2
    assert "the file nowhere.sqlite3 doesn't exist" in capsys.readouterr().err


def test_the_command_says_what_has_changed(
    any_url: str, clean_environment: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_URL", any_url)
    assert __main__.main(["recount"]) == 0
    assert capsys.readouterr().out == "Servers recounted: 0.\n"
