"""The replay of a match, move by move. The state is stored in custom ids."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.analysis.replay import Moment, Origin, ReplayedMatch
from bot.presentation.table.message import match_texts, ranking
from bot.presentation.table.replay_state import ALL_SEATS, ReplayState
from bot.presentation.text import labels
from bot.presentation.text.cards import faces
from bot.presentation.text.i18n import NO_EMOJIS, Words
from bot.presentation.text.moves import event_text
from bot.presentation.text.option_texts import rules_line
from bot.presentation.ui.components import MAX_OPTIONS, Button, Layout, Row, button, buttons_menu, rows
from bot.presentation.ui.custom_ids import Part, Press, Verb
from bot.presentation.ui.files import Picture

MAX_TEXT_LENGTH: Final = 3900
"""Discord's limit for a message is 4000. Cards as emoji take most of it."""


def opening_state(match: ReplayedMatch, moment: int = 0) -> ReplayState:
    """The state of a new replay."""
    return ReplayState(match.number, moment, match.origin)


def hand_title(match: ReplayedMatch, hand: int, words: Words) -> str:
    """The title of a hand of the match."""
    match match.origin:
        case Origin.TABLE:
            return words.say("Table {number} · hand {hand}", number=match.number, hand=hand)
        case Origin.IMPORT:
            return words.say("Imported match · hand {hand}", hand=hand)
        case Origin.PRACTICE:
            return words.say("Practice · hand {hand}", hand=hand)


def replay_message(
    match: ReplayedMatch,
    state: ReplayState,
    words: Words,
    *,
    has_pictures: bool,
    has_coach: bool = False,
    may_post: bool = False,
) -> Layout:
    """A match at a moment, with buttons to other moments. `has_pictures` and `has_coach` need their processes."""
    moment = match.at(state.moment)
    state = replace(state, moment=moment.number)
    text = _text(match, moment, state, words)
    if len(text) > MAX_TEXT_LENGTH:
        text = _text(match, moment, state, words.with_emojis(NO_EMOJIS))
    can = {"has_pictures": has_pictures, "has_coach": has_coach}
    more = [*_viewpoint_buttons(moment, state, words), *_other_buttons(match, moment, state, words, **can)]
    more += _buttons_of_hands(match, moment, state, words, MAX_OPTIONS - len(more))
    return Layout(
        text,
        *rows(_move_buttons(match, state, words)),
        *rows(_hand_buttons(match, moment, state, words, has_coach=has_coach, may_post=may_post)),
        buttons_menu(state.moment, words.say("More: views, hands, pictures, files"), more),
    )


def _text(match: ReplayedMatch, moment: Moment, state: ReplayState, words: Words) -> str:
    names = labels.names(moment.table, words)
    title = hand_title(match, moment.hand, words)
    place = words.say("Move {number} of {count}", number=moment.number + 1, count=len(match.stops))
    parts = [
        f"### {title}\n" + labels.small(f"{place} · {rules_line(moment.table.row, words)}"),
        labels.bold(event_text(moment, names, words)),
        "\n".join(ranking(moment.table, words)),
        *match_texts(moment.table, words),
        _hands(moment, state, words),
    ]
    return "\n\n".join(filter(None, parts))


def _hands(moment: Moment, state: ReplayState, words: Words) -> str:
    """The hand of the viewpoint's seat, or all hands."""
    lines = [
        words.say("{name}: {cards}", name=labels.bold(name), cards=faces(cards, words))
        for seat, (name, cards) in enumerate(zip(labels.names(moment.table, words), moment.hands, strict=True))
        if state.viewpoint in (ALL_SEATS, str(seat)) and cards
    ]
    return "\n".join(lines)


def _move_buttons(match: ReplayedMatch, state: ReplayState, words: Words) -> list[Button]:
    now, last = state.moment, len(match.stops) - 1
    return [
        button(state.press(Part.FIRST, 0), words.say("First"), disabled=now == 0),
        button(state.press(Part.BACK, max(now - 1, 0)), words.say("◀ Back"), disabled=now == 0),
        button(state.press(Part.NEXT, min(now + 1, last)), words.say("Next ▶"), disabled=now == last),
        button(state.press(Part.LAST, last), words.say("Last"), disabled=now == last),
    ]


