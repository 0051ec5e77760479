"""Reads cards as people type them: `7R`, `green 7`, `M1`, `yellow Phoenix`, in English and the reader's language.

A color may also be the first letter of its name, such as `7V` for a green 7 in French. Letters with a meaning in
English keep it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Final, TypeAlias
from unicodedata import combining, normalize

from bot.engine import Card, Cards
from bot.engine.cards import ALL_CARDS, DRAGON, MULTI_ONE, PHOENIX_RANK, Color, UnreadableCards, sorted_cards
from bot.presentation.text.cards import COLOR_NAMES, PHOENIX_NAMES, label
from bot.presentation.text.i18n import SOURCE, Words, read_catalog

_TOKEN: Final = re.compile(r"\d+|[^\W\d_]+")
_SIMILARITY: Final = 0.7
"""Words at least so similar are the same: `rood` and `rode`, `phonix` and `phoenix`, but not `grey` and `green`."""
Meaning: TypeAlias = Color | int | Card
"""A color, a rank (11 for a Phoenix, 12 for the Dragon), or a whole card."""
_CODES: Final[dict[str, Meaning]] = {
    **{color.letter.casefold(): color for color in Color},
    **{str(rank): rank for rank in range(1, 11)},
    **{str(card).casefold(): card for card in ALL_CARDS if card.rank > 10},
}
_LETTERED: Final = (Color.GREEN, Color.YELLOW, Color.RED)
_ARTICLES: Final = frozenset({"the", "der", "die", "den", "de", "het", "le", "la", "el", "il"})
"""Words before a card that are left out."""
_BY_FACE: Final = {(card.rank, card.color): card for card in ALL_CARDS}


@dataclass(frozen=True, slots=True)
class ReadCards:
    """The cards that a text names, and its words that don't name a card."""

    cards: Cards = ()
    unread: str = ""


def read_cards(text: str, words: Words) -> ReadCards:
    """Read cards from a text. If it has more copies of a card than the deck, it counts as unread as a whole."""
    cards: list[Card] = []
    unread: list[str] = []
    for part in re.split(r"[,;+/]", text):
        for found in _read_part(part, words.language):
            if isinstance(found, Card):
                cards.append(found)
            else:
                unread.append(found)
    try:
        return ReadCards(sorted_cards(cards), " ".join(unread))
    except UnreadableCards:
        return ReadCards((), text)


def _read_part(text: str, language: str) -> Iterator[Card | str]:
    """The cards, and the words that aren't cards, in order."""
    tokens = _TOKEN.findall(text)
    if not tokens and text.strip():
        yield text.strip()
    at = 0
    while at < len(tokens):
        meanings = [_meaning(_plain(token), language) for token in tokens[at : at + 2]]
        if (card := _pair(meanings)) is not None:
            yield card
            at += 2
            continue
        single = meanings[0]
        if isinstance(single, Card):
            yield single
        elif single is Color.MULTI:
            yield MULTI_ONE
        elif tokens[at].casefold() not in _ARTICLES:
            yield tokens[at]
        at += 1


def _pair(meanings: list[Meaning | None]) -> Card | None:
    """The card of a rank and a color, in either order."""
    match meanings:
        case [Color() as color, rank] | [rank, Color() as color] if not isinstance(rank, (Color, Card)):
            return _BY_FACE.get((rank or 0, color))
    return None


def _meaning(token: str, language: str) -> Meaning | None:
    if token in _CODES:
        return _CODES[token]
    if token in _initials(language):
        return _initials(language)[token]
    names = _names(language)
    similar = get_close_matches(token, names, 1, _SIMILARITY) if len(token) > 2 else []
    return names[similar[0]] if similar else None


@cache
def _names(language: str) -> dict[str, Meaning]:
    """The words for colors, the Phoenix and the Dragon, in English and in a language."""
    names: dict[str, Meaning] = {}
    for words in (read_catalog(SOURCE), read_catalog(language)):
        for color, text in COLOR_NAMES.items():
            names |= dict.fromkeys(_tokens(words.say(text, rank="")), color)
        green, yellow = (set(_tokens(words.say(text))) for text in PHOENIX_NAMES.values())
        names |= dict.fromkeys(green & yellow, PHOENIX_RANK)
        names |= dict.fromkeys(green - yellow, Color.GREEN) | dict.fromkeys(yellow - green, Color.YELLOW)
        names[_tokens(label(DRAGON, words))[-1]] = DRAGON
    return names


@cache
def _initials(language: str) -> dict[str, Meaning]:
    """The first letters of green, yellow and red in a language, without letters that are English or shared."""
    letters = [_initial(color, read_catalog(language)) for color in _LETTERED]
    found = {letter: color for letter, color in zip(letters, _LETTERED, strict=True) if letters.count(letter) == 1}
    return {letter: color for letter, color in found.items() if letter not in _CODES}


def reads_g_as_green(text: str, words: Words) -> bool:
    """True if a text has a G, which stands for green, where the names of colors suggest yellow: in Italian."""
    return _initial(Color.GREEN, words) != _initial(Color.YELLOW, words) == "g" and "g" in _tokens(text)


def _initial(color: Color, words: Words) -> str:
    return _tokens(words.say(COLOR_NAMES[color], rank=""))[0][0]


def _tokens(text: str) -> list[str]:
    return [_plain(token) for token in _TOKEN.findall(text)]


def _plain(token: str) -> str:
    """The token in lower case without accents."""
    return "".join(sign for sign in normalize("NFKD", token.casefold()) if not combining(sign)).replace("œ", "oe")
