"""Trouble with Discord, the gateway, a channel or the app: the match continues, and nothing is lost."""

import asyncio
import os
import sys
from typing import Literal

import pytest

from playground.client.screen import SeenMessage
from tests.end_to_end.app_harness import AppHarness, Player, play_until
from tests.end_to_end.app_process import ROOT
from tests.end_to_end.inspection import database_of, wait_for_log


async def _some_moves(harness: AppHarness, players: list[Player], number: int) -> None:
    enough = sum(player.moves for player in players) + number
    await play_until(harness, players, lambda: sum(player.moves for player in players) >= enough or harness.is_over())


async def _is_shown_again(harness: AppHarness, what: str = "👉") -> None:
    await harness.people[0].until(lambda: [m for m in _tables(harness) if what in m.text] != [])


def _tables(harness: AppHarness) -> list[SeenMessage]:
    return [m for m in harness.people[0].sees(harness.channel) if m.text.startswith("### Gang of Four ·")]


async def test_deleted_messages_are_posted_again(harness: AppHarness) -> None:
    players = await harness.begin_match(3)
    posting = harness.world.posting
    posting.delete(harness.table().message)
    posting.delete((await harness.people[0].until(harness.notices))[0].message)
    assert players[0].person.name == "Ana"
    reply = await harness.people[0].slash(harness.channel, "gang hand")
    assert reply.message is not None
    await harness.under_more(harness.people[0], "repost:1:0")
    await _is_shown_again(harness)
    await _some_moves(harness, players, 2)
    assert len(_tables(harness)) == 1
    assert len(await harness.people[0].until(harness.notices)) == 1


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
