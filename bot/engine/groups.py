"""The groups of cards that make each kind of combination (R3-R10, R12), in a hand or in the deck.

Groups ascend. A group may also make a stronger kind (R14).
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations, groupby, product
from operator import attrgetter
from typing import Final, TypeAlias

from bot.engine.cards import ALL_CARDS, Cards, Color

NUMBERS: Final = 10
"""Cards of higher ranks, the Phoenixes and the Dragon, have no number."""
FIVES: Final = 5
"""The number of cards in a straight or a flush."""

Ranks: TypeAlias = Mapping[int, Cards]
"""The cards of a hand by their rank."""


def all_groups(hand: Cards) -> list[Cards]:
    """All groups in a hand (ascending cards). Some come several times."""
    ranks = by_rank(hand)
    same = sets(ranks)
    return [*same, *full_houses(same), *straights(ranks), *flushes(hand)]


def by_rank(hand: Cards) -> Ranks:
    """The cards of a hand (ascending) by their rank."""
    return {rank: tuple(same) for rank, same in groupby(hand, key=attrgetter("rank"))}


def sets(ranks: Ranks) -> list[Cards]:
    """Singles, and groups of two or more cards of one rank."""
    return [group for same in ranks.values() for group in _sets_of(same)]


@lru_cache(maxsize=2048)
def _sets_of(same: Cards) -> tuple[Cards, ...]:
    """The groups of these cards of one rank. Cached, because different hands often share them."""
    return tuple({group for size in range(1, len(same) + 1) for group in combinations(same, size)})


def full_houses(same: Iterable[Cards]) -> Iterator[Cards]:
    """The full houses made of these groups of one rank."""
    pairs, triples = ([group for group in same if len(group) == size] for size in (2, 3))
    for triple, pair in product(triples, pairs):
        if triple[0].rank != pair[0].rank:
            yield triple + pair if triple < pair else pair + triple


def straights(ranks: Ranks) -> Iterator[Cards]:
    """Groups of five numbers in a row."""
    for run in _RUNS:
        if ranks.keys() >= run:
            yield from product(*(sorted(set(ranks[rank])) for rank in sorted(run)))


def flushes(hand: Cards) -> Iterator[Cards]:
    """Groups of five numbered cards of one color; the multicolored 1 has every color. Some come several times."""
    for of_color in _COLORS:
        yield from combinations([card for card in hand if card in of_color], FIVES)


_RUNS: Final = [frozenset(range(lowest, lowest + FIVES)) for lowest in range(1, NUMBERS - FIVES + 2)]
_COLORS: Final = [
    frozenset(card for card in ALL_CARDS if card.rank <= NUMBERS and card.color in (color, Color.MULTI))
    for color in (Color.GREEN, Color.YELLOW, Color.RED)
]
