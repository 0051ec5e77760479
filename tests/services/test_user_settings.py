"""The settings of users, their limits, and the tables that wait for a user."""

import asyncio
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

import pytest

from bot.services.user_settings import MAX_DAYS_AHEAD, MAX_HOLIDAYS, MAX_QUIET_MINUTES, Users, local_time
from bot.storage import matches
from bot.table import consent
from bot.table.lobby import Person
from bot.table.model import Pace, TurnClock
from bot.table.pending_items import PendingItem, pending_for
from bot.table.refusals import BadHolidays, BadQuietHours, BadTimeZone
from bot.table.snapshot import Table
from bot.table.user import NotificationMode, UserSettings
from tests.not_none import not_none
from tests.table_harness import (
    ADA,
    BO,
    CY,
    EVE,
    GUILD,
    OPENER,
    PEOPLE,
    START,
    TableHarness,
    choice,
    player_to_act,
    user_to_act,
)

USER = ADA.user_id
TODAY = date(2023, 11, 14)
"""The start of the harness clock, 22:13:20 UTC."""


@pytest.fixture
def people(harness: TableHarness) -> Users:
    return Users(harness.database)


def in_days(days: int) -> date:
    return TODAY + timedelta(days)


async def test_settings_are_read_again_only_when_they_may_have_changed(people: Users, harness: TableHarness) -> None:
    told: list[int] = []
    assert await people.get(USER) == UserSettings()
    await Users(harness.database, told.append).set(USER, language="de")
    assert told == [USER]
    assert (await people.get(USER)).language == ""
    people.forget_all()
    assert (await people.get(USER)).language == "de"


async def test_each_setting_changes_nothing_else(people: Users) -> None:
    assert await people.get(USER) == UserSettings()
    days = (in_days(1), in_days(3))
    await people.set(USER, notifications=NotificationMode.DIRECT)
    await people.set_zone(USER, "tokyo")
    await people.set_quiet(USER, (1320, 480))
    changed = await people.set_away(USER, days, START)
    assert changed == await people.get(USER) == UserSettings(NotificationMode.DIRECT, "Asia/Tokyo", (1320, 480), days)
    assert await people.set_quiet(USER, None) == replace(changed, quiet=None)
    assert await people.set_away(USER, None, START) == UserSettings(NotificationMode.DIRECT, "Asia/Tokyo")
    assert await people.get(BO.user_id) == UserSettings()


async def test_lessons_are_counted_by_user(people: Users) -> None:
    await people.set_lesson(USER, 5)
    await people.set(USER, notifications=NotificationMode.DIRECT)
    await people.record_welcome(USER)
    assert [await people.lesson(USER), await people.lesson(BO.user_id)] == [5, 0]
    await people.set_lesson(USER, 0)
    assert await people.lesson(USER) == 0
    assert not await people.is_new(USER)


async def test_settings_changed_at_once_are_all_kept(people: Users) -> None:
    await asyncio.gather(
        people.set(USER, notifications=NotificationMode.NEVER),
        people.set_zone(USER, "UTC+2"),
        people.set_quiet(USER, (0, 60)),
    )
    assert await people.get(USER) == UserSettings(NotificationMode.NEVER, "UTC+02:00", (0, 60))


async def test_an_unknown_zone_is_refused_with_suggestions(people: Users) -> None:
    await people.set_zone(USER, "Rome")
    with pytest.raises(BadTimeZone) as refused:
        await people.set_zone(USER, "Berln")
    assert "Europe/Berlin" in refused.value.suggestions
    assert (await people.get(USER)).zone == "Europe/Rome"


@pytest.mark.parametrize("quiet", [(0, MAX_QUIET_MINUTES), (1439, 0), (1380, MAX_QUIET_MINUTES - 60), (0, 1)])
async def test_quiet_hours_that_leave_enough_of_the_day_are_accepted(people: Users, quiet: tuple[int, int]) -> None:
    assert (await people.set_quiet(USER, quiet)).quiet == quiet


@pytest.mark.parametrize(
    "quiet",
    [(0, 0), (480, 480), (0, MAX_QUIET_MINUTES + 1), (1, 0), (1380, MAX_QUIET_MINUTES - 59), (-1, 60), (60, 1440)],
)
async def test_quiet_hours_that_leave_too_little_of_the_day_are_refused(people: Users, quiet: tuple[int, int]) -> None:
    with pytest.raises(BadQuietHours) as refused:
        await people.set_quiet(USER, quiet)
    assert refused.value.limit == 16
    assert await people.get(USER) == UserSettings()


@pytest.mark.parametrize(
    ("first", "last"),
    [
        (0, 0),
        (-3, 0),
        (1 - MAX_HOLIDAYS, 0),
        (0, MAX_HOLIDAYS - 1),
        (MAX_DAYS_AHEAD, MAX_DAYS_AHEAD),
        (MAX_DAYS_AHEAD - 59, MAX_DAYS_AHEAD),
    ],
)
async def test_possible_holidays_are_accepted(people: Users, first: int, last: int) -> None:
    away = (in_days(first), in_days(last))
    assert (await people.set_away(USER, away, START)).away == away


@pytest.mark.parametrize(
    ("first", "last"),
    [(0, -1), (-1, -1), (1, 0), (0, MAX_HOLIDAYS), (-MAX_HOLIDAYS, 0), (MAX_DAYS_AHEAD, MAX_DAYS_AHEAD + 1)],
)
async def test_impossible_holidays_are_refused(people: Users, first: int, last: int) -> None:
    with pytest.raises(BadHolidays) as refused:
        await people.set_away(USER, (in_days(first), in_days(last)), START)
    assert refused.value.limit == MAX_HOLIDAYS
    assert await people.get(USER) == UserSettings()


