"""Correct records, and records with changes, which are reported with the right line and reason."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from bot.engine import Options, Phase, replay
from bot.engine.record import KINDS, BadRecord, read, write
from bot.engine.verification import verify
from tests.engine.golden import GOLDEN, golden

Fields = dict[str, Any]
Change = Callable[[Fields], object]


def parsed(name: str) -> list[Fields]:
    """The lines of a golden record as JSON objects."""
    return [json.loads(line) for line in golden(name).removesuffix("\n").split("\n")]


def as_text(lines: list[Fields]) -> str:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def error_of(text: str) -> tuple[int, str]:
    """The line and the reason with which a record is refused."""
    with pytest.raises(BadRecord) as caught:
        verify(read(text))
    return caught.value.line, caught.value.why


def line_index(lines: list[Fields], kind: str, nth: int = 0) -> int:
    """The index of the nth line of a kind, from 0 (-1: the last of the kind)."""
    return [number for number, line in enumerate(lines) if line["t"] == kind][nth]


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_records_are_correct(name: str) -> None:
    lines = read(golden(name))
    final = verify(lines)
    assert final.hand_number == sum(line["t"] == "deal" for line in parsed(name))
    assert final.phase is Phase.OVER
    assert final == replay(line.event for line in lines)


def test_the_golden_records_have_every_kind_of_line_and_every_edition() -> None:
    kinds = {line["t"] for name in GOLDEN for line in parsed(name)}
    assert kinds == KINDS.keys()
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
    """A change of a line, and the expected report."""

    kind: str
    change: Change
    why: str
    name: str = "days-of-wonder-4"
    nth: int = 0
    reported_later: int = 0
    """The number of lines after which the error is reported."""


REQUIRED = "the rules and the seed require"
ACTIVE = "chinese-abandoned"

TAMPERED = {
    "match: commitment": Tampered("match", set_to("commitment", "00" * 32), "the commitment isn't its SHA-256"),
    "match: salt": Tampered("match", set_to("salt", "1-2-3-4"), REQUIRED, reported_later=1),
    "match: dealer": Tampered("match", add_to("dealer", 1), REQUIRED, ACTIVE, reported_later=1),
    "match: a seat more": Tampered(
        "match", lambda line: line["seats"].append("Eve"), REQUIRED, "days-of-wonder-3", reported_later=1
    ),
    "match: options": Tampered(
        "match", lambda line: line["options"].update(deal="chinese"), REQUIRED, reported_later=1
    ),
    "deal: two cards swapped": Tampered("deal", swap_cards, REQUIRED),
    "deal: two cards swapped later": Tampered("deal", swap_cards, REQUIRED, nth=-1),
    "deal: dummy": Tampered("deal", in_list("dummy", 0, lambda _: "9Y"), REQUIRED, "days-of-wonder-3"),
    "deal: direction": Tampered("deal", set_to("direction", -1), REQUIRED),
    "deal: hand": Tampered("deal", set_to("hand", 2), REQUIRED),
    "deal: cut": Tampered("deal", in_list("cut", 0, lambda card: "3G" if card != "3G" else "4G"), REQUIRED, ACTIVE),
    "deal: first": Tampered("deal", add_to("first", 1), REQUIRED, ACTIVE),
    "give: card": Tampered("give", another_card, REQUIRED),
    "give: seat": Tampered("give", add_to("seat", 1), REQUIRED),
    "give: to": Tampered("give", add_to("to", 1), REQUIRED),
    "give_back: card": Tampered("give_back", set_to("card", "1M"), "R19: the hand does not hold"),
    "give_back: seat": Tampered("give_back", add_to("seat", 1), "R27: this seat has no card to give back"),
    "give_back: to": Tampered("give_back", lambda line: line.update(to=line["seat"]), REQUIRED),
    "play: seat": Tampered("play", add_to("seat", 1), "R23: it is seat"),
    "play: no such seat": Tampered("play", set_to("seat", 9), "there is no such seat"),
    "play: cards": Tampered("play", set_to("cards", ["DR", "PG"]), "R19: the hand does not hold"),
    "play: no cards": Tampered("play", set_to("cards", []), "R3: an empty play isn't a combination"),
    "play: last_card": Tampered("play", set_to("last_card", True), "R29: only a player with one card can declare it"),
    "pass: seat": Tampered("pass", add_to("seat", 1), "R23: it is seat"),
    "pass: no such seat": Tampered("pass", set_to("seat", -1), "there is no such seat"),
    "declare: seat": Tampered(
        "declare", add_to("seat", 1, 3), "R29: only a player with one card can declare it", "dargaud-1996-3"
    ),
    "declare: no such seat": Tampered("declare", set_to("seat", -1), "there is no such seat"),
    "forgot: seat": Tampered("forgot", add_to("seat", 1), REQUIRED),
    "forgot: seat, where it is taken back": Tampered(
        "forgot", add_to("seat", 1), "R23: it is seat", name="dargaud-1996-4"
    ),
    "undo: seat": Tampered("undo", add_to("seat", 1), "R23: there is nothing to take back", ACTIVE),
    "sub: no such seat": Tampered("sub", set_to("seat", 4), "there is no such seat", ACTIVE),
    "hand_end: hand": Tampered("hand_end", set_to("hand", 7), REQUIRED),
    "hand_end: winner": Tampered("hand_end", add_to("winner", 1), REQUIRED),
    "hand_end: left": Tampered("hand_end", in_list("left", 1, lambda left: left + 1), REQUIRED),
    "hand_end: points": Tampered("hand_end", in_list("points", 1, lambda points: points + 1), REQUIRED),
    "hand_end: totals": Tampered("hand_end", in_list("totals", 1, lambda total: total + 1), REQUIRED, nth=-1),
    "match_end: ranking": Tampered("match_end", lambda line: line["ranking"].reverse(), REQUIRED),
    "match_end: seed": Tampered("match_end", set_to("seed", "00" * 32), "the seed doesn't match the commitment"),
    "match_end: no seed": Tampered("match_end", set_to("seed", "secret"), "the seed is not hex"),
    "abandoned: totals": Tampered("abandoned", in_list("totals", 0, lambda total: total + 1), REQUIRED, ACTIVE),
    "abandoned: seed": Tampered(
        "abandoned", set_to("seed", "11" * 32), "the seed doesn't match the commitment", ACTIVE
    ),
}


@pytest.mark.parametrize("tampered", TAMPERED.values(), ids=TAMPERED)
def test_a_changed_line_is_found(tampered: Tampered) -> None:
    lines = parsed(tampered.name)
    at = line_index(lines, tampered.kind, tampered.nth)
    tampered.change(lines[at])
    line, why = error_of(as_text(lines))
    assert line == at + 1 + tampered.reported_later, why
    assert tampered.why in why


def test_every_kind_of_line_is_tampered_with() -> None:
    assert {row.kind for row in TAMPERED.values()} == {line["t"] for name in GOLDEN for line in parsed(name)}


def test_a_play_that_does_not_beat_is_found() -> None:
    """An answer is replaced by the lowest card of the hand that plays it."""
    lines = parsed("days-of-wonder-4")
    hands = lines[1]["hands"]
    at = next(
        number
        for number, line in enumerate(lines[3:], 3)
        if line["t"] == "play" == lines[number - 1]["t"] and len(line["cards"]) == 1
    )
    lines[at]["cards"] = hands[lines[at]["seat"]][:1]
    line, why = error_of(as_text(lines))
    assert line == at + 1
    assert "R1" in why


@pytest.mark.parametrize("kind", ["deal", "give", "give_back", "hand_end", "forgot", "play", "pass"])
def test_a_missing_line_is_found(kind: str) -> None:
    lines = parsed("days-of-wonder-4")
    at = line_index(lines, kind)
    del lines[at]
    line, _ = error_of(as_text(lines))
    assert line == at + 1


@pytest.mark.parametrize("kind", ["match", "deal", "give", "give_back", "forgot", "hand_end", "match_end"])
def test_a_repeated_line_is_found(kind: str) -> None:
    lines = parsed("days-of-wonder-4")
    at = line_index(lines, kind)
    lines.insert(at, lines[at])
    line, why = error_of(as_text(lines))
    assert line == at + 2, why


def test_a_truncated_record_is_found_at_its_last_line() -> None:
    lines = parsed("days-of-wonder-4")
    for length in (1, 2, 50, len(lines) - 1):
        assert error_of(as_text(lines[:length])) == (length, "the record stops before the match is over")


def test_a_record_cut_within_a_line_is_not_json() -> None:
    text = golden("days-of-wonder-4")
    half = text[: len(text) // 2].rstrip("\n") if text[len(text) // 2 - 1] != "}" else text[: len(text) // 2 - 1]
    assert error_of(half) == (half.count("\n") + 1, "this is not JSON")


def test_an_early_end_is_found() -> None:
    lines = parsed("days-of-wonder-4")
    line, why = error_of(as_text([*lines[:6], lines[-1], *lines[6:]]))
    assert (line, REQUIRED in why or "happen here" in why) == (7, True), why
    line, why = error_of(as_text([*lines, lines[-2]]))
    assert (line, why) == (len(lines) + 1, "a line follows the end of the match")


def test_an_error_after_a_correct_forgot_line_is_found_there() -> None:
    lines = parsed("days-of-wonder-4")
    at = next(n for n, line in enumerate(lines) if line["t"] == "forgot" and lines[n + 1]["t"] == "pass")
    lines[at + 1]["seat"] = (lines[at + 1]["seat"] + 1) % 4
    line, why = error_of(as_text(lines))
    assert (line, "R23" in why or "R30" in why) == (at + 2, True), why


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("", 1, "the record is empty"),
        ('{"t": "pass", "seat": 0}', 1, "a record begins with a match line"),
        ("not a record", 1, "this is not JSON"),
    ],
)
def test_broken_records(text: str, line: int, why: str) -> None:
    assert error_of(text) == (line, why)


def test_times_and_unknown_fields_are_ignored() -> None:
    lines = parsed("dargaud-1996-3")
    for number, line in enumerate(lines):
        line.pop("at")
        line["note"] = f"line {number}"
    assert verify(read(as_text(lines))) == verify(read(golden("dargaud-1996-3")))
    assert write(read(as_text(lines))) == as_text(lines)


def test_names_of_players_are_not_checked() -> None:
    """They don't affect the match."""
    lines = parsed(ACTIVE)
    lines[line_index(lines, "sub")]["by"] = "another player"
    verify(read(as_text(lines)))


