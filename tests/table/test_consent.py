"""Pauses, ends, nudges, undo and standing orders."""

import pytest
from sqlalchemy import select

from bot.engine import Options, Phase
from bot.engine.errors import NothingToTakeBack
from bot.engine.events import Abandoned, Passed, Undone
from bot.engine.record import read, write
from bot.engine.verification import verify
from bot.storage import matches
from bot.storage.schema import hand_players
from bot.table import absence, consent, play, standing_orders
from bot.table.limits import UNDOS
from bot.table.model import ClockStage, Deadline, DeadlineKind, Pace, Status, TableSettings, TakingBack, TimeoutPolicy
from bot.table.refusals import (
    HostOnly,
    IsPaused,
    NobodyToNudge,
    NotPaused,
    NotSeated,
    NudgedRecently,
    OutdatedAction,
    TooManyUndos,
    UndoNotAllowed,
)
from bot.table.snapshot import Table
from bot.table.timing import DAY, HOUR, PACE_TIMES, nudge_interval
from tests.not_none import not_none
from tests.table_harness import ADA, BO, CY, EVE, TableHarness, player_to_act, stage_of, user_to_act

LONG = Options(target=1000)
UNDO = TableSettings(undo=TakingBack.ON)


async def pause(harness: TableHarness, table: Table, *people: int) -> Table:
    for user in people:
        table = await harness.tables.act(table.id, consent.agree_to_pause, user)
    return table


async def resume(harness: TableHarness, table: Table, user: int = ADA.user_id) -> Table:
    return await harness.tables.act(table.id, consent.resume, user)


async def nudge(harness: TableHarness, table: Table, user: int) -> Table:
    return await harness.tables.act(table.id, consent.nudge, user, harness.clock.now)


async def undo(harness: TableHarness, table: Table, user: int, moment: int | None = None) -> Table:
    at = table.moment if moment is None else moment
    return await harness.tables.act(table.id, consent.undo, user, at)


async def order(harness: TableHarness, table: Table, user: int, text: str) -> Table:
    cycle = standing_orders.cycle_of(not_none(table.public))
    return await harness.tables.act(table.id, consent.give_orders, user, text, harness.clock.now, cycle)


async def test_a_match_is_paused_when_all_agree_and_players_can_change_their_mind(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=1, options=LONG, pace=Pace.LIVE)
    table = await pause(harness, table, ADA.user_id, BO.user_id)
    table = await harness.tables.act(table.id, consent.agree_to_pause, ADA.user_id, agrees=False)
    table = await pause(harness, table, CY.user_id)
    assert (table.row.paused_at, table.row.pausing) == (None, (BO.user_id, CY.user_id))
    table = await pause(harness, table, ADA.user_id)
    assert (table.row.paused_at, table.row.pausing) == (harness.clock.now, ())


async def test_a_pause_stops_the_clock_and_nobody_moves(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0, options=LONG, pace=Pace.LIVE)
    turn, clock = player_to_act(table), not_none(table.row.clock)
    harness.clock.now += 10_000
    table = await pause(harness, table, ADA.user_id, BO.user_id, CY.user_id)
    harness.clock.now += 5_000_000
    with pytest.raises(IsPaused):
        await harness.act(table)
    with pytest.raises(IsPaused):
        await nudge(harness, table, turn)
    table = await resume(harness, table)
    assert not_none(table.row.clock).due == not_none(clock.due) + 5_000_000
    with pytest.raises(NotPaused):
        await resume(harness, table)
    assert (await harness.act(table)).moment > table.moment


async def test_a_pause_is_not_thinking_time(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0, options=Options(target=1))
    harness.clock.now += 10_000
    for _ in range(2):
        table = await pause(harness, table, ADA.user_id, BO.user_id, CY.user_id)
        harness.clock.now += 3_600_000
        table = await resume(harness, table)
    harness.tables.cache.forget_all()
    await harness.play_to_end(await harness.act(await harness.tables.get(table.id)))
    lines = await harness.record(table.id)
    assert [line.paused for line in lines if line.paused] == [7200]
    verify(lines)
    assert read(write(lines)) == lines
    async with harness.database.read() as connection:
        seconds = await connection.scalars(select(hand_players.c.seconds))
    assert sorted(each for seat in seconds for each in seat if each) == [10]


