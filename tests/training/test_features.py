"""The features hold what a seat knows, and nothing else."""

import os
from random import Random
from typing import Final

import numpy as np
import pytest

from bot.engine.cards import DECK
from bot.engine.combinations import Kind, find
from bot.players.bits import FIRST_GANG, from_bits, to_bits
from bot.players.compiled import features
from bot.players.compiled.hand import SEATS, TURN, Hand
from bot.players.compiled.lookups import find_plays, make_lookups
from tests.training.positions import position

pytestmark = pytest.mark.skipif("GANG_OF_FOUR_TRAINING" not in os.environ, reason="set GANG_OF_FOUR_TRAINING=1")

LOOKUPS: Final = make_lookups()


def described(hand: Hand, me: int) -> list[int]:
    words = np.zeros(features.WORDS, np.int64)
    features.describe(LOOKUPS, hand, me, np.array([10, 95, 0, 40]), False, words)
    features.table_words(LOOKUPS, hand, me, np.zeros(FIRST_GANG, np.int16), words)
    return list(map(int, words))


def swap_hidden(hand: Hand, me: int, chance: Random) -> None:
    """Deal the cards that `me` cannot see once more."""
    seats = [seat for seat in range(4) if seat != me]
    sizes = [len(from_bits(int(hand.cards[seat]))) for seat in seats]
    hidden = [card for seat in seats for card in from_bits(int(hand.cards[seat]))]
    chance.shuffle(hidden)
    for seat, size in zip(seats, sizes, strict=True):
        hand.cards[seat] = to_bits(tuple(sorted(hidden[:size])))
        hidden = hidden[size:]
        if seat < hand.now[SEATS]:
            hand.found[seat] = find_plays(LOOKUPS.cards[0], hand.cards[seat], hand.plays[seat])


@pytest.mark.parametrize("seats", [3, 4])
def test_hidden_cards_leave_no_trace(seats: int) -> None:
    chance = Random(f"hidden {seats}")
    for seed in range(150):
        hand = position(LOOKUPS, seed, seats)
        me = int(hand.now[TURN])
        before = described(hand, me)
        swap_hidden(hand, me, chance)
        assert described(hand, me) == before


def test_own_and_unseen_cards_are_the_words_that_say_so() -> None:
    hand = position(LOOKUPS, 1)
    me = int(hand.now[TURN])
    words = described(hand, me)
    assert from_bits(words[features.CARDS]) == from_bits(int(hand.cards[me]))
    others = [card for seat in range(4) if seat != me for card in from_bits(int(hand.cards[seat]))]
    assert from_bits(words[features.UNSEEN]) == tuple(sorted(others))


def test_sets_are_what_the_hand_holds() -> None:
    chance = Random("sets")
    for _ in range(200):
        cards = tuple(sorted(chance.sample(DECK, 16)))
        found = find(cards)
        pairs = {play.number for play in found if play.kind is Kind.PAIR}
        bits = features.sets(to_bits(cards))
        assert {number for number in range(1, 11) if bits >> (number - 1) & 1} == pairs - {11}
        assert bool(bits >> 50 & 1) == (11 in pairs)
        rows = {play.number - 4 for play in found if play.kind in (Kind.STRAIGHT, Kind.STRAIGHT_FLUSH)}
        assert {low for low in range(1, 7) if bits >> (50 + low) & 1} == rows
