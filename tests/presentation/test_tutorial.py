"""The tutorial: within Discord's limits in every lesson, with help after other moves."""

import pytest

from bot.engine import Cards, GiveBack, parse_cards
from bot.presentation.help.lessons import BASICS, LESSONS, lesson_starts
from bot.presentation.help.tutorial import TutorialPage, after_press, opening_page, tutorial_message
from bot.presentation.table.hand_panel import carried_by
from bot.presentation.table.selection import HandState, encode
from bot.presentation.text.i18n import Words
from bot.presentation.ui.custom_ids import InvalidCustomId, Press, Verb
from playground.components import ComponentType
from tests.presentation.sample_tables import READERS, WORDS
from tests.presentation.sent_messages import check, components, pressable, text_of

STEPS = range(len(LESSONS))
MOVES = tuple(step for step in STEPS if LESSONS[step].exhibit is None)
"""The lessons with a move."""
FIRST = MOVES[0]
VERBS = (
    *(Verb.CARD, Verb.LOWEST_PLAY, Verb.PLAYS_MENU, Verb.PLAY, Verb.PLAY_LAST, Verb.PASS, Verb.GIVE_BACK),
    Verb.TUTORIAL_SHOW,
)


def press(verb: Verb, step: int, selected: Cards = (), *more: str) -> Press:
    return pressed(verb, step, HandState(selected).arguments(*more))


def pressed(verb: Verb, step: int, arguments: tuple[str, ...]) -> Press:
    """A press of the button that shows the right cards, or of one of the hand's own."""
    if verb is Verb.TUTORIAL_SHOW:
        return Press(verb, 0, step, arguments)
    return carried_by(Verb.TUTORIAL_HAND, 0, step)(verb, arguments)


def do(verb: Verb, step: int, selected: str = "") -> TutorialPage:
    return after_press(press(verb, step, parse_cards(selected)), step, WORDS)


def read(page: TutorialPage) -> str:
    return text_of(tutorial_message(page, WORDS))


def labels(page: TutorialPage) -> dict[str, bool]:
    """The buttons apart from cards: True if enabled."""
    return {
        button["label"]: not button.get("disabled")
        for button in components(tutorial_message(page, WORDS))
        if button["type"] == ComponentType.BUTTON and ":card:" not in button["custom_id"]
    }


def step_of(title: str) -> int:
    return next(step for step, lesson in enumerate(LESSONS) if lesson.title == title)


@pytest.mark.parametrize("words", READERS.values(), ids=READERS)
@pytest.mark.parametrize("step", [*STEPS, len(LESSONS)])
def test_every_lesson_fits_into_a_message_with_any_selection(step: int, words: Words) -> None:
    hand = lesson_starts()[step].match.view.hand if step in STEPS else ()
    for selected in ((), hand[:1], hand[:5], hand):
        for note in ("", "A note. " * 40):
            message = tutorial_message(TutorialPage(step, HandState(selected), note), words)
            check(message)
            own = [custom_id for custom_id in pressable(message) if ":learn-" in custom_id]
            assert all(Press.parse(custom_id).moment == step for custom_id in own)


def test_showing_and_playing_leads_through_all_of_it() -> None:
    step = 0
    while step < len(LESSONS):
        if step not in MOVES:
            step = after_press(Press(Verb.TUTORIAL_GO, 0, step, (str(step + 1),)), step, WORDS).step
            continue
        shown = after_press(press(Verb.TUTORIAL_SHOW, step), step, WORDS)
        assert shown.step == step
        offered = labels(shown)
        verbs = {
            'Play and say "Last card!"': Verb.PLAY_LAST,
            "Give back": Verb.GIVE_BACK,
            "Play": Verb.PLAY,
            "Pass": Verb.PASS,
        }
        label = next(label for label in verbs if offered.get(label))
        assert f"press **{label}**" in read(shown)
        page = after_press(press(verbs[label], step, shown.hand_state.selected), step, WORDS)
        assert page.step == step + 1
        assert "✅ Well done!" in read(page)
        step = page.step
    assert "`/gang new`" in read(TutorialPage(step))


@pytest.mark.parametrize("step", MOVES)
def test_other_legal_moves_get_a_hint_and_change_nothing(step: int) -> None:
    start = lesson_starts()[step]
    others = [play.cards for play in start.match.view.plays() if play.cards != getattr(start.expected, "cards", ())]
    for cards in others:
        page = after_press(press(Verb.PLAY, step, cards), step, WORDS)
        assert (page.step, page.hand_state.selected) == (step, cards)
        assert "💡 The rules allow that, too. " in read(page)
        assert "{" not in page.note
    if start.match.view.may_pass and start.lesson.move != "pass":
        assert "💡 The rules allow that, too. " in read(do(Verb.PASS, step))


