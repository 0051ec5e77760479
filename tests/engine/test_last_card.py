"""R29, R30, R36 and R37: "Last card!", and forgetting it."""

import pytest

from bot.engine import Declare, Options, Phase, Play, State, plays, public_view, situation, view
from bot.engine.cards import parse_cards
from bot.engine.errors import AlreadyDeclared, NothingToDeclare, OutOfThisHand
from bot.engine.events import Declared, Forgot, HandEnded, Passed, Played
from tests.engine.positions import after, events, hand, hand_in_play, refusal

OUT, TAKES_BACK = Options(), Options(forgotten="takes_back")
AUTOMATIC = Options(last_card="automatic")
HANDS = ("5G 9G", "6G 6Y 8R", "7G 7Y 2R 3R", "4R 4Y 6R 6R")


def ended(state: State, *moves: str | Declare) -> HandEnded:
    """The end of the hand."""
    last = after(state, *moves).last_hand
    assert last is not None
    return last


@pytest.mark.parametrize("options", [OUT, TAKES_BACK])
def test_r29_the_last_card_is_declared_with_the_play(options: Options) -> None:
    state = hand_in_play(*HANDS, options=options)
    assert events(state, "5G!") == (Played(0, parse_cards("5G"), last_card=True),)
    assert after(state, "5G!").declared == {0}
    assert public_view(after(state, "5G!")).declared == {0}


@pytest.mark.parametrize("options", [OUT, TAKES_BACK])
def test_r29_declared_the_last_card_wins_the_hand(options: Options) -> None:
    state = after(hand_in_play(*HANDS, options=options), "5G!", "pass", "7G", "pass")
    assert events(state, "9G") == (
        Played(0, parse_cards("9G")),
        HandEnded(1, 0, (0, 3, 3, 4), (0, 3, 3, 4), (0, 3, 3, 4)),
    )


GOING_OUT = [
    pytest.param("5G 5Y", id="R29 going out with a pair"),
    pytest.param("3G 3Y 3R 6G 6Y", id="R29 going out with a full house"),
    pytest.param("3G 3Y 3R 3R", id="R29 going out with a gang"),
]


@pytest.mark.parametrize("last", GOING_OUT)
def test_several_last_cards_need_no_declaration(last: str) -> None:
    assert ended(hand_in_play(last, "8G 9G", "8Y 9Y"), last).winner == 0


@pytest.mark.parametrize("options", [Options(), Options(forgotten="takes_back")])
@pytest.mark.parametrize("last", GOING_OUT)
def test_several_last_cards_cannot_be_declared(last: str, options: Options) -> None:
    refused = refusal(hand_in_play(last, "8G 9G", "8Y 9Y", options=options), f"{last}!")
    assert type(refused) is NothingToDeclare
    assert str(refused) == "R29: only a player with one card can declare it"


@pytest.mark.parametrize("options", [OUT, TAKES_BACK])
def test_r36_it_may_be_declared_after_the_play(options: Options) -> None:
    state = after(hand_in_play(*HANDS, options=options), "5G")
    assert public_view(state).owing == {0}
    assert view(state, 0).may_declare
    assert not view(state, 1).may_declare
    assert events(state, Declare(0)) == (Declared(0),)
    state = after(state, Declare(0), "pass", "7G", "pass")
    assert public_view(state).owing == frozenset()
    assert ended(state, "9G").winner == 0


def test_r36_under_out_the_next_players_move_is_too_late() -> None:
    state = after(hand_in_play(*HANDS), "5G")
    assert events(state, "pass") == (Forgot(0), Passed(1))
    assert events(state, "6G") == (Forgot(0), Played(1, parse_cards("6G")))
    state = after(state, "pass")
    assert isinstance(refusal(state, Declare(0)), OutOfThisHand)


def test_r36_a_refused_move_does_not_make_it_too_late() -> None:
    state = after(hand_in_play(*HANDS), "5G")
    assert refusal(state, "6G 6Y").rule == "R15"
    assert after(state, Declare(0), "pass").out == frozenset()


def test_r36_under_takes_back_a_player_may_declare_until_the_last_card() -> None:
    state = after(hand_in_play(*HANDS, options=TAKES_BACK), "5G", "pass", "7G", "pass")
    assert public_view(state).owing == {0}
    assert ended(state, Declare(0), "9G").winner == 0


def test_r30_out_the_player_plays_no_more_in_this_hand() -> None:
    state = after(hand_in_play(*HANDS), "5G", "6G", "7G", "pass")
    assert public_view(state).out == {0}
    assert state.turn == 1
    assert hand(state, 0) == "9G"
    assert isinstance(refusal(state, Play(0, parse_cards("9G"))), OutOfThisHand)
    assert view(state, 0).situation is None
    assert view(state, 0).plays() == ()


def test_r30_out_costs_one_point_and_the_others_play_on() -> None:
    state = after(hand_in_play(*HANDS), "5G", "6G", "pass", "pass")
    end = ended(state, "6Y!", "pass", "6R", "8R")
    assert (end.winner, end.left, end.points) == (1, (1, 0, 4, 3), (1, 0, 4, 3))


