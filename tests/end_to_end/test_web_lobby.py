"""The screens before a match in a real browser: home with its tables, and a lobby on two pages."""

import asyncio
import re
from pathlib import Path
from typing import Final

from playwright.async_api import Browser, Page, expect

from tests.end_to_end.browser_table import CARD, asked, opened
from tests.end_to_end.page_client import app_with_page

AN_AI: Final = re.compile(r"^🤖 \w+$")
FREE: Final = "(free seat)"
HURRY: Final = "const usual = setInterval; window.setInterval = (look, pause) => usual(look, pause / 100);"
"""Lets a page look 100 times as often."""


async def press(page: Page, name: str) -> None:
    """Tap a button."""
    await page.get_by_role("button", name=name).tap()


async def shows(page: Page, title: str | re.Pattern[str]) -> None:
    """Wait until the page has a title."""
    await expect(page.get_by_role("heading", level=1)).to_have_text(title)


async def test_home_leads_to_a_match_the_hand_of_the_day_and_the_login(tmp_path: Path, browser: Browser) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        ana = harness.people[0]
        async with opened(browser, site, ana.id, "") as page, opened(browser, site, ana.id, "") as other:
            await shows(page, "Gang of Four")
            await expect(page.get_by_text("No table is open.")).to_be_visible()
            await press(page, "Play against AI")
            await asked(page)
            await shows(page, "Table 1")
            hand = await page.locator(CARD).count()
            await press(page, "Open tables")
            listed = page.locator(".tables li")
            await expect(listed).to_have_text(re.compile(r"^Table 1.*Ana, "))
            await expect(listed).to_contain_text("Your turn")
            await listed.get_by_role("button").tap()
            await expect(page.locator(CARD)).to_have_count(hand)
            await press(page, "Open tables")
            await press(page, "Continue my match")
            await expect(page.locator(CARD)).to_have_count(hand)
            await press(page, "Open tables")
            await press(page, "Hand of the day")
            await expect(page.get_by_text(re.compile("Fingerprint [0-9a-f]{64}$"))).to_be_visible()
            await press(page, "Deal")
            await asked(page)
            await shows(page, "Hand of the day")
            daily = page.url
            await press(page, "Open tables")
            await expect(listed).to_have_count(1)
            await press(page, "Hand of the day")
            await shows(page, "Hand of the day")
            assert page.url == daily
            await press(page, "Open tables")
            await press(page, "Log out everywhere")
            login = page.get_by_role("button", name="Log in with Discord")
            await expect(login).to_be_visible()
            await page.goto(daily)
            await expect(login).to_be_visible()
            await press(other, "Play against AI")  # its next request
            await expect(other.get_by_role("button", name="Log in with Discord")).to_be_visible()


async def test_the_keyboard_keeps_its_place_from_screen_to_screen(tmp_path: Path, browser: Browser) -> None:
    async with app_with_page(tmp_path) as (harness, site), opened(browser, site, harness.people[0].id, "") as page:
        for name, title in (
            ("Play against AI", "Table 1"),
            ("Open tables", "Gang of Four"),
            ("Continue my match", "Table 1"),
        ):
            await page.get_by_role("button", name=name).press("Enter")
            await shows(page, title)
            await expect(page.locator(":focus")).to_have_count(1)


async def test_two_pages_of_a_lobby_show_each_change_and_the_first_hand(tmp_path: Path, browser: Browser) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        ana, ben, *_ = harness.people
        await harness.open_table(ana, seats=3)
        async with opened(browser, site, ana.id) as host, opened(browser, site, ben.id) as guest:

            async def both_show(*seats: str | re.Pattern[str]) -> None:
                for page in (host, guest):
                    places = page.locator(".places bdi, .places .free")
                    await expect(places).to_have_text(["Ana (host)", *seats])

            await both_show(FREE, FREE)
            await press(guest, "Join")
            await both_show("Ben", FREE)
            await press(host, "Add AI")
            await both_show("Ben", AN_AI)
            await press(host, "Remove AI")
            await both_show("Ben", FREE)
            await press(guest, "Leave")
            await both_show(FREE, FREE)
            await host.get_by_label("Target").select_option("25")
            for page in (host, guest):
                await expect(page.locator(".topbar p")).to_contain_text("to 25 points")
            await expect(host.get_by_label("Target")).to_have_value("25")
            await expect(guest.get_by_role("combobox")).to_have_count(0)
            await press(guest, "Join")
            await both_show("Ben", FREE)
            await expect(guest.get_by_role("button", name="Fill with AI and start")).to_have_count(0)
            await press(host, "Fill with AI and start")
            for page, name in ((host, "Ana"), (guest, "Ben")):
                await expect(page.locator(CARD).first).to_be_visible()
                await expect(page.locator(".topbar p")).to_contain_text("Hand 1")
                await expect(page.locator(".seat.you bdi")).to_have_text(name)
                names = await page.locator(".seat bdi").all_inner_texts()
                assert [each.startswith("🤖") for each in sorted(names)] == [False, False, True]


