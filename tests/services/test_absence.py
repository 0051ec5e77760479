"""Turns that take too long, and seats whose owners are away."""

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

import pytest

from bot.engine import Options, Pass, Play
from bot.engine.events import Passed, Played, Substituted
from bot.engine.verification import verify
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
from bot.table.timing import MATCH_TERM, TERMS
from bot.table.user import UserSettings
from tests.services.house import EVE, PEOPLE, House, choice, person_to_act

LONG = Options(target=1000)


def stage_of(table: Table) -> ClockStage | None:
    return None if table.row.clock is None else table.row.clock.stage


async def late(
    house: House, people: int = 3, ai_players: int = 0, settings: TableSettings = DEFAULT_TABLE_SETTINGS
) -> Table:
    """A match in which the time of whoever leads is up."""
    table = await house.match(people, ai_players, LONG, Pace.LIVE, settings)
    while person_to_act(table) is None:
        table = await house.act(table)
    return await house.fall_due(await house.fall_due(table))


def others(table: Table) -> list[int]:
    """The people who are not to act, in seat order."""
    turn = person_to_act(table)
    return [seat.person for seat in table.seats if seat.person not in (None, turn)]


async def answered(house: House, table: Table, outcome: absence.Outcome, by: int | None = None) -> Table:
    """What another player says about it."""
    user = others(table)[0] if by is None else by
    return await house.tables.act(table.id, absence.answer, user, table.moment, outcome)


async def back(house: House, table: Table, user: int) -> Table:
    return await house.tables.act(table.id, absence.come_back, user)


async def sat_in(house: House, table: Table) -> Table:
    return await house.tables.act(table.id, absence.sit_in, EVE, table.moment)


async def test_holidays_that_are_set_during_a_turn_move_its_end_once_and_never_forward(house: House) -> None:
    table = await house.match(3, 0, LONG, Pace.DAY)
    user, clock = person_to_act(table), table.row.clock
    assert user is not None
    assert clock is not None
    assert clock.due is not None
    today = datetime.fromtimestamp(house.clock.now / 1000, UTC).date()
    settings = UserSettings(away=(today, today + timedelta(days=6)))
    table = await house.fall_due(table)
    assert stage_of(table) is ClockStage.REMINDED
    table = await house.tables.act(table.id, absence.respect, user, settings)
    moved = table.row.clock
    assert moved is not None
    assert moved.due is not None
    assert moved.due > datetime.combine(today + timedelta(days=7), time(), UTC).timestamp() * 1000
    assert (moved.stage, moved.began) == (ClockStage.RUNNING, clock.began)
    for wish, who in ((settings, user), (UserSettings(), user), (settings, others(table)[0])):
        with pytest.raises(OutdatedAction):
            await house.tables.act(table.id, absence.respect, who, wish)
    table = await house.fall_due(await house.fall_due(table))
    assert house.clock.now == moved.due
    assert stage_of(table) is ClockStage.ASKED
    with pytest.raises(OutdatedAction):
        await house.tables.act(table.id, absence.respect, user, UserSettings(away=(today, today + timedelta(days=20))))


@pytest.mark.parametrize("choice_of_the_table", [late for late in TimeoutPolicy if late.asks])
async def test_the_table_is_asked_first(house: House, choice_of_the_table: TimeoutPolicy) -> None:
    table = await late(house, settings=TableSettings(on_timeout=choice_of_the_table))
    assert stage_of(table) is ClockStage.ASKED
    assert house.told[-1].events == ()


async def test_nobody_answers_and_the_gentlest_move_is_made_and_marked_as_such(house: House) -> None:
    table = await late(house)
    seat = table.turn
    assert seat is not None
    after = await house.fall_due(table)
    substituted, played = house.told[-1].events
    assert substituted == Substituted(seat, "ai:gentle", for_owner=True)
    assert isinstance(played, Played)
    assert len(played.cards) == 1
    assert after.seats[seat].person == table.seats[seat].person
    assert not after.seats[seat].is_absent


async def test_the_gentlest_answer_is_a_pass_and_the_owner_is_named_again_with_the_next_move(house: House) -> None:
    table = await late(house, settings=TableSettings(on_timeout=TimeoutPolicy.MOVE))
    while not any(isinstance(event, Passed) for event in house.told[-1].events):
        table = await house.fall_due(table)
    seat = next(event.seat for event in house.told[-1].events if isinstance(event, Passed))
    while table.turn != seat:
        table = await house.act(table)
    table = await house.act(table)
    assert house.told[-1].events[0] == Substituted(seat, table.seats[seat].name)


async def test_a_table_that_waits_only_says_so(house: House) -> None:
    table = await house.fall_due(await late(house, settings=TableSettings(on_timeout=TimeoutPolicy.ASK_WAIT)))
    assert stage_of(table) is ClockStage.WAITING
    assert stage_of(await house.act(table)) is ClockStage.RUNNING


async def test_where_nobody_else_plays_nobody_is_asked(house: House) -> None:
    assert stage_of(await late(house, people=1, ai_players=2)) is ClockStage.WAITING


