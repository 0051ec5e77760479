"""The app's simple player in the kernel: the lowest answer, and the longest lead with the lowest card."""

from bot.players.compiled.hand import ORDER, PASS, TO_BEAT, TURN, Hand, legal_plays
from bot.players.compiled.jit import jit
from bot.players.compiled.lookups import Lookups
from bot.players.compiled.moves import Scratch


@jit
def lowest_bit(cards: int) -> int:
    """The bit of the lowest card."""
    return cards & -cards


@jit
def choose_simple(lookups: Lookups, hand: Hand, scratch: Scratch) -> int:
    """The move of the seat to act."""
    now, legal = hand.now, scratch.legal
    found, _ = legal_plays(lookups, hand, legal)
    if found == 0:
        return PASS
    if now[TO_BEAT] >= 0:
        return legal[0]
    lowest = lowest_bit(hand.cards[now[TURN]])
    best, most = -1, 0
    for wanted in (lowest, -1):
        for index in range(found):
            size = lookups.sizes[now[ORDER], legal[index]]
            if size > most and lookups.cards[now[ORDER], legal[index]] & wanted:
                best, most = legal[index], size
        if best >= 0:
            break
    return best
