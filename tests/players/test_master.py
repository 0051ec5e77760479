"""The master in the compiled kernel: positions from views, hidden cards, its weights, and the par of deals."""

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final

import numpy as np
import pytest

from bot.engine import (
    EDITIONS,
    Declare,
    Options,
    Pass,
    Phase,
    Play,
    State,
    advance,
    combination_table,
    decide,
    parse_cards,
    view,
)
from bot.engine.cards import DECK, Card
from bot.players.bits import to_bits
from bot.players.compiled import hand as kernel
from bot.players.compiled import weights
from bot.players.compiled.lookups import make_lookups, minus, plus
from bot.players.compiled.master import Master
from bot.players.compiled.par import Estimator
from bot.players.compiled.position import hand_of
from bot.players.compiled.search import Effort
from bot.players.compiled.weights import WrongWeights, load_weights, read_weights
from bot.players.levels import Level, choose, seed_of
from bot.players.strongest import DealtHand, par_of
from bot.players.styles import Style
from tests.players.positions import dealt_again, played, seen, start, states
from training.export import write_weights

pytestmark = pytest.mark.usefixtures("machine_code")

LOOKUPS: Final = make_lookups()
FIELDS: Final = (
    *(kernel.TURN, kernel.TO_BEAT, kernel.OWING, kernel.DIRECTION, kernel.DECLARED, kernel.OUT, kernel.OPENING),
    *(kernel.GIVER, kernel.GAVE, kernel.BACK, kernel.LEADER),
)


@pytest.fixture(scope="module")
def quick() -> Master:
    """A master that tries few moves in few deals."""
    return Master(Effort(trials=6, candidates=3))


def test_a_position_is_that_of_a_hand_played_in_the_kernel() -> None:
    ours, compared = kernel.new_hand(), 0
    for state, move in played("kernel"):
        if state.phase is not Phase.PLAY:
            continue
        if not state.history:
            begin(ours, state)
        assert_same(hand_of(seen(state)), ours, state)
        compared += 1
        match move:
            case Play(_, cards, declares):
                index = combination_table(state.match.options.flush_order).index_of[cards]
                kernel.play(LOOKUPS, ours, index, declares)
            case Pass():
                kernel.do_pass(ours)
            case Declare(seat):
                kernel.declare(ours.now, seat)
    assert compared > 1000


def begin(ours: kernel.Hand, state: State) -> None:
    """Begin the hand in the kernel, with its exchange."""
    assert state.turn is not None
    kernel.set_options(ours.now, state.match.options, state.size)
    for seat, cards in enumerate(state.hands):
        ours.cards[seat] = to_bits(cards)
    if state.exchange is None or state.exchange.back is None:
        kernel.begin(LOOKUPS, ours, state.turn, state.direction)
        ours.now[kernel.OPENING] = seen(state).public.opening
        return
    gift, back = state.exchange.gave, bits(state.exchange.back.card)
    giver, leader, gave = gift.seat, gift.to, gift.card
    ours.cards[giver] = plus(minus(int(ours.cards[giver]), back), bits(gave))
    ours.cards[leader] = minus(plus(int(ours.cards[leader]), back), bits(gave))
    kernel.begin(LOOKUPS, ours, state.turn, state.direction)
    kernel.exchange(LOOKUPS, ours, giver, bits(gave), back)


def bits(card: Card) -> int:
    return to_bits((card,))


def assert_same(found: kernel.Hand, ours: kernel.Hand, state: State) -> None:
    me = state.turn
    fields = [*FIELDS, kernel.LAST, kernel.PASSED] if state.cycle.plays else FIELDS
    assert [found.now[field] for field in fields] == [ours.now[field] for field in fields]
    for name in ("left", "played", "known", "refused"):
        np.testing.assert_array_equal(getattr(found, name)[: state.size], getattr(ours, name)[: state.size], name)
    assert found.cards[me] == ours.cards[me]
    plays = [list(hand.plays[me, : hand.found[me]]) for hand in (found, ours)]
    assert plays[0] == plays[1]


def test_the_master_does_not_see_hidden_cards(quick: Master) -> None:
    chance = Random("hidden")
    for state in states("hidden", 100):
        assert quick.choose(seen(state), 7) == quick.choose(seen(dealt_again(state, chance)), 7)


def test_the_same_seed_gives_the_same_move_whatever_was_asked_before(quick: Master) -> None:
    views = [seen(state) for state in states("seeds", 200)]
    moves = [quick.choose(shown, 3) for shown in views]
    assert moves == [quick.choose(shown, 3) for shown in reversed(views)][::-1]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seats", [3, 4])
def test_masters_play_a_match_to_its_end(quick: Master, edition: str, seats: int) -> None:
    options = Options.of(edition, {"target": 30, "tie": "deciding_hand"})
    state, seed = start(f"master {edition} {seats}", options, seats)
    while state.phase is not Phase.OVER:
        shown = seen(state)
        state, _ = advance(state, quick.choose(shown, seed_of(shown)), seed)
    assert state.ranking