async def test_a_match_ends_when_all_have_agreed(harness: TableHarness) -> None:
    table = await harness.match(people=2, ai_players=1, options=LONG)
    for user in (ADA.user_id, BO.user_id):
        assert table.row.status is Status.PLAYING
        table = await harness.tables.act(table.id, consent.agree_to_end, user)
    assert table.row.status is Status.CLOSED
    (end,) = await harness.latest_events()
    assert isinstance(end, Abandoned)
    assert end.reason == "agreed"


async def test_consent_is_taken_back_only_by_the_button_that_says_so(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0, options=LONG)
    for agree, field in ((consent.agree_to_pause, "pausing"), (consent.agree_to_end, "ending")):
        for agrees in (False, True, True, False, False):
            table = await harness.tables.act(table.id, agree, ADA.user_id, agrees=agrees)
            assert getattr(table.row, field) == ((ADA.user_id,) if agrees else ())


async def test_a_lobby_that_has_started_is_not_closed_by_an_older_question(harness: TableHarness) -> None:
    lobby = await harness.table(people=3, options=LONG)
    table = await harness.tables.start(lobby.id, ADA.user_id)
    with pytest.raises(OutdatedAction):
        await harness.tables.act(table.id, consent.close, BO.user_id, may_manage=True, status=lobby.row.status)
    assert (await harness.tables.get(table.id)).row.status is Status.PLAYING


async def test_conceding_can_complete_the_consent(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0, options=LONG)
    for user in (ADA.user_id, BO.user_id):
        table = await harness.tables.act(table.id, consent.agree_to_end, user)
    assert table.row.status is Status.PLAYING
    table = await harness.tables.act(table.id, play.concede, CY.user_id)
    assert (table.row.status, table.row.ended) == (Status.CLOSED, "agreed")
    lines = await harness.record(table.id)
    verify(lines)


async def test_a_substitution_can_complete_the_consent(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0, options=LONG, pace=Pace.LIVE)
    late = user_to_act(table)
    users = [user for user in (ADA.user_id, BO.user_id, CY.user_id) if user != late]
    table = await pause(harness, await harness.run_due_action(await harness.run_due_action(table)), *users)
    assert table.row.paused_at is None
    table = await harness.tables.act(table.id, absence.answer, users[0], table.moment, absence.let_ai_play)
    assert (table.row.paused_at, table.row.pausing) == (harness.clock.now, ())


async def test_only_players_can_agree(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0, options=LONG)
    with pytest.raises(NotSeated):
        await pause(harness, table, EVE.user_id)
    with pytest.raises(NotSeated):
        await nudge(harness, table, EVE.user_id)


@pytest.mark.parametrize("pace", [Pace.LIVE, Pace.NONE])
async def test_nudges_need_time_between_them(harness: TableHarness, pace: Pace) -> None:
    table = await harness.match(people=3, ai_players=0, options=LONG, pace=pace)
    turn = user_to_act(table)
    other = next(user for user in (ADA.user_id, BO.user_id) if user != turn)
    assert turn is not None
    with pytest.raises(NobodyToNudge):
        await nudge(harness, table, turn)
    with pytest.raises(NudgedRecently) as refused:
        await nudge(harness, table, other)
    assert refused.value.at == harness.clock.now + nudge_interval(pace)
    harness.clock.now = refused.value.at
    table = await nudge(harness, table, other)
    assert table.row.nudged_at == harness.clock.now
    with pytest.raises(NudgedRecently):
        await nudge(harness, table, other)
    assert (await harness.act(table)).row.nudged_at is None


async def test_without_a_pace_a_nudge_after_a_day_asks_the_table(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0, options=LONG)
    other = next(user for user in (ADA.user_id, BO.user_id) if user != user_to_act(table))
    harness.clock.now += DAY
    table = await nudge(harness, table, other)
    assert not_none(table.row.clock).stage is ClockStage.ASKED
    table = await harness.tables.act(table.id, absence.answer, other, table.moment, absence.let_ai_play)
    assert user_to_act(table) is None


