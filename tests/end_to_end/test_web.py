"""The page's server: a match by page and by buttons."""

from pathlib import Path

from tests.end_to_end.page_client import app_with_page


async def test_a_match_by_page_and_by_buttons(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        ana, *_ = harness.people
        players = await harness.begin_match(2, ai_players=2, target=25)
        async with site.page(ana.id) as page:
            await page.watch(1)
            await players[1].open()

            def next_step() -> str | bool:
                if harness.is_over():
                    return "over"
                return "page" if page.must_act() else "buttons" if players[1].must_act() else False

            for _ in range(10_000):
                step = await page.until(next_step)
                if step == "over":
                    break
                await (page.act() if step == "page" else players[1].act())
            await page.until(lambda: page.table["status"] == "over")
            assert page.table["ranking"][0]["place"] == 1
