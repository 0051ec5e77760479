"""The replay panel and the transcript of a match."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.analysis import fairness
from bot.analysis.coaching import Cost, HandReview, decisions, ended_hands, review, review_match
from bot.analysis.par import results
from bot.analysis.replay import Origin, ReplayedMatch
from bot.engine import Play
from bot.engine.events import Abandoned, Forgot, HandEnded, MatchEnded, Played, Substituted
from bot.engine.record import Line
from bot.engine.record import read as read_record
from bot.engine.verification import verify
from bot.pictures.descriptions import draw
from bot.presentation.records.coaching import (
    match_figures_message,
    match_review_charts,
    match_review_message,
    review_message,
)
from bot.presentation.records.fairness import fairness_message
from bot.presentation.records.pictures import replay_of
from bot.presentation.records.replay import opening_state, replay_message
from bot.presentation.records.transcript import transcript
from bot.presentation.table.replay_state import ReplayState
from bot.presentation.text import labels
from bot.presentation.text.i18n import languages, words_in
from bot.presentation.text.moves import move_text
from bot.presentation.ui.custom_ids import InvalidCustomId, Part, Press, Verb
from tests.analysis.test_replay import LONG, RECORDS, record
from tests.pictures.test_pages import read
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
    second = MATCH.first_moments()[2]
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
    assert "👉 **" in text
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
    files = {Part.RECORD, Part.TEXT, Part.VERIFY}

    def offered(match: ReplayedMatch) -> set[Part | None]:
        found = pressable(replay_message(match, opening_state(match), WORDS, has_pictures=False))
        return {Press.parse(custom_id).part for custom_id in found}

    assert files <= offered(MATCH)
    assert not files & offered(running)
    assert not {Part.STILL, Part.MOVING} & offered(MATCH)


@pytest.mark.parametrize("origin", Origin)
def test_the_state_is_read_back_from_the_ids(origin: Origin) -> None:
    shown = ReplayState(7, 33, origin, "3")
    assert ReplayState.parse(Press.parse(str(shown.press(Part.EYES)))) == shown


@pytest.mark.parametrize("custom_id", ["g4:past:1:0", "g4:past:1:0:t", "g4:past:1:0:z:a:x", "g4:past:1:9999999:t:a:x"])
def test_invalid_ids_of_replays_are_refused(custom_id: str) -> None:
    with pytest.raises(InvalidCustomId):
        ReplayState.parse(Press.parse(custom_id))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_move_has_the_same_text_in_panel_transcript_and_picture(path: Path) -> None:
    match = record(path)
    whole = transcript(match, WORDS)
    options = match.started.options
    for hand in match.first_moments():
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
    assert [f"Hand {hand} ·" in whole for hand in MATCH.first_moments()] == [True] * len(MATCH.first_moments())
    assert whole.count("\n") >= len(MATCH.stops)
    assert MATCH.revealed_seed in whole
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
    lines = [MATCH.lines[0], Line(Abandoned("closed", (0, 0, 0, 0), MATCH.revealed_seed))]
    verify(lines)
    match = ReplayedMatch.of(1, tuple(lines), Origin.IMPORT)
    assert "This table is closed." in text_at(0, match=match)
    assert "This table is closed." in transcript(match, WORDS)
    assert "✅ Everything matches" in text_of(fairness_message(match, fairness.check(lines), WORDS))


def test_the_pace_is_not_shown_because_records_do_not_have_it() -> None:
    assert "no time limit" not in text_at(0) + transcript(MATCH, WORDS)
    assert "to 100 points" in text_at(0)


def test_the_styles_of_ai_players_are_not_shown_because_records_do_not_have_them() -> None:
    started, *lines = read_record(LONG.read_text(encoding="utf-8"))
    masters = (Line(Substituted(seat, "ai:master"), at=0) for seat in range(4))
    shown = text_at(0, match=ReplayedMatch.of(12, (started, *masters, *lines)))
    assert "🤖" in shown
    assert not [name for name in labels.STYLE_NAMES.values() if name[0] in shown]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("is_own", [True, False])
def test_a_review_names_the_expensive_moves_and_shows_them(language: str, is_own: bool) -> None:
    words, seat = words_in(language).with_emojis(EMOJIS), 1
    found = [each for each in decisions(MATCH, 2, seat) if each.view.plays()][:3]
    costs = [Cost(each, Play(seat, each.view.plays()[-1].cards), points, 0.1) for points, each in enumerate(found, 2)]
    state = replace(opening_state(MATCH, MATCH.first_moments()[2]), viewpoint=str(seat))
    table = MATCH.at(state.moment).table
    ended = ended_hands(MATCH)[1]
    reviewed = HandReview(ended, review([*costs, *costs[:1]]), tuple(results(ended.points, (9.0, 4.0, 6.0, 7.0))))
    message = review_message("Hand 2", table, reviewed, state, words, is_own=is_own)
    check(message)
    text = text_of(message)
    assert all(words.number(cost.points, 1) in text for cost in costs)
    *shown, why = [Press.parse(custom_id) for custom_id in pressable(message)]
    assert [press.moment for press in shown] == sorted(each.moment for each in found)
    assert (why.verb, why.arguments[0]) == (Verb.WHY, "coach")
    nothing = review_message("Hand 2", table, HandReview(ended, review([]), None), state, words, is_own=is_own)
    check(nothing)
    assert [Press.parse(custom_id).verb for custom_id in pressable(nothing)] == [Verb.WHY]


def test_finished_hands_have_a_coach_if_the_app_has_one() -> None:
    for has_coach in (True, False):
        message = replay_message(MATCH, opening_state(MATCH), WORDS, has_pictures=True, has_coach=has_coach)
        assert any(Press.parse(custom_id).verb is Verb.COACH for custom_id in pressable(message)) == has_coach


def reviewed_match(match: ReplayedMatch, seat: int) -> list[HandReview]:
    """Reviews in which each third move of a seat is expensive."""
    hands = []
    for ended in ended_hands(match):
        found = decisions(match, ended.hand, seat)
        costs = [Cost(each, each.move, ended.hand * (number % 3 == 0), 0.1) for number, each in enumerate(found)]
        hands.append(HandReview(ended, review(costs), tuple(results(ended.points, (9.0, 4.0, 6.0, 7.0)))))
    return hands


@pytest.mark.parametrize("language", languages())
def test_the_figures_of_a_match_say_what_their_picture_shows(language: str) -> None:
    words, match, seat = words_in(language).with_emojis(EMOJIS), long_match(), 2
    hands = reviewed_match(match, seat)
    found = review_match(seat, hands)
    chart, totals = match_review_charts(match, found, seat, words)
    message = match_figures_message(chart, [], found, opening_state(match), match, words)
    check(message)
    *presses, why = [Press.parse(custom_id) for custom_id in pressable(message)]
    assert why.verb is Verb.WHY
    assert [press.moment for press in presses] == [match.first_moments()[ended.hand] for ended in found.swings]
    assert words.number(found.review.good) in chart.alt
    assert len(chart.lines) > len(hands)
    assert all(name in totals.alt for name in labels.plain_names(match.at(0).table, words))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("is_own", [True, False])
def test_the_review_of_a_match_is_its_three_most_expensive_moves(language: str, is_own: bool) -> None:
    words, match, seat = words_in(language).with_emojis(EMOJIS), long_match(), 2
    found = review_match(seat, reviewed_match(match, seat))
    state = replace(opening_state(match), viewpoint=str(seat))
    message = match_review_message(match, found, state, words, is_own=is_own)
    check(message)
    *presses, figures, why = [Press.parse(custom_id) for custom_id in pressable(message)]
    assert sorted(press.moment for press in presses) == sorted(each.decision.moment for each in found.review.mistakes)
    assert (figures.verb, figures.part, why.verb) == (Verb.COACH_MATCH, Part.MORE, Verb.WHY)


def test_a_review_says_how_many_hands_do_not_fit() -> None:
    words, match = WORDS.with_emojis(EMOJIS), long_match()
    hands = reviewed_match(match, 2)
    found = review_match(2, hands)
    chart, _ = match_review_charts(match, found, 2, words)
    shown = text_of(match_figures_message(chart, [], found, opening_state(match), match, words))
    cut = sum(f"Hand {hand.ended.hand}:" not in shown for hand in hands)
    assert 0 < cut < len(hands)
    assert shown.splitlines()[-1] == f"({cut} more hands)"


def test_a_match_without_par_has_neither_luck_nor_skill() -> None:
    match = MATCH
    hands = [replace(hand, results=None) for hand in reviewed_match(match, 0)]
    chart, _ = match_review_charts(match, review_match(0, hands), 0, WORDS)
    assert not any("kill" in line for line in (*chart.lines, chart.alt))
    assert chart.plot is not None
    read(draw(chart.plot))


def test_the_pictures_of_a_review_are_drawn() -> None:
    for chart in match_review_charts(MATCH, review_match(0, reviewed_match(MATCH, 0)), 0, WORDS):
        assert chart.plot is not None
        read(draw(chart.plot))


def test_a_match_that_is_over_can_be_reviewed_as_a_whole() -> None:
    for match, expected in ((MATCH, True), (replace(MATCH, events=MATCH.events[:-1]), False)):
        message = replay_message(match, opening_state(match), WORDS, has_pictures=True, has_coach=True)
        assert any(Press.parse(custom_id).verb is Verb.COACH_MATCH for custom_id in pressable(message)) == expected