async def test_a_table_that_waits_is_asked_again_after_a_nudge(harness: TableHarness) -> None:
    table = await harness.match(
        people=3, ai_players=0, options=LONG, pace=Pace.DAY, settings=TableSettings(TimeoutPolicy.ASK_WAIT)
    )
    other = next(user for user in (ADA.user_id, BO.user_id) if user != user_to_act(table))
    table = await harness.run_due_action(await harness.run_due_action(table))
    for _ in range(3):
        assert stage_of(table) is ClockStage.ASKED
        asked_at = harness.clock.now
        table = await harness.run_due_action(table)
        assert (stage_of(table), harness.clock.now) == (ClockStage.WAITING, asked_at + PACE_TIMES[Pace.DAY].answer)
        table = await nudge(harness, table, other)
    with pytest.raises(NudgedRecently):
        await nudge(harness, table, other)


async def test_a_play_can_be_taken_back_until_the_next_player_acts(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0, options=LONG, settings=UNDO)
    first = player_to_act(table)
    hand = table.view_of(first).hand
    table = await harness.act(table)
    assert table.view_of(first).may_take_back
    table = await undo(harness, table, first)
    assert isinstance((await harness.latest_events())[-1], Undone)
    assert (user_to_act(table), table.view_of(first).hand) == (first, hand)
    table = await harness.act(await harness.act(table))
    with pytest.raises(NothingToTakeBack):
        await undo(harness, table, first)


async def test_moves_can_be_taken_back_in_casual_matches_by_default(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0, options=LONG, settings=TableSettings(rated=False))
    user, hand = player_to_act(table), table.view_of(player_to_act(table)).hand
    table = await undo(harness, await harness.act(table), user)
    assert table.view_of(user).hand == hand


async def test_undos_in_a_hand_are_limited(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0, options=LONG, settings=UNDO)
    first = player_to_act(table)
    for _ in range(UNDOS):
        table = await undo(harness, await harness.act(table), first)
    table = await harness.act(table)
    for _ in range(2):
        with pytest.raises(TooManyUndos):
            await undo(harness, table, first)
        harness.tables.cache.forget_all()  # reading the log gives the same count
        table = await harness.tables.get(table.id)
    second = player_to_act(table)
    table = await undo(harness, await harness.act(table), second)
    while (public := table.public) is not None and (public.hand_number == 1 or public.phase is not Phase.PLAY):
        table = await harness.act(table)
    while user_to_act(table) != first:
        table = await harness.act(table)
    await undo(harness, await harness.act(table), first)


@pytest.mark.parametrize("settled", [TakingBack.CASUAL, TakingBack.OFF])  # all people, so the match is rated
async def test_undo_must_be_allowed_and_refer_to_the_current_turn(harness: TableHarness, settled: TakingBack) -> None:
    strict = await harness.match(people=3, ai_players=0, options=LONG, settings=TableSettings(undo=settled))
    user = player_to_act(strict)
    with pytest.raises(UndoNotAllowed):
        await undo(harness, await harness.act(strict), user)
    table = await harness.match(people=3, ai_players=0, options=LONG, settings=UNDO)
    user = player_to_act(table)
    after = await harness.act(table)
    with pytest.raises(OutdatedAction):
        await undo(harness, after, user, moment=table.moment)


async def play_until_an_order_is_possible(harness: TableHarness, table: Table) -> tuple[Table, int]:
    """A position in which another player can order a pass. Returns the table and that player."""
    table = await harness.act(table)
    following = (not_none(table.turn) + 1) % 3
    user = not_none(table.seats[following].user_id)
    return table, user


async def test_a_standing_pass_is_carried_out_after_a_while_and_ends_with_the_cycle(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0, options=LONG)
    table, user = await play_until_an_order_is_possible(harness, table)
    table = await order(harness, table, user, standing_orders.PASS)
    seat = not_none(table.seat_of(user))
    while table.turn != seat:
        table = await harness.act(table)
    if not_none(table.public).cycle.plays:
        before = harness.clock.now
        table = await harness.run_due_action(table)
        assert harness.clock.now == before + standing_orders.DELAY
        assert await harness.latest_events() == (Passed(seat),)
    while (public := table.public) and public.cycle.plays and table.seats[seat].orders:
        table = await harness.act(table)
    assert table.seats[seat].orders == standing_orders.NONE


async def test_a_pass_by_an_order_that_is_taken_back_is_not_made_again(harness: TableHarness) -> None:
    settings = TableSettings(undo=TakingBack.ON)
    table = await harness.match(people=3, ai_players=0, options=LONG, settings=settings)
    table, user = await play_until_an_order_is_possible(harness, table)
    table = await order(harness, table, user, standing_orders.PASS)
    seat = not_none(table.seat_of(user))
    while table.turn != seat:
        table = await harness.act(table)
    table = await undo(harness, await harness.run_due_action(table), user)
    assert (table.turn, table.seats[seat].orders) == (seat, standing_orders.NONE)


