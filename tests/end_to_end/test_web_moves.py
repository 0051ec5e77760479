"""A player's other actions on the page: hints, taking back, the exchange, "Last card!", coming back, a rematch."""

from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

from bot.engine import verify
from bot.engine.events import GaveBack
from bot.table.model import Status
from playground.world.permissions import Permission
from tests.disasters.expected_state import expected_states
from tests.end_to_end.app_harness import AppHarness
from tests.end_to_end.inspection import record_of
from tests.end_to_end.page_client import Page, app_with_page


async def play_until_over(page: Page) -> None:
    """Play with one page until the match is over."""
    while page.table["status"] == "playing":
        await page.until(lambda: page.must_act() or page.table["status"] != "playing")
        if page.must_act():
            await page.act()


async def test_a_hint_and_why(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        await harness.begin_match(1, ai_players=2)
        async with site.page(harness.people[0].id) as page:
            await page.watch(1)
            await page.until(page.must_act)
            hint = await page.do("hint", table=1, moment=page.table["moment"])
            assert hint["text"].startswith("💡 Hint: ")
            offered = [choice["cards"] for choice in page.table["choices"]]
            assert hint["cards"] == [] or sorted(hint["cards"]) in offered or len(hint["cards"]) > 4
            several = [card["id"] for card in page.table["hand"]][:6]
            why = await page.do("why", table=1, cards=several)
            assert "don't" in why["text"]
            assert why["rule"].startswith("R")
            fine = await page.do("why", table=1, cards=offered[0]) if offered else {"rule": ""}
            assert fine["rule"] == ""


async def test_a_page_gets_the_whole_table_once_and_then_what_has_changed(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        await harness.begin_match(1, ai_players=2)
        async with site.page(harness.people[0].id) as page:
            await page.watch(1)
            for _ in range(3):
                await page.until(page.must_act)
                await page.act()
            first, *later = [frame for frame in page.frames if "table" in frame or "changes" in frame]
            assert "table" in first
            assert later
            for frame in later:
                assert {"number", "length", "now"} <= frame["changes"].keys()
                assert frame["changes"].keys().isdisjoint({"title", "options", "settings"})
            await page.do("watch", table=1)
            await page.until(lambda: "table" in page.frames[-1])
            assert page.frames[-1]["table"].keys() == first["table"].keys()


async def test_a_move_is_taken_back(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site), AsyncExitStack() as stack:
        await harness.begin_match(3, target=25)  # casual, and no AI player moves before a move is taken back
        pages = [await stack.enter_async_context(site.page(person.id)) for person in harness.people[:3]]
        for page in pages:
            await page.watch(1)
        for _ in range(12):
            mover, *_ = await pages[0].until(lambda: list(filter(Page.must_act, pages)))
            before = mover.table
            await mover.act()
            if "undo" in mover.table["can"]:
                await mover.do("undo", table=1, moment=mover.table["moment"])
                for page in pages:
                    await page.until(partial(has_event, page, "undo"))
                await mover.until(partial(has_hand, mover, before["hand"]))
                return
        raise AssertionError("no move could be taken back")


def has_hand(page: Page, hand: list[object]) -> bool:
    """True if a page shows this hand."""
    return bool(page.table["hand"] == hand)


def has_event(page: Page, kind: str) -> bool:
    """True if a page was told of such an event."""
    return any(event["kind"] == kind for update in page.updates for event in update["events"])


async def test_a_card_is_given_back_and_a_rematch_begins(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        await harness.begin_match(1, ai_players=2, target=60)
        async with site.page(harness.people[0].id) as page, site.page(harness.people[1].id) as watcher:
            await page.watch(1)
            await watcher.watch(1)
            await play_until_over(page)
            assert page.table["rematch"] is None
            exchanges = [update["exchange"] for update in watcher.updates if update["exchange"]]
            assert {len(exchange) for exchange in exchanges} <= {1, 2}
            gave_back = [event for event in (line.event for line in record_of(harness)) if isinstance(event, GaveBack)]
            assert gave_back
            assert "refusal" in await watcher.ask("rematch", table=1)
            number = (await page.do("rematch", table=1))["table"]
            assert (await page.do("rematch", table=1))["table"] == number
            await watcher.until(lambda: watcher.table["rematch"] == number or table_status(harness, number) != "lobby")
            await page.watch(number)
            await page.until(lambda: page.table["number"] == number and page.table["status"] == "playing")
            assert len(page.table["hand"]) == 16
        verify(record_of(harness))


async def test_a_rematch_opens_only_where_the_app_may_write(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        await harness.begin_match(1, ai_players=2, target=1)
        ana = harness.people[0]
        async with site.page(ana.id) as page:
            await page.watch(1)
            await play_until_over(page)
            harness.channel.deny(harness.world.bot, Permission.SEND_MESSAGES)
            await ana.slash(harness.channel, "gang help")  # now the app knows
            refused = await page.ask("rematch", table=1)
            assert refused["refusal"] == "I can't write in #games, so you can't open a table there."
            assert page.table["rematch"] is None


def table_status(harness: AppHarness, number: int) -> str:
    """The status of a table."""
    state = expected_states(harness).get(number)
    return "" if state is None else str(state.table.row.status)


async def test_an_absent_player_comes_back_and_a_pause_ends(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        await harness.begin_match(1, ai_players=2)
        ana = harness.people[0]
        async with site.page(ana.id) as page:
            await page.watch(1)
            await harness.under_more(ana, "pause:1:0:on")
            await page.until(lambda: page.table["can"] == ["resume"])
            assert "paused" in page.table["turn"]["text"]
            assert "refusal" in await page.ask("pass", table=1, moment=page.table["moment"])
            await page.do("resume", table=1)
            await page.until(lambda: page.table["can"] != ["resume"])
            assert "refusal" in await page.ask("come_back", table=1)
            assert expected_states(harness)[1].table.row.status is Status.PLAYING


async def test_a_standing_order_is_shown_and_canceled(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        players = await harness.begin_match(2, ai_players=1)
        for player in players:
            await player.open()
        waiting = next(player for player in players if not player.must_act())
        assert waiting.panel is not None
        async with site.page(waiting.person.id) as page:
            await page.watch(1)
            menu = await waiting.person.click(waiting.panel, "More")
            assert menu.message is not None
            (orders, *_) = menu.message.selects
            await waiting.person.select(menu.message, orders.options[-1].value)
            await page.until(lambda: "cancel_orders" in page.table["can"])
            assert "Auto-pass" in page.table["notice"]
            await page.do("cancel_orders", table=1)
            await page.until(lambda: "cancel_orders" not in page.table["can"])
            assert page.table["notice"] == ""


async def test_a_page_hears_from_the_app_while_nothing_happens(tmp_path: Path) -> None:
    constants = {"bot.web.connection.SIGN_OF_LIFE_SECONDS": 0.1}
    async with app_with_page(tmp_path, constants) as (harness, site), site.page(harness.people[0].id) as page:
        await page.until(lambda: page.frames[1:3] == [{}, {}])
