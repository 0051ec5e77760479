"""The tutorial as one private message, and the results of its buttons.

Their ids carry the number of the lesson, as the ids of a hand carry the moment of its table.
"""

from dataclasses import dataclass, field
from typing import Final

import discord

from bot.analysis.prepared_match import LEARNER, PreparedMatch
from bot.engine import Cards, GiveBack, IllegalMove, Play, combination_table, parse_card
from bot.engine.moves import Move
from bot.presentation.help.lessons import BASICS, LESSONS, Exhibit, LessonStart, lesson_starts
from bot.presentation.table.hand_panel import (
    carried_by,
    carried_press,
    counts_line,
    hand_rows,
    move_of,
    situation_line,
    state_after,
    table_with_you,
)
from bot.presentation.table.hand_report import penalty
from bot.presentation.table.message import match_texts
from bot.presentation.table.opening import play_ai_button
from bot.presentation.table.selection import HandState, selection_line
from bot.presentation.text.cards import LEGEND, describe, faces
from bot.presentation.text.errors import reason_text
from bot.presentation.text.i18n import Words
from bot.presentation.text.moves import moves_lines
from bot.presentation.ui.components import Layout, Row, button, menu, options_of, rows, why_button
from bot.presentation.ui.custom_ids import Part, Press, Verb, whole_number

CARD_EXAMPLES: Final = tuple(map(parse_card, ("7G", "7Y", "7R", "1M", "PG", "PY", "DR")))


@dataclass(frozen=True, slots=True)
class TutorialPage:
    """The state of the tutorial's message."""

    step: int
    """The number of finished lessons."""
    hand_state: HandState = field(default_factory=HandState)
    note: str = ""
    rule: str = ""
    """The rule that forbade the last move."""
    ends_basics: bool = False
    """True for the page after the basics."""


def opening_page(step: int, words: Words) -> TutorialPage:
    """The page of the learner's current lesson."""
    if step == BASICS:
        return TutorialPage(step, ends_basics=True)
    return TutorialPage(step, note=words.say("You continue where you stopped.") if 0 < step < len(LESSONS) else "")


def after_press(press: Press, step: int, words: Words, choice: str = "") -> TutorialPage:
    """The page after a press by a learner who has finished `step` lessons, with the choice in a menu.

    Raises `InvalidCustomId`.
    """
    if press.verb is Verb.TUTORIAL_OVER:
        return TutorialPage(0)
    if press.verb is Verb.TUTORIAL_GO:
        return TutorialPage(whole_number(choice or "".join(press.arguments), len(LESSONS)))
    hand_press = press if press.verb is Verb.TUTORIAL_SHOW else carried_press(press)
    state = state_after(hand_press, choice)
    if press.moment != step:
        return TutorialPage(step, note=words.say("That button belongs to another lesson. This is where you are now."))
    if step >= len(LESSONS) or LESSONS[step].exhibit is not None:
        return TutorialPage(step)
    start = lesson_starts()[step]
    if press.verb is Verb.TUTORIAL_SHOW:
        return _solution_page(step, start, words)
    move = move_of(hand_press, LEARNER)
    return TutorialPage(step, state) if move is None else _after_move(step, start, state, move, words)


def _solution_page(step: int, start: LessonStart, words: Words) -> TutorialPage:
    """The page with the right cards selected, and a note that says what to press."""
    match start.expected:
        case Play(last_card=True):
            note = words.say('These are the right cards: now press **Play and say "Last card!"**.')
        case Play():
            note = words.say("These are the right cards: now press **Play**.")
        case GiveBack():
            note = words.say("That is a good one: now press **Give back**.")
        case _:
            note = words.say("You needn't play here: press **Pass**.")
    return TutorialPage(step, HandState(_cards(start)), f"👇 {note}")


def _after_move(step: int, start: LessonStart, state: HandState, move: Move, words: Words) -> TutorialPage:
    """The next lesson after the right move, or else the refusal of the rules or a hint."""
    try:
        start.match.after(move)
    except IllegalMove as refusal:
        return TutorialPage(step, state, f"❌ {reason_text(refusal, words, start.match.table)}", refusal.rule)
    if move == start.expected or (start.lesson.takes_any_card and isinstance(move, GiveBack)):
        return TutorialPage(step + 1, note="✅ " + words.say("Well done!"), ends_basics=step + 1 == BASICS)
    hint = _lesson_text(start.lesson.hint, start, words)
    return TutorialPage(step, state, "💡 " + words.say("The rules allow that, too. {hint}", hint=hint))


def tutorial_message(page: TutorialPage, words: Words) -> Layout:
    """The current lesson, or the end after the basics or the last one."""
    if page.ends_basics:
        return _end_of_basics(page, words)
    if page.step >= len(LESSONS):
        beats = button(Press(Verb.RULES, arguments=("beats",)), words.say("What beats what"))
        again = button(Press(Verb.TUTORIAL_OVER, 0, page.step), words.say("Start over"))
        practice = button(Press(Verb.HELP, arguments=("practice",)), words.say("Practice"))
        return Layout(
            _end(page, words), *rows([play_ai_button(words), practice, beats, again]), *_navigation(page, words)
        )
    start = lesson_starts()[page.step]
    if start.lesson.exhibit is not None:
        return Layout(_exhibit_text(page, start, words), *_navigation(page, words))
    view = start.match.view
    state = page.hand_state.without_missing(view.hand)
    press_of = carried_by(Verb.TUTORIAL_HAND, 0, page.step)
    show = button(Press(Verb.TUTORIAL_SHOW, 0, page.step, state.arguments()), words.say("Show me"))
    return Layout(
        _text(page, start, state, words), *hand_rows(view, state, words, press_of, show), *_navigation(page, words)
    )


