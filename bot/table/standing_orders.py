"""Standing orders: a player passes automatically until the order ends or is canceled.

An order depends only on public information and always takes the same time. So nobody can tell from it whether the
player could have played.
"""

from typing import Final

from bot.engine import Kind, PublicView
from bot.engine.cards import DRAGON_RANK

DELAY: Final = 3000
"""Milliseconds."""
NONE: Final = ""
PASS: Final = "pass"  # noqa: S105  # a card player's pass
"""Pass for the rest of this cycle."""
ABOVE: Final = tuple(f"above:{rank}" for rank in range(5, DRAGON_RANK))
"""Pass on single cards above this rank for the rest of this hand."""
ORDERS: Final = (NONE, PASS, *ABOVE)


def rank_of(order: str) -> int | None:
    """The rank of an order of `ABOVE`; None for any other order."""
    return int(order.partition(":")[2]) if order in ABOVE else None


def cycle_of(public: PublicView) -> str:
    """A name of the open cycle, for the order to pass for the rest of it: the hand, and the cards of the lead."""
    lead = public.cycle.plays[:1]
    return "-".join(map(str, (public.hand_number, *(int(card) for _, play in lead for card in play.cards))))


def applies(order: str, public: PublicView) -> bool:
    """True if an order, which isn't `NONE`, says to pass on the current play. The leader can't pass."""
    to_beat = public.cycle.to_beat
    if to_beat is None:
        return False
    rank = rank_of(order)
    return rank is None or (to_beat.kind is Kind.SINGLE and to_beat.number > rank)


def remaining_order(order: str, before: PublicView | None, after: PublicView | None) -> str:
    """The order that still applies after a change. It ends with its cycle or hand."""
    if before is None or after is None or before.hand_number != after.hand_number:
        return NONE
    same_cycle = bool(after.cycle.plays) and after.cycle.plays[:1] == before.cycle.plays[:1]
    return order if order != PASS or same_cycle else NONE
