"""Records that are all right, and records in which something was changed: the right line and reason are told."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from bot.engine import Options, Phase, replay
from bot.engine.record import _CODECS, BadRecord, Line, read, write
from bot.engine.verification import verify
from bot.players.simulation import Setting, simulate
from tests.engine.golden import GOLDEN, golden

Fields = dict[str, Any]
Change = Callable[[Fields], object]


def parsed(name: str) -> list[Fields]:
    """The lines of a golden record as JSON objects."""
    return [json.loads(line) for line in golden(name).removesuffix("\n").split("\n")]


def as_text(lines: list[Fields]) -> str:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def trouble(text: str) -> tuple[int, str]:
    """The line and the reason that a record is refused with."""
    with pytest.raises(BadRecord) as caught:
        verify(read(text))
    return caught.value.line, caught.value.why


def place(lines: list[Fields], kind: str, nth: int = 0) -> int:
    """Where the nth line of its kind stands, from 0 (-1: the last of the kind)."""
    return [number for number, line in enumerate(lines) if line["t"] == kind][nth]


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_records_are_all_right(name: str) -> None:
    lines = read(golden(name))
    verified = verify(lines)
    assert verified.lines == len(lines)
    assert verified.hands == sum(line["t"] == "deal" for line in parsed(name))
    assert verified.final.phase is Phase.OVER
    assert verified.final == replay(line.event for line in lines)


def test_the_golden_records_hold_every_kind_of_line_and_every_edition() -> None:
    kinds = {line["t"] for name in GOLDEN for line in parsed(name)}
    assert kinds == {name for name, _, _ in _CODECS.values()}
    assert {(parsed(name)[0]["edition"], len(parsed(name)[0]["seats"])) for name in GOLDEN} >= {
        (edition, seats) for edition in ("days-of-wonder", "dargaud-1996", "summary-sheet") for seats in (3, 4)
    }


def set_to(field: str, value: object) -> Change:
    return lambda line: line.update({field: value})


def add_to(field: str, more: int, among: int = 4) -> Change:
    return lambda line: line.update({field: (line[field] + more) % among})


def in_list(field: str, position: int, change: Callable[[Any], object]) -> Change:
    def apply(line: Fields) -> None:
        line[field][position] = change(line[field][position])

    return apply


def swap_cards(line: Fields) -> None:
    one, other = line["hands"][0], line["hands"][1]
    place_of_one, place_of_other = next((a, b) for a in range(16) for b in range(16) if one[a] != other[b])
    one[place_of_one], other[place_of_other] = other[place_of_other], one[place_of_one]


def another_card(line: Fields) -> None:
    line["card"] = "1G" if line["card"] != "1G" else "1Y"


@dataclass(frozen=True)
class Tampered:
    """What was changed in which line, and what is to be told of it."""

    kind: str
    change: Change
    why: str
    name: str = "days-of-wonder-4"
    nth: int = 0
    told_at: int = 0
    """How many lines later it shows."""


STANDS = "stands where by the rules and the seed there must be"
LIVELY = "chinese-abandoned"

TAMPERED = {
    "match: commitment": Tampered("match", set_to("commitment", "00" * 32), "the commitment is not the SHA-256"),
    "match: salt": Tampered("match", set_to("salt", "1-2-3-4"), STANDS, told_at=1),
    "match: dealer": Tampered("match", add_to("dealer", 1), STANDS, LIVELY, told_at=1),
    "match: a seat more": Tampered(
        "match", lambda line: line["seats"].append("Eve"), STANDS, "days-of-wonder-3", told_at=1
    ),
    "match: options": Tampered("match", lambda line: line["options"].update(deal="chinese"), STANDS, told_at=1),
    "deal: two cards swapped": Tampered("deal", swap_cards, STANDS),
    "deal: two cards swapped later": Tampered("deal", swap_cards, STANDS, nth=-1),
    "deal: dummy": Tampered("deal", in_list("dummy", 0, lambda _: "9Y"), STANDS, "days-of-wonder-3"),
    "deal: direction": Tampered("deal", set_to("direction", -1), STANDS),
    "deal: hand": Tampered("deal", set_to("hand", 2), STANDS),
    "deal: cut": Tampered("deal", in_list("cut", 0, lambda card: "3G" if card != "3G" else "4G"), STANDS, LIVELY),
    "deal: first": Tampered("deal", add_to("first", 1), STANDS, LIVELY),
    "give: card": Tampered("give", another_card, STANDS),
    "give: seat": Tampered("give", add_to("seat", 1), STANDS),
    "give: to": Tampered("give", add_to("to", 1), STANDS),
    "give_back: seat": Tampered("give_back", add_to("seat", 1), "R27: this seat has no card to give back"),
    "give_back: to": Tampered("give_back", lambda line: line.update(to=line["seat"]), STANDS),
    "play: seat": Tampered("play", add_to("seat", 1), "R23: it is seat"),
    "play: no such seat": Tampered("play", set_to("seat", 9), "there is no such seat"),
    "play: cards": Tampered("play", set_to("cards", ["DR", "PG"]), "R19: the hand does not hold"),
    "play: no cards": Tampered("play", set_to("cards", []), "R3-R13: no card is no combination"),
    "play: last_card": Tampered("play", set_to("last_card", True), "R29: the last card can be declared"),
    "pass: seat": Tampered("pass", add_to("seat", 1), "R23: it is seat"),
    "pass: no such seat": Tampered("pass", set_to("seat", -1), "there is no such seat"),
    "declare: seat": Tampered("declare", add_to("seat", 1, 3), "R29: the last card can be declared", "dargaud-1996-3"),
    "declare: no such seat": Tampered("declare", set_to("seat", -1), "there is no such seat"),
    "forgot: seat": Tampered("forgot", add_to("seat", 1), STANDS),
    "forgot: seat, where it is taken back": Tampered(
        "forgot", add_to("seat", 1), "R23: it is seat", name="dargaud-1996-4"
    ),
    "undo: seat": Tampered("undo", add_to("seat", 1), "R23: there is nothing to take back", LIVELY),
    "sub: no such seat": Tampered("sub", set_to("seat", 4), "there is no such seat", LIVELY),
    "hand_end: hand": Tampered("hand_end", set_to("hand", 7), STANDS),
    "hand_end: winner": Tampered("hand_end", add_to("winner", 1), STANDS),
    "hand_end: left": Tampered("hand_end", in_list("left", 1, lambda left: left + 1), STANDS),
    "hand_end: points": Tampered("hand_end", in_list("points", 1, lambda points: points + 1), STANDS),
    "hand_end: totals": Tampered("hand_end", in_list("totals", 1, lambda total: total + 1), STANDS, nth=-1),
    "match_end: ranking": Tampered("match_end", lambda line: line["ranking"].reverse(), STANDS),
    "match_end: seed": Tampered("match_end", set_to("seed", "00" * 32), "the seed is not the one"),
    "match_end: no seed": Tampered("match_end", set_to("seed", "secret"), "the seed is not hex"),
    "abandoned: totals": Tampered("abandoned", in_list("totals", 0, lambda total: total + 1), STANDS, LIVELY),
    "abandoned: seed": Tampered("abandoned", set_to("seed", "11" * 32), "the seed is not the one", LIVELY),
}


@pytest.mark.parametrize("tampered", TAMPERED.values(), ids=TAMPERED)
def test_a_changed_line_is_found(tampered: Tampered) -> None:
    lines = parsed(tampered.name)
    at = place(lines, tampered.kind, tampered.nth)
    tampered.change(lines[at])
    line, why = trouble(as_text(lines))
    assert line == at + 1 + tampered.told_at, why
    assert tampered.why in why


def test_every_kind_of_line_is_tampered_with() -> None:
    assert {row.kind for row in TAMPERED.values()} == {line["t"] for name in GOLDEN for line in parsed(name)}


def test_a_card_given_back_that_the_winner_does_not_hold() -> None:
    lines = parsed("days-of-wonder-4")
    at = place(lines, "give_back")
    lines[at]["card"] = next(card for card in ("1G", "1Y", "2G", "2Y", "1M", "DR") if card not in _held(lines, at))
    line, why = trouble(as_text(lines))
    assert (line, "R19: the hand does not hold" in why) == (at + 1, True)


def _held(lines: list[Fields], at: int) -> list[str]:
    winner = lines[at]["seat"]
    return [*lines[at - 2]["hands"][winner], lines[at - 1]["card"]]


def test_a_lower_play_is_found() -> None:
    """An answer is replaced by the lowest card of the hand that plays it."""
    lines = parsed("days-of-wonder-4")
    hands = lines[1]["hands"]
    at = next(
        number
        for number, line in enumerate(lines[3:], 3)
        if line["t"] == "play" == lines[number - 1]["t"] and len(line["cards"]) == 1
    )
    lines[at]["cards"] = hands[lines[at]["seat"]][:1]
    line, why = trouble(as_text(lines))
    assert line == at + 1
    assert "R1" in why


@pytest.mark.parametrize("kind", ["deal", "give", "give_back", "hand_end", "forgot", "play", "pass"])
def test_a_line_left_out_is_found_where_it_stood(kind: str) -> None:
    lines = parsed("days-of-wonder-4")
    at = place(lines, kind)
    del lines[at]
    line, _ = trouble(as_text(lines))
    assert line == at + 1


@pytest.mark.parametrize("kind", ["match", "deal", "give", "give_back", "forgot", "hand_end", "match_end"])
def test_a_line_that_comes_twice_is_found(kind: str) -> None:
    lines = parsed("days-of-wonder-4")
    at = place(lines, kind)
    lines.insert(at, lines[at])
    line, why = trouble(as_text(lines))
    assert line == at + 2, why


def test_a_truncated_record_is_found_at_its_last_line() -> None:
    lines = parsed("days-of-wonder-4")
    for length in (1, 2, 50, len(lines) - 1):
        assert trouble(as_text(lines[:length])) == (length, "the record stops before the match is over")


def test_a_record_cut_within_a_line_is_no_json_there() -> None:
    text = golden("days-of-wonder-4")
    half = text[: len(text) // 2].rstrip("\n") if text[len(text) // 2 - 1] != "}" else text[: len(text) // 2 - 1]
    assert trouble(half) == (half.count("\n") + 1, "this is not JSON")


def test_an_end_that_comes_too_early_is_found_and_one_that_is_not_the_last_line() -> None:
    lines = parsed("days-of-wonder-4")
    line, why = trouble(as_text([*lines[:6], lines[-1], *lines[6:]]))
    assert (line, STANDS in why or "can happen here" in why) == (7, True), why
    line, why = trouble(as_text([*lines, lines[-2]]))
    assert (line, why) == (len(lines) + 1, "nothing follows the end of a match")


def test_what_is_wrong_after_a_right_forgot_is_not_blamed_on_it() -> None:
    lines = parsed("days-of-wonder-4")
    at = next(n for n, line in enumerate(lines) if line["t"] == "forgot" and lines[n + 1]["t"] == "pass")
    lines[at + 1]["seat"] = (lines[at + 1]["seat"] + 1) % 4
    line, why = trouble(as_text(lines))
    assert (line, "R23" in why or "R30" in why) == (at + 2, True), why


def test_an_ending_cut_off_and_another_written_on() -> None:
    lines, other = parsed("days-of-wonder-4"), parsed("days-of-wonder-3")
    line, why = trouble(as_text([*lines[:-1], other[-1]]))
    assert (line, why) == (len(lines), "the seed is not the one that the first line commits to")


def test_a_hand_end_is_missing_at_the_end() -> None:
    lines = parsed("days-of-wonder-4")
    del lines[-2]
    line, why = trouble(as_text(lines))
    assert line == len(lines)
    assert STANDS in why


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("", 1, "the record is empty"),
        ('{"t": "pass", "seat": 0}', 1, "a record begins with a match line"),
        ("not a record", 1, "this is not JSON"),
    ],
)
def test_what_is_no_record(text: str, line: int, why: str) -> None:
    assert trouble(text) == (line, why)


def test_times_and_foreign_fields_change_nothing() -> None:
    lines = parsed("dargaud-1996-3")
    for number, line in enumerate(lines):
        line.pop("at")
        line["note"] = f"line {number}"
    assert verify(read(as_text(lines))).final == verify(read(golden("dargaud-1996-3"))).final
    assert write(read(as_text(lines))) == as_text(lines)


def test_who_played_a_seat_may_be_told_otherwise() -> None:
    """Names prove nothing, and are not checked."""
    lines = parsed(LIVELY)
    lines[place(lines, "sub")]["by"] = "somebody else"
    assert verify(read(as_text(lines))).lines == len(lines)


def test_under_automatic_it_does_not_matter_who_said_last_card() -> None:
    lines = parsed("automatic")
    assert Options.of("days-of-wonder", lines[0]["options"]).last_card == "automatic"
    for line in lines:
        if line["t"] == "play":
            line["last_card"] = False
    assert verify(read(as_text(lines))).final == verify(read(golden("automatic"))).final


JUNK: tuple[object, ...] = (
    None,
    -1,
    4,
    10**30,
    1.5,
    True,
    "",
    "x",
    "7R",
    [],
    [[]],
    ["7R"],
    [0, 0, 0],
    {},
    {"deal": "plain"},
)


@pytest.mark.parametrize("name", ["automatic", "chinese-abandoned", "summary-sheet-4"])
def test_junk_in_any_field_is_refused_or_harmless_but_never_breaks_the_verifier(name: str) -> None:
    refused = 0
    for at in {line["t"]: number for number, line in enumerate(parsed(name))}.values():
        for field in parsed(name)[at]:
            for junk in JUNK:
                lines = parsed(name)
                lines[at][field] = junk
                refused += is_refused(as_text(lines))
    assert refused > 300


def is_refused(text: str) -> bool:
    """Whether a record is refused; any error but `BadRecord` fails the test."""
    try:
        verify(read(text))
    except BadRecord:
        return True
    return False


def automatic(left: int) -> tuple[list[Fields], int]:
    """A record under `last_card=automatic`, and the first play that leaves so many cards."""
    lines = parsed("automatic")
    held: dict[int, int] = {}
    for number, line in enumerate(lines):
        if line["t"] == "deal":
            held = dict.fromkeys(range(len(line["hands"])), 16)
        elif line["t"] == "play":
            held[line["seat"]] -= len(line["cards"])
            if held[line["seat"]] == left:
                return lines, number
    raise AssertionError("no such play")


def test_under_automatic_a_record_says_last_card_or_leaves_it_out() -> None:
    lines, number = automatic(left=1)
    for said in (True, False):
        lines[number]["last_card"] = said
        verify(read(as_text(lines)))


def test_under_automatic_only_a_play_that_leaves_one_card_says_last_card() -> None:
    lines, number = automatic(left=11)
    lines[number]["last_card"] = True
    line, why = trouble(as_text(lines))
    assert line == number + 1
    assert STANDS in why


def test_r34_records_that_counted_in_the_direction_of_play_still_verify() -> None:
    options = Options.of("dargaud-1996", {"deal": "chinese", "target": 1000})
    _, events = simulate(Setting(4, "dargaud-1996", options, "chinese"), 1)
    lines = [json.loads(line) for line in write(Line(event) for event in events).splitlines()]
    winner = next(line["winner"] for line in lines if line["t"] == "hand_end")
    second = next(line for line in lines if line["t"] == "deal" and line["hand"] == 2)
    verify(read(as_text(lines)))
    new = second["first"]
    second["first"] = (2 * winner - new) % 4
    verify(read(as_text(lines)))
    second["first"] = (new + 1) % 4
    assert STANDS in trouble(as_text(lines))[1]
