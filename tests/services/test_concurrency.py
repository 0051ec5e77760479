"""Double clicks, several processes and restarts: actions are accepted once, stored, and only then published."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from bot.engine import Options, replay
from bot.engine.errors import IllegalMove, NotYourTurn
from bot.engine.events import Event
from bot.engine.verification import verify
from bot.services import tables
from bot.storage import matches
from bot.storage.database import Database
from bot.storage.logs import unpack
from bot.table import play
from bot.table.errors import StaleRead, StorageError
from bot.table.lobby import Person
from bot.table.model import Status
from bot.table.refusals import OutdatedAction, Refusal, TableIsFull
from bot.table.snapshot import Table
from tests.table_harness import ADA, BO, CY, DI, EVE, TableHarness, choice, user_to_act
from tests.work_counters import selects


@pytest.fixture
async def processes(any_url: str) -> AsyncIterator[tuple[TableHarness, TableHarness]]:
    """Two processes on one database."""
    databases = Database(any_url), Database(any_url)
    yield TableHarness(databases[0], seed=1), TableHarness(databases[1], seed=2)
    for database in databases:
        await database.close()


async def outcomes(*asked: Awaitable[Table]) -> tuple[list[Table], list[BaseException]]:
    """Run requests at the same time. Returns the results and the refusals."""
    came = await asyncio.gather(*asked, return_exceptions=True)
    answers = [outcome for outcome in came if isinstance(outcome, Table)]
    return answers, [outcome for outcome in came if isinstance(outcome, BaseException)]


async def log_of(harness: TableHarness, table: Table) -> list[Event]:
    return [line.event for line in await harness.record(table.id)]


async def test_a_double_click_acts_once(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0)
    won, lost = await outcomes(*(harness.do(table, choice(table)) for _ in range(5)))
    assert len(won) == 1
    assert all(isinstance(refusal, OutdatedAction | NotYourTurn) for refusal in lost)
    assert Table(won[0].row).after(await log_of(harness, table)) == won[0]


@pytest.mark.parametrize("seed", range(3))
async def test_of_two_processes_one_makes_the_move_and_the_other_is_refused(
    processes: tuple[TableHarness, TableHarness], seed: int
) -> None:
    rng, (one, other) = Random(seed), processes
    table = await one.match(people=3, ai_players=0)
    for _ in range(6):
        assert await other.tables.get(table.id) == await one.tables.get(table.id)
        houses = [one, other]
        rng.shuffle(houses)
        won, lost = await outcomes(*(harness.do(table, choice(table)) for harness in houses))
        assert len(won) == len(lost) == 1
        assert isinstance(lost[0], OutdatedAction | NotYourTurn)
        table = won[0]
        if table.row.status is not Status.PLAYING:
            break
        assert Table(table.row).after(await log_of(one, table)) == table
        forget(one, other)
    assert len(one.updates) + len(other.updates) > 5


def forget(*processes: TableHarness) -> None:
    """Like processes that haven't used a table for a long time."""
    for harness in processes:
        harness.tables.cache.forget_all()


async def test_a_process_does_not_act_on_an_outdated_table(
    processes: tuple[TableHarness, TableHarness],
) -> None:
    one, other = processes
    table = await one.match(people=3, ai_players=0)
    assert await other.tables.get(table.id) == table
    after = await one.act(table)
    with pytest.raises(OutdatedAction):
        await other.do(table, choice(table))
    assert await other.tables.get(table.id) == after
    over = await other.play_to_end(after)
    assert verify(await other.record(table.id)) == over.state


async def test_users_who_join_through_two_processes_all_get_a_seat(
    processes: tuple[TableHarness, TableHarness],
) -> None:
    one, other = processes
    table = await one.table(people=1, size=4)
    await other.tables.get(table.id)
    won, lost = await outcomes(one.tables.act(table.id, play.join, BO), other.tables.act(table.id, play.join, CY))
    assert (len(won), lost) == (2, [])
    forget(one)
    assert {seat.name for seat in (await one.tables.get(table.id)).seats} == {"Ada", "Bo", "Cy"}


async def test_the_last_seat_is_given_once(processes: tuple[TableHarness, TableHarness]) -> None:
    one, other = processes
    table = await one.table(people=3, size=4)
    await other.tables.get(table.id)
    won, lost = await outcomes(one.tables.act(table.id, play.join, DI), other.tables.act(table.id, play.join, EVE))
    assert len(won) == 1
    assert [type(refusal) for refusal in lost] == [TableIsFull]
    assert len(won[0].seats) == 4


