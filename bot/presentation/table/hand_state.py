"""The state of a private hand. It's stored in the custom ids of the hand's buttons, so it survives restarts."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Self, TypeAlias

from bot.engine import Card, Cards
from bot.engine.cards import ALL_CARDS, UnreadableCards, sorted_cards, without
from bot.presentation.ui.custom_ids import InvalidCustomId, Press, Verb

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
