"""The page in a real browser: a hand played on its phones. Leaves pictures in `build/`."""

import asyncio
from pathlib import Path

from playwright.async_api import Browser, Locator, Page, expect
from playwright.async_api import TimeoutError as PlaywrightTimeout

from playground.client.screen import SeenMessage
from tests.browser import PATIENCE, PICTURES, open_phone
from tests.end_to_end.app_harness import AppHarness, play_on, running_app
from tests.end_to_end.page_client import app_with_page

RECORD = Path(__file__).parents[1] / "engine" / "records" / "days-of-wonder-4.jsonl"
MAX_HELP_HEIGHT = 500
"""Pixels, on a phone that is 390 wide."""
SCREEN = 844
"""Pixels of a phone's height."""
USUAL_HANDS = 13
"""Hands of a match to 100 points."""
LINE = 20
"""Pixels of a hand in the score sheet below the last result."""
TITLES = 200
"""Pixels of a message about three titles."""
HEIGHT = "message => message.getBoundingClientRect().height"


async def _phones(page: Page, harness: AppHarness) -> dict[str, Locator]:
    await page.goto(harness.world.page_url)
    names = [person.name for person in harness.people]
    phones = {name: page.get_by_role("region", name=f"{name}'s phone") for name in names}
    for phone in phones.values():
        await expect(phone).to_have_attribute("aria-busy", "false")
    return phones


async def _slash(phone: Locator, command: str) -> None:
    composer = phone.get_by_role("combobox", name="Message #games")
    await composer.fill(f"/{command}")
    await composer.press("Enter")
    await phone.get_by_role("button", name=f"Send /{command}").click()


ACTING = """() => {
  if (document.querySelector(".phone").innerText.includes("hand 1 is over")) return "nobody";
  const canPress = (id) => `[data-custom-id^="g4:${id}:"]:not([disabled]):not([aria-disabled="true"])`;
  const control = document.querySelector(`${canPress("menu")}, ${canPress("pass")}`);
  return control && control.closest("[data-person]").dataset.person;
}"""


async def _acting(page: Page) -> str:
    """The id of the person who can move; "nobody" when the hand is over."""
    return str(await (await page.wait_for_function(ACTING, timeout=PATIENCE)).json_value())


async def _play_once(phone: Locator) -> None:
    """Choose the first play of the menu and play it, or pass."""
    hand = phone.locator("li[data-message]").filter(has_text="your hand").last
    menu = hand.locator("[data-custom-id^='g4:menu:']")
    if await menu.count() == 0:
        await hand.get_by_role("button", name="Pass").click()
        return
    play = hand.locator("[data-custom-id^='g4:last:']").or_(hand.locator("[data-custom-id^='g4:play:']")).first
    while not await play.is_enabled():
        await menu.click()
        options = phone.get_by_role("option")
        try:
            await options.first.wait_for(timeout=3000)
        except PlaywrightTimeout:  # the hand was redrawn, which closes its menu
            continue
        await options.nth(1 if "all kinds" in await options.first.inner_text() else 0).click()
        await expect(hand.get_by_role("button", name="Lowest play")).to_be_enabled()
    await play.click()


async def test_a_hand_is_played_on_the_page(harness: AppHarness, browser: Browser) -> None:
    page = await browser.new_page(viewport={"width": 1500, "height": 1000}, color_scheme="dark")
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    phones = await _phones(page, harness)
    ana = phones["Ana"]

    await _slash(ana, "gang new")
    await expect(ana.get_by_text("Gang of Four · table 1")).to_be_visible()
    await phones["Ben"].get_by_role("button", name="Join").click()
    for ai_players in (1, 2):
        await ana.get_by_role("button", name="Add AI").click()
        await expect(ana.get_by_text("🤖")).to_have_count(ai_players)
    await ana.get_by_role("button", name="Start").click()
    for name in ("Ana", "Ben"):
        await phones[name].get_by_role("button", name="My hand").first.click()
    PICTURES.mkdir(parents=True, exist_ok=True)
    await page.screenshot(path=PICTURES / "playground.png")

    phone_of = {str(person.id): phones[person.name] for person in harness.people}
    while (acting := await _acting(page)) != "nobody":
        await _play_once(phone_of[acting])
    await expect(phones["Dan"].get_by_text("hand 1 is over")).to_be_visible()
    await page.screenshot(path=PICTURES / "hand-over.png")

    phone_wide = await browser.new_page(viewport={"width": 390, "height": 844}, color_scheme="light")
    await _phones_one(phone_wide, harness)
    await phone_wide.screenshot(path=PICTURES / "phone.png")
    assert faults == []
    for phone in phones.values():
        await expect(phone).not_to_contain_text("(edited)")  # Discord marks only texts


