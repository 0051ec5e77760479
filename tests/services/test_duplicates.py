"""Duplicate matches: the same deals at two tables, secret until both are over, with different players."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

import pytest

from bot.analysis import fairness
from bot.engine import Options
from bot.engine.events import Dealt, MatchStarted
from bot.engine.record import Line
from bot.presentation.table.lobby_options import set_option
from bot.storage import matches, retention
from bot.storage.database import Database
from bot.table import absence, consent, duplicates, lobby, play
from bot.table.duplicates import Comparison
from bot.table.lobby import DEFAULT_TABLE_SETTINGS, Person, TableSetup
from bot.table.model import (
    MIN_RATED_TARGET,
    CasualReason,
    ClockStage,
    Pace,
    Status,
    TableSettings,
    TakingBack,
    TimeoutPolicy,
)
from bot.table.refusals import (
    DuplicateBeginsFirst,
    DuplicateNotOver,
    DuplicateRefusal,
    GameFixedByDuplicate,
    HasDuplicate,
    HasNotStarted,
    HasStarted,
    NoCutAtDuplicate,
    NoSuchTable,
    NotInvited,
    PlaysAtDuplicate,
    TableIsClosed,
)
from bot.table.snapshot import Table
from tests.table_harness import (
    ADA,
    BO,
    CHANNEL,
    CY,
    DI,
    EVE,
    FIRST_MESSAGE,
    ONE_HAND,
    OPENER,
    TableHarness,
    requester,
    user_to_act,
)

FAY, GUS = Person(90, "Fay"), Person(110, "Gus")
ELSEWHERE = CHANNEL + 1
SEVERAL = Options(target=100)
"""Matches end after some hands."""


async def create_duplicate(
    harness: TableHarness,
    options: Options = ONE_HAND,
    pace: Pace = Pace.NONE,
    settings: TableSettings = DEFAULT_TABLE_SETTINGS,
) -> tuple[Table, Table]:
    """Ada, Bo and Cy at one table; Eve, Fay and Gus at another for the same deals."""
    first = await harness.table(3, 0, options, pace, settings=settings)
    second = await harness.tables.duplicate(first.id, ELSEWHERE, EVE, OPENER)
    for person in (FAY, GUS):
        second = await harness.tables.act(second.id, play.join, person)
    return await harness.tables.get(first.id), second


async def started(harness: TableHarness, options: Options = ONE_HAND) -> tuple[Table, Table]:
    """The same tables after the first deal at both."""
    first, second = await create_duplicate(harness, options)
    return await harness.tables.start(first.id, ADA.user_id), await harness.tables.start(second.id, EVE.user_id)


async def passed_out(harness: TableHarness, table: Table, user_id: int) -> Table:
    """Play the match to its end. One player passes whenever possible."""
    while table.row.status is Status.PLAYING:
        if user_to_act(table) == user_id and table.view_of(user_id).may_pass:
            table = await harness.tables.act(table.id, play.pass_turn, user_id, table.moment)
        else:
            table = await harness.act(table)
    return table


def begin_of(lines: Sequence[Line]) -> MatchStarted:
    match = lines[0].event
    assert isinstance(match, MatchStarted)
    return match


def deals(lines: Sequence[Line]) -> list[Dealt]:
    return [line.event for line in lines if isinstance(line.event, Dealt)]


async def close(harness: TableHarness, table: Table) -> Table:
    return await harness.tables.act(table.id, consent.close, table.row.host_id, may_manage=True)


@pytest.mark.parametrize("options", [SEVERAL, Options(target=100, deal="chinese")], ids=["plain", "chinese"])
async def test_both_tables_are_dealt_the_same_hands_by_seat(harness: TableHarness, options: Options) -> None:
    first, second = await started(harness, options)
    await passed_out(harness, first, BO.user_id)
    await harness.play_to_end(second)
    records = [await harness.record(table.id) for table in (first, second)]
    for record in records:
        assert fairness.check(record).is_fair
    one, other = map(deals, records)
    assert len(one) > 1
    for here, there in zip(one, other, strict=False):
        assert (here.hand, here.hands, here.dummy, here.cut) == (there.hand, there.hands, there.dummy, there.cut)
    begins = [begin_of(record) for record in records]
    assert begins[1] == replace(begins[0], seats=("Eve", "Fay", "Gus"))
    assert begins[0].salt == f"{FIRST_MESSAGE + 1}-0-0-0"
    assert begins[0].dealer == 1  # the eldest at the first table; the second one's is Fay


async def test_the_second_table_has_the_same_game_and_commitment(harness: TableHarness) -> None:
    settings = TableSettings(on_timeout=TimeoutPolicy.MOVE, undo=TakingBack.ON)
    first, second = await create_duplicate(harness, SEVERAL, Pace.DAY, settings)
    assert (
        TableSetup.of(second.row)
        == TableSetup.of(first.row)
        == TableSetup(3, "days-of-wonder", SEVERAL, Pace.DAY, settings)
    )
    assert await harness.seed(second) == await harness.seed(first)
    assert (first.row.duplicate_of, second.row.duplicate_of) == (second.id, first.id)
    assert (first.row.first_table_id, second.row.first_table_id) == (None, first.id)
    assert (first.row.deals_secret, second.row.deals_secret) == (True, True)
    assert (first.row.channel_id, second.row.channel_id) == (CHANNEL, ELSEWHERE)
    assert {update.id for update in harness.updates[-4:]} == {first.id, second.id}
    async with harness.database.read() as connection:
        assert await matches.deadline(connection, second.id) is not None


async def test_the_second_table_starts_after_the_first(harness: TableHarness) -> None:
    first, second = await create_duplicate(harness)
    with pytest.raises(DuplicateBeginsFirst) as refused:
        await harness.tables.start(second.id, EVE.user_id)
    assert refused.value.duplicate_of == first.id
    await harness.play_to_end(await harness.tables.start(first.id, ADA.user_id))
    assert (await harness.tables.start(second.id, EVE.user_id)).row.status is Status.PLAYING


async def test_no_action_starts_the_second_table_before_the_first(harness: TableHarness) -> None:
    _, second = await create_duplicate(harness)
    with pytest.raises(DuplicateBeginsFirst):
        await harness.tables.act(second.id, play.begin_daily)


async def test_the_deck_is_cut_at_the_first_table_only(harness: TableHarness) -> None:
    first, second = await create_duplicate(harness)
    with pytest.raises(NoCutAtDuplicate):
        await harness.tables.act(second.id, play.change_lobby, lobby.cut, EVE.user_id, 5)
    await harness.tables.act(first.id, play.change_lobby, lobby.cut, ADA.user_id, 17)
    await harness.tables.start(first.id, ADA.user_id)
    second = await harness.tables.start(second.id, EVE.user_id)
    assert begin_of(await harness.record(second.id)).salt == f"{FIRST_MESSAGE + 1}-17-0-0"


async def test_only_a_table_in_its_lobby_can_be_duplicated_and_only_once(harness: TableHarness) -> None:
    playing = await harness.match(3, 0)
    over = await harness.play_to_end(await harness.match(3, 0))
    closed = await close(harness, await harness.table(3))
    followed, follower = await create_duplicate(harness)
    secret = await harness.table(1, settings=TableSettings(private=True))
    expected: list[tuple[int, type[Exception]]] = [
        (playing.id, HasStarted),
        (over.id, TableIsClosed),
        (closed.id, TableIsClosed),
        (followed.id, HasDuplicate),
        (follower.id, HasDuplicate),
        (secret.id, NotInvited),
        (999, NoSuchTable),
    ]
    for number, kind in expected:
        with pytest.raises(kind):
            await harness.tables.duplicate(number, ELSEWHERE, DI, OPENER)
    await harness.tables.act(secret.id, play.change_lobby, lobby.invite, ADA.user_id, [DI.user_id])
    assert (await harness.tables.get(secret.id)).row.awaited == (DI.user_id,)
    assert (await harness.tables.duplicate(secret.id, ELSEWHERE, DI, OPENER)).row.settings.private
    assert (await harness.tables.get(secret.id)).row.awaited == ()


async def test_both_matches_are_casual_whatever_the_host_chooses(harness: TableHarness) -> None:
    """Those who watch the first table have seen most cards before the second one moves."""
    first, second = await create_duplicate(harness, Options(target=MIN_RATED_TARGET))
    for table in (first, second):
        await harness.tables.act(table.id, play.change_lobby, set_option, table.row.host_id, "rated", "on")
        assert (await harness.tables.get(table.id)).row.casual_reason is CasualReason.CHOSEN
    for table, host in ((first, ADA), (second, EVE)):
        assert (await harness.tables.start(table.id, host.user_id)).row.casual_reason is CasualReason.CHOSEN
    await close(harness, await harness.tables.get(second.id))
    first = await harness.play_to_end(await harness.tables.get(first.id))
    assert first.row.casual_reason is CasualReason.CHOSEN
    assert (await harness.tables.rematch(first.id, ADA, OPENER)).row.casual_reason is None


async def test_a_match_stays_casual_if_its_duplicate_is_never_played_but_not_the_rematch(harness: TableHarness) -> None:
    first = await harness.table(3, 0, Options(target=MIN_RATED_TARGET))
    second = await harness.tables.duplicate(first.id, ELSEWHERE, EVE, OPENER)
    await harness.tables.start(first.id, ADA.user_id)
    await harness.tables.act(second.id, play.change_lobby, lobby.leave, EVE.user_id)
    first = await harness.play_to_end(await harness.tables.get(first.id))
    assert (first.row.duplicate_of, first.row.casual_reason) == (None, CasualReason.CHOSEN)
    assert (await harness.tables.rematch(first.id, ADA, OPENER)).row.casual_reason is None


async def test_a_table_is_rated_again_if_its_duplicate_closes_before_both_have_started(harness: TableHarness) -> None:
    first = await harness.table(3, 0, Options(target=MIN_RATED_TARGET))
    second = await harness.tables.duplicate(first.id, ELSEWHERE, EVE, OPENER)
    await harness.tables.act(second.id, play.change_lobby, lobby.leave, EVE.user_id)
    assert (await harness.tables.get(first.id)).row.casual_reason is None
    assert (await harness.tables.start(first.id, ADA.user_id)).row.casual_reason is None


async def test_a_hand_of_the_day_cannot_be_duplicated(harness: TableHarness) -> None:
    row = (await harness.table()).row
    with pytest.raises(NoSuchTable):
        duplicates.create_duplicate(Table(replace(row, daily="2026-12-24")), ELSEWHERE, EVE, OPENER, 0)


async def test_no_user_plays_at_both_tables(harness: TableHarness) -> None:
    first = await harness.table(2, size=3)
    for person in (ADA, BO):
        with pytest.raises(PlaysAtDuplicate):
            await harness.tables.duplicate(first.id, ELSEWHERE, person, OPENER)
    second = await harness.tables.duplicate(first.id, ELSEWHERE, EVE, OPENER)
    for table, person in ((second, ADA), (second, BO), (first, EVE)):
        with pytest.raises(PlaysAtDuplicate):
            await harness.tables.act(table.id, play.join, person)
    await harness.tables.act(first.id, play.change_lobby, lobby.leave, BO.user_id)
    await harness.tables.act(second.id, play.join, BO)
    with pytest.raises(PlaysAtDuplicate):
        await harness.tables.act(first.id, play.join, BO)


async def test_joining_both_tables_at_once_gives_one_seat(any_database: Database) -> None:
    """Each table is in an app of its own, so they share no lock in memory."""
    harness, other = TableHarness(any_database), TableHarness(any_database)
    for person in (BO, CY, DI):
        first = await harness.table(1, size=3)
        second = await harness.tables.duplicate(first.id, ELSEWHERE, EVE, OPENER)
        ends = await asyncio.gather(
            harness.tables.act(first.id, play.join, person),
            other.tables.act(second.id, play.join, person),
            return_exceptions=True,
        )
        assert [type(end) for end in ends if isinstance(end, Exception)] == [PlaysAtDuplicate]


async def test_a_substitute_at_one_table_cannot_play_at_the_other(harness: TableHarness) -> None:
    first, second = await create_duplicate(harness, Options(target=1000), Pace.LIVE)
    first = await harness.tables.start(first.id, ADA.user_id)
    first = await harness.run_due_action(await harness.run_due_action(first))
    by = next(seat.user_id for seat in first.seats if seat.user_id not in (None, user_to_act(first)))
    first = await harness.tables.act(first.id, absence.answer, by, first.moment, absence.call_substitute)
    assert first.row.clock is not None
    assert first.row.clock.stage is ClockStage.CALLED
    with pytest.raises(PlaysAtDuplicate):
        await harness.tables.act(first.id, absence.sit_in, GUS, first.moment)
    await harness.tables.act(first.id, absence.sit_in, DI, first.moment)
    await harness.tables.act(first.id, play.concede, DI.user_id)
    await harness.tables.act(second.id, play.change_lobby, lobby.leave, GUS.user_id)
    with pytest.raises(PlaysAtDuplicate):
        await harness.tables.act(second.id, play.join, DI)
    await harness.tables.act(second.id, play.join, GUS)


async def test_both_tables_keep_the_same_game_and_other_settings_can_differ(harness: TableHarness) -> None:
    first, second = await create_duplicate(harness)
    for table, host in ((first, ADA), (second, EVE)):
        setup = TableSetup.of(table.row)
        for other in (
            replace(setup, size=4),
            replace(setup, edition="dargaud-1996"),
            replace(setup, options=SEVERAL),
        ):
            with pytest.raises(GameFixedByDuplicate):
                await harness.tables.act(table.id, play.change_lobby, lobby.configure, host.user_id, other)
        for pace in Pace:
            after = await harness.tables.act(table.id, play.change_lobby, set_option, host.user_id, "pace", pace)
            assert after.row.pace is pace


async def asked(harness: TableHarness, table: Table) -> list[type[Exception] | None]:
    """The refusals for reading a match and its comparison; None if they can be read."""
    ways: list[Callable[[], Awaitable[object]]] = [
        lambda: harness.archive.match(table.id, requester(ADA.user_id)),
        lambda: harness.archive.comparison(table),
    ]
    found: list[type[Exception] | None] = []
    for ask in ways:
        try:
            await ask()
        except DuplicateRefusal as refused:
            found.append(type(refused))
        else:
            found.append(None)
    return found


@pytest.mark.parametrize("later", [0, 1], ids=["the first ends last", "the second ends last"])
async def test_deals_are_secret_until_both_tables_are_over(harness: TableHarness, later: int) -> None:
    both = list(await started(harness, SEVERAL))
    both[1 - later] = await harness.play_to_end(both[1 - later])
    assert await asked(harness, both[1 - later]) == [DuplicateNotOver] * 2
    reports = await harness.archive.reports(both[1 - later], 0)
    assert len(reports) > 1
    for report in reports:
        assert not any((*report.cards_left, *report.cards_at_start, *report.moves))
        assert report.gave is None
        assert sum(report.ended.points) > 0
    before = await harness.tables.get(both[1 - later].id)

    both[later] = await harness.play_to_end(both[later])

    for reader in (harness, TableHarness(harness.database)):
        for number in (table.id for table in both):
            table = await reader.tables.get(number)
            assert not table.row.deals_secret
            assert await asked(reader, table) == [None] * 2
            assert all(report.cards_at_start[0] for report in await reader.archive.reports(table, 0))
    assert (await harness.tables.get(before.id)).row.revision == before.row.revision + 1
    assert {update.id for update in harness.updates[-2:]} == {table.id for table in both}
    assert sorted(table.id for table in both) == await harness.tables.displays.outdated()


async def test_hands_are_secret_during_the_match(harness: TableHarness) -> None:
    first, _ = await started(harness, SEVERAL)
    while len(await harness.archive.reports(first, 0)) < 1:
        first = await harness.act(first)
    with pytest.raises(DuplicateNotOver):
        await harness.archive.match(first.id, requester(ADA.user_id))


async def test_an_abandoned_match_reveals_the_deals(harness: TableHarness) -> None:
    first, second = await started(harness, SEVERAL)
    await close(harness, first)
    assert (await harness.tables.get(first.id)).row.deals_secret
    await close(harness, second)
    for table in (first, second):
        row = (await harness.tables.get(table.id)).row
        assert (row.status, row.deals_secret, row.duplicate_of is None) == (Status.CLOSED, False, False)


async def test_simultaneous_ends_reveal_the_deals_of_both(any_database: Database) -> None:
    harness, other = TableHarness(any_database), TableHarness(any_database)
    for _ in range(3):
        first, second = await started(harness)
        await asyncio.gather(close(harness, first), close(other, second))
        for table in (first, second):
            assert not (await TableHarness(any_database).tables.get(table.id)).row.deals_secret


async def test_if_the_first_table_closes_in_its_lobby_the_second_becomes_ordinary(harness: TableHarness) -> None:
    first, second = await create_duplicate(harness)
    await close(harness, first)
    second = await harness.tables.get(second.id)
    assert (second.row.duplicate_of, second.row.deals_secret, second.row.first_table_id) == (None, False, None)
    assert await harness.tables.get(second.id) == await TableHarness(harness.database).tables.get(second.id)
    second = await harness.posted(second)
    await harness.tables.act(second.id, play.change_lobby, lobby.cut, FAY.user_id, 63)
    second = await harness.tables.start(second.id, EVE.user_id)
    assert begin_of(await harness.record(second.id)).salt == f"{FIRST_MESSAGE + 2}-0-63-0"
    over = await harness.play_to_end(second)
    assert fairness.check(await harness.record(over.id)).is_fair


async def test_if_the_second_table_closes_in_its_lobby_the_first_becomes_ordinary(harness: TableHarness) -> None:
    first, second = await create_duplicate(harness)
    over = await harness.play_to_end(await harness.tables.start(first.id, ADA.user_id))
    assert over.row.deals_secret
    for person in (EVE, FAY, GUS):
        await harness.tables.act(second.id, play.change_lobby, lobby.leave, person.user_id)
    first = await harness.tables.get(first.id)
    assert (first.row.duplicate_of, first.row.deals_secret) == (None, False)
    assert await harness.archive.match(first.id, requester(ADA.user_id))
    second = await harness.tables.get(second.id)
    assert (second.row.duplicate_of, second.row.status) == (None, Status.CLOSED)


async def test_an_empty_second_table_does_not_hide_the_first_forever(harness: TableHarness) -> None:
    first, second = await create_duplicate(harness)
    await harness.play_to_end(await harness.tables.start(first.id, ADA.user_id))
    await harness.run_due_action(second)
    assert not (await harness.tables.get(first.id)).row.deals_secret


async def test_deleting_one_table_makes_the_other_ordinary(harness: TableHarness) -> None:
    first, second = await started(harness)
    async with harness.database.write() as connection:
        await retention.delete_tables(connection, [second.id])
    harness.tables.cache.forget_all()
    row = (await harness.tables.get(first.id)).row
    assert (row.duplicate_of, row.deals_secret, row.revision) == (None, False, first.row.revision + 1)


async def test_a_duplicate_match_counts_like_any_other(harness: TableHarness) -> None:
    for table in await started(harness):
        await harness.play_to_end(table)
    assert {standing.name for standing in await harness.standings()} == {"Ada", "Bo", "Cy", "Eve", "Fay", "Gus"}


async def test_the_comparison_matches_both_logs(harness: TableHarness) -> None:
    first, second = await started(harness, SEVERAL)
    first, second = await passed_out(harness, first, BO.user_id), await harness.play_to_end(second)
    comparison = await harness.archive.comparison(second)
    assert [table.id for table in comparison.tables] == [first.id, second.id]
    assert comparison == await harness.archive.comparison(await harness.tables.get(first.id))
    reports = [await harness.archive.reports(await harness.tables.get(table.id), 0) for table in (first, second)]
    assert len(comparison.hands) == min(map(len, reports))
    for seat in range(3):
        expected = [(one.ended.points[seat], other.ended.points[seat]) for one, other in zip(*reports, strict=False)]
        assert comparison.points(seat) == expected
    assert any(one != other for seat in range(3) for one, other in comparison.points(seat))


async def test_the_comparison_is_posted_once_in_each_place(harness: TableHarness) -> None:
    first, second = await started(harness)
    apart = Comparison((first, second), ())
    assert [apart.is_announced_at(table) for table in (first, second)] == [True, True]
    also_create = Comparison((first, replace(second, row=replace(second.row, channel_id=CHANNEL))), ())
    assert [also_create.is_announced_at(table) for table in also_create.tables] == [True, False]


async def test_a_match_has_no_record_before_its_first_deal(harness: TableHarness) -> None:
    _, second = await create_duplicate(harness)
    with pytest.raises(HasNotStarted):
        await harness.archive.match(second.id, requester(ADA.user_id))
