"""Mentions for new tables."""

import pytest

from bot.services.table_alerts import MAX_ASKED, TableAlerts
from bot.services.user_settings import Users
from bot.table.model import TableSettings
from bot.table.user import NotificationMode
from tests.table_harness import ADA, BO, CY, DI, GUILD, TableHarness

EVERYONE = [person.user_id for person in (DI, BO, CY, ADA)]


@pytest.fixture
def alerts(harness: TableHarness) -> TableAlerts:
    return TableAlerts(harness.database, harness.clock.milliseconds)


async def _subscribe_everyone(alerts: TableAlerts) -> None:
    for user_id in EVERYONE:
        await alerts.set(GUILD, user_id, wanted=True)


async def test_users_who_ask_for_it_are_mentioned_unless_they_play_there(
    harness: TableHarness, alerts: TableAlerts
) -> None:
    await _subscribe_everyone(alerts)
    await alerts.set(GUILD, CY.user_id, wanted=False)
    assert await alerts.wants(GUILD, BO.user_id)
    assert not await alerts.wants(GUILD, CY.user_id)
    assert not await alerts.wants(GUILD + 1, BO.user_id)
    assert await alerts.listeners(await harness.table(people=2, size=4)) == [DI.user_id]


async def test_quiet_hours_and_settings_are_respected(harness: TableHarness, alerts: TableAlerts) -> None:
    await _subscribe_everyone(alerts)
    users = Users(harness.database)
    await users.set_quiet(BO.user_id, (22 * 60, 23 * 60))  # the clock of the tests shows 22:13 UTC
    await users.set(CY.user_id, notifications=NotificationMode.NEVER)
    assert await alerts.listeners(await harness.table(size=4)) == [DI.user_id]


async def test_full_and_private_tables_are_not_announced(harness: TableHarness, alerts: TableAlerts) -> None:
    await _subscribe_everyone(alerts)
    assert await alerts.listeners(await harness.table(people=3)) == []
    assert await alerts.listeners(await harness.table(settings=TableSettings(private=True))) == []
    assert await alerts.listeners(await harness.match()) == []


async def test_of_many_users_a_few_are_mentioned_in_turn(harness: TableHarness, alerts: TableAlerts) -> None:
    await harness.allow_tables()
    for user_id in range(1000, 1100):
        await alerts.set(GUILD, user_id, wanted=True)
    first, second = [await alerts.listeners(await harness.table(size=4)) for _ in range(2)]
    assert len(first) == len(second) == MAX_ASKED
    assert first != second
