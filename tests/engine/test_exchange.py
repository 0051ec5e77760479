"""R27, R28 and R39: the exchange before every hand but the first."""

import pytest

from bot.engine import Deal, GiveBack, MatchStarted, Phase, State, advance, begin, parse_card, public_view
from bot.engine.errors import NothingToGiveBack, NotInHand
from bot.engine.events import Dealt, Gave, GaveBack
from bot.engine.state import Exchange
from tests.engine.positions import SEED, after, between_hands, events, refusal, start


def next_deal(left: tuple[int, ...], totals: tuple[int, ...]) -> tuple[Dealt, Gave]:
    dealt, gave = events(between_hands(left, totals), Deal(SEED))
    assert isinstance(dealt, Dealt)
    assert isinstance(gave, Gave)
    return dealt, gave


@pytest.fixture
def exchange() -> State:
    """Seat 2 won, seat 0 had most cards left and has given its card."""
    return after(between_hands((9, 4, 0, 3), (18, 4, 0, 3)), Deal(SEED))


def test_r27_the_first_hand_has_no_exchange() -> None:
    match: MatchStarted = start()
    state, dealt = advance(begin(match), Deal(SEED), SEED)
    assert len(dealt) == 1
    assert state.phase is Phase.PLAY
    assert state.exchange is None


def test_r27_the_loser_gives_the_highest_card_of_the_new_hand() -> None:
    dealt, gave = next_deal((9, 4, 0, 3), (18, 4, 0, 3))
    assert gave == Gave(0, 2, max(dealt.hands[0]))


def test_r27_the_winner_has_seen_it_and_gives_any_card_back(exchange: State) -> None:
    assert exchange.exchange is not None
    received = exchange.exchange.gave.card
    assert (exchange.turn, received in exchange.hands[2], len(exchange.hands[2])) == (2, True, 17)
    for card in set(exchange.hands[2]):
        state = after(exchange, GiveBack(2, card))
        assert [len(hand) for hand in state.hands] == [16] * 4
        assert card in state.hands[0]
        assert (state.phase, state.turn) == (Phase.PLAY, 2)


def test_r27_both_cards_are_public(exchange: State) -> None:
    gave = Gave(0, 2, max(next_deal((9, 4, 0, 3), (18, 4, 0, 3))[0].hands[0]))
    assert public_view(exchange).exchange == Exchange(gave)
    lowest = exchange.hands[2][0]
    given = Exchange(gave, GaveBack(2, 0, lowest), exchange.players[2])
    assert public_view(after(exchange, GiveBack(2, lowest))).exchange == given


@pytest.mark.parametrize("seat", [0, 1, 3])
def test_r27_only_the_winner_gives_back(exchange: State, seat: int) -> None:
    assert isinstance(refusal(exchange, GiveBack(seat, exchange.hands[seat][0])), NothingToGiveBack)


def test_r27_the_winner_gives_a_card_from_their_hand(exchange: State) -> None:
    lacking = next(card for card in map(parse_card, ("1G", "1Y", "1R", "1M")) if card not in exchange.hands[2])
    error = refusal(exchange, GiveBack(2, lacking))
    assert isinstance(error, NotInHand)
    assert error.cards == (lacking,)


def test_r39_the_card_just_received_may_be_given_back(exchange: State) -> None:
    assert exchange.exchange is not None
    received = exchange.exchange.gave.card
    dealt, _ = next_deal((9, 4, 0, 3), (18, 4, 0, 3))
    assert after(exchange, GiveBack(2, received)).hands == tuple(tuple(sorted(hand)) for hand in dealt.hands)


GIVERS = [
    pytest.param((0, 3, 9, 4), (0, 50, 20, 60), 2, id="R28 no tie: most cards, whatever the totals"),
    pytest.param((0, 9, 9, 4), (0, 20, 50, 60), 2, id="R28 most cards twice: the highest total"),
    pytest.param((9, 0, 9, 9), (20, 0, 40, 30), 2, id="R28 most cards three times: the highest total"),
    pytest.param((0, 9, 9, 9), (0, 30, 30, 30), 1, id="R28 all equal: the winner's right"),
    pytest.param((9, 9, 9, 0), (30, 30, 30, 0), 0, id="R28 all equal, around the table"),
    pytest.param((9, 0, 9, 9), (30, 0, 30, 30), 2, id="R28 all equal, winner in the middle"),
    pytest.param((9, 9, 0, 9), (30, 30, 0, 20), 0, id="R28 two equal: the nearer counter-clockwise"),
    pytest.param((9, 0, 9), (30, 0, 30), 2, id="R28 three players"),
]


@pytest.mark.parametrize(("left", "totals", "giver"), GIVERS)
def test_the_giver(left: tuple[int, ...], totals: tuple[int, ...], giver: int) -> None:
    _, gave = next_deal(left, totals)
    assert (gave.seat, gave.to) == (giver, left.index(0))


def test_r28_nearest_is_counter_clockwise_in_a_clockwise_hand_too() -> None:
    for hand in (1, 2):
        events_of_deal = events(between_hands((0, 9, 4, 9), (0, 30, 0, 30), hand=hand), Deal(SEED))
        gave = events_of_deal[1]
        assert isinstance(gave, Gave)
        assert gave.seat == 1