def test_r30_out_the_lead_falls_to_the_next_player() -> None:
    state = after(hand_in_play(*HANDS), "5G", "pass", "pass", "pass")
    assert (state.turn, state.cycle.plays) == (1, ())


def test_r30_out_all_the_others_must_pass_to_close_the_cycle() -> None:
    state = after(hand_in_play(*HANDS), "5G", "pass", "pass")
    assert state.cycle.plays
    assert state.turn == 3


def test_r30_out_the_lead_skips_two_who_forgot() -> None:
    state = after(hand_in_play("2G 9G", "3G 9Y", "8R 8G 2R", "4R 8Y 10Y"), "2G", "3G", "pass", "pass")
    assert public_view(state).out == {0, 1}
    assert (state.turn, state.cycle.plays) == (2, ())


def test_r30_out_applies_to_the_latest_play_only() -> None:
    state = after(hand_in_play(*HANDS), "5G", "6G", "pass", "pass")
    assert (state.turn, state.cycle.plays) == (1, ())
    state = after(state, "6Y!", "pass", "6R")
    assert state.turn == 1
    assert public_view(state).out == {0}


def test_r30_takes_back_the_card_returns_and_the_turn_is_over() -> None:
    state = after(hand_in_play(*HANDS, options=TAKES_BACK), "5G", "pass", "7G", "pass")
    assert events(state, "9G") == (Forgot(0),)
    state = after(state, "9G")
    assert hand(state, 0) == "9G"
    assert state.turn == 1
    assert state.cycle.last_seat == 2
    assert state.phase is Phase.PLAY


def test_r30_takes_back_the_player_may_declare_and_win_later() -> None:
    state = after(hand_in_play(*HANDS, options=TAKES_BACK), "5G", "pass", "7G", "pass", "9G")
    assert ended(state, Declare(0), "pass", "2R", "6R", "9G").winner == 0


def test_r36_takes_back_counts_as_a_pass() -> None:
    state = after(hand_in_play(*HANDS, options=TAKES_BACK), "5G", "pass", "7G", "pass", "9G")
    assert state.cycle.passed == (3, 0)


def test_r36_takes_back_may_close_the_cycle() -> None:
    state = after(hand_in_play("5G 9G", "6G 6Y 8R", "7G 7Y 2R", options=TAKES_BACK), "5G", "6G", "pass", "9G")
    assert (state.turn, state.cycle.plays) == (1, ())
    assert hand(state, 0) == "9G"


def test_r36_takes_back_on_a_lead_the_lead_goes_to_the_next_player() -> None:
    state = after(hand_in_play(*HANDS, options=TAKES_BACK), "5G", "pass", "pass", "pass")
    assert (state.turn, state.cycle.plays) == (0, ())
    state = after(state, "9G")
    assert (state.turn, state.cycle.plays, state.cycle.passed) == (1, (), ())
    assert plays(situation(state, 1))
    assert refusal(state, "pass").rule == "R23"


def test_r30_takes_back_does_not_apply_to_an_illegal_play() -> None:
    state = after(hand_in_play("5G 9G", "6G 10Y", "7G 7Y", options=TAKES_BACK), "5G", "10Y", "pass")
    assert refusal(state, "9G").rule == "R17"


def test_r37_the_only_player_left_wins_at_once() -> None:
    state = after(hand_in_play("2G 9G", "3G 9Y", "8R 8G 2R"), "2G", "3G")
    end = HandEnded(1, 2, (1, 1, 3), (1, 1, 0), (1, 1, 0))
    assert events(state, "pass") == (Forgot(1), end)
    assert events(state, "8R") == (Forgot(1), end)
    assert after(state, "pass").phase is Phase.BETWEEN_HANDS


def test_r37_four_players() -> None:
    state = after(hand_in_play("2G 9G", "3G 9Y", "4G 9R", "8R 8G 2R 3R"), "2G", "3G", "4G")
    assert public_view(state).out == {0, 1}
    end = HandEnded(1, 3, (1, 1, 1, 4), (1, 1, 1, 0), (1, 1, 1, 0))
    assert events(state, "pass") == (Forgot(2), end)


def test_r37_declaring_in_time_prevents_it() -> None:
    state = after(hand_in_play("2G 9G", "3G 9Y", "8R 8G 2R"), "2G", "3G", Declare(1), "8R")
    assert (state.phase, state.turn) == (Phase.PLAY, 1)


def test_r29_the_table_declares_under_automatic() -> None:
    state = hand_in_play(*HANDS, options=AUTOMATIC)
    assert events(state, "5G") == events(state, "5G!") == (Played(0, parse_cards("5G"), last_card=True),)
    assert events(after(state, "5G"), "pass") == (Passed(1),)
    assert ended(state, "5G", "pass", "7G", "pass", "9G").winner == 0


@pytest.mark.parametrize("forgotten", ["out", "takes_back"])
def test_r29_nobody_forgets_under_automatic(forgotten: str) -> None:
    options = AUTOMATIC.with_changes(forgotten=forgotten)
    state = after(hand_in_play(*HANDS, options=options), "5G")
    assert public_view(state).owing == frozenset()
    assert isinstance(refusal(state, Declare(0)), AlreadyDeclared)