async def test_a_refusal_in_a_lobby_stays_until_the_table_changes(tmp_path: Path, browser: Browser) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        ana, ben, *_ = harness.people
        await harness.open_table(ana)
        panel = await harness.table_options("How we play")
        (menu,) = [menu for menu in panel.selects if menu.custom_id.endswith("private")]
        await ana.select(panel, "on", custom_id=menu.custom_id)
        async with opened(browser, site, ben.id) as page:
            await press(page, "Join")
            status = page.locator(".status")
            await expect(status).to_contain_text("This table is private")
            await asyncio.sleep(0.3)  # the server sends the table again after a refusal
            await expect(status).to_contain_text("This table is private")
            await harness.press(ana, "Add AI")
            await expect(status).not_to_contain_text("This table is private")


async def test_a_second_press_at_the_same_place_does_nothing_else(tmp_path: Path, browser: Browser) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        ana, ben, *_ = harness.people
        await harness.open_table(ana)
        async with opened(browser, site, ana.id) as host, opened(browser, site, ben.id) as guest:
            await guest.get_by_role("button", name="Join").dblclick()
            free = host.locator(".places .free")
            await expect(free).to_have_count(2)
            add = host.get_by_role("button", name="Add AI")
            for left in (1, 0):
                await add.click()
                await expect(free).to_have_count(left)
            await expect(add).to_have_attribute("aria-disabled", "true")
            await add.click(force=True)
            await expect(host.get_by_role("button", name="Leave")).to_be_visible()
            for page in (host, guest):
                await expect(page.locator(".places bdi")).to_have_text(["Ana (host)", "Ben", AN_AI, AN_AI])


async def test_a_menu_shows_the_table_again_after_a_refused_choice(tmp_path: Path, browser: Browser) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        ana, *others = harness.people
        await harness.open_table(ana)
        await harness.seat(others[:3], 0)
        async with opened(browser, site, ana.id) as page:
            menu = page.locator("select[data-name=size]")
            await menu.select_option("3")
            await expect(page.locator(".status")).to_contain_text("All 3 seats are taken")
            await expect(menu).to_have_value("4")


async def test_home_shows_what_happens_at_the_tables(tmp_path: Path, browser: Browser) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        ana = harness.people[0]
        async with (
            opened(browser, site, ana.id, "") as looking,
            opened(browser, site, ana.id, "", first=HURRY) as waiting,
        ):
            for page in (looking, waiting):
                await expect(page.get_by_text("No table is open.")).to_be_visible()
            await harness.open_table(ana)
            await expect(waiting.locator(".tables li")).to_contain_text("Table 1")
            await expect(looking.get_by_text("No table is open.")).to_be_visible()
            await looking.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
            await expect(looking.locator(".tables li")).to_contain_text("Table 1")
            async with site.page(ana.id) as plain:  # as if other pages had been there
                assert (await plain.do("look", page=5))["page"] == 0


async def test_wrong_addresses_do_not_catch_the_way_back(tmp_path: Path, browser: Browser) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        await harness.open_table(harness.people[0])
        for query, title in (("?login=failed", "Gang of Four"), ("?table=1&from=x", "Table 1")):
            async with opened(browser, site, harness.people[0].id, query) as page:
                await shows(page, title)
                await page.go_back()
                await expect(page).to_have_url("about:blank")


async def test_a_table_closed_in_its_lobby_is_no_match_that_is_over(tmp_path: Path, browser: Browser) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        ana = harness.people[0]
        await harness.open_table(ana)
        async with opened(browser, site, ana.id) as page:
            await shows(page, "Table 1")
            await harness.close_table(1)
            await expect(page.get_by_role("status")).to_contain_text("This table is closed")
            assert await page.get_by_role("button").all_inner_texts() == ["Open tables"]


async def test_home_has_a_page_for_each_eight_tables(tmp_path: Path, browser: Browser) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        ana, *others = harness.people
        for host in others:
            for _ in range(3):
                await harness.open_table(host)
                await ana.click(harness.table(ana), "Join")
        async with opened(browser, site, ana.id, "") as page:
            listed = page.locator(".tables li")
            await expect(listed).to_have_count(8)
            await press(page, "Next ▶")
            await expect(listed).to_have_count(1)
            await press(page, "◀ Back")
            await expect(listed).to_have_count(8)
