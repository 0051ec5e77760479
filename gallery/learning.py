"""The screens for learning from the AI players: practice, the puzzle and the coach."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from gallery.camera import Row, Shot, command, press, translated
from playground.client.person import Person
from playground.client.screen import SeenMessage
from tests.end_to_end.app_harness import AppHarness
from tests.end_to_end.inspection import shown

COACH_SECONDS: Final = 900
"""The wait for the coach: the process of AI players may have to compile first."""


async def alone(harness: AppHarness, ana: Person) -> AsyncIterator[Shot | Row]:
    """Games for one player: practice and the puzzle of the day."""
    practice = shown(await ana.slash(harness.channel, "gang practice"))
    yield Shot("practice", "A hand on your own: `/gang practice`", ana, practice)
    yield translated("practice", "A hand on your own", ana, command(ana, harness, "practice"))
    puzzle = shown(await ana.slash(harness.channel, "gang puzzle"))
    yield Shot("puzzle", "The puzzle of the day: `/gang puzzle`", ana, puzzle)
    yield translated("puzzle", "The puzzle of the day", ana, command(ana, harness, "puzzle"))


async def coach(harness: AppHarness, ana: Person) -> AsyncIterator[Shot | Row]:
    """The coach's reviews of a finished match."""
    match = shown(await ana.slash(harness.channel, "gang history", number=1))
    await ana.click(match, "Last")
    for name, title, label in (
        ("coach", "The coach on a hand", "Coach"),
        ("coach-match", "The coach on a match", "Coach: whole match"),
    ):
        yield Shot(name, f"{title}: **{label}**", ana, await _reviewed(harness, ana, match, label))
        yield translated(name, title, ana, press(ana, match, label))  # which now has the review at once


async def _reviewed(harness: AppHarness, ana: Person, match: SeenMessage, label: str) -> SeenMessage:
    """Ask the coach, again if it doesn't get ready in time, and wait for the review."""

    def answer() -> SeenMessage | None:
        newest = ana.sees(harness.channel)[-1]
        is_complete = newest.id != before and not newest.loading and ": the coach is " not in newest.text
        return newest if is_complete else None

    async with asyncio.timeout(COACH_SECONDS):
        while True:
            before = ana.sees(harness.channel)[-1].id
            await press(ana, match, label)()
            found = await ana.until(answer, timeout=COACH_SECONDS)
            assert found is not None
            if "The coach isn't available" not in found.text:
                return found
            await asyncio.sleep(1)
