"""Puzzles: the position with the user's hand, and the answer. Only a result without cards can be posted."""

from collections import Counter

from bot.analysis.puzzle import Puzzle, cards_of
from bot.engine import Cards, View
from bot.engine.cards import PHOENIX_RANK
from bot.presentation.table.daily import day_name
from bot.presentation.table.hand_panel import (
    carried_by,
    hand_rows,
    situation_line,
    table_with_you,
)
from bot.presentation.table.hint import why
from bot.presentation.table.message import match_texts
from bot.presentation.table.selection import HandState, forbidding_rule, hand_why_button, selection_line
from bot.presentation.text import labels
from bot.presentation.text.cards import face, faces
from bot.presentation.text.i18n import Words
from bot.presentation.text.moves import move_text
from bot.presentation.ui.components import Button, Layout, button, post_button, rows
from bot.presentation.ui.custom_ids import Part, Press, Verb
from bot.services.puzzle import PuzzleAnswer, UserPuzzle


def puzzle_message(
    shown: UserPuzzle, state: HandState, words: Words, note: str = "", *, may_post: bool = True
) -> Layout:
    """A puzzle with a note, or its answer. A result of today can be posted if the user `may_post`."""
    if shown.answer is not None:
        return _answer_message(shown, shown.answer, words, may_post=may_post)
    table, view = table_with_you(shown.puzzle.table, words), shown.puzzle.view
    state = state.without_missing(view.hand)
    seats, cycle, _turn = match_texts(table, words)
    yours = [situation_line(table, view, words, shows_table=True), selection_line(view, state, words)]
    parts = [_head(shown, words), seats, cycle, _unseen_line(view, words), "\n".join(filter(None, yours))]
    press_of = carried_by(Verb.PUZZLE_HAND, shown.puzzle.number, 0)
    rule = forbidding_rule(view, state)
    buttons = [_other_button(shown, words), hand_why_button(state, rule, words, press_of)]
    return Layout(
        "\n\n".join(filter(None, parts)),
        *hand_rows(view, state, words, press_of),
        *rows(buttons),
        *([note] if note else []),
    )


def _title(shown: UserPuzzle, words: Words) -> str:
    if shown.day is not None:
        return "### " + words.say("Puzzle of the day, {day}", day=day_name(shown.day, words))
    return "### " + words.say("Puzzle {number}", number=shown.puzzle.number)


def _head(shown: UserPuzzle, words: Words) -> str:
    """The title, the task, and the user's streak."""
    task = words.say("What is your move? Only you see this.")
    if shown.day is None:
        counts = words.say("An older puzzle: it doesn't count.")
    elif shown.is_answered:
        counts = words.say("You have answered it today; another answer doesn't count.")
    else:
        counts = words.say("Your first answer counts.")
    return "\n".join([_title(shown, words), task, labels.small(" · ".join([counts, *_streak_texts(shown, words)]))])


def _streak_texts(shown: UserPuzzle, words: Words) -> list[str]:
    """The streak and the longest one, if there are any; empty for older puzzles."""
    if shown.day is None:
        return []
    streak, best = shown.progress.streak_on(shown.day), shown.progress.best
    now = [words.count("{number} day in a row", "{number} days in a row", streak)] if streak else []
    return [*now, *([words.say("longest: {number}", number=best)] if best else [])]


def _unseen_line(view: View, words: Words) -> str:
    """The cards in the hands of the others together."""
    numbers = Counter(card.rank for card in view.unseen if card.rank < PHOENIX_RANK)
    texts = [f"{rank} ×{copies}" for rank, copies in sorted(numbers.items())]
    texts += [face(card, words) for card in view.unseen if card.rank >= PHOENIX_RANK]
    return labels.small(words.say("The others hold: {cards}", cards=" · ".join(texts)))


def _answer_message(shown: UserPuzzle, answer: PuzzleAnswer, words: Words, *, may_post: bool) -> Layout:
    """The user's move and the best one, with the reason and the points."""
    puzzle, table = shown.puzzle, table_with_you(shown.puzzle.table, words)
    hand = words.say("Your hand: {cards}", cards=faces(puzzle.view.hand, words))
    lines = [
        _title(shown, words),
        f"{situation_line(table, puzzle.view, words)}\n{hand}",
        _verdict(puzzle, answer.cards, words),
        why(answer.hint, table, words),
        labels.small(words.say("Points are an average over a thousand deals that are possible here.")),
        " · ".join(_streak_texts(shown, words)) if answer.counts else "",
    ]
    buttons = [_other_button(shown, words)]
    if shown.is_answered and may_post:
        buttons.append(post_button(Press(Verb.PUZZLE, puzzle.number), words))
    return Layout("\n\n".join(filter(None, lines)), *rows(buttons))


def _verdict(puzzle: Puzzle, cards: Cards, words: Words) -> str:
    """The user's move, and the best one if that is better."""
    own, best = _move(cards, puzzle, words), _move(cards_of(puzzle.best), puzzle, words)
    if puzzle.is_right(cards):
        points = words.number(puzzle.cost_of(puzzle.runner_up), 1)
        return "✅ " + words.say(
            "**Right:** {move}. The next best move costs {points} points.", move=own, points=points
        )
    points = words.number(puzzle.costs[cards], 1)
    return "\n".join(
        [
            "❌ " + words.say("**Not the best:** {move}. It costs {points} points.", move=own, points=points),
            "👉 " + words.say("**Better:** {move}.", move=best),
        ]
    )


def _move(cards: Cards, puzzle: Puzzle, words: Words) -> str:
    if not cards:
        return words.say("pass")
    return f"{move_text(cards, puzzle.table.row.options, words)} {faces(cards, words)}"


def _other_button(shown: UserPuzzle, words: Words) -> Button:
    return button(Press(Verb.PUZZLE, shown.puzzle.number, 0, (Part.BEFORE,)), words.say("Another puzzle"))


def puzzle_result_message(shown: UserPuzzle, words: Words) -> Layout:
    """The result of a user who has answered today's puzzle, for everyone. It reveals nothing."""
    found = "✅ " + words.say("solved") if shown.progress.streak else "❌ " + words.say("not solved")
    return Layout("\n".join([_title(shown, words), labels.bold(" · ".join([found, *_streak_texts(shown, words)]))]))
