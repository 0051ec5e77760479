"""The button that opens a table as a page: on the table, the calls and the hand, if the host has set up the page."""

import re
from pathlib import Path

from playground.client.screen import SeenMessage
from tests.end_to_end.app_harness import AppHarness, play_on
from tests.end_to_end.inspection import shown
from tests.end_to_end.page_client import app_with_page, with_sdk
from tests.end_to_end.test_web_login import activity

LABEL = "Open the table"


async def _calls(harness: AppHarness, tables: int) -> list[SeenMessage]:
    """Wait until each table has called a player. Returns the calls."""
    await harness.people[0].until(lambda: len(harness.notices()) == tables)
    return harness.notices()


async def _have_button(harness: AppHarness) -> list[bool]:
    """True for each of the table, the call and the hand that has the button."""
    messages = [harness.table(), *await _calls(harness, 1), await harness.open_hand(harness.people[0])]
    return [LABEL in [button.label for button in message.buttons] for message in messages]


async def test_without_the_page_no_message_has_a_button_that_opens_it(harness: AppHarness) -> None:
    await harness.begin_match(2, ai_players=1)
    assert await _have_button(harness) == [False, False, False]


async def test_a_lobby_opens_the_activity_at_its_table(tmp_path: Path) -> None:
    async with app_with_page(tmp_path, with_sdk(tmp_path)) as (harness, site):
        ana = harness.people[0]
        await harness.open_table(ana)
        await ana.click(await harness.open_table(ana), LABEL)
        assert (await activity(site, ana))["table"] == 2


async def test_a_finished_match_opens_the_activity_at_its_table(tmp_path: Path) -> None:
    async with app_with_page(tmp_path, with_sdk(tmp_path)) as (harness, site):
        (ana,) = await harness.begin_match(1, ai_players=2, target=1)
        await ana.open()
        await play_on(harness, [ana], harness.is_over)
        more = shown(await ana.person.click(harness.table(), "More"))
        await ana.person.click(more, LABEL)
        assert (await activity(site, ana.person))["table"] == 1


async def test_calls_open_the_activity_at_their_tables(tmp_path: Path) -> None:
    async with app_with_page(tmp_path, with_sdk(tmp_path)) as (harness, site):
        await harness.begin_match(2, ai_players=1)
        assert await _have_button(harness) == [True, True, True]
        await harness.begin_match(2, ai_players=1)
        ana, opened = harness.people[0], list[str]()
        for call in await _calls(harness, 2):
            (number,) = re.findall(r"Table (\d)", call.text)
            assert (await ana.click(call, LABEL)).message is None  # no link
            assert (await activity(site, ana))["table"] == int(number)
            opened.append(number)
            ana.close_activity()
        assert sorted(opened) == ["1", "2"]
