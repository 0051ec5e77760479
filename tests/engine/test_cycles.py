"""R19-R25: the order of play."""

import pytest

from bot.engine import (
    Deal,
    MatchStarted,
    Options,
    Phase,
    advance,
    begin,
    commitment,
    plays,
    public_view,
    situation,
)
from bot.engine.errors import OpeningNeedsMultiOne
from bot.engine.events import Dealt
from tests.engine.positions import (
    SEED,
    after,
    between_hands,
    events,
    hand_in_play,
    refusal,
    second_hand,
    start,
    texts,
)

FOUR = ("3G 5G 8G 9G", "3Y 5Y 8Y 9Y", "3R 5R 8R 9R", "4G 6G 7G 10G")
FULL = (
    "1M 1G 2G 2Y 2R 3G 4G 5G 6G 7G 8G 9G 10G 10Y 10R PG",
    "1Y 1R 2Y 2R 3Y 3R 4Y 4R 5Y 5R 6Y 6R 7Y 7R 8Y 8R",
    "1G 2G 3G 3Y 4G 4Y 5G 5Y 6G 6Y 7G 7Y 8G 8Y 9Y 9R",
    "1Y 1R 3R 4R 5R 6R 7R 8R 9G 9Y 9R 10G 10Y 10R PY DR",
)


@pytest.mark.parametrize("seats", [3, 4])
def test_r19_sixteen_cards_each_and_the_dummy_makes_the_fourth(seats: int) -> None:
    state, _ = advance(begin(start(seats)), Deal(SEED), SEED)
    assert [len(hand) for hand in state.hands] == [16] * seats
    assert len(state.dummy) == (16 if seats == 3 else 0)


def test_r19_all_64_cards_are_shuffled_again_for_the_next_hand() -> None:
    first = events(begin(start(3)), Deal(SEED))[0]
    second = events(between_hands((0, 4, 3), (0, 4, 3)), Deal(SEED))[0]
    assert isinstance(first, Dealt)
    assert isinstance(second, Dealt)
    assert (first.hand, second.hand) == (1, 2)
    assert first.dummy != second.dummy
    assert sorted(sum(first.hands, first.dummy)) == sorted(sum(second.hands, second.dummy))


def test_r20_the_first_hand_runs_counter_clockwise() -> None:
    state = hand_in_play(*FOUR)
    turns = [state.turn, *(after(state, "3G", *["pass"] * passes).turn for passes in range(3))]
    assert turns == [0, 1, 2, 3]


def test_r20_the_second_hand_runs_clockwise() -> None:
    state = second_hand(*FOUR)
    turns = [state.turn, *(after(state, "3G", *["pass"] * passes).turn for passes in range(3))]
    assert turns == [0, 3, 2, 1]


@pytest.mark.parametrize(("hand", "direction"), [(1, -1), (2, 1), (3, -1), (4, 1)])
def test_r20_the_direction_turns_with_each_hand(hand: int, direction: int) -> None:
    state = between_hands((0, 4, 3, 2), (0, 4, 3, 2), hand=hand)
    dealt = events(state, Deal(SEED))[0]
    assert isinstance(dealt, Dealt)
    assert (dealt.hand, dealt.direction) == (hand + 1, direction)


def test_r21_the_holder_of_the_multicolored_1_leads() -> None:
    state, _ = advance(begin(start()), Deal(SEED), SEED)
    assert state.turn is not None
    assert "1M" in map(str, state.hands[state.turn])


def test_r21_the_first_lead_includes_the_multicolored_1() -> None:
    state = hand_in_play(*FULL)
    assert public_view(state).opening
    legal = texts(plays(situation(state, 0)))
    assert legal
    assert all("1M" in play.split() for play in legal)
    assert {"1M", "1G 1M", "1M 2G 3G 4G 5G", "1G 1M 2G 2Y 2R"} <= set(legal)
    assert isinstance(refusal(state, "2G 2Y"), OpeningNeedsMultiOne)
    assert after(state, "1G 1M").cycle.plays


def test_r21_only_the_first_lead_includes_it() -> None:
    state = after(hand_in_play(*FULL), "1M 1G", "pass", "pass", "pass")
    assert state.turn == 0
    assert not public_view(state).opening
    assert "2G 2Y" in texts(plays(situation(state, 0)))


def test_r21_a_follow_needs_no_multicolored_1() -> None:
    state = after(hand_in_play(*FULL), "1M")
    assert "2Y" in texts(plays(situation(state, 1)))


