"""Whole random matches, in every edition and with mixed options: played, replayed and verified from their records.

Two processes play them, 10 of each variant; `GANG_OF_FOUR_MATCHES=1000 pytest tests/engine/test_random_matches.py`
plays a thousand of each.
"""

import os
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from random import Random
from traceback import format_exc

import pytest

from bot.engine import EDITIONS, Options, Phase, State, replay
from bot.engine.cards import DECK, Cards
from bot.engine.events import Dealt, Event, HandEnded, MatchEnded, Played, Undone
from bot.engine.options import CHOICES
from bot.engine.record import Line, read, write
from bot.engine.verification import verify
from tests.engine import oracle
from tests.engine.random_play import Probabilities, RandomMatch, play_out

EACH = int(os.environ.get("GANG_OF_FOUR_MATCHES", "10"))
CHUNKS = 2
VARIANTS = [(edition, seats) for edition in (*EDITIONS, "mixed") for seats in (3, 4)]


def mixed(rng: Random) -> Options:
    """Any options."""
    chosen = {name: rng.choice(values) for name, values in CHOICES.items()}
    return Options().with_changes(**chosen, target=rng.randrange(20, 121))


def random_match(variant: str, seats: int, number: int) -> RandomMatch:
    """Match `number` of a variant, always the same."""
    rng = Random(f"{variant}, {seats} seats, match {number}")
    probabilities = Probabilities(give_up=rng.choice((0.0, 0.0, 0.0, 0.002)))
    if variant == "mixed":
        return RandomMatch(rng, "days-of-wonder", mixed(rng), seats, probabilities)
    return RandomMatch(rng, variant, Options.of(variant), seats, probabilities)


class PlayedCards:
    """The cards played in this hand, derived from the events alone."""

    def __init__(self) -> None:
        self.cards: list[Cards] = []
        self.undoes_a_play = False

    def see(self, event: Event) -> None:
        if isinstance(event, Dealt):
            self.cards = []
        elif isinstance(event, Played):
            self.cards.append(event.cards)
        elif isinstance(event, Undone) and self.undoes_a_play:
            self.cards.pop()
        self.undoes_a_play = isinstance(event, Played)

    def with_hands(self, state: State) -> Cards:
        """The played cards and those in hands and dummy."""
        return tuple(sorted(sum((*state.hands, *self.cards), state.dummy)))


def check(match: RandomMatch) -> Counter[str]:
    """Play one match and check its invariants. Returns the number of events of each kind."""
    pile, lines = PlayedCards(), []
    for state, events in match:
        for event in events:
            pile.see(event)
            check_points(event)
        if any(isinstance(event, Dealt) for event in events) or state.phase is Phase.PLAY:
            assert pile.with_hands(state) == DECK
        lines += [Line(event) for event in events]
    text = write(lines)
    assert read(text) == lines
    final = verify(read(text))
    assert final == replay(line.event for line in lines) == state
    check_end(state, lines[-1].event)
    return Counter(type(line.event).__name__ for line in lines)


def check_points(event: Event) -> None:
    """R26, according to the oracle."""
    if isinstance(event, HandEnded):
        expected = [0 if seat == event.winner else oracle.points(left) for seat, left in enumerate(event.left)]
        assert list(event.points) == expected


def check_end(state: State, last: Event) -> None:
    """R32: a player reached the target, and the lowest total is first."""
    assert state.phase is Phase.OVER
    if isinstance(last, MatchEnded):
        assert max(state.totals) >= state.match.options.target
        assert state.totals[last.ranking[0][0]] == min(state.totals)


def check_all(variant: str, seats: int, numbers: range) -> tuple[Counter[str], list[str]]:
    """Count the events of some matches, and collect the errors."""
    happened: Counter[str] = Counter()
    trouble = []
    for number in numbers:
        try:
            happened += check(random_match(variant, seats, number))
        except Exception:  # reported to the first process as text
            trouble.append(f"{variant}, {seats} seats, match {number}\n{format_exc()}")
    return happened, trouble


Results = dict[tuple[str, int], list[Future[tuple[Counter[str], list[str]]]]]


@pytest.fixture(scope="module")
def results() -> Iterator[Results]:
    """The results of all matches, which two processes play."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        yield {
            (variant, seats): [
                pool.submit(check_all, variant, seats, range(chunk, EACH, CHUNKS)) for chunk in range(CHUNKS)
            ]
            for variant, seats in VARIANTS
        }


@pytest.mark.parametrize(("variant", "seats"), VARIANTS)
def test_random_matches(results: Results, variant: str, seats: int) -> None:
    happened: Counter[str] = Counter()
    for chunk in results[variant, seats]:
        counts, trouble = chunk.result()
        assert not trouble, trouble[0]
        happened += counts
    assert happened["MatchStarted"] == EACH
    assert happened["MatchEnded"] + happened["Abandoned"] == EACH


def test_random_matches_have_rare_events(results: Results) -> None:
    happened = sum((chunk.result()[0] for chunks in results.values() for chunk in chunks), Counter[str]())
    assert min(happened[kind] for kind in ("Undone", "Declared", "Substituted", "Forgot", "GaveBack")) > 0


def test_replaying_the_events_gives_the_same_match() -> None:
    one, other = (play_out(random_match("mixed", 4, 7)) for _ in range(2))
    assert one == other


def test_the_engine_changes_no_state_in_place() -> None:
    """States kept during the match still equal a replay at its end."""
    kept: list[tuple[State, list[Event]]] = []
    so_far: list[Event] = []
    for state, events in random_match("days-of-wonder", 3, 1):
        so_far += events
        kept.append((replace(state), list(so_far)))
    for state, log in kept[:: max(1, len(kept) // 30)]:
        assert replay(log) == state
