"""The 12,352 combinations. Each is an integer, its index in one order, so comparing them is comparing integers.

By kind of card there are 34 singles, 64 pairs, 76 triples, 1,518 straights, 6,153 flushes, 4,369 full houses,
21 straight flushes and 117 gangs (R3-R10). A `CombinationTable` lists all of them ascending: singles, pairs, triples,
the four kinds of five cards weakest first (R16), gangs last (R18). The combinations that beat one come after it: the
rest of its size, and gangs.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator
from enum import Enum, IntEnum
from functools import cache
from itertools import combinations, groupby, product
from operator import attrgetter, itemgetter
from typing import Any, ClassVar, Final, Literal, NamedTuple, TypeAlias

from bot.engine.cards import ALL_CARDS, DECK, GREEN_PHOENIX, MULTI_ONE, YELLOW_PHOENIX, Card, Cards, Color, tally

FlushOrder: TypeAlias = Literal["highest", "sum"]


class Kind(IntEnum):
    """Kinds of combination, the five-card ones ascending (R16)."""

    SINGLE = 1
    PAIR = 2
    TRIPLE = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    STRAIGHT_FLUSH = 7
    GANG = 8

    @property
    def rule(self) -> str:
        """The number of the rule that defines the kind: R3 … R10."""
        return f"R{self + 2}"


class Criterion(Enum):
    """The criteria that can decide between two combinations of one size, or between gangs."""

    KIND = "kind"
    SIZE = "size"
    NUMBER = "number"
    SUM = "sum"
    COLOR = "color"
    MULTI_ONE = "multicolored 1"


Key: TypeAlias = tuple[tuple[Criterion, Any], ...]
"""Criteria and values, the most important first. Keys of one kind have the same criteria, so they compare by value."""


class Combination(int):
    """One combination; as an `int`, its index in its table (0 is the lowest single, 12351 the seven 1s).

    The table holds the kinds and cards of all, because attributes of their own would take 3 MiB more. Combinations of
    different tables with the same index are equal, so they must not be keys of one dictionary.
    """

    __slots__ = ()
    table: "ClassVar[CombinationTable]"
    """Set by the subclass of each table."""

    @property
    def kind(self) -> Kind:
        """Its kind."""
        return self.table.kinds[self]

    @property
    def cards(self) -> Cards:
        """Its cards, ascending."""
        return self.table.cards[self]

    @property
    def size(self) -> int:
        """The number of cards, 1-7."""
        return len(self.table.cards[self])

    @property
    def tally(self) -> int:
        """Its cards as one integer (`cards.tally`)."""
        return tally(self.cards)

    @property
    def ceiling(self) -> int:
        """The highest index that doesn't beat it: its own, or that of the last one equal by the rules."""
        return self.table.ceilings[self]

    @property
    def number(self) -> int:
        """The rank that is compared first: the triple's in a full house, else the highest."""
        return self.cards[2].rank if self.kind is Kind.FULL_HOUSE else self.cards[-1].rank

    def beats(self, other: "Combination") -> bool:
        """True if it may follow `other`, a combination of the same table (R15-R18)."""
        return self > other.ceiling and (self.size == other.size or self.kind is Kind.GANG)

    def __bool__(self) -> bool:
        return True  # the lowest single is 0, too

    def __repr__(self) -> str:
        return f"<{self.kind.name} {' '.join(map(str, self.cards))}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _combination_at, (self.table.flush_order, int(self))  # the other process has the same tables


def _combination_at(flush_order: FlushOrder, index: int) -> Combination:
    return combination_table(flush_order).all[index]


