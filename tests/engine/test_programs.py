"""Help for programs: events without secrets, views as JSON, played cards, masks."""

import json
from collections import Counter
from random import Random

import pytest

from bot.engine import Options, Phase, State, combination_table, evolve, legal_mask, read, view, view_json, visible
from bot.engine.cards import DECK, Cards
from bot.engine.events import Dealt, Passed, Played, Undone
from bot.engine.programs import COMBINATIONS
from bot.players.simulation import SimulationSettings, simulate
from tests.engine.golden import GOLDEN, golden


def states(record: str) -> list[State]:
    """Every state of a record."""
    found: list[State] = []
    for line in read(golden(record)):
        found.append(evolve(found[-1] if found else None, line.event))
    return found


@pytest.mark.parametrize("record", GOLDEN)
def test_a_visible_deal_shows_the_hand_of_the_seat_only(record: str) -> None:
    deals = [line.event for line in read(golden(record)) if isinstance(line.event, Dealt)]
    assert deals
    for deal in deals:
        for seat in range(len(deal.hands)):
            seen = visible(deal, seat)
            assert isinstance(seen, Dealt)
            assert seen.hands[seat] == deal.hands[seat]
            assert not any(hand for number, hand in enumerate(seen.hands) if number != seat)
            assert seen.dummy == ()
        everyone = visible(deal)
        assert isinstance(everyone, Dealt)
        assert not any(everyone.hands)


def test_other_events_are_visible_unchanged() -> None:
    play = Played(1, (), last_card=True)
    assert visible(play, 0) is play


def test_a_mask_has_a_byte_for_each_combination() -> None:
    assert len(combination_table().all) == COMBINATIONS == 12_352


@pytest.mark.parametrize("record", GOLDEN)
def test_a_mask_marks_the_legal_plays(record: str) -> None:
    for state in Random(1).sample(states(record), 20):
        for seat in range(state.size):
            seen = view(state, seat)
            mask = legal_mask(seen)
            assert [index for index, legal in enumerate(mask) if legal] == [int(play) for play in seen.plays()]


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
            shown = view(state, 0, with_played=True).played
            assert shown is not None
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
        shown = view(state, 0, with_played=True).history
        assert shown is not None
        assert [(seat, () if play is None else play.cards) for seat, play in shown] == expected
        assert view(state, 0).history is None


@pytest.mark.parametrize("record", GOLDEN)
def test_a_view_as_json_has_no_other_hand(record: str) -> None:
    for state in Random(2).sample(states(record), 20):
        for seat in range(state.size):
            data = json.loads(json.dumps(view_json(view(state, seat, with_played=True))))
            assert data["seat"] == seat
            assert data["hand"] == [str(card) for card in (state.hands[seat] if state.hands else ())]
            assert "hands" not in data
            assert "seed" not in json.dumps(data)
