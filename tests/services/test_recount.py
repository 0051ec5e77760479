"""Recounting from the logs: correct results stay, wrong ones are corrected, and matches can end during a recount."""

import asyncio
import threading
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from itertools import cycle
from random import Random
from typing import Any

import pytest
from sqlalchemy import Table, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot import __main__
from bot.engine import Options
from bot.services import recount, rerating
from bot.services.deletions import Deletions
from bot.services.guild_settings import Guilds
from bot.services.privacy import Privacy
from bot.services.recount import Report
from bot.services.titles import Titles
from bot.storage import leaderboard, retention, user_settings
from bot.storage.database import Database
from bot.storage.recount import Row
from bot.storage.schema import hand_players, match_players, members, metadata, ratings, scores, title_stats, titles
from bot.storage.schema import matches as finished
from bot.table import absence, consent, play
from bot.table.lobby import Person
from bot.table.model import Pace, Status
from bot.table.refusals import Refusal
from bot.table.snapshot import Table as GameTable
from bot.table.user import UserSettings
from tests.services.test_results import THREE, places, with_substitute
from tests.simulated_matches import CLUB, record
from tests.table_harness import ADA, BO, CY, EVE, ONE_HAND, START, TableHarness, requester, user_to_act
from tests.table_harness import GUILD as HOME

GUILD = CLUB.guild_id
RESULTS = (hand_players, match_players, finished, scores, ratings, members, title_stats)


async def play_matches(database: Database, count: int, first: int = 0) -> None:
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


async def test_wrong_results_are_corrected(database: Database) -> None:
    await play_matches(database, 12)
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
    await play_matches(database, 3)
    original = leaderboard.rows_of

    async def and_another_match_ends(connection: AsyncConnection, number: int, periods: Iterable[str]) -> list[Row]:
        found = await original(connection, number, periods)
        monkeypatch.setattr(leaderboard, "rows_of", original)
        await play_matches(database, 1, first=3)
        return found

    monkeypatch.setattr(leaderboard, "rows_of", and_another_match_ends)
    done: list[tuple[int, int]] = []
    report = await recount.recount(database, GUILD, CLUB.since, lambda _, number, of: done.append((number, of)))
    assert report == Report(GUILD, 4)
    assert done == [(1, 3), (2, 3), (3, 3), (4, 4)]