async def test_an_ai_sits_in_until_the_owner_comes_back(house: House) -> None:
    table = await late(house)
    seat, owner = table.turn, person_to_act(table)
    assert seat is not None
    assert owner is not None
    table = await answered(house, table, absence.let_ai_play)
    assert table.seats[seat].is_absent
    assert person_to_act(table) is None
    assert house.told[-1].events == (Substituted(seat, "ai:simple"),)
    with pytest.raises(HasSubstitute):
        await house.tables.act(table.id, play.pass_turn, owner, table.moment)
    table = await house.act(table)
    assert not any(isinstance(event, Substituted) for event in house.told[-1].events)
    table = await back(house, table, owner)
    assert table.seats[seat].person == owner
    assert house.told[-1].events == (Substituted(seat, table.seats[seat].name),)
    while table.turn != seat:
        table = await house.act(table)
    await house.act(table)
    assert not any(isinstance(event, Substituted) for event in house.told[-1].events)


async def test_a_substitute_is_called_and_plays_until_the_owner_comes_back(house: House) -> None:
    table = await late(house)
    seat, owner = table.turn, person_to_act(table)
    assert seat is not None
    assert owner is not None
    with pytest.raises(NoLatePlayer):
        await sat_in(house, table)
    table = await answered(house, table, absence.call)
    assert stage_of(table) is ClockStage.CALLED
    table = await sat_in(house, table)
    assert house.told[-1].events == (Substituted(seat, "Eve"),)
    assert person_to_act(table) == EVE.user_id
    assert table.view_of(EVE.user_id).hand == table.view_of(owner).hand
    table = await back(house, table, owner)
    assert house.told[-1].events == (Substituted(seat, table.seats[seat].name),)
    with pytest.raises(NotSeated):
        table.view_of(EVE.user_id)


async def test_a_substitute_of_the_same_name_is_told_apart_in_the_log(house: House) -> None:
    table = await answered(house, await late(house), absence.call)
    seat = table.turn
    assert seat is not None
    namesake = replace(EVE, name=table.seats[seat].name)
    await house.tables.act(table.id, absence.sit_in, namesake, table.moment)
    assert house.told[-1].events == (Substituted(seat, f"{namesake.name} (2)"),)


@pytest.mark.parametrize(
    ("owner", "expected"), [("x" * 32, "x" * 28 + " (2)"), ("x" * 28 + " (2)", "x" * 28 + " (3)"), ("Eve (2)", None)]
)
async def test_a_substitute_of_the_same_long_name_is_told_apart_where_names_are_shown(
    house: House, owner: str, expected: str | None
) -> None:
    table = await answered(house, await late(house), absence.call)
    seat = table.turn
    assert seat is not None
    long = replace(table.seats[seat], name=owner)
    table = replace(table, row=replace(table.row, seats=(*table.seats[:seat], long, *table.seats[seat + 1 :])))
    change = absence.sit_in(table, replace(EVE, name=owner), table.moment)
    assert change.row.seats[seat].substitute_name == (expected or f"{owner} (2)")


async def test_who_sits_in_gives_up_no_more_than_that(house: House) -> None:
    table = await sat_in(house, await answered(house, await late(house), absence.call))
    seat = table.turn
    assert seat is not None
    table = await house.tables.act(table.id, play.concede, EVE.user_id)
    assert (table.seats[seat].ai_level, table.seats[seat].conceded) == ("simple", False)
    assert house.told[-1].events == (Substituted(seat, "ai:simple"),)
    with pytest.raises(NotSeated):
        await house.tables.act(table.id, play.concede, EVE.user_id)
    owner = table.seats[seat].user_id
    assert owner is not None
    assert person_to_act(await back(house, table, owner)) == owner


def made_into(_: Table, row: TableRow) -> Change:
    return Change(row)


async def test_a_substitute_is_somebody_who_might_have_joined(house: House) -> None:
    for settings, invited, removed, refusal in (
        (TableSettings(private=True), (), (), NotInvited),
        (TableSettings(), (), (EVE.user_id,), RemovedByHost),
        (TableSettings(private=True), (EVE.user_id,), (), None),
    ):
        table = await answered(house, await late(house), absence.call)
        row = replace(table.row, settings=settings, invited=invited, removed=removed)
        table = await house.tables.act(table.id, made_into, row)
        if refusal is None:
            assert person_to_act(await sat_in(house, table)) == EVE.user_id
        else:
            with pytest.raises(refusal):
                await sat_in(house, table)


async def test_a_substitute_has_as_long_to_come_as_the_table_had_to_answer(house: House) -> None:
    table = await late(house)
    house.clock.now += TERMS[Pace.LIVE].answer - 1
    called_at = house.clock.now
    await house.fall_due(await answered(house, table, absence.call))
    assert house.clock.now == called_at + TERMS[Pace.LIVE].answer


