"""The private hand: within Discord's limits for any cards and selection, with buttons that do what they say."""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any, TypeAlias, get_args

import discord
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine import Cards, Options, View, format_cards, parse_cards
from bot.engine.cards import ALL_CARDS, DECK, MULTI_ONE, holds, without
from bot.engine.combinations import FlushOrder, strength
from bot.engine.events import Dealt, Declared, Gave, GaveBack, HandEnded, Passed, Played
from bot.presentation.table.hand import hand_message
from bot.presentation.table.hand_panel import state_after
from bot.presentation.table.message import ranking
from bot.presentation.table.selection import ALL_PLAYS, HandState, after_choice, decode, encode, selection_line
from bot.presentation.text.i18n import languages, words_in
from bot.presentation.ui.components import Layout
from bot.presentation.ui.custom_ids import Press, Verb
from bot.table.model import Status
from bot.table.snapshot import Table
from playground.components import ComponentType
from tests.presentation.sample_tables import WIDE, WORDS, dealt_table, people, played, random_tables
from tests.presentation.sent_messages import check, components, everything_in, pressable, text_of
from tests.presentation.test_message import SMALL_COLUMNS, columns

ADA = 101
HANDS = st.lists(st.sampled_from(range(len(DECK))), min_size=1, max_size=17, unique=True).map(
    lambda places: tuple(sorted(DECK[place] for place in places))
)


@st.composite
def hands_and_selections(draw: st.DrawFn) -> tuple[Cards, Cards]:
    hand = draw(HANDS)
    places = draw(st.sets(st.sampled_from(range(len(hand)))))
    return hand, tuple(hand[place] for place in sorted(places))


def lead_with(hand: Cards, exchange: bool = False) -> Table:
    """A table where the first seat has this hand and must act; `exchange`: it must give a card back."""
    left = [card for card in without(DECK, hand) if card != MULTI_ONE]
    others = tuple(tuple(left[start : start + 2]) for start in (0, 2))
    if not exchange:
        return dealt_table(hand, *others, seats=people(*WIDE[:3])) if MULTI_ONE in hand else led_by_dummy(hand, others)
    given_card, own = hand[-1], hand[:-1]
    held = (own, (*others[0], given_card), others[1])
    more = (
        HandEnded(1, 0, (0, 2, 2), (0, 2, 2), (0, 2, 2)),
        Dealt(2, -1, held, ()),
        Gave(1, 0, given_card),
    )
    return dealt_table((), (), (), seats=people(*WIDE[:3]), more=more)


def led_by_dummy(hand: Cards, others: tuple[Cards, ...]) -> Table:
    """Without the multicolored 1, seat 1 leads (right of the dealer), so everyone moves up by one."""
    seats = people(*WIDE[:3])
    return dealt_table(others[0], hand, others[1], seats=(seats[2], seats[0], seats[1]))


def view_of(table: Table) -> View:
    return table.view_of(ADA)


MENUS = st.one_of(
    st.just(""), st.from_regex(r"[0-9]{1,2}\.[0-9]{1,2}", fullmatch=True), st.text("0123456789.k", max_size=4)
)


@settings(max_examples=150)
@given(hands_and_selections(), st.booleans(), MENUS, st.booleans())
def test_any_hand_with_any_selection_fits_into_a_message(
    held: tuple[Cards, Cards], by_color: bool, menu: str, exchange: bool
) -> None:
    hand, selected = held
    table = lead_with(hand, exchange)
    view, panel = view_of(table), HandState(selected, menu)
    assert view.hand == hand
    assert view.is_my_turn
    message = hand_message(table, ADA, panel, WORDS.in_order(by_color=by_color), "A note. " * 40)
    check(message)
    for custom_id in pressable(message):
        press = Press.parse(custom_id)
        if press.verb is Verb.PLAY:
            assert holds(HandState.parse(press).selected, selected)
        elif press.verb not in ("lowest", "rules", "more"):
            assert HandState.parse(press) == panel


