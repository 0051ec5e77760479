"""Public messages: within Discord's limits, and without cards from hands."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random
from typing import Final

import pytest

from bot.analysis.hand_reports import hand_reports
from bot.analysis.replay import may_reveal_seed
from bot.engine import Card, Options, Pass, decide, parse_cards, replay
from bot.engine.cards import ALL_CARDS, DECK, MULTI_ONE
from bot.engine.events import Dealt, Event, Forgot, Gave, GaveBack, HandEnded, Played
from bot.engine.options import CHOICES, EDITIONS
from bot.players.levels import Level
from bot.players.simulation import SimulationSettings, simulate
from bot.players.styles import Style
from bot.presentation.settings.guild_settings import GuildSettingsState, changed_default, guild_settings_message
from bot.presentation.table.fair_deal import fair_deal_message
from bot.presentation.table.hand_report import MAX_EARLIER, hands_message, report_message, sheet_message
from bot.presentation.table.lobby_options import PAGES, changed_setup, lobby_options_message
from bot.presentation.table.message import MAX_PLAYS, table_message
from bot.presentation.table.opening import opened_message, starts_at_once
from bot.presentation.text.cards import face, faces
from bot.presentation.text.i18n import languages, words_in
from bot.presentation.text.option_texts import (
    BASICS,
    HOUSE_RULES,
    OPTIONS,
    TABLE_SETTINGS,
    TARGETS,
    choices,
)
from bot.presentation.ui.custom_ids import GuildPage, LobbyPage, Press
from bot.table.guild import GuildSettings, TableDefaults
from bot.table.lobby import AI_NAMES
from bot.table.model import Pace, Seat, Status, TurnClock
from bot.table.snapshot import Table
from tests.presentation.sample_tables import (
    SEED,
    WIDE,
    WORDS,
    dealt_table,
    long_cycle,
    longest_sheet,
    people,
    played,
    random_tables,
    row,
    sheets,
)
from tests.presentation.sent_messages import check, components, everything_in, pressable, text_of

NAMES = ("Ada", "Bo", "Cy", "Di")


def test_the_end_names_the_winners_on_leaderboards_if_the_ranking_has_others_first() -> None:
    over = next(table for table in random_tables(1, 3) if table.row.status is Status.OVER)
    assert over.public is not None
    first = {*(over.public.ranking or ())[0]}
    for winners in (None, first):
        assert "leaderboards" not in text_of(table_message(over, WORDS, winners))
    other = text_of(table_message(over, WORDS, {0, 1, 2} - first))
    assert "First on leaderboards: **" in other
    assert "First on leaderboards: –." in text_of(table_message(over, WORDS, set()))


def test_a_long_cycle_fits_and_its_end_is_shown() -> None:
    message = table_message(long_cycle(), WORDS)
    check(message)
    assert f"({12 - MAX_PLAYS} earlier plays)" in text_of(message)
    assert len([line for line in text_of(message).splitlines() if "🟢" in line]) == MAX_PLAYS


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("pace", Pace)
def test_the_options_fit_with_every_choice(edition: str, pace: Pace) -> None:
    preset = Options.of(edition)
    other = {
        name: next(value for value in values if value != getattr(preset, name)) for name, values in CHOICES.items()
    }
    for options in (preset, preset.with_changes(target=1000, **other)):
        table = Table(replace(row(people(*WIDE), options=options, pace=pace), edition=edition))
        check(table_message(table, WORDS))
        for page in PAGES:
            check(lobby_options_message(table, page, table.row.host_id, WORDS, "A note. " * 30))


def test_free_seats_leave_open_whether_a_match_is_rated() -> None:
    ai_player = Seat("Jade", ai_level=Level.SIMPLE)
    for seats, rating in (
        (people("Ada"), "rated unless AI players join"),
        (people("Ada", "Bo", "Cy"), "rated match"),
        ((*people("Ada", "Bo"), ai_player), "casual: AI players take part"),
    ):
        table = Table(row(seats))
        assert rating in text_of(lobby_options_message(table, LobbyPage.BASICS, table.row.host_id, WORDS))
        assert rating.partition(":")[0] in text_of(table_message(table, WORDS))


@pytest.mark.parametrize(
    ("pace", "target", "says"),
    [
        (Pace.LIVE, 100, "about 40 minutes live"),
        (Pace.DAY, 25, "about 7 days at 5 moves a day"),
        (Pace.SLOW, 25, "about 2 weeks at 2 moves a day"),
        (Pace.NONE, 100, "about 40 minutes live · about 5 weeks at 5 moves a day"),
    ],
)
def test_a_lobby_and_its_options_say_how_long_the_match_takes(pace: Pace, target: int, says: str) -> None:
    table = Table(row(people("Ada"), options=Options(target=target), pace=pace))
    assert text_of(lobby_options_message(table, LobbyPage.BASICS, table.row.host_id, WORDS)).endswith(f" · {says}")
    assert all(part in text_of(table_message(table, WORDS)) for part in says.split(" · "))
    playing = Table(replace(table.row, status=Status.PLAYING))
    assert "about" not in text_of(lobby_options_message(playing, LobbyPage.BASICS, playing.row.host_id, WORDS))


def test_a_slow_pace_preselects_a_low_target_unless_the_host_has_chosen_one() -> None:
    for target, then in ((100, 25), (75, 75)):
        lobby = row(people("Ada"), options=Options(target=target), pace=Pace.NONE)
        assert changed_setup(lobby, "pace", "day").options.target == then
        assert changed_setup(lobby, "pace", "quick").options.target == target


def test_the_host_of_a_table_without_a_time_limit_is_asked_for_one_once() -> None:
    lobby = Table(row(people("Ada"), pace=Pace.NONE))
    (menu,) = pressable(opened_message(lobby, WORDS)).values()
    assert menu["custom_id"].endswith(":basics:pace")
    assert text_of(opened_message(lobby, WORDS)).endswith("How much time should each turn have?")
    rematch, paced = replace(lobby.row, rematch_of=1), replace(lobby.row, pace=Pace.DAY)
    for other in (Table(rematch), Table(paced), Table(replace(lobby.row, duplicate_of=1))):
        assert not pressable(opened_message(other, WORDS))


def test_a_full_table_whose_options_can_be_changed_has_not_started() -> None:
    full = row(people("Ada", "Bo", "Cy"), Status.LOBBY)
    assert not starts_at_once(Table(full))
    assert starts_at_once(Table(replace(full, starts_itself=True)))
    assert starts_at_once(Table(replace(full, status=Status.PLAYING)))


def test_one_point_is_called_one_hand() -> None:
    table = Table(row(people("Ada"), options=Options(target=1)))
    assert "Days of Wonder · one hand" in text_of(table_message(table, WORDS))
    assert "Target: one hand" in str(
        lobby_options_message(table, LobbyPage.BASICS, table.row.host_id, WORDS).to_components()
    )


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_edition_changes_neither_the_target_nor_how_the_last_card_is_said(edition: str) -> None:
    options = Options(target=75, last_card="automatic")
    setup = changed_setup(row(people("Ada"), options=options), "edition", edition)
    assert setup.options == Options.of(edition, {"target": 75, "last_card": "automatic"})


def test_every_option_can_be_set_and_shows_its_value() -> None:
    table = Table(row(people("Ada")))
    assert {name for page in PAGES.values() for name in page} == {
        *(*CHOICES, "target", "size", "edition", "pace", "ai_level"),
        *("late", "undo", "private", "thread", "rated", "hints"),
    }
    for page in PAGES:
        for custom_id, menu in pressable(lobby_options_message(table, page, table.row.host_id, WORDS)).items():
            for option in menu.get("options", []):
                name = custom_id.rsplit(":", 1)[1]
                wished = changed_setup(table.row, name, option["value"])
                changed = Table(
                    replace(
                        table.row,
                        size=wished.size,
                        edition=wished.edition,
                        options=wished.options,
                        pace=wished.pace,
                        settings=wished.settings,
                    )
                )
                now = next(
                    chosen["value"]
                    for other in pressable(lobby_options_message(changed, page, changed.row.host_id, WORDS)).values()
                    for chosen in other.get("options", [])
                    if chosen.get("default") and chosen["value"] == option["value"]
                )
                assert now == option["value"]


def test_each_menu_names_its_option_and_each_choice_explains_itself() -> None:
    table = Table(row(people("Ada")))
    menus = [
        menu
        for page in PAGES
        for menu in pressable(lobby_options_message(table, page, table.row.host_id, WORDS)).values()
        if "options" in menu
    ]
    names = [menu["placeholder"] for menu in menus]
    assert len(names) == len(set(names))
    assert "Choose" not in names
    assert [option["label"] for menu in menus for option in menu["options"] if option.get("default")][:6] == [
        "Time per turn: 3 days",
        "Target: 100 points",
        "Seats: 3",
        "AI players: easy, for learners",
        "Last card: players say it themselves",
        "Rules: Days of Wonder (2002/2010)",
    ]
    rules = {OPTIONS[name].name for name in ("edition", "last_card", *HOUSE_RULES)}
    explained = {menu["placeholder"] for menu in menus if all("description" in option for option in menu["options"])}
    assert rules <= explained


def test_a_server_sets_a_default_for_every_option_of_a_table() -> None:
    for name in (*BASICS, *TABLE_SETTINGS):
        for value in choices(name, 100, WORDS):
            defaults = replace(TableDefaults(), **changed_default(name, value))
            page = GuildPage.TABLES if name in BASICS else GuildPage.CUSTOMS
            view = guild_settings_message(GuildSettingsState(GuildSettings(defaults=defaults)), WORDS, page)
            check(view)
            (menu,) = [menu for custom_id, menu in pressable(view).items() if custom_id.endswith(f":{name}")]
            assert [option["value"] for option in menu["options"] if option.get("default")] == [value]


def test_a_target_of_its_own_is_among_the_choices() -> None:
    for target in (*TARGETS, 1, 99, 1000):
        table = Table(row(people("Ada"), options=Options(target=target)))
        message = lobby_options_message(table, LobbyPage.BASICS, table.row.host_id, WORDS)
        check(message)
        assert f'"value": "{target}", "default": true' in everything_in(message)


def test_r34_the_table_shows_the_cut_of_the_chinese_deal_until_a_card_is_played() -> None:
    seen = set[bool]()
    for table in random_tables(3, 4, Options(deal="chinese", cut="counts")):
        if table.row.status is Status.PLAYING and table.public is not None:
            is_whole = sum(table.public.left) == 16 * 4
            assert ("✂️ Cut: " in text_of(table_message(table, WORDS))) is is_whole
            seen.add(is_whole)
    assert seen == {True, False}
    plain = (table for table in random_tables(3, 4) if table.row.status is Status.PLAYING)
    assert not any("✂️" in text_of(table_message(table, WORDS)) for table in plain)


def test_the_longest_hands_fit() -> None:
    table, report = longest_sheet()
    message = hands_message(table, report, WORDS)
    check(message)
    for card in {card for hand in report.cards_left for card in hand}:
        assert face(card, WORDS) in text_of(message)


def test_a_result_says_each_fact_once_and_earlier_hands_in_a_line_each() -> None:
    ended = [HandEnded(hand, 1, (3, 0, 14), (3, 0, 56), (3 * hand, 0, 56 * hand)) for hand in range(1, 10)]
    table, report = next((table, report) for table, report in sheets(3) if report.gave is not None)
    seats = tuple(replace(seat, name=name) for seat, name in zip(table.seats, ("Ada", "Bo", "Cy"), strict=True))
    table = replace(table, row=replace(table.row, seats=seats))
    gave = Gave(2, 1, parse_cards("DR")[0])
    report = replace(report, ended=ended[-1], gave=gave, moves=())
    assert text_of(report_message(table, report, ended, WORDS)).splitlines() == [
        f"### Table {table.id} · hand 9 is over",
        "🏁 **Bo** wins the hand.",
        "**Ada** · 3 points",
        "💥 **Cy** · 14 × 4 = 56 points",
        "Totals: Ada 27, Bo 0, and Cy 504.",
        f"For the next hand, Cy gives {face(gave.card, WORDS)} to Bo.",
        "-# Points per hand: Ada · Bo · Cy",
        *(f"-# {hand}: 3 · 🏁 · 56" for hand in range(9 - MAX_EARLIER, 9)),
    ]
    every = text_of(sheet_message(table, report, ended, WORDS, []))
    assert all(f"-# {hand}: 3 · 🏁 · 56" in every for hand in range(1, 10))


@pytest.mark.parametrize(("left", "is_tie"), [((0, 8, 3), False), ((0, 8, 8), True), ((8, 0, 8), True)])
def test_r28_a_tie_for_the_loser_is_explained(left: tuple[int, ...], is_tie: bool) -> None:
    table, report = next((table, report) for table, report in sheets(3) if report.gave is not None)
    ended = replace(report.ended, winner=left.index(0), left=left)
    buttons = pressable(report_message(table, replace(report, ended=ended), [ended], WORDS))
    assert any(Press.parse(each).arguments[:1] == ("R28",) for each in buttons) == is_tie


def test_r37_a_winner_who_still_holds_cards_is_not_out_first() -> None:
    """Ada and Bo forget "Last card!", so Cy wins the hand with ten cards left."""
    held = parse_cards("4G 5G 6G 6Y 7G 8G 9R 10G 10Y 10R")
    dealt = dealt_table(parse_cards("1M 9G"), parse_cards("3G 8Y"), held)
    last = dealt.after((Played(0, parse_cards("1M")), Forgot(0), Played(1, parse_cards("3G"))))
    assert last.state is not None
    ending = decide(last.state, Pass(2))
    table = last.after(ending)
    (report,) = hand_reports(ending, last.state)
    text = text_of(report_message(table, report, [report.ended], WORDS))
    assert "Cy** wins the hand: all the others are out of it." in text
    assert "Cy** · 0 points" in text
    dealt_hands = hands_message(table, replace(report, cards_at_start=((),) * 3), WORDS)
    assert f"Cy** · 0 points · {faces(held, WORDS)}" in text_of(dealt_hands)
    assert "You win the hand" not in text


def on_the_table(events: list[Event]) -> set[Card]:
    """Public cards: the end of the cycle, and the exchange."""
    state = replay(events)
    seen = {card for _, combination in state.cycle.plays[-MAX_PLAYS:] for card in combination.cards}
    exchange = state.exchange or ()
    return seen | {gift.card for gift in exchange if isinstance(gift, Gave | GaveBack)}


def random_logs(seed: int, seats: int) -> Iterator[list[Event]]:
    _, events = simulate(SimulationSettings(seats, "days-of-wonder", Options(target=30), "secrets"), seed)
    for length in range(2, len(events)):
        yield events[:length]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("seats", [3, 4])
def test_the_table_names_no_card_that_is_not_on_the_table(seats: int, seed: int) -> None:
    for events in random_logs(seed, seats):
        table = Table(row(people(*NAMES[:seats]), Status.PLAYING)).after(events)
        if table.turn is None:
            continue
        drawn = everything_in(table_message(table, WORDS))
        shown = {card for card in ALL_CARDS if face(card, WORDS) in drawn}
        assert shown == on_the_table(events)


@pytest.mark.parametrize("seed", range(3))
def test_the_table_looks_the_same_for_all_hands(seed: int) -> None:
    rng, pictures = Random(seed), set()
    rest = [card for card in DECK if card not in parse_cards("1M 5G 5G 7Y 7Y")]
    for _ in range(10):
        rng.shuffle(rest)
        hands = [tuple(sorted(rest[start : start + 14])) for start in (0, 14, 28, 42)]
        hands[0] = tuple(sorted((*hands[0][:13], MULTI_ONE, *parse_cards("5G 5G"))))
        hands[1] = tuple(sorted((*hands[1], *parse_cards("7Y 7Y"))))
        table = dealt_table(*hands)
        pictures.add(everything_in(table_message(played(table, "5G 5G", "7Y 7Y"), WORDS)))
    assert len(pictures) == 1


def test_the_seed_is_shown_when_the_match_is_over_and_not_before() -> None:
    shown = dict.fromkeys(Status, False)
    for table in random_tables(1, 3):
        if table.row.status is not Status.PLAYING or table.state is not None:
            shown[table.row.status] |= may_reveal_seed(table, 0)
            assert SEED.hex() in everything_in(fair_deal_message(table, SEED.hex(), WORDS))
            known = replace(table, row=replace(table.row, seed=SEED))
            assert SEED.hex() not in everything_in(table_message(known, WORDS))
    assert shown == {Status.LOBBY: False, Status.PLAYING: False, Status.OVER: True, Status.CLOSED: True}


def test_a_table_that_is_closed_before_the_start_keeps_its_seed() -> None:
    closed = Table(row(people("Ada"), Status.CLOSED))
    assert not may_reveal_seed(closed, 0)


RELATIVE_TIME: Final = "in 24 minutes"
PHONE_COLUMNS: Final = 36
"""Columns of a row on a phone 390 pixels wide; small text has more, headings fewer. An emoji takes two."""
SMALL_COLUMNS: Final = 48


def columns(line: str) -> int:
    """The width of a line without its markdown."""
    text = re.sub(r"^-# |[*`\\]|\N{WORD JOINER}|\N{VARIATION SELECTOR-16}", "", line)
    text = re.sub(r"<t:\d+:R>", RELATIVE_TIME, text)
    return sum(2 if ord(letter) > 0x2190 and letter not in "…↺↻" else 1 for letter in text)


@pytest.mark.parametrize("language", languages())
def test_no_row_wraps_on_a_phone(language: str) -> None:
    words = words_in(language)
    seats = people("Maximilian-12345", "Bartholomew-1234", "Clementine-12345", "Dorothea-1234567")
    hands = tuple(map(parse_cards, ("1M 3G 3G 5R", "2G 5G 5Y 9R", "2Y 6G 6Y 9Y", "7G 7R 8G 9G")))
    lobby = Table(replace(row(seats, pace=Pace.NONE), id=12))
    running = played(dealt_table(*hands, seats=seats), "1M", "2G", "2Y")
    running = replace(running, row=replace(running.row, id=12, pace=Pace.NONE, clock=None))
    clock = TurnClock(began=0, due=120_000)
    banked = tuple(replace(seat, bank=60_000) for seat in seats)
    timed = replace(running, row=replace(running.row, pace=Pace.LIVE, seats=banked, clock=clock))
    exchange = next(table for table in random_tables(5, 4) if (public := table.public) and public.exchange)
    exchange = replace(exchange, row=replace(exchange.row, seats=seats, pace=Pace.NONE, clock=None))
    over = Table(replace(sheets(4)[-1][0].row, id=12, seats=seats, pace=Pace.NONE), sheets(4)[-1][0].state, 9, 9)
    stand_ins = (
        replace(seats[0], substitute_id=9, substitute_name="Wilhelmina-12345"),
        replace(seats[1], ai_level=Level.SIMPLE),
        replace(seats[2], ai_level=Level.SIMPLE, conceded=True),
        seats[3],
    )
    absent = replace(running, row=replace(running.row, seats=stand_ins))
    tables = [lobby, Table(replace(lobby.row, seats=seats[:1])), running, timed, exchange, absent, over]
    tables.append(replace(over, row=replace(over.row, seats=stand_ins)))
    for level, style in product(Level, Style):
        ai_seats = (seats[0], *(Seat(name, ai_level=level, ai_style=style) for name in AI_NAMES[:3]))
        tables += [replace(table, row=replace(table.row, seats=ai_seats)) for table in (lobby, running)]
    for table in tables:
        for line in text_of(table_message(table, words)).splitlines():
            limit = SMALL_COLUMNS if line.startswith("-# ") else PHONE_COLUMNS
            assert columns(line) <= limit, line


def enabled(table: Table) -> list[str]:
    return [
        component["label"]
        for component in components(table_message(table, WORDS))
        if "label" in component and not component.get("disabled")
    ]


AI = Seat("Jade", ai_level="simple")
BUTTONS = [
    ("one person", people("Ada"), ["Join", "Invite", "Fill with AI and start", "Options", "Add AI", "Leave"]),
    ("full", people(*NAMES[:3]), ["Invite", "Start", "Options", "Leave"]),
    ("full with a robot", (*people("Ada", "Bo"), AI), ["Join", "Invite", "Start", "Options", "Remove AI", "Leave"]),
    (
        "a robot",
        (*people("Ada"), AI),
        ["Join", "Invite", "Fill with AI and start", "Options", "Add AI", "Remove AI", "Leave"],
    ),
]


@pytest.mark.parametrize(("seats", "expected"), [line[1:] for line in BUTTONS], ids=[line[0] for line in BUTTONS])
def test_the_lobby_offers_the_possible_actions(seats: tuple[Seat, ...], expected: list[str]) -> None:
    new = Table(row(seats))
    shown = Table(replace(new.row, first_message_id=1))
    assert enabled(shown) == expected
    assert enabled(new) == [label for label in expected if "tart" not in label]


def test_only_the_host_has_all_pages_of_the_options() -> None:
    table = Table(replace(row(people("Ada", "Bo")), first_message_id=77))

    def labels_of(user_id: int, page: LobbyPage = LobbyPage.FAIRNESS, *, may_manage: bool = False) -> list[str]:
        view = lobby_options_message(table, page, user_id, WORDS, may_manage=may_manage)
        return [component["label"] for component in components(view) if "label" in component]

    host, player, stranger = 101, 102, 999
    again, leave, close = "Post the table again", "Leave", "Close the table…"
    pages = ["Basics", "People", "How we play", "House rules", "Fairness"]
    assert labels_of(host, LobbyPage.BASICS) == [*pages, again, leave, close]
    assert labels_of(host) == ["Cut", *pages]
    assert labels_of(player) == ["Cut", again, leave]
    assert labels_of(stranger) == ["Cut", again]
    assert labels_of(stranger, may_manage=True) == ["Cut", again, close]
    text = text_of(lobby_options_message(table, LobbyPage.FAIRNESS, player, WORDS))
    assert f"Fingerprint `{table.row.commitment}`" in text
    assert "First message of the table: `77`" in text
    assert table.row.commitment[:8] not in text_of(table_message(table, WORDS))


def test_the_direction_of_play_is_the_order_of_the_names() -> None:
    hands = DECK[:16], DECK[16:32], DECK[32:48], DECK[48:]
    first = text_of(table_message(dealt_table(*hands), WORDS))
    second = dealt_table(
        *hands, more=(HandEnded(1, 0, (0, 1, 1, 1), (0, 1, 1, 1), (0, 1, 1, 1)), Dealt(2, -1, hands, ()))
    )
    back = text_of(table_message(second, WORDS))
    assert [name for _, name in sorted((first.index(name), name) for name in NAMES)] == ["Ada", "Bo", "Cy", "Di"]
    assert [name for _, name in sorted((back.index(name), name) for name in NAMES)] == ["Ada", "Di", "Cy", "Bo"]
    assert "counter-clockwise" in first
    assert "counter-clockwise" not in back


def test_points_are_told_once_a_player_has_some() -> None:
    for count in (3, 4):
        tables = random_tables(7, count)
        shown = [(each, text_of(table_message(each, WORDS))) for each in tables if each.row.status is Status.PLAYING]
        for table, text in shown:
            assert table.public is not None
            assert len(re.findall(r"^-# \d+ points?\b", text, re.MULTILINE)) == (
                count if any(table.public.totals) else 0
            )
        assert {any(table.public.totals) for table, _ in shown if table.public is not None} == {True, False}
