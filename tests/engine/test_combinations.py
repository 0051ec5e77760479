"""R3-R14: the combinations."""

import pickle
from collections import Counter

import pytest

from bot.engine import Kind, combination_table, format_cards, parse_cards
from bot.engine.combinations import FlushOrder
from tests.engine.positions import combination

SINGLE, PAIR, TRIPLE, STRAIGHT = Kind.SINGLE, Kind.PAIR, Kind.TRIPLE, Kind.STRAIGHT
FLUSH, FULL_HOUSE, STRAIGHT_FLUSH, GANG = Kind.FLUSH, Kind.FULL_HOUSE, Kind.STRAIGHT_FLUSH, Kind.GANG

MADE_OF = [
    pytest.param("1G", SINGLE, id="R3 the lowest card"),
    pytest.param("PY", SINGLE, id="R3 a Phoenix"),
    pytest.param("1M", SINGLE, id="R3 the multicolored 1"),
    pytest.param("7R 7R", PAIR, id="R4 of one color"),
    pytest.param("7G 7R", PAIR, id="R4 of two colors"),
    pytest.param("PG PY", PAIR, id="R4 the Phoenixes"),
    pytest.param("1M 1G", PAIR, id="R4 with the multicolored 1"),
    pytest.param("2G 2Y 2R", TRIPLE, id="R5 of three colors"),
    pytest.param("10G 10G 10R", TRIPLE, id="R5 of two colors"),
    pytest.param("1M 1R 1R", TRIPLE, id="R5 with the multicolored 1"),
    pytest.param("1G 2G 3R 4Y 5Y", STRAIGHT, id="R6 the lowest"),
    pytest.param("6G 7G 8R 9Y 10Y", STRAIGHT, id="R6 the highest"),
    pytest.param("1Y 3Y 5Y 8Y 10Y", FLUSH, id="R7 of five numbers"),
    pytest.param("2R 2R 9R 9R 10R", FLUSH, id="R7 of two pairs"),
    pytest.param("2G 2Y 6R 6R 6Y", FULL_HOUSE, id="R8 the pair below"),
    pytest.param("2G 2Y 2R 6R 6Y", FULL_HOUSE, id="R8 the pair above"),
    pytest.param("4G 4Y 4R PG PY", FULL_HOUSE, id="R8 the Phoenixes as the pair"),
    pytest.param("1M 1G 1Y 3R 3R", FULL_HOUSE, id="R8 the multicolored 1 in the triple"),
    pytest.param("1M 1G 3Y 3R 3R", FULL_HOUSE, id="R8 the multicolored 1 in the pair"),
    pytest.param("1Y 2Y 3Y 4Y 5Y", STRAIGHT_FLUSH, id="R9 the lowest numbers"),
    pytest.param("6R 7R 8R 9R 10R", STRAIGHT_FLUSH, id="R9 the highest of all"),
    pytest.param("7G 7Y 7Y 7R", GANG, id="R10 four"),
    pytest.param("7G 7G 7Y 7Y 7R", GANG, id="R10 five"),
    pytest.param("7G 7G 7Y 7Y 7R 7R", GANG, id="R10 six"),
    pytest.param("1M 1G 1Y 1R", GANG, id="R10 four with the multicolored 1"),
    pytest.param("1G 1G 1Y 1Y 1R 1R 1M", GANG, id="R10 seven"),
    pytest.param("DR", SINGLE, id="R11 the Dragon alone"),
    pytest.param("PG", SINGLE, id="R11 a Phoenix alone"),
    pytest.param("1M 4R 6R 7R 10R", FLUSH, id="R12 the multicolored 1 counts as red"),
    pytest.param("1M 4G 6G 7G 10G", FLUSH, id="R12 the multicolored 1 counts as green"),
    pytest.param("1M 1Y 1Y 7Y 10Y", FLUSH, id="R12 with two other 1s"),
    pytest.param("1M 2Y 3Y 4Y 5Y", STRAIGHT_FLUSH, id="R12 in a straight flush"),
    pytest.param("1M 2Y 3Y 4R 5Y", STRAIGHT, id="R12 is a 1 in a straight"),
    pytest.param("9G 9G 9Y 9Y 9R", GANG, id="R13 five of a number"),
    pytest.param("1M 1G 1G 2G 2G", FULL_HOUSE, id="R14 not the flush that it also is"),
    pytest.param("2G 3G 4G 5G 6G", STRAIGHT_FLUSH, id="R14 neither the straight nor the flush"),
]

