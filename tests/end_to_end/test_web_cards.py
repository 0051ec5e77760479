"""The cards of the page have the same colors, shapes and letters as the card emoji."""

from pathlib import Path
from typing import Final

from playwright.async_api import Browser

from bot.engine.cards import ALL_CARDS, DRAGON_RANK, PHOENIX_RANK, Color
from bot.pictures.faces import INK, PAPER, PLATE_INK, SHAPE
from bot.pictures.theme import RGB
from bot.presentation.text.i18n import words_in
from bot.web.card_json import cards_json
from tests.end_to_end.browser_table import opened
from tests.end_to_end.page_client import app_with_page

GRID: Final = 9
"""Points per row at which a shape is sampled. None is on the edge of a shape."""
DRAW: Final = """async ([cards, grid]) => {
  const { face } = await import("/page/cards.js");
  const isSeen = (part, whole) => {
    const [inner, outer] = [part.getBoundingClientRect(), whole.getBoundingClientRect()];
    const isInside = inner.left >= outer.left && inner.right <= outer.right && inner.bottom <= outer.bottom;
    return isInside && inner.width > outer.width / 8 && getComputedStyle(part).opacity === "1";
  };
  const steps = Array.from({ length: grid }, (_, step) => (step + 0.5) / grid);
  const filled = (path) => {
    const { x, y, width, height } = path.getBBox();
    return steps.flatMap((down) => steps.map((right) =>
      path.isPointInFill(new DOMPoint(x + right * width, y + down * height))));
  };
  return cards.map((card) => {
    const drawn = document.body.appendChild(face(card));
    drawn.style.width = "200px";
    const seen = (kind) => [...drawn.querySelectorAll(kind)].filter((part) => isSeen(part, drawn));
    const color = (part) => getComputedStyle(part).fill;
    return {
      papers: seen(".paper").map(color),
      texts: seen("text").map((text) => [text.textContent, color(text)]),
      shapes: seen("path:not(.paper)").map((path) => [filled(path), color(path)]),
    };
  });
}"""
"""Draws cards. Returns the colors, texts and shapes of each."""


def grid_of(color: Color) -> list[bool]:
    """The points of the grid that are inside the shape of a color."""
    steps = [(step + 0.5) / GRID for step in range(GRID)]
    return [is_inside(color, right, down) for down in steps for right in steps]


def is_inside(color: Color, x: float, y: float) -> bool:
    """True if a point of the unit square is inside the shape of a color: an odd number of its sides is to the right."""
    corners = SHAPE[color]
    sides = zip(corners, (*corners[1:], corners[0]), strict=True)
    crossed = [a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]) > x for a, b in sides if (a[1] > y) != (b[1] > y)]
    return sum(crossed) % 2 == 1


async def test_cards_have_the_colors_shapes_and_letters_of_the_emoji(tmp_path: Path, browser: Browser) -> None:
    async with app_with_page(tmp_path) as (_, site), opened(browser, site, None, "") as page:
        drawn = await page.evaluate(DRAW, [cards_json(ALL_CARDS, words_in("en")), GRID])
    shapes = {color: grid_of(color) for color in SHAPE}
    for card, face in zip(ALL_CARDS, drawn, strict=True):
        colors = list(SHAPE) if card.color is Color.MULTI else [card.color]
        ink = PLATE_INK if card.color is Color.MULTI else INK[card.color]
        signs = [(color, fill) for grid, fill in face["shapes"] for color, shape in shapes.items() if shape == grid]
        assert sorted(signs) == [(color, css(INK[color])) for color in colors], card
        assert {css(PAPER[color]) for color in colors} <= set(face["papers"]), card
        number = [] if card.rank in (PHOENIX_RANK, DRAGON_RANK) else [str(card.rank)]
        assert face["texts"] == [[text, css(ink)] for text in (*number, card.color.letter)], card


def css(color: RGB) -> str:
    """A color in the browser's notation."""
    return f"rgb{color}"
