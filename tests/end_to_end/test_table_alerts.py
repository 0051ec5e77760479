"""Users who ask for it are mentioned once when a table opens with free seats."""

from playground.client.person import Person
from playground.client.screen import SeenMessage
from playground.world.permissions import Permission
from tests.end_to_end.app_harness import AppHarness
from tests.end_to_end.inspection import app_database, menu_of, shown

ON, OFF = "Alert me to new tables", "No alerts for new tables"


async def _settings(harness: AppHarness, person: Person) -> SeenMessage:
    return shown(await person.slash(harness.channel, "gang settings"))


def _alerts(harness: AppHarness) -> list[SeenMessage]:
    return [message for message in harness.messages(harness.people[0]) if "is open, with" in message.text]


async def test_users_who_ask_for_it_are_mentioned_once_when_a_table_opens(harness: AppHarness) -> None:
    ana, ben, cleo, dan = harness.people
    for person in (ana, ben, cleo, dan):
        await person.click(await _settings(harness, person), ON)
    await dan.click(await _settings(harness, dan), OFF)
    harness.guild.remove(cleo)
    with app_database(harness) as connection:
        assert connection.execute("SELECT count(*) FROM table_alerts").fetchall() == [(3,)]

    await harness.open_table(ana, seats=3)
    (told,) = await ana.until(lambda: _alerts(harness))
    assert told.push_text == "@Ben: table 1 is open, with 2 seats free."
    assert [user["id"] for user in told.raw["mentions"]] == [str(ben.id)]
    await ben.click(told, "Join")
    await ben.until(lambda: "Ben" in harness.table().text)
    await ana.slash(harness.channel, "gang new", with_ai=True)
    await harness.close_table(1)
    assert len(_alerts(harness)) == 1


async def test_only_users_who_can_see_the_channel_and_are_awake_are_mentioned(harness: AppHarness) -> None:
    ana, ben, cleo, dan = harness.people
    for person in (ben, cleo, dan):
        await person.click(await _settings(harness, person), ON)
    panel = await _settings(harness, cleo)
    await cleo.select(panel, "never", custom_id=menu_of(panel, "notifications"))
    harness.channel.deny(ben, Permission.VIEW_CHANNEL)
    await harness.open_table(ana)
    (told,) = await ana.until(lambda: _alerts(harness))
    assert told.text.startswith(f"{dan.mention}: ")
