"""Help for programs that play: events without secrets, views as JSON, and legal plays as a mask."""

from dataclasses import asdict, replace
from typing import Any, Final

from bot.engine.cards import Cards
from bot.engine.combinations import Combination
from bot.engine.events import Dealt, Event
from bot.engine.state import Exchange
from bot.engine.view import View

COMBINATIONS: Final = 12_352
"""The number of combinations, and the length of a mask."""


def visible(event: Event, seat: int | None = None) -> Event:
    """An event as a seat sees it during the match, or as every spectator sees it if `seat` is None (R25).

    Of a deal, only the seat's own hand remains; the other hands and the dummy are empty. Other events have no secrets.
    """
    if not isinstance(event, Dealt):
        return event
    hands = tuple(hand if number == seat else () for number, hand in enumerate(event.hands))
    return replace(event, hands=hands, dummy=())


def legal_mask(view: View) -> bytearray:
    """A byte for each combination of `combination_table(...)`, in its order: 1 if the seat may play it now."""
    mask = bytearray(COMBINATIONS)
    for play in view.plays():
        mask[play] = 1
    return mask


def view_json(view: View) -> dict[str, Any]:
    """A view as a JSON object; cards are texts such as `7R`, seats are numbers from 0."""
    public = view.public
    return {
        "seat": view.seat,
        "hand": _texts(view.hand),
        "played": None if view.played is None else _texts(view.played),
        "history": None if view.history is None else [_move(seat, play) for seat, play in view.history],
        "edition": public.match.edition,
        "options": public.match.options.as_dict(),
        "players": list(public.players),
        "phase": public.phase.value,
        "totals": list(public.totals),
        "dealer": public.dealer,
        "hand_number": public.hand_number,
        "direction": public.direction,
        "left": list(public.left),
        "turn": public.turn,
        "cycle": [_move(seat, play) for seat, play in public.cycle.plays],
        "opening": public.opening,
        "declared": sorted(public.declared),
        "owing": sorted(public.owing),
        "out": sorted(public.out),
        "gifts": _gifts(public.exchange),
        "deciding": public.deciding,
        "last_hand": None if public.last_hand is None else asdict(public.last_hand),
        "ranking": public.ranking,
        "may_give_back": view.may_give_back,
        "may_pass": view.may_pass,
        "may_declare": view.may_declare,
        "plays": [_texts(play.cards) for play in view.plays()],
    }


def _move(seat: int, play: Combination | None) -> dict[str, Any]:
    """A play, or a pass without cards."""
    return {"seat": seat, "cards": [] if play is None else _texts(play.cards)}


def _gifts(exchange: Exchange | None) -> list[dict[str, Any]]:
    """The cards of the exchange before this hand (R27)."""
    gifts = () if exchange is None else (exchange.gave, exchange.back)
    return [{"seat": gift.seat, "to": gift.to, "card": str(gift.card)} for gift in gifts if gift is not None]


def _texts(cards: Cards) -> list[str]:
    return [str(card) for card in cards]