async def test_the_last_possible_date_is_refused(people: Users) -> None:
    with pytest.raises(BadHolidays):
        await people.set_away(USER, (date.min, date.max), START)


async def test_today_follows_the_users_time_zone(people: Users) -> None:
    assert local_time(UserSettings(zone="Asia/Tokyo"), START) == datetime(2023, 11, 15, 7, 13, 20)  # noqa: DTZ001  # local
    await people.set_zone(USER, "Tokyo")
    with pytest.raises(BadHolidays):
        await people.set_away(USER, (TODAY, TODAY), START)


async def test_past_holidays_have_no_effect(people: Users) -> None:
    away = (await people.set_away(USER, (TODAY, TODAY), START)).away
    assert (await people.set_zone(USER, "Tokyo")).away == away  # it's already the next day there


async def waiting(harness: TableHarness, user_id: int, guild_id: int = GUILD) -> list[int]:
    return [each.table.id for each in await harness.tables.open.waiting_for(guild_id, user_id)]


async def test_a_match_waits_for_the_player_to_act(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0)
    for _ in range(4):
        acting = user_to_act(table)
        for person in (ADA, BO, CY, EVE):
            assert await waiting(harness, person.user_id) == ([table.id] if person.user_id == acting else [])
        assert acting is not None
        assert await waiting(harness, acting, GUILD + 1) == [table.id]
        table = await harness.do(table, choice(table))


async def test_a_lobby_waits_for_its_host_when_all_seats_are_taken(harness: TableHarness) -> None:
    await harness.table(people=2, size=3)
    full = await harness.table(people=2, ai_players=1)
    assert await waiting(harness, ADA.user_id) == [full.id]
    assert await waiting(harness, BO.user_id) == []


async def set_row(harness: TableHarness, table: Table, **changes: Any) -> None:  # noqa: ANN401  # a field each
    """Change a stored table directly."""
    async with harness.database.write() as connection:
        row = not_none(await matches.load(connection, table.id))
        await matches.save(connection, replace(row, revision=row.revision + 1, **changes), row)


async def sit_in(harness: TableHarness, table: Table, **changes: Any) -> None:  # noqa: ANN401  # a field each
    """Let a user from outside substitute for the player to act."""
    assert table.turn is not None
    seats = list(table.seats)
    seats[table.turn] = replace(seats[table.turn], substitute_id=EVE.user_id, substitute_name=EVE.name)
    await set_row(harness, table, seats=tuple(seats), **changes)


async def test_the_soonest_deadline_comes_first_then_tables_without_one(harness: TableHarness) -> None:
    first, slow, second, quick = [await harness.match(people=3, ai_players=0) for _ in range(4)]
    for table, due in ((first, None), (slow, 3000), (second, None), (quick, 2000)):
        await sit_in(harness, table, clock=TurnClock(1000, due))
    expected = [table.id for table in (quick, slow, first, second)]
    assert await waiting(TableHarness(harness.database), EVE.user_id) == expected


async def test_a_turn_waits_for_the_substitute_and_the_seat_for_its_owner(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0)
    acting = player_to_act(table)
    await sit_in(harness, table)
    afresh = TableHarness(harness.database)
    assert await pending_items_of(afresh, EVE) == [PendingItem.TURN]
    (owner,) = [person for person in PEOPLE if person.user_id == acting]
    assert await pending_items_of(afresh, owner) == [PendingItem.SEAT]


async def pending_items_of(harness: TableHarness, person: Person) -> list[PendingItem]:
    """Everything in the guild that waits for a user."""
    found = await harness.tables.open.waiting_for(GUILD, person.user_id)
    return [wait for each in found for wait in pending_for(each.table, person.user_id)]


async def test_a_rematch_waits_for_previous_players_who_have_not_joined(harness: TableHarness) -> None:
    over = await harness.play_to_end(await harness.match(people=3, ai_players=0))
    assert await pending_items_of(harness, BO) == []
    again = await harness.tables.rematch(over.id, ADA, OPENER)
    assert [await pending_items_of(harness, person) for person in (ADA, BO, CY, EVE)] == [
        [],
        [PendingItem.REMATCH],
        [PendingItem.REMATCH],
        [],
    ]
    await harness.tables.rematch(over.id, BO, OPENER)
    assert [await pending_items_of(harness, person) for person in (BO, CY)] == [[], [PendingItem.REMATCH]]
    await harness.tables.act(again.id, consent.close, ADA.user_id, may_manage=False)
    assert await pending_items_of(harness, CY) == []


async def test_a_question_about_a_late_turn_waits_for_all_other_players(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0, pace=Pace.LIVE)
    late = user_to_act(table)
    table = await harness.run_due_action(await harness.run_due_action(table))
    for person in PEOPLE[:3]:
        assert await pending_items_of(harness, person) == [
            PendingItem.TURN if person.user_id == late else PendingItem.QUESTION
        ]


async def test_a_pause_or_end_waits_for_players_who_have_not_agreed(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0)
    acting = user_to_act(table)
    one, other = (person for person in PEOPLE[:3] if person.user_id != acting)
    table = await harness.tables.act(table.id, consent.agree_to_pause, one.user_id)
    await harness.tables.act(table.id, consent.agree_to_end, other.user_id)
    assert await pending_items_of(harness, one) == [PendingItem.END]
    assert await pending_items_of(harness, other) == [PendingItem.PAUSE]
    (mover,) = [person for person in PEOPLE if person.user_id == acting]
    assert await pending_items_of(harness, mover) == [PendingItem.TURN, PendingItem.PAUSE, PendingItem.END]


async def test_a_paused_match_is_not_a_pending_item(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0)
    acting = player_to_act(table)
    await set_row(harness, table, paused_at=1000)
    assert await waiting(TableHarness(harness.database), acting) == []