@settings(max_examples=100)
@given(hands_and_selections(), st.booleans(), st.randoms(use_true_random=False))
def test_tapping_a_card_selects_it_or_puts_it_back(held: tuple[Cards, Cards], by_color: bool, rng: Random) -> None:
    hand, selected = held
    table = lead_with(hand)
    panel, words = HandState(selected), WORDS.in_order(by_color=by_color)
    for _ in range(5):
        buttons = [Press.parse(custom_id) for custom_id in pressable(hand_message(table, ADA, panel, words))]
        press = rng.choice([button for button in buttons if button.verb == "card"])
        card, copy = decode(press.arguments[-2])[0], int(press.arguments[-1])
        after = HandState.parse(press).with_toggled(card, copy)
        change = Counter(after.selected)
        change.subtract(panel.selected)
        was_selected = copy < panel.selected.count(card)
        assert {found: number for found, number in change.items() if number} == {card: -1 if was_selected else 1}
        assert holds(hand, after.selected)
        panel = after


@settings(max_examples=60)
@given(hands_and_selections(), st.booleans())
def test_every_card_has_a_button_of_its_own_and_the_selected_ones_are_marked(
    held: tuple[Cards, Cards], by_color: bool
) -> None:
    hand, selected = held
    table = lead_with(hand)
    buttons = pressable(hand_message(table, ADA, HandState(selected), WORDS.in_order(by_color=by_color)))
    cards = [(Press.parse(custom_id), button) for custom_id, button in buttons.items() if ":card:" in custom_id]
    shown = [decode(press.arguments[-2])[0] for press, _ in cards]
    assert sorted(shown) == list(hand)
    assert shown == sorted(hand, key=lambda card: (card.color, card) if by_color else (0, card))
    marked = [card for card, (_, button) in zip(shown, cards, strict=True) if button["label"].startswith("✓")]
    assert sorted(marked) == sorted(selected)


@settings(max_examples=60)
@given(hands_and_selections())
def test_the_lowest_play_is_a_tap_away(held: tuple[Cards, Cards]) -> None:
    table = lead_with(held[0])
    view = view_of(table)
    ids = [
        custom_id for custom_id in pressable(hand_message(table, ADA, HandState(), WORDS)) if ":lowest:" in custom_id
    ]
    assert [HandState.parse(Press.parse(custom_id)).selected for custom_id in ids] == [view.plays()[0].cards]


def menu_of(table: Table, panel: HandState) -> dict[str, Any]:
    """The menu of plays in the first player's hand."""
    shown = pressable(hand_message(table, ADA, panel, WORDS)).items()
    (found,) = [part for custom_id, part in shown if ":menu:" in custom_id]
    return found


def offered(table: Table, panel: HandState) -> list[Cards]:
    """The plays in the menu, page by page; of those that lead to others of their kind only these."""
    menu = menu_of(table, panel)
    if menu["disabled"]:
        return []
    found: list[Cards] = []
    for option in menu["options"]:
        after = after_choice(panel, option["value"])
        if after.menu == ALL_PLAYS and option["value"].startswith("p"):
            found.append(after.selected)
        elif after.menu not in (ALL_PLAYS, panel.menu):
            found += offered(table, after)
    return found


@settings(max_examples=40)
@given(st.one_of(HANDS, st.just(DECK[8:24]), st.just(DECK[:16])), st.sampled_from(["", ALL_PLAYS]))
def test_the_menu_leads_to_one_play_of_each_strength(hand: Cards, part: str) -> None:
    table = lead_with(hand[:16])
    plays = view_of(table).plays()
    found = offered(table, HandState(menu=part))
    lowest: dict[object, Cards] = {}
    for play in plays:
        lowest.setdefault(strength(play), play.cards)
    assert found == list(lowest.values())


def test_r17_the_menu_has_the_cards_of_the_matchs_own_order_of_flushes() -> None:
    hand = parse_cards("1M 1G 2G 2G 3G 3G 4G 4G 5G 5G 6G 6G 7G 7G 8G 8G")
    others = parse_cards("1R 2R"), parse_cards("3R 4R")
    for flush_order in get_args(FlushOrder):
        table = dealt_table(hand, *others, options=Options(flush_order=flush_order))
        plays = {strength(play) for play in view_of(table).plays()}
        assert len(offered(table, HandState())) == len(plays)


FREE = lead_with(parse_cards("1M 3G 3Y 3R 5G 6G 6Y 7G 8G 9G 9Y 9R 10R PG PY DR")).after(
    (Played(0, parse_cards("1M")), Passed(1), Passed(2))
)
"""The first player leads any combination of fifteen cards."""


