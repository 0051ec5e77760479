"""A seat's view as a position of the kernel, and its moves. The cards of other seats stay empty; they aren't known."""

from dataclasses import replace
from typing import Final

from bot.engine import Pass, Phase, Play, View, combination_table
from bot.engine.cards import without
from bot.engine.combinations import find
from bot.engine.state import Exchange, History
from bot.players.bits import PLAYS, Ints, to_bits
from bot.players.compiled.hand import (
    BACK,
    DECLARED,
    DIRECTION,
    GAVE,
    GIVER,
    LAST,
    LEADER,
    NEVER,
    OPENING,
    OUT,
    OWING,
    PASS,
    PASSED,
    TO_BEAT,
    TURN,
    WINNER,
    Hand,
    new_hand,
    set_options,
    size_class,
)
from bot.players.compiled.lookups import minus, plus
from bot.players.compiled.moves import SILENT

DEALT: Final = 16


def hand_of(view: View) -> Hand:
    """The position of the seat to act. Raises ValueError for a view without its history."""
    if view.history is None:
        raise ValueError("the view has no history")
    hand = new_hand()
    set_options(hand.now, view.public.match.options, len(view.public.left))
    _set_public(view, hand.now)
    _set_exchange(view, view.public.exchange, hand)
    _remember(view.history, hand)
    return hand


def move_of(view: View, move: int) -> Play | Pass:
    """The move with a number of the kernel."""
    if move == PASS:
        return Pass(view.seat)
    played = view.playing(combination_table(view.public.match.options.flush_order).all[move % PLAYS].cards)
    return played if move < SILENT else replace(played, last_card=False)


def number_of(view: View, move: Play | Pass) -> int:
    """The kernel's number of a move."""
    if isinstance(move, Pass):
        return PASS
    options = view.public.match.options
    number = combination_table(options.flush_order).index_of[move.cards]
    keeps_silent = options.forgotten == "takes_back" and not move.last_card and len(view.hand) - len(move.cards) == 1
    return number + SILENT if keeps_silent else number


def _bits(seats: frozenset[int] | tuple[int, ...]) -> int:
    return sum(1 << seat for seat in seats)


def _set_public(view: View, now: Ints) -> None:
    public, first = view.public, view.history[0][0] if view.history else view.seat
    now[TURN] = view.seat
    now[LEADER] = now[LAST] = first
    now[DIRECTION], now[OPENING] = public.direction, public.opening
    now[DECLARED], now[OUT] = _bits(public.declared), _bits(public.out)
    now[TO_BEAT] = now[OWING] = now[WINNER] = now[GIVER] = now[GAVE] = now[BACK] = -1
    if public.cycle.plays:
        now[LAST], now[TO_BEAT] = public.cycle.plays[-1]
        now[PASSED] = _bits(public.cycle.passed)
        if now[LAST] in public.owing and public.match.options.forgotten == "out":
            now[OWING] = now[LAST]


def _set_exchange(view: View, exchange: Exchange | None, hand: Hand) -> None:
    """Write the cards of the seat and what is known of others; before a card is given back, the leader has 16."""
    now, cards = hand.now, view.hand
    hand.left[: len(view.public.left)] = view.public.left
    hand.refused[:] = NEVER
    if exchange is not None:
        now[GIVER], now[LEADER], now[GAVE] = exchange.gave.seat, exchange.gave.to, to_bits((exchange.gave.card,))
        now[BACK] = 0 if exchange.back is None else to_bits((exchange.back.card,))
        if exchange.back is not None:
            hand.known[now[LEADER]] = 0 if now[GAVE] == now[BACK] else now[GAVE]
            hand.known[now[GIVER]] = now[BACK]
    if exchange is not None and view.public.phase is Phase.EXCHANGE:
        cards = without(cards, (exchange.gave.card,))
        hand.left[: len(view.public.left)] = DEALT
    hand.cards[view.seat] = to_bits(cards)
    found = find(cards, view.public.match.options.flush_order)
    hand.plays[view.seat, : len(found)], hand.found[view.seat] = found, len(found)


def _remember(history: History, hand: Hand) -> None:
    """Write the cards that each seat has played, and the lowest plays that it passed on."""
    to_beat = -1
    for seat, play in history:
        if play is None:
            size = size_class(to_beat)
            hand.refused[seat, size] = min(hand.refused[seat, size], to_beat)
            continue
        cards, to_beat = to_bits(play.cards), int(play)
        hand.known[seat] = minus(hand.known[seat], hand.known[seat] & cards)
        hand.played[seat] = plus(hand.played[seat], cards)
