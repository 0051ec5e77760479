"""Cards and plays as JSON for the page, which draws them itself."""

from collections.abc import Mapping
from functools import lru_cache
from itertools import groupby
from typing import Any, Final, TypeAlias

from bot.engine import Card, Cards, Combination, View
from bot.engine.cards import DRAGON_RANK, PHOENIX_RANK, Color
from bot.engine.combinations import combination_table, strength
from bot.presentation.text.cards import describe
from bot.presentation.text.i18n import Words

Json: TypeAlias = dict[str, Any]
SIGNS: Final = {Color.GREEN: "▲", Color.YELLOW: "●", Color.RED: "◆", Color.MULTI: "★"}
"""The shapes on the emoji of cards; that of the multicolored 1 has all colors instead."""
_NUMBERS: Final = {PHOENIX_RANK: "P", DRAGON_RANK: "D"}


@lru_cache(1000)
def card_json(card: Card, words: Words) -> Mapping[str, object]:
    """A card. Its two copies have the same `id`."""
    single = combination_table().identify((card,))
    return {
        "id": int(card),
        "number": _NUMBERS.get(card.rank, str(card.rank)),
        "color": card.color.name.lower(),
        "sign": SIGNS[card.color],
        "label": "" if single is None else describe(single, words),
    }


def cards_json(cards: Cards, words: Words) -> list[Mapping[str, object]]:
    """Cards in their order."""
    return [card_json(card, words) for card in cards]


def choices(view: View, words: Words) -> list[Json]:
    """The legal plays, ascending. Those of equal `strength` follow each other, the one with the lowest cards first.

    A hand of 16 cards has about 70 plays, and rarely more than 200.
    """
    groups = enumerate(groupby(view.plays(), key=strength))
    return [_choice(view, play, words) | {"strength": number} for number, (_, same) in groups for play in same]


def _choice(view: View, play: Combination, words: Words) -> Json:
    declares = view.public.match.options.last_card == "declared" and len(view.hand) - play.size == 1
    return {"cards": list(map(int, play.cards)), "text": describe(play, words), "last_card": declares}