@pytest.mark.parametrize(
    ("selected", "plays"),
    [
        ("3G 6G", ["3G 5G 6G 7G 8G", "3G 5G 6G 7G 9G", "3G 3Y 3R 6G 6Y"]),
        ("9G 9Y 9R", ["3G 3Y 9G 9Y 9R"]),
        ("3G DR", []),
    ],
)
def test_the_menu_has_only_plays_with_the_selected_cards(selected: str, plays: list[str]) -> None:
    assert [format_cards(cards) for cards in offered(FREE, HandState(parse_cards(selected)))] == plays


def test_a_kind_in_the_menu_selects_its_lowest_play_and_opens_the_others() -> None:
    (kind,) = [each for each in menu_of(FREE, HandState())["options"] if each["label"] == "full house (2)"]
    after = after_choice(HandState(), kind["value"])
    assert after.selected == parse_cards("3G 3Y 3R 6G 6Y")
    assert [option["label"] for option in menu_of(FREE, after)["options"]] == [
        "◀ all kinds",
        "full house: three 3s and two 6s",
        "full house: three 9s and two 3s",
    ]


@pytest.mark.parametrize(
    ("selected", "said"),
    [
        ("", "Select cards to play."),
        ("3G", "✓ **green 3**"),
        ("3G 6G", "2 of 5 cards: flush or full house"),
        ("9G 9Y 9R 3G", "4 of 5 cards: full house"),
        ("PG PY 3G", "3 of 5 cards: full house"),
        ("3G DR", "These cards don't make a combination."),
        ("3G 3Y 3R 6G 6Y", "✓ **full house: three 3s and two 6s**"),
    ],
)
def test_the_hand_says_what_the_selected_cards_can_become(selected: str, said: str) -> None:
    assert panel_text(FREE, ADA, selected).splitlines()[-1] == f"-# {said}"
    assert labels(FREE, ADA, selected)["Why?"] is said.startswith("These")


Places: TypeAlias = dict[str, tuple[int, int, int]]


def places(message: Layout) -> Places:
    """The lines of text above each button and menu, its row, and its place in that row. Some change their labels."""
    found: Places = {}
    lines = 0
    for row, part in enumerate(message.to_components()):
        if part["type"] == ComponentType.TEXT_DISPLAY:
            lines += len(part["content"].splitlines())
            continue
        for column, button in enumerate(part["components"]):
            press = Press.parse(button["custom_id"])
            card = ":".join(press.arguments[-2:]) if press.verb is Verb.CARD else ""
            verb = Verb.PLAY if press.verb is Verb.PLAY_LAST else press.verb
            found.setdefault(f"{verb} {card}", (lines, row, column))
    return found


@settings(max_examples=60)
@given(HANDS, st.randoms(use_true_random=False))
def test_nothing_moves_from_the_first_tap_to_the_play(hand: Cards, rng: Random) -> None:
    table = lead_with(hand[:16])
    panel = HandState()
    before = places(hand_message(table, ADA, panel, WORDS))
    for _ in range(12):
        message = hand_message(table, ADA, panel, WORDS, "A note.\nOf two lines.")
        assert places(message) == before
        taps = [part for part in pressable(message).values() if not part.get("disabled")]
        taps = [part for part in taps if Press.parse(part["custom_id"]).verb in TAPS]
        tap = rng.choice(taps)
        choice = rng.choice(tap["options"])["value"] if "options" in tap else ""
        panel = state_after(Press.parse(tap["custom_id"]), choice)


TAPS = (Verb.CARD, Verb.LOWEST_PLAY, Verb.PLAYS_MENU)
"""The verbs that change the selection."""


@pytest.mark.parametrize("language", languages())
def test_the_line_of_the_selection_stays_one_row_on_a_phone(language: str) -> None:
    words, rng = words_in(language), Random(7)
    tables = [FREE, MATCH, BEATEN, OPENING, lead_with(parse_cards("1M 9G 9Y 9R 10G 10Y 10R PG PY"))]
    for table in tables:
        view = table.view_of(101)
        plays = view.situation.combinations if view.situation else ()
        chosen = [play.cards for play in plays] + [tuple(sorted(rng.sample(view.hand, 2))) for _ in range(9)]
        for cards in ((), *chosen):
            assert columns(selection_line(view, HandState(cards), words)) <= SMALL_COLUMNS


