"""Pages send arbitrary requests: each is answered once, nothing breaks, and nobody sees what they may not see.

`GANG_OF_FOUR_FUZZ` is the number of requests, `GANG_OF_FOUR_SEED` chooses them.
"""

import asyncio
import json
import random
from pathlib import Path
from typing import Any, Final

from bot.table.model import Status
from tests.disasters.expected_state import expected_states
from tests.disasters.test_fuzz import NUMBER, ODD, SEED
from tests.end_to_end.app_harness import AppHarness
from tests.end_to_end.inspection import record_of
from tests.end_to_end.page_client import Page, app_with_page
from tests.end_to_end.page_secrets import FrameCheck
from tests.end_to_end.test_web_attacks import NONSENSE, REQUESTS

FIELDS: Final = ("table", "match", "moment", "cards", "card", "last_card", "name", "value", "fill", "seat", "hand")
NAMES: Final = ("target", "pace", "edition", "last_card", "size", "ai_level", "direction", "x")
VALUES: Final = ("25", "live", "chinese", "declared", "3", "4", "simple", "stays", "on", "off")
TOGETHER: Final = 8
FIRST: Final = 10**6
"""The number of the first request; nonsense has others."""


class RequestGenerator:
    """Invents requests of a page: likely ones, changed ones, and nonsense."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._number = FIRST

    def request(self, page: Page) -> tuple[int | None, str]:
        """The next request as text, and the number of its answer."""
        self._number += 1
        content: dict[str, Any] = {"id": self._number, "do": self._random.choice(REQUESTS), **self._fields(page)}
        for _ in range(self._random.choice((0, 0, 1, 1, 2, 5))):
            self._change(content)
        text = json.dumps(content)
        if self._random.random() < 0.1:  # broken JSON, or a field twice
            cut = self._random.randrange(len(text))
            text = self._random.choice((text[:cut], text[cut:], text[:-1] + ', "id": 7}', text * 2))
            return None, text
        number = content.get("id")
        return number if type(number) is int and len(text) < 4000 else None, text

    def _fields(self, page: Page) -> dict[str, Any]:
        """Fields that could be right."""
        table, choose = page.table, self._random.choice
        hand = [card["id"] for card in table.get("hand", [])] or [0]
        choices = [choice["cards"] for choice in table.get("choices", [])] or [[]]
        return {
            "table": choose((1, 1, 1, 1, 2, 3)),
            "match": choose((1, 2)),
            "moment": choose((table.get("moment", 0),) * 8 + (0, 1, 5)),
            "cards": choose((choose(choices), self._random.sample(hand, min(len(hand), 3)))),
            "card": choose(hand),
            "last_card": choose((True, False)),
            "name": choose(NAMES),
            "value": choose(VALUES),
            "fill": choose((True, False)),
            "seat": choose((None, 0, 1, 2)),
            "hand": choose((1, 2)),
        }

    def _change(self, content: dict[str, Any]) -> None:
        """Change, remove or add a field."""
        name = self._random.choice((*FIELDS, "id", "do", "hello", str(self._random.choice(ODD))))
        if self._random.random() < 0.2:
            content.pop(name, None)
        else:
            content[name] = self._random.choice((*NONSENSE, *ODD))


async def answered(page: Page, number: int | None, text: str) -> None:
    """Send a request; if its answer can be told, wait for it."""
    await page.connection.send_str(text)
    if number is not None:
        await page.until(lambda: page.answer(number) or page.is_closed)
    assert not page.is_closed, text
    assert "Something broke" not in str(page.answer(number or -1).get("refusal")), text


def check_frames(harness: AppHarness, player: Page, spectator: Page, stranger: Page) -> None:
    """Everyone has seen only what they may see."""
    check = FrameCheck(harness, [line.event for line in record_of(harness)])
    for update in (each for page in (player, spectator) for each in page.updates if each["number"] == 1):
        check.check_update(update)
    assert not any(update["hand"] for update in spectator.updates if update["number"] == 1)
    assert not any(update["number"] == 1 for update in stranger.updates)
    answers = [frame for page in (player, spectator, stranger) for frame in page.frames if "id" in frame]
    numbers = [frame["id"] for frame in answers if isinstance(frame["id"], int) and FIRST <= frame["id"] < 2 * FIRST]
    assert len(numbers) == len(set(numbers))


async def test_any_request_is_answered_once_and_leaks_nothing(tmp_path: Path) -> None:
    requests = RequestGenerator(SEED)
    async with app_with_page(tmp_path) as (harness, site):
        ana, _, _, dan = harness.people
        await harness.begin_match(1, ai_players=2, target=1000)
        eve = harness.world.person("Eve", guilds=[])
        async with site.page(ana.id) as player, site.page(dan.id) as spectator, site.page(eve.id) as stranger:
            await player.watch(1)
            await spectator.watch(1)
            for _ in range(NUMBER // TOGETHER):
                pages = [player, player, player, player, player, spectator, spectator, stranger]
                await asyncio.gather(*(answered(page, *requests.request(page)) for page in pages))
            check_frames(harness, player, spectator, stranger)
            assert expected_states(harness)[1].table.row.status is Status.PLAYING
