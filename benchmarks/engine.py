"""The speed of the rules engine, compared with two other engines on the same core.

rlcard (in Python) and open_spiel (in C++) both play Dou Dizhu, the most similar of their games: a climbing game of
combinations and passes, with 17-20 cards in a hand. All engines play at random. A decision means listing the legal
moves, choosing one with the same expression, and applying it, including passes; the time includes dealing. rlcard's
game object is used without its environment, which encodes states for learning. Ours plays by `decide` and `evolve`, and
by the compiled hand of the strongest AI player, which numba compiles.

Each task is warmed up first. No task repeats a hand. A rate is the median of rounds in which the tasks take turns, by
the processor time of one core.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from statistics import median
from time import process_time
from typing import Any, Final

import numpy as np  # type: ignore[import-not-found, unused-ignore]  # installed for the benchmark only
import pyspiel  # type: ignore[import-not-found, unused-ignore]
from rlcard.games.doudizhu import Game  # type: ignore[import-not-found, unused-ignore]

from bot.engine import (
    Deal,
    GiveBack,
    MatchStarted,
    Options,
    Pass,
    Phase,
    Play,
    State,
    advance,
    begin,
    commitment,
    find,
    may_pass,
    plays,
    situation,
)
from bot.engine.cards import DECK, Cards
from bot.engine.combinations import Combinations, answers
from bot.engine.moves import Move
from bot.players.compiled.hand import WINNER, Hand, do_pass, legal_plays, new_hand, play, set_options
from bot.players.compiled.jit import Places, jit
from bot.players.compiled.lookups import MOST_PLAYS, Lookups, make_lookups
from bot.players.compiled.match import Chance, begin_first, below, chance_of, deal

ROUNDS: Final = 9
ROUND_SECONDS: Final = 0.8
"""Processor time of each task in a round."""
WARM_UP_SECONDS: Final = 4.0

random: Final = Random()
chance: Final = random.random
OPTIONS: Final = Options()
LOOKUPS: Final = make_lookups()
CHANCE: Final = chance_of(random.getrandbits(32))


@dataclass(frozen=True, slots=True)
class Rate:
    """The work of a task per second."""

    hands: float
    steps: float
    """Decisions, or answers."""


@dataclass(frozen=True, slots=True)
class Task:
    """Work on a batch of hands. Only `work` is measured; it returns the number of steps."""

    name: str
    prepare: Callable[[], Sequence[Any]]
    work: Callable[[Sequence[Any]], int]

    def rate(self, seconds: float) -> Rate:
        """Work for `seconds` of processor time."""
        hands, steps, spent = 0, 0, 0.0
        while spent < seconds:
            batch = self.prepare()
            start = process_time()
            steps += self.work(batch)
            spent += process_time() - start
            hands += len(batch)
        return Rate(hands / spent, steps / spent)


def play_rlcard(hands: Sequence[int]) -> int:
    """Dou Dizhu with rlcard's game object, whose `step` returns the legal actions."""
    decisions, game = 0, Game()
    game.np_random = np.random.RandomState()
    for _ in hands:
        state, _ = game.init_game()
        while not game.is_over():
            actions = state["actions"]
            state, _ = game.step(actions[int(chance() * len(actions))])
            decisions += 1
    return decisions


def play_open_spiel(hands: Sequence[int]) -> int:
    """Dou Dizhu with open_spiel, called from Python; its chance nodes deal card by card."""
    decisions, game = 0, pyspiel.load_game("dou_dizhu")
    for _ in hands:
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            decisions += not state.is_chance_node()
            state.apply_action(actions[int(chance() * len(actions))])
    return decisions


def play_compiled(hands: Sequence[int]) -> int:
    """Hands of four players with the compiled hand, called once for all of them."""
    hand = new_hand()
    set_options(hand.now, OPTIONS, 4)
    return _play_hands(len(hands), LOOKUPS, hand, np.zeros(MOST_PLAYS, np.int16), CHANCE)


@jit
def _play_hands(hands: int, lookups: Lookups, hand: Hand, legal: Places, chance: Chance) -> int:
    """Deal and play hands. Returns the number of decisions."""
    decisions = 0
    for _ in range(hands):
        deal(hand.cards, chance)
        begin_first(lookups, hand, 0)
        while hand.now[WINNER] < 0:
            found, passing = legal_plays(lookups, hand, legal)
            chosen = below(chance, found + passing)
            if chosen < found:
                play(lookups, hand, legal[chosen], True)
            else:
                do_pass(hand)
            decisions += 1
    return decisions


