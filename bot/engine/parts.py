"""The parts that a hand's combinations fall into, each hanging on few of its cards.

Pairs, triples and gangs hang on two neighboring numbers at a time, straights on five numbers, flushes on the cards
of one color; full houses are the triples by the pairs. What a part comes to is looked up by those bits of the
hand's tally, and worked out only where it was not met before.
"""

from bisect import bisect_left
from collections.abc import Callable
from functools import partial
from itertools import combinations, groupby, product
from operator import attrgetter
from typing import Final, Generic, TypeAlias, TypeVar

from bot.engine.cards import ALL_CARDS, MULTI_ONE, Cards, Color, tallied, tally
from bot.engine.combinations import Kind, Table

Places: TypeAlias = tuple[int, ...]
"""Places in a table, ascending. They are plain integers, which the garbage collector need not follow."""

Value = TypeVar("Value")


class Memo(dict[int, Value], Generic[Value]):
    """What `make` makes of a key, kept; before there are more than `limit` keys, all are forgotten."""

    __slots__ = ("_limit", "_make")

    def __init__(self, make: Callable[[int], Value], limit: int = 1 << 15) -> None:
        super().__init__()
        self._make = make
        self._limit = limit

    def __missing__(self, key: int) -> Value:
        if len(self) >= self._limit:
            self.clear()
        value = self[key] = self._make(key)
        return value


def _kinds(*numbers: int) -> Cards:
    return tuple(card for card in ALL_CARDS if card.rank in numbers)


def _shift(kinds: Cards) -> int:
    """How far right a tally moves until the lowest of `kinds` stands first."""
    return 2 * kinds[0]


def _mask(kinds: Cards) -> int:
    return 3 * tally(kinds)


_ONE_OF_EACH: Final = tally(ALL_CARDS)


def _held(hand: int) -> int:
    """The tally of the kinds in `hand`, once each."""
    return (hand | hand >> 1) & _ONE_OF_EACH


def _by_number(hand: int) -> list[Cards]:
    return [tuple(same) for _, same in groupby(tallied(hand), attrgetter("rank"))]


def _sorted(run: Places) -> Places:
    return tuple(sorted(run)) if run else run


class Singles:
    """The cards themselves, twelve kinds at a time."""

    def __init__(self, table: Table) -> None:
        self._place_of = table.place_of
        self._low, self._middle, self._high = (Memo(partial(self._make, shift)) for shift in (0, 24, 48))

    def of(self, hand: int) -> Places:
        """The singles of a hand."""
        held = _held(hand)
        return self._low[held & 0xFFFFFF] + self._middle[held >> 24 & 0xFFFFFF] + self._high[held >> 48]

    def _make(self, shift: int, held: int) -> Places:
        return tuple(self._place_of[card,] for card in tallied(held << shift))


class SameNumber:
    """Pairs, triples and gangs, two numbers at a time; the pair of Phoenixes goes with the last two."""

    def __init__(self, table: Table) -> None:
        self._place_of = table.place_of
        self._1, self._3, self._5, self._7, self._9 = (
            Memo(partial(self._make, _shift(_kinds(low)))) for low in (1, 3, 5, 7, 9)
        )

    def of(self, hand: int) -> tuple[Places, Places, Places]:
        """The pairs, the triples and the gangs of a hand."""
        a, b, c = self._1[hand & 0x3FFF], self._3[hand >> 14 & 0xFFF], self._5[hand >> 26 & 0xFFF]
        d, e = self._7[hand >> 38 & 0xFFF], self._9[hand >> 50 & 0xFFFF]
        return (
            a[0] + b[0] + c[0] + d[0] + e[0],
            a[1] + b[1] + c[1] + d[1] + e[1],
            _sorted(a[2] + b[2] + c[2] + d[2] + e[2]),
        )

    def _make(self, shift: int, bits: int) -> tuple[Places, Places, Places]:
        found: list[list[int]] = [[], [], []]
        for same in _by_number(bits << shift):
            for size in range(2, len(same) + 1):
                sets = {self._place_of[cards] for cards in combinations(same, size)}
                found[min(size, 4) - 2] += sorted(sets)
        pairs, triples, gangs = map(tuple, found)
        return pairs, triples, gangs


