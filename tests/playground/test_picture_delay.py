"""A phone of the playground shows pictures as late as Discord does."""

from playwright.async_api import Browser

from playground import Playground

SECONDS = """async (filename) => {
  const { picture } = await import("/page/media.js");
  const shown = picture({ url: "/", filename }, "");
  document.body.append(shown);
  return getComputedStyle(shown.querySelector("img")).animationDuration;
}"""


async def test_a_moving_picture_is_seen_after_seconds(browser: Browser, world: Playground) -> None:
    world.person("Ana")
    page = await browser.new_page()
    await page.goto(world.page_url)
    assert [await page.evaluate(SECONDS, name) for name in ("hand.png", "replay.webp")] == ["0.4s", "4s"]
