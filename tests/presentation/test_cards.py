"""The names of cards: short enough for buttons, with every color in words or explained."""

import pytest

from bot.engine.cards import ALL_CARDS, GREEN_PHOENIX, YELLOW_PHOENIX
from bot.presentation.text.cards import LEGEND, label
from bot.presentation.text.i18n import languages, words_in
from tests.presentation.sample_tables import WORDS


@pytest.mark.parametrize("language", languages())
def test_the_names_of_cards_are_short_and_unique(language: str) -> None:
    names = [label(card, words_in(language)) for card in ALL_CARDS]
    assert max(map(len, names)) <= 16
    assert len(set(names)) == len(names)


def test_the_phoenixes_have_their_colors_in_words() -> None:
    assert [label(card, WORDS) for card in (GREEN_PHOENIX, YELLOW_PHOENIX)] == ["green Phoenix", "yellow Phoenix"]


@pytest.mark.parametrize("language", languages())
def test_the_letters_of_the_colors_are_explained(language: str) -> None:
    legend = words_in(language).say(LEGEND)
    assert all(mark in legend for mark in ("▲ G", "● Y", "◆ R", "M"))
