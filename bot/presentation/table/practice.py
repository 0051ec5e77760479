"""Practice hands: the choice of one, the hand with its table, and its result. All are private."""

from collections.abc import Sequence
from typing import Final

import discord

from bot.analysis.hand_reports import HandReport
from bot.analysis.practice import DEALS, Practice, Source
from bot.analysis.replay import Origin
from bot.engine.events import Event, Played
from bot.players.levels import Level
from bot.presentation.table.hand_panel import (
    carried_by,
    completion_button,
    declare_button,
    hand_rows,
    situation_line,
    table_with_you,
)
from bot.presentation.table.hand_report import penalty_lines
from bot.presentation.table.message import match_texts
from bot.presentation.table.opening import play_ai_of_level_button
from bot.presentation.table.replay_state import ReplayState
from bot.presentation.table.selection import HandState, PressFactory, forbidding_rule, hand_why_button, selection_line
from bot.presentation.text import labels
from bot.presentation.text.i18n import Words, translatable
from bot.presentation.text.moves import moves_lines, win_text
from bot.presentation.text.option_texts import choices
from bot.presentation.ui.components import Button, Layout, button, menu, options_of, rows
from bot.presentation.ui.custom_ids import InvalidCustomId, Part, Press, Verb
from bot.table.snapshot import Table

_PARTS: Final = (Part.MENU, Part.LEVEL, Part.OPEN, Part.AGAIN, Part.NEXT_SEAT)
"""The parts of a message about practice, besides the kinds of deals in `DEALS`."""
TITLES: Final = {
    Source.NEW: translatable("Practice · new deal"),
    Source.GANG: translatable("Practice · with a gang"),
    Source.WEAK: translatable("Practice · a bad hand"),
    Source.ENDGAME: translatable("Practice · before the last card"),
    Source.MATCH: translatable("Practice · table {number}, hand {hand}"),
    Source.IMPORT: translatable("Practice · imported match, hand {hand}"),
}
DEAL_NAMES: Final = {
    Source.NEW: translatable("New deal"),
    Source.GANG: translatable("With a gang"),
    Source.WEAK: translatable("A bad hand"),
    Source.ENDGAME: translatable("Before the last card"),
}


def parse_practice(press: Press) -> tuple[str, Level]:
    """The action of a press, and the level of the AI players. Raises `InvalidCustomId`."""
    match press.arguments:
        case (what, level) if what in (*DEALS, *_PARTS) and level in list(Level):
            return what, Level(level)
    raise InvalidCustomId(str(press))


def practice_menu_message(practice: Practice | None, level: Level, words: Words) -> Layout:
    """The hands to choose from, against AI players of a level, with the user's last one if there is one."""
    number = 0 if practice is None else practice.number
    lines = [
        "### " + words.say("Practice"),
        labels.goal(words),
        words.say("Play one hand on your own. Nobody else sees it, and it doesn't count."),
        labels.small(words.say("To practice a hand of a finished match, press **Play from here** in its replay.")),
    ]
    styles = (discord.ButtonStyle.success, *[discord.ButtonStyle.secondary] * (len(DEALS) - 1))
    deals = [
        button(_press(number, source, level), words.say(DEAL_NAMES[source]), style)
        for source, style in zip(DEALS, styles, strict=True)
    ]
    levels = options_of(choices("ai_level", 0, words), level)
    return Layout(
        "\n".join(lines),
        menu(_press(number, Part.LEVEL, level), words.say("Level of AI players"), levels),
        *rows(deals, 2),
        *rows([*_last_hand_button(practice, level, words), play_ai_of_level_button(level, words)]),
    )


def _press(number: int, what: str, level: Level) -> Press:
    return Press(Verb.PRACTICE, number, 0, (what, level))


def _last_hand_button(practice: Practice | None, level: Level, words: Words) -> list[Button]:
    if practice is None:
        return []
    if practice.is_over:
        return [button(_press(practice.number, Part.AGAIN, level), words.say("Same hand again"))]
    return [button(_press(practice.number, Part.OPEN, level), words.say("Continue"))]


