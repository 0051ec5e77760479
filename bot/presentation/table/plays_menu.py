"""The menu of plays in a private hand: those with the selected cards, and one of those that are equally strong."""

from functools import lru_cache
from itertools import groupby
from typing import Final

from bot.engine import Combination, View
from bot.engine.cards import format_cards
from bot.engine.combinations import Combinations, Kind
from bot.engine.legality import cheapest_with
from bot.presentation.table.hand_state import ALL_PLAYS, HandState, encode
from bot.presentation.text.cards import KIND_NAMES, describe, mark
from bot.presentation.text.i18n import Words
from bot.presentation.ui.components import MAX_OPTIONS, Option, Row, menu, option
from bot.presentation.ui.custom_ids import Press

_TOP: Final = f"k{ALL_PLAYS}"
"""The value of the option that leads to all plays."""


def plays_menu(view: View, state: HandState, words: Words, press: Press) -> list[Row]:
    """A menu of plays, or of their kinds if there are too many; empty if the player can't play.

    It's disabled if no other play has the selected cards.
    """
    if not view.plays():
        return []
    found = cheapest_with(view.plays(), () if state.menu else state.selected)
    if not state.menu:
        found = tuple(play for play in found if play.cards != state.selected)
    if not found:
        text = words.say("No other play with these cards")
        return [menu(press, text, [option(_TOP, text)], disabled=True)]
    placeholder = _placeholder(found, state, words)
    if len(found) <= MAX_OPTIONS:
        return [menu(press, placeholder, [_option(play, words) for play in found])]
    by_kind = {kind: tuple(same) for kind, same in groupby(found, key=lambda play: play.kind)}
    kind, _, page = state.menu.partition(".")
    if kind.isdecimal() and page.isdecimal() and state.menu.isascii() and int(kind) in by_kind:
        return [_plays_of_kind(press, by_kind[Kind(int(kind))], int(page), words)]
    return [menu(press, placeholder, [_kind_option(same, words) for same in by_kind.values()])]


def _placeholder(plays: Combinations, state: HandState, words: Words) -> str:
    if state.menu or not state.selected:
        return words.count("{number} play you can make", "{number} plays you can make", len(plays))
    return words.count("{number} play with these cards", "{number} plays with these cards", len(plays))


def _kind_option(plays: Combinations, words: Words) -> Option:
    """An option that selects the lowest play of a kind, and opens the others of this kind."""
    lowest = plays[0]
    name = words.say(KIND_NAMES[lowest.kind])
    text = words.say("{kind} ({number})", kind=name, number=len(plays))
    return option(f"p{encode(lowest.cards)}.{lowest.kind}.0", text, format_cards(lowest.cards))


def _plays_of_kind(press: Press, plays: Combinations, page: int, words: Words) -> Row:
    size = MAX_OPTIONS - 2
    pages, kind = -(-len(plays) // size), plays[0].kind
    page = min(page, pages - 1)
    options = [option(_TOP, words.say("◀ all kinds"))]
    options += [_option(play, words) for play in plays[page * size : (page + 1) * size]]
    if page + 1 < pages:
        options.append(option(f"k{kind}.{page + 1}", words.say("more ▶")))
    placeholder = words.say("{kind} ({number})", kind=words.say(KIND_NAMES[kind]), number=len(plays))
    return menu(press, placeholder, options)


@lru_cache(1000, typed=True)  # the combinations of both orders of flushes are equal as integers
def _option(play: Combination, words: Words) -> Option:
    value, label = f"p{encode(play.cards)}", describe(play, words)
    return option(value, label, format_cards(play.cards), emoji=mark(play.cards[-1], words))
