"""While others' work runs, requests about matches are acknowledged at once and answered later."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import update

from bot.services.background import Background
from bot.storage.schema import tables
from playground.client.person import Person
from playground.client.screen import Reply
from playground.playground import Playground
from playground.world.model import Channel, Guild
from tests.conftest import opened
from tests.end_to_end.inspection import choose
from tests.end_to_end.test_long_match import answer, app_in_this_process
from tests.simulated_matches import Club, record


async def _one_match(database_url: str, guild: Guild, people: Sequence[Person], channel: Channel) -> None:
    """Store a finished match of these people."""
    club = Club(guild.id, {each.name: each.id for each in people}, channels=(channel.id,), targets=(5,))
    async with opened(database_url) as database:
        await record(database, 0, Random(1), club)
        async with database.write() as connection:
            await connection.execute(update(tables).values(deals_secret=False, duplicate_of=None))


async def test_files_and_checks_are_acknowledged_before_the_match_is_read(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many presses at once see that nothing waits yet, and then wait for each other."""
    may_read, run = asyncio.Event(), Background.run

    async def wait_and_run(*args: Any, **named: Any) -> Any:  # noqa: ANN401  # whatever `run` takes and returns
        await may_read.wait()
        return await run(*args, **named)

    monkeypatch.setattr(Background, "run", wait_and_run)
    async with Playground(rate_limits="off") as world:
        people = [world.person(name) for name in ("Ana", "Ben", "Cleo", "Dan")]
        guild, ana = world.guild("Tea House"), people[0]
        channel = guild.channel("games")
        await _one_match(sqlite_url, guild, people, channel)
        async with app_in_this_process(world, tmp_path, monkeypatch):
            panel = (await ana.slash(channel, "gang help")).message
            assert panel is not None
            replies = [await ana.press_old(f"g4:past:1:0:t:a:{what}", panel) for what in ("record", "text", "verify")]
            assert [reply.failed for reply in replies] == [None] * 3
            may_read.set()
            assert "record of the match" in (await answer(ana, replies[0])).text
            assert "SHA-256" in (await answer(ana, replies[2])).text


async def test_answers_about_a_match_are_acknowledged_before_they_wait(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Background, "is_busy", True)
    async with Playground(rate_limits="off") as world:
        people = [world.person(name) for name in ("Ana", "Ben", "Cleo", "Dan")]
        guild, ana = world.guild("Tea House"), people[0]
        channel = guild.channel("games")
        await _one_match(sqlite_url, guild, people, channel)
        async with app_in_this_process(world, tmp_path, monkeypatch):

            async def text_of(reply: Reply) -> str:
                """The text of an answer that was acknowledged first."""
                assert reply.message is not None
                assert reply.message.loading
                return (await answer(ana, reply)).text

            asked = await ana.slash(channel, "gang history", number=1)
            assert (await text_of(asked)).startswith("### Table 1 · hand 1")
            panel = asked.message
            assert panel is not None
            await ana.click(panel, "Last")
            await ana.until(lambda: "**The match is over.**" in panel.text)
            listed = await answer(ana, await ana.slash(channel, "gang history", whose="channel"))
            assert (await text_of(await ana.select(listed, "1"))).startswith("### Table 1 · hand 1")

            def private() -> list[str]:
                """The texts of the private messages that Ana sees."""
                return [message.text for message in ana.sees(channel) if message.ephemeral]

            for label, text in (("Record", "record of the match"), ("Check the deals", "SHA-256")):
                await choose(ana, panel, label)
                await ana.until(lambda: text in private()[-1])  # noqa: B023  # called in this round only
            assert "**The match is over.**" in panel.text