def _hand_buttons(
    match: ReplayedMatch, moment: Moment, state: ReplayState, words: Words, *, has_coach: bool, may_post: bool
) -> list[Button]:
    """Buttons to the hands before and after, to post the moment, and to review a hand that was played to its end."""
    begins = list(match.first_moments().values())
    before = max((begin for begin in begins if begin < state.moment), default=None)
    after = next((begin for begin in begins if begin > state.moment), None)
    buttons = [
        button(state.press(Part.BEFORE, before or 0), words.say("◀ Hand"), disabled=before is None),
        button(state.press(Part.AFTER, after or state.moment), words.say("Hand ▶"), disabled=after is None),
    ]
    if has_coach and match.has_ended(moment.hand):
        buttons.append(button(replace(state.press(Part.COACH), verb=Verb.COACH), words.say("Coach")))
    if may_post:
        buttons.append(button(state.press(Part.POST), words.say("Post here")))
    return buttons


def _viewpoint_buttons(moment: Moment, state: ReplayState, words: Words) -> list[Button]:
    """Buttons for the viewpoints other than the present one."""
    names = {ALL_SEATS: words.say("All hands face up")}
    for seat, name in enumerate(labels.plain_names(moment.table, words)):
        names[str(seat)] = words.say("As seen by {name}", name=name)
    return [
        button(replace(state, viewpoint=viewpoint).press(Part.EYES), name)
        for viewpoint, name in names.items()
        if viewpoint != state.viewpoint
    ]


def _other_buttons(
    match: ReplayedMatch,
    moment: Moment,
    state: ReplayState,
    words: Words,
    *,
    has_pictures: bool,
    has_coach: bool,
) -> list[Button]:
    """Buttons that play or draw a hand that was played to its end, and those of a match that is over."""
    has_ended, buttons = match.has_ended(moment.hand), list[Button]()
    if has_ended:
        practice = replace(state.press(Part.PRACTICE), verb=Verb.PRACTICE_FROM)
        buttons.append(button(practice, words.say("Play from here")))
    if has_ended and has_pictures:
        buttons.append(button(state.press(Part.STILL), words.say("As a picture")))
        buttons.append(button(state.press(Part.MOVING), words.say("▶ As a moving picture")))
    if match.is_over and match.has_ended(2) and has_coach:
        whole = replace(state.press(Part.COACH), verb=Verb.COACH_MATCH)
        buttons.append(button(whole, words.say("Coach: whole match")))
    if match.is_over:
        buttons.append(button(state.press(Part.RECORD), words.say("Record")))
        buttons.append(button(state.press(Part.TEXT), words.say("As text")))
        buttons.append(button(state.press(Part.VERIFY), words.say("Check the deals")))
    return buttons


def _buttons_of_hands(
    match: ReplayedMatch, moment: Moment, state: ReplayState, words: Words, most: int
) -> list[Button]:
    """Buttons for as many hands around the present one as fit, without it."""
    begins = match.first_moments()
    hands = list(begins)
    first = max(0, min(hands.index(moment.hand) - most // 2, len(hands) - most - 1))
    return [
        button(state.press(Part.HAND, begins[hand]), words.say("Hand {hand}", hand=hand))
        for hand in hands[first : first + most + 1]
        if hand != moment.hand
    ]


def picture_message(title: str, summary: str, pictures: Sequence[Picture], words: Words, more: Sequence[Row]) -> Layout:
    """A drawn hand with its summary. The replay shows the same step by step as text."""
    title = labels.bold(title)
    if not pictures:
        why = words.say("It can't be drawn right now.")
        return Layout(f"{title}\n{why}")
    return Layout(title, *pictures, summary, *more)


def posted_hand_message(
    title: str, summary: str, pictures: Sequence[Picture], replay: Press | None, words: Words
) -> Layout:
    """A finished hand for everyone, with a button that opens its `replay` if everyone may see the match."""
    text = f"{labels.bold(title)}\n{summary}"
    return Layout(text, *pictures, *rows([] if replay is None else [button(replay, words.say("Move by move"))]))