def test_under_automatic_a_declaration_may_be_missing() -> None:
    lines = parsed("automatic")
    assert Options.of("days-of-wonder", lines[0]["options"]).last_card == "automatic"
    for line in lines:
        if line["t"] == "play":
            line["last_card"] = False
    assert verify(read(as_text(lines))) == verify(read(golden("automatic")))


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
def test_junk_in_any_field_does_not_break_the_verifier(name: str) -> None:
    refused = 0
    for at in {line["t"]: number for number, line in enumerate(parsed(name))}.values():
        for field in parsed(name)[at]:
            for junk in JUNK:
                lines = parsed(name)
                lines[at][field] = junk
                refused += is_refused(as_text(lines))
    assert refused > 300


def is_refused(text: str) -> bool:
    """True if reading or verifying raises `BadRecord`; other errors fail the test."""
    try:
        verify(read(text))
    except BadRecord:
        return True
    return False


def automatic(left: int) -> tuple[list[Fields], int]:
    """A record under `last_card=automatic`, and the index of the first play that leaves `left` cards."""
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


def test_under_automatic_only_a_play_that_leaves_one_card_says_last_card() -> None:
    lines, number = automatic(left=11)
    lines[number]["last_card"] = True
    line, why = error_of(as_text(lines))
    assert line == number + 1
    assert REQUIRED in why