class CombinationTable:
    """All combinations in their order under one `flush_order`; get it from `combination_table()`."""

    def __init__(self, flush_order: FlushOrder) -> None:
        self.flush_order: Final = flush_order
        self._keys: Final = {**_KEYS, Kind.FLUSH: _FLUSH_KEYS[flush_order]}
        cards: list[Cards] = []
        kinds: list[Kind] = []
        ceilings = array("H")
        for kind in Kind:
            ranked = _ranked(kind, self._keys[kind])
            ceilings.extend(len(cards) + last for last in ranked.last_equal)
            cards += ranked.cards
            kinds += [kind] * len(ranked.cards)
        self.cards: Final = tuple(cards)
        """The cards of each combination, by its index."""
        self.kinds: Final = tuple(kinds)
        """The kind of each, by its index."""
        self.ceilings: Final = ceilings
        """The ceiling of each, by its index."""
        own_type = type("Combination", (Combination,), {"__slots__": (), "table": self})
        self.all: Final[tuple[Combination, ...]] = tuple(map(own_type, range(len(cards))))
        """Every combination, ascending."""
        self.index_of: Final = {cards: index for index, cards in enumerate(self.cards)}
        """The index of each combination, by its cards (ascending)."""

    def identify(self, cards: Iterable[Card]) -> Combination | None:
        """The strongest combination that these cards make (R14); None if they don't make one."""
        index = self.index_of.get(tuple(sorted(cards)))
        return None if index is None else self.all[index]

    def at(self, indexes: Iterable[int]) -> tuple[Combination, ...]:
        """The combinations at these indexes."""
        every = self.all
        return tuple([every[index] for index in indexes])

    def first(self, kind: Kind) -> int:
        """The index of the lowest combination of a kind."""
        return self.kinds.index(kind)

    def decisive(self, one: Combination, other: Combination) -> Criterion | None:
        """The most important criterion in which two combinations differ; None if they are equal by the rules."""
        if one.kind is not other.kind:
            return Criterion.KIND
        key = self._keys[one.kind]
        for (criterion, value), (_, other_value) in zip(key(one.cards), key(other.cards), strict=True):
            if value != other_value:
                return criterion
        return None


def combination_table(flush_order: FlushOrder = "highest") -> CombinationTable:
    """The table for a `flush_order` (R17), built at the first call."""
    return _combination_table(flush_order)  # a cache here would treat the default and "highest" as different


@cache
def _combination_table(flush_order: FlushOrder) -> CombinationTable:
    return CombinationTable(flush_order)


class _Ranked(NamedTuple):
    """The combinations of a kind, ascending."""

    cards: tuple[Cards, ...]
    last_equal: "array[int]"
    """For each, the place of the last one that is equal by the rules."""


@cache  # both tables have the same combinations, except for flushes
def _ranked(kind: Kind, key: Callable[[Cards], Key]) -> _Ranked:
    keyed = sorted((tuple(value for _, value in key(cards)), cards) for cards in _cards_by_kind()[kind])
    last_equal = array("H")
    for _, same in groupby(keyed, key=itemgetter(0)):
        size = len(tuple(same))
        last_equal.extend([len(last_equal) + size - 1] * size)
    return _Ranked(tuple(cards for _, cards in keyed), last_equal)


# The criteria within a kind, the most important first (R17, R18). The multicolored 1 always has the highest color
# of the 1s (R35).


def _colors(cards: Iterable[Card]) -> tuple[Criterion, Any]:
    return (Criterion.COLOR, tuple(card.color for card in cards))


def _number_then_colors(cards: Cards) -> Key:
    return ((Criterion.NUMBER, cards[-1].rank), _colors(reversed(cards)))


def flush_color(cards: Cards) -> Color:
    """The color of a flush or straight flush; the multicolored 1 counts as that color (R12)."""
    return cards[-1].color


def _flush_by_highest(cards: Cards) -> Key:
    return (
        (Criterion.NUMBER, cards[-1].rank),
        (Criterion.COLOR, flush_color(cards)),
        (Criterion.NUMBER, tuple(card.rank for card in reversed(cards))),
        (Criterion.MULTI_ONE, MULTI_ONE in cards),
    )


def _flush_by_sum(cards: Cards) -> Key:
    return (
        (Criterion.SUM, sum(card.rank for card in cards)),
        (Criterion.COLOR, flush_color(cards)),
        (Criterion.MULTI_ONE, MULTI_ONE in cards),
    )


