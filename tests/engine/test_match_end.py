"""R32, R33 and R40: the end of a match, and the deciding hand."""

import pytest

from bot.engine import Abandon, Deal, GiveBack, Options, Pass, Phase, Reveal, Substitute, advance, public_view
from bot.engine.errors import MatchIsOver, NotNow, WrongSeed
from bot.engine.events import Abandoned, Dealt, Gave, HandEnded, MatchEnded, Substituted
from bot.engine.rules import match_is_decided, table_move
from bot.engine.state import evolve
from tests.engine.positions import SEED, after, between_hands, events, hand_in_play, move, refusal, start

REACH, EXCEED = Options(), Options(end="exceed")
DECIDING = Options(tie="deciding_hand")


def test_r32_after_a_hand_that_reaches_the_target_the_match_is_over() -> None:
    state = between_hands((4, 0, 3, 16), (64, 20, 30, 100))
    assert table_move(state, SEED) == Reveal(SEED)
    ended = MatchEnded(((1,), (2,), (0,), (3,)), SEED.hex())
    assert events(state, Reveal(SEED)) == (ended,)
    assert public_view(after(state, Reveal(SEED))).ranking == ended.ranking
    assert after(state, Reveal(SEED)).phase is Phase.OVER


def test_r32_the_match_cannot_continue() -> None:
    assert isinstance(refusal(between_hands((4, 0, 3, 16), (64, 20, 30, 100)), Deal(SEED)), NotNow)


def test_r32_a_decided_match_cannot_be_abandoned() -> None:
    assert isinstance(refusal(between_hands((4, 0, 3, 16), (64, 20, 30, 100)), Abandon("agreed", SEED)), MatchIsOver)
    assert events(between_hands((4, 0, 3, 16), (64, 20, 30, 99)), Abandon("agreed", SEED))


def test_r32_the_match_continues_below_the_target() -> None:
    state = between_hands((4, 0, 3, 16), (64, 20, 30, 99))
    assert table_move(state, SEED) == Deal(SEED)
    assert isinstance(refusal(state, Reveal(SEED)), NotNow)


def test_r32_exceed_continues_at_the_target() -> None:
    assert table_move(between_hands((4, 0, 3, 16), (64, 20, 30, 100), EXCEED), SEED) == Deal(SEED)
    assert table_move(between_hands((4, 0, 3, 16), (64, 20, 30, 101), EXCEED), SEED) == Reveal(SEED)


def test_r32_one_move_may_end_hand_and_match() -> None:
    state = hand_in_play("5G 5Y", "6G 6Y 8R", "7G 7Y 2R", options=Options(target=3))
    final, following = advance(state, move(state, "5G 5Y"), SEED)
    assert [type(event) for event in following[1:]] == [HandEnded, MatchEnded]
    assert final.ranking == ((0,), (1, 2))


def test_a_move_that_ends_a_hand_brings_the_next_deal() -> None:
    state = hand_in_play("5G 5Y", "6G 6Y 8R", "7G 7Y 2R")
    final, following = advance(state, move(state, "5G 5Y"), SEED)
    assert [type(event) for event in following[1:]] == [HandEnded, Dealt, Gave]
    assert (final.phase, final.turn, final.hand_number) == (Phase.EXCHANGE, 0, 2)


def test_r33_shared_equal_lowest_totals_end_the_match() -> None:
    state = between_hands((4, 0, 3, 16), (64, 30, 30, 100))
    assert events(state, Reveal(SEED)) == (MatchEnded(((1, 2), (0,), (3,)), SEED.hex()),)


def test_r33_deciding_hand_one_more_hand_is_played() -> None:
    state = between_hands((4, 0, 3, 16), (64, 30, 30, 100), DECIDING)
    assert not match_is_decided(state)
    dealt = after(state, Deal(SEED))
    assert dealt.deciding
    assert public_view(dealt).deciding


def test_r33_no_deciding_hand_if_others_are_equal() -> None:
    state = between_hands((4, 0, 3, 16), (100, 20, 30, 100), DECIDING)
    assert table_move(state, SEED) == Reveal(SEED)


def test_r33_no_deciding_hand_before_the_target() -> None:
    assert not after(between_hands((4, 0, 3, 16), (64, 30, 30, 99), DECIDING), Deal(SEED)).deciding


