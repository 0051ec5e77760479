"""The worked examples of the rulebooks, book by book. Those of single kinds and of points are in other tests.

EN, FR, DE, NL, ES, IT, FI: Days of Wonder, 2002 and 2010; DG: Dargaud 1996; SH: the summary sheet. Where a book
leaves colors open, ours are any that fit.
"""

import pytest

from bot.engine import Kind, Options, Phase, plays, situation
from tests.engine.positions import after, combination, hand_in_play, texts

EXAMPLES_OF_ORDER = [
    pytest.param("10R", "8R", id="EN 2002 ES FI DE 10 > 8"),
    pytest.param("10G", "8R", id="EN 2010 FR NL IT green 10 > red 8"),
    pytest.param("3R", "3Y", id="EN FR NL ES IT FI red 3 > yellow 3"),
    pytest.param("3Y", "3G", id="EN FR NL ES IT FI yellow 3 > green 3"),
    pytest.param("2R", "2Y", id="DG red 2 > yellow 2"),
    pytest.param("2Y", "2G", id="DG yellow 2 > green 2"),
    pytest.param("PG", "10R", id="EN DG 10 < Phoenix"),
    pytest.param("DR", "PY", id="EN DG Phoenix < Dragon"),
    pytest.param("PY", "PG", id="EN FR DE FI yellow Phoenix > green Phoenix"),
    pytest.param("1G 1G 2G 2Y 2Y", "6G 7G 8R 9Y 10Y", id="DE full house on a straight"),
    pytest.param("2R 2R 4R 7R 10R", "5R 6R 7R 7R 9R", id="DE flush 2 2 4 7 10 > 5 6 7 7 9"),
    pytest.param("6G 6Y 6R 3G 3Y", "2G 2Y 2R 8G 8Y", id="DE full house 6 6 6 3 3 > 2 2 2 8 8"),
    pytest.param("8G 8G 8Y 8R", "3R 3R 3Y 3Y", id="DE four 8s > four 3s"),
    pytest.param("2Y 3Y 5Y 7Y 9Y", "2R 3R 4R 5R 7R", id="DE yellow flush 2 3 5 7 9 > red flush 2 3 4 5 7"),
    pytest.param("3R 3G", "3Y 3Y", id="DE red and green 3 > two yellow 3s"),
    pytest.param("3R 3Y", "3R 3G", id="DG red/yellow > red/green"),
    pytest.param("3Y 3Y", "3Y 3G", id="DG yellow/yellow > yellow/green"),
    pytest.param("3Y 3G", "3G 3G", id="DG yellow/green > green/green"),
    pytest.param("PG PY", "10R 10R", id="DG the Phoenixes are the highest pair"),
    pytest.param("10G 9G 8Y 7R 6R", "9R 8R 7R 6R 5G", id="DG straight 10 9 8 7 6 > 9 8 7 6 5"),
    pytest.param("9R 8G 7R 6R 5G", "9Y 8R 7Y 6R 5R", id="DG straights of equal numbers: the highest card's color"),
    pytest.param("10R 9R 8R 7R 6R", "5R 4R 3R 2R 1R", id="DG the highest and a lowest straight flush"),
    pytest.param("1G 1G 1Y 1Y 1R 1R 1M", "10R 10R 10Y 10Y 10G 10G", id="DG seven 1s over everything"),
    pytest.param("2G 2Y 2R 2R", "6R 7R 8R 9R 10R", id="SH four of a number on five cards"),
]


@pytest.mark.parametrize(("strong", "weak"), EXAMPLES_OF_ORDER)
def test_example_of_order(strong: str, weak: str) -> None:
    assert combination(strong).beats(combination(weak))
    assert not combination(weak).beats(combination(strong))


def test_en_example_of_equals_a_green_and_yellow_2_on_the_same() -> None:
    assert not combination("2G 2Y").beats(combination("2G 2Y"))


def test_sh_example_of_the_sum_of_a_flush() -> None:
    options = Options.of("summary-sheet")
    assert combination("5R 6R 7R 7R 9R", options).beats(combination("2R 2R 4R 7R 10R", options))


def test_de_fr_example_hand_of_three_who_are_left_with_5_9_and_15_cards() -> None:
    five, nine, fifteen = "1G 1Y 1R 2G 2Y", "1G 1Y 1R 2G 2Y 2R 3G 3Y 3R", "2G 2R 3G 3R 4G 4R 5G 5R 6G 6R 7R 8G 8R 9G 9R"
    hands = ("7G 7Y", five, nine, fifteen)
    assert after(hand_in_play(*hands), "7G 7Y").totals == (0, 5, 18, 60)


def test_dg_example_of_one_round_with_a_pass_and_the_phoenixes() -> None:
    state = hand_in_play("2G 2Y 3G", "4G 4Y 3Y", "6G 6Y 3R", "PG PY 3R", options=Options.of("dargaud-1996"))
    state = after(state, "2G 2Y", "4G 4Y", "pass", "PG PY")
    assert state.cycle.last_seat == 3


CYCLES = hand_in_play(
    "2G 2Y 9G 9Y 5G 5Y 5R 8G 10G",
    "5G 5R 1G 1Y 7G 7Y 7R 8R 10Y",
    "PG PY 1R 2R 3R 4Y 5Y 6R 7R 8R 9R 10R 8G 8Y",
    "9Y 9R 1Y 2Y 4Y 4Y 8Y 3G 3G 3Y 3Y 10G 10Y",
    options=Options.of("dargaud-1996"),
)
FIRST_CYCLE = ("2G 2Y", "5G 5R", "pass", "9Y 9R", "pass", "pass", "PG PY")
SECOND_CYCLE = (
    "1R 2R 3R 4Y 5Y",
    "1Y 2Y 4Y 4Y 8Y",
    "9G 9Y 5G 5Y 5R",
    "1G 1Y 7G 7Y 7R",
    "6R 7R 8R 9R 10R",
    "3G 3G 3Y 3Y",
)


def test_dg_example_first_cycle_c_wins_after_having_passed() -> None:
    state = after(CYCLES, *FIRST_CYCLE)
    assert [seat for seat, _ in state.cycle.plays] == [0, 1, 3, 2]
    state = after(state, "pass", "pass", "pass")
    assert (state.turn, state.cycle.plays) == (2, ())


def test_dg_example_second_cycle_each_kind_over_the_one_before_and_the_gang_over_all() -> None:
    state = after(CYCLES, *FIRST_CYCLE, "pass", "pass", "pass", *SECOND_CYCLE)
    assert [seat for seat, _ in state.cycle.plays] == [2, 3, 0, 1, 2, 3]
    assert [play.kind for _, play in state.cycle.plays] == [
        Kind.STRAIGHT,
        Kind.FLUSH,
        Kind.FULL_HOUSE,
        Kind.FULL_HOUSE,
        Kind.STRAIGHT_FLUSH,
        Kind.GANG,
    ]
    state = after(state, "pass", "pass", "pass")
    assert (state.turn, state.phase) == (3, Phase.PLAY)


def test_de_example_only_triples_and_gangs_beat_a_triple() -> None:
    state = hand_in_play("4G 4Y 4R 5G", "5G 5Y 5R 6G 6Y 8R", "7G 7Y 7R 7R 9G")
    assert texts(plays(situation(after(state, "4G 4Y 4R!"), 1))) == ["5G 5Y 5R"]
    follows = texts(plays(situation(after(state, "4G 4Y 4R!", "pass"), 2)))
    assert follows == ["7G 7Y 7R", "7G 7R 7R", "7Y 7R 7R", "7G 7Y 7R 7R"]
