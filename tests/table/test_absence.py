"""Turns that take too long, and seats whose owners are away."""

import asyncio
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.engine import Options, Pass, Play
from bot.engine.events import Passed, Played, Substituted
from bot.engine.verification import verify
from bot.storage import user_settings
from bot.table import absence, play
from bot.table.lobby import DEFAULT_TABLE_SETTINGS
from bot.table.model import ClockStage, Pace, Status, TableRow, TableSettings, TimeoutPolicy
from bot.table.play import Change
from bot.table.refusals import (
    AlreadySeated,
    HasConceded,
    HasSubstitute,
    NoLatePlayer,
    NotInvited,
    NotSeated,
    OutdatedAction,
    PlaysOwnSeat,
    RemovedByHost,
)
from bot.table.snapshot import Table
from bot.table.timing import MATCH_TIMEOUT, PACE_TIMES
from bot.table.user import UserSettings
from tests.not_none import not_none
from tests.table_harness import EVE, PEOPLE, TableHarness, choice, player_to_act, stage_of, user_to_act

LONG = Options(target=1000)


async def late_table(
    harness: TableHarness, people: int = 3, ai_players: int = 0, settings: TableSettings = DEFAULT_TABLE_SETTINGS
) -> Table:
    """A match in which the leader's time is up."""
    table = await harness.match(people, ai_players, LONG, Pace.LIVE, settings)
    while user_to_act(table) is None:
        table = await harness.act(table)
    return await harness.run_due_action(await harness.run_due_action(table))


def others(table: Table) -> list[int]:
    """The other people, by seat."""
    turn = user_to_act(table)
    return [seat.player_id for seat in table.seats if seat.player_id not in (None, turn)]


async def answered(harness: TableHarness, table: Table, outcome: absence.Outcome, by: int | None = None) -> Table:
    """Another player's answer."""
    user = others(table)[0] if by is None else by
    return await harness.tables.act(table.id, absence.answer, user, table.moment, outcome)


async def back(harness: TableHarness, table: Table, user: int) -> Table:
    return await harness.tables.act(table.id, absence.come_back, user)


async def sat_in(harness: TableHarness, table: Table) -> Table:
    return await harness.tables.act(table.id, absence.sit_in, EVE, table.moment)


async def test_holidays_set_during_a_turn_move_its_end_once_and_only_later(harness: TableHarness) -> None:
    table = await harness.match(3, 0, LONG, Pace.DAY)
    user, clock = player_to_act(table), not_none(table.row.clock)
    assert clock.due is not None
    today = datetime.fromtimestamp(harness.clock.now / 1000, UTC).date()
    settings = UserSettings(away=(today, today + timedelta(days=6)))
    table = await harness.run_due_action(table)
    assert stage_of(table) is ClockStage.REMINDED
    table = await harness.tables.act(table.id, absence.observe_quiet_hours, user, settings)
    moved = not_none(table.row.clock)
    assert moved.due is not None
    assert moved.due > datetime.combine(today + timedelta(days=7), time(), UTC).timestamp() * 1000
    assert (moved.stage, moved.began) == (ClockStage.RUNNING, clock.began)
    for wish, who in ((settings, user), (UserSettings(), user), (settings, others(table)[0])):
        with pytest.raises(OutdatedAction):
            await harness.tables.act(table.id, absence.observe_quiet_hours, who, wish)
    table = await harness.run_due_action(await harness.run_due_action(table))
    assert harness.clock.now == moved.due
    assert stage_of(table) is ClockStage.ASKED
    with pytest.raises(OutdatedAction):
        await harness.tables.act(
            table.id, absence.observe_quiet_hours, user, UserSettings(away=(today, today + timedelta(days=20)))
        )


