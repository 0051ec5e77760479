"""R1, R2 and the text form of cards."""

import pytest

from bot.engine import format_cards, parse_card, parse_cards
from bot.engine.cards import ALL_CARDS, DECK, Color, UnreadableCards, holds, without

IN_ORDER = str.split(
    "1G 1Y 1R 1M 2G 2Y 2R 3G 3Y 3R 4G 4Y 4R 5G 5Y 5R 6G 6Y 6R 7G 7Y 7R 8G 8Y 8R 9G 9Y 9R 10G 10Y 10R PG PY DR"
)

COPIES = [
    pytest.param("1G 1Y 1R 5G 5Y 5R 10G 10Y 10R", 2, id="R1 two of each number and color"),
    pytest.param("1M PG PY DR", 1, id="R1 one of each special card"),
]


@pytest.mark.parametrize(("texts", "copies"), COPIES)
def test_copies_in_the_deck(texts: str, copies: int) -> None:
    assert [DECK.count(parse_card(text)) for text in texts.split()] == [copies] * len(texts.split())
    assert {parse_card(text).copies for text in texts.split()} == {copies}


def test_r1_the_deck_has_64_cards_of_34_kinds() -> None:
    assert (len(DECK), len(set(DECK))) == (64, 34)
    assert list(DECK) == sorted(DECK)


def test_r2_cards_are_ordered_by_number_then_color() -> None:
    assert [str(card) for card in ALL_CARDS] == IN_ORDER
    assert sorted(map(parse_card, reversed(IN_ORDER))) == list(ALL_CARDS)


def test_r2_the_two_copies_of_a_card_are_equal() -> None:
    assert parse_card("7R") == parse_card("7R")
    assert parse_cards("7R 7R").count(parse_card("7R")) == 2


FACES = [
    ("1G", 1, Color.GREEN),
    ("10Y", 10, Color.YELLOW),
    ("7R", 7, Color.RED),
    ("1M", 1, Color.MULTI),
    ("PG", 11, Color.GREEN),
    ("PY", 11, Color.YELLOW),
    ("DR", 12, Color.RED),
]


@pytest.mark.parametrize(("text", "rank", "color"), FACES)
def test_a_card_has_a_rank_a_color_and_a_text(text: str, rank: int, color: Color) -> None:
    card = parse_card(text)
    assert (card.rank, card.color, str(card), repr(card)) == (rank, color, text, text)
    assert color.letter == text[-1]


@pytest.mark.parametrize("text", IN_ORDER)
def test_text_is_read_in_either_case(text: str) -> None:
    assert parse_card(text.lower()) is parse_card(text)


def test_the_lowest_card_is_true_like_any_other() -> None:
    assert parse_card("1G") == 0
    assert all(ALL_CARDS)


def test_a_list_is_read_sorted_and_written_as_it_comes() -> None:
    assert format_cards(parse_cards("10G  7r 1M\n7R")) == "1M 7R 7R 10G"
    assert format_cards((parse_card("9G"), parse_card("2R"))) == "9G 2R"
    assert parse_cards("") == ()


@pytest.mark.parametrize("text", ["0R", "11G", "7", "R7", "2M", "PR", "DG", "7RR", "\N{FULLWIDTH DIGIT SEVEN}R"])
def test_a_text_that_is_not_a_card_is_unreadable(text: str) -> None:
    with pytest.raises(UnreadableCards, match="is not a card") as caught:
        parse_cards(f"3G {text}")
    assert caught.value.text == text


@pytest.mark.parametrize(("text", "card"), [("7R 7R 7R", "7R"), ("1M 2G 1M", "1M"), ("PG PG", "PG"), ("DR DR", "DR")])
def test_a_list_cannot_have_more_copies_than_the_deck(text: str, card: str) -> None:
    with pytest.raises(UnreadableCards, match="the deck has") as caught:
        parse_cards(text)
    assert caught.value.text == card


def test_a_hand_counts_copies() -> None:
    hand = parse_cards("3G 7R 7R")
    assert holds(hand, parse_cards("7R 7R"))
    assert not holds(hand, parse_cards("3G 3G"))
    assert without(hand, parse_cards("7R")) == parse_cards("3G 7R")
    with pytest.raises(ValueError, match=r"not in list"):
        without(hand, parse_cards("9G"))
