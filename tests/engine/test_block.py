"""R31 and R38: the player before one who has declared the last card."""

import pytest

from bot.engine import Declare, Options, Situation, may_pass, plays, situation
from bot.engine.cards import parse_cards
from bot.engine.errors import MustLeadSeveral, MustNotPass, MustPlayHighest
from bot.engine.legality import check_play
from tests.engine.positions import (
    after,
    combination,
    hand_in_play,
    refusal,
    second_hand,
    texts,
)

BOTH, LEAD_ONLY = Options(), Options(block="lead_only")

LEADS = [
    pytest.param("2G 5G 5Y 9R", ["5G 5Y"], id="R31 lead: several cards"),
    pytest.param("2G 3Y 4Y 5G 6R", ["2G 3Y 4Y 5G 6R"], id="R31 lead: five cards"),
    pytest.param("4G 4Y 4R 4R 9R", ["4G 4Y", "4G 4R", "4Y 4R", "4R 4R"], id="R31 lead: pairs first of all"),
    pytest.param("2G 5G 9R", ["9R"], id="R31 lead: without any, the highest single"),
    pytest.param("2G PY DR", ["DR"], id="R31 lead: the Dragon if it is the highest"),
    pytest.param("2G PG PY", ["PG PY"], id="R31 lead: the Phoenixes are a pair"),
]


@pytest.mark.parametrize("options", [BOTH, LEAD_ONLY])
@pytest.mark.parametrize(("held", "legal"), LEADS)
def test_leading_before_a_declared_last_card(held: str, legal: list[str], options: Options) -> None:
    bound = Situation(options, parse_cards(held), None, blocked=1)
    found = texts(plays(bound))
    assert found[: len(legal)] == legal
    assert all(len(play.split()) > 1 for play in found) or found == legal


FOLLOWS = [
    pytest.param("3G 7G 9R", "5G", ["9R"], False, id="R31 follow: the highest single, no passing"),
    pytest.param("3G 7G 9R 9R", "5G", ["9R"], False, id="R31 follow: one of two equal highest"),
    pytest.param("3G 7G DR", "5G", ["DR"], False, id="R31 follow: even the Dragon"),
    pytest.param("3G 7G 9R", "10G", [], True, id="R31 follow: too low, so passing is free"),
    pytest.param("3G 7G 9R", "9R", [], True, id="R31 follow: equal is too low"),
    pytest.param("4G 4Y 4R 4R 9R", "5G", ["9R", "4G 4Y 4R 4R"], False, id="R31 follow: or a gang"),
    pytest.param("4G 4Y 4R 4R 9R", "10G", ["4G 4Y 4R 4R"], True, id="R31 follow: too low, a gang or a pass"),
    pytest.param("7G 7G 7Y 7R", "5G", ["7R", "7G 7G 7Y 7R"], False, id="R31 follow: highest card of the gang"),
]


@pytest.mark.parametrize(("held", "to_beat", "legal", "passing"), FOLLOWS)
def test_following_a_single_before_a_declared_last_card(
    held: str, to_beat: str, legal: list[str], passing: bool
) -> None:
    bound = Situation(BOTH, parse_cards(held), combination(to_beat), blocked=1)
    assert texts(plays(bound)) == legal
    assert may_pass(bound) is passing
    for play in legal:
        check_play(bound, parse_cards(play))


@pytest.mark.parametrize(("held", "to_beat", "legal", "passing"), FOLLOWS)
def test_r31_lead_only_leaves_following_free(held: str, to_beat: str, legal: list[str], passing: bool) -> None:
    free = Situation(LEAD_ONLY, parse_cards(held), combination(to_beat), blocked=1)
    assert may_pass(free)
    assert plays(free) == plays(Situation(LEAD_ONLY, parse_cards(held), combination(to_beat)))


FREE = [
    pytest.param("3G 3Y 7G 7Y 9R", "2G 2Y", ["3G 3Y", "7G 7Y"], id="R31 free: a pair to beat"),
    pytest.param("7G 7Y 7R 8G 8Y 8R DR", "2G 2Y 2R", ["7G 7Y 7R", "8G 8Y 8R"], id="R31 free: a triple"),
    pytest.param("5G 5Y 5R 5R 9R", "4G 4G 4Y 4R", ["5G 5Y 5R 5R"], id="R31 free: a gang"),
]


