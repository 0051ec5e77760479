"""R34: the cut that decides who is dealt to first."""

from itertools import count

import pytest

from bot.engine import Deal, Options, format_cards
from bot.engine.events import Dealt
from bot.engine.shuffle import deal
from tests.engine.positions import SEED, between_hands, events

AGAIN = Options(deal="chinese")
COUNTS = AGAIN.with_changes(cut="counts")
SPECIAL = {"PG": 3, "PY": 3, "DR": 4}


def cut_at(card: str, options: Options, *, dealer: int, direction: int, seats: int) -> int | None:
    """The seat dealt to first if `card` is the first one that the dealer looks at."""
    for hand in count(1):
        dealt = deal(SEED, "salt", hand, seats=seats, dealer=dealer, direction=direction, options=options)
        if str(dealt.cut[0]) == card:
            return dealt.first
    raise AssertionError("unreachable")


RIGHT_HAND_COUNTS = [
    pytest.param("1M 5G 9Y", 0, id="R34 1, 5, 9: the dealer"),
    pytest.param("2G 6R 10R", 1, id="R34 2, 6, 10: the right-hand neighbor"),
    pytest.param("3R 7G", 2, id="R34 3, 7: opposite"),
    pytest.param("4Y 8G", 3, id="R34 4, 8: the left-hand neighbor"),
]


@pytest.mark.parametrize("options", [AGAIN, COUNTS])
@pytest.mark.parametrize(("cut", "further"), RIGHT_HAND_COUNTS)
@pytest.mark.parametrize("dealer", [0, 3])
def test_counting_begins_with_the_dealer(cut: str, further: int, dealer: int, options: Options) -> None:
    for card in cut.split():
        assert cut_at(card, options, dealer=dealer, direction=1, seats=4) == (dealer + further) % 4


def test_r34_german_rules_count_in_the_direction_of_play() -> None:
    assert cut_at("2G", AGAIN, dealer=0, direction=-1, seats=4) == 3
    assert cut_at("8G", AGAIN, dealer=2, direction=-1, seats=4) == 3


def test_r34_other_rules_count_counter_clockwise() -> None:
    assert cut_at("2G", COUNTS, dealer=0, direction=-1, seats=4) == 1
    assert cut_at("8G", COUNTS, dealer=2, direction=-1, seats=4) == 1
    assert cut_at("DR", COUNTS, dealer=0, direction=-1, seats=4) == 3


def test_r34_three_players_are_counted_round() -> None:
    assert cut_at("4G", AGAIN, dealer=1, direction=1, seats=3) == 1
    assert cut_at("5G", AGAIN, dealer=1, direction=1, seats=3) == 2
    assert cut_at("5G", AGAIN, dealer=1, direction=-1, seats=3) == 0


@pytest.mark.parametrize(
    ("card", "further"),
    [
        pytest.param("PG", 2, id="R34 counts: the green Phoenix is a 3"),
        pytest.param("PY", 2, id="R34 counts: the yellow Phoenix is a 3"),
        pytest.param("DR", 3, id="R34 counts: the Dragon is a 4"),
    ],
)
def test_special_cards_count(card: str, further: int) -> None:
    assert cut_at(card, COUNTS, dealer=0, direction=1, seats=4) == further


def test_r34_again_cuts_until_a_number_comes() -> None:
    cuts = [deal(SEED, "salt", hand, seats=4, dealer=0, direction=1, options=AGAIN).cut for hand in range(1, 500)]
    repeated = [cut for cut in cuts if len(cut) > 1]
    assert repeated
    for cut in cuts:
        assert cut[-1].rank <= 10
        assert all(card.rank > 10 for card in cut[:-1])


def test_r34_counts_cuts_once() -> None:
    cuts = [deal(SEED, "salt", hand, seats=4, dealer=0, direction=1, options=COUNTS).cut for hand in range(1, 200)]
    assert {len(cut) for cut in cuts} == {1}
    assert SPECIAL.keys() & {format_cards(cut) for cut in cuts}


def test_r34_the_cut_does_not_change_the_hands() -> None:
    plain = deal(SEED, "salt", 1, seats=3, dealer=0, direction=1, options=Options())
    chinese = deal(SEED, "salt", 1, seats=3, dealer=0, direction=1, options=AGAIN)
    assert (plain.hands, plain.dummy) == (chinese.hands, chinese.dummy)
    assert (plain.cut, plain.first) == ((), None)


def test_r34_the_deal_shows_the_cut() -> None:
    """The dealer of the second hand is the winner of the first, and the count goes clockwise."""
    (dealt, _) = events(between_hands((4, 0, 3, 5), (4, 0, 3, 5), AGAIN), Deal(SEED))
    assert isinstance(dealt, Dealt)
    assert dealt.cut
    assert dealt.first == (1 - (dealt.cut[-1].rank - 1)) % 4