def test_a_round_ends_once_enough_positions_are_valued() -> None:
    endless = Master(Effort(trials=10**9, valued=50))
    for state in states("valued", 50):
        shown = seen(state)
        assert decide(state, endless.choose(shown, 1))


def test_before_a_deciding_hand_each_player_may_still_win() -> None:
    four = [seen(state) for state in states("deciding", 200) if state.size == 4]
    shown = next(shown for shown in four if len(shown.plays()) > 3)
    match = replace(shown.public.match, options=replace(shown.public.match.options, tie="deciding_hand", target=100))
    public = replace(shown.public, match=match, totals=(101, 101, 103, 120), deciding=True)
    player = Master(Effort(trials=6))
    player.choose(replace(shown, public=public), 1)
    assert player._search.outlook.shares[2] > 0.1


def test_the_level_is_the_master() -> None:
    shown = seen(states("level", 1)[0])
    assert choose(Level.MASTER, shown, 5) == Master().choose(shown, 5)


def test_bold_masters_pass_less_and_stingy_ones_more(quick: Master) -> None:
    answers = [shown for state in states("styles", 600) if (shown := seen(state)).public.cycle.plays and shown.plays()]
    bold, steady, stingy = (
        sum(isinstance(quick.choose(shown, 1, style), Pass) for shown in answers)
        for style in (Style.BOLD, Style.STEADY, Style.STINGY)
    )
    assert bold < 0.75 * steady
    assert stingy > 1.25 * steady


def test_a_view_without_history_is_not_enough(quick: Master) -> None:
    state = states("views", 1)[0]
    assert state.turn is not None
    with pytest.raises(ValueError, match="no history"):
        quick.choose(view(state, state.turn), 1)


def test_weights_are_those_of_this_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = weights.FILE.read_bytes()
    assert len(content) < 1_500_000
    assert np.isfinite(load_weights().network.w1).all()
    other = tmp_path / "weights.npz"
    other.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    monkeypatch.setattr(weights, "FILE", other)
    with pytest.raises(WrongWeights):
        load_weights()


def test_weights_are_written_and_read() -> None:
    before = load_weights()
    after = read_weights(write_weights(before, int(before.pool.size[0])))
    np.testing.assert_allclose(after.network.w1, before.network.w1, atol=1e-6)
    np.testing.assert_array_equal(after.beliefs.w2, before.beliefs.w2)
    np.testing.assert_array_equal(after.pool.points, before.pool.points)


ESTIMATOR: Final = Estimator(playouts=12)


def dealt(seats: int, text: str, edition: str = "days-of-wonder") -> DealtHand:
    """A deal after the first hand."""
    deck = list(DECK)
    Random(text).shuffle(deck)
    hands = tuple(tuple(sorted(deck[16 * seat : 16 * seat + 16])) for seat in range(seats))
    return DealtHand(Options.of(edition, {}), hands, 1, None)


def estimated(deal: DealtHand) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The par and its errors by a few playouts."""
    return ESTIMATOR.par(deal.options, deal.hands, deal.direction, deal.leader)


def turned(deal: DealtHand) -> DealtHand:
    """The deal with each hand at the next seat."""
    leader = None if deal.leader is None else (deal.leader + 1) % len(deal.hands)
    return replace(deal, hands=(deal.hands[-1], *deal.hands[:-1]), leader=leader)


@pytest.mark.parametrize("seats", [3, 4])
def test_the_seat_does_not_change_the_par_of_its_cards(seats: int) -> None:
    for edition in EDITIONS:
        deal = dealt(seats, edition, edition)
        for each in (deal, replace(deal, leader=1, direction=-1)):
            points, errors = estimated(each)
            again, errors_again = estimated(turned(each))
            assert again == (points[-1], *points[:-1])
            assert errors_again == pytest.approx((errors[-1], *errors[:-1]))
            assert min(points) >= 0
            assert len(points) == len(errors) == seats


def test_gangs_have_a_better_par_than_low_single_cards() -> None:
    strong = parse_cards("10R 10G 10Y 10R 9R 9G 9Y 9R 8R 8G 8Y 8R 7R 7G 7Y 7R")
    weak = parse_cards("1R 2G 3Y 5R 6G 1G 2Y 4R 5G 6Y 1Y 2R 4G 3G 5Y 3R")
    rest = list(DECK)
    for card in (*strong, *weak):
        rest.remove(card)
    deal = DealtHand(Options(), (strong, tuple(rest[::2]), weak, tuple(rest[1::2])), 1, None)
    points = estimated(deal)[0]
    assert points[0] < min(points[1:])
    assert points[0] + 5 < points[2]


def test_the_same_deal_has_the_same_par() -> None:
    deal = dealt(4, "same")
    assert par_of(deal) == par_of(deal)
