"""What a private hand remembers, all of it in the ids of its own buttons: so it works after any restart."""

from dataclasses import dataclass, replace
from typing import Final, Self

from bot.engine import Card, Cards
from bot.engine.cards import ALL_CARDS, UnreadableCards, sorted_cards, without
from bot.presentation.ui.custom_ids import InvalidCustomId, Press

_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwx"
MAX_PART_LENGTH: Final = 6
"""Of the menu, as an id names it: more would not fit beside 17 cards."""


def encode(cards: Cards) -> str:
    """Cards as one character each; an id has 100."""
    return "".join(_DIGITS[card] for card in cards)


def decode(text: str) -> Cards:
    """Read cards from an id. Raises `InvalidCustomId`."""
    try:
        return sorted_cards(ALL_CARDS[_DIGITS.index(digit)] for digit in text)
    except ValueError:
        raise InvalidCustomId(text) from None


@dataclass(frozen=True, slots=True)
class HandState:
    """What a panel remembers."""

    selected: Cards = ()
    by_color: bool = False
    menu: str = ""
    """Which part of the menu of plays is open: a kind and a page, `4.0`; empty: the top."""

    @classmethod
    def parse(cls, press: Press) -> Self:
        """The panel that a press came from. Raises `InvalidCustomId`."""
        match press.arguments:
            case ("n" | "c" as sort, selected, part, *_) if len(part) <= MAX_PART_LENGTH:
                return cls(decode(selected), sort == "c", part)
        raise InvalidCustomId(str(press))

    def arguments(self, *more: str) -> tuple[str, ...]:
        """What every id of the panel carries."""
        return ("c" if self.by_color else "n", encode(self.selected), self.menu, *more)

    def within(self, hand: Cards) -> "HandState":
        """The panel without cards that the hand no longer holds."""
        kept = tuple(card for card in sorted(set(self.selected)) for _ in range(self._held(card, hand)))
        return replace(self, selected=kept)

    def _held(self, card: Card, hand: Cards) -> int:
        return min(self.selected.count(card), hand.count(card))

    def toggled(self, card: Card, copy: int) -> "HandState":
        """One card more, or one less: the first copies are the selected ones."""
        if copy < self.selected.count(card):
            return replace(self, selected=without(self.selected, (card,)))
        return replace(self, selected=sorted_cards((*self.selected, card)))


def chosen(panel: HandState, value: str) -> HandState:
    """The panel after a choice in the menu: a play, or a part of the menu. Raises `InvalidCustomId`."""
    if value.startswith("p"):
        return replace(panel, selected=decode(value[1:]), menu="")
    if value.startswith("k") and len(value) <= 1 + MAX_PART_LENGTH:
        return replace(panel, menu=value[1:])
    raise InvalidCustomId(value)


def tapped(press: Press) -> HandState:
    """The panel after a tap on one of its cards. Raises `InvalidCustomId`."""
    match press.arguments:
        case (_, _, _, card, "0" | "1" as copy) if len(card) == 1:
            try:
                return HandState.parse(press).toggled(decode(card)[0], int(copy))
            except UnreadableCards:  # more of a card than there are
                pass
    raise InvalidCustomId(str(press))
