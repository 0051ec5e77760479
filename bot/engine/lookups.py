"""Lookup tables that make finding the combinations in a hand fast.

Each table covers combinations that depend on few cards: singles, pairs, triples and gangs on two numbers at a time,
straights on five numbers, flushes on the cards of one color; full houses on the triples and pairs. Its key is those
bits of the hand's tally, and an entry is computed when it is first needed.
"""

from bisect import bisect_left
from collections.abc import Callable
from functools import partial
from itertools import combinations, product
from typing import ClassVar, Final, Generic, TypeAlias, TypeVar

from bot.engine.cards import ALL_CARDS, MULTI_ONE, Cards, Color, from_tally, tally
from bot.engine.combinations import CombinationTable, Kind

Indexes: TypeAlias = tuple[int, ...]
"""Indexes of a combination table, ascending. They are plain integers, which the garbage collector needn't follow."""

Value = TypeVar("Value")


class Memo(dict[int, Value], Generic[Value]):
    """A cache of `make(key)` with at most `limit` keys; a full cache is cleared."""

    __slots__ = ("_make",)
    limit: ClassVar[int] = 1 << 15
    """The same for all caches. With 2048, they take 6 MiB instead of 21, and playouts take a quarter longer."""

    def __init__(self, make: Callable[[int], Value]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: int) -> Value:
        if len(self) >= Memo.limit:
            self.clear()
        value = self[key] = self._make(key)
        return value


def _kinds(*numbers: int) -> Cards:
    return tuple(card for card in ALL_CARDS if card.rank in numbers)


def _shift(kinds: Cards) -> int:
    """The shift that brings the lowest of `kinds` to the lowest bits of a tally."""
    return 2 * kinds[0]


_ONE_OF_EACH: Final = tally(ALL_CARDS)


def _by_number(hand: int) -> list[Cards]:
    return [from_tally(same) for number in _NUMBERS if (same := hand & number)]


_NUMBERS: Final = tuple(3 * tally(_kinds(number)) for number in range(1, 13))


def _sorted(run: Indexes) -> Indexes:
    return tuple(sorted(run)) if run else run


class Sets:
    """Singles, pairs, triples and gangs, two numbers at a time; the special cards are with the 9s and 10s."""

    def __init__(self, table: CombinationTable) -> None:
        self._index_of = table.index_of
        self._1, self._3, self._5, self._7, self._9 = (
            Memo(partial(self._make, _shift(_kinds(low)))) for low in (1, 3, 5, 7, 9)
        )

    def of(self, hand: int) -> tuple[Indexes, Indexes, Indexes, Indexes]:
        """The singles, the pairs, the triples and the gangs of a hand."""
        a, b, c = self._1[hand & 0x3FFF], self._3[hand >> 14 & 0xFFF], self._5[hand >> 26 & 0xFFF]
        d, e = self._7[hand >> 38 & 0xFFF], self._9[hand >> 50]
        return (
            a[0] + b[0] + c[0] + d[0] + e[0],
            a[1] + b[1] + c[1] + d[1] + e[1],
            a[2] + b[2] + c[2] + d[2] + e[2],
            _sorted(a[3] + b[3] + c[3] + d[3] + e[3]),
        )

    def _make(self, shift: int, bits: int) -> tuple[Indexes, ...]:
        found: list[Indexes] = [()] * 4
        for same in _by_number(bits << shift):
            for size in range(1, len(same) + 1):
                found[min(size, 4) - 1] += tuple(sorted({self._index_of[some] for some in combinations(same, size)}))
        return tuple(found)


