"""The replay panel and the transcript of a match."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.analysis import fairness
from bot.analysis.coaching import Cost, decisions, review
from bot.analysis.replay import ReplayedMatch
from bot.engine import Play
from bot.engine.events import Abandoned, Forgot, HandEnded, MatchEnded, Played
from bot.engine.record import Line
from bot.engine.verification import verify
from bot.presentation.records.coaching import review_message
from bot.presentation.records.fairness import fairness_message
from bot.presentation.records.pictures import replay_of
from bot.presentation.records.replay import ReplayState, opening_state, replay_message
from bot.presentation.records.transcript import transcript
from bot.presentation.text.i18n import languages, words_in
from bot.presentation.text.moves import move_text
from bot.presentation.ui.custom_ids import InvalidCustomId, Press, Verb
from tests.analysis.test_replay import LONG, RECORDS, record
from tests.presentation.sample_tables import EMOJIS, WORDS, long_match
from tests.presentation.sent_messages import check, pressable, text_of

MATCH = record(LONG)


def text_at(moment: int, viewpoint: str = "a", match: ReplayedMatch = MATCH) -> str:
    return text_of(
        replay_message(match, replace(opening_state(match, moment), viewpoint=viewpoint), WORDS, has_pictures=True)
    )


def buttons_at(moment: int) -> dict[str, bool]:
    """The step buttons of a moment as `action moment`, and True if they are enabled."""
    found = pressable(replay_message(MATCH, opening_state(MATCH, moment), WORDS, has_pictures=True))
    presses = {Press.parse(custom_id): part for custom_id, part in found.items() if part["type"] == 2}
    return {f"{press.arguments[-1]} {press.moment}": not part.get("disabled") for press, part in presses.items()}


def test_step_buttons() -> None:
    last = len(MATCH.stops) - 1
    second = MATCH.hands()[2]
    assert {"first 0", "back 0", "before 0"}.isdisjoint(name for name, can in buttons_at(0).items() if can)
    assert buttons_at(0)[f"after {second}"]
    middle = buttons_at(second + 1)
    assert all(middle[name] for name in ("first 0", f"back {second}", f"next {second + 2}", f"last {last}"))
    assert middle[f"before {second}"]
    assert not buttons_at(last)[f"next {last}"]
    assert not buttons_at(last)[f"last {last}"]


def test_only_the_chosen_hands_are_shown() -> None:
    names = MATCH.started.seats[:3]
    assert all(f"{name}**: " in text_at(0) for name in names)
    seen = text_at(0, "2")
    assert [name for name in names if f"{name}**: " in seen] == [names[2]]


def test_the_panel_shows_the_last_move_the_cycle_and_the_turn() -> None:
    number, led = next((each.number, each.event) for each in MATCH.moments() if isinstance(each.event, Played))
    text = text_at(number)
    assert f"{MATCH.started.seats[led.seat]} led: " in text
    assert "\n## " in text
    assert "plays or passes" in text
    ended = next(moment for moment in MATCH.moments() if isinstance(moment.event, HandEnded))
    assert "wins the hand." in text_at(ended.number)
    over = text_at(10**6)
    assert isinstance(MATCH.events[-1], MatchEnded)
    assert "**The match is over.**" in over
    assert "🥇 1. " in over


def test_cards_are_text_where_emoji_would_not_fit() -> None:
    match = long_match()
    for words in (WORDS, WORDS.with_emojis(EMOJIS)):
        texts = [text_of(replay_message(match, opening_state(match, at), words, has_pictures=True)) for at in range(40)]
        assert all(len(text) <= 4000 for text in texts)
    assert any("<:" in text for text in texts)


def test_files_are_offered_for_finished_matches_only() -> None:
    ends = [number for number, event in enumerate(MATCH.events, 1) if isinstance(event, HandEnded)]
    running = ReplayedMatch.of(12, MATCH.lines[: ends[0]])
    files = {"record", "text", "verify"}

    def offered(match: ReplayedMatch) -> set[str]:
        found = pressable(replay_message(match, opening_state(match), WORDS, has_pictures=False))
        return {Press.parse(custom_id).arguments[-1] for custom_id in found}

    assert files <= offered(MATCH)
    assert not files & offered(running)
    assert not {"still", "moving"} & offered(MATCH)


@pytest.mark.parametrize("kind", ["t", "i"])
def test_the_state_is_read_back_from_the_ids(kind: str) -> None:
    shown = ReplayState(7, 33, kind == "i", "3")
    assert ReplayState.parse(Press.parse(str(shown.press("eyes")))) == shown


@pytest.mark.parametrize("custom_id", ["g4:past:1:0", "g4:past:1:0:t", "g4:past:1:0:z:a:x", "g4:past:1:9999999:t:a:x"])
def test_invalid_ids_of_replays_are_refused(custom_id: str) -> None:
    with pytest.raises(InvalidCustomId):
        ReplayState.parse(Press.parse(custom_id))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_move_has_the_same_text_in_panel_transcript_and_picture(path: Path) -> None:
    match = record(path)
    whole = transcript(match, WORDS)
    options = match.started.options
    for hand in match.hands():
        report = match.report(hand)
        if report is None:
            continue
        replay = replay_of("", match.at(0).table, report, WORDS)
        for move, drawn in zip(report.moves, replay.moves, strict=True):
            assert drawn.text == move_text(move.cards, options, WORDS, forgot=move.forgot)
            assert drawn.text in whole


def test_a_forgotten_declaration_is_described_by_the_rule_of_the_table() -> None:
    found = {
        match.started.options.forgotten: transcript(match, WORDS)
        for match in map(record, RECORDS)
        if any(isinstance(event, Forgot) for event in match.events)
    }
    assert 'out: forgot "Last card!"' in found["out"]
    assert 'forgot "Last card!", so the card comes back' in found["takes_back"]
    assert "out:" not in found["takes_back"]


def test_the_transcript_has_every_hand_and_move_and_no_markup() -> None:
    whole = transcript(MATCH, WORDS.with_emojis(EMOJIS))
    assert [f"Hand {hand} ·" in whole for hand in MATCH.hands()] == [True] * len(MATCH.hands())
    assert whole.count("\n") >= len(MATCH.stops)
    assert MATCH.seed in whole
    assert not any(mark in whole for mark in ("**", "<:", "-# ", "\\"))


def test_an_unfair_deal_is_shown() -> None:
    last = MATCH.events[-1]
    assert isinstance(last, MatchEnded)
    lines = (*MATCH.lines[:-1], Line(MatchEnded(last.ranking, "00" * 32)))
    text = text_of(fairness_message(MATCH, fairness.check(lines), WORDS))
    assert "❌ That is the SHA-256" in text
    assert "❌ Hand 1 does not match when dealt again: " in text
    assert "✅" not in text


def test_a_match_without_a_deal_can_be_replayed() -> None:
    lines = [MATCH.lines[0], Line(Abandoned("closed", (0, 0, 0, 0), MATCH.seed))]
    verify(lines)
    match = ReplayedMatch.of(1, tuple(lines), imported=True)
    assert "This table is closed." in text_at(0, match=match)
    assert "This table is closed." in transcript(match, WORDS)
    assert "✅ Everything matches" in text_of(fairness_message(match, fairness.check(lines), WORDS))


def test_the_pace_is_not_shown_because_records_do_not_have_it() -> None:
    assert "no time limit" not in text_at(0) + transcript(MATCH, WORDS)
    assert "to 100 points" in text_at(0)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("is_own", [True, False])
def test_a_review_names_the_expensive_moves_and_shows_them(language: str, is_own: bool) -> None:
    words, seat = words_in(language).with_emojis(EMOJIS), 1
    found = [each for each in decisions(MATCH, 2, seat) if each.view.plays()][:3]
    costs = [Cost(each, Play(seat, each.view.plays()[-1].cards), points, 0.1) for points, each in enumerate(found, 2)]
    state = replace(opening_state(MATCH, MATCH.hands()[2]), viewpoint=str(seat))
    table = MATCH.at(state.moment).table
    message = review_message("Hand 2", table, review([*costs, *costs[:1]]), state, words, is_own=is_own)
    check(message)
    text = text_of(message)
    assert all(words.number(cost.points, 1) in text for cost in costs)
    shown = [Press.parse(custom_id) for custom_id in pressable(message)]
    assert [press.moment for press in shown] == sorted(each.moment for each in found)
    nothing = review_message("Hand 2", table, review([]), state, words, is_own=is_own)
    check(nothing)
    assert not pressable(nothing)


def test_finished_hands_have_a_coach_if_the_app_has_one() -> None:
    for has_coach in (True, False):
        message = replay_message(MATCH, opening_state(MATCH), WORDS, has_pictures=True, has_coach=has_coach)
        assert any(Press.parse(custom_id).verb is Verb.COACH for custom_id in pressable(message)) == has_coach
