"""The app is killed between clicks and restarted; old buttons still work."""

import asyncio
import re
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.presentation.channel.turn_notices import ACTIVE_FOR
from tests.end_to_end.app_harness import AppHarness, Player, play_to_the_end, play_until, running_app
from tests.end_to_end.inspection import database_of, shown, wait_for_log

HOUR = 3_600_000
LOWEST = "g4:lowest:1:0:n::"
"""A button of a hand that was opened before the first move."""
LOOKS_OFTEN = {
    "bot.services.deadlines.MAX_SLEEP": 0.05,
    "bot.services.deadlines.SAVE_SECONDS": 0.0,
}
"""Constants with which the app looks at its deadlines and stores that it serves many times a second."""


async def test_a_match_goes_on_after_kills_with_the_buttons_of_before(any_harness: AppHarness) -> None:
    harness = any_harness
    ana, *_ = harness.people
    players = await harness.begin_match(4, target=1)
    for player in players:
        await player.open()
    for _ in range(4):
        await _one_more_move(harness, players)
        await harness.kill_app()
        await harness.start_app()

    for player in players:  # the old panels answer with the current state
        assert player.panel is not None
        reply = await player.person.press_old(LOWEST, player.panel)
        assert reply.updated, reply
    await play_to_the_end(harness, players)

    await ana.until(lambda: harness.notices() == [])


async def test_a_match_goes_on_after_its_data_was_moved_to_postgresql(
    harness: AppHarness, empty_postgresql_url: str
) -> None:
    ana, *_ = harness.people
    players = await harness.begin_match(3, target=1)
    await play_until(harness, players, lambda: sum(player.moves for player in players) > 4)
    await harness.stop_app()

    moved = await asyncio.to_thread(main, ["move-data", str(database_of(harness)), empty_postgresql_url])
    assert moved == 0
    await harness.start_app(DATABASE_URL=empty_postgresql_url)

    await play_until(harness, players, lambda: sum(player.moves for player in players) > 6)
    assert "Gang of Four · table 1" in harness.table().text
    await play_to_the_end(harness, players)
    assert "1 match" in shown(await ana.slash(harness.channel, "gang leaderboard")).text


async def test_a_call_that_is_held_back_is_sent_after_a_restart(tmp_path: Path) -> None:
    active = {"bot.presentation.channel.turn_notices.ACTIVE_FOR": ACTIVE_FOR}
    async with running_app(tmp_path, constants=active) as harness:
        ana = harness.people[0]
        (player,) = await harness.begin_match(1, ai_players=2)
        await player.open()
        await ana.until(player.must_act)
        assert harness.notices() == []

        await harness.kill_app()
        await harness.start_app()

        await ana.until(harness.notices)
        assert len(ana.pings) == 1


async def test_commands_are_published_again_only_after_a_change(harness: AppHarness) -> None:
    def published() -> int:
        return sum(seen.method == "PUT" and seen.route.endswith("/commands") for seen in harness.world.requests)

    assert published() == 1
    await harness.kill_app()
    await harness.start_app()
    assert published() == 1
    await harness.kill_app()
    registered = harness.world.commands[None]
    registered.pop(next(iter(registered)))
    await harness.start_app()
    assert published() == 2
    assert registered


async def _one_more_move(harness: AppHarness, players: list[Player]) -> None:
    for player in players:
        assert player.panel is not None
        await player.person.press_old(LOWEST, player.panel)
    player = next(player for player in players if player.must_act())
    await player.act()


async def test_an_app_whose_new_commands_are_refused_serves_with_the_old_ones(harness: AppHarness) -> None:
    ana = harness.people[0]
    old = list(harness.world.commands[None].values())
    harness.world.enable_activities()  # so that the copies have changed, and the app publishes its own again
    harness.world.faults.next("PUT", "/applications/*/commands", status=400, code=30034)
    await harness.kill_app()
    await harness.start_app()
    assert all(command in harness.world.commands[None].values() for command in old)
    await wait_for_log(harness, "30034")
    assert "`/gang new`" in shown(await ana.slash(harness.channel, "gang history")).text


