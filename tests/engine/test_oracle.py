"""The engine against the oracle: every combination, their whole order, and random hands in random situations."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine import (
    Options,
    Situation,
    check_play,
    combination_table,
    find,
    format_cards,
    may_pass,
    parse_cards,
    plays,
)
from bot.engine.cards import DECK, Cards, sorted_cards
from bot.engine.combinations import Combination, FlushOrder
from bot.engine.errors import IllegalPlay
from bot.engine.scoring import giver, penalty
from tests.engine import oracle

ORDERS: tuple[FlushOrder, ...] = ("highest", "sum")
SIZE_OF_HAND = st.integers(1, 16)

many = settings(max_examples=300)
few = settings(max_examples=100)


@st.composite
def hands(draw: st.DrawFn, most: int = 12) -> Cards:
    """A hand of 1 to `most` cards; half of the hands have few numbers or colors, so they hold combinations."""
    narrow = draw(st.sampled_from([DECK, DECK, DECK[:31], DECK[31:], DECK[::2], DECK[1::3], DECK[18:45]]))
    size = draw(st.integers(1, min(most, len(narrow))))
    indexes = draw(st.lists(st.integers(0, len(narrow) - 1), min_size=size, max_size=size, unique=True))
    return sorted_cards(narrow[index] for index in indexes)


def name(kind: object) -> str:
    return str(kind).replace("_", " ").lower()


def faces(cards: Cards) -> oracle.Faces:
    return oracle.faces(format_cards(cards))


def as_texts(sets: set[oracle.Faces]) -> set[str]:
    return {oracle.text(cards) for cards in sets}


def found_texts(found: tuple[Combination, ...]) -> list[str]:
    return [format_cards(play.cards) for play in found]


def test_the_oracle_reads_and_writes_the_same_deck() -> None:
    assert oracle.text(oracle.deck()) == format_cards(DECK)


@pytest.mark.parametrize(("size", "sets"), [(1, 34), (2, 591), (3, 6_974), (4, 62_651), (5, 455_856)])
def test_every_set_of_up_to_five_cards_is_identified(size: int, sets: int) -> None:
    identify, counted = combination_table().identify, 0
    by_text = {str(card): card for card in DECK}
    by_face = {oracle.face(word): card for word, card in by_text.items()}
    for cards in oracle.every_set(size):
        counted += 1
        kind, found = oracle.kind_of(cards), identify([by_face[card] for card in cards])
        assert (found and name(found.kind.name)) == kind, oracle.text(cards)
    assert counted == sets


@pytest.mark.parametrize("size", [6, 7])
def test_of_six_and_seven_cards_only_gangs_are_combinations(size: int) -> None:
    found = [play for play in combination_table().all if play.size == size]
    assert {oracle.kind_of(faces(play.cards)) for play in found} == {"gang"}
    of_a_number = Counter(rank for rank, _ in oracle.deck() if rank <= 10)
    assert len(found) == sum(len({*_gangs(rank, size)}) for rank, count in of_a_number.items() if count >= size)


def _gangs(rank: int, size: int) -> list[oracle.Faces]:
    same = tuple(card for card in oracle.deck() if card[0] == rank)
    return [cards for cards in oracle.subsets(same) if len(cards) == size]


@pytest.mark.parametrize("order", ORDERS)
def test_the_whole_order_of_all_combinations(order: FlushOrder) -> None:
    """Comparing neighbors is enough, because the order of strengths is transitive."""
    for low, high in pairwise(combination_table(order).all):
        below, above = faces(low.cards), faces(high.cards)
        assert not oracle.beats(below, above, order)
        assert not low.beats(high)
        assert high.beats(low) is oracle.beats(above, below, order), (low, high)


@pytest.mark.parametrize("order", ORDERS)
@many
@given(data=st.data())
def test_any_two_combinations_compare_alike(order: FlushOrder, data: st.DataObject) -> None:
    one, other = (data.draw(st.sampled_from(combination_table(order).all)) for _ in range(2))
    assert one.beats(other) is oracle.beats(faces(one.cards), faces(other.cards), order)
    same = one.kind is other.kind and not one.beats(other) and not other.beats(one)
    assert (combination_table(order).decisive(one, other) is None) is same


@pytest.mark.parametrize("order", ORDERS)
@few
@given(hand=hands())
def test_every_combination_of_a_hand_is_found(order: FlushOrder, hand: Cards) -> None:
    found = find(hand, order)
    texts = found_texts(found)
    assert list(map(int, found)) == sorted(set(map(int, found)))
    assert len(texts) == len(set(texts))
    assert set(texts) == as_texts(set(oracle.held(faces(hand))))


@settings(max_examples=25)
@given(hand=hands(most=16))
def test_every_combination_of_a_full_hand_is_found(hand: Cards) -> None:
    assert set(found_texts(find(hand))) == as_texts(set(oracle.held(faces(hand))))


@st.composite
def situations(draw: st.DrawFn) -> Situation:
    """A hand that leads or follows, before a declared last card or not."""
    order, block = draw(st.sampled_from(ORDERS)), draw(st.sampled_from(["lead_and_follow", "lead_only"]))
    options = Options().with_changes(flush_order=order, block=block)
    single = st.sampled_from(combination_table(order).all[:34])
    to_beat = draw(st.none() | single | st.sampled_from(combination_table(order).all))
    return Situation(options, draw(hands()), to_beat, blocked=draw(st.sampled_from([None, 1])))


def oracle_arguments(situation: Situation) -> tuple[oracle.Faces | None, str, str | None]:
    """The oracle's arguments for a situation, besides the hand."""
    to_beat = None if situation.to_beat is None else faces(situation.to_beat.cards)
    return to_beat, situation.options.flush_order, None if situation.blocked is None else situation.options.block