class Straights:
    """Straights and straight flushes, five numbers at a time."""

    def __init__(self, table: CombinationTable) -> None:
        self._every_window = [_Window(table, low) for low in range(1, 7)]
        self._windows = Memo(self._of_numbers)

    def of(self, hand: int) -> tuple[Indexes, Indexes]:
        """The straights of a hand that aren't straight flushes, and its straight flushes."""
        held = (hand | hand >> 1) & _ONE_OF_EACH
        numbers = (held | held >> 2 | held >> 4 | held >> 6 & 1) & _LOWEST_KINDS  # of the 1s there are four kinds
        straights: Indexes = ()
        straight_flushes: Indexes = ()
        for low, shift, high, high_shift, rows in self._windows[numbers]:
            below = held >> shift & low
            for row in rows[held >> high_shift & high]:
                plain, flush = row[below]
                straights += plain
                straight_flushes += flush
        return straights, straight_flushes

    def _of_numbers(self, numbers: int) -> "tuple[tuple[int, int, int, int, Memo[_Rows]], ...]":
        return tuple(
            (window.low, window.shift, window.high, window.high_shift, window.rows)
            for window in self._every_window
            if numbers & window.numbers == window.numbers
        )


_Rows: TypeAlias = tuple[Memo[tuple[Indexes, Indexes]], ...]


def _lowest_kinds(numbers: range) -> int:
    return sum(1 << _shift(_kinds(number)) for number in numbers)


_LOWEST_KINDS: Final = _lowest_kinds(range(1, 11))


class _Window:
    """Five numbers in a row: their straights by the two highest cards, then by the cards held below them."""

    def __init__(self, table: CombinationTable, lowest: int) -> None:
        self._index_of = table.index_of
        self._first_flush = table.first(Kind.STRAIGHT_FLUSH)
        low, high = _kinds(*range(lowest, lowest + 3)), _kinds(lowest + 3, lowest + 4)
        self.numbers = _lowest_kinds(range(lowest, lowest + 5))
        self.shift, self.high_shift = _shift(low), _shift(high)
        self.low, self.high = tally(low) >> self.shift, tally(high) >> self.high_shift
        self.rows = Memo(self._make_rows)
        self._row = {
            pair: Memo(partial(self._make_row, pair)) for pair in product(_kinds(lowest + 3), _kinds(lowest + 4))
        }

    def _make_rows(self, held: int) -> _Rows:
        fourth, fifth = _by_number(held << self.high_shift)
        return tuple(self._row[card, highest] for highest in fifth for card in fourth)

    def _make_row(self, high: Cards, held: int) -> tuple[Indexes, Indexes]:
        found = sorted(self._index_of[low + high] for low in product(*_by_number(held << self.shift)))
        plain = bisect_left(found, self._first_flush)
        return tuple(found[:plain]), tuple(found[plain:])


class Flushes:
    """Flushes that aren't full houses or straight flushes, color by color."""

    def __init__(self, table: CombinationTable) -> None:
        self._index_of = table.index_of
        self._end = table.first(Kind.FULL_HOUSE)
        self._colors = tuple((_of_color(color), Memo(self._make)) for color in (Color.GREEN, Color.YELLOW, Color.RED))

    def of(self, hand: int) -> Indexes:
        """The flushes of a hand."""
        (green, of_green), (yellow, of_yellow), (red, of_red) = self._colors
        return _sorted(of_green[hand & green] + of_yellow[hand & yellow] + of_red[hand & red])

    def _make(self, of_color: int) -> Indexes:
        found = sorted(set(map(self._index_of.__getitem__, combinations(from_tally(of_color), 5))))
        return tuple(found[: bisect_left(found, self._end)])


def _of_color(color: Color) -> int:
    return 3 * tally(card for card in ALL_CARDS if card.rank <= 10 and (card.color is color or card == MULTI_ONE))


class FullHouses:
    """Full houses: triples with pairs of another number."""

    def __init__(self, table: CombinationTable) -> None:
        pairs = [play for play in table.all if play.kind is Kind.PAIR]
        self._by_pair = {
            int(triple): {
                int(pair): table.index_of[tuple(sorted(triple.cards + pair.cards))]
                for pair in pairs
                if pair.number != triple.number
            }
            for triple in table.all
            if triple.kind is Kind.TRIPLE
        }

    def of(self, triples: Indexes, pairs: Indexes) -> Indexes:
        """The full houses of a hand with these triples and pairs."""
        if not triples:
            return ()
        by_pairs = [self._by_pair[triple] for triple in triples]
        return tuple([houses[pair] for houses in by_pairs for pair in pairs if pair in houses])