@pytest.mark.parametrize(("dealer", "leader"), [(0, 1), (1, 2), (2, 0)])
def test_r21_with_it_in_the_dummy_the_dealers_right_leads_anything(dealer: int, leader: int) -> None:
    state = hand_in_play(*FULL[1:], dummy=FULL[0], lead=leader)
    assert state.dealer == dealer
    assert not public_view(state).opening
    singles = [play for play in plays(situation(state, leader)) if play.size == 1]
    assert len(singles) == len(set(state.hands[leader]))


def test_r21_in_later_hands_the_winner_leads_anything() -> None:
    hands = (FULL[1], FULL[0], FULL[2], FULL[3])
    state = second_hand(*hands, lead=2)
    assert state.turn == 2
    assert not public_view(state).opening
    assert after(state, "2G").turn == 1


def test_r22_the_eldest_deals_first_and_then_the_winner() -> None:
    assert begin(start(dealer=3)).dealer == 3
    assert between_hands((4, 3, 0, 2), (4, 3, 0, 2)).dealer == 2


def test_r23_play_goes_round_and_each_plays_or_passes() -> None:
    state = after(hand_in_play(*FOUR), "3G", "5Y", "pass", "10G")
    assert state.turn == 0
    assert [seat for seat, _ in state.cycle.plays] == [0, 1, 3]


def test_r23_a_player_who_passed_may_play_later_in_the_cycle() -> None:
    state = after(hand_in_play(*FOUR), "3G", "pass", "5R", "6G", "pass", "8Y")
    assert state.cycle.last_seat == 1


def test_r24_when_all_others_have_passed_in_a_row_the_last_one_leads() -> None:
    state = after(hand_in_play(*FOUR), "3G", "pass", "5R", "pass", "pass")
    assert state.cycle.plays
    state = after(state, "pass")
    assert (state.turn, state.cycle.plays, state.cycle.passed) == (2, (), ())


def test_r24_a_play_begins_the_count_of_passes_again() -> None:
    state = after(hand_in_play(*FOUR), "3G", "pass", "pass", "6G", "pass", "pass")
    assert state.cycle.plays
    assert after(state, "pass").turn == 3


def test_r24_three_players_need_two_passes() -> None:
    state = after(hand_in_play(*FOUR[:3]), "3G", "pass", "pass")
    assert (state.turn, state.cycle.plays) == (0, ())


def test_r25_only_the_open_cycle_is_visible() -> None:
    state = hand_in_play(*FOUR)
    shown = public_view(after(state, "3G", "5Y", "pass")).cycle
    assert [(seat, str(play.cards[0])) for seat, play in shown.plays] == [(0, "3G"), (1, "5Y")]
    assert shown.passed == (2,)
    assert public_view(after(state, "3G", "5Y", "pass", "pass", "pass")).cycle.plays == ()


def test_r25_the_number_of_cards_of_each_player_is_public() -> None:
    assert public_view(after(hand_in_play(*FOUR), "3G", "5Y")).left == (3, 3, 4, 4)


def test_r25_a_finished_cycle_leaves_no_trace() -> None:
    hands = ("3G 9G 10G", "4Y 5Y 5R 9Y", "6R 9R 10R")
    one, other = (public_view(after(hand_in_play(*hands), "3G", play, "pass", "pass")) for play in ("5Y", "5R"))
    assert one == other


def test_a_new_hand_begins_without_declarations_passes_or_players_out() -> None:
    state = after(hand_in_play("2G 9G", "3G 9Y", "4G 8G 8Y"), "2G", "3G!", "8Y", "9Y")
    assert state.phase is Phase.BETWEEN_HANDS
    assert state.out == {0}
    assert state.declared == {1}
    state = after(state, Deal(SEED))
    assert (state.out, state.declared, state.cycle.plays, state.cycle.passed) == (frozenset(), frozenset(), (), ())


@pytest.mark.parametrize(("seats", "dealer"), [(1, 0), (2, 0), (5, 0), (6, 0), (3, 3), (4, 9), (4, -1)])
def test_r19_three_or_four_play_and_one_of_them_deals(seats: int, dealer: int) -> None:
    with pytest.raises(ValueError, match=r"a match has 3 or 4|no seat"):
        MatchStarted("days-of-wonder", Options(), ("Ada",) * seats, dealer, commitment(SEED), "")


@pytest.mark.parametrize("dealer", [True, 1.5, 1.0, "1", None])
def test_the_dealer_is_a_whole_number(dealer: object) -> None:
    with pytest.raises(ValueError, match="no seat"):
        start(dealer=dealer)  # type: ignore[arg-type]  # the test is about other types
