"""Finds the combinations in a hand, and those that beat another."""

from bisect import bisect_left, bisect_right
from functools import lru_cache
from typing import TypeAlias

from bot.engine.cards import Cards
from bot.engine.combinations import Combination, FlushOrder, Kind, combination_table
from bot.engine.groups import all_groups

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


def several(found: Combinations) -> Combinations:
    """The combinations of more than one card."""
    return found[_start(found, Kind.PAIR) :]


def _start(found: Combinations, kind: Kind) -> int:
    """The place of the first combination of `kind`, or of a later kind if there is none."""
    return bisect_left(found, found[0].table.starts[kind]) if found else 0