IN_VIEW = """(button) => {
  const inner = button.getBoundingClientRect();
  const outer = button.closest(".scroller").getBoundingClientRect();
  return inner.top >= outer.top && inner.bottom <= outer.bottom;
}"""


async def _press_in_view(message: Locator, name: str) -> None:
    """Press a button that needs no scrolling."""
    button = message.get_by_role("button", name=name, exact=True)
    await expect(button).to_be_enabled()
    assert await button.evaluate(IN_VIEW)
    await button.click()


async def test_a_newcomer_plays_the_first_card_without_scrolling(harness: AppHarness, browser: Browser) -> None:
    page = await browser.new_page(viewport={"width": 390, "height": 844})
    await _phones_one(page, harness)
    phone = page.locator(".phone").first
    await _slash(phone, "gang help")
    message = phone.locator("li[data-message]").last
    await expect(message).to_contain_text("How to play here")
    height = await message.evaluate(HEIGHT)
    assert height <= MAX_HELP_HEIGHT
    PICTURES.mkdir(parents=True, exist_ok=True)
    await page.screenshot(path=PICTURES / "help.png")

    number = await message.get_attribute("data-message")
    hand = phone.locator(f"li[data-message='{number}']")
    await _press_in_view(hand, "Play against AI")
    await expect(hand).to_contain_text("your hand")
    await page.wait_for_function(ACTING, timeout=PATIENCE)
    await page.screenshot(path=PICTURES / "first-hand.png")
    lowest = hand.get_by_role("button", name="Lowest play")
    while not (await lowest.count() and await lowest.is_enabled()):  # without a legal play there's no such button
        await hand.get_by_role("button", name="Pass", exact=True).click()
        await page.wait_for_function(ACTING, timeout=PATIENCE)
    await _press_in_view(hand, "Lowest play")
    play = hand.get_by_role("button", name="Play", exact=True)
    while not await play.is_enabled():  # a press is lost if a message arrives under it
        try:
            await expect(play).to_be_enabled(timeout=3000)
        except AssertionError:
            await lowest.click()
    await _press_in_view(hand, "Play")


ABOVE_THE_END = """(number) => {
  const messages = [...document.querySelector(".phone").querySelectorAll("li[data-message]")];
  const hand = messages.find((message) => message.dataset.message === number);
  return messages.at(-1).getBoundingClientRect().bottom - hand.getBoundingClientRect().bottom;
}"""
"""Pixels between the end of a message and the end of the channel."""
SHOWN_IN_A_FRAME = """() => new Promise((resolve) => requestAnimationFrame(() => {
  const messages = document.querySelector(".phone").querySelectorAll("li[data-message]:not(.ephemeral)");
  resolve([...messages].map((message) => message.dataset.message));
}))"""
"""The public messages on the first phone, in its next frame."""
PICTURES_LOADED = "() => [...document.querySelectorAll('li[data-message] img')].every((image) => image.complete)"


def _public(harness: AppHarness) -> list[SeenMessage]:
    return [message for message in harness.people[0].sees(harness.channel) if not message.ephemeral]


async def _settled(page: Page, harness: AppHarness) -> None:
    """Wait until the first phone shows all public messages, with their pictures, and nothing else of them."""
    async with asyncio.timeout(PATIENCE / 1000):
        while set(await page.evaluate(SHOWN_IN_A_FRAME)) != {str(message.id) for message in _public(harness)}:
            pass
    await page.wait_for_function(PICTURES_LOADED, timeout=PATIENCE)


async def test_a_match_leaves_two_messages(tmp_path: Path, browser: Browser) -> None:
    async with running_app(tmp_path, PICTURES="true") as harness:
        page = await browser.new_page(viewport={"width": 390, "height": SCREEN})
        await _phones_one(page, harness)
        players = await harness.begin_match(4, target=40)
        for player in players:
            await player.open()
        hand, hands = players[0].panel, 1
        assert hand is not None

        def is_next() -> bool:
            return f"Hand {hands + 1}" in harness.table().text or harness.is_over()

        while True:
            await play_on(harness, players, is_next)
            if harness.is_over():
                break
            await _settled(page, harness)
            assert await page.evaluate(ABOVE_THE_END, str(hand.id)) <= SCREEN
            hands += 1
        ana = harness.people[0]
        await ana.until(lambda: any(message.raw["attachments"] for message in _public(harness)))
        await _settled(page, harness)
        PICTURES.mkdir(parents=True, exist_ok=True)
        await page.screenshot(path=PICTURES / "match-over.png")
        left = [message for message in _public(harness) if not str(message.message.nonce).startswith("1.titles")]
        phone = page.locator(".phone").first
        heights = [await phone.locator(f"li[data-message='{each.id}']").evaluate(HEIGHT) for each in left]
        result, over = (message.text for message in left)  # titles make another
        assert f"hand {hands} is over" in result
        assert all(f"-# {hand}: " in result for hand in range(1, hands))
        assert "The match is over." in over
        assert sum(heights) + (USUAL_HANDS - hands) * LINE + TITLES <= 2 * SCREEN, heights