def _end_of_basics(page: TutorialPage, words: Words) -> Layout:
    """The place to stop: the learner can play now, or go on with the other lessons."""
    lines = [
        "### 🎉 " + words.say("You know the basics!"),
        page.note,
        words.say(
            "You can play now: the menu below your cards shows every play you can make. Four or more cards of one "
            "number are a gang, which beats everything."
        ),
        words.say('The rest teaches five cards together, the Phoenixes, the Dragon, "Last card!" and the exchange.'),
    ]
    rest = button(Press(Verb.TUTORIAL_GO, 0, page.step, (str(page.step),)), words.say("The rest ▶"))
    return Layout("\n".join(filter(None, lines)), *rows([play_ai_button(words), rest]), *_navigation(page, words))


def _navigation(page: TutorialPage, words: Words) -> list[Row]:
    """Buttons to other lessons, the rule of a refusal, and the list of all lessons."""

    def press_to(step: int) -> Press:
        return Press(Verb.TUTORIAL_GO, 0, page.step, (str(step),))

    before = min(max(page.step, 1), len(LESSONS)) - 1
    buttons = [button(press_to(before), words.say("◀ Back"), disabled=page.step == 0)]
    if page.step < len(LESSONS) and LESSONS[page.step].exhibit is not None:
        buttons.append(button(press_to(page.step + 1), words.say("Next ▶"), discord.ButtonStyle.success))
    if page.rule:
        buttons.append(why_button(page.rule, words))
    titles, parts = {}, {}
    for step, lesson in enumerate(LESSONS):
        part, number, _ = _place_of(step, words)
        titles[str(step)], parts[str(step)] = f"{number}. {words.say(lesson.title)}", part
    press = Press(Verb.TUTORIAL_GO, 0, page.step, (Part.LIST,))
    return [*rows(buttons), menu(press, words.say("All lessons"), options_of(titles, str(page.step), parts))]


def _place_of(step: int, words: Words) -> tuple[str, int, int]:
    """The part of a lesson, its number there, and the number of lessons there."""
    if step < BASICS:
        return words.say("The basics"), step + 1, BASICS
    return words.say("The rest"), step + 1 - BASICS, len(LESSONS) - BASICS


def _heading(page: TutorialPage, words: Words) -> str:
    part, number, every = _place_of(page.step, words)
    lesson = words.say(
        "Lesson {number} of {all}: {title}", number=number, all=every, title=words.say(LESSONS[page.step].title)
    )
    return f"### {part} · {lesson}"


def _exhibit_text(page: TutorialPage, start: LessonStart, words: Words) -> str:
    """A lesson without a move: its text, and the legend of the cards or the public table."""
    if start.lesson.exhibit is Exhibit.CARDS:
        shown = [words.say(LEGEND)]
        for card in CARD_EXAMPLES:
            single = combination_table().identify((card,))
            shown += [f"{faces((card,), words)} {describe(single, words)}"] if single else []
    else:
        shown = "\n\n".join(filter(None, match_texts(table_with_you(start.match.table, words), words))).splitlines()
    legend = "\n".join(f"> {line}" for line in shown)
    return "\n\n".join(filter(None, [_heading(page, words), page.note, words.say(start.lesson.text), legend]))


def _text(page: TutorialPage, start: LessonStart, state: HandState, words: Words) -> str:
    match = start.match
    lines = [
        situation_line(match.table, match.view, words),
        selection_line(match.view, state, words),
        counts_line(match.view, _names(match, words), words),
    ]
    moves = "\n".join(_previous_moves(start, words))
    text = _lesson_text(start.lesson.text, start, words)
    parts = [_heading(page, words), moves, text, "\n".join(filter(None, lines)), page.note]  # beside the buttons
    return "\n\n".join(filter(None, parts))


def _lesson_text(text: str, start: LessonStart, words: Words) -> str:
    to_beat = start.match.view.public.cycle.to_beat
    return words.say(text, cards=faces(_cards(start), words), played=faces(to_beat.cards if to_beat else (), words))


def _cards(start: LessonStart) -> Cards:
    """The cards that the lesson wants the learner to play or give back."""
    match start.expected:
        case Play(cards=cards):
            return cards
        case GiveBack(card=card):
            return (card,)
    return ()


def _previous_moves(start: LessonStart, words: Words) -> list[str]:
    """The other players' moves. After a hand, its score sheet."""
    names = _names(start.match, words)
    lines = moves_lines(start.previous_events, names, start.match.table.row.options, words)
    report = start.match.report
    if report is not None:
        lines.append(words.say("🏁 You win the hand and get no points. The others:"))
        lines += [
            words.say("{name}: {points}", name=names[seat], points=penalty(report, seat, words))
            for seat in range(1, len(names))
        ]
    return [f"> {line}" for line in lines]


def _names(match: PreparedMatch, words: Words) -> list[str]:
    return [words.say("you"), *(seat.name for seat in match.table.seats[1:])]


def _end(page: TutorialPage, words: Words) -> str:
    lines = [
        "### 🎉 " + words.say("That is the whole game!"),
        page.note,
        words.say(
            "A match is many hands like this one. The direction changes each time, until a player has 100 points."
        ),
        words.say("`/gang new` opens a table: add AI players and start, or wait for people to join."),
        words.say("Three tips:"),
        "- " + words.say('Keep a gang for the moment someone says "Last card!": one card can\'t beat it.'),
        "- " + words.say("Don't be caught with 8 or more cards: from then on, each one counts double or more."),
        "- " + words.say("Lead what the others can't follow, such as five cards when they have fewer."),
    ]
    return "\n".join(filter(None, lines))
