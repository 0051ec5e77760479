"""Trouble with Discord, the gateway, a channel or the app: the match continues, and nothing is lost."""

import asyncio
import os
import random
import sys
from collections.abc import Callable
from typing import Literal

import pytest

from bot.engine.events import HandEnded, MatchEnded
from bot.engine.verification import verify
from playground.client.screen import SeenMessage
from playground.world.permissions import Permission
from tests.end_to_end.app_harness import AppHarness, Player, play_to_the_end, play_until
from tests.end_to_end.app_process import ROOT
from tests.end_to_end.inspection import database_of, private_text, record_of, wait_for_log

KILLS = 8


async def _some_moves(harness: AppHarness, players: list[Player], number: int) -> None:
    enough = sum(player.moves for player in players) + number
    await play_until(harness, players, lambda: sum(player.moves for player in players) >= enough or harness.is_over())


async def _mover(harness: AppHarness, players: list[Player]) -> Player:
    """The person to act, once their panel says so."""
    (mover, *_) = await harness.people[0].until(lambda: [player for player in players if player.must_act()])
    return mover


async def _is_shown_again(harness: AppHarness, what: str = "👉") -> None:
    await harness.people[0].until(lambda: [m for m in _tables(harness) if what in m.text] != [])


def _tables(harness: AppHarness) -> list[SeenMessage]:
    return [m for m in harness.people[0].sees(harness.channel) if m.text.startswith("### Gang of Four ·")]


def _reports(harness: AppHarness) -> list[str]:
    return [
        m.text.splitlines()[0] for m in harness.people[0].sees(harness.channel) if "is over" in m.text.splitlines()[0]
    ]


async def test_gateway_trouble_does_not_stop_a_match(harness: AppHarness) -> None:
    players = await harness.begin_match(3, target=1)
    gateway = harness.world.gateway
    troubles: list[Callable[[], object]] = [gateway.drop, gateway.invalidate]
    for trouble in troubles:
        trouble()
        await harness.people[0].until(lambda: not gateway.is_complete())
        await harness.people[0].until(gateway.is_complete)
        await _some_moves(harness, players, 2)
    await play_to_the_end(harness, players)


async def test_deleted_messages_are_posted_again(harness: AppHarness) -> None:
    players = await harness.begin_match(3)
    posting = harness.world.posting
    posting.delete(harness.table().message)
    posting.delete((await harness.people[0].until(harness.notices))[0].message)
    assert players[0].person.name == "Ana"
    reply = await harness.people[0].slash(harness.channel, "gang hand")
    assert reply.message is not None
    await harness.people[0].slash(harness.channel, "gang show")
    await _is_shown_again(harness)
    await _some_moves(harness, players, 2)
    assert len(_tables(harness)) == 1
    assert len(await harness.people[0].until(harness.notices)) == 1