@pytest.mark.parametrize("choice_of_the_table", [TimeoutPolicy.MOVE, TimeoutPolicy.ASK_MOVE])
async def test_where_nobody_comes_any_more_the_table_moves_once_for_each_and_is_closed(
    house: House, choice_of_the_table: TimeoutPolicy
) -> None:
    table = await house.match(3, 1, LONG, Pace.LIVE, TableSettings(choice_of_the_table))
    moved: list[int] = []
    while table.row.status is Status.PLAYING:
        waits_since = house.clock.now
        table = await house.fall_due(table)
        moved += [event.seat for event in house.told[-1].events if isinstance(event, Substituted) and event.for_owner]
    assert sorted(moved) == [0, 1, 2]
    assert (table.row.ended, house.clock.now) == ("deserted", waits_since + MATCH_TERM)


async def test_whoever_comes_keeps_the_table_going_for_the_others(house: House) -> None:
    table = await house.match(3, 0, LONG, Pace.LIVE, TableSettings(TimeoutPolicy.MOVE))
    present = PEOPLE[0].user_id
    for _ in range(12):
        table = await (house.act(table) if person_to_act(table) == present else house.fall_due(table))
        assert stage_of(table) is not ClockStage.WAITING
    assert [seat.missed for seat in table.seats] == [False, True, True]


async def test_no_ai_takes_the_last_seat_and_ai_players_alone_wait(house: House) -> None:
    table = await house.match(2, 1, LONG, Pace.LIVE, TableSettings(TimeoutPolicy.AI))
    while person_to_act(table) is None or table.seats[table.turn or 0].missed or stage_of(table) is ClockStage.RUNNING:
        table = await house.fall_due(table)
    while stage_of(table) is not ClockStage.WAITING:
        table = await house.fall_due(table)
    assert sum(seat.is_absent for seat in table.seats) == 1
    user, away = person_to_act(table), next(seat.user_id for seat in table.seats if seat.is_absent)
    assert user is not None
    assert away is not None
    table = await house.tables.act(table.id, play.concede, user)
    assert table.row.status is Status.PLAYING
    began = house.clock.now
    assert (await house.fall_due(table)).row.ended == "deserted"
    assert house.clock.now == began + MATCH_TERM


async def test_nobody_comes_and_the_table_does_what_it_has_chosen(house: House) -> None:
    table = await answered(
        house, await late(house, settings=TableSettings(on_timeout=TimeoutPolicy.ASK_AI)), absence.call
    )
    seat = table.turn
    assert seat is not None
    assert (await house.fall_due(table)).seats[seat].ai_level == "simple"


async def test_only_other_players_answer_and_only_for_somebody_who_is_late(house: House) -> None:
    table = await late(house)
    turn = person_to_act(table)
    assert turn is not None
    with pytest.raises(OutdatedAction):
        await answered(house, table, absence.wait, by=turn)
    with pytest.raises(NotSeated):
        await answered(house, table, absence.wait, by=EVE.user_id)
    await answered(house, table, absence.call)
    with pytest.raises(AlreadySeated):
        await house.tables.act(table.id, absence.sit_in, PEOPLE[0], table.moment)
    after = await house.act(await house.tables.get(table.id))
    with pytest.raises(NoLatePlayer):
        await answered(house, after, absence.wait)


async def test_only_who_is_away_comes_back(house: House) -> None:
    table = await house.match(people=3, ai_players=0)
    with pytest.raises(PlaysOwnSeat):
        await back(house, table, PEOPLE[1].user_id)
    with pytest.raises(NotSeated):
        await back(house, table, EVE.user_id)
    await house.tables.act(table.id, play.concede, PEOPLE[1].user_id)
    with pytest.raises(HasConceded):
        await back(house, table, PEOPLE[1].user_id)


async def test_a_match_with_absences_verifies_and_its_hands_belong_to_who_played_them(house: House) -> None:
    table = await house.match(3, 0, Options(target=60), Pace.LIVE, TableSettings(TimeoutPolicy.ASK_AI))
    table = await house.fall_due(await house.fall_due(await house.fall_due(table)))
    away = next(seat.user_id for seat in table.seats if seat.is_absent)
    assert away is not None
    table = await house.play_out(table)
    lines = await house.record(table.id)
    assert verify(lines).lines == len(lines)
    standings = {line.user_id: line for line in await house.standings()}
    assert (standings[away].matches, standings[away].wins, standings[away].hands) == (1, 0, 0)
    present = [line for line in standings.values() if line.user_id != away]
    assert all(line.hands == table.public().hand_number for line in present)  # type: ignore[union-attr]  # it has begun


async def test_the_gentlest_moves_play_a_whole_match_by_the_rules(house: House) -> None:
    table = await house.match(3, 0, Options(target=30), Pace.LIVE, TableSettings(TimeoutPolicy.MOVE))
    for _ in range(3000):
        if table.row.status is not Status.PLAYING:
            break
        table = await house.tables.act(table.id, absence.move_gently)
    assert table.row.status is Status.OVER
    lines = await house.record(table.id)
    assert verify(lines).lines == len(lines)


async def test_moves_of_the_owner_leave_no_word_of_who_plays(house: House) -> None:
    table = await house.match(people=3, ai_players=0)
    assert isinstance(choice(table), Play | Pass)
    await house.act(table)
    assert not any(isinstance(event, Substituted) for event in house.told[-1].events)