@given(HANDS)
def test_cards_survive_their_way_through_an_id(hand: Cards) -> None:
    assert decode(encode(hand)) == hand
    assert len(encode(hand)) == len(hand)


def test_every_card_is_one_sign_of_its_own() -> None:
    signs = {encode((card,)) for card in ALL_CARDS}
    assert len(signs) == len(ALL_CARDS)
    assert all(sign.isalnum() and len(sign) == 1 for sign in signs)


@given(st.text(max_size=20))
def test_invalid_lists_of_cards_are_refused(text: str) -> None:
    try:
        cards = decode(text)
    except ValueError:
        return
    assert sorted(encode(cards)) == sorted(text)


@given(hands_and_selections(), MENUS, st.integers(0, 2**31), st.integers(0, 5000))
def test_a_panels_state_is_in_the_ids_of_its_buttons(
    held: tuple[Cards, Cards], menu: str, table: int, moment: int
) -> None:
    panel = HandState(held[1], menu)
    press = Press(Verb.CARD, table, moment, panel.arguments(encode(held[0][:1]), "1"))
    assert HandState.parse(Press.parse(str(press))) == panel
    assert Press.parse(str(press)).arguments[-2:] == (encode(held[0][:1]), "1")


@given(HANDS, HANDS)
def test_a_panel_forgets_cards_that_have_left_the_hand(selected: Cards, hand: Cards) -> None:
    kept = HandState(selected).without_missing(hand).selected
    assert holds(hand, kept)
    assert holds(selected, kept)
    assert kept == tuple(sorted((Counter(selected) & Counter(hand)).elements()))


@pytest.mark.parametrize("seed", range(3))
def test_a_hand_shows_no_other_hand(seed: int) -> None:
    """It is the same for two deals that differ only in the other hands."""
    rng = Random(seed)
    deck = list(DECK)
    rng.shuffle(deck)
    others = [card for card in deck[16:] if card != MULTI_ONE]
    own = tuple(sorted({*deck[:15]} | {MULTI_ONE}))
    pictures = set()
    for _ in range(5):
        rng.shuffle(others)
        table = dealt_table(own, tuple(sorted(others[:16])), tuple(sorted(others[16:32])), tuple(sorted(others[32:])))
        pictures.add(everything_in(hand_message(table, 101, HandState(own[:1]), WORDS)))
    assert len(pictures) == 1


def panel_text(table: Table, user: int, selected: str = "") -> str:
    return text_of(hand_message(table, user, HandState(parse_cards(selected)), WORDS))


def labels(table: Table, user: int, selected: str = "") -> dict[str, bool]:
    """The buttons apart from cards: True if enabled."""
    message = hand_message(table, user, HandState(parse_cards(selected)), WORDS)
    return {
        button["label"]: not button.get("disabled")
        for button in components(message)
        if button["type"] == ComponentType.BUTTON and ":card:" not in button["custom_id"]
    }


def hands(*texts: str) -> Table:
    return dealt_table(*map(parse_cards, texts))


SAY_WITH_IT, SAY = 'Play and say "Last card!"', 'Say "Last card!"'
MATCH = hands("1M 3G 3Y 4R", "2G 5G 5Y", "2Y 6G 6Y")
OPENING = dealt_table(DECK[:16], DECK[16:32], DECK[32:48])
"""The first seat holds 1G 1G 1Y 1Y 1R 1R 1M 2G 2G 2Y 2Y 2R 2R 3G 3G 3Y."""


def test_the_panel_shows_the_selection_and_whether_it_can_be_played() -> None:
    assert "must include the multicolored 1" in panel_text(OPENING, 101)
    assert "2 of 5 cards: full house" in panel_text(OPENING, 101, "2G 2Y")
    assert "The multicolored 1 is missing." in panel_text(MATCH, 101, "3G 3Y")
    assert "don't make a combination" in panel_text(OPENING, 101, "2G 3Y")
    assert "It is **Ada**" in panel_text(OPENING, 102)


