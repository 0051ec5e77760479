"""Views of a match, which never hold another hand, the dummy or an earlier cycle."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from random import Random

import pytest

from bot.engine import (
    EDITIONS,
    Card,
    Cards,
    Options,
    Phase,
    PublicView,
    State,
    View,
    begin,
    decide,
    evolve,
    format_cards,
    plays,
    public_view,
    read,
    situation,
    view,
)
from bot.engine.cards import DECK
from bot.engine.errors import NoSuchSeat, NothingToDeclare, NotNow
from bot.engine.events import Dealt, Passed, Played, Undone
from bot.engine.moves import Abandon, Deal, Declare, Reveal
from bot.engine.shuffle import deal
from bot.players.simulation import SimulationSettings, simulate
from tests.engine.golden import GOLDEN, golden
from tests.engine.positions import SEED, after, between_hands, hand_in_play, start
from tests.engine.random_play import RandomMatch
from tests.not_none import not_none

CARD = re.compile(r"\b(?:(?:10|[1-9])[GYR]|1M|P[GY]|DR)\b")


def contents_of(value: object) -> Iterator[object]:
    """A value and everything in it at any depth, including private attributes."""
    yield value
    for part in children_of(value):
        yield from contents_of(part)


def children_of(value: object) -> Iterator[object]:
    if isinstance(value, Enum | type):
        return  # an Enum refers to its class, which refers to it
    yield from vars(value).values() if hasattr(value, "__dict__") else ()
    if is_dataclass(value):
        yield from (getattr(value, field.name) for field in fields(value))
    elif isinstance(value, dict):
        yield from (*value.keys(), *value.values())
    elif isinstance(value, tuple | list | set | frozenset):
        yield from value


def cards_within(value: object) -> Iterator[Cards]:
    """Every tuple of cards, and every single card."""
    for part in contents_of(value):
        if isinstance(part, Card):
            yield (part,)
        elif isinstance(part, tuple) and part and all(isinstance(card, Card) for card in part):
            yield part


def visible_cards(state: State, seat: int | None) -> list[Cards]:
    """The cards that `seat` (None: a spectator) may see: its hand, the open cycle, the exchange (R25, R27)."""
    hand = [state.hands[seat]] if seat is not None and state.hands else []
    gifts = [(gift.card,) for gift in (state.exchange or ())[:2] if gift]
    return [*hand, *(play.cards for _, play in state.cycle.plays), *gifts]


def assert_only_visible(seen: View | PublicView, allowed: list[Cards]) -> None:
    singles = {card for group in allowed for card in group}
    for group in cards_within(seen):
        assert group in allowed or (len(group) == 1 and group[0] in singles), f"{format_cards(group)} is not known"
    written = Counter(CARD.findall(repr(seen)))
    assert set(written) <= {str(card) for card in singles}


def with_other_secrets(rng: Random, state: State, seat: int | None) -> State:
    """The same state with the cards that `seat` can't see dealt differently."""
    hidden = [other for other in range(state.size) if other != seat]
    pool = [card for other in hidden for card in state.hands[other]] + list(state.dummy)
    rng.shuffle(pool)
    hands = list(state.hands)
    for other in hidden:
        hands[other] = tuple(sorted(pool[: len(hands[other])]))
        del pool[: len(hands[other])]
    return replace(state, hands=tuple(hands), dummy=tuple(sorted(pool)))


def some_states(edition: str, seats: int, every: int) -> Iterator[State]:
    for number, (state, _) in enumerate(RandomMatch(Random(edition), edition, Options.of(edition), seats)):
        if state.hands and number % every == 0:
            yield state


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seats", [3, 4])
def test_views_hold_no_other_cards(edition: str, seats: int) -> None:
    for state in some_states(edition, seats, every=3):
        assert_only_visible(public_view(state), visible_cards(state, None))
        for seat in range(seats):
            assert_only_visible(view(state, seat), visible_cards(state, seat))


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seats", [3, 4])
def test_a_view_does_not_depend_on_hidden_cards(edition: str, seats: int) -> None:
    rng = Random(1)
    for state in some_states(edition, seats, every=11):
        if public_view(state).opening:
            continue  # everyone knows that the leader holds 1M
        for seat in range(seats):
            assert view(with_other_secrets(rng, state, seat), seat) == view(state, seat)
            assert repr(view(with_other_secrets(rng, state, seat), seat)) == repr(view(state, seat))
        assert public_view(with_other_secrets(rng, state, None)) == public_view(state)


def test_the_search_finds_hidden_hands() -> None:
    """Otherwise the tests above couldn't fail."""
    state = hand_in_play("5G 9G", "6G 6Y 8R", "7G 7Y 2R")
    for smuggled in ({"players": (state.hands[1],)}, {"last_hand": [{"x": state}]}, {"totals": state.hands[2][:1]}):
        leaky = replace(public_view(state), **smuggled)
        with pytest.raises(AssertionError):
            assert_only_visible(leaky, visible_cards(state, None))


