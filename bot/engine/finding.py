"""Every combination that a hand holds, and what of it beats another."""

from bisect import bisect_right
from functools import cache, lru_cache, partial
from typing import Final

from bot.engine.cards import MULTI_ONE, Cards, tally
from bot.engine.combinations import Combination, CombinationTable, FlushOrder, Kind, combination_table
from bot.engine.parts import Flushes, FullHouses, Memo, Places, Sets, Straights

_KINDS: Final = tuple(Kind)
_SINGLE, _PAIR, _TRIPLE, _STRAIGHT, _FLUSH, _FULL_HOUSE, _STRAIGHT_FLUSH, _GANG = _KINDS


def _stronger(kind: Kind) -> tuple[Kind, ...]:
    """The kinds of which every combination beats every one of `kind` (R16, R18)."""
    if kind < _STRAIGHT:
        return (_GANG,)
    return tuple(other for other in _KINDS if other > kind)


_STRONGER: Final[tuple[tuple[Kind, ...], ...]] = ((), *map(_stronger, _KINDS))
_FEW_KINDS: Final = 3


class Finder:
    """What looks through hands, in the order of one table."""

    def __init__(self, table: CombinationTable) -> None:
        self.table = table
        self.sets = Sets(table)
        self.straights = Straights(table)
        self.flushes = Flushes(table)
        self.full_houses = FullHouses(table)
        self.with_multi_one = frozenset(int(play) for play in table.all if MULTI_ONE in play.cards)
        self.few: Memo[Holding] = Memo(partial(Holding, self))
        """Holdings of hands of few kinds of card, which come again and again."""


class Holding:
    """The combinations of one hand, as places in a table. Those of five cards are looked for when asked for."""

    __slots__ = ("_finder", "_plays", "_runs", "tally")

    def __init__(self, finder: Finder, hand: int) -> None:
        singles, pairs, triples, gangs = finder.sets.of(hand)
        fives = None if pairs or len(singles) > 4 else ()  # five cards are of five kinds, or two of them are a pair
        self.tally = hand
        self._finder = finder
        self._runs: list[Places | None] = [(), singles, pairs, triples, fives, fives, fives, fives, gangs]  # by kind
        self._plays: Places | None = None

    def plays(self) -> Places:
        """All of them."""
        if self._plays is None:
            singles, pairs, triples, straights, flushes, houses, straight_flushes, gangs = map(self.of, _KINDS)
            self._plays = (*singles, *pairs, *triples, *straights, *flushes, *houses, *straight_flushes, *gangs)
        return self._plays

    def answers(self, to_beat: Combination) -> Places:
        """Those that beat `to_beat` (R15-R18)."""
        kind, runs = to_beat.kind, self._runs
        same = self._look_for(kind) if (run := runs[kind]) is None else run
        answers = same[bisect_right(same, to_beat.ceiling) :]
        for stronger in _STRONGER[kind]:
            answers += self._look_for(stronger) if (run := runs[stronger]) is None else run
        return answers

    def of(self, kind: Kind) -> Places:
        """Those of one kind."""
        run = self._runs[kind]
        return self._look_for(kind) if run is None else run

    def several(self) -> Places:
        """Those of more than one card."""
        return self.plays()[len(self.of(_SINGLE)) :]

    def with_multi_one(self) -> Places:
        """Those with the multicolored 1."""
        wanted = self._finder.with_multi_one
        return tuple([place for place in self.plays() if place in wanted])

    @property
    def highest(self) -> int:
        """The highest single."""
        return self.of(_SINGLE)[-1]

    def without(self, play: Combination) -> "Holding":
        """What the hand holds once `play`, which it has, is laid."""
        hand = self.tally - play.tally
        if hand.bit_count() <= _FEW_KINDS:
            return self._finder.few[hand]
        return Holding(self._finder, hand)

    def _look_for(self, kind: Kind) -> Places:
        finder, runs = self._finder, self._runs
        if kind is _FLUSH:
            runs[_FLUSH] = flushes = finder.flushes.of(self.tally)
            return flushes
        if kind is _FULL_HOUSE:
            runs[_FULL_HOUSE] = full_houses = finder.full_houses.of(self.of(_TRIPLE), self.of(_PAIR))
            return full_houses
        runs[_STRAIGHT], runs[_STRAIGHT_FLUSH] = straights, straight_flushes = finder.straights.of(self.tally)
        return straights if kind is _STRAIGHT else straight_flushes


@cache
def finder(flush_order: FlushOrder) -> Finder:
    """The finder of a `flush_order`, set up at the first call."""
    return Finder(combination_table(flush_order))


@lru_cache(maxsize=256)
def holding(hand: Cards, flush_order: FlushOrder) -> Holding:
    """What `hand` (ascending cards) holds; kept for a while, since a hand is asked about many times a turn."""
    return Holding(finder(flush_order), tally(hand))


def find(hand: Cards, flush_order: FlushOrder = "highest") -> tuple[Combination, ...]:
    """All combinations that can be made of `hand` (ascending cards), ascending, once per kind of card."""
    return combination_table(flush_order).at(Holding(finder(flush_order), tally(hand)).plays())
