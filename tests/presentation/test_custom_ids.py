"""Custom ids hold everything that a press needs, and foreign ones are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.presentation.ui.components import Layout, button, menu, option, rows
from bot.presentation.ui.custom_ids import InvalidCustomId, Press, Verb
from playground.components import ComponentType
from tests.presentation.sent_messages import components, payload, pressable

PARTS = st.text(st.characters(exclude_characters=":", exclude_categories=["Cs"]), max_size=20)
PRESSES = st.builds(
    Press, st.sampled_from(Verb), st.integers(0, 2**31), st.integers(0, 10**5), st.lists(PARTS).map(tuple)
)


@given(PRESSES)
def test_a_press_comes_back_from_its_id(press: Press) -> None:
    assert Press.parse(str(press)) == press


@pytest.mark.parametrize(
    "custom_id",
    [
        "",
        "g4",
        "g4:play",
        "g4:play:1",
        "g4:pla:1:2",
        "g4::1:2",
        "g5:play:1:2",
        "play:1:2",
        "g4:play:one:2",
        "g4:play:1:two",
        "g4:play:-1:2",
        "g4:play:1.5:2",
        "g4:play::2",
        "g4:play:²:2",
        "G4:play:1:2",
        " g4:play:1:2",
    ],
)
def test_foreign_custom_ids_are_refused(custom_id: str) -> None:
    with pytest.raises(InvalidCustomId):
        Press.parse(custom_id)


@given(st.text(max_size=100))
def test_any_text_is_an_id_or_is_refused(text: str) -> None:
    try:
        press = Press.parse(text)
    except InvalidCustomId:
        return
    assert str(press).split(":")[0] == "g4"


@pytest.mark.parametrize("number", [0, 1, 5, 6, 17])
def test_a_row_has_five_buttons_at_most(number: int) -> None:
    every = [button(Press(Verb.CARD, 1, 0, (str(index),)), str(index)) for index in range(number)]
    made = payload(Layout(*rows(every)))
    assert [len(row["components"]) for row in made] == [5] * (number // 5) + [number % 5] * (number % 5 > 0)
    assert all(row["type"] == ComponentType.ACTION_ROW for row in made)


async def test_a_message_is_forgotten_as_soon_as_it_is_sent() -> None:
    view = Layout(*rows([button(Press(Verb.JOIN, 1), "Join")]))
    assert view.is_finished()
    assert view.timeout is None


def test_a_button_and_a_menu_carry_their_press() -> None:
    press, other = Press(Verb.JOIN, 7), Press(Verb.PLAYS_MENU, 7, 0, ("n", ""))
    view = Layout(*rows([button(press, "Join")]), menu(other, "Choose", [option("a", "A")]))
    assert [Press.parse(custom_id) for custom_id in pressable(view)] == [press, other]
    assert [component["label"] for component in components(view) if component["type"] == ComponentType.BUTTON] == [
        "Join"
    ]
