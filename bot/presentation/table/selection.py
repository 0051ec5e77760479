"""The selected cards of a private hand: a line about them, and the explanation if they can't be played."""

from typing import Final

from bot.engine import Cards, View, check_play
from bot.engine.combinations import Combinations, Kind
from bot.engine.errors import (
    IllegalMove,
    MustLeadSeveral,
    MustPlayHighest,
    NotACombination,
    NotHigher,
    OpeningNeedsMultiOne,
    WrongSize,
)
from bot.engine.legality import cheapest_with, identify
from bot.presentation.table.hand_state import HandState, PressFactory
from bot.presentation.text import labels
from bot.presentation.text.cards import KIND_NAMES, describe, face
from bot.presentation.text.errors import reason_text
from bot.presentation.text.i18n import Words
from bot.presentation.text.option_texts import SMALL_TEXT_WIDTH
from bot.presentation.ui.components import Button, button
from bot.presentation.ui.custom_ids import Verb
from bot.table.snapshot import Table


def selection_line(view: View, state: HandState, words: Words) -> str:
    """The selected cards and what they can become, or why they can't be played: always one row on a phone.

    So the rows below it keep their places.
    """
    return labels.small(_selection_text(view, state.selected, words))


def _selection_text(view: View, selected: Cards, words: Words) -> str:
    situation = view.situation
    if view.may_pass and not view.plays():
        return words.say("Nothing in your hand beats this.")
    if not selected:
        return words.say("Select cards to play.") if view.may_play else words.say("Nothing selected.")
    if view.may_give_back or situation is None:
        return words.count("{number} card selected", "{number} cards selected", len(selected))
    combination, refusal = identify(situation, selected), refusal_of(view, selected)
    if combination is not None and (refusal is None or not view.may_play):
        what = labels.bold(describe(combination, words))
        return f"✓ {what}" if view.may_play else what
    return _progress_text(selected, _within_reach(view, selected), words) or _verdict(refusal, words)


def _within_reach(view: View, selected: Cards) -> Combinations:
    """The plays that the selected cards can still become; before the turn, all combinations."""
    if view.situation is None:
        return ()
    return cheapest_with(view.plays() if view.may_play else view.situation.combinations, selected)


def _progress_text(selected: Cards, plays: Combinations, words: Words) -> str:
    """The number of cards selected so far, and the kinds of play that they can become. Empty if there are none."""
    if not plays:
        return ""
    sizes = {play.size for play in plays}
    kinds = words.either([words.say(KIND_NAMES[kind]) for kind in sorted({play.kind for play in plays})])
    facts = {"kinds": kinds, "size": plays[0].size}
    if len(sizes) > 1:
        longer = words.count("{number} card so far: {kinds}", "{number} cards so far: {kinds}", len(selected), **facts)
        shorter = words.count("{number} card so far", "{number} cards so far", len(selected))
    else:
        longer = words.say("{number} of {size} cards: {kinds}", number=len(selected), **facts)
        shorter = words.say("{number} of {size} cards", number=len(selected), **facts)
    return longer if len(longer) <= SMALL_TEXT_WIDTH else shorter


def _verdict(refusal: IllegalMove | None, words: Words) -> str:
    """Why the cards can't be played, in a few words. "Why?" says more."""
    match refusal:
        case NotHigher():
            return words.say("Too low: it doesn't beat the table.")
        case WrongSize() | NotACombination():
            return reason_text(refusal, words)
        case OpeningNeedsMultiOne():
            return words.say("The multicolored 1 is missing.")
        case MustLeadSeveral():
            return words.say("Block: lead several cards.")
        case MustPlayHighest():
            return words.say("Block: only your highest card, {card}.", card=face(refusal.card, words))
    return words.say("These cards can't be played now.")


def reminder_line(table: Table, view: View, words: Words) -> str:
    """A reminder of the block rule while it applies."""
    situation = view.situation
    if not view.may_play or situation is None or situation.blocked is None or len(view.hand) == 1:
        return ""
    if situation.to_beat is not None and not situation.limits_follow:
        return ""
    if view.may_pass and not view.plays():
        return ""
    name = labels.names(table, words)[situation.blocked]
    return words.say('❗ {name} is next and has said "Last card!": block if you can.', name=labels.bold(name))


def forbidding_rule(view: View, state: HandState) -> str:
    """The rule that forbids the selected cards; empty while they can become a play.

    During another player's turn, only cards that form no combination are explained.
    """
    if not state.selected or view.may_give_back or view.situation is None:
        return ""
    refusal = refusal_of(view, state.selected)
    if refusal is None or not (view.may_play or isinstance(refusal, NotACombination)):
        return ""
    return "" if _within_reach(view, state.selected) else rule_of(refusal)


_OWN_RULES: Final = {Kind.FLUSH: "flush", Kind.FULL_HOUSE: "full-house"}
"""The kinds with a part of their own in R17."""


def rule_of(refusal: IllegalMove) -> str:
    """The rule of a refusal, or the part of it that concerns the kind of the play."""
    if not isinstance(refusal, NotHigher) or refusal.rule != "R17":
        return refusal.rule
    return _OWN_RULES.get(refusal.tried.kind, "number")


def hand_why_button(state: HandState, rule: str, words: Words, press_of: PressFactory) -> Button:
    """A button that explains the selection below the hand. It keeps its place while there is no `rule` to explain."""
    return button(press_of(Verb.HAND_WHY, state.arguments(rule)), words.say("Why?"), disabled=not rule)


def refusal_of(view: View, selected: Cards) -> IllegalMove | None:
    """The refusal of playing the selected cards; None if they can be played."""
    if view.situation is None:
        return NotACombination(selected)
    try:
        check_play(view.situation, selected)
    except IllegalMove as refusal:
        return refusal
    return None
