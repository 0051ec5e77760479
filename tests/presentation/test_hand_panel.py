"""Hands whose buttons carry other presses."""

import pytest

from bot.engine import Declare, GiveBack, Pass, Play, parse_cards
from bot.presentation.table.hand_panel import carried_by, carried_press, move_of, state_after
from bot.presentation.table.selection import ALL_PLAYS, HandState, encode
from bot.presentation.ui.custom_ids import InvalidCustomId, Press, Verb
from bot.table.play import SeatMove

CARDS = parse_cards("3G 3Y")
SELECTED = HandState(CARDS)


def press(verb: Verb, state: HandState = SELECTED, *more: str) -> Press:
    return Press(verb, 7, 3, state.arguments(*more))


def test_another_verb_carries_the_press_of_a_hand() -> None:
    carrying = carried_by(Verb.REPLAY, 7, 3)(Verb.PLAY, SELECTED.arguments())
    assert carrying.verb is Verb.REPLAY
    assert carried_press(Press.parse(str(carrying))) == press(Verb.PLAY)


@pytest.mark.parametrize("arguments", [(), ("",), ("everything", "n", "", "")])
def test_a_press_that_carries_none_is_refused(arguments: tuple[str, ...]) -> None:
    with pytest.raises(InvalidCustomId):
        carried_press(Press(Verb.REPLAY, 7, 3, arguments))


@pytest.mark.parametrize(
    ("verb", "move"),
    [
        (Verb.PLAY, Play(2, CARDS)),
        (Verb.PLAY_LAST, Play(2, CARDS, last_card=True)),
        (Verb.PASS, Pass(2)),
        (Verb.DECLARE, Declare(2)),
        (Verb.LOWEST_PLAY, None),
    ],
)
def test_a_press_means_a_move(verb: Verb, move: SeatMove | None) -> None:
    assert move_of(press(verb), 2) == move


def test_only_one_card_is_given_back() -> None:
    assert move_of(press(Verb.GIVE_BACK, HandState(CARDS[:1])), 2) == GiveBack(2, CARDS[0])
    with pytest.raises(InvalidCustomId):
        move_of(press(Verb.GIVE_BACK), 2)


def test_a_press_changes_the_selection() -> None:
    assert state_after(press(Verb.CARD, HandState(), encode(CARDS[:1]), "0")) == HandState(CARDS[:1])
    assert state_after(press(Verb.PLAYS_MENU, HandState()), f"p{encode(CARDS)}") == HandState(CARDS, ALL_PLAYS)
    assert state_after(press(Verb.PLAYS_MENU, HandState()), f"p{encode(CARDS)}.2.0") == HandState(CARDS, "2.0")
