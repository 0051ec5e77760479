"""Finds the combinations in a hand, and those that beat another."""

from bisect import bisect_right
from functools import cache, lru_cache, partial
from typing import Final

from bot.engine.cards import MULTI_ONE, Cards, tally
from bot.engine.combinations import Combination, CombinationTable, FlushOrder, Kind, combination_table
from bot.engine.lookups import Flushes, FullHouses, Indexes, Memo, Sets, Straights

_KINDS: Final = tuple(Kind)
_SINGLE, _PAIR, _TRIPLE, _STRAIGHT, _FLUSH, _FULL_HOUSE, _STRAIGHT_FLUSH, _GANG = _KINDS


def _stronger(kind: Kind) -> tuple[Kind, ...]:
    """The kinds whose combinations all beat every combination of `kind` (R16, R18)."""
    if kind < _STRAIGHT:
        return (_GANG,)
    return tuple(other for other in _KINDS if other > kind)


_STRONGER: Final[tuple[tuple[Kind, ...], ...]] = ((), *map(_stronger, _KINDS))
_SMALL_HAND: Final = 3


class Finder:
    """Finds combinations in hands, in the order of one table."""

    def __init__(self, table: CombinationTable) -> None:
        self.table = table
        self.sets = Sets(table)
        self.straights = Straights(table)
        self.flushes = Flushes(table)
        self.full_houses = FullHouses(table)
        self.with_multi_one = bytes(MULTI_ONE in cards for cards in table.cards)
        """For each combination, 1 if it has the multicolored 1."""
        self.small_hands: Memo[HandCombinations] = Memo(partial(HandCombinations, self))
        """The combinations of hands with few kinds of card, which are looked up often."""


class HandCombinations:
    """The combinations in one hand, as indexes of a table. Those of five cards are found when first needed."""

    __slots__ = ("_by_kind", "_finder", "_plays", "tally")

    def __init__(self, finder: Finder, hand: int) -> None:
        singles, pairs, triples, gangs = finder.sets.of(hand)
        fives = None if pairs or len(singles) > 4 else ()  # five cards have a pair or are of five kinds
        self.tally = hand
        self._finder = finder
        self._by_kind: list[Indexes | None] = [(), singles, pairs, triples, fives, fives, fives, fives, gangs]
        self._plays: Indexes | None = None

    def plays(self) -> Indexes:
        """All combinations."""
        if self._plays is None:
            singles, pairs, triples, straights, flushes, houses, straight_flushes, gangs = map(self.of, _KINDS)
            self._plays = (*singles, *pairs, *triples, *straights, *flushes, *houses, *straight_flushes, *gangs)
        return self._plays

    def answers(self, to_beat: Combination) -> Indexes:
        """The combinations that beat `to_beat` (R15-R18)."""
        table, by_kind = self._finder.table, self._by_kind
        kind = table.kinds[to_beat]
        same = self._find(kind) if (run := by_kind[kind]) is None else run
        answers = same[bisect_right(same, table.ceilings[to_beat]) :]
        for stronger in _STRONGER[kind]:
            answers += self._find(stronger) if (run := by_kind[stronger]) is None else run
        return answers

    def of(self, kind: Kind) -> Indexes:
        """The combinations of one kind."""
        run = self._by_kind[kind]
        return self._find(kind) if run is None else run

    def several(self) -> Indexes:
        """The combinations of more than one card."""
        return self.plays()[len(self.of(_SINGLE)) :]

    def with_multi_one(self) -> Indexes:
        """The combinations with the multicolored 1."""
        wanted = self._finder.with_multi_one
        return tuple([index for index in self.plays() if wanted[index]])

    @property
    def highest(self) -> int:
        """The highest single."""
        return self.of(_SINGLE)[-1]

    def without(self, play: Combination) -> "HandCombinations":
        """The combinations left after `play`, which must be one of them."""
        hand = self.tally - play.tally
        if hand.bit_count() <= _SMALL_HAND:
            return self._finder.small_hands[hand]
        return HandCombinations(self._finder, hand)

    def _find(self, kind: Kind) -> Indexes:
        finder, by_kind = self._finder, self._by_kind
        if kind is _FLUSH:
            by_kind[_FLUSH] = flushes = finder.flushes.of(self.tally)
            return flushes
        if kind is _FULL_HOUSE:
            by_kind[_FULL_HOUSE] = full_houses = finder.full_houses.of(self.of(_TRIPLE), self.of(_PAIR))
            return full_houses
        by_kind[_STRAIGHT], by_kind[_STRAIGHT_FLUSH] = straights, straight_flushes = finder.straights.of(self.tally)
        return straights if kind is _STRAIGHT else straight_flushes


@cache
def finder(flush_order: FlushOrder) -> Finder:
    """The finder for a `flush_order`, built at the first call."""
    return Finder(combination_table(flush_order))


@lru_cache(maxsize=256)
def hand_combinations(hand: Cards, flush_order: FlushOrder) -> HandCombinations:
    """The combinations in `hand` (ascending). Cached, because each turn asks several times."""
    return HandCombinations(finder(flush_order), tally(hand))


def find(hand: Cards, flush_order: FlushOrder = "highest") -> tuple[Combination, ...]:
    """All combinations in `hand` (ascending cards), ascending; equal copies of a card count once."""
    return combination_table(flush_order).at(HandCombinations(finder(flush_order), tally(hand)).plays())