def test_the_last_card_must_be_declared_with_its_play() -> None:
    step = step_of('Your own "Last card!"')
    assert '💡 The rules allow that, too. Press **Play and say "Last card!"**:' in read(do(Verb.PLAY, step, "10R"))
    assert do(Verb.PLAY_LAST, step, "10R").step == step + 1


def test_any_card_may_be_given_back() -> None:
    step = step_of("The exchange")
    for card in set(lesson_starts()[step].match.view.hand):
        assert after_press(press(Verb.GIVE_BACK, step, (card,)), step, WORDS).step == len(LESSONS)
    assert isinstance(lesson_starts()[step].expected, GiveBack)


@pytest.mark.parametrize(
    ("title", "verb", "cards", "refusal"),
    [
        ("Single cards", Verb.PLAY, "2G 2Y", "Play 1 card, or a gang."),
        ("Single cards", Verb.PLAY, "2G 3G", "These cards don't make a combination."),
        ("Single cards", Verb.PLAY, "", "Select cards to play."),
        ("Single cards", Verb.PLAY, "DR", "You don't have"),
        (
            "Single cards",
            Verb.PLAY_LAST,
            "2G",
            'You can say "Last card!" only while you have exactly one card.',
        ),
        ("Single cards", Verb.GIVE_BACK, "2G", "You have no card to give back."),
        ("Passing is not final", Verb.PLAY, "10Y", "It is equal to the play on the table; it must be higher."),
        ("Passing is not final", Verb.PLAY, "10G", "yours is lower (green, yellow, red)"),
        ("Pairs", Verb.PASS, "", "You lead, so you can't pass."),
        ("The multicolored 1", Verb.PLAY, "2R", "The first lead of a match must include the multicolored 1."),
        ('"Last card!" and the block', Verb.PLAY, "10R", "🤖 Jade** is next and has said"),
        ('"Last card!" and the block', Verb.PASS, "", "play your highest card"),
        ("Leading as a block", Verb.PLAY, "10R", "🤖 Jade** is next and has said"),
        ("The exchange", Verb.PLAY, "1G", "First the winner of the last hand gives a card back."),
    ],
)
def test_illegal_moves_get_the_refusal_of_the_rules(title: str, verb: Verb, cards: str, refusal: str) -> None:
    step = step_of(title)
    page = do(verb, step, cards)
    assert page.step == step
    assert page.note.startswith("❌ ")
    assert refusal in read(page)


def test_it_is_said_at_once_why_a_selection_cannot_be_played() -> None:
    page = TutorialPage(FIRST, HandState(parse_cards("2G 2Y")))
    assert "-# Play 1 card, or a gang." in read(page)
    assert not labels(page)["Play"]


def test_tapping_selects_a_card_and_puts_it_back() -> None:
    (card,) = parse_cards("2G")
    page = after_press(press(Verb.CARD, FIRST, (), encode((card,)), "0"), FIRST, WORDS)
    assert page == TutorialPage(FIRST, HandState((card,)))
    again = press(Verb.CARD, FIRST, (card,), encode((card,)), "0")
    assert after_press(again, FIRST, WORDS) == TutorialPage(FIRST)


def test_a_button_of_another_lesson_shows_where_one_is_now() -> None:
    for verb in VERBS:
        more = ("0", "0") if verb is Verb.CARD else ()
        for moment in (0, 4, len(LESSONS), 10**40):
            old = press(verb, moment, parse_cards("2G"), *more)
            page = after_press(old, 5, WORDS, "p")
            assert page == TutorialPage(5, note="That button belongs to another lesson. This is where you are now.")


def test_starting_over_is_possible_at_the_end() -> None:
    over = next(id_ for id_ in pressable(tutorial_message(TutorialPage(len(LESSONS)), WORDS)) if "learn-over" in id_)
    assert after_press(Press.parse(over), len(LESSONS), WORDS) == TutorialPage(0)


@pytest.mark.parametrize("step", [*STEPS, len(LESSONS)])
def test_back_leads_to_the_lesson_before(step: int) -> None:
    offered = pressable(tutorial_message(TutorialPage(step), WORDS))
    (back,) = (Press.parse(id_) for id_, each in offered.items() if each.get("label") == "◀ Back")
    assert after_press(back, step, WORDS) == TutorialPage(max(step - 1, 0))
    assert offered[str(back)]["disabled"] == (step == 0)


def test_the_list_opens_every_lesson() -> None:
    offered = pressable(tutorial_message(TutorialPage(5), WORDS))
    (custom_id,) = (id_ for id_ in offered if id_.endswith(":list"))
    options = offered[custom_id]["options"]
    numbers = [*range(1, BASICS + 1), *range(1, len(LESSONS) - BASICS + 1)]
    assert [option["label"] for option in options] == [
        f"{number}. {each.title}" for number, each in zip(numbers, LESSONS, strict=True)
    ]
    assert [option["description"] for option in options].count("The basics") == BASICS
    for step, option in enumerate(options):
        assert after_press(Press.parse(custom_id), 5, WORDS, option["value"]) == TutorialPage(step)


