"""Positions for tests: random play in the kernel, up to some move of a hand."""

from random import Random

import numpy as np

from bot.engine.options import Options
from bot.players.compiled import hand as kernel
from bot.players.compiled import match
from bot.players.compiled.hand import Hand
from bot.players.compiled.lookups import MOST_PLAYS, Lookups


def position(lookups: Lookups, seed: int, seats: int = 4) -> Hand:
    """A position of the first hand after some random moves, in which the hand goes on."""
    chance, legal = Random(seed), np.zeros(MOST_PLAYS, np.int16)
    while True:
        ours = kernel.new_hand()
        kernel.set_options(ours.now, Options(), seats)
        match.deal(ours.cards, match.chance_of(chance.getrandbits(40)))
        match.begin_first(lookups, ours, 0)
        for _ in range(chance.randrange(60)):
            if ours.now[kernel.WINNER] < 0:
                move(lookups, ours, chance, legal)
        if ours.now[kernel.WINNER] < 0:
            return ours


def move(lookups: Lookups, ours: Hand, chance: Random, legal: "np.ndarray[tuple[int], np.dtype[np.int16]]") -> None:
    """A random move."""
    found, may_pass = kernel.legal_plays(lookups, ours, legal)
    chosen = chance.randrange(found + bool(may_pass))
    if chosen == found:
        kernel.do_pass(ours)
    else:
        kernel.play(lookups, ours, int(legal[chosen]), True)
