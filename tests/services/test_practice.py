"""Practice hands, from the first card to the last, also after a restart."""

import pytest

from bot.analysis.practice import Practice, Source, from_match
from bot.engine import Options, Pass, View, evolve
from bot.engine.errors import IllegalMove
from bot.engine.record import from_fields, to_fields
from bot.players import simple
from bot.players.levels import DEFAULT_LEVEL, Level
from bot.players.styles import Style
from bot.services.practice import Practices
from bot.services.thinking import Thought, think_here
from bot.table.refusals import MatchNotOver, OutdatedAction, PracticeGone
from tests.table_harness import ADA, BO, TableHarness, requester, seeds
from tests.work_counters import counted

USER = ADA.user_id


def practices(harness: TableHarness) -> Practices:
    """The service, as after a restart."""
    return Practices(harness.database, harness.background, harness.clock.milliseconds, seeds(2), think_here)


async def dealt(service: Practices, source: Source = Source.NEW) -> Practice:
    return await service.deal(requester(USER), source, "days-of-wonder", Options(), 4, Level.SIMPLE)


async def test_a_whole_hand_is_played_across_restarts(harness: TableHarness) -> None:
    practice = await dealt(practices(harness))
    while not practice.is_over:
        assert practice.view.is_my_turn
        service = practices(harness)
        assert await service.last(USER) == practice
        move = simple.choose(practice.view)
        practice = await service.move(USER, practice.number, practice.table.moment, move)
    assert practice.report is not None
    assert await practices(harness).last(USER) == practice
    harness.clock.now += 1
    again = await practices(harness).again(USER, practice.number, Level.BEGINNER)
    assert (again.start, again.level) == (practice.start, Level.BEGINNER)
    assert again.number > practice.number
    other = await practices(harness).again(USER, again.number, Level.SIMPLE, next_seat=True)
    assert other.start == again.start.from_next_seat()
    assert other.view.hand != again.view.hand


async def test_nobody_else_has_the_hand(harness: TableHarness) -> None:
    service = practices(harness)
    practice = await dealt(service)
    with pytest.raises(PracticeGone):
        await service.move(BO.user_id, practice.number, practice.table.moment, Pass(practice.start.seat))
    with pytest.raises(PracticeGone):
        await service.again(BO.user_id, practice.number, Level.SIMPLE)
    assert await service.last(BO.user_id) is None
    assert await service.last(USER) == practice


async def test_a_press_belongs_to_a_turn_of_a_hand(harness: TableHarness) -> None:
    service = practices(harness)
    practice = await dealt(service)
    move = simple.choose(practice.view)
    after = await service.move(USER, practice.number, practice.table.moment, move)
    for number, moment in ((practice.number, practice.table.moment), (practice.number + 1, after.table.moment)):
        with pytest.raises(OutdatedAction):
            await service.move(USER, number, moment, move)
    assert await service.last(USER) == after


async def test_an_illegal_move_changes_nothing(harness: TableHarness) -> None:
    service = practices(harness)
    practice = await dealt(service, Source.WEAK)
    while practice.view.may_pass:
        practice = await service.move(USER, practice.number, practice.table.moment, Pass(practice.start.seat))
    with pytest.raises(IllegalMove):
        await service.move(USER, practice.number, practice.table.moment, Pass(practice.start.seat))
    assert await service.last(USER) == practice


async def test_of_two_simultaneous_moves_one_counts(harness: TableHarness) -> None:
    service = practices(harness)
    practice = await dealt(service)
    move = simple.choose(practice.view)

    async def move_meanwhile(level: Level, seen: View, style: Style) -> Thought:
        if not others:
            others.append(await service.move(USER, practice.number, practice.table.moment, move))
        return await think_here(level, seen, style)

    others: list[Practice] = []
    slow = Practices(harness.database, harness.background, harness.clock.milliseconds, seeds(2), move_meanwhile)
    with pytest.raises(OutdatedAction):
        await slow.move(USER, practice.number, practice.table.moment, move)
    assert [await service.last(USER)] == others


async def test_a_finished_hand_of_a_match_is_practiced(harness: TableHarness) -> None:
    service = practices(harness)
    await service.again(USER, (await dealt(service)).number, Level.BEGINNER)
    table = await harness.match(2, 1, Options(target=300))
    while table.state is None or table.state.hand_number < 2:
        table = await harness.act(table)
    match = await harness.archive.match(table.id, requester(USER))
    practice = await service.begin_from_match(requester(USER), match, 4, 2)
    assert practice.start == from_match(match, 4, 2, Source.MATCH, table.id)
    assert practice.level is Level.BEGINNER
    assert practice.view.is_my_turn


async def test_the_first_hand_of_a_match_has_the_usual_level(harness: TableHarness) -> None:
    table = await harness.play_to_end(await harness.match(2, 1))
    match = await harness.archive.match(table.id, requester(USER))
    practice = await practices(harness).begin_from_match(requester(USER), match, 0, 0)
    assert practice.level is DEFAULT_LEVEL


async def test_a_practice_hand_is_practiced_from_its_replay(harness: TableHarness) -> None:
    service = practices(harness)
    practice = await dealt(service, Source.GANG)
    with pytest.raises(PracticeGone):
        await service.replayed(USER, practice.number, "Ada")
    while not practice.is_over:
        move = simple.choose(practice.view)
        practice = await service.move(USER, practice.number, practice.table.moment, move)
    match = await service.replayed(USER, practice.number, "Ada")
    assert match.lines == practice.replayed("Ada").lines
    harness.clock.now += 1
    again = await service.begin_from_match(requester(USER), match, 3, practice.start.seat)
    assert again.start.source is Source.GANG
    assert len(again.start.log) > len(practice.start.log)
    with pytest.raises(PracticeGone):
        await service.replayed(USER, practice.number, "Ada")
    with pytest.raises(PracticeGone):
        await service.begin_from_match(requester(USER), match, 3, practice.start.seat)


async def test_only_finished_hands_are_practiced(harness: TableHarness) -> None:
    table = await harness.play_to_end(await harness.match(2, 1))
    lines = await harness.record(table.id)
    match = await harness.archive.match(table.id, requester(USER))
    unfinished = type(match).of(table.id, lines[: len(lines) // 2])
    with pytest.raises(MatchNotOver):
        await practices(harness).begin_from_match(requester(USER), unfinished, 2, 0)


async def test_logs_are_replayed_off_the_event_loop(harness: TableHarness) -> None:
    service = practices(harness)
    practice = await dealt(service, Source.ENDGAME)
    before = len(practice.log)
    assert before > 20
    while not practice.is_over:
        move = simple.choose(practice.view)
        with counted(evolve, from_fields, to_fields) as work:
            practice = await service.move(USER, practice.number, practice.table.moment, move)
        assert work.here.keys() == {"evolve"}
        assert work.here["evolve"] <= 3 * (len(practice.log) - before)
        before = len(practice.log)
    with counted(evolve, from_fields, to_fields) as work:
        await service.replayed(USER, practice.number, "Ada")
    assert not work.here
    with counted(evolve, from_fields, to_fields) as work:
        again = await service.again(USER, practice.number, Level.SIMPLE, next_seat=True)
    assert work.here["evolve"] <= 3 * len(again.moves)
    assert not work.here["from_fields"] + work.here["to_fields"]