async def test_matches_of_a_season_that_is_reset_during_a_recount_do_not_come_back(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    guilds, manager = Guilds(database, lambda: CLUB.since * 1000), requester(1, GUILD)
    await guilds.begin_season(manager, "Spring")
    await play_matches(database, 3)
    original = leaderboard.rows_of

    async def and_the_season_is_reset(connection: AsyncConnection, number: int, periods: Iterable[str]) -> list[Row]:
        monkeypatch.setattr(leaderboard, "rows_of", original)
        found = await original(connection, number, periods)
        await guilds.reset_season(manager, 1)
        await play_matches(database, 1, first=3)
        return found

    monkeypatch.setattr(leaderboard, "rows_of", and_the_season_is_reset)
    await recounted(database)
    async with database.read() as connection:
        season = await leaderboard.standings(connection, leaderboard.Scope(GUILD, "s1"))
    assert {standing.matches for standing in season} == {1}


async def test_a_user_deleted_while_ratings_are_computed_again_stays_deleted(
    harness: TableHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    database, user = harness.database, CLUB.people["Player 0"]
    await play_matches(database, 3)
    async with database.write() as connection:
        await connection.execute(update(ratings).values(mu=ratings.c.mu + 1))  # so that all are stored again
    original = rerating._differences

    def and_the_user_is_deleted(*facts: Any) -> Any:  # noqa: ANN401  # those of the replaced function
        monkeypatch.setattr(rerating, "_differences", original)
        loop.call_soon_threadsafe(deleting.set)
        deleted.wait()
        return original(*facts)

    loop, deleting, deleted = asyncio.get_running_loop(), asyncio.Event(), threading.Event()
    monkeypatch.setattr(rerating, "_differences", and_the_user_is_deleted)
    computing = asyncio.create_task(rerating.rate_again(database, GUILD))
    await deleting.wait()
    assert await Deletions(database, harness.tables, harness.clock.milliseconds).delete(user)
    deleted.set()
    await computing
    async with database.read() as connection:
        for rows in (ratings, members, match_players):
            assert user not in {*await connection.scalars(select(rows.c.user_id))}


async def test_a_match_deleted_during_a_recount_is_left_out(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await play_matches(database, 3)
    original = leaderboard.rows_of

    async def and_the_guild_is_forgotten(connection: AsyncConnection, number: int, periods: Iterable[str]) -> list[Row]:
        monkeypatch.setattr(leaderboard, "rows_of", original)
        await Guilds(database, lambda: 0).record_leave(GUILD)
        async with database.write() as writer:
            while await retention.delete_guild(writer, GUILD, left_before=1, limit=20) is not None:
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


FAY = Person(110, "Fay")


async def seated(harness: TableHarness, table: GameTable, person: Person, others: list[Person]) -> GameTable:
    """The table with this person as the player of the seat to act, which they own or substitute at."""
    if table.turn is None or table.seats[table.turn].player_id == person.user_id:
        return table
    if table.seats[table.turn].user_id == person.user_id:
        return await harness.tables.act(table.id, absence.come_back, person.user_id)
    while table.row.clock is not None and not table.row.clock.is_up:
        table = await harness.run_due_action(table)
    caller = others[0].user_id
    table = await harness.tables.act(table.id, absence.answer, caller, table.moment, absence.call_substitute)
    return await harness.tables.act(table.id, absence.sit_in, person, table.moment)


async def disturb(harness: TableHarness, table: GameTable, rng: Random) -> None:
    """Try something that isn't a move: leave, come back, sit in, wait, be deleted, or end the match."""
    act, owner, guest = harness.tables.act, rng.choice(THREE), rng.choice((EVE, FAY))
    with suppress(Refusal):
        match rng.choice(
            ("concede", "sit in", "sit in", "sit in", "return", "return", "wait", "delete", "close", "agree")
        ):
            case "concede":
                await act(table.id, play.concede, rng.choice((owner, guest)).user_id)
            case "sit in":
                await seated(harness, table, guest, [owner])
            case "return":
                await act(table.id, absence.come_back, owner.user_id)
            case "delete" if rng.random() < 0.3:
                deletions = Deletions(harness.database, harness.tables, harness.clock.milliseconds)
                await deletions.delete(rng.choice((owner, guest)).user_id)
            case "wait":
                await harness.run_due_action(table)
            case "close" if rng.random() < 0.5:
                await act(table.id, consent.close, rng.choice((owner, guest)).user_id, may_manage=True)
            case "agree" if rng.random() < 0.5:
                for person in (*THREE, EVE, FAY):
                    with suppress(Refusal):
                        await act(table.id, consent.agree_to_end, person.user_id)


async def random_match(harness: TableHarness, rng: Random) -> str | None:
    """A rated match with absent players and managers. Returns the reason if it was abandoned."""
    table = await harness.match(3, 0, Options(target=rng.choice((1, 20))), rng.choice((Pace.LIVE, Pace.NONE)))
    while table.row.status is Status.PLAYING:
        if rng.random() < 0.1:
            await disturb(harness, table, rng)
            table = await harness.tables.get(table.id)
        else:
            table = await harness.act(table)
    return table.row.ended


@pytest.mark.usefixtures("any_target")
async def test_a_recount_after_any_deletion_changes_nothing(harness: TableHarness) -> None:
    rng, ended = Random(1), set[str | None]()
    deletions = Deletions(harness.database, harness.tables, harness.clock.milliseconds)
    for _ in range(8):
        ended |= {await random_match(harness, rng) for _ in range(3)}
        await deletions.delete(rng.choice((*THREE, EVE, FAY)).user_id)
        before = [await rows(harness.database, table) for table in metadata.sorted_tables]
        report = await recount.recount(harness.database, HOME, START // 1000, silent)
        assert report == Report(HOME, report.matches)
        assert [await rows(harness.database, table) for table in metadata.sorted_tables] == before
    assert {None, "closed"} < ended


async def test_moves_of_two_deleted_substitutes_are_not_added_up(harness: TableHarness) -> None:
    table = await harness.match(3, 0, ONE_HAND, Pace.LIVE)
    seat = table.turn
    owner, *others = sorted(THREE, key=lambda person: person.user_id != user_to_act(table))
    players = cycle((owner, EVE, FAY))
    while table.row.status is Status.PLAYING:
        table = await seated(harness, table, next(players), others) if table.turn == seat else table
        table = await harness.act(table)
    deletions = Deletions(harness.database, harness.tables, harness.clock.milliseconds)
    for person in (EVE, FAY):
        await deletions.delete(person.user_id)
    assert (await recount.recount(harness.database, HOME, CLUB.since, silent)).corrected == 0


@pytest.mark.usefixtures("any_target")
@pytest.mark.parametrize(("conceders", "deleted"), [((), (ADA,)), ((), (BO, CY)), ((BO,), (CY,)), ((BO,), (ADA, CY))])
async def test_a_manager_who_has_ended_a_match_still_loses_it_after_a_deletion(
    harness: TableHarness, conceders: tuple[Person, ...], deleted: tuple[Person, ...]
) -> None:
    table = await harness.match(3, 0, ONE_HAND)
    for person in conceders:
        table = await harness.tables.act(table.id, play.concede, person.user_id)
    table = await harness.tables.act(table.id, consent.close, ADA.user_id, may_manage=True)
    before = await places(harness, table)
    for person in deleted:
        await Deletions(harness.database, harness.tables, harness.clock.milliseconds).delete(person.user_id)
    stored = await rows(harness.database, match_players)
    assert await recount.recount(harness.database, HOME, CLUB.since, silent) == Report(HOME, 1)
    assert await rows(harness.database, match_players) == stored
    assert before["Ada"] > before["Cy"]


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