async def test_a_turn_heeds_holidays_that_were_set_while_its_change_waited_to_be_stored(
    harness: TableHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, waits = harness.database.write, asyncio.Event()

    def waiting(*arguments: float) -> AbstractAsyncContextManager[AsyncConnection]:
        waits.set()
        return write(*arguments)

    table = await harness.match(3, 0, LONG, Pace.DAY)
    today = datetime.fromtimestamp(harness.clock.now / 1000, UTC).date()
    async with harness.database.write() as connection:  # nothing else is stored meanwhile
        monkeypatch.setattr(harness.database, "write", waiting)
        moving = asyncio.create_task(harness.act(table))
        await waits.wait()
        for user in others(table):
            await user_settings.save(connection, user, UserSettings(away=(today, today + timedelta(days=6))))
    clock = not_none((await moving).row.clock)
    assert not_none(clock.due) > datetime.combine(today + timedelta(days=7), time(), UTC).timestamp() * 1000


@pytest.mark.parametrize("choice_of_the_table", [policy for policy in TimeoutPolicy if policy.asks])
async def test_the_table_is_asked_first(harness: TableHarness, choice_of_the_table: TimeoutPolicy) -> None:
    table = await late_table(harness, settings=TableSettings(on_timeout=choice_of_the_table))
    assert stage_of(table) is ClockStage.ASKED
    assert await harness.latest_events() == ()


async def test_without_an_answer_the_gentlest_move_is_made_and_marked(harness: TableHarness) -> None:
    table = await late_table(harness)
    seat = not_none(table.turn)
    after = await harness.run_due_action(table)
    substituted, played = await harness.latest_events()
    assert substituted == Substituted(seat, "ai:gentle", for_owner=True)
    assert isinstance(played, Played)
    assert len(played.cards) == 1
    assert after.seats[seat].player_id == table.seats[seat].player_id
    assert not after.seats[seat].is_absent


async def test_the_gentlest_answer_is_a_pass_and_the_owner_is_named_again_with_the_next_move(
    harness: TableHarness,
) -> None:
    table = await late_table(harness, settings=TableSettings(on_timeout=TimeoutPolicy.MOVE))
    while not any(isinstance(event, Passed) for event in await harness.latest_events()):
        table = await harness.run_due_action(table)
    seat = next(event.seat for event in await harness.latest_events() if isinstance(event, Passed))
    while table.turn != seat:
        table = await harness.act(table)
    table = await harness.act(table)
    assert (await harness.latest_events())[0] == Substituted(seat, table.seats[seat].name)


async def test_a_table_that_waits_only_says_so(harness: TableHarness) -> None:
    table = await harness.run_due_action(
        await late_table(harness, settings=TableSettings(on_timeout=TimeoutPolicy.ASK_WAIT))
    )
    assert stage_of(table) is ClockStage.WAITING
    assert stage_of(await harness.act(table)) is ClockStage.RUNNING


async def test_without_other_players_nobody_is_asked(harness: TableHarness) -> None:
    assert stage_of(await late_table(harness, people=1, ai_players=2)) is ClockStage.WAITING


async def test_an_ai_sits_in_until_the_owner_comes_back(harness: TableHarness) -> None:
    table = await late_table(harness)
    seat, owner = not_none(table.turn), player_to_act(table)
    table = await answered(harness, table, absence.let_ai_play)
    assert table.seats[seat].is_absent
    assert user_to_act(table) is None
    assert await harness.latest_events() == (Substituted(seat, "ai:simple"),)
    with pytest.raises(HasSubstitute):
        await harness.tables.act(table.id, play.pass_turn, owner, table.moment)
    table = await harness.act(table)
    assert not any(isinstance(event, Substituted) for event in await harness.latest_events())
    table = await back(harness, table, owner)
    assert table.seats[seat].player_id == owner
    assert await harness.latest_events() == (Substituted(seat, table.seats[seat].name),)
    while table.turn != seat:
        table = await harness.act(table)
    await harness.act(table)
    assert not any(isinstance(event, Substituted) for event in await harness.latest_events())


async def test_a_substitute_is_called_and_plays_until_the_owner_comes_back(harness: TableHarness) -> None:
    table = await late_table(harness)
    seat, owner = not_none(table.turn), player_to_act(table)
    with pytest.raises(NoLatePlayer):
        await sat_in(harness, table)
    table = await answered(harness, table, absence.call_substitute)
    assert stage_of(table) is ClockStage.CALLED
    table = await sat_in(harness, table)
    assert await harness.latest_events() == (Substituted(seat, "Eve"),)
    assert user_to_act(table) == EVE.user_id
    assert table.view_of(EVE.user_id).hand == table.view_of(owner).hand
    table = await back(harness, table, owner)
    assert await harness.latest_events() == (Substituted(seat, table.seats[seat].name),)
    with pytest.raises(NotSeated):
        table.view_of(EVE.user_id)


async def test_a_host_who_only_sat_in_hosts_no_longer_when_the_owner_comes_back(harness: TableHarness) -> None:
    table = await late_table(harness)
    owner = player_to_act(table)
    table = await sat_in(harness, await answered(harness, table, absence.call_substitute))
    table = replace(table, row=replace(table.row, host_id=EVE.user_id))
    for change in (absence.let_ai_play(table), absence.come_back(table, owner), play.concede(table, EVE.user_id)):
        assert change.row.has_owner(change.row.host_id)


async def test_a_substitute_with_the_owners_name_is_distinguished_in_the_log(harness: TableHarness) -> None:
    table = await answered(harness, await late_table(harness), absence.call_substitute)
    seat = not_none(table.turn)
    namesake = replace(EVE, name=table.seats[seat].name)
    await harness.tables.act(table.id, absence.sit_in, namesake, table.moment)
    assert await harness.latest_events() == (Substituted(seat, f"{namesake.name} (2)"),)


async def test_two_substitutes_of_one_name_are_distinguished_in_the_log(harness: TableHarness) -> None:
    table = await late_table(harness)
    owner = player_to_act(table)
    for user_id, name in ((EVE.user_id, "Eve"), (EVE.user_id + 1, "Eve (2)"), (EVE.user_id, "Eve")):
        table = await answered(harness, table, absence.call_substitute)
        table = await harness.tables.sit_in(table.id, replace(EVE, user_id=user_id), table.moment)
        assert table.seats[table.turn or 0].substitute_name == name
        table = await back(harness, table, owner)
        table = await harness.run_due_action(await harness.run_due_action(table))


@pytest.mark.parametrize(
    ("owner", "expected"), [("x" * 32, "x" * 28 + " (2)"), ("x" * 28 + " (2)", "x" * 28 + " (3)"), ("Eve (2)", None)]
)
async def test_a_substitute_with_the_owners_long_name_is_distinguished_in_messages(
    harness: TableHarness, owner: str, expected: str | None
) -> None:
    table = await answered(harness, await late_table(harness), absence.call_substitute)
    seat = not_none(table.turn)
    long = replace(table.seats[seat], name=owner)
    table = replace(table, row=table.row.with_seat(seat, long))
    change = absence.sit_in(table, replace(EVE, name=owner), table.moment)
    assert change.row.seats[seat].substitute_name == (expected or f"{owner} (2)")


async def test_a_leaving_substitute_does_not_give_up_the_owners_seat(harness: TableHarness) -> None:
    table = await sat_in(harness, await answered(harness, await late_table(harness), absence.call_substitute))
    seat = not_none(table.turn)
    table = await harness.tables.act(table.id, play.concede, EVE.user_id)
    assert (table.seats[seat].ai_level, table.seats[seat].conceded) == ("simple", False)
    assert await harness.latest_events() == (Substituted(seat, "ai:simple"),)
    with pytest.raises(NotSeated):
        await harness.tables.act(table.id, play.concede, EVE.user_id)
    owner = not_none(table.seats[seat].user_id)
    assert user_to_act(await back(harness, table, owner)) == owner


def replace_row(_: Table, row: TableRow) -> Change:
    return Change(row)


async def test_a_substitute_must_be_allowed_to_join(harness: TableHarness) -> None:
    for settings, invited, removed, refusal in (
        (TableSettings(private=True), (), (), NotInvited),
        (TableSettings(), (), (EVE.user_id,), RemovedByHost),
        (TableSettings(private=True), (EVE.user_id,), (), None),
    ):
        table = await answered(harness, await late_table(harness), absence.call_substitute)
        row = replace(table.row, settings=settings, invited=invited, removed=removed)
        table = await harness.tables.act(table.id, replace_row, row)
        if refusal is None:
            assert user_to_act(await sat_in(harness, table)) == EVE.user_id
        else:
            with pytest.raises(refusal):
                await sat_in(harness, table)


async def test_a_substitute_has_as_long_to_come_as_the_table_had_to_answer(harness: TableHarness) -> None:
    table = await late_table(harness)
    harness.clock.now += PACE_TIMES[Pace.LIVE].answer - 1
    called_at = harness.clock.now
    await harness.run_due_action(await answered(harness, table, absence.call_substitute))
    assert harness.clock.now == called_at + PACE_TIMES[Pace.LIVE].answer


@pytest.mark.parametrize("choice_of_the_table", [TimeoutPolicy.MOVE, TimeoutPolicy.ASK_MOVE])
async def test_a_deserted_table_moves_once_for_each_player_and_closes(
    harness: TableHarness, choice_of_the_table: TimeoutPolicy
) -> None:
    table = await harness.match(3, 1, LONG, Pace.LIVE, TableSettings(choice_of_the_table))
    moved: list[int] = []
    while table.row.status is Status.PLAYING:
        waits_since = harness.clock.now
        table = await harness.run_due_action(table)
        moved += [
            event.seat for event in await harness.latest_events() if isinstance(event, Substituted) and event.for_owner
        ]
    assert sorted(moved) == [0, 1, 2]
    assert (table.row.ended, harness.clock.now) == ("deserted", waits_since + MATCH_TIMEOUT)


async def test_one_present_player_keeps_the_table_going(harness: TableHarness) -> None:
    table = await harness.match(3, 0, LONG, Pace.LIVE, TableSettings(TimeoutPolicy.MOVE))
    present = PEOPLE[0].user_id
    for _ in range(12):
        table = await (harness.act(table) if user_to_act(table) == present else harness.run_due_action(table))
        assert stage_of(table) is not ClockStage.WAITING
    assert [seat.missed for seat in table.seats] == [False, True, True]


async def test_no_ai_takes_the_last_seat_and_ai_players_alone_wait(harness: TableHarness) -> None:
    table = await harness.match(2, 1, LONG, Pace.LIVE, TableSettings(TimeoutPolicy.AI))
    while user_to_act(table) is None or table.seats[table.turn or 0].missed or stage_of(table) is ClockStage.RUNNING:
        table = await harness.run_due_action(table)
    while stage_of(table) is not ClockStage.WAITING:
        table = await harness.run_due_action(table)
    assert sum(seat.is_absent for seat in table.seats) == 1
    table = await harness.tables.act(table.id, play.concede, player_to_act(table))
    assert table.row.status is Status.PLAYING
    began = harness.clock.now
    assert (await harness.run_due_action(table)).row.ended == "deserted"
    assert harness.clock.now == began + MATCH_TIMEOUT


async def test_without_a_substitute_the_table_applies_its_policy(harness: TableHarness) -> None:
    table = await answered(
        harness,
        await late_table(harness, settings=TableSettings(on_timeout=TimeoutPolicy.ASK_AI)),
        absence.call_substitute,
    )
    seat = not_none(table.turn)
    assert (await harness.run_due_action(table)).seats[seat].ai_level == "simple"


async def test_only_other_players_answer_and_only_about_a_late_player(harness: TableHarness) -> None:
    table = await late_table(harness)
    turn = player_to_act(table)
    with pytest.raises(OutdatedAction):
        await answered(harness, table, absence.wait, by=turn)
    with pytest.raises(NotSeated):
        await answered(harness, table, absence.wait, by=EVE.user_id)
    await answered(harness, table, absence.call_substitute)
    with pytest.raises(AlreadySeated):
        await harness.tables.act(table.id, absence.sit_in, PEOPLE[0], table.moment)
    after = await harness.act(await harness.tables.get(table.id))
    with pytest.raises(NoLatePlayer):
        await answered(harness, after, absence.wait)


async def test_only_an_absent_owner_can_come_back(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0)
    with pytest.raises(PlaysOwnSeat):
        await back(harness, table, PEOPLE[1].user_id)
    with pytest.raises(NotSeated):
        await back(harness, table, EVE.user_id)
    await harness.tables.act(table.id, play.concede, PEOPLE[1].user_id)
    with pytest.raises(HasConceded):
        await back(harness, table, PEOPLE[1].user_id)


async def test_a_match_with_absences_verifies_and_hands_count_for_their_players(harness: TableHarness) -> None:
    table = await harness.match(3, 0, Options(target=60), Pace.LIVE, TableSettings(TimeoutPolicy.ASK_AI))
    table = await harness.run_due_action(await harness.run_due_action(await harness.run_due_action(table)))
    away = not_none(next(seat.user_id for seat in table.seats if seat.is_absent))
    table = await harness.play_to_end(table)
    lines = await harness.record(table.id)
    verify(lines)
    standings = {line.user_id: line for line in await harness.standings()}
    assert (standings[away].matches, standings[away].wins, standings[away].hands) == (1, 0, 0)
    present = [line for line in standings.values() if line.user_id != away]
    assert all(line.hands == table.public.hand_number for line in present)  # type: ignore[union-attr]  # it has begun


async def test_the_gentlest_moves_play_a_whole_match_by_the_rules(harness: TableHarness) -> None:
    table = await harness.match(3, 0, Options(target=30), Pace.LIVE, TableSettings(TimeoutPolicy.MOVE))
    for _ in range(3000):
        if table.row.status is not Status.PLAYING:
            break
        table = await harness.tables.act(table.id, absence.move_gently)
    assert table.row.status is Status.OVER
    lines = await harness.record(table.id)
    verify(lines)


async def test_the_owners_moves_add_no_substitution_lines(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0)
    assert isinstance(choice(table), Play | Pass)
    await harness.act(table)
    assert not any(isinstance(event, Substituted) for event in await harness.latest_events())