@pytest.mark.parametrize("where", ["", "-1", "x", "99"])
def test_there_is_no_other_lesson(where: str) -> None:
    with pytest.raises(InvalidCustomId):
        after_press(Press(Verb.TUTORIAL_GO, 0, 0, (where,)), 0, WORDS)


def test_the_legend_comes_before_the_first_card() -> None:
    page = TutorialPage(0)
    assert FIRST == 1
    assert "▲ G is green, ● Y is yellow, ◆ R is red, and M (🌈) is multicolored." in read(page)
    assert labels(page) == {"◀ Back": False, "Next ▶": True}
    assert after_press(press(Verb.PLAY, 0), 0, WORDS) == page


def test_the_learner_sees_the_public_table() -> None:
    text = read(TutorialPage(step_of("The table")))
    assert "👉 **🤖 Jade**" in text
    assert "**you** · 2 cards" in text


def test_the_menu_and_the_lowest_play_select_cards() -> None:
    step = step_of("Higher pairs")
    offered = pressable(tutorial_message(TutorialPage(step), WORDS))
    (menu,) = (id_ for id_ in offered if ":menu:" in id_)
    pair = parse_cards("9Y 9R")
    chosen = after_press(Press.parse(menu), step, WORDS, f"p{encode(pair)}")
    assert chosen.hand_state.selected == pair
    assert labels(chosen)["Play"]
    (lowest,) = (id_ for id_ in offered if ":lowest:" in id_)
    assert after_press(Press.parse(lowest), step, WORDS).hand_state.selected == parse_cards("8G 8R")


def test_the_end_gives_three_tips_and_leads_on() -> None:
    end = TutorialPage(len(LESSONS))
    for tip in ("Keep a gang", "8 or more cards", "what the others can't follow"):
        assert tip in read(end)
    assert {"Play against AI", "Practice", "What beats what", "Start over"} <= labels(end).keys()


@pytest.mark.parametrize("words", READERS.values(), ids=READERS)
def test_the_basics_end_with_a_match_and_the_way_to_the_rest(words: Words) -> None:
    message = tutorial_message(opening_page(BASICS, words), words)
    check(message)
    verbs = [Press.parse(custom_id).verb for custom_id in pressable(message)]
    assert verbs[:2] == [Verb.PLAY_AI, Verb.TUTORIAL_GO]
    rest = Press.parse(list(pressable(message))[1])
    assert after_press(rest, BASICS, words) == TutorialPage(BASICS)


def test_after_the_end_every_other_button_shows_the_end() -> None:
    end = len(LESSONS)
    assert after_press(press(Verb.PLAY, end), end, WORDS) == TutorialPage(end)
    assert after_press(Press(Verb.TUTORIAL_SHOW, 0, end, HandState().arguments()), end, WORDS) == TutorialPage(end)
    assert "That is the whole game!" in read(TutorialPage(end + 7))


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("arguments", [(), ("n",), ("q", "", ""), ("n", "?", ""), ("n", "3333", "")])
def test_invalid_ids_are_refused(verb: Verb, arguments: tuple[str, ...]) -> None:
    with pytest.raises(InvalidCustomId):
        after_press(pressed(verb, FIRST, arguments), FIRST, WORDS)


@pytest.mark.parametrize("selected", ["", "2G 2Y"])
def test_one_card_is_given_back(selected: str) -> None:
    with pytest.raises(InvalidCustomId):
        do(Verb.GIVE_BACK, FIRST, selected)


def test_a_returning_learner_is_welcomed_back() -> None:
    assert opening_page(0, WORDS).note == opening_page(len(LESSONS), WORDS).note == ""
    assert "You continue where you stopped." in read(opening_page(3, WORDS))


def test_each_move_of_the_others_has_a_line() -> None:
    assert "> Jade passes.\n> Bamboo: 🟢\u206010G (green 10)\n> Lotus: 🟡\u206010Y (yellow 10)" in read(
        TutorialPage(step_of("Passing is not final"))
    )
    meanwhile = read(TutorialPage(step_of('"Last card!" and the block')))
    assert "> Bamboo, Lotus, and you pass." in meanwhile
    assert "(straight to 5) ❗ Last card!" in meanwhile
    for line in ("> Jade: 1 point", "> Bamboo: 9 × 2 = 18 points", "> Lotus: 14 × 4 = 56 points"):
        assert line in read(TutorialPage(step_of("The exchange")))
    for step in STEPS:
        assert "you passes" not in read(TutorialPage(step))


def test_a_refusal_leads_to_its_rule() -> None:
    step = step_of("Single cards")
    refused = do(Verb.PLAY, step, "2G 2Y")
    assert "(rule" not in read(refused)
    assert "why:0:0:R15" in "".join(pressable(tutorial_message(refused, WORDS)))
    assert "Why?" not in labels(opening_page(step, WORDS))