@pytest.mark.parametrize("selected", ["", "1M", "2G 2Y", "1M 3G", "1M 1R", "1M 1R 1Y"])
def test_play_can_be_pressed_exactly_when_the_rules_allow_it(selected: str) -> None:
    legal = parse_cards(selected) in [play.cards for play in OPENING.view_of(101).plays()]
    assert labels(OPENING, 101, selected)["Play"] is legal
    assert legal is (selected in ("1M", "1M 1R", "1M 1R 1Y"))


def test_only_the_player_to_act_can_play_or_pass() -> None:
    assert not labels(MATCH, 102, "5G 5Y")["Play"]
    assert not labels(MATCH, 102)["Pass"]
    assert not labels(MATCH, 101)["Pass"]


def test_a_play_that_leaves_one_card_offers_the_declaration() -> None:
    two = hands("1M 3G", "2G 5G 5Y", "2Y 6G 6Y")
    assert labels(two, 101, "1M")['Play and say "Last card!"']
    assert labels(two, 101, "1M")["Play"]
    assert 'Play and say "Last card!"' not in labels(two, 101)


def test_with_automatic_declarations_no_button_asks_for_them() -> None:
    for table in random_tables(4, 3, Options(target=20, last_card="automatic")):
        if table.row.status is Status.PLAYING and table.state is not None:
            for user in (101, 102, 103):
                every = labels(table, user, format_cards(table.view_of(user).hand[:-1]))
                assert not any("Last card" in label for label in every)


def test_a_last_card_can_be_declared_afterwards() -> None:
    table = hands("1M 3G", "2G 5G 5Y", "2Y 6G 6Y").after((Played(0, parse_cards("1M")),))
    assert labels(table, 101)['Say "Last card!"']
    assert 'Say "Last card!"' not in labels(table.after((Declared(0),)), 101)


def test_players_bound_by_a_last_card_are_reminded() -> None:
    table = hands("1M 3G 4G", "2G 5G 5Y", "2Y 6G").after((Played(0, parse_cards("1M")),))
    assert "block if" not in panel_text(table, 102)
    declared = hands("1M 3G 4G", "2G 5G 5Y", "6G").after((Played(0, parse_cards("1M")), Declared(2)))
    assert "❗ **Cy** is next and has said" in panel_text(declared, 102)


def test_a_leader_before_a_last_card_is_not_invited_to_lead_anything() -> None:
    led = hands("1M 3G", "5G 5Y 8R", "6G").after(
        (Played(0, parse_cards("1M")), Declared(2), Played(1, parse_cards("8R")))
    )
    assert "any combination" not in panel_text(led.after((Passed(2), Passed(0))), 102)
    assert "❗ **Cy** is next and has said" in panel_text(led.after((Passed(2), Passed(0))), 102)


def test_the_winner_of_a_hand_gives_one_card_back() -> None:
    table = lead_with(parse_cards("3G 3Y 9R"), exchange=True)
    view = table.view_of(101)
    for selected, enabled in ((0, False), (1, True), (2, False)):
        message = hand_message(table, ADA, HandState(view.hand[:selected]), WORDS)
        give = next(button for button in components(message) if button.get("label") == "Give back")
        assert give.get("disabled", False) is not enabled
        assert "Select the card that you give back" in text_of(message)


def test_moves_carry_the_moment_and_the_rest_does_not() -> None:
    table = MATCH
    assert table.moment > 0
    message = hand_message(table, 101, HandState(parse_cards("1M")), WORDS)
    for custom_id in pressable(message):
        press = Press.parse(custom_id)
        is_move = press.verb in ("play", "last", "pass", "declare", "give")
        assert press.moment == (table.moment if is_move else 0)


def test_a_hand_of_the_day_shows_the_table_and_the_play_to_beat_once() -> None:
    dealt = next(table for table in random_tables(5, 4) if table.state and table.state.cycle.plays)
    for table in (dealt, replace(dealt, row=replace(dealt.row, daily="2026-12-24"))):
        text = text_of(hand_message(table, 101, HandState(), WORDS))
        is_daily = table.row.daily is not None
        assert ("On the table" in text, "⭐ highest" in text) == (not is_daily, is_daily)


