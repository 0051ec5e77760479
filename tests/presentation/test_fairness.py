"""Reports about faulty records."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bot.analysis.fairness import check
from bot.analysis.replay import Origin, ReplayedMatch
from bot.engine import MatchStarted
from bot.engine.record import BadRecord, Line, UnfinishedRecord, UnreadableLine, WrongLine, WrongSeed
from bot.presentation.records.fairness import fairness_message
from bot.presentation.text.errors import fault_text
from bot.presentation.text.i18n import languages, words_in
from bot.services.history import NameTooLong, verify_record
from bot.table.salt import Salt
from tests.presentation.sent_messages import MAX_TEXT_LENGTH, text_of, width

RECORD = Path(__file__).parents[1] / "engine" / "records" / "days-of-wonder-4.jsonl"
LINES = RECORD.read_text(encoding="utf-8").rstrip("\n").split("\n")  # a name has U+2028 in it
SEEDED = json.loads(LINES[-1])
WRONG = {
    UnreadableLine: [*LINES[:4], "hello"],
    UnfinishedRecord: LINES[:-1],
    WrongSeed: [*LINES[:-1], json.dumps({**SEEDED, "seed": SEEDED["seed"][::-1]})],
    WrongLine: [*LINES, LINES[1]],
    NameTooLong: [LINES[0], json.dumps({"t": "sub", "seat": 1, "by": "x" * 101}), *LINES[1:]],
}


def test_there_is_a_record_of_every_kind_of_fault() -> None:
    assert set(WRONG) == set(BadRecord.__subclasses__())


@pytest.mark.parametrize("kind", WRONG, ids=lambda kind: kind.__name__)
def test_a_bad_record_is_explained_in_every_language_with_its_line_and_a_note_for_programmers(
    kind: type[BadRecord],
) -> None:
    with pytest.raises(BadRecord) as caught:
        verify_record("\n".join(WRONG[kind]))
    fault = caught.value
    assert type(fault) is kind
    texts = [fault_text(fault, words_in(language)).split("\n") for language in languages()]
    assert len({sentence for sentence, _ in texts}) > 1  # English is shown until a translation is there
    assert all(str(fault.line) in sentence and note.startswith("-# `") for sentence, note in texts)


@pytest.mark.parametrize("digits", [20, 21, 3_900, 5_000])
def test_a_salt_with_a_number_of_any_length_is_shown_within_discords_limit(digits: int) -> None:
    first, *rest = verify_record("\n".join(LINES))
    assert isinstance(first.event, MatchStarted)
    salt = "-".join(["9" * digits, *["0"] * len(first.event.seats)])
    match = ReplayedMatch.of(1, [Line(replace(first.event, salt=salt), first.at), *rest], Origin.IMPORT)
    assert (Salt.parse(salt, len(first.event.seats)) is not None) == (digits <= 20)
    view = fairness_message(match, check(match.lines), words_in("en"))
    assert width(text_of(view)) <= MAX_TEXT_LENGTH


def test_hands_that_match_are_counted_and_others_are_named() -> None:
    match = ReplayedMatch.of(1, verify_record("\n".join(LINES)), Origin.IMPORT)
    checked, words = check(match.lines), words_in("en")
    hands = len(checked.deals)
    assert f"✅ {hands} hands match when dealt again." in text_of(fairness_message(match, checked, words))
    first, second, *rest = checked.deals
    wrong = replace(checked, deals=(first, replace(second, agrees=False), *rest))
    text = text_of(fairness_message(match, wrong, words))
    assert f"✅ {hands - 1} hands match when dealt again." in text
    assert [line[:8] for line in text.splitlines() if "does not match when dealt again" in line] == ["❌ Hand 2"]
    none = replace(checked, deals=tuple(replace(deal, agrees=False) for deal in checked.deals))
    assert "✅" not in text_of(fairness_message(match, none, words)).partition("Salt")[2]
