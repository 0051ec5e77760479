"""Card faces, which differ with any color vision and at 22 pixels."""

import re
from hashlib import sha256
from io import BytesIO
from itertools import combinations

import pytest
from PIL import Image, ImageChops

from bot.engine import Card
from bot.engine.cards import ALL_CARDS, MULTI_ONE, Color, parse_card
from bot.pictures import faces
from bot.pictures.descriptions import Emoji
from bot.pictures.emoji import SIDE, emoji
from bot.pictures.emoji_names import VERSION, card_name, emoji_name
from bot.pictures.faces import (
    EDGE,
    INK,
    PAPER,
    PLATE,
    PLATE_INK,
    face,
)
from tests.pictures import vision

TINY = 22
DISCORDS = {"dark": (49, 51, 56), "light": (255, 255, 255)}
PAIRS = list(combinations(PAPER, 2))


def on(background: tuple[int, int, int], card: Card, size: int) -> Image.Image:
    """A face on Discord's background."""
    image = Image.new("RGB", (size, size), background)
    picture = face(card, size)
    image.paste(picture, (0, 0), picture)
    return image


def pixels(image: Image.Image) -> list[tuple[int, ...]]:
    data = image.convert("RGB").tobytes()
    return [tuple(data[at : at + 3]) for at in range(0, len(data), 3)]


def spread(card: Card, size: int, box: tuple[int, int, int, int]) -> float:
    """The contrast between the darkest and the lightest pixel of a part of a face; the box is on 128 pixels."""
    left, top, right, bottom = (round(edge * size / faces.SIDE) for edge in box)
    part = on(DISCORDS["dark"], card, size).crop((left, top, right, bottom))
    colors = sorted(pixels(part), key=vision.luminance)
    return vision.contrast(colors[0], colors[-1])


@pytest.mark.parametrize(("one", "other"), PAIRS)
@pytest.mark.parametrize("deficiency", vision.DEFICIENCIES)
def test_the_colors_differ_with_any_sort_of_color_vision(one: Color, other: Color, deficiency: str) -> None:
    assert vision.difference(*(vision.seen(PAPER[color], deficiency) for color in (one, other))) >= 15


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_the_colors_differ_in_grey(one: Color, other: Color) -> None:
    lightness = [vision.lab(vision.linear(PAPER[color]))[0] for color in (one, other)]
    assert abs(lightness[0] - lightness[1]) >= 10


def test_the_measure_of_color_vision_is_right() -> None:
    green, red = (0, 128, 0), (140, 90, 0)
    normal, weak = (
        vision.difference(vision.seen(green, kind), vision.seen(red, kind)) for kind in ("none", "deuteranopia")
    )
    assert weak < 15 < normal
    assert vision.lab((1, 1, 1)) == pytest.approx((100, 0, 0), abs=0.02)
    assert vision.contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    for matrix in vision.DEFICIENCIES.values():
        assert vision.times(matrix, (1, 1, 1)) == pytest.approx((1, 1, 1), abs=1e-4)  # white stays white


@pytest.mark.parametrize("color", PAPER)
def test_number_and_letter_contrast_with_their_background(color: Color) -> None:
    assert vision.contrast(INK[color], PAPER[color]) >= 4.5
    assert vision.contrast(PLATE_INK, PLATE) >= 4.5


@pytest.mark.parametrize("background", DISCORDS)
@pytest.mark.parametrize("color", PAPER)
def test_a_card_contrasts_with_discord(color: Color, background: str) -> None:
    assert max(vision.contrast(part[color], DISCORDS[background]) for part in (PAPER, EDGE)) >= 3


@pytest.mark.parametrize("card", ALL_CARDS, ids=str)
def test_number_and_letter_are_legible_at_22_pixels(card: Card) -> None:
    number, letter = (faces.NUMBER_BOX, faces.LETTER_BOX)
    if card == MULTI_ONE:
        number, letter = (faces.MULTI_NUMBER_BOX, faces.MULTI_LETTER_BOX)
    assert spread(card, TINY, number) >= 4.5
    assert spread(card, TINY, letter) >= 4.5


@pytest.mark.parametrize("background", DISCORDS)
def test_each_card_differs_from_each_other_at_22_pixels(background: str) -> None:
    grey = {card: on(DISCORDS[background], card, TINY).convert("L") for card in ALL_CARDS}
    assert len(grey) == 34
    for one, other in combinations(ALL_CARDS, 2):
        changed = ImageChops.difference(grey[one], grey[other]).histogram()[48:]
        assert sum(changed) >= 12, f"{one} looks like {other}"


def test_letter_and_shape_show_the_color_without_color() -> None:
    """The lower third in two tones is enough to recognize the color."""
    lower = {}
    for text in ("7G", "7Y", "7R"):
        card = parse_card(text)
        strip = on(PAPER[card.color], card, 128).crop((12, 84, 116, 119)).convert("L")
        tones = strip.tobytes()
        middle = (min(tones) + max(tones)) / 2
        inked = strip.point([255 * (tone > middle) for tone in range(256)])
        lower[text] = ImageChops.invert(inked) if card.color is Color.YELLOW else inked
    for one, other in combinations(lower, 2):
        assert ImageChops.difference(lower[one], lower[other]).histogram()[255] > 300


EMOJIS = {card_name(card): emoji(Emoji(card)) for card in ALL_CARDS}


@pytest.mark.parametrize("spoken", EMOJIS)
def test_emoji_meet_discords_limits(spoken: str) -> None:
    drawing = EMOJIS[spoken]
    image = Image.open(BytesIO(drawing))
    assert image.format == "PNG"
    assert image.size == (SIDE, SIDE) == (128, 128)
    assert image.mode == "RGBA"
    assert image.getchannel("A").getpixel((0, 0)) == 0
    assert len(drawing) < 256 * 1024
    assert re.fullmatch(r"\w{2,32}", emoji_name(spoken), re.ASCII)


def test_the_names_of_emoji_are_readable_and_unique() -> None:
    assert len(EMOJIS) == 34
    assert [card_name(parse_card(text)) for text in ("7G", "10Y", "1R", "1M", "PG", "PY", "DR")] == [
        "green_7",
        "yellow_10",
        "red_1",
        "multicolored_1",
        "green_phoenix",
        "yellow_phoenix",
        "dragon",
    ]


def test_screen_readers_read_a_short_name() -> None:
    assert emoji_name(card_name(parse_card("7G"))) == f"green_7_{VERSION}"
    assert re.fullmatch("[a-z]{1,2}", VERSION)


def test_new_drawings_have_a_new_version() -> None:
    """Emoji are uploaded once per version: after a change of the drawings, change `VERSION` and this hash."""
    pixels = b"".join(Image.open(BytesIO(drawing)).tobytes() for drawing in EMOJIS.values())
    assert (VERSION, sha256(pixels).hexdigest()[:16]) == ("c", "996812b06ad9fbbf")