AFTERWARDS = [
    pytest.param((0, 2, 5, 3), (64, 32, 35, 103), ((1,), (2,), (0,), (3,)), id="R33 it decides"),
    pytest.param((0, 5, 5, 3), (64, 35, 35, 103), ((1, 2), (0,), (3,)), id="R33 equal again: they share"),
    pytest.param((0, 8, 9, 3), (45, 46, 48, 103), ((0,), (1,), (2,), (3,)), id="R33 it counts: a third may win"),
    pytest.param((0, 16, 16, 3), (64, 110, 110, 103), ((0,), (3,), (1, 2)), id="R33 it counts for the tied too"),
]


@pytest.mark.parametrize(("left", "totals", "places"), AFTERWARDS)
def test_after_the_deciding_hand(
    left: tuple[int, ...], totals: tuple[int, ...], places: tuple[tuple[int, ...], ...]
) -> None:
    state = after(between_hands((4, 0, 3, 16), (64, 30, 30, 100), DECIDING), Deal(SEED))
    state = evolve(state, HandEnded(2, 0, left, (0, 0, 0, 0), totals))
    assert events(state, Reveal(SEED)) == (MatchEnded(places, SEED.hex()),)
    assert isinstance(refusal(state, Deal(SEED)), NotNow)


def test_r40_in_a_deciding_hand_the_direction_turns_and_cards_are_exchanged() -> None:
    state = between_hands((4, 0, 3, 16), (64, 30, 30, 100), DECIDING)
    dealt, gave = events(state, Deal(SEED))
    assert isinstance(dealt, Dealt)
    assert (dealt.hand, dealt.direction) == (2, -1)
    assert isinstance(gave, Gave)
    assert (gave.seat, gave.to) == (3, 1)
    deciding = after(state, Deal(SEED))
    assert deciding.phase is Phase.EXCHANGE
    assert after(deciding, GiveBack(1, gave.card)).turn == 1


def test_the_seed_that_is_revealed_is_the_one_committed_to() -> None:
    over, going_on = between_hands((4, 0, 3, 16), (64, 20, 30, 100)), between_hands((4, 0, 3, 1), (4, 0, 3, 1))
    for state, asked in (
        (over, Reveal(b"another")),
        (going_on, Deal(b"another")),
        (going_on, Abandon("no time", b"another")),
    ):
        assert isinstance(refusal(state, asked), WrongSeed)


def test_a_match_can_be_abandoned_at_any_time() -> None:
    for state in (hand_in_play("5G 9G", "6G 9Y", "7G 9R"), between_hands((4, 0, 3, 5), (4, 0, 3, 5))):
        (event,) = events(state, Abandon("two left", SEED))
        assert event == Abandoned("two left", state.totals, SEED.hex())
        gone = after(state, Abandon("two left", SEED))
        assert (gone.phase, gone.turn, gone.ranking) == (Phase.OVER, None, None)


def test_a_finished_match_refuses_all_moves() -> None:
    over = after(between_hands((4, 0, 3, 16), (64, 20, 30, 100)), Reveal(SEED))
    for asked in (Deal(SEED), Reveal(SEED), Pass(0), Substitute(0, "Eve"), Abandon("late", SEED)):
        assert isinstance(refusal(over, asked), MatchIsOver)


def test_a_substitute_may_take_a_seat_at_any_time() -> None:
    state = hand_in_play("5G 9G", "6G 9Y", "7G 9R")
    assert events(state, Substitute(1, "ai:hard", for_owner=True)) == (Substituted(1, "ai:hard", for_owner=True),)
    changed = after(state, Substitute(1, "ai:hard"))
    assert changed.players == ("Ada", "ai:hard", "Cy")
    assert changed.match.seats == start(3).seats
    assert (changed.hands, changed.turn) == (state.hands, state.turn)


def test_a_substitute_plays_on_into_the_next_hand() -> None:
    state = after(between_hands((4, 0, 3, 5), (4, 0, 3, 5)), Substitute(0, "Eve"), Deal(SEED))
    assert state.players == ("Eve", "Bo", "Cy", "Di")


@pytest.mark.parametrize("edition", [REACH, EXCEED])
def test_the_table_has_no_move_while_a_seat_must_act(edition: Options) -> None:
    assert table_move(hand_in_play("5G 9G", "6G 9Y", "7G 9R", options=edition), SEED) is None
