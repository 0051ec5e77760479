"""Deadlines, with real tasks and a clock that only tests move."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from math import inf

import pytest

from bot.engine import Options
from bot.services import deadlines as deadlines_module
from bot.services.deadlines import Deadlines
from bot.storage import matches
from bot.storage.database import Database
from bot.table import absence, consent, due_actions, play
from bot.table.model import ClockStage, Deadline, DeadlineKind, Pace, Status, TableSettings, TimeoutPolicy
from bot.table.refusals import IsPaused, OutdatedAction
from bot.table.snapshot import Table
from bot.table.timing import DAY, LAST_CARD_DELAY
from tests.table_harness import ADA, TIMEOUT, TableHarness, choice, stage_of, user_to_act
from tests.work_counters import selects

Handler = Callable[[Deadline], Awaitable[None]]


@asynccontextmanager
async def running(harness: TableHarness, due: Handler | None = None) -> AsyncIterator[Deadlines]:
    """The task that carries out due actions."""

    async def act(deadline: Deadline) -> None:
        await harness.tables.due(deadline)

    service = Deadlines(harness.database, harness.clock.milliseconds, due or act, harness.timing.max_delays)
    harness.on_rearm, harness.last_downtime = service.rearm, service.downtimes.last
    others = asyncio.all_tasks()
    task = asyncio.create_task(service.run())
    try:
        yield service
    finally:
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert asyncio.all_tasks() <= others


async def due_now(harness: TableHarness) -> list[Deadline]:
    async with harness.database.read() as connection:
        return await matches.earliest_deadlines(connection, 1000)


def handlers() -> list[str]:
    """The tasks of running actions."""
    return [name for task in asyncio.all_tasks() if (name := task.get_name()).startswith("deadline of")]


def newest(harness: TableHarness) -> Table:
    return harness.updates[-1]


def is_for_a_person(harness: TableHarness) -> bool:
    table = newest(harness)
    return table.turn is None or user_to_act(table) is not None


async def test_ai_players_move_automatically_to_the_end_of_the_match(database: Database) -> None:
    harness = TableHarness(database, ai_delay=0)
    async with running(harness):
        table = await harness.match(people=1, ai_players=3, options=Options(target=5))
        while newest(harness).row.status is Status.PLAYING:
            await harness.until(lambda: is_for_a_person(harness))
            if newest(harness).turn is not None:
                await harness.do(newest(harness), choice(newest(harness)))
    assert (await harness.tables.get(table.id)).row.status is Status.OVER
    assert await due_now(harness) == []


async def test_an_ai_player_waits_before_its_move(harness: TableHarness) -> None:
    async with running(harness) as service:
        table = await harness.match(people=1, ai_players=3)
        while user_to_act(table) is not None:
            table = await harness.act(table)
        (due,) = await due_now(harness)
        assert due.kind is DeadlineKind.AI
        assert 600 < due.due_at - harness.clock.now < 1500 * LAST_CARD_DELAY
        published = len(harness.updates)
        harness.clock.now = due.due_at - 1
        service.rearm()
        await harness.clock.wait_until_read()
        assert handlers() == []
        harness.clock.now = due.due_at
        service.rearm()
        await harness.until(lambda: len(harness.updates) > published)
    assert harness.updates[published].moment > table.moment


async def test_a_turn_ends_in_stages_and_forces_nothing_before_the_table_is_asked(
    harness: TableHarness,
) -> None:
    async with running(harness) as service:
        table = await harness.match(people=3, ai_players=0, pace=Pace.LIVE)
        for stage in (ClockStage.REMINDED, ClockStage.ASKED):
            (due,) = await due_now(harness)
            harness.clock.now = due.due_at
            service.rearm()
            await wait_for_stage(harness, stage)
            assert (newest(harness).moment, await harness.latest_events()) == (table.moment, ())
        later = await harness.act(newest(harness))
        assert stage_of(later) is ClockStage.RUNNING
    assert [stage_of(update) for update in harness.updates].count(ClockStage.ASKED) == 1


async def wait_for_stage(harness: TableHarness, stage: ClockStage) -> None:
    await harness.until(lambda: stage_of(newest(harness)) is stage)


async def test_a_move_just_in_time_prevents_the_timeout(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0, pace=Pace.LIVE)
    (due,) = await due_now(harness)
    harness.clock.now = due.due_at - 1
    after = await harness.act(table)
    published = len(harness.updates)
    await harness.tables.due(due)
    assert len(harness.updates) == published
    assert await harness.tables.get(table.id) == after


async def test_deadlines_missed_while_the_app_was_off_are_handled_at_its_start(harness: TableHarness) -> None:
    await harness.allow_tables()
    overdue = {(await harness.match(people=3, ai_players=0, pace=Pace.DAY)).id for _ in range(25)}
    restarted = TableHarness(harness.database)
    restarted.clock.now += 5 * DAY
    async with running(restarted):
        await restarted.until(lambda: len({update.id for update in restarted.updates}) == 25)
    assert {update.id for update in restarted.updates} == overdue


async def test_an_ai_players_due_move_is_not_made_in_a_pause_or_for_a_returned_owner(
    harness: TableHarness,
) -> None:
    table = await harness.match(people=3, ai_players=0, pace=Pace.LIVE, settings=TableSettings(TimeoutPolicy.AI))
    owner = user_to_act(table)
    assert owner is not None
    table = await harness.run_due_action(await harness.run_due_action(table))
    (due,) = await due_now(harness)
    assert due.kind is DeadlineKind.AI
    others = [seat.player_id for seat in table.seats if seat.player_id is not None]
    for user in others:
        table = await harness.tables.act(table.id, consent.agree_to_pause, user)
    await harness.tables.due(due)
    with pytest.raises(IsPaused):
        await harness.tables.act(table.id, due_actions.ai_moves)
    table = await harness.tables.act(table.id, consent.resume, others[0])
    (due,) = await due_now(harness)
    table = await harness.tables.act(table.id, absence.come_back, owner)
    await harness.tables.due(due)
    with pytest.raises(OutdatedAction):
        await harness.tables.act(table.id, due_actions.ai_moves)
    assert await harness.tables.get(table.id) == table


class Handled:
    """A handler that records and removes a deadline."""

    def __init__(self, harness: TableHarness, faults: int = 0) -> None:
        self.harness = harness
        self.faults = faults
        self.done: list[int] = []
        self._news = asyncio.Event()

    async def __call__(self, deadline: Deadline) -> None:
        if self.faults:
            self.faults -= 1
            raise ZeroDivisionError("a fault in the handler")
        async with self.harness.database.write() as connection:
            await matches.put_deadline(connection, deadline.table_id, None)
        self.done.append(deadline.table_id)
        self._news.set()

    async def until(self, number: int) -> None:
        async with asyncio.timeout(TIMEOUT):
            while len(self.done) < number:
                self._news.clear()
                await self._news.wait()


async def due_tables(harness: TableHarness, number: int, due_at: int | None = None) -> list[int]:
    made = [await harness.table(people=1) for _ in range(number)]
    async with harness.database.write() as connection:
        for table in made:
            await matches.put_deadline(
                connection, table.id, Deadline(table.id, DeadlineKind.TURN, due_at or harness.clock.now)
            )
    return [table.id for table in made]


async def test_a_failed_action_is_logged_and_tried_again(
    harness: TableHarness, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(deadlines_module, "RETRY_SECONDS", 0)
    (number,) = await due_tables(harness, 1)
    handled = Handled(harness, faults=3)
    with caplog.at_level(logging.ERROR):
        async with running(harness, handled):
            await handled.until(1)
    assert handled.done == [number]
    assert [record.levelname for record in caplog.records] == ["ERROR"] * 3
    assert all(f"table={number}" in record.getMessage() for record in caplog.records)


async def test_a_failed_action_does_not_delay_others(harness: TableHarness) -> None:
    first, *rest = await due_tables(harness, 5)
    handled = Handled(harness)

    async def handle(deadline: Deadline) -> None:
        if deadline.table_id == first:
            raise ZeroDivisionError
        await handled(deadline)

    async with running(harness, handle):
        await handled.until(4)
    assert sorted(handled.done) == rest
    assert [due.table_id for due in await due_now(harness)] == [first]


async def test_more_deadlines_than_a_batch_are_all_handled(
    harness: TableHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deadlines_module, "BATCH_SIZE", 3)
    await harness.allow_tables()
    numbers, handled = await due_tables(harness, 11), Handled(harness)
    async with running(harness, handled):
        await handled.until(11)
    assert sorted(handled.done) == numbers


async def test_an_earlier_deadline_wakes_the_service(harness: TableHarness) -> None:
    await due_tables(harness, 1, harness.clock.now + 3_600_000)
    handled = Handled(harness)
    async with running(harness, handled) as service:
        (near,) = await due_tables(harness, 1)
        service.rearm()
        await handled.until(1)
    assert handled.done == [near]


async def test_a_running_action_is_not_started_twice_and_ends_with_the_service(harness: TableHarness) -> None:
    (number,) = await due_tables(harness, 1)
    begun, ended = [], []
    looked = asyncio.Event()

    async def hang(deadline: Deadline) -> None:
        begun.append(deadline.table_id)
        looked.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(deadline.table_id)

    async with running(harness, hang) as service, asyncio.timeout(TIMEOUT):
        await looked.wait()
        assert len(handlers()) == 1
        await due_tables(harness, 1, harness.clock.now + 1)
        service.rearm()
        await harness.clock.wait_until_read()
        assert len(handlers()) == 1
    assert begun == ended == [number]


async def test_an_unreadable_database_is_tried_again(
    any_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(deadlines_module, "RETRY_SECONDS", 0.01)
    database = Database(any_url)
    harness = TableHarness(database)
    (number,) = await due_tables(harness, 1)
    handled, broken = Handled(harness), asyncio.Event()
    earliest = matches.earliest_deadlines

    async def fails_once(*arguments: object) -> list[Deadline]:
        monkeypatch.setattr(matches, "earliest_deadlines", earliest)
        broken.set()
        raise OSError("the disk is away")

    monkeypatch.setattr(matches, "earliest_deadlines", fails_once)
    async with running(harness, handled):
        await handled.until(1)
    await database.close()
    assert broken.is_set()
    assert handled.done == [number]
    assert "deadlines cannot be read" in caplog.text


async def test_a_lobby_has_a_closing_deadline_and_a_finished_table_has_none(harness: TableHarness) -> None:
    table = await harness.table(people=2, ai_players=1)
    assert [due.kind for due in await due_now(harness)] == [DeadlineKind.CLOSE]
    table = await harness.tables.act(table.id, play.start, ADA.user_id)
    await harness.play_to_end(table)
    assert await due_now(harness) == []


async def test_only_an_earlier_deadline_is_read_at_once(harness: TableHarness) -> None:
    table = await harness.table()
    due_at = (await due_now(harness))[0].due_at
    async with running(harness) as service:
        with selects() as read:
            while service.wakes_at == inf:  # noqa: ASYNC110  # the task tells nobody
                await asyncio.sleep(0)
            read.clear()
            service.rearm(due_at + 1)
            for _ in range(100):
                await asyncio.sleep(0)
            assert not read
            service.rearm(harness.clock.milliseconds())
            while not read:  # noqa: ASYNC110
                await asyncio.sleep(0)
    assert table.row.status is Status.LOBBY