async def test_an_order_given_late_in_ones_own_turn_can_still_be_canceled(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0, options=LONG, pace=Pace.DAY)
    table = await harness.act(table)
    user = player_to_act(table)
    harness.clock.now += HOUR
    table = await order(harness, table, user, standing_orders.PASS)
    async with harness.database.read() as connection:
        due = await matches.deadline(connection, table.id)
    assert due == Deadline(table.id, DeadlineKind.ORDERS, harness.clock.now + standing_orders.DELAY)
    table = await order(harness, table, user, standing_orders.NONE)
    assert due is not None
    await harness.tables.due(due)
    assert await harness.tables.get(table.id) == table


async def test_an_order_for_singles_applies_only_to_singles(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0, options=LONG)
    table, user = await play_until_an_order_is_possible(harness, table)
    table = await order(harness, table, user, "above:5")
    seat, seen = table.seat_of(user), set()
    for _ in range(60):
        public = not_none(table.public)
        if public.hand_number > 1 or public.phase is not Phase.PLAY or not table.seats[seat or 0].orders:
            break  # an order that the rules forbid is canceled
        to_beat = public.cycle.to_beat
        if table.turn == seat:
            expected = to_beat is not None and to_beat.size == 1 and to_beat.number > 5
            async with harness.database.read() as connection:
                due = await matches.deadline(connection, table.id)
            assert due is not None
            assert (due.kind is DeadlineKind.ORDERS) == expected
            seen.add(expected)
            if expected:
                table = await harness.run_due_action(table)
                continue
        table = await harness.act(table)
    assert table.seats[seat or 0].orders in ("above:5", standing_orders.NONE)
    assert seen


async def test_an_order_can_be_canceled_and_unknown_ones_are_refused(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0, options=LONG)
    table = await order(harness, table, ADA.user_id, "above:7")
    table = await order(harness, table, ADA.user_id, standing_orders.NONE)
    assert [seat.orders for seat in table.seats] == ["", "", ""]
    with pytest.raises(OutdatedAction):
        await order(harness, table, ADA.user_id, "win")


async def test_an_order_that_the_rules_forbid_is_canceled(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0, options=LONG)
    turn = player_to_act(table)
    table = await order(harness, table, turn, standing_orders.PASS)
    table = await harness.tables.act(table.id, consent.carry_out)  # the leader can't pass
    assert all(seat.orders == standing_orders.NONE for seat in table.seats)


async def test_a_match_with_pauses_undos_and_orders_verifies(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0, options=Options(target=20), settings=UNDO)
    for number in range(400):
        if table.row.status is not Status.PLAYING:
            break
        user = player_to_act(table)
        table = await harness.act(table)
        if number % 7 == 0 and table.row.status is Status.PLAYING and table.view_of(user).may_take_back:
            table = await undo(harness, table, user)
    table = await harness.play_to_end(table)
    lines = await harness.record(table.id)
    verify(lines)


async def test_a_host_ends_a_match_with_the_consent_of_the_others_only(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=1, options=LONG)
    for _ in range(2):  # asking again doesn't take the wish back
        table = await harness.tables.act(table.id, consent.close, ADA.user_id, may_manage=False)
        assert (table.row.status, table.row.ending) == (Status.PLAYING, (ADA.user_id,))
    assert consent.still_to_agree(table, ADA.user_id) == [BO.user_id, CY.user_id]
    for person in (BO, CY):
        table = await harness.tables.act(table.id, consent.agree_to_end, person.user_id)
    assert (table.row.status, table.row.ended, table.row.closed_by_id) == (Status.CLOSED, "agreed", None)


async def test_a_host_who_plays_alone_and_a_manager_end_a_match_at_once(harness: TableHarness) -> None:
    alone = await harness.match(people=1, ai_players=2, options=LONG)
    alone = await harness.tables.act(alone.id, consent.close, ADA.user_id, may_manage=False)
    assert alone.row.status is Status.CLOSED
    table = await harness.match(people=3, ai_players=0, options=LONG)
    table = await harness.tables.act(table.id, consent.close, EVE.user_id, may_manage=True)
    assert (table.row.status, table.row.ended, table.row.closed_by_id) == (Status.CLOSED, "closed", EVE.user_id)