def test_after_the_match_the_hand_shows_the_ranking_and_offers_a_rematch() -> None:
    *_, over, closed = random_tables(2, 3)
    for user in (101, 102, 103):
        message = hand_message(over, user, HandState(), WORDS)
        check(message)
        assert "The match is over." in text_of(message)
        assert all(line in text_of(message) for line in ranking(over, WORDS))
        assert labels(over, user) == {"Rematch": True, "Totals per hand": True}
        assert ":card:" not in everything_in(message)
    assert "This table is closed." in panel_text(closed, 101)
    assert "Points so far" in panel_text(closed, 101)
    assert labels(closed, 101) == {"Rematch": True}


BEATEN = hands("1M 3G 3Y 4R", "2G 5G 5Y 8R", "6G 6Y 9R").after((Played(0, parse_cards("1M")),))


def test_the_panel_says_when_passing_is_the_only_move() -> None:
    assert "Nothing in your hand beats this." not in panel_text(BEATEN, 102)
    assert style_of(BEATEN, 102, "Pass") is discord.ButtonStyle.secondary
    beaten = BEATEN.after((Played(1, parse_cards("8R")), Played(2, parse_cards("9R"))))
    assert "Nothing in your hand beats this." in panel_text(beaten, 101)
    assert style_of(beaten, 101, "Pass") is discord.ButtonStyle.primary
    assert "Nothing in your hand beats this." not in panel_text(MATCH, 102)


def style_of(table: Table, user: int, label: str) -> discord.ButtonStyle:
    found = components(hand_message(table, user, HandState(), WORDS))
    return next(discord.ButtonStyle(part["style"]) for part in found if part.get("label") == label)


def test_the_lowest_play_is_in_the_row_of_play_and_pass() -> None:
    rows = [
        [button.get("label") for button in row["components"]]
        for row in components(hand_message(BEATEN, 102, HandState(), WORDS))
        if row["type"] == ComponentType.ACTION_ROW
    ]
    assert ["Play", "Pass", "Lowest play", "Play + 1 card"] in rows


def completions(table: Table, selected: str) -> list[str]:
    """The enabled buttons that play the selected cards with one more."""
    return [name for name, enabled in labels(table, ADA, selected).items() if name.startswith("Play ") and enabled]


def test_a_card_offers_the_lowest_play_that_one_more_card_completes() -> None:
    table = lead_with(parse_cards("1M 3G 3Y 3R 5G 6G 6Y"))
    assert completions(table, "3Y") == []  # the first lead includes the multicolored 1
    assert not labels(table, ADA, "3Y")["Play + 1 card"]
    free = table.after((Played(0, parse_cards("1M")), Passed(1), Passed(2)))
    assert completions(free, "3Y") == ["Play 3G 3Y"]
    assert completions(free, "3G 3Y") == ["Play 3G 3Y 3R"]
    assert completions(free, "") == []


def test_no_completed_play_leaves_a_last_card_undeclared() -> None:
    table = lead_with(parse_cards("1M 1R 3G"))
    assert completions(table, "1M") == []
    assert 'Play and say "Last card!"' in labels(table, ADA, "1M 1R")


def test_the_standing_order_is_shown_with_a_button_that_cancels_it() -> None:
    assert "Auto-pass" not in panel_text(BEATEN, 102)
    ordered = replace(BEATEN, row=BEATEN.row.with_seat(1, replace(BEATEN.seats[1], orders="above:10")))
    assert "Auto-pass: Pass on single cards above 10" in panel_text(ordered, 102)
    assert labels(ordered, 102)["Cancel auto-pass"]
    assert "Auto-pass" not in panel_text(ordered, 103)


def test_the_rules_open_from_the_hand() -> None:
    for user in (101, 102):
        assert labels(BEATEN, user)["Rules"]
        assert not {"Clear", "Refresh"} & set(labels(BEATEN, user, "3G" if user == 101 else "5G"))


@pytest.mark.parametrize(
    ("selected", "rule"),
    [("3G 4R", "R4"), ("3G 3Y 4R", "R5"), ("1M 3G 3Y 4R", "R10"), ("1M 2G 3G 3Y 4R", "R6-R9")],
)
def test_why_opens_the_rule_for_as_many_cards_as_are_selected(selected: str, rule: str) -> None:
    table = lead_with(parse_cards("1M 2G 3G 3Y 4R 9R"))
    message = hand_message(table, ADA, HandState(parse_cards(selected)), WORDS)
    (why,) = [press for press in map(Press.parse, pressable(message)) if press.verb is Verb.HAND_WHY]
    assert why.arguments[-1] == rule
    assert "(rule" not in text_of(message)


