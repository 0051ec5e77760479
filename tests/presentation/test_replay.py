"""The panel in which a match is gone through: what it shows of each moment, and where its parts lead."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.analysis import fairness
from bot.analysis.replay import ReplayedMatch
from bot.engine.events import Abandoned, Forgot, HandEnded, MatchEnded, Played
from bot.engine.record import Line
from bot.engine.verification import verify
from bot.presentation.records.fairness import checked_message
from bot.presentation.records.pictures import replay_of
from bot.presentation.records.replay import ReplayState, opening_state, replay_message
from bot.presentation.records.transcript import transcript
from bot.presentation.text.moves import laid
from bot.presentation.ui.custom_ids import InvalidCustomId, Press
from tests.presentation.limits import pressable, text_of
from tests.presentation.scenes import EMOJIS, WORDS, long_match
from tests.services.test_replay import LONG, RECORDS, record

MATCH = record(LONG)


def text_at(moment: int, eyes: str = "a", match: ReplayedMatch = MATCH) -> str:
    return text_of(replay_message(match, replace(opening_state(match, moment), eyes=eyes), WORDS, draws=True))


def buttons_at(moment: int) -> dict[str, bool]:
    """The buttons that lead to a moment, as `what moment`, and whether they can be pressed."""
    found = pressable(replay_message(MATCH, opening_state(MATCH, moment), WORDS, draws=True))
    presses = {Press.parse(custom_id): part for custom_id, part in found.items() if part["type"] == 2}
    return {f"{press.arguments[-1]} {press.moment}": not part.get("disabled") for press, part in presses.items()}


def test_steps_lead_to_the_ends_to_neighbors_and_to_hands() -> None:
    last = len(MATCH.stops) - 1
    second = MATCH.hands()[2]
    assert {"first 0", "back 0", "before 0"}.isdisjoint(name for name, can in buttons_at(0).items() if can)
    assert buttons_at(0)[f"after {second}"]
    middle = buttons_at(second + 1)
    assert all(middle[name] for name in ("first 0", f"back {second}", f"next {second + 2}", f"last {last}"))
    assert middle[f"before {second}"]
    assert not buttons_at(last)[f"next {last}"]
    assert not buttons_at(last)[f"last {last}"]


def test_a_hand_is_shown_to_the_eyes_that_were_chosen() -> None:
    names = MATCH.started.seats[:3]
    assert all(f"{name}**: " in text_at(0) for name in names)
    seen = text_at(0, "2")
    assert [name for name in names if f"{name}**: " in seen] == [names[2]]


def test_the_last_move_the_open_cycle_and_whose_turn_it_is_stand_there() -> None:
    number, led = next((each.number, each.event) for each in MATCH.moments() if isinstance(each.event, Played))
    text = text_at(number)
    assert f"{MATCH.started.seats[led.seat]} led: " in text
    assert "**On the table**" in text
    assert "is to play or pass." in text
    ended = next(moment for moment in MATCH.moments() if isinstance(moment.event, HandEnded))
    assert "is out first." in text_at(ended.number)
    over = text_at(10**6)
    assert isinstance(MATCH.events[-1], MatchEnded)
    assert "**The match is over.**" in over
    assert "🥇 1. " in over


def test_cards_as_pictures_give_way_to_text_where_they_would_not_fit() -> None:
    match = long_match()
    for words in (WORDS, WORDS.with_emojis(EMOJIS)):
        texts = [text_of(replay_message(match, opening_state(match, at), words, draws=True)) for at in range(40)]
        assert all(len(text) <= 4000 for text in texts)
    assert any("<:" in text for text in texts)


def test_the_files_are_offered_for_what_is_over_only() -> None:
    ends = [number for number, event in enumerate(MATCH.events, 1) if isinstance(event, HandEnded)]
    running = ReplayedMatch.of(12, MATCH.lines[: ends[0]])
    files = {"record", "text", "verify"}

    def offered(match: ReplayedMatch) -> set[str]:
        found = pressable(replay_message(match, opening_state(match), WORDS, draws=False))
        return {Press.parse(custom_id).arguments[-1] for custom_id in found}

    assert files <= offered(MATCH)
    assert not files & offered(running)
    assert not {"still", "moving"} & offered(MATCH)


@pytest.mark.parametrize("kind", ["t", "i"])
def test_what_is_shown_comes_back_from_the_ids_of_the_panel(kind: str) -> None:
    shown = ReplayState(7, 33, kind == "i", "3")
    assert ReplayState.parse(Press.parse(str(shown.press("eyes")))) == shown


@pytest.mark.parametrize("custom_id", ["g4:past:1:0", "g4:past:1:0:t", "g4:past:1:0:z:a:x", "g4:past:1:9999999:t:a:x"])
def test_other_ids_are_foreign(custom_id: str) -> None:
    with pytest.raises(InvalidCustomId):
        ReplayState.parse(Press.parse(custom_id))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_move_is_called_the_same_in_panel_text_and_picture(path: Path) -> None:
    match = record(path)
    whole = transcript(match, WORDS)
    options = match.started.options
    for hand in match.hands():
        report = match.report(hand)
        if report is None:
            continue
        replay = replay_of("", match.at(0).table, report, WORDS)
        for move, drawn in zip(report.moves, replay.moves, strict=True):
            assert drawn.text == laid(move.cards, options, WORDS, forgot=move.forgot)
            assert drawn.text in whole


def test_what_was_forgotten_is_told_as_the_table_plays_it() -> None:
    found = {
        match.started.options.forgotten: transcript(match, WORDS)
        for match in map(record, RECORDS)
        if any(isinstance(event, Forgot) for event in match.events)
    }
    assert 'out: forgot "Last card!"' in found["out"]
    assert 'forgot "Last card!", so the card comes back' in found["takes_back"]
    assert "out:" not in found["takes_back"]


def test_the_text_of_a_match_has_every_hand_every_move_and_no_markup() -> None:
    whole = transcript(MATCH, WORDS.with_emojis(EMOJIS))
    assert [f"Hand {hand} ·" in whole for hand in MATCH.hands()] == [True] * len(MATCH.hands())
    assert whole.count("\n") >= len(MATCH.stops)
    assert MATCH.seed in whole
    assert not any(mark in whole for mark in ("**", "<:", "-# ", "\\"))


def test_a_deal_that_does_not_agree_is_told() -> None:
    last = MATCH.events[-1]
    assert isinstance(last, MatchEnded)
    lines = (*MATCH.lines[:-1], Line(MatchEnded(last.ranking, "00" * 32)))
    text = text_of(checked_message(MATCH, fairness.check(lines), WORDS))
    assert "❌ That is the SHA-256" in text
    assert "❌ Hand 1, dealt again, begins " in text
    assert "✅" not in text


def test_a_match_that_was_given_up_before_its_first_deal_can_be_looked_at() -> None:
    lines = [MATCH.lines[0], Line(Abandoned("closed", (0, 0, 0, 0), MATCH.seed))]
    verify(lines)
    match = ReplayedMatch.of(1, tuple(lines), imported=True)
    assert "This table is closed." in text_at(0, match=match)
    assert "This table is closed." in transcript(match, WORDS)
    assert "✅ Everything agrees" in text_of(checked_message(match, fairness.check(lines), WORDS))


def test_the_pace_which_the_record_does_not_tell_is_not_told() -> None:
    assert "no time limit" not in text_at(0) + transcript(MATCH, WORDS)
    assert "to 100 points" in text_at(0)
