"""R26 and R32: penalty points, totals and when they end the match."""

import pytest

from bot.engine import Options, Phase
from bot.engine.cards import parse_cards
from bot.engine.events import HandEnded, Played
from bot.engine.scoring import hand_points, is_decided, multiplier, penalty, ranking
from tests.engine.positions import after, events, hand_in_play

PENALTIES = [1, 2, 3, 4, 5, 6, 7, 16, 18, 20, 33, 36, 39, 56, 60, 80]
MULTIPLIERS = [1] * 7 + [2] * 3 + [3] * 3 + [4] * 2 + [5]


@pytest.mark.parametrize(
    ("left", "points", "each"),
    [
        pytest.param(left, points, each, id=f"R26 {left} cards left")
        for left, points, each in zip(range(1, 17), PENALTIES, MULTIPLIERS, strict=True)
    ],
)
def test_penalty_points(left: int, points: int, each: int) -> None:
    assert (penalty(left), multiplier(left)) == (points, each)


def test_r26_no_card_costs_nothing() -> None:
    assert penalty(0) == 0


def test_r26_the_hand_ends_at_once_with_the_last_card() -> None:
    state = hand_in_play("5G 5Y", "6G 6Y 8R", "7G 7Y 2R 3R 9G 9Y 10G 10Y", "4R 8G 10Y")
    ended = HandEnded(1, 0, (0, 3, 8, 3), (0, 3, 16, 3), (0, 3, 16, 3))
    assert events(state, "5G 5Y") == (Played(0, parse_cards("5G 5Y")), ended)
    assert after(state, "5G 5Y").phase is Phase.BETWEEN_HANDS
    assert after(state, "5G 5Y").totals == (0, 3, 16, 3)


def test_r26_the_others_cards_cost_and_the_winners_do_not() -> None:
    assert hand_points((0, 7, 8, 16), winner=0) == (0, 7, 16, 80)
    assert hand_points((1, 5, 1), winner=1) == (1, 0, 1)


DECIDED = [
    pytest.param((99, 0, 50, 3), "reach", 100, False, id="R32 reach: 99 of 100"),
    pytest.param((100, 0, 50, 3), "reach", 100, True, id="R32 reach: 100 of 100"),
    pytest.param((3, 0, 50, 130), "reach", 100, True, id="R32 reach: 130 of 100"),
    pytest.param((100, 0, 50, 3), "exceed", 100, False, id="R32 exceed: 100 of 100"),
    pytest.param((101, 0, 50, 3), "exceed", 100, True, id="R32 exceed: 101 of 100"),
    pytest.param((49, 0, 2, 3), "reach", 50, False, id="R32 target 50: 49"),
    pytest.param((50, 0, 2, 3), "reach", 50, True, id="R32 target 50: 50"),
    pytest.param((1, 0, 1), "reach", 1, True, id="R32 target 1"),
]


@pytest.mark.parametrize(("totals", "end", "target", "decided"), DECIDED)
def test_totals_that_decide_the_match(totals: tuple[int, ...], end: str, target: int, decided: bool) -> None:
    options = Options().with_changes(end=end, target=target)
    assert is_decided(totals, options) is decided


RANKINGS = [
    pytest.param((100, 20, 30, 40), ((1,), (2,), (3,), (0,)), id="R32 the lowest total is first"),
    pytest.param((20, 100, 20, 40), ((0, 2), (3,), (1,)), id="R33 equal totals share a place"),
    pytest.param((100, 20, 100), ((1,), (0, 2)), id="R33 equal last"),
    pytest.param((100, 100, 100), ((0, 1, 2),), id="R33 all equal"),
]


@pytest.mark.parametrize(("totals", "places"), RANKINGS)
def test_the_ranking(totals: tuple[int, ...], places: tuple[tuple[int, ...], ...]) -> None:
    assert ranking(totals) == places
