"""The selected cards of a private hand: their state, a line about them, and the reason if they can't be played.

The state is stored in the custom ids of the hand's buttons, so it survives restarts.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Self, TypeAlias

from bot.engine import Card, Cards, View, check_play
from bot.engine.cards import ALL_CARDS, UnreadableCards, sorted_cards, without
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
from bot.presentation.text import labels
from bot.presentation.text.cards import KIND_NAMES, describe, face
from bot.presentation.text.errors import reason_text
from bot.presentation.text.i18n import Words
from bot.presentation.text.option_texts import SMALL_TEXT_WIDTH
from bot.presentation.ui.components import Button, button
from bot.presentation.ui.custom_ids import InvalidCustomId, Press, Verb
from bot.table.snapshot import Table

PressFactory: TypeAlias = Callable[[Verb, tuple[str, ...]], Press]
"""Makes a press from a verb and the arguments of the hand's custom ids."""
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwx"
ALL_PLAYS: Final = "a"
"""The part of the menu with all plays. It stays open after a choice, so that another play can be chosen."""
MAX_PART_LENGTH: Final = 6
"""Characters of the menu's part in an id. More wouldn't fit with 17 cards."""


def encode(cards: Cards) -> str:
    """Encode cards as one character each, since an id has only 100."""
    return "".join([_DIGITS[card] for card in cards])


def decode(text: str) -> Cards:
    """Read cards from an id. Raises `InvalidCustomId`."""
    try:
        return sorted_cards(ALL_CARDS[_DIGITS.index(digit)] for digit in text)
    except ValueError:
        raise InvalidCustomId(text) from None


@dataclass(frozen=True, slots=True)
class HandState:
    """The selected cards, and the open part of the menu."""

    selected: Cards = ()
    menu: str = ""
    """The open part of the menu of plays: a kind and a page such as `4.0`, or `ALL_PLAYS`.

    Empty: the plays that contain the selected cards.
    """

    @classmethod
    def parse(cls, press: Press) -> Self:
        """Read the state from the ids of a press. Raises `InvalidCustomId`."""
        match press.arguments:
            case ("n" | "c", selected, part, *_) if len(part) <= MAX_PART_LENGTH:
                return cls(decode(selected), part)
        raise InvalidCustomId(str(press))

    def arguments(self, *more: str) -> tuple[str, ...]:
        """The state as arguments of custom ids."""
        return ("n", encode(self.selected), self.menu, *more)  # first, an older version had the order of the cards

    def without_missing(self, hand: Cards) -> "HandState":
        """Deselect cards that the hand no longer holds."""
        if not self.selected:
            return self
        kept = Counter(self.selected) & Counter(hand)
        return replace(self, selected=tuple(sorted(kept.elements())))

    def with_selected(self, cards: Cards = ()) -> "HandState":
        """Select these cards instead of others. The menu offers all plays, so that another one can be chosen."""
        return replace(self, selected=cards, menu=ALL_PLAYS if cards else "")

    def with_toggled(self, card: Card, copy: int) -> "HandState":
        """Select or deselect a card. The first copies of equal cards are the selected ones."""
        if copy < self.selected.count(card):
            return replace(self, selected=without(self.selected, (card,)), menu="")
        return replace(self, selected=sorted_cards((*self.selected, card)), menu="")


def after_choice(state: HandState, value: str) -> HandState:
    """The state after a choice in the menu: a play and perhaps its kind, or a part of the menu.

    Raises `InvalidCustomId`.
    """
    if value.startswith("p"):
        cards, _, part = value[1:].partition(".")
        if len(part) <= MAX_PART_LENGTH:
            chosen = state.with_selected(decode(cards))
            return replace(chosen, menu=part) if part else chosen
    if value.startswith("k") and len(value) <= 1 + MAX_PART_LENGTH:
        return replace(state, menu=value[1:])
    raise InvalidCustomId(value)


def after_tap(press: Press) -> HandState:
    """The state after a tap on a card. Raises `InvalidCustomId`."""
    match press.arguments:
        case (_, _, _, card, "0" | "1" as copy) if len(card) == 1:
            try:
                return HandState.parse(press).with_toggled(decode(card)[0], int(copy))
            except UnreadableCards:  # more copies than the deck has
                pass
    raise InvalidCustomId(str(press))


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
