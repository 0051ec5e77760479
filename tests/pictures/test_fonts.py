"""Fitting any name, without boxes for characters that the font doesn't have."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import ImageFont

from bot.pictures import theme
from bot.pictures.fonts import (
    ELLIPSIS,
    MAX_CHARACTERS,
    fitted,
    font,
    has,
    legible,
    on_two_lines,
    width,
    wrapped,
)
from tests.pictures import vision
from tests.pictures.samples import LONG_NAMES

SHOWN = [
    ("Ada", "Ada"),
    ("Zoë Ålund", "Zoë Ålund"),
    ("Ωμέγα Жанна", "Ωμέγα Жанна"),
    ("田中太郎", "••••"),
    ("Ada 🐉", "Ada •"),
    ("👩\u200d👩\u200d👧\u200d👦🏳️\u200d🌈 x", "• x"),
    ("a\nb\t c\x00", "a b c"),
    ("\u202eabc", "abc"),
    ("\u2068אבי\u2069", "אבי"),
    ("\ud800x", "•x"),
    ("e\u0301", "é"),
    ("x\u0301\u0302\u0303\u0304\u0305", "x\u0301\u0302"),
    ("\u0301x \u0302 y", "x y"),
    ("", ""),
]


@pytest.mark.parametrize(("name", "shown"), SHOWN)
def test_characters_missing_from_the_font_are_replaced(name: str, shown: str) -> None:
    assert legible(name) == shown


@given(st.text(st.characters(exclude_categories=()), max_size=40))
def test_any_name_fits_without_boxes(name: str) -> None:
    shown = legible(name)
    assert all(character == " " or has(character) for character in shown)
    assert legible(shown) == shown
    for bold in (False, True):
        text, size = fitted(name, 160, 27, 21, bold)
        assert width(text, size, bold) <= 160
        lines, size = on_two_lines(name, 160, 27, 19, bold)
        assert len(lines) <= 2
        assert all(width(line, size, bold) <= 160 for line in lines)


def test_a_long_name_shrinks_before_it_is_cut() -> None:
    assert fitted("Ada", 200, 30, 20) == ("Ada", 30)
    shown, size = fitted("Maximiliana", 160, 30, 20)
    assert shown == "Maximiliana"
    assert 20 <= size < 30
    shown, size = fitted("W" * 32, 160, 30, 20)
    assert size == 20
    assert shown.endswith(ELLIPSIS)
    assert len(shown) > 4


def test_a_long_name_takes_two_lines_before_it_is_cut() -> None:
    assert on_two_lines(LONG_NAMES[0], 330, 32, 19)[0] == ["Wilhelmina", "Wassermann-Mühlenbeck"]
    first, second = on_two_lines(LONG_NAMES[3], 160, 27, 21, bold=True)[0]
    assert first == "Maximiliana"
    assert second.endswith(ELLIPSIS)


def test_text_is_wrapped_at_spaces() -> None:
    lines = wrapped("two of a number, or the two Phoenixes", 340, 24)
    assert " ".join(lines) == "two of a number, or the two Phoenixes"
    assert len(lines) == 2
    assert wrapped("", 340, 24) == []


def test_both_weights_are_there() -> None:
    assert font(20).getname() == ("DejaVu Sans", "Book")
    assert font(20, bold=True).getname() == ("DejaVu Sans", "Bold")


@pytest.mark.parametrize("background", [theme.BACKGROUND, theme.PANEL, theme.RAISED])
@pytest.mark.parametrize("ink", [theme.INK, theme.MUTED, theme.GOLD])
def test_texts_contrast_with_every_background(ink: theme.RGB, background: theme.RGB) -> None:
    assert vision.contrast(ink, background) >= 4.5


def test_places_and_signs_contrast_with_their_discs() -> None:
    assert vision.contrast(theme.BACKGROUND, theme.GOLD) >= 4.5
    assert vision.contrast(theme.INK, theme.LINE) >= 4.5


LONG = {
    "one word": "W" * 2000,
    "thin letters": "i" * 100_000,
    "words": "a b " * 25_000,
    "letters that the font lacks": "田" * 100_000,
    "accents": "a" + "\u0301" * 100_000,
}


@pytest.mark.parametrize("fit", [fitted, on_two_lines], ids=["fitted", "on_two_lines"])
@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_a_long_text_is_fitted_by_a_few_short_measurements(
    fit: Callable[..., object], text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured: list[str] = []
    measure = ImageFont.FreeTypeFont.getlength

    def watched(self: ImageFont.FreeTypeFont, text: str) -> float:
        measured.append(text)
        return measure(self, text)

    monkeypatch.setattr(ImageFont.FreeTypeFont, "getlength", watched)
    fit(text, 160, 38, 19)
    assert len(measured) <= 80
    assert max(map(len, measured)) <= MAX_CHARACTERS
