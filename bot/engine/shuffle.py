"""The verifiable deal: the cards of hand number h follow from a secret seed and a public salt.

Stream block k is SHA-256(seed + salt as UTF-8 + h as 4 bytes + k as 4 bytes), read as 4-byte numbers; all are
big-endian. The stream shuffles the deck (Fisher-Yates, biased draws rejected). Under the Chinese deal, the numbers
that follow cut it. `docs/fairness.md` describes it in enough detail to reimplement it.
"""

import struct
from collections.abc import Iterator
from hashlib import sha256
from itertools import count
from typing import Final

from bot.engine.cards import DECK, DRAGON, GREEN_PHOENIX, YELLOW_PHOENIX, Card, Cards
from bot.engine.events import Dealt
from bot.engine.options import Options

HAND_SIZE: Final = 16
SEED_BYTES: Final = 32


def commitment(seed: bytes) -> str:
    """SHA-256 of the seed in hex, published before anyone joins."""
    return sha256(seed).hexdigest()


def deal(seed: bytes, salt: str, hand: int, *, seats: int, dealer: int, direction: int, options: Options) -> Dealt:
    """Deal hand number `hand` (from 1) to 3 or 4 `seats`. The Chinese cut changes no hand."""
    stream = _stream(seed, salt, hand)
    deck = _shuffled(stream)
    piles = [tuple(deck[start : start + HAND_SIZE]) for start in range(0, len(deck), HAND_SIZE)]
    hands, dummy = tuple(piles[:seats]), piles[3] if seats == 3 else ()
    if options.deal != "chinese":
        return Dealt(hand, direction, hands, dummy)
    cut = _cut(stream, deck, again=options.cut == "again")
    counting = direction if options.cut == "again" else 1  # R34: only the German rules count in the direction of play
    first = (dealer + counting * (_counts(cut[-1]) - 1)) % seats
    return Dealt(hand, direction, hands, dummy, cut, first)


def _stream(seed: bytes, salt: str, hand: int) -> Iterator[int]:
    prefix = seed + salt.encode() + hand.to_bytes(4, "big")
    for k in count():
        yield from struct.unpack(">8I", sha256(prefix + k.to_bytes(4, "big")).digest())


def _shuffled(stream: Iterator[int]) -> list[Card]:
    deck = list(DECK)
    for i in range(len(deck) - 1, 0, -1):
        fair = 2**32 // (i + 1) * (i + 1)
        while (x := next(stream)) >= fair:
            pass
        j = x % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def _cut(stream: Iterator[int], deck: list[Card], *, again: bool) -> Cards:
    looked_at: list[Card] = []
    for x in stream:
        looked_at.append(deck[x % len(deck)])
        if not again or looked_at[-1].rank <= 10:
            break
    return tuple(looked_at)


def _counts(card: Card) -> int:
    """The count for a card at the cut: its number, 3 for a Phoenix, 4 for the Dragon (R34)."""
    return {GREEN_PHOENIX: 3, YELLOW_PHOENIX: 3, DRAGON: 4}.get(card, card.rank)