async def test_a_failed_update_is_retried(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    table = await harness.open_table(ana)
    harness.world.faults.next("PATCH", "/channels/*/messages/*", status="reset", times=1)

    await ben.click(table, "Join")

    await ana.until(lambda: "Ben" in harness.table().text)
    await wait_for_log(harness, "could not be shown")


@pytest.mark.parametrize("status", ["html", "latin", "broken", "empty"])
async def test_a_success_that_is_not_json_is_no_error_of_the_app(
    harness: AppHarness, status: Literal["html", "latin", "broken", "empty"]
) -> None:
    ana, ben, *_ = harness.people
    harness.ignored_violations = ("40060",)  # the app can't know that its answer has arrived
    for method, path in (("POST", "/channels/*/messages"), ("PATCH", "/channels/*/messages/*")):
        harness.world.faults.next(method, path, status=status)
    harness.world.faults.next("POST", "/interactions/*/callback", status=status, after=True)
    await ana.slash(harness.channel, "gang new", seats=3)
    await ana.until(lambda: _tables(harness) != [])
    await ben.click(harness.table(), "Join")
    await ana.until(lambda: "Ben" in harness.table().text)
    log = await wait_for_log(harness, "without readable JSON")
    assert " ERROR " not in log
    assert harness.world.faults.waiting == 0


async def test_a_message_whose_response_is_lost_is_posted_once(harness: AppHarness) -> None:
    harness.world.faults.next("POST", "/channels/*/messages", status="reset", after=True)
    ana = harness.people[0]
    await ana.slash(harness.channel, "gang new", seats=3)
    await ana.until(lambda: len(_tables(harness)) == 1)
    await ana.click(harness.table(), "Leave")
    await ana.until(lambda: len(_tables(harness)) == 1 and "is closed" in harness.table().text)


async def test_a_notice_with_a_lost_response_is_deleted_after_its_turn(harness: AppHarness) -> None:
    players = await harness.begin_match(3)
    await _some_moves(harness, players, 1)
    await harness.people[0].until(lambda: len(harness.notices()) == 1)
    first, lost = await _lose_a_notice(harness, players)

    await (await _mover(harness, players)).act()

    await harness.people[0].until(lambda: [m.id for m in harness.notices() if m.id in (first, lost)] == [])
    await harness.people[0].until(lambda: len(harness.notices()) == 1)
    assert len(_messages_of_the_app(harness)) == 2


async def _lose_a_notice(harness: AppHarness, players: list[Player]) -> tuple[int, int]:
    """Lose the response to a notice. Returns the notice before it and the lost one."""
    for times in range(1, 9):
        first, last = await _lose_an_answer(harness, players, times)
        if first != last:
            return first, last
        await _is_followed(harness, first)
    raise AssertionError


async def _lose_an_answer(harness: AppHarness, players: list[Player], times: int) -> tuple[int, int]:
    """Lose the response to the `times`th post after a move. Returns the notices before and after.

    They are the same after a gang, as it is celebrated before the next notice.
    """
    (first,) = await harness.people[0].until(lambda: harness.notices() if len(harness.notices()) == 1 else [])
    harness.world.faults.next("POST", "/channels/*/messages", status="reset", after=True)
    await (await _mover(harness, players)).act()
    await harness.people[0].until(lambda: harness.log.read_text().count("could not be shown") == times)
    return first.id, harness.notices()[-1].id


async def _is_followed(harness: AppHarness, notice: int) -> None:
    await harness.people[0].until(lambda: [m.id for m in harness.notices()] not in ([], [notice]))


def _messages_of_the_app(harness: AppHarness) -> list[SeenMessage]:
    """The table and the notice; a gang that is celebrated stays."""
    seen = [m for m in harness.people[0].sees(harness.channel) if not m.ephemeral]
    return [message for message in seen if not message.text.startswith("## 🎉")]


async def test_a_channel_is_closed_to_the_app_and_opened_again(harness: AppHarness) -> None:
    players = await harness.begin_match(3)
    bot, ana = harness.world.bot, harness.people[0]
    both = Permission.SEND_MESSAGES | Permission.VIEW_CHANNEL
    harness.channel.deny(bot, both)
    await _some_moves(harness, players, 0)
    lines = len(record_of(harness))
    await (await _mover(harness, players)).act()
    assert len(record_of(harness)) > lines
    await wait_for_log(harness, "cannot be shown in its channel")

    assert "I can't write in" in private_text(await ana.slash(harness.guild.channel("other"), "gang show", table=1))

    harness.channel.allow(bot, both)
    await ana.slash(harness.channel, "gang show", table=1)

    await _is_shown_again(harness)
    assert harness.log.read_text().count("cannot be shown") < 10


async def test_the_channel_is_deleted(harness: AppHarness) -> None:
    players = await harness.begin_match(3)
    other = harness.guild.channel("other games")
    ana = harness.people[0]
    await players[0].open()
    harness.channel.delete()
    assert "1 open table" in private_text(await ana.slash(other, "gang list"))
    assert "is gone" in private_text(await ana.slash(other, "gang show", table=1))
    reply = await ana.slash(other, "gang hand", table=1)
    assert "your hand" in private_text(reply)
    assert "The channel of table 1 is gone" in private_text(reply)
    await harness.close_table(1)
    await wait_for_log(harness, "cannot be shown in its channel")
    assert harness.log.read_text().count("cannot be shown") < 5


async def test_the_app_is_removed_from_the_server_and_added_again(harness: AppHarness) -> None:
    players = await harness.begin_match(3)
    await _some_moves(harness, players, 1)
    harness.guild.remove(harness.world.bot)
    harness.guild.add(harness.world.bot)
    await _some_moves(harness, players, 2)
    assert len(_tables(harness)) == 1


async def test_the_app_can_be_stopped_at_any_moment_of_its_start(harness: AppHarness) -> None:
    await harness.stop_app()
    for requests in (1, 2, 4):
        code, said = await _ended_after(harness, requests)
        assert (code, "Traceback" in said) == (0, False), said


async def _ended_after(harness: AppHarness, requests: int) -> tuple[int | None, str]:
    """Start the app and stop it after this many requests. Returns its exit code and output."""
    enough = len(harness.world.requests) + requests
    environment = {
        **os.environ,
        "DISCORD_TOKEN": harness.world.token,
        "DISCORD_API_URL": harness.world.api_url,
        "DATABASE_URL": f"sqlite+aiosqlite:///{database_of(harness)}",
    }
    app = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", env=environment, cwd=ROOT, stderr=asyncio.subprocess.PIPE
    )
    await harness.people[0].until(lambda: len(harness.world.requests) >= enough)
    app.terminate()
    _, said = await asyncio.wait_for(app.communicate(), 10)
    return app.returncode, said.decode()


async def test_a_match_survives_kills_at_random_moments(harness: AppHarness) -> None:
    rng = random.Random(4)
    players = await harness.begin_match(3, target=12)
    for _ in range(KILLS):
        if harness.is_over():
            break
        playing = asyncio.create_task(_some_moves(harness, players, 6))
        await _changes(harness, rng.randint(1, 60))
        await harness.kill_app()
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        await harness.start_app()
    await play_to_the_end(harness, players)

    await harness.people[0].until(lambda: harness.notices() == [])
    lines = record_of(harness)
    verify(lines)
    assert sum(isinstance(line.event, MatchEnded) for line in lines) == 1
    hands = sum(isinstance(line.event, HandEnded) for line in lines)
    await harness.people[0].until(lambda: len(_reports(harness)) >= hands)
    assert len(_reports(harness)) == len(set(_reports(harness))) == hands


async def _changes(harness: AppHarness, number: int) -> None:
    """Wait until this many changes have happened in the playground, or no more do."""
    try:
        async with asyncio.timeout(3):
            for _ in range(number):
                await harness.world.wait_for_change()
    except TimeoutError:
        pass