NOTHING = [
    pytest.param("", id="R3 no card"),
    pytest.param("7R 8R", id="R4 two numbers"),
    pytest.param("5G 5Y 6R", id="R5 a pair and a card"),
    pytest.param("8G 9G 10R 1Y 2Y", id="R6 turning the corner"),
    pytest.param("1G 7G 8Y 9R 10R", id="R6 the 1 after the 10"),
    pytest.param("2G 3G 4R 5Y 7Y", id="R6 a gap"),
    pytest.param("2G 3G 4R 5Y", id="R6 four cards"),
    pytest.param("2G 3G 4R 5Y 6Y 7Y", id="R6 six cards"),
    pytest.param("2G 3G 5G 9G", id="R7 four cards"),
    pytest.param("2G 2Y 3G 3Y 4R", id="R8 two pairs and a card"),
    pytest.param("2G 3G 4G 5G 6G 7G", id="R9 six cards"),
    pytest.param("4G 4G 4Y 5Y", id="R10 three and a card"),
    pytest.param("4G 4G 4Y 4Y 5Y", id="R10 four and a card"),
    pytest.param("3G 3Y 3R 4G 4Y 4R", id="R10 two triples"),
    pytest.param("PY DR", id="R11 Phoenix and Dragon"),
    pytest.param("PG PY DR", id="R11 no triple of special cards"),
    pytest.param("5G 5Y DR", id="R11 a pair and the Dragon"),
    pytest.param("7G 8G 9R 10Y PG", id="R11 a Phoenix after the 10"),
    pytest.param("2G 4G 6G 8G PG", id="R11 a Phoenix in a flush"),
    pytest.param("7G 8G 9G 10G PG", id="R11 a Phoenix in a straight flush"),
    pytest.param("2R 4R 6R 8R DR", id="R11 the Dragon in a flush"),
    pytest.param("5G 5Y 5R PG DR", id="R11 no pair of Phoenix and Dragon"),
    pytest.param("5G 5Y 5R 6G PY", id="R11 a Phoenix is not a joker"),
    pytest.param("1M 2Y 4Y 6R 8Y", id="R12 the other cards still need one color"),
]

MANY = {SINGLE: 34, PAIR: 64, TRIPLE: 76, STRAIGHT: 1518, FLUSH: 6153, FULL_HOUSE: 4369, STRAIGHT_FLUSH: 21, GANG: 117}


@pytest.mark.parametrize("order", ["highest", "sum"])
@pytest.mark.parametrize(("text", "kind"), MADE_OF)
def test_cards_make_a_combination(text: str, kind: Kind, order: FlushOrder) -> None:
    found = combination_table(order).identify(reversed(parse_cards(text)))
    assert found is not None
    assert (found.kind, found.cards, found.size) == (kind, parse_cards(text), len(text.split()))


@pytest.mark.parametrize("text", NOTHING)
def test_cards_that_make_no_combination(text: str) -> None:
    assert combination_table().identify(parse_cards(text)) is None


def test_a_kind_names_its_rule() -> None:
    assert [kind.rule for kind in Kind] == ["R3", "R4", "R5", "R6", "R7", "R8", "R9", "R10"]


@pytest.mark.parametrize("order", ["highest", "sum"])
def test_the_table_lists_every_combination_once(order: FlushOrder) -> None:
    listed = combination_table(order).all
    assert Counter(found.kind for found in listed) == MANY
    assert len({found.cards for found in listed}) == len(listed) == 12_352
    assert [int(found) for found in listed] == list(range(12_352))


def test_r14_27_flushes_are_full_houses() -> None:
    """The multicolored 1, two 1s of a color and a pair of that color: three colors, nine numbers."""
    for color in "GYR":
        for number in range(2, 11):
            found = combination(f"1M 1{color} 1{color} {number}{color} {number}{color}")
            assert found.kind is FULL_HOUSE
    one_color = [
        found
        for found in combination_table().all
        if found.kind is FULL_HOUSE and len({card.color for card in found.cards if card.color < 3}) == 1
    ]
    assert len(one_color) == 27


def test_r14_21_straights_are_straight_flushes() -> None:
    """Six of each color, and three more with the multicolored 1."""
    flushes = [found for found in combination_table().all if found.kind is STRAIGHT_FLUSH]
    assert len(flushes) == 21
    assert sum("1M" in format_cards(found.cards) for found in flushes) == 3


@pytest.mark.parametrize(
    ("text", "number"), [("1M", 1), ("4G 4Y", 4), ("2G 2Y 2R 9G 9Y", 2), ("3G 3Y 3R PG PY", 3), ("1G 3G 5G 6G 8G", 8)]
)
def test_the_number_of_a_combination_counts_first(text: str, number: int) -> None:
    assert combination(text).number == number


def test_a_combination_shows_its_kind_and_cards() -> None:
    assert repr(combination("10Y 10G 10G 7R 7R")) == "<FULL_HOUSE 7R 7R 10G 10G 10Y>"


def test_the_lowest_combination_is_true_like_any_other() -> None:
    assert int(combination("1G")) == 0
    assert combination("1G")


@pytest.mark.parametrize("order", ["highest", "sum"])
def test_another_process_gets_the_combination_of_its_own_table(order: FlushOrder) -> None:
    for play in combination_table(order).all:
        assert pickle.loads(pickle.dumps(play)) is play
