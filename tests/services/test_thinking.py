"""AI players that think in another process: in time, after crashes, and until the table changes."""

import asyncio
import multiprocessing
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

import pytest

from bot.engine import Pass, View
from bot.engine.moves import ChosenMove
from bot.players.levels import Level, choose, seed_of
from bot.players.styles import Style
from bot.services import thinking
from bot.services.thinking import Thinking, Thought, think_here, think_in_thread
from bot.storage import matches
from bot.table import consent, due_actions
from tests.measured import finished_jobs, jobs, value
from tests.players.positions import seen, states
from tests.services.thoughts import block_forever, compile_forever, damaged, die, fail, no_numba, nothing, tell_level
from tests.table_harness import ADA, TableHarness

VIEWS: Final = tuple(seen(state) for state in states("thinking", 30))
BOLD: Final = Style.BOLD


@asynccontextmanager
async def thinkers(
    think: Callable[[Level, View, int, Style], ChosenMove] = choose, max_seconds: float = 60
) -> AsyncIterator[Thinking]:
    made = Thinking(max_seconds, think=think)
    yield made
    await made.close()
    assert not multiprocessing.active_children()


async def test_moves_from_the_process_are_those_of_the_level() -> None:
    waited, ran = finished_jobs("ai")
    async with thinkers() as ours:
        for level in (Level.CLUB, Level.EXPERT):
            moves = await asyncio.gather(*(ours.choose(level, view, BOLD) for view in VIEWS))
            assert list(moves) == [Thought(choose(level, view, seed_of(view), BOLD)) for view in VIEWS]
        assert len(multiprocessing.active_children()) == 1
    assert jobs("ai") == (0, 0)
    assert finished_jobs("ai") == (waited + 2 * len(VIEWS), ran + 2 * len(VIEWS))


async def test_the_weaker_levels_need_no_process() -> None:
    async with thinkers(fail) as ours:
        for level in (Level.BEGINNER, Level.SIMPLE):
            assert await ours.choose(level, VIEWS[0], BOLD) == (choose(level, VIEWS[0], seed_of(VIEWS[0])), False)
        assert not multiprocessing.active_children()


async def test_the_level_below_moves_if_the_level_fails() -> None:
    async with thinkers(fail) as ours:
        for view in VIEWS[:2]:
            assert await ours.choose(Level.EXPERT, view, BOLD) == (choose(Level.CLUB, view, seed_of(view), BOLD), True)


async def test_the_same_level_moves_in_a_thread_if_the_process_dies() -> None:
    async with thinkers(die) as ours:
        for view in VIEWS[:2]:
            assert await ours.choose(Level.EXPERT, view, BOLD) == (
                choose(Level.EXPERT, view, seed_of(view), BOLD),
                False,
            )


async def test_the_same_level_moves_in_a_thread_if_the_process_takes_too_long() -> None:
    late = value("gang_ai_fallbacks_total", level="club")
    async with thinkers(block_forever, 0.05) as ours:
        view = VIEWS[0]
        assert await ours.choose(Level.CLUB, view, BOLD) == (choose(Level.CLUB, view, seed_of(view), BOLD), False)
    assert value("gang_ai_fallbacks_total", level="club") == late + 1


async def test_an_expert_moves_for_a_master_if_the_process_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "warm_up", nothing)
    late = value("gang_ai_fallbacks_total", level="master")
    async with thinkers(block_forever, 0.05) as ours:
        assert not ours.is_ready()
        assert ours._warming is not None
        assert await ours._warming
        view = VIEWS[0]
        assert await ours.choose(Level.MASTER, view, BOLD) == (choose(Level.EXPERT, view, seed_of(view), BOLD), True)
    assert value("gang_ai_fallbacks_total", level="master") == late + 1


async def test_without_a_process_there_are_no_masters() -> None:
    for view in VIEWS[:3]:
        assert await think_in_thread(Level.MASTER, view, BOLD) == (
            choose(Level.EXPERT, view, seed_of(view), BOLD),
            True,
        )