async def test_changes_are_published_in_order(harness: TableHarness) -> None:
    table = await harness.table(people=1, size=4)
    crowd = [Person(200 + number, f"Guest {number}") for number in range(20)]
    won, lost = await outcomes(*(harness.tables.act(table.id, play.join, person) for person in crowd))
    assert len(won) == 3
    assert {type(refusal) for refusal in lost} == {TableIsFull}
    assert [update.row.revision for update in harness.updates] == [0, 1, 2, 3, 4]
    assert [len(update.seats) for update in harness.updates] == [1, 1, 2, 3, 4]


async def test_nothing_is_published_before_the_commit(sqlite_database: Database, tmp_path: Path) -> None:
    harness = TableHarness(sqlite_database)
    committed: list[bool] = []

    def look(table: Table) -> None:
        """Read the table in another process."""
        with closing(sqlite3.connect(tmp_path / "gang.sqlite3")) as other:
            (revision,) = other.execute("SELECT revision FROM tables WHERE id = ?", (table.id,)).fetchone()
            (lines,) = other.execute("SELECT count(*) FROM events").fetchone()
            lines += sum(len(unpack(log)) for (log,) in other.execute("SELECT lines FROM packed_logs"))
            (scored,) = other.execute("SELECT count(*) FROM matches").fetchone()
        over = table.row.status is Status.OVER
        committed.append((revision, lines) == (table.row.revision, table.length) and scored == over)

    harness.on_update = look
    await harness.play_to_end(await harness.match(people=2, ai_players=1))
    assert len(committed) > 10
    assert all(committed)


async def test_a_refused_action_changes_and_publishes_nothing(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0)
    published, rearmed = len(harness.updates), harness.rearmed
    for person in (ADA, BO, CY, EVE):
        with pytest.raises((IllegalMove, Refusal)):
            await harness.tables.act(table.id, play.declare, person.user_id)
    assert (len(harness.updates), harness.rearmed) == (published, rearmed)
    forget(harness)
    assert await harness.tables.get(table.id) == table


async def test_a_failed_write_drops_the_table_from_memory(sqlite_database: Database, tmp_path: Path) -> None:
    harness = TableHarness(sqlite_database)
    table = await harness.match(people=3, ai_players=0)
    with closing(sqlite3.connect(tmp_path / "gang.sqlite3")) as other:
        other.execute(f"DROP TABLE {'events'}")
    with pytest.raises(StorageError):
        await harness.act(table)
    assert harness.updates[-1] == table
    with pytest.raises(StorageError):  # it is read again
        await harness.tables.get(table.id)


async def test_a_change_that_is_overtaken_twice_is_refused(
    harness: TableHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def always_overtaken(*_: object) -> None:
        raise StaleRead

    table = await harness.match(people=3, ai_players=0)
    monkeypatch.setattr(matches, "save", always_overtaken)
    with pytest.raises(OutdatedAction):
        await harness.act(table)


async def test_every_table_is_unchanged_after_a_restart(harness: TableHarness) -> None:
    table = await harness.match(people=2, ai_players=2, options=Options(target=10))
    while table.row.status is Status.PLAYING:
        table = await harness.act(table)
        assert await TableHarness(harness.database).tables.get(table.id) == table
    lines = await harness.record(table.id)
    assert replay(line.event for line in lines) == table.state


async def test_unused_tables_are_dropped_from_memory(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MAX_TABLES", 3)
    harness = TableHarness(database)
    await harness.allow_tables()
    made = [await harness.table(people=1) for _ in range(8)]
    with selects() as statements:
        assert [await harness.tables.get(table.id) for table in made[5:]] == made[5:]
        assert statements == []
        assert [await harness.tables.get(table.id) for table in made[:5]] == made[:5]
        assert statements != []


async def test_an_ai_player_moves_once_for_repeated_deadlines(harness: TableHarness) -> None:
    table = await harness.match(people=1, ai_players=3)
    while user_to_act(table) is not None:
        table = await harness.act(table)
    async with harness.database.read() as connection:
        due, published = await matches.deadline(connection, table.id), len(harness.updates)
    assert due is not None
    await asyncio.gather(*(harness.tables.due(due) for _ in range(2)))
    made = [update for update in harness.updates[published:] if update.moment > table.moment]
    assert len(made) in (1, 2)
    assert len({update.moment for update in made}) == len(made)
    newest = harness.updates[-1]
    assert Table(newest.row).after(await log_of(harness, table)) == newest
