"""The names of cards: short enough for buttons, with every color in words or explained."""

import pytest

from bot.engine import combination_table, parse_cards
from bot.engine.cards import ALL_CARDS, GREEN_PHOENIX, YELLOW_PHOENIX
from bot.presentation.help.comparison import comparison_message, read_plays
from bot.presentation.text.card_reading import ReadCards, read_cards
from bot.presentation.text.cards import LEGEND, describe, label
from bot.presentation.text.i18n import languages, words_in
from tests.presentation.sample_tables import WORDS
from tests.presentation.sent_messages import text_of


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


@pytest.mark.parametrize("language", languages())
def test_every_name_of_a_card_is_read(language: str) -> None:
    words = words_in(language)
    for card in ALL_CARDS:
        single = combination_table().identify((card,))
        assert single is not None
        for name in (
            str(card),
            str(card).lower(),
            label(card, words),
            describe(single, words),
            describe(single, WORDS),
        ):
            assert read_cards(name, words) == ReadCards((card,)), name


@pytest.mark.parametrize(
    ("language", "text", "cards"),
    [
        ("en", "7g, 7R", "7G 7R"),
        ("en", "7g7r", "7G 7R"),
        ("en", "7 green; red 7", "7G 7R"),
        ("en", "M1, 1 green", "1G 1M"),
        ("en", "Phoenix green + YELLOW PHOENIX", "PG PY"),
        ("en", "G Phoenix, PY", "PG PY"),
        ("en", "✓ 7G ✓ the dragon", "7G DR"),
        ("en", "grene 7", "7G"),
        ("de", "Grün 7, rot 7", "7G 7R"),
        ("de", "Phönix gelb, drache", "PY DR"),
        ("it", "7 giallo, il drago, Fenice verde", "7Y PG DR"),
        ("it", "7G 7R", "7G 7R"),
        ("es", "el Dragón, 7 verde, 7 Y", "7G 7Y DR"),
        ("fr", "Phoenix vert, 7 verte", "7G PG"),
        ("nl", "rood 7, geel 8", "7R 8Y"),
        ("fi", "keltainen feenix", "PY"),
        ("fi", "7V 7K 7P", "7G 7Y 7R"),
        ("fr", "7V 7J 7R", "7G 7Y 7R"),
        ("es", "7V, 7A", "7G 7Y"),
        ("it", "7V 7Y", "7G 7Y"),
        ("it", "multicolore", "1M"),
        ("en", "multicolored, 1G", "1G 1M"),
        ("de", "7G 7Y", "7G 7Y"),
        ("nl", "de draak", "DR"),
    ],
)
def test_cards_are_read_as_people_write_them(language: str, text: str, cards: str) -> None:
    assert read_cards(text, words_in(language)) == ReadCards(parse_cards(cards))


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("7X", "7 X"),
        ("7G 7", "7"),
        ("grey 7, 7G", "grey 7"),
        ("green 12", "green 12"),
        ("red Phoenix", "red Phoenix"),
        ("7G 7G 7G", "7G 7G 7G"),
        ("🟢", "🟢"),
        ("pair of 7s", "pair of 7 s"),
    ],
)
def test_invalid_cards_are_named(text: str, unread: str) -> None:
    assert read_cards(text, WORDS).unread == unread


def test_a_play_that_is_not_read_has_no_cards() -> None:
    state, note = read_plays("7G 7R", "6Y great 6", WORDS)
    assert state.plays == (parse_cards("7G 7R"), ())
    assert 'I can\'t read "great 6"' in note
    assert "great" in text_of(comparison_message(state, WORDS, note))
    assert "beats pair" not in text_of(comparison_message(state, WORDS, note))
    assert read_plays("1G 1Y 1R 1M 2G 2Y 2R 3G", "", WORDS)[0].plays == ((), ())
    assert read_plays("Dragon", "green Phoenix, yellow Phoenix", WORDS)[1] == ""


@pytest.mark.parametrize(("language", "is_told"), [("it", True), ("de", False), ("nl", False), ("fr", False)])
def test_a_reader_whose_yellow_begins_with_g_is_told_that_it_was_read_as_green(language: str, is_told: bool) -> None:
    words = words_in(language)
    _, note = read_plays("7G 7R", "6Y 6R", words)
    assert note == (words.say("G was read as green. Yellow is Y.") if is_told else "")
    assert read_plays("7V 7R", "6Y 6R", words_in("it"))[1] == ""
