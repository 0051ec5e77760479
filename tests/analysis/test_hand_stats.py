"""Statistics of hands, compared with a slow count of the same logs and with constructed hands."""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Literal

import pytest

from bot.analysis.hand_stats import SeatStats, hand_stats
from bot.engine import Cards, Options, State, evolve, parse_cards, view
from bot.engine.events import (
    Dealt,
    Declared,
    Event,
    Forgot,
    Gave,
    GaveBack,
    HandEnded,
    MatchStarted,
    Passed,
    Played,
    Substituted,
    Undone,
)
from bot.engine.record import Line
from bot.players.simulation import SimulationSettings, simulate

MATCH = MatchStarted("days-of-wonder", Options(), ("Ada", "Bo", "Cy"), 0, "", "")


def stats_of(*events: Event) -> tuple[SeatStats, ...]:
    """The statistics of the only hand of a log."""
    (hand,) = hand_stats([Line(event, at=100 + 10 * number) for number, event in enumerate(events)])
    return hand.seats


def dealt(*hands: str) -> Dealt:
    return Dealt(1, 1, tuple(map(parse_cards, hands)), ())


END = HandEnded(1, 0, (0, 1, 1), (0, 1, 1), (0, 1, 1))


def played(seat: int, cards: str, *, last: bool = False) -> Played:
    return Played(seat, parse_cards(cards), last)


def test_gangs_and_beaten_gangs_are_counted() -> None:
    hands = dealt("1M 3G", "4G 4G 4Y 4R 9R", "5G 5G 5Y 5R 5R 9Y")
    stats = stats_of(
        MATCH, hands, played(0, "1M"), played(1, "4G 4G 4Y 4R"), played(2, "5G 5G 5Y 5R 5R"), Passed(0), Passed(1), END
    )
    assert [(each.gangs, each.biggest, each.beaten) for each in stats] == [(0, 0, 0), (1, 4, 0), (1, 5, 1)]


def test_a_play_that_was_taken_back_does_not_count() -> None:
    hands = dealt("1M 3G", "4G 4G 4Y 4R 9R", "5G 8G")
    stats = stats_of(MATCH, hands, played(0, "1M"), played(1, "4G 4G 4Y 4R"), Undone(1), Passed(1), END)
    assert stats[1] == SeatStats(seconds=(10,))


def test_a_turn_lasts_from_the_end_of_the_turn_before() -> None:
    stats = stats_of(
        MATCH, dealt("1M 3G", "4G 9R", "5G 8G"), played(0, "1M"), played(1, "4G"), played(2, "5G"), Passed(0), END
    )
    assert [each.seconds for each in stats] == [(10, 10), (10,), (10,)]


@pytest.mark.parametrize(
    ("between", "rules"),
    [
        (Substituted(1, "Eve"), {}),
        (Substituted(1, "ai:gentle", for_owner=True), {}),
        (Declared(0), {}),
        (Forgot(0), {"forgotten": "out"}),
    ],
)
def test_a_line_within_a_turn_does_not_end_it(between: Event, rules: dict[str, str]) -> None:
    match = replace(MATCH, options=Options.of("days-of-wonder", rules))
    stats = stats_of(
        match, dealt("1M 3G", "4G 9R", "5G 8G"), played(0, "1M"), between, played(1, "4G"), played(2, "5G"), END
    )
    assert stats[1].seconds == (20,)
    assert stats[2].seconds == (10,)


@pytest.mark.parametrize(("forgotten", "moves"), [("out", [2, 1, 1]), ("takes_back", [2, 1, 2])])
def test_a_move_is_what_ends_a_turn(forgotten: Literal["out", "takes_back"], moves: list[int]) -> None:
    match = replace(MATCH, options=Options(forgotten=forgotten))
    second_hand = replace(dealt("1M 3G", "4G 9R", "5G 8G DR"), hand=2)
    gifts = Gave(2, 0, parse_cards("DR")[0]), GaveBack(0, 2, parse_cards("1M")[0])
    log: tuple[Event, ...] = (
        match,
        second_hand,
        *gifts,
        played(0, "3G"),
        played(1, "4G"),
        played(2, "5G"),
        Forgot(2),
        replace(END, hand=2),
    )
    (hand,) = hand_stats(map(Line, log))
    assert [each["Ada"] + each["Bo"] + each["Cy"] for each in hand.moves] == moves


def test_blocks_and_forgotten_declarations_are_counted() -> None:
    hands = dealt("1M 3G 9G", "4G 9R", "5G 8G")
    stats = stats_of(
        MATCH,
        hands,
        played(0, "1M"),
        played(1, "4G", last=True),
        played(2, "8G"),
        played(0, "9G"),
        Passed(1),
        Forgot(2),
        END,
    )
    assert [each.blocked for each in stats] == [0, 1, 0]
    assert [each.forgot for each in stats] == [0, 0, 1]