@pytest.mark.parametrize(("held", "to_beat", "legal"), FREE)
def test_following_several_cards_is_free(held: str, to_beat: str, legal: list[str]) -> None:
    bound = Situation(BOTH, parse_cards(held), combination(to_beat), blocked=1)
    assert texts(plays(bound)) == legal
    assert may_pass(bound)


def test_r31_only_the_player_immediately_before_is_limited() -> None:
    hands = ("4G 6G", "3Y 7Y 9Y", "3R 7R 9R", "5G 8G 10G")
    state = after(hand_in_play(*hands), "4G!")
    assert may_pass(situation(state, 1))
    assert texts(plays(situation(state, 1))) == ["7Y", "9Y"]
    state = after(state, "pass", "pass")
    assert state.turn == 3
    assert texts(plays(situation(state, 3))) == ["10G"]
    assert isinstance(refusal(state, "pass"), MustNotPass)
    assert isinstance(refusal(state, "8G"), MustPlayHighest)


def test_r31_in_a_clockwise_hand_it_is_the_other_neighbor() -> None:
    hands = ("4G 6G", "3Y 7Y 9Y", "3R 7R 9R", "5G 8G 10G")
    state = after(second_hand(*hands), "4G!")
    assert may_pass(situation(state, 3))
    assert texts(plays(situation(after(state, "pass", "pass"), 1))) == ["9Y"]


def test_r31_an_undeclared_last_card_blocks_nobody() -> None:
    hands = ("4G 6G", "3Y 7Y 9Y", "5G 8G 10G")
    takes_back = Options(forgotten="takes_back")
    state = after(hand_in_play(*hands, options=takes_back), "4G", "pass")
    assert may_pass(situation(state, 2))
    assert not may_pass(situation(after(state, Declare(0)), 2))


def test_r31_leading() -> None:
    state = hand_in_play("2G 3G 8G 8Y", "4G 9Y", "3R 7R 9R")
    state = after(state, "3G", "4G!", "pass", "8Y", "pass", "pass")
    assert state.turn == 0
    assert texts(plays(situation(state, 0))) == ["8G"]
    assert isinstance(refusal(state, "2G"), MustPlayHighest)


def test_r31_leading_with_a_pair_in_hand() -> None:
    state = after(hand_in_play("2G 3G 8G 8Y 10G", "4G 9Y", "3R 7R 9R"), "3G", "4G!", "pass", "10G", "pass", "pass")
    error = refusal(state, "8Y")
    assert isinstance(error, MustLeadSeveral)
    assert error.blocked == 1
    assert after(state, "8G 8Y").turn == 1


def test_r31_each_declared_last_card_blocks_the_player_before() -> None:
    state = after(hand_in_play("2G 9G", "3G 9Y", "4G 8R 10G", "5G 8G 10Y"), "2G!", "3G!")
    assert may_pass(situation(state, 2))
    state = after(state, "pass")
    assert texts(plays(situation(state, 3))) == ["10Y"]
    assert not may_pass(situation(state, 3))


def test_r31_a_player_who_declared_can_be_blocked_too() -> None:
    state = after(hand_in_play("2G 9G", "3G 9Y", "4G 8R 10G", "5G 8G 8Y"), "2G!", "3G!", "pass", "8Y")
    bound = situation(state, 0)
    assert bound.blocked == 1
    assert texts(plays(bound)) == ["9G"]
    assert isinstance(refusal(state, "pass"), MustNotPass)


def test_r38_immediately_before_skips_players_who_are_out() -> None:
    hands = ("4G 6G", "3Y 7Y 9Y", "3R 7R 9R", "5G 10G")
    state = after(hand_in_play(*hands, lead=3), "5G", "6G!")
    assert state.out == {3}
    assert may_pass(situation(state, 1))
    state = after(state, "pass")
    assert state.turn == 2
    assert situation(state, 2).blocked == 0
    assert texts(plays(situation(state, 2))) == ["9R"]
    assert isinstance(refusal(state, "pass"), MustNotPass)


def test_r38_a_player_who_is_out_blocks_nobody() -> None:
    state = after(hand_in_play("4G 6G", "3Y 7Y 9Y", "3R 7R 9R"), "4G", "7Y")
    assert state.out == {0}
    assert situation(state, 2).blocked is None
