"""Cards and combinations as text. A card shows its number, its letter and its color."""

from collections.abc import Iterable
from typing import Final

from bot.engine import Card, Combination, Kind
from bot.engine.cards import DRAGON, DRAGON_RANK, PHOENIX_RANK, Color
from bot.engine.combinations import flush_color
from bot.presentation.text.i18n import Words, translatable

COLOR_MARKS: Final = {Color.GREEN: "🟢", Color.YELLOW: "🟡", Color.RED: "🔴", Color.MULTI: "🌈"}
DRAGON_MARK: Final = "🐉"
LEGEND: Final = translatable("▲ G is green, ● Y is yellow, ◆ R is red, and M (🌈) is multicolored.")
"""The shape and the letter of each color on the cards."""
_JOINER: Final = "\N{WORD JOINER}"
"""Keeps the mark and the number of a card on one line."""


def mark(card: Card, words: Words) -> str:
    """The emoji of a card. Without pictures: the color's, or the Dragon's own."""
    if card in words.emojis:
        return words.emojis[card]
    return DRAGON_MARK if card == DRAGON else COLOR_MARKS[card.color]


def label(card: Card, words: Words) -> str:
    """`7R`, or the name of a special card, which has at most 16 characters."""
    if card.rank == PHOENIX_RANK:
        return words.say(PHOENIX_NAMES[card.color])
    return words.say("Dragon") if card == DRAGON else str(card)


def face(card: Card, words: Words) -> str:
    """A card within a text."""
    if card in words.emojis:
        return words.emojis[card]
    return f"{mark(card, words)}{_JOINER}{label(card, words)}".replace(" ", "\N{NO-BREAK SPACE}")


def faces(cards: Iterable[Card], words: Words) -> str:
    """Cards within a text. Emoji have their own margins."""
    return (" " if words.emojis else "  ").join(face(card, words) for card in cards)


COLOR_NAMES: Final = {
    Color.GREEN: translatable("green {rank}"),
    Color.YELLOW: translatable("yellow {rank}"),
    Color.RED: translatable("red {rank}"),
    Color.MULTI: translatable("multicolored {rank}"),
}
PHOENIX_NAMES: Final = {
    Color.GREEN: translatable("green Phoenix"),
    Color.YELLOW: translatable("yellow Phoenix"),
}
_FLUSHES: Final = {
    Color.GREEN: translatable("{rank}-high green flush"),
    Color.YELLOW: translatable("{rank}-high yellow flush"),
    Color.RED: translatable("{rank}-high red flush"),
}
_STRAIGHT_FLUSHES: Final = {
    Color.GREEN: translatable("green straight flush to {rank}"),
    Color.YELLOW: translatable("yellow straight flush to {rank}"),
    Color.RED: translatable("red straight flush to {rank}"),
}
"""A color and its noun are one text each, because most languages inflect one by the other."""
KIND_NAMES: Final = {
    Kind.SINGLE: translatable("single card"),
    Kind.PAIR: translatable("pair"),
    Kind.TRIPLE: translatable("three of a kind"),
    Kind.STRAIGHT: translatable("straight"),
    Kind.FLUSH: translatable("flush"),
    Kind.FULL_HOUSE: translatable("full house"),
    Kind.STRAIGHT_FLUSH: translatable("straight flush"),
    Kind.GANG: translatable("Gang"),
}


def describe(combination: Combination, words: Words) -> str:
    """A combination in words: `pair of 7s`, `straight to 9`, `Gang of Four: 7s`."""
    low, high = combination.cards[0], combination.cards[-1]
    match combination.kind:
        case Kind.SINGLE:
            return _single(low, words)
        case Kind.PAIR if low.rank == PHOENIX_RANK:
            return words.say("pair of Phoenixes")
        case Kind.PAIR:
            return words.say("pair of {rank}s", rank=low.rank)
        case Kind.TRIPLE:
            return words.say("three {rank}s", rank=low.rank)
        case Kind.STRAIGHT:
            return words.say("straight to {rank}", rank=high.rank)
        case Kind.FLUSH:
            return words.say(_FLUSHES[flush_color(combination.cards)], rank=high.rank)
        case Kind.FULL_HOUSE:
            return _full_house(combination, words)
        case Kind.STRAIGHT_FLUSH:
            return words.say(_STRAIGHT_FLUSHES[flush_color(combination.cards)], rank=high.rank)
        case Kind.GANG:
            return words.say("{gang}: {rank}s", gang=gang_name(combination.size), rank=low.rank)


def gang_name(size: int) -> str:
    """`Gang of Four` … `Gang of Seven`: the same in every language."""
    return {4: "Gang of Four", 5: "Gang of Five", 6: "Gang of Six", 7: "Gang of Seven"}[size]


def _single(card: Card, words: Words) -> str:
    if card.rank == DRAGON_RANK:
        return words.say("the Dragon")
    if card.rank == PHOENIX_RANK:
        return words.say(PHOENIX_NAMES[card.color])
    return words.say(COLOR_NAMES[card.color], rank=card.rank)


def _full_house(combination: Combination, words: Words) -> str:
    pair = next(card.rank for card in combination.cards if card.rank != combination.number)
    if pair == PHOENIX_RANK:
        return words.say("full house: three {rank}s and the Phoenixes", rank=combination.number)
    return words.say("full house: three {rank}s and two {pair}s", rank=combination.number, pair=pair)
