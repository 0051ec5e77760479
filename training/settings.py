"""The setups of training matches: random seats, editions, options, targets, totals and opponents."""

from dataclasses import dataclass
from random import Random
from typing import Final

from bot.engine.options import CHOICES, EDITIONS, Options
from training.arena import HEURISTIC, LEARNER, PAST

FOUR_SEATS: Final = 0.75
TO_100: Final = 0.7
OTHER_TARGETS: Final = (1, 10, 25, 50, 75, 150, 200, 300)
FROM_ZERO: Final = 0.85
"""The probability of starting with totals of 0."""
AMONG_EQUALS: Final = 0.7
"""The probability that all seats learn."""
HEURISTIC_OPPONENTS: Final = 0.5
"""The probability that the others are heuristics and not earlier snapshots."""
OWN_CHOICES: Final = 0.2
"""The probability of random options instead of an edition's."""
VARIED: Final = {name: values for name, values in CHOICES.items() if name not in ("deal", "cut")}
"""The options that matter for play."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The setup of a match: its target, and the kind of player in each seat."""

    options: Options
    seats: int
    totals: tuple[int, ...]
    kinds: tuple[int, ...]


def draw_setting(random: Random) -> Setting:
    """The setup of a match."""
    seats = 4 if random.random() < FOUR_SEATS else 3
    target = 100 if random.random() < TO_100 else random.choice(OTHER_TARGETS)
    if random.random() < OWN_CHOICES:
        options = Options().with_changes(target=target, **{name: random.choice(VARIED[name]) for name in VARIED})
    else:
        edition = random.choice(("days-of-wonder", "days-of-wonder", *EDITIONS))
        options = Options.of(edition, {"target": target})
    return Setting(options, seats, _totals(random, target), _kinds(random, seats))


def _totals(random: Random, target: int) -> tuple[int, ...]:
    if random.random() < FROM_ZERO:
        return (0, 0, 0, 0)
    return tuple(random.randrange(target) for _ in range(4))


def _kinds(random: Random, seats: int) -> tuple[int, ...]:
    if random.random() < AMONG_EQUALS:
        return (LEARNER,) * 4
    other = HEURISTIC if random.random() < HEURISTIC_OPPONENTS else PAST
    learners = random.randrange(1, seats)
    kinds = [LEARNER] * learners + [other] * (seats - learners)
    random.shuffle(kinds)
    return (*kinds, LEARNER)[:4] if seats == 3 else tuple(kinds)
