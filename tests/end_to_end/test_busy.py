"""While others' work runs, requests about matches are acknowledged at once and answered later."""

from pathlib import Path
from random import Random

import pytest
from sqlalchemy import update

from bot.services.background import Background
from bot.storage.schema import tables
from playground.client.screen import Reply
from playground.playground import Playground
from tests.conftest import opened
from tests.end_to_end.test_long_match import answer, app_in_this_process
from tests.simulated_matches import Club, record


async def test_answers_about_a_match_are_acknowledged_before_they_wait(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Background, "is_busy", True)
    async with Playground(rate_limits="off") as world:
        people = [world.person(name) for name in ("Ana", "Ben", "Cleo", "Dan")]
        guild, ana = world.guild("Tea House"), people[0]
        channel = guild.channel("games")
        club = Club(guild.id, {each.name: each.id for each in people}, channels=(channel.id,), targets=(5,))
        async with opened(sqlite_url) as database:
            await record(database, 0, Random(1), club)
            async with database.write() as connection:
                await connection.execute(update(tables).values(deals_secret=False, duplicate_of=None))
        async with app_in_this_process(world, tmp_path, monkeypatch):

            async def text_of(reply: Reply) -> str:
                """The text of an answer that was acknowledged first."""
                assert reply.message is not None
                assert reply.message.loading
                return (await answer(ana, reply)).text

            asked = await ana.slash(channel, "gang match", number=1)
            assert (await text_of(asked)).startswith("### Table 1 · hand 1")
            panel = asked.message
            assert panel is not None
            await ana.click(panel, "Last")
            await ana.until(lambda: "**The match is over.**" in panel.text)
            assert "SHA-256" in await text_of(await ana.slash(channel, "gang verify", number=1))
            listed = await answer(ana, await ana.slash(channel, "gang history", whose="channel"))
            assert (await text_of(await ana.select(listed, "1"))).startswith("### Table 1 · hand 1")

            def private() -> list[str]:
                """The texts of the private messages that Ana sees."""
                return [message.text for message in ana.sees(channel) if message.ephemeral]

            for label, text in (("Record", "record of the match"), ("Check the deals", "SHA-256")):
                shown = len(private())
                await ana.click(panel, label)
                await ana.until(lambda: len(private()) > shown)  # noqa: B023  # called in this round only
                assert text in private()[-1]
            assert "**The match is over.**" in panel.text