def told(level: Level) -> Pass:
    """The move of `tell_level`."""
    return tell_level(level, VIEWS[0], 0)


@pytest.mark.parametrize("warm_up", [nothing, no_numba, damaged])
async def test_a_master_plays_as_an_expert_until_it_is_ready(
    warm_up: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thinking, "warm_up", warm_up)
    lowered = value("gang_ai_fallbacks_total", level="master")
    async with thinkers(tell_level) as ours:
        assert await ours.choose(Level.MASTER, VIEWS[0], BOLD) == (told(Level.EXPERT), True)
        assert value("gang_ai_fallbacks_total", level="master") == lowered + 1
        assert ours._warming is not None
        is_ready = await ours._warming
        assert is_ready == (warm_up is nothing)
        used = Level.MASTER if is_ready else Level.EXPERT
        assert await ours.choose(Level.MASTER, VIEWS[0], BOLD) == (told(used), not is_ready)
    assert value("gang_ai_fallbacks_total", level="master") == lowered + 1 + (not is_ready)


async def test_a_hint_waits_until_the_process_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "PATIENT_SECONDS", 60)
    monkeypatch.setattr(thinking, "warm_up", nothing)
    async with thinkers(tell_level) as ours:
        assert await ours.choose_patiently(Level.MASTER, VIEWS[0], BOLD) == (told(Level.MASTER), False)


async def test_a_hint_does_not_wait_while_the_process_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "PATIENT_SECONDS", 0.01)
    monkeypatch.setattr(thinking, "warm_up", compile_forever)
    async with thinkers(tell_level) as ours:
        assert await ours.choose_patiently(Level.MASTER, VIEWS[0], BOLD) == (told(Level.EXPERT), True)


async def test_a_preparation_goes_on_when_the_process_of_earlier_moves_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "warm_up", compile_forever)
    async with thinkers(tell_level) as ours:
        assert not ours.is_ready()
        preparing = ours._warming
        ours._worker._rest()
        assert not ours.is_ready()
        assert ours._warming is preparing


async def test_a_move_for_an_earlier_moment_is_not_made(harness: TableHarness) -> None:
    table = await harness.match(people=1, ai_players=2)
    while table.user_to_act is not None:
        table = await harness.act(table)
    asked = asyncio.Event()
    answers = asyncio.Event()

    async def think(level: Level, view: View, style: Style) -> Thought:
        asked.set()
        await answers.wait()
        return await think_here(level, view, style)

    harness.tables._think = think
    due = asyncio.create_task(harness.run_due_action(table))
    await asked.wait()
    moved = await harness.tables.act(table.id, due_actions.ai_moves)  # the table isn't locked in the meantime
    answers.set()
    assert (await due).length == moved.length


@pytest.mark.parametrize("is_lowered", [True, False])
async def test_a_table_counts_the_moves_that_the_level_below_chose(harness: TableHarness, is_lowered: bool) -> None:
    async def think(level: Level, view: View, style: Style) -> Thought:
        return (await think_here(level, view, style))._replace(is_lowered=is_lowered)

    harness.tables._think = think
    table = await harness.match(people=1, ai_players=2)
    for moves in range(1, 4):
        while table.user_to_act is not None:
            table = await harness.act(table)
        table = await harness.run_due_action(table)
        assert table.row.lowered_moves == moves * is_lowered


async def test_thinking_for_a_table_that_has_closed_does_nothing(harness: TableHarness) -> None:
    table = await harness.match(people=1, ai_players=2)
    while table.user_to_act is not None:
        table = await harness.act(table)
    async with harness.database.read() as connection:
        due = await matches.deadline(connection, table.id)
    assert due is not None
    closed = await harness.tables.act(table.id, consent.close, ADA.user_id, may_manage=True)
    await harness.tables.due(due)
    assert await harness.tables.get(table.id) == closed
