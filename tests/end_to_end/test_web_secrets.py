"""What the channel doesn't show of a hand, a page doesn't either. `test_web_whole_match` checks every frame."""

from pathlib import Path

from tests.end_to_end.page_client import app_with_page


async def test_an_owner_who_is_away_sees_what_the_channel_shows(tmp_path: Path) -> None:
    """After conceding, the own hand is hidden like any other."""
    async with app_with_page(tmp_path) as (harness, site):
        await harness.begin_match(2, ai_players=1)
        ana, ben = harness.people[:2]
        async with site.page(ana.id) as page:
            assert len((await page.watch(1))["hand"]) == 16
            question = await harness.under_more(ana, "leave-match:1:0")
            assert question.message is not None
            await ana.click(question.message, question.message.buttons[0].label)
            await page.until(lambda: page.table["hand"] == [])
            assert "You have conceded" in page.table["notice"]
            assert page.table["can"] == []
        assert ben is not ana
