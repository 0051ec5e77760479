"""The first picture: a match of four people, two of whom see the table as an Activity."""

import tempfile
from pathlib import Path

from bot.engine.cards import ALL_CARDS
from gallery.camera import camera
from tests.end_to_end.page_client import app_with_page

MOVES = 6


async def take_front(folder: Path) -> None:
    """Take it into a folder. Needs Chromium, and the page as `make web` builds it."""
    with tempfile.TemporaryDirectory() as data:
        async with app_with_page(Path(data), PICTURES="true") as (harness, _), camera(harness.world, folder) as lens:
            ana, ben, *_ = people = harness.people[:4]
            await ana.until(lambda: len(harness.world.emojis) == len(ALL_CARDS), timeout=60)
            players = await harness.begin_match(4)
            for player in players:
                await player.open()
            for _ in range(MOVES):
                mover = await ana.until(lambda: next((player for player in players if player.must_act()), None))
                assert mover is not None
                await mover.act()
            for person in (ana, ben):
                harness.world.oauth2.consent(person, ["identify"])
                await person.click(harness.table(), "Open the table")
            await lens.take_page("playground", people)