def test_the_repr_of_states_deals_and_seeds_shows_no_secret() -> None:
    state = after(begin(start()), Deal(SEED))
    for value in (state, Deal(SEED), Reveal(SEED), Abandon("tired", SEED)):
        assert not CARD.search(repr(value))
        assert SEED.hex() not in repr(value)
        assert repr(SEED) not in repr(value)


def test_a_seat_sees_its_hand_and_its_legal_moves() -> None:
    state = hand_in_play("5G 5Y 9G", "6G 6Y 8R", "7G 7Y 2R")
    mine, other = view(state, 0), view(state, 1)
    assert (mine.seat, mine.hand) == (0, state.hands[0])
    assert mine.is_my_turn
    assert mine.may_play
    assert not mine.may_pass
    assert not mine.may_give_back
    assert not mine.may_declare
    assert mine.plays() == plays(not_none(mine.situation))
    assert not other.is_my_turn
    assert not other.may_pass
    assert other.plays() == ()


def test_a_waiting_seat_knows_its_situation() -> None:
    waiting = view(after(hand_in_play("5G 5Y 9G", "6G 6Y 8R", "7G 7Y 2R"), "5G 5Y"), 2)
    assert [format_cards(play.cards) for play in plays(not_none(waiting.situation))] == ["7G 7Y"]
    assert waiting.plays() == ()


def test_only_the_winner_may_give_back() -> None:
    state = after(between_hands((9, 4, 0, 3), (18, 4, 0, 3)), Deal(SEED))
    assert [view(state, seat).may_give_back for seat in range(4)] == [False, False, True, False]
    assert [view(state, seat).situation for seat in range(4)] == [None] * 4


def test_the_view_before_the_first_deal() -> None:
    seen = view(begin(start(3)), 1)
    assert (seen.hand, seen.situation, seen.public.left, seen.plays()) == ((), None, (0, 0, 0), ())


HANDS = ("4G 5G 9G", "6G 6Y 8R", "7G 7Y 2R", "3G 10Y 10R")


@pytest.mark.parametrize("seat", [-1, 4, 99])
def test_there_is_no_view_of_a_seat_that_does_not_exist(seat: int) -> None:
    state = hand_in_play(*HANDS)
    for look in (view, situation):
        with pytest.raises(NoSuchSeat):
            look(state, seat)
        with pytest.raises(NoSuchSeat):
            look(begin(start()), seat)


def test_before_the_deal_a_seat_has_no_situation_and_nothing_to_declare() -> None:
    state = begin(start())
    with pytest.raises(NotNow):
        situation(state, 0)
    with pytest.raises(NothingToDeclare):
        decide(state, Declare(0))
    assert view(state, 0).hand == ()


def test_a_seat_that_has_gone_out_has_no_situation() -> None:
    over = after(hand_in_play("5G 5Y", "8G 9G", "8Y 9Y"), "5G 5Y")
    with pytest.raises(NotNow):
        situation(over, 0)


def test_no_repr_shows_a_hand() -> None:
    state = after(hand_in_play(*HANDS), "4G")
    dealt = deal(SEED, "salt", 1, seats=3, dealer=0, direction=1, options=Options())
    for secret in (view(state, 1), situation(state, 1), state, state.undo, dealt, Dealt(1, 1, state.hands, ())):
        found = set(CARD.findall(repr(secret)))
        assert found <= {"4G"}, secret


@pytest.mark.parametrize("seats", [3, 4])
def test_played_cards_are_those_of_the_plays(seats: int) -> None:
    setting = SimulationSettings(seats, "days-of-wonder", Options(target=20), "played")
    _, events = simulate(setting, 1)
    state: State | None = None
    played = Counter[object]()
    for event in events:
        state = evolve(state, event)
        if isinstance(event, Dealt):
            played.clear()
        elif isinstance(event, Played):
            played.update(event.cards)
        if state.phase is Phase.PLAY:
            shown = not_none(view(state, 0, with_played=True).played)
            assert Counter(shown) == played
            assert not Counter(shown) - Counter(DECK)
    assert view(evolve(None, events[0]), 0).played is None


@pytest.mark.parametrize("record", GOLDEN)
def test_the_history_has_the_plays_and_passes_of_the_hand(record: str) -> None:
    state = None
    expected: list[tuple[int, Cards]] = []
    for line in read(golden(record)):
        state = evolve(state, line.event)
        match line.event:
            case Dealt():
                expected = []
            case Played(seat, cards):
                expected.append((seat, cards))
            case Passed(seat):
                expected.append((seat, ()))
            case Undone():
                expected.pop()
        shown = not_none(view(state, 0, with_played=True).history)
        assert [(seat, () if play is None else play.cards) for seat, play in shown] == expected
        assert view(state, 0).history is None