def test_a_hand_counts_the_cards_of_the_other_players_in_playing_order() -> None:
    table = played(hands("1M 2G 3G 4G", "5G 6G 7G", "5Y 6Y", "5R"), "1M")
    assert "Cards left: Cy 2, Di 1, and Ada 3." in panel_text(table, 102)


def test_a_new_hand_begins_with_the_result_of_the_last_until_its_first_play() -> None:
    full = tuple(tuple(sorted(DECK[seat::4])) for seat in range(4))
    left, points = (0, 1, 2, 9), (0, 1, 2, 18)
    more = HandEnded(1, 0, left, points, (3, 1, 7, 20)), Dealt(2, -1, full, ())
    table = dealt_table((), (), (), (), more=more)
    results = [panel_text(table, user).splitlines()[1] for user in (101, 102, 103, 104)]
    assert results == [
        "🏁 You won hand 1 and got no points. Your total is 3.",
        "🏁 **Ada** won hand 1. You got 1 penalty point. Your total is 1.",
        "🏁 **Ada** won hand 1. You got 2 penalty points. Your total is 7.",
        "🏁 **Ada** won hand 1. You got 18 penalty points. Your total is 20.",
    ]
    card = full[3][-1]
    table = table.after((Gave(3, 0, card),))
    assert "🏁" in panel_text(table, 104)  # with one card less
    table = table.after((GaveBack(0, 3, card), Played(0, full[0][:1])))
    assert ["🏁" in panel_text(table, user) for user in (101, 102)] == [False, True]


def test_a_private_hand_shows_what_the_channel_would() -> None:
    full = tuple(tuple(sorted(DECK[seat::4])) for seat in range(4))
    more = HandEnded(1, 0, (0, 1, 2, 9), (0, 1, 2, 18), (3, 1, 7, 20)), Dealt(2, -1, full, ())
    table = dealt_table((), (), (), (), more=more)
    table = replace(table, row=replace(table.row, in_channel=False))
    card = full[3][-1]
    table = table.after((Gave(3, 0, card), GaveBack(0, 3, full[0][0])))
    text = panel_text(table, 104)
    assert "🏁 **Ada** won hand 1. You got 18 penalty points.\n" in text
    assert "-# Totals: Ada 3 (+0), Bo 1 (+1), Cy 7 (+2), and Di 20 (+18).\n" in text
    assert "-# 🔁 Di → Ada: " in text
    table = table.after((Played(0, table.view_of(101).hand[:1]), Passed(3)))
    text = panel_text(table, 103)
    assert "Totals: " in text
    assert "🔁" not in panel_text(table, 101)
    assert "Di 16 (passed)" in text


@pytest.mark.parametrize(("block", "is_asked"), [("lead_and_follow", True), ("lead_only", False)])
def test_r31_who_may_follow_freely_is_not_asked_to_block(block: str, is_asked: bool) -> None:
    dealt = [parse_cards(each) for each in ("1M 5R 10R", "9G 9Y", "2G 3G 4G")]
    following = (Played(0, dealt[0][:1]), Played(1, dealt[1][:1]), Declared(1), Passed(2))
    table = dealt_table(*dealt, more=following, options=Options.of("days-of-wonder", {"block": block}))
    assert ("block if you can" in panel_text(table, 101)) == is_asked


@pytest.mark.parametrize(("more", "is_asked"), [("", False), (" 6G", True)])
def test_r31_the_last_card_of_a_hand_is_not_asked_to_block(more: str, is_asked: bool) -> None:
    table = hands(f"1M 5G{more} 10R", "9G 9Y", "2G 3G 4G").after(
        (
            *(Played(0, parse_cards("1M")), Played(1, parse_cards("9G")), Declared(1), Passed(2)),
            *(Played(0, parse_cards("10R")), Declared(0), Passed(1), Passed(2)),
        )
    )
    assert ("block if you can" in panel_text(table, 101)) == is_asked
