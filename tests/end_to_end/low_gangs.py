"""A match in which one person holds all 1s and 2s: they play gangs, and the first hand ends after a few moves."""

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from bot.engine import parse_cards
from bot.engine.cards import DECK
from tests.end_to_end.app_harness import AppHarness
from tests.end_to_end.inspection import app_database
from tests.end_to_end.page_client import Page, Site

ONE, ONES, TWOS, REST = "1M", "1G 1G 1Y 1Y 1R 1R", "2G 2G 2Y 2Y 2R 2R", "3G 3G 3Y"
"""The plays that use up the lowest 16 cards."""


@dataclass(frozen=True, slots=True)
class LowGangs:
    """The people and their pages in the order of play. They hold the cards of the deck in ascending order."""

    users: list[int]
    pages: list[Page]

    async def play(self, cards: str, place: int = 0, *, last_card: bool = False) -> None:
        """Make a play. Place 0 has the lowest cards."""
        await self._do(place, "play", cards=list(map(int, parse_cards(cards))), last_card=last_card)

    async def pass_turn(self, place: int) -> None:
        """Pass."""
        await self._do(place, "pass")

    async def give_back(self) -> None:
        """Give a card back, as the winner of the first hand."""
        await self._do(0, "give_back", card=self.pages[0].table["hand"][0]["id"])

    async def hand(self, number: int, place: int) -> list[dict[str, Any]]:
        """The cards of a player in a hand. Waits until it's dealt."""
        page = self.pages[place]
        await page.until(lambda: page.table["hand_number"] == number)
        return list(page.table["hand"])

    async def _do(self, place: int, action: str, **facts: object) -> None:
        page = self.pages[place]
        await page.until(page.must_act)
        moment = page.table["moment"]
        await page.do(action, table=1, moment=moment, **facts)
        await page.until(lambda: all(each.table["moment"] > moment for each in self.pages))


@asynccontextmanager
async def low_gangs(
    harness: AppHarness, site: Site, pace: str = "none", *, rated: bool = True
) -> AsyncIterator[LowGangs]:
    """Begin the match, and replace its deal while the app is off."""
    await harness.begin_match(4, target=1000, pace=pace, rated=rated)
    await harness.kill_app()
    with app_database(harness) as connection:
        ((number, line),) = connection.execute('SELECT seq, line FROM events WHERE line LIKE \'%"deal"%"hands"%\'')
        deal = json.loads(line)
        holder = next(seat for seat, hand in enumerate(deal["hands"]) if "1M" in hand)
        order = [(holder + deal["direction"] * step) % 4 for step in range(4)]
        for step, seat in enumerate(order):
            deal["hands"][seat] = list(map(str, DECK[16 * step : 16 * step + 16]))
        connection.execute("UPDATE events SET line = ? WHERE seq = ?", (json.dumps(deal), number))
        users = [user for (user,) in connection.execute("SELECT user_id FROM seats ORDER BY seat")]
    await harness.start_app()
    in_order = [users[seat] for seat in order]
    async with AsyncExitStack() as opened:
        pages = [await opened.enter_async_context(site.page(user)) for user in in_order]
        for page in pages:
            await page.watch(1)
        yield LowGangs(in_order, pages)
