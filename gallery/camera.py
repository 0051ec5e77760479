"""Takes pictures of messages in a browser, at phone and desktop width, in light and dark, in every language."""

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Final, TypeAlias

from PIL import Image
from playwright.async_api import Browser, Page, async_playwright, expect

from bot.presentation.text.i18n import languages
from playground.client.person import Person
from playground.client.screen import Reply, SeenMessage
from playground.playground import Playground
from tests.end_to_end.app_harness import AppHarness
from tests.end_to_end.inspection import shown

WIDTHS: Final = {"phone": 390, "desktop": 1100}
THEMES: Final = ("light", "dark")
HEIGHT: Final = 2600
"""Height of the page, so that no message needs scrolling."""
PATIENCE: Final = 20_000
MAX_PAGES: Final = 8
"""Browser pages open at the same time: each draws every message."""
GAP: Final = 16
GROUND: Final = (128, 128, 128)
_ARGUMENTS: Final = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]


@dataclass(frozen=True, slots=True)
class Shot:
    """A screen of the gallery."""

    name: str
    """The name of its files."""
    title: str
    reader: Person
    message: SeenMessage


ACTIVITY: Final = "iframe[name^='activity-']"


@dataclass(frozen=True, slots=True)
class Row:
    """Variants of a screen."""

    name: str
    title: str
    reader: Person
    messages: AsyncIterator[SeenMessage]


class Camera:
    """Browser pages, one for each reader, channel, width and theme."""

    def __init__(self, browser: Browser, world: Playground, folder: Path) -> None:
        self._browser = browser
        self._world = world
        self._folder = folder
        self._pages: dict[tuple[int, int, str, str], Page] = {}

    async def take(self, shot: Shot) -> list[str]:
        """Take a screen at each width in both themes. Returns the names of the files."""
        names = []
        for width, columns in (("phone", 2), ("desktop", 1)):
            pictures = [await self._picture(shot.reader, shot.message, width, theme) for theme in THEMES]
            names.append(self._keep(f"{shot.name}-{width}", _arranged(pictures, columns)))
        return names

    async def take_row(self, row: Row) -> str:
        """Take variants at phone width, in light and dark alternately. Returns the name of the file."""
        pictures: list[Image.Image] = []
        await self._close_pages()
        async for message in row.messages:
            pictures.append(await self._picture(row.reader, message, "phone", THEMES[len(pictures) % 2]))
            await self._close_pages()  # hands may be played before the next picture, and pages would draw every move
        return self._keep(row.name, _arranged(pictures, 4), quality=60)

    async def take_page(self, name: str, readers: Sequence[Person]) -> str:
        """Take the playground's page with these people's phones."""
        page = await self._browser.new_page(
            viewport={"width": 410 * len(readers), "height": 900}, color_scheme="dark", reduced_motion="reduce"
        )
        people = ",".join(str(reader.id) for reader in readers)
        await page.goto(f"{self._world.page_url}?people={people}&theme=dark")
        for phone in await page.locator(".phone").all():
            await expect(phone).to_have_attribute("aria-busy", "false", timeout=PATIENCE)
            if await phone.locator(ACTIVITY).count():
                await expect(phone.frame_locator(ACTIVITY).get_by_role("heading")).to_be_visible(timeout=PATIENCE)
        picture = Image.open(BytesIO(await page.screenshot(animations="disabled"))).convert("RGB")
        await page.close()
        return self._keep(name, picture)

    def _keep(self, name: str, picture: Image.Image, quality: int = 85) -> str:
        picture.save(self._folder / f"{name}.webp", quality=quality, method=6)
        return f"{name}.webp"

    async def _picture(self, reader: Person, message: SeenMessage, width: str, theme: str) -> Image.Image:
        page = await self._page(reader, message.message.channel.id, width, theme)
        item = page.locator(f'li[data-message="{message.id}"]')
        await expect(item).to_be_visible(timeout=PATIENCE)
        await page.evaluate("Promise.all([...document.images].map((image) => image.decode().catch(() => null)))")
        return Image.open(BytesIO(await item.screenshot(animations="disabled"))).convert("RGB")

    async def _close_pages(self) -> None:
        while self._pages:
            await self._pages.popitem()[1].close()

    async def _page(self, reader: Person, channel: int, width: str, theme: str) -> Page:
        key = (reader.id, channel, width, theme)
        if key not in self._pages:
            if len(self._pages) == MAX_PAGES:
                await self._pages.pop(next(iter(self._pages))).close()
            page = await self._browser.new_page(viewport={"width": WIDTHS[width], "height": HEIGHT})
            await page.goto(f"{self._world.page_url}?people={reader.id}&channel={channel}&theme={theme}")
            await page.add_style_tag(content=".jump, .lock-screen { display: none }")  # they would cover it
            await expect(page.locator(".phone").first).to_have_attribute("aria-busy", "false", timeout=PATIENCE)
            self._pages[key] = page
        return self._pages[key]


def _arranged(pictures: Sequence[Image.Image], columns: int) -> Image.Image:
    """Pictures of one width in rows."""
    rows = [pictures[start : start + columns] for start in range(0, len(pictures), columns)]
    heights = [max(picture.height for picture in row) + GAP for row in rows]
    step = pictures[0].width + GAP
    sheet = Image.new("RGB", (step * columns - GAP, sum(heights) - GAP), GROUND)
    for place, picture in enumerate(pictures):
        row, column = divmod(place, columns)
        sheet.paste(picture, (column * step, sum(heights[:row])))
    return sheet


@asynccontextmanager
async def camera(world: Playground, folder: Path) -> AsyncIterator[Camera]:
    """A camera that writes into a folder. Needs Chromium."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=_ARGUMENTS)
        yield Camera(browser, world, folder)
        await browser.close()


Action: TypeAlias = Callable[[], Awaitable[Reply]]
"""An action of a person that opens a private screen."""


def translated(name: str, title: str, reader: Person, *actions: Action, draws: bool = False) -> Row:
    """A private screen, opened by these actions in every language; `draws` if it has a picture."""
    return Row(f"{name}-languages", f"{title} in every language", reader, _answers(reader, actions, draws=draws))


async def _answers(reader: Person, actions: tuple[Action, ...], *, draws: bool) -> AsyncIterator[SeenMessage]:
    own = reader.locale
    for language in languages():
        reader.locale = language
        for action in actions:
            message = shown(await action())
        await _until_loaded(reader, message)
        if draws:
            await wait_until_drawn(reader, message)
        yield message
    reader.locale = own


def command(reader: Person, harness: AppHarness, name: str, **options: object) -> Action:
    """Use a slash command."""
    return lambda: reader.slash(harness.channel, f"gang {name}", **options)


def press(reader: Person, message: SeenMessage, label: str) -> Action:
    """Press a button, found by its English label in the message or its menu of buttons, in any language."""
    found = {option.label: option.value for menu in message.selects for option in menu.options}
    found |= {button.label: button.custom_id or "" for button in message.buttons}
    custom_id = found[label]
    return lambda: reader.press_old(custom_id, message)


async def _until_loaded(reader: Person, message: SeenMessage) -> None:
    await reader.until(lambda: not message.loading)


async def wait_until_drawn(reader: Person, message: SeenMessage) -> None:
    """Wait for the picture of a message."""
    await reader.until(lambda: bool(message.raw["attachments"]))
