"""The kernel plays by the rules of the engine, move by move, in every edition and option."""

import os
from itertools import product
from random import Random
from typing import Final

import numpy as np
import pytest

from bot.engine import Declare, GiveBack, Options, Pass, Play, State, combination_table, decide, may_pass, plays, replay
from bot.engine.cards import DECK, Cards
from bot.engine.events import Dealt, Event, Gave, HandEnded
from bot.engine.moves import Move
from bot.engine.options import CHOICES
from bot.engine.rules import owes_declaration, situation
from bot.engine.scoring import giver, is_decided
from bot.engine.state import evolve
from bot.players.bits import from_bits, to_bits
from bot.players.compiled import hand as kernel
from bot.players.compiled import match
from bot.players.compiled.lookups import MOST_PLAYS, highest_bit, make_lookups, minus, plus
from tests.engine.positions import between_hands, start

pytestmark = pytest.mark.usefixtures("machine_code")

HANDS: Final = int(os.environ.get("GANG_OF_FOUR_KERNEL_HANDS", "12"))
"""Hands for every set of options and number of seats."""
LOOKUPS: Final = make_lookups()
IN_A_HAND: Final = {name: values for name, values in CHOICES.items() if name not in ("end", "tie", "deal", "cut")}
"""The options that matter between the deal and the end of a hand."""
RULES: Final = [
    Options().with_changes(**dict(zip(IN_A_HAND, values, strict=True))) for values in product(*IN_A_HAND.values())
]


def dealt(options: Options, seats: int, chance: Random) -> tuple[State, kernel.Hand]:
    """The same hand in both: a first one, or a later one with its exchange."""
    deck = chance.sample(DECK, len(DECK))
    piles = [tuple(sorted(deck[16 * pile : 16 * pile + 16])) for pile in range(4)]
    ours = kernel.new_hand()
    kernel.set_options(ours.now, options, seats)
    ours.cards[:] = [to_bits(pile) for pile in piles]
    dummy = () if seats == 4 else piles[3]
    if chance.random() < 0.5:
        dealer = chance.randrange(seats)
        match.begin_first(LOOKUPS, ours, dealer)
        return replay((start(seats, dealer, options), Dealt(1, 1, tuple(piles[:seats]), dummy))), ours
    winner, direction = chance.randrange(seats), chance.choice((1, -1))
    gives = chance.choice([seat for seat in range(seats) if seat != winner])
    return later(options, Dealt(2, direction, tuple(piles[:seats]), dummy), ours, (winner, gives), chance)


def later(
    options: Options, deal: Dealt, ours: kernel.Hand, who: tuple[int, int], chance: Random
) -> tuple[State, kernel.Hand]:
    """A hand after an exchange of the highest card for any."""
    (winner, gives), seats = who, len(deal.hands)
    card = max(deal.hands[gives])
    state = between_hands(tuple(0 if seat == winner else 3 for seat in range(seats)), (0,) * seats, options)
    state = applied(state, (deal, Gave(gives, winner, card)))
    back = chance.choice(state.hands[winner])
    kernel.begin(LOOKUPS, ours, winner, deal.direction)
    assert highest_bit(ours.cards[gives]) == to_bits((card,))
    kernel.exchange(LOOKUPS, ours, gives, to_bits((card,)), to_bits((back,)))
    return applied(state, decide(state, GiveBack(winner, back))), ours


def applied(state: State, events: tuple[Event, ...]) -> State:
    for event in events:
        state = evolve(state, event)
    return state


def assert_same(state: State, ours: kernel.Hand, legal: np.ndarray) -> list[Cards | None]:
    """Compare cards, turn and legal moves. Returns the legal moves; None is a pass."""
    assert state.turn is not None
    now = situation(state, state.turn)
    found, ours_may_pass = kernel.legal_plays(LOOKUPS, ours, legal)
    assert list(legal[:found]) == list(plays(now))
    assert bool(ours_may_pass) == may_pass(now)
    assert ours.now[kernel.TURN] == state.turn
    assert [from_bits(int(held)) for held in ours.cards[: state.size]] == list(state.hands)
    assert list(ours.left[: state.size]) == [len(hand) for hand in state.hands]
    assert ours.now[kernel.DECLARED] == sum(1 << seat for seat in state.declared)
    assert ours.now[kernel.OUT] == sum(1 << seat for seat in state.out)
    return [*(play.cards for play in plays(now)), *([None] if may_pass(now) else [])]


def moved(state: State, ours: kernel.Hand, cards: Cards | None, *, declares: bool) -> tuple[Event, ...]:
    """The events of a move of the seat to act, which is made in the kernel as well."""
    assert state.turn is not None
    if cards is None:
        kernel.do_pass(ours)
        return decide(state, Pass(state.turn))
    index = combination_table(state.match.options.flush_order).index_of[cards]
    kernel.play(LOOKUPS, ours, index, declares)
    is_last_but_one = len(state.hands[state.turn]) - len(cards) == 1
    return decide(state, Play(state.turn, cards, last_card=declares and is_last_but_one))


def late_declarations(state: State, ours: kernel.Hand, chance: Random) -> tuple[Move, ...]:
    """Declarations by some seats that forgot theirs, made in the kernel as well."""
    late = [seat for seat in range(state.size) if owes_declaration(state, seat) and chance.random() < 0.4]
    for seat in late:
        kernel.declare(ours.now, seat)
    return tuple(map(Declare, late))


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("options", RULES, ids=lambda options: " ".join(getattr(options, name) for name in IN_A_HAND))
def test_a_hand_goes_as_in_the_engine(options: Options, seats: int) -> None:
    chance = Random(f"kernel {options} {seats}")
    legal = np.zeros(MOST_PLAYS, np.int16)
    points = np.zeros(4, np.int64)
    for _ in range(HANDS):
        state, ours = dealt(options, seats, chance)
        events: tuple[Event, ...] = ()
        while not (events and isinstance(events[-1], HandEnded)):
            assert ours.now[kernel.WINNER] == -1
            cards = chance.choice(assert_same(state, ours, legal))
            events = moved(state, ours, cards, declares=chance.random() < 0.6)
            state = applied(state, events)
            for declaration in late_declarations(state, ours, chance):
                state = applied(state, decide(state, declaration))
        assert state.last_hand is not None
        assert ours.now[kernel.WINNER] == state.last_hand.winner
        match.hand_points(ours, points)
        assert tuple(points[:seats]) == state.last_hand.points


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
