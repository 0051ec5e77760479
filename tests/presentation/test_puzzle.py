"""Puzzles: within Discord's limits, without a trace of hidden cards, and results that reveal nothing."""

import re
from dataclasses import replace

import pytest

from bot.analysis.hints import hint
from bot.analysis.puzzle import Puzzle, PuzzleProgress, cards_of
from bot.engine import Cards
from bot.presentation.table.puzzle import puzzle_message, puzzle_result_message
from bot.presentation.table.selection import HandState
from bot.presentation.text.cards import face
from bot.presentation.text.i18n import Words
from bot.presentation.ui.custom_ids import Press, Verb
from bot.services.puzzle import PuzzleAnswer, UserPuzzle, puzzle_book
from tests.presentation.sample_tables import READERS, WORDS
from tests.presentation.sent_messages import check, pressable, text_of

DAY = "2026-12-24"
NEW, FOUND, MISSED = PuzzleProgress(), PuzzleProgress(DAY, 3, 12), PuzzleProgress(DAY, 0, 12)


def unanswered(number: int, day: str | None = DAY) -> UserPuzzle:
    return UserPuzzle(puzzle_book().get(number), day, NEW)


def answered(number: int, cards: Cards) -> UserPuzzle:
    found = puzzle_book().get(number)
    answer = PuzzleAnswer(cards, hint(found.view, found.best, found.runner_up), counts=True)
    return UserPuzzle(found, DAY, FOUND if found.is_right(cards) else MISSED, answer)


def worst(found: Puzzle) -> Cards:
    return max(found.costs, key=lambda cards: found.costs[cards])


@pytest.mark.parametrize("words", READERS.values(), ids=READERS)
def test_every_puzzle_fits_into_a_message(words: Words) -> None:
    for number in range(1, puzzle_book().total + 1, 9):
        found = puzzle_book().get(number)
        for state in (HandState(), HandState(found.view.hand), HandState(cards_of(found.best))):
            check(puzzle_message(unanswered(number), state, words))
        for cards in (cards_of(found.best), worst(found)):
            check(puzzle_message(answered(number, cards), HandState(), words))


def test_the_cards_of_single_players_change_nothing() -> None:
    for number in range(1, puzzle_book().total + 1, 9):
        shown = unanswered(number)
        state = shown.puzzle.table.state
        assert state is not None
        seat = shown.puzzle.view.seat
        hands = list(state.hands)
        others = [number for number in range(4) if number != seat]
        hidden = sorted(card for each in others for card in hands[each])
        for each in others:
            size = len(hands[each])
            hands[each], hidden = tuple(hidden[:size]), hidden[size:]
        table = replace(shown.puzzle.table, state=replace(state, hands=tuple(hands)))
        other = replace(shown, puzzle=replace(shown.puzzle, table=table))
        messages = [puzzle_message(each, HandState(), WORDS) for each in (shown, other)]
        assert text_of(messages[0]) == text_of(messages[1])


def test_presses_carry_the_number_of_the_puzzle() -> None:
    presses = [Press.parse(custom_id) for custom_id in pressable(puzzle_message(unanswered(2), HandState(), WORDS))]
    assert {press.verb for press in presses} <= {Verb.PUZZLE, Verb.PUZZLE_HAND, Verb.WHY}
    assert {press.table for press in presses if press.verb is not Verb.WHY} == {2}


def test_an_answer_says_what_was_best_and_what_it_costs() -> None:
    for number in range(1, puzzle_book().total + 1, 9):
        found = puzzle_book().get(number)
        right = text_of(puzzle_message(answered(number, cards_of(found.best)), HandState(), WORDS))
        wrong = text_of(puzzle_message(answered(number, worst(found)), HandState(), WORDS))
        assert "✅ **Right:** " in right
        assert f"costs {WORDS.number(found.cost_of(found.runner_up), 1)} points" in right
        assert "3 days in a row" in right
        assert f"It costs {WORDS.number(found.costs[worst(found)], 1)} points" in wrong
        assert "**Better:**" in wrong


def test_a_posted_result_reveals_nothing() -> None:
    for cards in (cards_of(puzzle_book().get(1).best), worst(puzzle_book().get(1))):
        shown = answered(1, cards)
        text = text_of(puzzle_result_message(shown, WORDS))
        assert not any(face(card, WORDS) in text for card in shown.puzzle.view.hand)
        assert "Puzzle of the day, " in text
        assert ("✅ solved" in text) == shown.puzzle.is_right(cards)


def test_older_puzzles_show_no_streak_and_cannot_be_posted() -> None:
    right = answered(1, cards_of(puzzle_book().get(1).best))
    counted = replace(right, day=None, answer=right.answer and replace(right.answer, counts=False))
    for shown in (unanswered(1, None), counted):
        view = puzzle_message(shown, HandState(), WORDS)
        assert "in a row" not in text_of(view)
        assert not any(Press.parse(custom_id).arguments == ("post",) for custom_id in pressable(view))


def test_a_streak_is_told_once_there_is_one() -> None:
    best, wrong = cards_of(puzzle_book().get(2).best), worst(puzzle_book().get(2))
    first = [unanswered(2), replace(answered(2, wrong), progress=PuzzleProgress(DAY))]
    for message in (
        *(puzzle_message(each, HandState(), WORDS) for each in first),
        puzzle_result_message(first[1], WORDS),
    ):
        assert not re.search("in a row|longest", text_of(message))
    assert "1 day in a row · longest: 1" in text_of(
        puzzle_message(replace(answered(2, best), progress=PuzzleProgress(DAY, 1, 1)), HandState(), WORDS)
    )
    assert "3 days in a row · longest: 12" in text_of(puzzle_message(answered(2, best), HandState(), WORDS))
    missed = text_of(puzzle_message(answered(2, wrong), HandState(), WORDS))
    assert "longest: 12" in missed
    assert "in a row" not in missed