def _triple_then_pair(cards: Cards) -> Key:
    middle = cards[2].rank
    triple = tuple(card for card in cards if card.rank == middle)
    pair = tuple(card for card in cards if card.rank != middle)
    return _number_then_colors(triple) + _number_then_colors(pair)


def _size_then_number(cards: Cards) -> Key:
    return ((Criterion.SIZE, len(cards)), (Criterion.NUMBER, cards[0].rank))


_KEYS: Final[dict[Kind, Callable[[Cards], Key]]] = {
    Kind.SINGLE: _number_then_colors,
    Kind.PAIR: _number_then_colors,
    Kind.TRIPLE: _number_then_colors,
    Kind.STRAIGHT: _number_then_colors,
    Kind.FULL_HOUSE: _triple_then_pair,
    Kind.STRAIGHT_FLUSH: _number_then_colors,
    Kind.GANG: _size_then_number,
}
_FLUSH_KEYS: Final[dict[FlushOrder, Callable[[Cards], Key]]] = {
    "highest": _flush_by_highest,
    "sum": _flush_by_sum,
}


# Later kinds overwrite earlier readings of the same cards (R14): 21 straights are straight flushes, and 27 flushes are
# full houses (the multicolored 1, two 1s and a pair, all of one color).


@cache
def _cards_by_kind() -> dict[Kind, list[Cards]]:
    readings: dict[Cards, Kind] = dict.fromkeys(((card,) for card in ALL_CARDS), Kind.SINGLE)
    for kind, hands in (
        (Kind.PAIR, _same_number(2)),
        (Kind.PAIR, [(GREEN_PHOENIX, YELLOW_PHOENIX)]),
        (Kind.TRIPLE, _same_number(3)),
        (Kind.STRAIGHT, _straights()),
        (Kind.FLUSH, _flushes()),
    ):
        readings |= dict.fromkeys(hands, kind)
    readings |= dict.fromkeys(_full_houses(readings), Kind.FULL_HOUSE)
    readings |= dict.fromkeys(_straight_flushes(), Kind.STRAIGHT_FLUSH)
    for size in (4, 5, 6, 7):
        readings |= dict.fromkeys(_same_number(size), Kind.GANG)
    by_kind: dict[Kind, list[Cards]] = {kind: [] for kind in Kind}
    for cards, kind in readings.items():
        by_kind[kind].append(cards)
    return by_kind


_BY_NUMBER: Final = {rank: tuple(cards) for rank, cards in groupby(DECK, key=attrgetter("rank")) if rank <= 10}
_NUMBER_RUNS: Final = tuple(range(low, low + 5) for low in range(1, 7))


def _same_number(size: int) -> set[Cards]:
    return {cards for same in _BY_NUMBER.values() for cards in combinations(same, size)}


def _straights() -> Iterator[Cards]:
    for run in _NUMBER_RUNS:
        yield from product(*(sorted(set(_BY_NUMBER[rank])) for rank in run))


def _of_color(color: Color) -> list[Card]:
    return [card for card in DECK if card.rank <= 10 and card.color in (color, Color.MULTI)]


def _flushes() -> set[Cards]:
    colors = (Color.GREEN, Color.YELLOW, Color.RED)
    return {cards for color in colors for cards in combinations(_of_color(color), 5)}


def _straight_flushes() -> Iterator[Cards]:
    for color in (Color.GREEN, Color.YELLOW, Color.RED):
        of_color = set(_of_color(color))
        yield from (cards for cards in _straights() if of_color.issuperset(cards))


def _full_houses(readings: dict[Cards, Kind]) -> Iterator[Cards]:
    triples = [cards for cards, kind in readings.items() if kind is Kind.TRIPLE]
    pairs = [cards for cards, kind in readings.items() if kind is Kind.PAIR]
    for triple, pair in product(triples, pairs):
        if triple[0].rank != pair[0].rank:
            yield tuple(sorted(triple + pair))
