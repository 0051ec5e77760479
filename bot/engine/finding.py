"""Every combination that a hand holds, and what of it beats another.

A `Holding` looks for a kind of combination when it is first asked for it. Laying cards never brings a hand a kind
that it did not have, so what was missing once is not looked for again.
"""

from bisect import bisect_right
from collections.abc import Iterable
from functools import cache, lru_cache, partial
from typing import Final

from bot.engine.cards import Card, Cards, tally
from bot.engine.combinations import Combination, FlushOrder, Kind, Table, table
from bot.engine.parts import Flushes, FullHouses, Memo, Places, SameNumber, Singles, Straights

_SINGLE, _PAIR, _TRIPLE, _STRAIGHT, _FLUSH, _FULL_HOUSE, _STRAIGHT_FLUSH, _GANG = _KINDS = tuple(Kind)


def _stronger(kind: Kind) -> tuple[Kind, ...]:
    """The kinds of which every combination beats every one of `kind` (R16, R18)."""
    if kind in (_STRAIGHT, _FLUSH, _FULL_HOUSE):
        return _KINDS[kind:]
    return () if kind is _GANG else (_GANG,)


_STRONGER: Final[tuple[tuple[Kind, ...], ...]] = ((), *map(_stronger, Kind))
_UNKNOWN: Final[tuple[Places | None, ...]] = ((), *[None] * len(Kind))


class Finder:
    """What looks through hands, in the order of one table."""

    FEW_KINDS: Final = 3
    """Hands of so few kinds of card come again and again, so what they hold is kept."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.singles = Singles(table)
        self.same_number = SameNumber(table)
        self.straights = Straights(table)
        self.flushes = Flushes(table)
        self.full_houses = FullHouses(table)
        self.few: Memo[Holding] = Memo(partial(Holding, self))


class Holding:
    """The combinations of one hand, as places in a table."""

    __slots__ = ("_finder", "_plays", "_runs", "tally")

    def __init__(self, finder: Finder, hand: int, runs: Iterable[Places | None] = _UNKNOWN) -> None:
        self.tally = hand
        self._finder = finder
        self._runs = [None if run else run for run in runs]  # by kind; None where it is yet to be looked for
        self._plays: Places | None = None

    def plays(self) -> Places:
        """All of them."""
        if self._plays is None:
            singles, pairs, triples, straights, flushes, houses, straight_flushes, gangs = map(self.of, _KINDS)
            self._plays = (*singles, *pairs, *triples, *straights, *flushes, *houses, *straight_flushes, *gangs)
        return self._plays

    def answers(self, lies: Combination) -> Places:
        """Those that beat `lies` (R15-R18)."""
        same = self.of(lies.kind)
        answers = same[bisect_right(same, lies.ceiling) :]
        for kind in _STRONGER[lies.kind]:
            answers += self.of(kind)
        return answers

    def of(self, kind: Kind) -> Places:
        """Those of one kind."""
        run = self._runs[kind]
        return self._look_for(kind) if run is None else run

    def several(self) -> Places:
        """Those of more than one card."""
        return self.plays()[len(self.of(_SINGLE)) :]

    def including(self, card: Card) -> Places:
        """Those with this card among theirs."""
        return tuple(play for play in self.plays() if card in self._finder.table.all[play].cards)

    @property
    def highest(self) -> int:
        """The highest single."""
        return self.of(_SINGLE)[-1]

    def without(self, play: Combination) -> "Holding":
        """What the hand holds once `play`, which it has, is laid."""
        hand = self.tally - play.tally
        if hand.bit_count() <= Finder.FEW_KINDS:
            return self._finder.few[hand]
        return Holding(self._finder, hand, self._runs)

    def _look_for(self, kind: Kind) -> Places:
        finder, hand, runs = self._finder, self.tally, self._runs
        if kind is _SINGLE:
            runs[_SINGLE] = finder.singles.of(hand)
        elif kind is _STRAIGHT:
            runs[_STRAIGHT] = finder.straights.of(hand)
        elif kind is _FULL_HOUSE:
            runs[_FULL_HOUSE] = finder.full_houses.of(self.of(_PAIR), self.of(_TRIPLE))
        elif kind in (_FLUSH, _STRAIGHT_FLUSH):
            runs[_FLUSH], runs[_STRAIGHT_FLUSH] = finder.flushes.of(hand)
        else:
            runs[_PAIR], runs[_TRIPLE], runs[_GANG] = finder.same_number.of(hand)
        return runs[kind] or ()


@cache
def finder(flush_order: FlushOrder = "highest") -> Finder:
    """The finder of a `flush_order`, set up at the first call."""
    return Finder(table(flush_order))


@lru_cache(maxsize=4096)
def holding(hand: Cards, flush_order: FlushOrder = "highest") -> Holding:
    """What `hand` (ascending cards) holds."""
    return Holding(finder(flush_order), tally(hand))


def find(hand: Cards, flush_order: FlushOrder = "highest") -> tuple[Combination, ...]:
    """All combinations that can be made of `hand` (ascending cards), ascending, once per kind of card."""
    return table(flush_order).at(holding(hand, flush_order).plays())