LAST_CARD = played(1, "6G", last=True), Passed(2)
"""Seat 1 declares, so the next move of seat 0 may be limited."""


@pytest.mark.parametrize(
    ("hand", "play", "blocks", "rule"),
    [
        ("1M 7G 9G", played(0, "9G"), 1, "R31 must play the highest single"),
        ("1M 9G", played(0, "9G"), 1, "R31 must not pass"),
        ("1M 5G", Passed(0), 0, "R31 the highest single does not beat it, so passing was free anyway"),
        ("1M 2G 2G 2Y 2R", played(0, "2G 2G 2Y 2R"), 0, "R31 a gang, where no single beats it and passing is free"),
        ("1M 7G 7G 7Y 7R", played(0, "7G 7G 7Y 7R"), 1, "R31 a gang instead of the highest single"),
    ],
    ids=lambda value: value if isinstance(value, str) and value.startswith("R31") else "",
)
def test_a_block_counts_only_if_it_limits_a_follow(hand: str, play: Event, blocks: int, rule: str) -> None:
    hands = dealt(hand, "6G 8G", "5G 8G")
    stats = stats_of(MATCH, hands, played(0, "1M"), *LAST_CARD, play, END)
    assert stats[1].blocked == blocks, rule


@pytest.mark.parametrize(
    ("hand", "lead", "blocks"),
    [("3G 5G 5Y", "5G 5Y", 1), ("3G 5G", "5G", 1), ("5G", "5G", 0), ("5G 5G", "5G 5G", 1)],
)
def test_a_block_counts_only_if_it_limits_a_lead(hand: str, lead: str, blocks: int) -> None:
    hands = dealt(f"1M {hand} DR", "6G 8G", "PG 8G")
    cycle = played(0, "1M"), played(1, "6G", last=True), played(2, "PG"), played(0, "DR"), Passed(1), Passed(2)
    assert stats_of(MATCH, hands, *cycle, played(0, lead), END)[1].blocked == 1 + blocks  # the Dragon was one, too


def test_a_free_play_before_a_declared_last_card_blocks_nothing() -> None:
    hands = dealt("1M 1G 7G 7Y 9G", "6G 6Y 8G", "5G 5Y 8G")
    cycle = played(0, "1G 1M"), played(1, "6G 6Y", last=True), Passed(2), played(0, "7G 7Y")
    assert stats_of(MATCH, hands, *cycle, END)[1].blocked == 0


def test_gifts_count_for_both_seats() -> None:
    hands = Dealt(2, -1, tuple(map(parse_cards, ("3G 4G", "5G 6G", "7G DR"))), ())
    gifts = Gave(2, 0, parse_cards("DR")[0]), GaveBack(0, 2, parse_cards("3G")[0])
    stats = stats_of(MATCH, hands, *gifts, replace(END, hand=2))
    assert (stats[0].received, stats[0].gave) == ((12,), (3,))
    assert (stats[2].received, stats[2].gave) == ((3,), (12,))


def is_limited(state: State, seat: int) -> bool:
    """True if R31 leaves this seat fewer legal moves than without declarations."""
    return could_do(state, seat) != could_do(replace(state, declared=frozenset()), seat)


def could_do(state: State, seat: int) -> set[Cards]:
    """The legal plays of a seat; an empty one is a pass."""
    own = view(state, seat)
    return {play.cards for play in own.plays()} | ({()} if own.may_pass else set())


@pytest.mark.parametrize("seed", range(6))
def test_the_sums_over_a_match_agree_with_a_slow_count(seed: int) -> None:
    rng = Random(seed)
    options = Options(target=150, forgotten=rng.choice(("out", "takes_back")))
    _, events = simulate(SimulationSettings(3 + seed % 2, "days-of-wonder", options, f"facts {seed}"), seed)
    gangs, forgot, blocked = Counter[int](), Counter[int](), Counter[int]()
    state = None
    for event in events:
        if isinstance(event, Played):
            ranks = {card.rank for card in event.cards}
            gangs[event.seat] += len(event.cards) > 3 and len(ranks) == 1
            assert state is not None
            blocked[state.next_seat(event.seat)] += is_limited(state, event.seat)
        forgot.update([event.seat] if isinstance(event, Forgot) else [])
        state = evolve(state, event)
    found = [hand.seats for hand in hand_stats(Line(event) for event in events)]
    for seat in range(3 + seed % 2):
        total = sum((hand[seat] for hand in found), SeatStats())
        assert (total.gangs, total.forgot, total.blocked) == (gangs[seat], forgot[seat], blocked[seat])
        assert total.seconds == ()
    assert sum(gangs.values()) > 0
