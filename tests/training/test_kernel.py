"""The kernel plays by the rules of the engine, move by move, in every edition and option."""

import os
from itertools import product
from random import Random
from typing import Final

import numpy as np
import pytest

from bot.engine import Options
from bot.engine.cards import ALL_CARDS, DECK, Cards
from bot.engine.playout import Playout
from bot.engine.scoring import giver, is_decided
from bot.players.bits import from_bits, to_bits
from bot.players.compiled import hand as kernel
from bot.players.compiled import match
from bot.players.compiled.tables import MOST_PLAYS, highest_bit, make_tables, minus, plus

HANDS: Final = int(os.environ.get("GANG_OF_FOUR_KERNEL_HANDS", "12"))
"""Hands for every set of options and number of seats."""
TABLES: Final = make_tables()
CHOICES: Final = {
    "flush_order": ("highest", "sum"),
    "forgotten": ("out", "takes_back"),
    "block": ("lead_and_follow", "lead_only"),
    "last_card": ("declared", "automatic"),
}
RULES: Final = [
    Options().with_changes(**dict(zip(CHOICES, values, strict=True))) for values in product(*CHOICES.values())
]


def dealt(options: Options, seats: int, chance: Random) -> tuple[Playout, kernel.Hand]:
    """The same hand in both: a first one, or a later one with its exchange."""
    deck = chance.sample(DECK, len(DECK))
    piles = [tuple(sorted(deck[16 * pile : 16 * pile + 16])) for pile in range(4)]
    ours = kernel.new_hand()
    kernel.set_options(ours.now, options, seats)
    ours.cards[:] = [to_bits(pile) for pile in piles]
    opener = next((seat for seat, pile in enumerate(piles[:seats]) if ALL_CARDS[3] in pile), None)
    if chance.random() < 0.5:
        dealer = chance.randrange(seats)
        playout = Playout(options, piles[:seats], (dealer + 1) % seats if opener is None else opener, 1)
        playout.opening = opener is not None
        match.begin_first(TABLES, ours, dealer)
        return playout, ours
    winner, direction = chance.randrange(seats), chance.choice((1, -1))
    gives = chance.choice([seat for seat in range(seats) if seat != winner])
    return later(options, piles[:seats], ours, (winner, gives, direction), chance)


def later(
    options: Options, piles: list[Cards], ours: kernel.Hand, who: tuple[int, int, int], chance: Random
) -> tuple[Playout, kernel.Hand]:
    """A hand after an exchange of the highest card for any."""
    winner, gives, direction = who
    card = max(piles[gives])
    cards = list(piles)
    cards[gives] = tuple(sorted(cards[gives][:-1]))
    cards[winner] = tuple(sorted((*cards[winner], card)))
    playout = Playout(options, cards, winner, direction)
    playout.gives_to = gives
    back = chance.choice(cards[winner])
    playout.give_back(back)
    kernel.begin(TABLES, ours, winner, direction)
    assert highest_bit(ours.cards[gives]) == to_bits((card,))
    kernel.exchange(TABLES, ours, gives, to_bits((card,)), to_bits((back,)))
    return playout, ours


def assert_same(playout: Playout, ours: kernel.Hand, legal: np.ndarray) -> tuple[list[int], bool]:
    """Compare cards, turn and legal moves. Returns the legal moves."""
    now, seats = ours.now, len(playout.left)
    places, may_pass = playout.legal()
    found, ours_may_pass = kernel.legal_plays(TABLES, ours, legal)
    assert list(legal[:found]) == list(places)
    assert bool(ours_may_pass) == may_pass
    assert now[kernel.TURN] == playout.turn
    assert list(ours.left[:seats]) == playout.left
    assert [sum(int(bit) for bit in f"{held & (2**64 - 1):b}") for held in map(int, ours.cards[:seats])] == playout.left
    assert (now[kernel.DECLARED], now[kernel.OUT]) == (playout.declared, playout.out)
    return list(map(int, places)), may_pass


def step(playout: Playout, ours: kernel.Hand, moves: tuple[list[int], bool], chance: Random) -> None:
    """The same random move in both; a last card is not always declared."""
    places, may_pass = moves
    chosen = chance.randrange(len(places) + may_pass)
    if chosen == len(places):
        playout.pass_()
        kernel.do_pass(ours)
        return
    declares = chance.random() < 0.6
    playout.play(places[chosen], declares)
    kernel.play(TABLES, ours, places[chosen], declares)
    for seat, left in enumerate(playout.left):
        if left == 1 and not (playout.declared | playout.out) >> seat & 1 and chance.random() < 0.4:
            playout.declare(seat)
            kernel.declare(ours.now, seat)


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("options", RULES, ids=lambda options: " ".join(getattr(options, name) for name in CHOICES))
def test_a_hand_goes_as_in_the_engine(options: Options, seats: int) -> None:
    chance = Random(f"kernel {options} {seats}")
    legal = np.zeros(MOST_PLAYS, np.int16)
    points = np.zeros(4, np.int64)
    for _ in range(HANDS):
        playout, ours = dealt(options, seats, chance)
        while playout.winner is None:
            assert ours.now[kernel.WINNER] == -1
            step(playout, ours, assert_same(playout, ours, legal), chance)
        assert ours.now[kernel.WINNER] == playout.winner
        match.hand_points(ours, points)
        assert tuple(points[:seats]) == playout.points


def test_cards_are_written_and_read_and_counted() -> None:
    chance = Random("bits")
    for _ in range(200):
        some = tuple(sorted(chance.sample(DECK, chance.randrange(30))))
        rest = list(DECK)
        for card in some:
            rest.remove(card)
        assert from_bits(to_bits(some)) == some
        assert minus(to_bits(DECK), to_bits(some)) == to_bits(tuple(rest))
        assert plus(to_bits(tuple(rest)), to_bits(some)) == to_bits(DECK)


def test_every_hand_is_dealt_whole() -> None:
    cards, chance = np.zeros(4, np.int64), match.chance_of(1)
    for _ in range(100):
        match.deal(cards, chance)
        piles = [from_bits(int(pile)) for pile in cards]
        assert all(len(pile) == 16 for pile in piles)
        assert tuple(sorted(card for pile in piles for card in pile)) == DECK


@pytest.mark.parametrize("seats", [3, 4])
def test_givers_and_ends_are_those_of_the_engine(seats: int) -> None:
    chance = Random(f"ends {seats}")
    for _ in range(500):
        options = Options(end=chance.choice(("reach", "exceed")), tie=chance.choice(("shared", "deciding_hand")))
        now = np.zeros(kernel.FIELDS, np.int64)
        kernel.set_options(now, options, seats)
        left, totals = ([chance.choice((1, 2, 99, 100, 101)) for _ in range(4)] for _ in range(2))
        winner = chance.randrange(seats)
        arrays = np.array(left), np.array(totals)
        assert match.giver(*arrays, winner, seats) == giver(left[:seats], totals[:seats], winner)
        decided = is_decided(totals[:seats], options)
        tied = totals[:seats].count(min(totals[:seats])) > 1
        assert match.is_decided(now, arrays[1]) == decided
        for deciding in (True, False):
            more = tied and options.tie == "deciding_hand" and not deciding
            assert match.is_over(now, arrays[1], deciding) == (decided and not more)