@many
@given(situation=situations())
def test_legal_plays_and_passing(situation: Situation) -> None:
    hand = faces(situation.hand)
    to_beat, order, bound = oracle_arguments(situation)
    expected = oracle.legal_plays(oracle.held(hand), to_beat, order, bound)
    assert set(found_texts(plays(situation))) == as_texts(expected)
    assert may_pass(situation) is oracle.may_pass(hand, to_beat, order, bound)


@few
@given(situation=situations())
def test_checking_each_subset_agrees(situation: Situation) -> None:
    situation = Situation(situation.options, situation.hand[:9], situation.to_beat, blocked=situation.blocked)
    legal = set(found_texts(plays(situation)))
    for cards in oracle.subsets(faces(situation.hand)):
        text = oracle.text(cards)
        try:
            check_play(situation, parse_cards(text))
        except IllegalPlay:
            assert text not in legal
        else:
            assert text in legal


@given(situation=situations())
@many
def test_every_situation_has_a_legal_move(situation: Situation) -> None:
    assert plays(situation) or may_pass(situation)


@given(hand=hands(most=16))
@settings(max_examples=20)
def test_the_first_lead_includes_the_multicolored_1(hand: Cards) -> None:
    one = parse_cards("1M")
    hand = sorted_cards(set(hand) - set(one)) + one
    hand = tuple(sorted(hand))
    expected = {cards for cards in oracle.held(faces(hand)) if oracle.MULTI in cards}
    assert set(found_texts(plays(Situation(Options(), hand, None, opening=True)))) == as_texts(expected)


@pytest.mark.parametrize("left", range(17))
def test_points(left: int) -> None:
    assert penalty(left) == oracle.points(left)


@given(st.integers(3, 4).flatmap(lambda n: st.tuples(*[st.lists(st.integers(0, 3), min_size=n, max_size=n)] * 2)))
@many
def test_the_giver_of_the_exchange(numbers: tuple[list[int], list[int]]) -> None:
    left, totals = numbers
    for winner in range(len(left)):
        assert giver(left, totals, winner) == oracle.giver(left, totals, winner)
