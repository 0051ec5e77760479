"""A database of every revision since the first reaches the newest schema with what is in it, and works."""

from pathlib import Path
from shutil import copy

import pytest
import pytest_asyncio

from bot.analysis.history import HistoryFilter
from bot.services import recount
from bot.services.archive import check_deals
from bot.services.guild_settings import Guilds
from bot.services.history import History
from bot.services.profile import Profiles
from bot.services.user_settings import Users
from bot.storage import deadlines
from bot.storage.database import Database
from bot.table.model import ClockStage, DeadlineKind, Status
from tests.conftest import opened
from tests.storage.old_rows import CONCEDED, DAILY, FINISHED, LOBBY, RUNNING, UNLIMITED, Rows, insert_old, rows_of_today
from tests.storage.test_database import differences
from tests.storage.test_migrations import FROZEN, upgrade
from tests.table_harness import ADA, BO, CY, GUILD, START, TableHarness, requester

pytestmark = pytest.mark.xdist_group("old databases")

REVISIONS = [name[:4] for name in FROZEN]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def rows(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Rows:
    """A database with every kind of row that the app stores today; all revisions are tested with it."""
    file = copy(migrated, tmp_path_factory.mktemp("rows"))
    async with opened(f"sqlite+aiosqlite:///{file}") as database:
        return await rows_of_today(database)


@pytest.mark.parametrize("revision", REVISIONS)
async def test_a_database_of_every_revision_works(empty_database: Database, rows: Rows, revision: str) -> None:
    async with empty_database.write() as connection:
        await connection.run_sync(upgrade, revision)
        await connection.run_sync(insert_old, rows)
    await empty_database.upgrade()
    async with empty_database.read() as connection:
        assert await connection.run_sync(differences) == []
    harness = TableHarness(empty_database)
    await results_are_kept(harness, revision)
    await settings_are_kept(harness, revision)
    await what_nobody_comes_to_is_closed(harness)
    await a_lobby_starts(harness)
    await matches_go_on(harness)
    await results_are_recounted(harness)


async def a_lobby_starts(harness: TableHarness) -> None:
    """The lobby is loaded and started, and a move is made."""
    table = await harness.tables.get(LOBBY)
    assert [seat.name for seat in table.seats][:2] == ["Ada", "Bo"]
    table = await harness.act(await harness.tables.start(LOBBY, ADA.user_id))
    assert table.row.status is Status.PLAYING


async def matches_go_on(harness: TableHarness) -> None:
    """Running matches are loaded, what falls due is done, and moves are made, in one match to the end."""
    table = await harness.tables.get(RUNNING)
    assert table.row.clock is not None
    assert table.row.clock.due is not None
    table = await harness.run_due_action(table)
    assert table.row.clock is not None
    assert table.row.clock.stage is not ClockStage.RUNNING
    table = await harness.play_to_end(table)
    assert table.row.status is Status.OVER
    assert check_deals(await harness.archive.match(RUNNING, requester(ADA.user_id))).is_fair
    unlimited = await harness.tables.get(UNLIMITED)
    assert (await harness.act(unlimited)).length > unlimited.length


async def what_nobody_comes_to_is_closed(harness: TableHarness) -> None:
    """A lobby and a match without a limit have a moment at which they are closed."""
    async with harness.database.read() as connection:
        for number in (LOBBY, UNLIMITED):
            due = await deadlines.load(connection, number)
            assert due is not None
            assert due.kind is DeadlineKind.CLOSE


async def results_are_kept(harness: TableHarness, revision: str) -> None:
    """Finished matches open in the archive, and boards and profiles show them."""
    for number in (FINISHED, CONCEDED):
        match = await harness.archive.match(number, requester(ADA.user_id))
        assert match.is_over
        assert check_deals(match).is_fair
    finished, _ = await History(harness.database, harness.background, harness.clock.milliseconds).page(
        HistoryFilter(GUILD), 0
    )
    assert {match.number for match in finished} >= {FINISHED, CONCEDED}
    standings = {line.user_id: line.matches for line in await harness.standings()}
    assert standings == {ADA.user_id: 2, BO.user_id: 2, CY.user_id: 1}
    if revision >= "0009":
        day = await harness.tables.get(DAILY)
        assert day.row.daily is not None
    profile = await Profiles(harness.database).get(GUILD, ADA.user_id, ADA.user_id)
    assert profile is not None


async def settings_are_kept(harness: TableHarness, revision: str) -> None:
    """Settings that there were then are as they were; others have their defaults."""
    settings = await Users(harness.database).get(ADA.user_id)
    assert (settings.zone == "Europe/Berlin") is (revision >= "0002")
    server = await Guilds(harness.database, harness.clock.milliseconds).get(GUILD)
    assert (server.defaults.target == 50) is (revision >= "0010")


async def results_are_recounted(harness: TableHarness) -> None:
    """A recount finds all matches in the logs."""
    report = await recount.recount(harness.database, GUILD, START // 1000, lambda *_: None)
    assert report.matches == 3
    standings = {line.user_id: line.matches for line in await harness.standings()}
    assert standings == {ADA.user_id: 3, BO.user_id: 3, CY.user_id: 2}