async def test_each_answer_about_a_late_turn_is_counted_until_the_table_is_asked_again(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0, options=LONG, pace=Pace.LIVE)
    late = user_to_act(table)
    other = next(user for user in (ADA.user_id, BO.user_id) if user != late)
    table = await harness.run_due_action(await harness.run_due_action(table))
    counted = []
    for outcome in (absence.wait, absence.wait, absence.call_substitute, absence.wait):
        table = await harness.tables.act(table.id, absence.answer, other, table.moment, outcome)
        harness.tables.cache.forget_all()
        table = await harness.tables.get(table.id)
        assert table.row.clock is not None
        counted.append(table.row.clock.answers)
    assert counted == [1, 1, 2, 3]
    harness.clock.now += nudge_interval(Pace.LIVE)
    table = await nudge(harness, table, other)
    assert table.row.clock is not None
    assert (table.row.clock.stage, table.row.clock.answers) == (ClockStage.ASKED, 0)


async def alone_with_ai_substitutes(harness: TableHarness) -> tuple[Table, int, list[int]]:
    """A match of three with AI players as two substitutes. Returns the table, the present user, and the owners."""
    table = await harness.match(people=3, ai_players=0, options=LONG, pace=Pace.LIVE)
    here, *away = (ADA.user_id, BO.user_id, CY.user_id)
    while any(seat.player_id in away for seat in table.seats):
        if user_to_act(table) in away:
            table = await harness.run_due_action(await harness.run_due_action(table))
            table = await harness.tables.act(table.id, absence.answer, here, table.moment, absence.let_ai_play)
        else:
            table = await harness.act(table)
    return table, here, away


async def test_a_match_does_not_end_without_the_owners_who_may_come_back(harness: TableHarness) -> None:
    table, here, away = await alone_with_ai_substitutes(harness)
    table = await harness.tables.act(table.id, consent.close, here, may_manage=False)
    assert (table.row.status, table.row.ending) == (Status.PLAYING, (here,))
    assert consent.still_to_agree(table, here) == away
    for user in away:
        table = await harness.tables.act(table.id, absence.come_back, user)
        assert table.row.status is Status.PLAYING
        table = await harness.tables.act(table.id, consent.agree_to_end, user)
    assert (table.row.status, table.row.ended) == (Status.CLOSED, "agreed")


async def test_owners_who_agreed_or_conceded_do_not_keep_a_match_open(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0, options=LONG, pace=Pace.LIVE)
    late = player_to_act(table)
    here, leaver = (user for user in (ADA.user_id, BO.user_id, CY.user_id) if user != late)
    table = await harness.tables.act(table.id, consent.agree_to_end, late)
    table = await harness.run_due_action(await harness.run_due_action(table))
    table = await harness.tables.act(table.id, absence.answer, here, table.moment, absence.let_ai_play)
    table = await harness.tables.act(table.id, play.concede, leaver)
    table = await harness.tables.act(table.id, consent.agree_to_end, here)
    assert table.row.ended == "agreed"


async def test_the_order_to_pass_counts_for_the_cycle_in_which_it_was_offered(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0, options=LONG)
    offered = await harness.act(table)
    user = next(seat.user_id for seat in offered.seats if seat.user_id not in (None, user_to_act(offered)))
    later = offered
    while not later.public or later.public.cycle.plays[:1] in ((), offered.public and offered.public.cycle.plays[:1]):
        later = await harness.act(later)
    with pytest.raises(OutdatedAction):
        await harness.tables.act(
            later.id,
            consent.give_orders,
            user,
            standing_orders.PASS,
            harness.clock.now,
            standing_orders.cycle_of(not_none(offered.public)),
        )
    assert await order(harness, later, not_none(user), standing_orders.PASS)


async def test_conceding_passes_the_host_role_to_a_player(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0, options=LONG)
    table = await harness.tables.act(table.id, play.concede, BO.user_id)
    assert table.row.host_id == ADA.user_id
    table = await harness.tables.act(table.id, play.concede, ADA.user_id)
    assert table.row.host_id == CY.user_id
    with pytest.raises(HostOnly):
        await harness.tables.act(table.id, consent.close, ADA.user_id, may_manage=False)
    assert (await harness.tables.act(table.id, consent.close, CY.user_id, may_manage=False)).row.status is Status.CLOSED
