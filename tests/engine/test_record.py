"""Reading and writing the match record: every kind of line, and unreadable lines."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine import MatchStarted, Options
from bot.engine.cards import DECK, Cards, parse_cards, sorted_cards
from bot.engine.events import (
    Abandoned,
    Dealt,
    Declared,
    Event,
    Forgot,
    Gave,
    GaveBack,
    HandEnded,
    MatchEnded,
    Passed,
    Played,
    Substituted,
    Undone,
)
from bot.engine.options import CHOICES
from bot.engine.record import FORMAT, BadRecord, Line, from_fields, read, to_fields, write
from tests.engine.golden import GOLDEN, golden
from tests.engine.positions import start

MATCH = (
    '{"t": "match", "format": "gang-of-four/1", "edition": "days-of-wonder", "options": {"flush_order": "highest", '
    '"forgotten": "out", "block": "lead_and_follow", "end": "reach", "tie": "shared", "deal": "plain", "cut": "again", '
    '"last_card": "declared", "target": 100}, "seats": ["Ada", "Bo", "Cy"], "dealer": 2, "commitment": '
    '"630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd", "salt": "10-20-30"}'
)
LINES: list[tuple[str, Event]] = [
    (MATCH, start(3, dealer=2)),
    (
        '{"t": "deal", "hand": 1, "direction": 1, "hands": [["7R", "7R"], ["1M"]], "dummy": ["DR"]}',
        Dealt(1, 1, (parse_cards("7R 7R"), parse_cards("1M")), parse_cards("DR")),
    ),
    (
        '{"t": "deal", "hand": 2, "direction": -1, "hands": [], "dummy": [], "cut": ["PG", "3G"], "first": 0}',
        Dealt(2, -1, (), (), (parse_cards("PG")[0], parse_cards("3G")[0]), 0),
    ),
    ('{"t": "give", "seat": 2, "to": 0, "card": "DR"}', Gave(2, 0, parse_cards("DR")[0])),
    ('{"t": "give_back", "seat": 0, "to": 2, "card": "1G"}', GaveBack(0, 2, parse_cards("1G")[0])),
    ('{"t": "play", "seat": 1, "cards": ["7G", "7R"], "last_card": false}', Played(1, parse_cards("7G 7R"))),
    ('{"t": "play", "seat": 1, "cards": ["PY"], "last_card": true}', Played(1, parse_cards("PY"), last_card=True)),
    ('{"t": "pass", "seat": 3}', Passed(3)),
    ('{"t": "declare", "seat": 3}', Declared(3)),
    ('{"t": "forgot", "seat": 3}', Forgot(3)),
    ('{"t": "undo", "seat": 3}', Undone(3)),
    ('{"t": "sub", "seat": 3, "by": "ai:hard", "for_owner": true}', Substituted(3, "ai:hard", for_owner=True)),
    (
        '{"t": "hand_end", "hand": 4, "winner": 1, "left": [8, 0, 1], "points": [16, 0, 1], "totals": [20, 5, 9]}',
        HandEnded(4, 1, (8, 0, 1), (16, 0, 1), (20, 5, 9)),
    ),
    ('{"t": "match_end", "ranking": [[1], [0, 2]], "seed": "00ff"}', MatchEnded(((1,), (0, 2)), "00ff")),
    (
        '{"t": "abandoned", "reason": "nobody is left", "totals": [1, 2, 3], "seed": "00ff"}',
        Abandoned("nobody is left", (1, 2, 3), "00ff"),
    ),
]


@pytest.mark.parametrize(("text", "event"), LINES)
def test_a_line_is_read_and_written(text: str, event: Event) -> None:
    assert read(text + "\n") == [Line(event)]
    assert write([Line(event)]) == text + "\n"


def test_every_kind_of_event_has_a_line() -> None:
    assert {type(event) for _, event in LINES} == set(Event.__args__)


@pytest.mark.parametrize("name", GOLDEN)
def test_a_golden_record_is_read_and_written_unchanged(name: str) -> None:
    assert write(read(golden(name))) == golden(name)


def test_a_record_is_one_utf_8_text_of_json_lines() -> None:
    lines = [json.loads(line) for line in golden("automatic").removesuffix("\n").split("\n")]
    assert lines[0]["format"] == FORMAT == "gang-of-four/1"
    assert {line["t"] for line in lines} >= {"match", "deal", "play", "pass", "undo", "sub", "hand_end", "match_end"}
    assert "🐉" in golden("automatic")


def test_the_time_and_unknown_fields_are_kept() -> None:
    text = '{"t": "pass", "seat": 1, "mood": {"of": ["the", 7]}, "at": 1700000000}\n'
    (line,) = read(text)
    assert (line.event, line.at, line.extra) == (Passed(1), 1_700_000_000, {"mood": {"of": ["the", 7]}})
    assert write([line]) == text


def test_fields_may_be_in_any_order_and_flags_may_be_missing() -> None:
    assert read('{"cards": ["7R", "7G"], "seat": 1, "t": "play"}') == [Line(Played(1, parse_cards("7G 7R")))]
    assert read('{"by": "Eve", "seat": 1, "t": "sub"}') == [Line(Substituted(1, "Eve"))]


def test_a_name_may_contain_unicode_line_separators() -> None:
    names = ("A\u2028B", "C\u0085D", "E\nF\rG")
    match = MatchStarted("days-of-wonder", Options(), names, 0, "", "")
    assert read(write([Line(match)] * 2)) == [Line(match)] * 2


def test_an_empty_text_is_an_empty_record() -> None:
    assert read("") == []


def test_windows_line_ends_are_accepted() -> None:
    assert read('{"t": "pass", "seat": 1}\r\n{"t": "pass", "seat": 2}\r\n') == [Line(Passed(1)), Line(Passed(2))]


UNREADABLE = [
    ('{"t": "pass", "seat": 1', "this is not JSON"),
    ("", "this is not JSON"),
    ('{"t": "pass", "seat": 1, "note": NaN}', "this is not JSON"),
    ('{"t": "pass", "seat": 1}\r{"t": "pass", "seat": 2}', "this is not JSON"),
    ("[" * 100_000, "nested too deeply"),
    ('{"t": "pass", "seat": 1, "note": ' + "9" * 5000 + "}", "a number is too long"),
    ('["t", "pass"]', "this is not a JSON object"),
    ('"pass"', "this is not a JSON object"),
    ('{"seat": 1}', "unknown kind of line None"),
    ('{"t": "knock", "seat": 1}', "unknown kind of line 'knock'"),
    ('{"t": ["pass"], "seat": 1}', "unknown kind of line ['pass']"),
    ('{"t": [], "seat": 1}', "unknown kind of line []"),
    ('{"t": "pass", "seat": 1, "seat": 2}', "the field 'seat' appears twice"),
    ('{"t": "pass", "seat": 1, "note": {"a": 1, "a": 1}}', "the field 'a' appears twice"),
    ('{"t": "pass", "seat": 1, "note": 1e999}', "a number is too large"),
    ('{"t": "pass", "seat": 1, "note": [-1e999]}', "a number is too large"),
    ('{"t": "pass", "seat": 1, "note": ["\\ud800"]}', "half of a character"),
    ('{"t": "pass", "seat": 1, "\\udfff": 0}', "half of a character"),
    ('{"t": "play", "seat": 1, "cards": ' + '{"a": ' * 900 + "1" + "}" * 900 + "}", "is not a list"),
    ('{"t": "pass", "seat": 1, "note": ' + "[" * 50 + "]" * 50 + "}", "nested too deeply"),
    (json.dumps({"t": "pass", "seat": 1, "note": dict.fromkeys(map(str, range(101)))}), "101 fields"),
    ('{"t": "pass", "seat": 1, "note": ' + "[" * 990 + "]" * 990 + "}", "nested too deeply"),
    ('{"t": "pass"}', "the field 'seat' is missing"),
    ('{"t": "pass", "seat": "1"}', "'1' is not a whole number"),
    ('{"t": "pass", "seat": true}', "True is not a whole number"),
    ('{"t": "pass", "seat": 1.0}', "1.0 is not a whole number"),
    ('{"t": "pass", "seat": 1, "at": "noon"}', "'noon' is not a whole number"),
    ('{"t": "pass", "seat": 1, "at": null}', "None is not a whole number"),
    ('{"t": "play", "seat": 1, "cards": "7R"}', "'7R' is not a list"),
    ('{"t": "play", "seat": 1, "cards": ["7B"]}', "'7B' is not a card"),
    ('{"t": "play", "seat": 1, "cards": [7]}', "7 is not a text"),
    ('{"t": "play", "seat": 1, "cards": ["7R", "7R", "7R"]}', "'7R' appears 3 times"),
    ('{"t": "play", "seat": 1, "cards": ["7R"], "last_card": "false"}', "'false' is neither true nor false"),
    ('{"t": "sub", "seat": 1, "by": "\\ud800"}', "half of a character"),
    ('{"t": "sub", "seat": 1, "by": "Eve", "for_owner": 1}', "1 is neither true nor false"),
    ('{"t": "match_end", "ranking": [0, 1], "seed": ""}', "0 is not a list"),
    (MATCH.replace("four/1", "four/2"), "unknown format 'gang-of-four/2'"),
    (MATCH.replace("days-of-wonder", "kitchen"), "edition: 'kitchen' is not one of"),
    (MATCH.replace('"reach"', '"touch"'), "end: 'touch' is not one of reach, exceed"),
    (MATCH.replace('"target": 100', '"target": 0'), "target: 0 is not a number from 1 to 1000"),
    (MATCH.replace('"target": 100', '"target": "100"'), "'100' is not a whole number"),
    (MATCH.replace('"target": 100', '"target": true'), "True is not a whole number"),
    (MATCH.replace('["Ada", "Bo", "Cy"]', '["Ada", "Bo"]'), "2 seats; a match has 3 or 4"),
    (MATCH.replace('"dealer": 2', '"dealer": 3'), "no seat 3"),
    (MATCH.replace('"options": {', '"options": [], "was": {'), "the options are not a JSON object"),
]


@pytest.mark.parametrize(("text", "why"), UNREADABLE, ids=[why for _, why in UNREADABLE])
def test_an_unreadable_line_is_refused_with_its_number(text: str, why: str) -> None:
    with pytest.raises(BadRecord) as caught:
        read(f"{MATCH}\n{text}\n")
    assert caught.value.line == 2
    assert why in caught.value.why
    assert str(caught.value).startswith("line 2: ")


# Any event at all, also one that no match could hold: the text form is its own concern.

seats, numbers = st.integers(0, 3), st.integers(-(2**40), 2**40)
card = st.sampled_from(DECK)
hand = st.lists(st.sampled_from(range(64)), unique=True, max_size=16).map(
    lambda places: sorted_cards(DECK[place] for place in places)
)
some = st.lists(numbers, max_size=4).map(tuple)


@st.composite
def matches(draw: st.DrawFn) -> MatchStarted:
    chosen = {name: draw(st.sampled_from(values)) for name, values in CHOICES.items()}
    options = Options().with_changes(**chosen, target=draw(st.integers(1, 1000)))
    names = draw(st.lists(st.text(), min_size=3, max_size=4).map(tuple))
    return MatchStarted("summary-sheet", options, names, draw(st.integers(0, 2)), draw(st.text()), draw(st.text()))


def deals(hands: tuple[Cards, ...], dummy: Cards, first: int | None, cut: list[Any]) -> Dealt:
    return Dealt(3, -1, hands, dummy, () if first is None else tuple(cut), first)


any_event: st.SearchStrategy[Event] = st.one_of(
    matches(),
    st.builds(deals, st.lists(hand, max_size=4).map(tuple), hand, st.none() | seats, st.lists(card, max_size=3)),
    st.builds(Gave, seats, seats, card),
    st.builds(GaveBack, seats, seats, card),
    st.builds(Played, seats, hand, st.booleans()),
    *(st.builds(kind, seats) for kind in (Passed, Declared, Forgot, Undone)),
    st.builds(Substituted, seats, st.text(), st.booleans()),
    st.builds(HandEnded, numbers, seats, some, some, some),
    st.builds(MatchEnded, st.lists(some, max_size=4).map(tuple), st.text()),
    st.builds(Abandoned, st.text(), some, st.text()),
)
extras = st.dictionaries(st.text(min_size=1).map("x-".__add__), st.text() | numbers | st.none(), max_size=2)


@settings(max_examples=300)
@given(st.lists(st.builds(Line, any_event, st.none() | numbers, extras.map(lambda found: found or None)), max_size=5))
def test_any_lines_survive_writing_and_reading(lines: list[Line]) -> None:
    assert read(write(lines)) == lines
    assert [from_fields(json.loads(json.dumps(to_fields(line)))) for line in lines] == lines


def test_nesting_up_to_the_limit_is_kept() -> None:
    lines = read('{"t": "pass", "seat": 1, "note": ' + "[" * 49 + "]" * 49 + "}\n")
    assert read(write(lines)) == lines


LARGE = "x" * 1_000_000
WITH_A_LARGE_VALUE = [
    json.dumps({"t": LARGE}),
    json.dumps({"t": "pass", "seat": LARGE}),
    json.dumps({"t": "pass", "seat": [[LARGE] * 3] * 3}),
    json.dumps({"t": "play", "seat": 0, "cards": [LARGE]}),
    json.dumps({"t": "play", "seat": 0, "cards": {LARGE: LARGE}}),
    json.dumps({"t": "sub", "seat": 0, "by": "a", "for_owner": LARGE}),
    MATCH.replace('"days-of-wonder"', json.dumps(LARGE)),
    MATCH.replace('"gang-of-four/1"', json.dumps(LARGE)),
    MATCH.replace('"highest"', json.dumps(LARGE)),
    MATCH.replace('"target": 100', f'"target": {json.dumps(LARGE)}'),
    MATCH.replace('"dealer": 2', f'"dealer": {"9" * 4000}'),
    '{"t": "pass", "seat": 0, "' + LARGE + '": 1, "' + LARGE + '": 2}',
]


@pytest.mark.parametrize("text", WITH_A_LARGE_VALUE, ids=range(len(WITH_A_LARGE_VALUE)))
def test_a_large_value_gives_a_short_message(text: str) -> None:
    with pytest.raises(BadRecord) as caught:
        read(text)
    assert len(str(caught.value)) < 400


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(), lambda inner: st.lists(inner, max_size=3)))
def test_an_unknown_field_that_is_read_can_be_written_again(value: object) -> None:
    try:
        lines = read(json.dumps({"t": "pass", "seat": 1, "note": value}))
    except BadRecord:
        return
    write(lines).encode()
    assert read(write(lines)) == lines
