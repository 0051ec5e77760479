"""The 12,352 combinations. Each is an integer, its index in one order, so comparing them is comparing integers.

By kind of card there are 34 singles, 64 pairs, 76 triples, 1,518 straights, 6,153 flushes, 4,369 full houses,
21 straight flushes and 117 gangs (R3-R10). A `CombinationTable` lists all of them ascending: singles, pairs, triples,
the four kinds of five cards weakest first (R16), gangs last (R18). The combinations that beat one come after it: the
rest of its size, and gangs. `find` and `answers` take them from a hand. A group of cards may make several kinds; the
strongest counts (R14).
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum, IntEnum
from functools import cache, lru_cache
from itertools import combinations, groupby, product
from operator import attrgetter, itemgetter
from typing import Any, ClassVar, Final, Literal, NamedTuple, TypeAlias

from bot.engine.cards import ALL_CARDS, DECK, MULTI_ONE, Card, Cards, Color

NUMBERS: Final = 10
"""Cards of higher ranks, the Phoenixes and the Dragon, have no number."""
FIVES: Final = 5
"""The number of cards in a straight or a flush."""
FlushOrder: TypeAlias = Literal["highest", "sum"]
Ranks: TypeAlias = Mapping[int, Cards]
"""The cards of a hand by their rank."""


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
    """The subclass of each order has its own."""

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


class _ByHighestFlush(Combination):
    __slots__ = ()


class _ByFlushSum(Combination):
    __slots__ = ()


_TYPES: Final[dict[FlushOrder, type[Combination]]] = {"highest": _ByHighestFlush, "sum": _ByFlushSum}


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
        self.starts: Final = {kind: kinds.index(kind) for kind in Kind}
        """The index of the lowest combination of each kind."""
        self.ceilings: Final = ceilings
        """The ceiling of each, by its index."""
        own_type = _TYPES[flush_order]
        own_type.table = self
        self.all: Final[tuple[Combination, ...]] = tuple(map(own_type, range(len(cards))))
        """Every combination, ascending."""
        self.index_of: Final = {cards: index for index, cards in enumerate(self.cards)}
        """The index of each combination, by its cards (ascending)."""

    def identify(self, cards: Iterable[Card]) -> Combination | None:
        """The strongest combination that these cards make (R14); None if they don't make one."""
        index = self.index_of.get(tuple(sorted(cards)))
        return None if index is None else self.all[index]

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


_KIND_OF_SET: Final = {1: Kind.SINGLE, 2: Kind.PAIR, 3: Kind.TRIPLE}
"""The kind of so many cards of one rank; more are a gang."""


@cache
def _cards_by_kind() -> dict[Kind, list[Cards]]:
    """The groups of cards of each kind.

    Later kinds overwrite earlier readings of the same cards (R14): 21 straights are straight flushes, and 27 flushes
    are full houses (the multicolored 1, two 1s and a pair, all of one color).
    """
    ranks = by_rank(DECK)
    same = sets(ranks)
    runs, of_one_color = set(straights(ranks)), set(flushes(DECK))
    readings = {group: _KIND_OF_SET.get(len(group), Kind.GANG) for group in same}
    for kind, groups in (
        (Kind.STRAIGHT, runs),
        (Kind.FLUSH, of_one_color),
        (Kind.FULL_HOUSE, full_houses(same)),
        (Kind.STRAIGHT_FLUSH, runs & of_one_color),
    ):
        readings |= dict.fromkeys(groups, kind)
    by_kind: dict[Kind, list[Cards]] = {kind: [] for kind in Kind}
    for cards, kind in readings.items():
        by_kind[kind].append(cards)
    return by_kind


Combinations: TypeAlias = tuple[Combination, ...]
"""Combinations of one table, ascending; equal copies of a card count once."""


@lru_cache(maxsize=256)
def find(hand: Cards, flush_order: FlushOrder = "highest") -> Combinations:
    """All combinations in `hand` (ascending cards). Cached, because each turn asks several times."""
    known = combination_table(flush_order)
    indexes = {known.index_of[group] for group in all_groups(hand)}
    return tuple([known.all[index] for index in sorted(indexes)])


def answers(found: Combinations, to_beat: Combination) -> Combinations:
    """The combinations of `found` that beat `to_beat` (R15-R18)."""
    stronger = found[bisect_right(found, to_beat.ceiling) :]
    if to_beat.kind >= Kind.STRAIGHT:
        return stronger
    of_this_kind = stronger[: _start(stronger, Kind(to_beat.kind + 1))]
    return of_this_kind + stronger[_start(stronger, Kind.GANG) :]


def strength(play: Combination) -> tuple[object, ...]:
    """What decides against most other plays: equal for those that differ only in their lesser cards (R17, R18).

    In a full house, that is the pair, in a straight or flush every card but the highest.
    """
    kind, cards = play.kind, play.cards
    if kind < Kind.STRAIGHT:
        return (cards,)
    if kind is Kind.FLUSH and play.table.flush_order == "sum":
        return kind, sum(card.rank for card in cards), flush_color(cards)
    if kind in (Kind.FULL_HOUSE, Kind.GANG):
        return kind, len(cards), play.number
    return kind, cards[-1]


def several(found: Combinations) -> Combinations:
    """The combinations of more than one card."""
    return found[_start(found, Kind.PAIR) :]


def _start(found: Combinations, kind: Kind) -> int:
    """The place of the first combination of `kind`, or of a later kind if there is none."""
    return bisect_left(found, found[0].table.starts[kind]) if found else 0


def all_groups(hand: Cards) -> list[Cards]:
    """The groups of cards in a hand (ascending cards) that make combinations. Some come several times."""
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
