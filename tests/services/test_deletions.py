"""Deleting a user: in short transactions, resumed after an interruption, with no trace in the files."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager, suppress
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from sqlalchemy import event, select, update
from sqlalchemy.engine import Engine
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.engine.record import write
from bot.services.deletions import Deletions
from bot.services.history import History
from bot.services.rerating import rate_again
from bot.services.results import rate_match
from bot.services.user_settings import Users
from bot.storage import deletions as stored
from bot.storage import logs, ratings
from bot.storage.database import Database
from bot.storage.history import save_import
from bot.storage.ratings import RatedMatch
from bot.storage.schema import imports, members, packed_logs
from bot.storage.schema import matches as finished
from bot.storage.schema import ratings as rating_rows
from bot.table.errors import StorageError
from bot.table.guild import own_guild_id
from bot.table.model import Status
from bot.table.refusals import DeletionRunning
from tests.services.test_privacy import everything
from tests.simulated_matches import Club, record
from tests.table_harness import ADA, CY, EVE, GUILD, ONE_HAND, OPENER, TableHarness, requester
from tests.table_harness import BO as BO_HERE
from tests.work_counters import counted, selects

pytestmark = pytest.mark.usefixtures("any_target")

BO = 10_2030_4050_6070
NAME = "Bodhisattva"
CLUB = Club(GUILD, {f"Player {number}": 7_0000_0000_0000 + number for number in range(4)} | {NAME: BO}, targets=(2,))
MATCHES = 25
"""More than one batch."""


@pytest.fixture
async def club(harness: TableHarness) -> TableHarness:
    """The tables of a club with many matches."""
    for number in range(MATCHES):
        await record(harness.database, number, Random(number), CLUB)
    return harness


def deletions(harness: TableHarness) -> Deletions:
    return Deletions(harness.database, harness.tables, harness.clock.milliseconds)


@contextmanager
def rows_written() -> Iterator[list[int]]:
    """Count the rows changed by each transaction in the block."""
    counts: list[int] = []
    current = Counter[int]()

    def executed(
        connection: object, cursor: DBAPICursor, statement: str, values: list[object], _context: object, many: object
    ) -> None:
        if statement.startswith(("INSERT", "UPDATE", "DELETE")):
            current[id(connection)] += len(values) if many else max(cursor.rowcount, 0)

    def committed(connection: object) -> None:
        counts.append(current.pop(id(connection), 0))

    event.listen(Engine, "after_cursor_execute", executed)
    event.listen(Engine, "commit", committed)
    try:
        yield counts
    finally:
        event.remove(Engine, "after_cursor_execute", executed)
        event.remove(Engine, "commit", committed)


async def test_no_transaction_of_a_deletion_writes_many_rows(club: TableHarness) -> None:
    with rows_written() as counts:
        await deletions(club).delete(BO)
    assert str(BO) not in await everything(club.database)
    assert sum(counts) > MATCHES
    assert max(counts) < 1000
    assert len(counts) > MATCHES / stored.TABLES_AT_ONCE


async def test_logs_are_not_rewritten_on_the_event_loop(club: TableHarness) -> None:
    with counted(logs.StoredLogs.unpack, logs.pack_lines) as work:
        await deletions(club).delete(BO)
    assert work.elsewhere["unpack"]
    assert not work.here


async def test_the_settings_of_a_deleted_user_are_read_again(club: TableHarness) -> None:
    users = Users(club.database)
    await users.set(BO, language="de")
    assert (await users.get(BO)).language == "de"
    await Deletions(club.database, club.tables, club.clock.milliseconds, record_change=users.record_change).delete(BO)
    assert (await users.get(BO)).language == ""


async def test_tables_of_a_user_are_found_by_indexes(club: TableHarness) -> None:
    async with club.database.read() as connection:
        if connection.dialect.name != "sqlite":
            pytest.skip("PostgreSQL plans by how many rows there are")
        with selects() as statements:
            assert await stored.tables_of(connection, BO)
        plans = [
            str(line)
            for statement, values in statements
            for line in await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
        ]
    assert not [line for line in plans if "SCAN tables" in line and "INDEX ix_tables_listing" not in line]


async def test_others_write_between_the_transactions_of_a_deletion(club: TableHarness) -> None:
    await club.allow_tables()
    running = asyncio.create_task(deletions(club).delete(BO))
    tables_opened = 0
    while not running.done():
        await club.table(2)
        tables_opened += 1
    await running
    assert tables_opened > MATCHES / stored.TABLES_AT_ONCE


async def test_a_deletion_finishes_despite_repeated_kills(club: TableHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    async with club.database.write() as connection:
        await stored.begin(connection, BO, 1)
    users = Users(club.database)
    with pytest.raises(DeletionRunning):
        await users.require_not_deleting(BO)
    await users.require_not_deleting(BO + 1)
    writes = 1
    while not await resume_and_kill(club, writes, monkeypatch):
        writes += 1
    assert writes > 4
    after = await everything(club.database)
    assert str(BO) not in after
    assert NAME not in after
    found = await rated(club.database)
    await rate_again(club.database, GUILD)
    assert await rated(club.database) == found


async def resume_and_kill(harness: TableHarness, writes: int, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Resume a deletion, and kill the app after some transactions. Returns True if it finished before."""
    write_before, left = harness.database.write, iter(range(writes))

    def write(*arguments: float) -> AbstractAsyncContextManager[AsyncConnection]:
        if next(left, None) is None:
            raise StorageError("killed")
        return write_before(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(harness.database, "write", write)
        with suppress(StorageError):
            await deletions(harness).resume()
    async with harness.database.read() as connection:
        return not await stored.under_way(connection)


async def rated(database: Database) -> list[tuple[object, ...]]:
    """All stored ratings."""
    async with database.read() as connection:
        return [
            tuple(row)
            for table in (rating_rows, members)
            for row in await connection.execute(select(table).order_by(*table.primary_key))
        ]


async def test_users_being_deleted_are_hidden_from_leaderboards(club: TableHarness) -> None:
    assert BO in {line.user_id for line in await club.standings()}
    async with club.database.write() as connection:
        await stored.begin(connection, BO, 1)
    assert BO not in {line.user_id for line in await club.standings()}


async def test_a_match_that_ends_while_ratings_are_computed_again_counts(
    club: TableHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with club.database.write() as connection:
        await connection.execute(update(rating_rows).values(mu=0))
    read, reads = ratings.rated_matches, list[int]()

    async def rated_matches(connection: AsyncConnection, guild_id: int, since: int) -> list[RatedMatch]:
        matches = await read(connection, guild_id, since)
        reads.append(len(matches))
        if len(reads) == 1:  # before these matches are rated
            await record(club.database, MATCHES, Random(MATCHES), CLUB)
        return matches

    monkeypatch.setattr(ratings, "rated_matches", rated_matches)
    await rate_again(club.database, GUILD)
    assert [bool(matches) for matches in reads] == [True, True, True, False]
    found = await rated(club.database)
    async with club.database.write() as connection:
        await connection.execute(rating_rows.delete())
        await connection.execute(update(members).values(mu=None, sigma=None, rated=0))
        for number in list(await connection.scalars(select(finished.c.table_id).order_by(finished.c.nth))):
            if await connection.scalar(select(finished.c.people_only).where(finished.c.table_id == number)):
                await rate_match(connection, number)
    assert await rated(club.database) == found


async def test_no_link_shows_that_one_former_player_played_two_matches(harness: TableHarness) -> None:
    table = await harness.play_to_end(await harness.match(3, 0, ONE_HAND))
    for person in (ADA, BO_HERE, CY):
        again = await harness.tables.rematch(table.id, person, OPENER)
    again = await harness.posted(again)
    assert again.row.rematch_of == table.id
    assert (await harness.play_to_end(again)).row.status is Status.OVER
    await deletions(harness).delete(CY.user_id)
    assert (await harness.tables.get(again.id)).row.rematch_of is None


FORMS: dict[str, Callable[[str], str]] = {
    "as exported": lambda line: line,
    "other spaces": lambda line: json.dumps(json.loads(line), separators=(" , ", " : ")),
    "other order": lambda line: json.dumps(dict(reversed(json.loads(line).items()))),
    "escaped": lambda line: line.replace('"t": "m', '"t": "\\u006d').replace('"t": "s', '"t": "\\u0073'),
}
"""Different ways to write a line of a record."""


@pytest.mark.parametrize("form", FORMS)
async def test_a_record_that_others_have_imported_loses_the_names(harness: TableHarness, form: str) -> None:
    table = await harness.play_to_end(await harness.match(3, 0, ONE_HAND))
    text = write(await harness.record(table.id))
    history = History(harness.database, harness.background, harness.clock.milliseconds)
    theirs = await history.import_record(
        requester(EVE.user_id), "\n".join(map(FORMS[form], text.splitlines())).encode()
    )
    other = text.replace(text.split('"salt": "')[1][:20], "0" * 20)
    async with harness.database.write() as connection:
        await save_import(connection, 1, other, harness.clock.now // 1000)

    await deletions(harness).delete(CY.user_id)

    match = await history.get_import(requester(EVE.user_id), theirs.number)
    assert match.started.seats == ("Ada", "Bo", "")
    async with harness.database.read() as connection:
        assert await connection.scalar(select(imports.c.record).where(imports.c.user_id == 1)) == other


async def test_a_deletion_that_fails_does_not_stop_the_others_and_all_processes_refuse_the_user(
    harness: TableHarness, caplog: pytest.LogCaptureFixture
) -> None:
    elsewhere = Users(harness.database)
    here = Users(harness.database, changed=elsewhere.forget)
    people = BO_HERE.user_id, CY.user_id
    for user, users in product(people, (here, elsewhere)):
        await users.require_not_deleting(user)
    broken = await harness.play_to_end(await harness.match(2, 1, ONE_HAND))
    async with harness.database.write() as connection:
        await connection.execute(update(packed_logs).where(packed_logs.c.table_id == broken.id).values(lines=b"no log"))
    sound = await harness.play_to_end(await harness.match(3, 0, ONE_HAND))
    running = Deletions(harness.database, harness.tables, harness.clock.milliseconds, record_change=here.record_change)
    assert not await running.delete(BO_HERE.user_id)
    assert "a deletion failed" in caplog.text
    assert await running.delete(CY.user_id)
    assert (await harness.tables.get(sound.id)).seats[2].name == ""
    for users in (here, elsewhere):
        await users.require_not_deleting(CY.user_id)
        with pytest.raises(DeletionRunning):
            await users.require_not_deleting(BO_HERE.user_id)


async def test_matches_outside_guilds_are_deleted_with_their_user(harness: TableHarness) -> None:
    await record(harness.database, 1, Random("alone"), CLUB)
    await record(harness.database, 2, Random("alone"), replace(CLUB, guild_id=own_guild_id(BO)))
    await deletions(harness).delete(BO)
    async with harness.database.read() as connection:
        assert {*await connection.scalars(select(finished.c.guild_id))} == {GUILD}
    assert str(BO) not in await everything(harness.database)