class Straights:
    """Straights that are no straight flushes, five numbers at a time."""

    def __init__(self, table: Table) -> None:
        self._every_window = [_Window(table, low) for low in range(1, 7)]
        self._windows = Memo(self._make)

    def of(self, hand: int) -> Places:
        """The straights of a hand."""
        held = _held(hand)
        numbers = (held | held >> 2 | held >> 4 | held >> 6 & 1) & _NUMBERS  # of the 1s there are four kinds
        found: Places = ()
        for shift, mask, high_shift, rows in self._windows[numbers]:
            low = held >> shift & mask
            for row in rows[held >> high_shift & 0xFFF]:
                found += row[low]
        return found

    def _make(self, numbers: int) -> tuple[tuple[int, int, int, "Memo[tuple[Memo[Places], ...]]"], ...]:
        return tuple(
            (window.shift, window.mask, window.high_shift, window.rows)
            for window in self._every_window
            if numbers & window.numbers == window.numbers
        )


def _number_bits(*numbers: int) -> int:
    return sum(1 << _shift(_kinds(number)) for number in numbers)


_NUMBERS: Final = _number_bits(*range(1, 11))


class _Window:
    """Five numbers in a row: their straights by the two highest cards, and then by the kinds held of the others."""

    def __init__(self, table: Table, low: int) -> None:
        self._table = table
        lows, fourth, fifth = _kinds(low, low + 1, low + 2), _kinds(low + 3), _kinds(low + 4)
        self.numbers = _number_bits(*range(low, low + 5))
        self.shift, self.high_shift = _shift(lows), _shift(fourth)
        self.mask = _mask(lows) >> self.shift
        self._row = {high: Memo(partial(self._make_row, high)) for high in product(fourth, fifth)}
        self.rows = Memo(self._make_rows)

    def _make_rows(self, held: int) -> tuple[Memo[Places], ...]:
        fourth, fifth = _by_number(held << self.high_shift)
        return tuple(self._row[card, highest] for highest in fifth for card in fourth)

    def _make_row(self, high: Cards, held: int) -> Places:
        straights = (self._table.place_of[lows + high] for lows in product(*_by_number(held << self.shift)))
        return tuple(sorted(place for place in straights if self._table.all[place].kind is Kind.STRAIGHT))


class Flushes:
    """Flushes and straight flushes, color by color."""

    def __init__(self, table: Table) -> None:
        self._place_of = table.place_of
        self._end = _first(table, Kind.FULL_HOUSE)
        self._straight = _first(table, Kind.STRAIGHT_FLUSH)
        self._green, self._yellow, self._red = (
            (_mask(_colored(color)), Memo(self._make)) for color in (Color.GREEN, Color.YELLOW, Color.RED)
        )

    def of(self, hand: int) -> tuple[Places, Places]:
        """The flushes of a hand that are no more than that, and the straight flushes."""
        (green, of_green), (yellow, of_yellow), (red, of_red) = self._green, self._yellow, self._red
        a, b, c = of_green[hand & green], of_yellow[hand & yellow], of_red[hand & red]
        return _sorted(a[0] + b[0] + c[0]), _sorted(a[1] + b[1] + c[1])

    def _make(self, of_color: int) -> tuple[Places, Places]:
        found = sorted({self._place_of[cards] for cards in combinations(tallied(of_color), 5)})
        end, straight = bisect_left(found, self._end), bisect_left(found, self._straight)
        return tuple(found[:end]), tuple(found[straight:])  # between them are a few full houses (R14)


def _first(table: Table, kind: Kind) -> int:
    return next(int(play) for play in table.all if play.kind is kind)


def _colored(color: Color) -> Cards:
    return tuple(card for card in ALL_CARDS if card.rank <= 10 and (card.color is color or card == MULTI_ONE))


class FullHouses:
    """Triples by pairs of another number."""

    def __init__(self, table: Table) -> None:
        pairs = [play for play in table.all if play.kind is Kind.PAIR]
        self._by_pair = {
            int(triple): {
                int(pair): table.place_of[tuple(sorted(triple.cards + pair.cards))]
                for pair in pairs
                if pair.number != triple.number
            }
            for triple in table.all
            if triple.kind is Kind.TRIPLE
        }

    def of(self, pairs: Places, triples: Places) -> Places:
        """The full houses of a hand with these pairs and triples."""
        if not triples:
            return ()
        houses = (map(self._by_pair[triple].get, pairs) for triple in triples)
        return tuple([house for with_triple in houses for house in with_triple if house is not None])