async def test_the_command_that_launches_the_activity_stays_when_ours_are_published(harness: AppHarness) -> None:
    harness.world.enable_activities()
    (launch,) = [command for command in harness.world.commands[None].values() if command["type"] == 4]
    await harness.kill_app()
    await harness.start_app()
    (kept,) = [command for command in harness.world.commands[None].values() if command["type"] == 4]
    assert (kept["id"], kept["name"], kept["handler"]) == (launch["id"], "launch", 2)
    assert kept["version"] != launch["version"]  # it was published again
    assert harness.world.refusals == []


@pytest.mark.parametrize("locale", ["en-US", "de", "fi"])
async def test_commands_in_texts_can_be_tapped(harness: AppHarness, locale: str) -> None:
    (command,) = [each for each in harness.world.commands[None].values() if each["name"] == "gang"]
    eva = harness.world.person("Eva", locale=locale)
    listed = shown(await eva.slash(harness.channel, "gang list"))
    mentions = re.findall(r"</[^>]+>", str(listed.raw["components"]))
    assert mentions == [f"</gang new:{command['id']}>"]  # the client shows it in its language
    settings = shown(await eva.slash(harness.channel, "gang settings"))
    await eva.click(settings, custom_id="g4:privacy:0:0:open")
    assert f"</gang settings:{command['id']}>" in str(settings.raw["components"])
    assert "`/gang" not in str(settings.raw["components"])


@pytest.mark.parametrize("how", ["away", "direct", "never"])
async def test_a_reminded_player_has_their_time_after_the_app_was_off(tmp_path: Path, how: str) -> None:
    async with running_app(tmp_path, LOOKS_OFTEN) as harness:
        ana, ben, *_ = harness.people
        for person in (ana, ben):
            panel = shown(await person.slash(harness.channel, "gang settings"))
            await person.select(panel, how, custom_id=panel.selects[0].custom_id)
        end = await _reminded(harness, 0 if how == "never" else 1)
        pings = [len(person.pings) for person in (ana, ben)]
        await harness.kill_app()
        harness.advance_clock_to(harness.now() + 30 * HOUR)
        await harness.start_app()
        await ana.until(lambda: _shown_end(harness) >= end + 30 * HOUR)
        await ana.until(lambda: all(f"<t:{_shown_end(harness) // 1000}:R>" in each for each in _reminders(harness)))
        await harness.has_looked()
        assert len(_reminders(harness)) == (how != "never")
        assert [len(person.pings) for person in (ana, ben)] == pings
        assert [seen for seen in harness.world.requests if seen.status == 404] == []


async def test_time_without_a_connection_to_discord_does_not_count(tmp_path: Path) -> None:
    constants = LOOKS_OFTEN | {"bot.discord_client.gateway.MAX_DELAY": 1.0}  # so that it reconnects soon
    async with running_app(tmp_path, constants) as harness:
        ana, gateway = harness.people[0], harness.world.gateway
        end = await _reminded(harness, 1)
        gateway.is_open = False
        gateway.drop()
        await ana.until(lambda: not gateway.connections)
        await harness.has_looked()
        harness.advance_clock_to(harness.now() + 30 * HOUR)
        await harness.has_looked()
        assert _shown_end(harness) == end
        gateway.is_open = True
        await ana.until(lambda: _shown_end(harness) >= end + 30 * HOUR)
        assert len(_reminders(harness)) == 1


async def _reminded(harness: AppHarness, reminders: int) -> int:
    """Begin a slow match, and let the app remind the player to act. Returns the end of the turn."""
    ana = harness.people[0]
    await harness.begin_match(2, ai_players=1, pace="day")
    end = await ana.until(lambda: _shown_end(harness))
    await harness.has_looked()
    harness.advance_clock_to(end - 4 * HOUR)
    await ana.until(lambda: len(_reminders(harness)) == reminders)
    await harness.has_looked()
    return _shown_end(harness)


def _reminders(harness: AppHarness) -> list[str]:
    ana, ben, *_ = harness.people
    seen = [*harness.messages(ana), *ana.direct_messages, *ben.direct_messages]
    return [message.text for message in seen if "nearly up" in message.text]


def _shown_end(harness: AppHarness) -> int:
    """The end of the turn in the table's message (UTC milliseconds); 0 without one."""
    return max(
        (int(found) * 1000 for found in re.findall(r"Time runs out <t:(\d+):R>", harness.table().text)), default=0
    )