def decide_and_evolve(hands: Sequence[int]) -> int:
    """Hands of four players with `advance`, in whole matches with verifiable deals."""
    decisions, state, seed = 0, None, b""
    for _ in hands:
        if state is None or state.phase is Phase.OVER:
            state, seed = first_deal()
        hand = state.hand_number
        while state.hand_number == hand and state.phase is not Phase.OVER:
            state, _ = advance(state, random_move(state), seed)
            decisions += 1
    return decisions


def first_deal() -> tuple[State, bytes]:
    """A new match, and its seed."""
    seed = random.randbytes(32)
    match = MatchStarted("days-of-wonder", OPTIONS, ("Ada", "Bo", "Cy", "Di"), 0, commitment(seed), "")
    state, _ = advance(begin(match), Deal(seed), seed)
    return state, seed


def random_move(state: State) -> Move:
    """A legal move of the seat to move; it always declares."""
    seat = state.turn
    assert seat is not None
    if state.phase is Phase.EXCHANGE:
        return GiveBack(seat, random.choice(state.hands[seat]))
    now = situation(state, seat)
    legal = plays(now)
    chosen = int(chance() * (len(legal) + may_pass(now)))
    if chosen == len(legal):
        return Pass(seat)
    return Play(seat, legal[chosen].cards, last_card=len(now.hand) - legal[chosen].size == 1)


def random_hand() -> Cards:
    """Sixteen cards of a full deck."""
    return tuple(sorted(random.sample(DECK, 16)))


def find_leads(hands: Sequence[Cards]) -> int:
    """Find all leads of each hand."""
    return sum(len(find(hand)) for hand in hands)


def answer_leads(hands: Sequence[Combinations]) -> int:
    """Find all plays of each hand that beat each of some leads."""
    for combinations in hands:
        for lead in LEADS_TO_ANSWER:
            answers(combinations, lead)
    return len(hands) * len(LEADS_TO_ANSWER)


LEADS_TO_ANSWER: Final = [random.choice(find(random_hand())) for _ in range(500)]
RLCARD: Final = Task("rlcard dou dizhu", lambda: range(10), play_rlcard)
OPEN_SPIEL: Final = Task("open_spiel dou_dizhu", lambda: range(200), play_open_spiel)
COMPILED: Final = Task("compiled hand", lambda: range(1000), play_compiled)
PLAIN: Final = Task("decide/evolve", lambda: range(20), decide_and_evolve)
LEADS: Final = Task("leads of a hand", lambda: [random_hand() for _ in range(500)], find_leads)
ANSWERS: Final = Task("answers to a lead", lambda: [find(random_hand()) for _ in range(100)], answer_leads)
TASKS: Final = (RLCARD, OPEN_SPIEL, COMPILED, PLAIN, LEADS, ANSWERS)


def measure() -> dict[Task, Rate]:
    """The median rates of all tasks. Prints a line of progress for each round."""
    for task in TASKS:
        print(f"warming up: {task.name}", flush=True)
        task.rate(WARM_UP_SECONDS)
    rates: dict[Task, list[Rate]] = {task: [] for task in TASKS}
    for number in range(1, ROUNDS + 1):
        print(f"round {number} of {ROUNDS}", flush=True)
        for task in TASKS:
            rates[task].append(task.rate(ROUND_SECONDS))
    return {
        task: Rate(median(rate.hands for rate in seen), median(rate.steps for rate in seen))
        for task, seen in rates.items()
    }


def report(rates: dict[Task, Rate]) -> None:
    """Print rates, ratios and targets."""
    rlcard, open_spiel = rates[RLCARD], rates[OPEN_SPIEL]
    print(f"\n{'a second':<40}{'engine':>12}{'peer':>12}{'ratio':>10}{'target':>10}")
    for title, ours, theirs, target in (
        ("decisions, compiled hand / rlcard", rates[COMPILED].steps, rlcard.steps, 15.0),
        ("decisions, compiled hand / open_spiel", rates[COMPILED].steps, open_spiel.steps, 1.0),
        ("decisions, decide-evolve / rlcard", rates[PLAIN].steps, rlcard.steps, 2.0),
        ("hands' leads found / rlcard hands", rates[LEADS].hands, rlcard.hands, 40.0),
        ("answers to a lead / rlcard hands", rates[ANSWERS].steps, rlcard.hands, 2000.0),
    ):
        ratio = ours / theirs
        verdict = "met" if ratio >= target else "missed"
        print(f"{title:<40}{ours:>12,.0f}{theirs:>12,.0f}{ratio:>10,.2f}{target:>10,g}  {verdict}")


def main() -> None:
    """Measure on one core, if the system supports that, and report."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    report(measure())


if __name__ == "__main__":
    main()
