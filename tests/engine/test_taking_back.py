"""Taking back a play or pass, which is possible until the next event."""

import pytest

from bot.engine import Deal, Declare, Options, State, Substitute, TakeBack, begin, public_view, view
from bot.engine.errors import NothingToTakeBack
from bot.engine.events import Undone
from tests.engine.positions import SEED, after, events, hand_in_play, refusal, start

HANDS = ("5G 8Y 9G", "6G 6Y 8R", "7G 7Y 2R 3R", "4R 4Y 6R 6R")
TAKES_BACK = Options(forgotten="takes_back")


@pytest.fixture
def state() -> State:
    return hand_in_play(*HANDS)


def position(state: State) -> object:
    """The public view and all hands."""
    return public_view(state), state.hands


def test_a_play_is_taken_back(state: State) -> None:
    for moves in (["5G"], ["5G", "6G"]):
        before, now = after(state, *moves[:-1]), after(state, *moves)
        seat = before.turn
        assert seat is not None
        assert events(now, TakeBack(seat)) == (Undone(seat),)
        assert position(after(now, TakeBack(seat))) == position(before)


def test_a_pass_is_taken_back(state: State) -> None:
    before = after(state, "5G", "pass")
    undone = after(before, "pass", TakeBack(2))
    assert position(undone) == position(before)
    assert after(undone, "7G").cycle.last_seat == 2


def test_a_pass_that_closed_the_cycle_opens_it_again(state: State) -> None:
    before = after(state, "5G", "pass", "pass")
    closed = after(before, "pass")
    assert (closed.turn, closed.cycle.plays) == (0, ())
    assert position(after(closed, TakeBack(3))) == position(before)
    assert after(closed, TakeBack(3), "6R").turn == 0


def test_the_first_lead_is_an_opening_again() -> None:
    state = after(begin(start()), Deal(SEED))
    assert state.turn is not None
    assert public_view(state).opening
    led = after(state, "1M")
    assert not public_view(led).opening
    assert public_view(after(led, TakeBack(state.turn))).opening


def test_a_declaration_that_came_with_the_play_goes_with_it(state: State) -> None:
    near = after(state, "5G", "pass", "pass", "pass")
    said = after(near, "8Y!")
    assert said.declared == {0}
    assert position(after(said, TakeBack(0))) == position(near)


def test_a_declaration_said_after_the_play_goes_with_it(state: State) -> None:
    near = after(state, "5G", "pass", "pass", "pass")
    said = after(near, "8Y", Declare(0))
    assert position(after(said, TakeBack(0))) == position(near)


def test_an_earlier_declaration_stays() -> None:
    state = after(hand_in_play("5G 9G", "6G 6Y 8R", "2G 3Y 4R"), "5G!", "6G", "pass")
    assert after(state, "9G").totals == (0, 2, 3)
    passed = after(state, "pass")
    assert passed.turn == 1
    assert after(passed, TakeBack(0)).declared == {0}


def test_the_next_player_may_act_differently_then(state: State) -> None:
    assert after(state, "5G", TakeBack(0), "8Y").cycle.plays[0][1].cards == after(state, "8Y").cycle.plays[0][1].cards


NOTHING = [
    pytest.param((), 0, id="before the first play"),
    pytest.param(("5G",), 1, id="another seat's play"),
    pytest.param(("5G", "6G"), 0, id="a play that was answered"),
    pytest.param(("5G", "pass"), 0, id="a play that was passed on"),
    pytest.param(("5G", TakeBack(0)), 0, id="what is taken back already"),
]


@pytest.mark.parametrize(("moves", "seat"), NOTHING)
def test_there_is_nothing_to_take_back(state: State, moves: tuple[str | TakeBack, ...], seat: int) -> None:
    assert isinstance(refusal(after(state, *moves), TakeBack(seat)), NothingToTakeBack)


def test_another_seats_declaration_prevents_taking_back() -> None:
    state = hand_in_play("5G 9G", "6G 6Y 8R", "7G 7Y 2R", options=TAKES_BACK)
    state = after(state, "5G", "pass", Declare(0))
    assert isinstance(refusal(state, TakeBack(1)), NothingToTakeBack)
    assert isinstance(refusal(state, TakeBack(0)), NothingToTakeBack)


def test_the_last_play_of_a_hand_cannot_be_taken_back() -> None:
    state = after(hand_in_play("5G 5Y", "6G 6Y 8R", "7G 7Y 2R"), "5G 5Y")
    assert isinstance(refusal(state, TakeBack(0)), NothingToTakeBack)


def test_taking_back_does_not_undo_a_forgotten_last_card() -> None:
    before = after(hand_in_play("5G 9G", "6G 6Y 8R", "7G 7Y 2R", "4R 8G"), "5G")
    state = after(before, "6G", TakeBack(1))
    assert state.out == {0}
    assert (state.turn, state.hands, state.cycle) == (1, before.hands, before.cycle)
    assert after(state, "pass").turn == 2


def test_a_last_card_taken_back_by_the_rule_is_no_move_to_take_back() -> None:
    state = hand_in_play("5G 9G", "6G 6Y 8R", "7G 7Y 2R 3R", options=TAKES_BACK)
    state = after(state, "5G", "pass", "7G", "9G")
    assert isinstance(refusal(state, TakeBack(0)), NothingToTakeBack)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_substitution_prevents_taking_back(state: State, seat: int) -> None:
    """A play or pass is taken back only while it is the last line of the record."""
    changed = after(state, "5G", Substitute(seat, "Eve"))
    assert isinstance(refusal(changed, TakeBack(0)), NothingToTakeBack)
    assert not view(changed, 0).may_take_back
