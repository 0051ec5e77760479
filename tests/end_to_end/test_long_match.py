"""The longest match that can be imported: no press on it blocks the event loop."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from discord.asset import Asset
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.analysis.practice import MAX_EXCERPT
from bot.analysis.replay import STEP
from bot.app import App
from bot.engine import evolve
from bot.engine.record import from_fields, to_fields
from bot.presentation.text.moves import event_text
from bot.process.settings import Secret, Settings
from playground.client.person import Person
from playground.client.screen import Reply, SeenMessage
from playground.playground import Playground
from tests.end_to_end.app_harness import PATIENCE
from tests.end_to_end.inspection import choose
from tests.simulated_matches import longest_hand, longest_record
from tests.work_counters import counted

STEPS = ("Next ▶", "Hand ▶", "Last", "◀ Back", "◀ Hand", "First")
ANSWERS = ("Record", "As text", "Check the deals")
SHOWN = 2
"""The most replayed moments for one panel: the requested one, and the hand of one that is over."""


@asynccontextmanager
async def app_in_this_process(world: Playground, folder: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """The app as a task of this event loop, so that its work can be counted."""
    for owner, name in ((Route, "BASE"), (Asset, "BASE"), (DiscordWebSocket, "DEFAULT_GATEWAY")):
        monkeypatch.setattr(owner, name, getattr(owner, name))  # the app sets it; the test restores it
    settings = Settings(
        discord_token=Secret(world.token),
        discord_api_url=world.api_url,
        database_url=Secret(f"sqlite+aiosqlite:///{folder / 'gang.sqlite3'}"),
        pictures=False,
    )
    world.interactions.answer_seconds = PATIENCE
    running = asyncio.create_task(App(settings).run())
    await world.app_ready(30)
    try:
        yield
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running


async def answer(person: Person, reply: Reply) -> SeenMessage:
    """The private answer, once it has arrived."""
    message = reply.message
    assert message is not None
    await person.until(lambda: not message.loading)
    return message


async def press(person: Person, panel: SeenMessage, label: str) -> None:
    """Press a button that changes its message, and wait until it has changed."""
    before = panel.raw["components"]
    await person.click(panel, label)
    await person.until(lambda: panel.raw["components"] != before)


async def test_no_press_on_the_longest_import_folds_it_on_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = longest_record()
    lines = record.count(b"\n")
    functions = (evolve, from_fields, to_fields, event_text)
    with counted(*functions) as work:
        async with Playground(rate_limits="off") as world, app_in_this_process(world, tmp_path, monkeypatch):
            ana, channel = world.person("Ana"), world.guild("Tea House").channel("games")
            panel = await answer(ana, await ana.slash(channel, "gang history", file=("match.jsonl", record)))
            assert "Imported match" in panel.text
            assert work.elsewhere["from_fields"] == lines
            for label in STEPS:
                work.clear()
                await ana.click(panel, label)
                assert work.total["evolve"] <= SHOWN * STEP
                assert work.total["from_fields"] == 0
            for label in ANSWERS:
                work.clear()
                await answer(ana, await choose(ana, panel, label))
                assert work.total["evolve"] <= 3 * lines
                assert not work.here


@pytest.mark.parametrize(
    ("record", "way"),
    [(longest_record, ("Last", "◀ Hand", "◀ Hand", "Next ▶")), (longest_hand, ("Last", *["◀ Back"] * 6))],
    ids=["many hands", "one hand"],
)
async def test_no_press_in_a_hand_practiced_from_the_longest_import_folds_it_on_the_event_loop(
    record: Callable[[], bytes], way: Sequence[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    functions = (evolve, from_fields, to_fields)
    with counted(*functions) as work:
        async with Playground(rate_limits="off") as world, app_in_this_process(world, tmp_path, monkeypatch):
            ana, channel = world.person("Ana"), world.guild("Tea House").channel("games")
            panel = await answer(ana, await ana.slash(channel, "gang history", file=("match.jsonl", record())))
            for label in way:
                await ana.click(panel, label)
            work.clear()
            hand = await answer(ana, await choose(ana, panel, "Play from here"))
            assert hand.text.startswith("### Practice · imported match")
            assert work.elsewhere["to_fields"] <= MAX_EXCERPT
            assert work.total["evolve"] <= SHOWN * STEP + 3 * MAX_EXCERPT
            assert work.here["evolve"] <= SHOWN * STEP
            for label in ("Hint", "Begin again"):
                work.clear()
                await press(ana, hand, label)
                assert 0 < work.elsewhere["from_fields"] <= MAX_EXCERPT
                assert work.total["evolve"] <= 3 * MAX_EXCERPT
                assert work.here["evolve"] <= STEP
                assert not work.here["from_fields"] + work.here["to_fields"]