def practice_message(practice: Practice, state: HandState, words: Words, note: str = "", rule: str = "") -> Layout:
    """The public table and the user's hand, with a note. `rule` forbade the last move. After the hand, its result."""
    report = practice.report
    if report is not None:
        return _result_message(practice, report, words, note)
    table, view = table_with_you(practice.table, words), practice.view
    state = state.without_missing(view.hand)
    seats, cycle, _turn = match_texts(table, words)
    yours = [situation_line(table, view, words, shows_table=True), selection_line(view, state, words)]
    earlier = _quoted(_moves_before_the_cycle(practice), table, words)
    parts = [_title(practice, words), seats, earlier, cycle, "\n".join(filter(None, yours))]
    press_of = carried_by(Verb.PRACTICE_HAND, practice.number, practice.table.moment)
    rule = rule or forbidding_rule(view, state)
    more = [
        *completion_button(view, state, words, press_of),
        *declare_button(view, state, words, press_of),
    ]
    return Layout(
        "\n\n".join(filter(None, parts)),
        *hand_rows(view, state, words, press_of, *more),
        *rows([*_hand_buttons(practice, state, words, press_of), hand_why_button(state, rule, words, press_of)]),
        *([note] if note and note not in yours else []),
    )


def _hand_buttons(practice: Practice, state: HandState, words: Words, press_of: PressFactory) -> list[Button]:
    """Buttons that give a hint, begin again, or lead to another hand."""
    return [
        button(press_of(Verb.HINT, state.arguments()), words.say("Hint")),
        button(_press(practice.number, Part.AGAIN, practice.level), words.say("Begin again")),
        button(_press(practice.number, Part.MENU, practice.level), words.say("Another hand")),
    ]


def _title(practice: Practice, words: Words) -> str:
    facts = {"number": practice.start.match_number, "hand": practice.view.public.hand_number}
    levels = labels.small(labels.ai_levels_text(practice.table, words))
    return f"### {words.say(TITLES[practice.start.source], **facts)}\n{levels}"


def _moves_before_the_cycle(practice: Practice) -> Sequence[Event]:
    """The moves since the user's last one that the table doesn't show, because they ended a cycle."""
    moves, plays = practice.answers, practice.view.public.cycle.plays
    if not plays:
        return moves
    seat, lead = plays[0]
    for number, event in enumerate(moves):
        if isinstance(event, Played) and (event.seat, event.cards) == (seat, lead.cards):
            return moves[:number]
    return ()


def _quoted(events: Sequence[Event], table: Table, words: Words) -> str:
    lines = moves_lines(events, labels.names(table, words), table.row.options, words)
    return "\n".join(f"> {line}" for line in lines)


def _result_message(practice: Practice, report: HandReport, words: Words, note: str) -> Layout:
    """The points of a finished hand, the cards left, and what can follow."""
    table = table_with_you(practice.table, words)
    names, ended = labels.names(table, words), report.ended
    result = f"🏁 {win_text(ended, labels.bold(names[ended.winner]), words)}"
    if ended.winner == practice.start.seat:
        result = words.say("🏁 You win the hand and get no points. The others:")
    is_out = practice.start.seat in practice.view.public.out
    lines = [
        note,
        words.say('You forgot "Last card!", so you were out of the hand.') if is_out else "",
        result,
        *penalty_lines(names, report, words),
    ]
    parts = [_title(practice, words), _quoted(practice.answers, table, words), "\n".join(filter(None, lines))]
    return Layout("\n\n".join(filter(None, parts)), *rows(_result_buttons(practice, words)))


def _result_buttons(practice: Practice, words: Words) -> list[Button]:
    number, level, styles = practice.number, practice.level, discord.ButtonStyle
    source = practice.start.source if practice.start.source in DEALS else Source.NEW
    return [
        button(_press(number, Part.AGAIN, level), words.say("Same hand again"), styles.primary),
        button(_press(number, Part.NEXT_SEAT, level), words.say("From the next seat")),
        button(_press(number, source, level), words.say(DEAL_NAMES[source])),
        button(ReplayState(number, origin=Origin.PRACTICE).press(Part.OPEN), words.say("Move by move")),
        button(_press(number, Part.MENU, level), words.say("Another hand")),
    ]
