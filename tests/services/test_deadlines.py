"""What happens by itself, with real tasks and a clock that stands still unless it is moved."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from bot.engine import Options
from bot.services import deadlines as deadlines_module
from bot.services.deadlines import Deadlines
from bot.storage import deadlines
from bot.storage.database import Database
from bot.table import absence, consent, due_actions, play
from bot.table.model import ClockStage, Deadline, DeadlineKind, Pace, Status, TableSettings, TimeoutPolicy
from bot.table.refusals import IsPaused, OutdatedAction
from bot.table.snapshot import Table
from bot.table.timing import DAY, TERMS
from tests.services.house import ADA, BOUND, House, choice, person_to_act

Handler = Callable[[Deadline], Awaitable[None]]


@asynccontextmanager
async def running(house: House, due: Handler | None = None) -> AsyncIterator[Deadlines]:
    """The task that does what is due."""

    async def act(deadline: Deadline) -> None:
        await house.tables.due(deadline)

    service = Deadlines(house.database, house.clock, due or act, house.timing.at_most)
    house.on_rearm = service.rearm
    task = asyncio.create_task(service.run())
    try:
        yield service
    finally:
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert asyncio.all_tasks() == {asyncio.current_task()}


async def due_now(house: House) -> list[Deadline]:
    async with house.database.read() as connection:
        return await deadlines.earliest(connection, 1000)


def handlers() -> list[str]:
    """The tasks that do what is due just now."""
    return [name for task in asyncio.all_tasks() if (name := task.get_name()).startswith("deadline of")]


def newest(house: House) -> Table:
    return house.told[-1].table


def is_for_a_person(house: House) -> bool:
    table = newest(house)
    return table.turn is None or person_to_act(table) is not None


async def test_robots_move_by_themselves_to_the_end_of_the_match(database: Database) -> None:
    house = House(database, ai_delay=0)
    async with running(house):
        table = await house.match(people=1, ai_players=3, options=Options(target=5))
        while newest(house).row.status is Status.PLAYING:
            await house.until(lambda: is_for_a_person(house))
            if newest(house).turn is not None:
                await house.do(newest(house), choice(newest(house)))
    assert (await house.tables.get(table.id)).row.status is Status.OVER
    assert await due_now(house) == []


async def test_a_robot_waits_for_its_time(house: House) -> None:
    async with running(house) as service:
        table = await house.match(people=1, ai_players=3)
        while person_to_act(table) is not None:
            table = await house.act(table)
        (due,) = await due_now(house)
        assert (due.kind, due.due_at) == (DeadlineKind.AI, house.clock.now + 1500)
        told = len(house.told)
        house.clock.now = due.due_at - 1
        service.rearm()
        await house.clock.looked_at()
        assert handlers() == []
        house.clock.now = due.due_at
        service.rearm()
        await house.until(lambda: len(house.told) > told)
    assert house.told[told].table.moment > table.moment


async def test_time_is_up_for_a_person_in_steps_and_forces_nothing_before_the_table_was_asked(house: House) -> None:
    async with running(house) as service:
        table = await house.match(people=3, ai_players=0, pace=Pace.LIVE)
        for stage in (ClockStage.REMINDED, ClockStage.ASKED):
            (due,) = await due_now(house)
            house.clock.now = due.due_at
            service.rearm()
            await comes_to(house, stage)
            assert (newest(house).moment, house.told[-1].events) == (table.moment, ())
        later = await house.act(newest(house))
        assert stage_of(later) is ClockStage.RUNNING
    assert [stage_of(update.table) for update in house.told].count(ClockStage.ASKED) == 1


def stage_of(table: Table) -> ClockStage | None:
    return None if table.row.clock is None else table.row.clock.stage


async def comes_to(house: House, stage: ClockStage) -> None:
    await house.until(lambda: stage_of(newest(house)) is stage)


async def tells(house: House, times: int) -> None:
    await house.until(lambda: len(house.told) == times)


async def test_who_acted_just_in_time_is_not_told_that_time_is_up(house: House) -> None:
    table = await house.match(people=3, ai_players=0, pace=Pace.LIVE)
    (due,) = await due_now(house)
    house.clock.now = due.due_at - 1
    after = await house.act(table)
    told = len(house.told)
    await house.tables.due(due)
    assert len(house.told) == told
    assert await house.tables.get(table.id) == after


async def test_what_fell_due_while_the_app_was_away_is_done_at_its_start(house: House) -> None:
    await house.allow_tables()
    overdue = {(await house.match(people=3, ai_players=0, pace=Pace.DAY)).id for _ in range(25)}
    restarted = House(house.database)
    restarted.clock.now += 5 * DAY
    async with running(restarted):
        await restarted.until(lambda: len({update.table.id for update in restarted.told}) == 25)
    assert {update.table.id for update in restarted.told} == overdue


async def test_time_in_which_the_app_was_away_is_nobodys_time_to_answer(house: House) -> None:
    await house.match(people=3, ai_players=0, pace=Pace.DAY)
    restarted, terms = House(house.database), TERMS[Pace.DAY]
    restarted.clock.now += 5 * DAY
    steps = [
        (ClockStage.REMINDED, DeadlineKind.TURN, terms.reminder),
        (ClockStage.ASKED, DeadlineKind.ANSWER, terms.answer),
        (ClockStage.RUNNING, DeadlineKind.REMIND, 2 * terms.turn - terms.reminder),
    ]
    async with running(restarted) as service:
        for number, (stage, kind, after) in enumerate(steps, 1):
            await tells(restarted, number)
            assert stage_of(newest(restarted)) is stage
            (due,) = await due_now(restarted)
            assert (due.kind, due.due_at) == (kind, restarted.clock.now + after)
            restarted.clock.now += after
            service.rearm()


async def test_what_was_due_of_a_robot_is_not_done_in_a_pause_nor_for_an_owner_who_is_back(house: House) -> None:
    table = await house.match(people=3, ai_players=0, pace=Pace.LIVE, settings=TableSettings(TimeoutPolicy.AI))
    owner = person_to_act(table)
    assert owner is not None
    table = await house.fall_due(await house.fall_due(table))
    (due,) = await due_now(house)
    assert due.kind is DeadlineKind.AI
    others = [seat.person for seat in table.seats if seat.person is not None]
    for user in others:
        table = await house.tables.act(table.id, consent.agree_to_pause, user)
    await house.tables.due(due)
    with pytest.raises(IsPaused):
        await house.tables.act(table.id, due_actions.ai_moves)
    table = await house.tables.act(table.id, consent.resume, others[0])
    (due,) = await due_now(house)
    table = await house.tables.act(table.id, absence.come_back, owner)
    await house.tables.due(due)
    with pytest.raises(OutdatedAction):
        await house.tables.act(table.id, due_actions.ai_moves)
    assert await house.tables.get(table.id) == table


class Handled:
    """A handler that removes what is due, and remembers it."""

    def __init__(self, house: House, faults: int = 0) -> None:
        self.house = house
        self.faults = faults
        self.done: list[int] = []
        self._news = asyncio.Event()

    async def __call__(self, deadline: Deadline) -> None:
        if self.faults:
            self.faults -= 1
            raise ZeroDivisionError("a fault in the handler")
        async with self.house.database.write() as connection:
            await deadlines.put(connection, deadline.table_id, None)
        self.done.append(deadline.table_id)
        self._news.set()

    async def until(self, number: int) -> None:
        async with asyncio.timeout(BOUND):
            while len(self.done) < number:
                self._news.clear()
                await self._news.wait()


async def due_tables(house: House, number: int, due_at: int | None = None) -> list[int]:
    made = [await house.table(people=1) for _ in range(number)]
    async with house.database.write() as connection:
        for table in made:
            await deadlines.put(connection, table.id, Deadline(table.id, DeadlineKind.TURN, due_at or house.clock.now))
    return [table.id for table in made]


async def test_what_failed_is_logged_and_tried_again(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(deadlines_module, "RETRY", 0)
    (number,) = await due_tables(house, 1)
    handled = Handled(house, faults=3)
    with caplog.at_level(logging.ERROR):
        async with running(house, handled):
            await handled.until(1)
    assert handled.done == [number]
    assert [record.levelname for record in caplog.records] == ["ERROR"] * 3
    assert all(f"table={number}" in record.getMessage() for record in caplog.records)


async def test_one_that_fails_does_not_keep_the_others_waiting(house: House) -> None:
    first, *rest = await due_tables(house, 5)
    handled = Handled(house)

    async def handle(deadline: Deadline) -> None:
        if deadline.table_id == first:
            raise ZeroDivisionError
        await handled(deadline)

    async with running(house, handle):
        await handled.until(4)
    assert sorted(handled.done) == rest
    assert [due.table_id for due in await due_now(house)] == [first]


async def test_more_than_are_looked_at_together_are_all_done(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadlines_module, "AT_ONCE", 3)
    await house.allow_tables()
    numbers, handled = await due_tables(house, 11), Handled(house)
    async with running(house, handled):
        await handled.until(11)
    assert sorted(handled.done) == numbers


async def test_a_nearer_deadline_is_noticed_while_it_sleeps(house: House) -> None:
    await due_tables(house, 1, house.clock.now + 3_600_000)
    handled = Handled(house)
    async with running(house, handled) as service:
        (near,) = await due_tables(house, 1)
        service.rearm()
        await handled.until(1)
    assert handled.done == [near]


async def test_what_is_under_way_is_not_begun_again_and_ends_with_the_service(house: House) -> None:
    (number,) = await due_tables(house, 1)
    begun, ended = [], []
    looked = asyncio.Event()

    async def hang(deadline: Deadline) -> None:
        begun.append(deadline.table_id)
        looked.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(deadline.table_id)

    async with running(house, hang) as service, asyncio.timeout(BOUND):
        await looked.wait()
        assert len(handlers()) == 1
        await due_tables(house, 1, house.clock.now + 1)
        service.rearm()
        await house.clock.looked_at()
        assert len(handlers()) == 1
    assert begun == ended == [number]


async def test_a_database_that_cannot_be_read_is_tried_again(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(deadlines_module, "RETRY", 0.01)
    database = Database(sqlite_url)
    house = House(database)
    (number,) = await due_tables(house, 1)
    handled, broken = Handled(house), asyncio.Event()
    earliest = deadlines.earliest

    async def fails_once(*arguments: object) -> list[Deadline]:
        monkeypatch.setattr(deadlines, "earliest", earliest)
        broken.set()
        raise OSError("the disk is away")

    monkeypatch.setattr(deadlines, "earliest", fails_once)
    async with running(house, handled):
        await handled.until(1)
    await database.close()
    assert broken.is_set()
    assert handled.done == [number]
    assert "deadlines cannot be read" in caplog.text


async def test_a_lobby_is_due_to_close_and_nothing_after_the_end(house: House) -> None:
    table = await house.table(people=2, ai_players=1)
    assert [due.kind for due in await due_now(house)] == [DeadlineKind.CLOSE]
    table = await house.tables.act(table.id, play.start, ADA.user_id)
    await house.play_out(table)
    assert await due_now(house) == []