async def test_a_record_is_imported_by_choosing_its_file(harness: AppHarness, browser: Browser) -> None:
    page = await browser.new_page(viewport={"width": 1500, "height": 1000})
    ana = (await _phones(page, harness))["Ana"]
    composer = ana.get_by_role("combobox", name="Message #games")
    await composer.fill("/gang history")
    await composer.press("Enter")
    await ana.locator(".chip.more").click()
    await ana.get_by_role("option", name="file").click()
    await ana.get_by_label("file", exact=True).set_input_files(RECORD)
    await ana.get_by_role("button", name="Send /gang history").click()
    await expect(ana.get_by_text("Imported match · hand 1")).to_be_visible()
    await ana.locator("[data-custom-id^='g4:buttons:']").click()
    await ana.get_by_role("option", name="Record").click()
    await expect(ana.get_by_text("match.jsonl")).to_be_visible()


async def test_a_command_can_be_typed_out_with_its_options(harness: AppHarness, browser: Browser) -> None:
    page = await browser.new_page(viewport={"width": 1500, "height": 1000})
    ana = (await _phones(page, harness))["Ana"]
    composer = ana.get_by_role("combobox", name="Message #games")
    await composer.press_sequentially("/gang rules first:7g 7r second: 2G 2G 2Y 2R")
    await composer.press("Enter")
    await expect(ana.get_by_role("combobox", name="second")).to_have_value("2G 2G 2Y 2R")
    await ana.get_by_role("button", name="Send /gang rules").press("Enter")
    await expect(ana.get_by_text("Gang of Four: 2s beats pair of 7s")).to_be_visible()


async def test_a_player_elsewhere_is_reminded_on_the_lock_screen(tmp_path: Path, browser: Browser) -> None:
    async with running_app(tmp_path, {"bot.services.deadlines.MAX_SLEEP": 0.05}) as harness:
        harness.world.advance_app = lambda seconds: harness.advance_clock_to(harness.now() + round(seconds * 1000))
        ana = harness.people[0]
        await harness.begin_match(3)
        (called,) = await ana.until(lambda: [person for person in harness.people if person.pings])
        page = await browser.new_page(viewport={"width": 1500, "height": 1000})
        phone = (await _phones(page, harness))[called.name]
        await phone.get_by_role("button", name="look elsewhere").click()
        await phone.get_by_role("option", name="Direct messages").click()
        await expect(phone.get_by_text("Gang of Four · table 1")).to_have_count(0)
        await page.get_by_role("button", name="+ 1 day").click()

        reminder = phone.get_by_role("list", name="Lock screen").get_by_role("button")
        await expect(reminder).to_contain_text(f"@{called.name}, everyone at table 1 is waiting")
        await expect(reminder).to_contain_text("The App (#games, Tea House)")
        PICTURES.mkdir(parents=True, exist_ok=True)
        await page.screenshot(path=PICTURES / "lock-screen.png")
        await reminder.click()
        call = phone.locator("li[data-message]").filter(has_text="is waiting for you").last
        await expect(call).to_contain_text("1 day ago")
        await call.get_by_role("button", name="Apps for this message").click()
        await phone.get_by_role("option", name="My hand").click()
        await expect(phone.get_by_text("Table 1 · your hand")).to_be_visible()
        await call.get_by_role("button", name=f"@{called.name}").click()
        await phone.get_by_role("option", name="Profile").click()
        await expect(phone.get_by_text("has not finished a match here")).to_be_visible()


async def test_a_notification_above_an_activity_goes_by_itself(tmp_path: Path, browser: Browser) -> None:
    async with app_with_page(tmp_path, {"bot.services.deadlines.MAX_SLEEP": 0.05}) as (harness, _):
        await harness.begin_match(3)
        (called,) = await harness.people[0].until(lambda: [person for person in harness.people if person.pings])
        page, phone = await open_phone(browser, called)
        await page.clock.install()
        await called.launch(harness.channel)
        await expect(phone.locator("iframe[name^='activity-']")).to_be_visible()
        harness.advance_clock_to(harness.now() + 86_400_000)
        reminder = phone.get_by_role("list", name="Lock screen").get_by_role("button")
        await expect(reminder).to_contain_text("everyone at table 1 is waiting")
        await page.clock.fast_forward(5000)
        await expect(reminder).to_have_count(0)
        await expect(phone.locator(".badge")).to_have_text("1")


async def _phones_one(page: Page, harness: AppHarness) -> None:
    await page.goto(harness.world.page_url)
    await expect(page.locator(".phone").first).to_have_attribute("aria-busy", "false")
