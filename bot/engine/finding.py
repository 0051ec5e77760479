"""Every combination that a hand holds."""

from functools import lru_cache
from itertools import combinations, product

from bot.engine.cards import Cards, Color
from bot.engine.combinations import Combination, FlushOrder, Kind, table


@lru_cache(maxsize=4096)
def find(hand: Cards, flush_order: FlushOrder = "highest") -> tuple[Combination, ...]:
    """All combinations that can be made of `hand` (ascending cards), ascending, once per kind of card."""
    identify = table(flush_order).identify
    numbered = [[card for card in hand if card.rank == rank] for rank in range(1, 11)]
    sets: set[Cards] = {(card,) for card in hand} | {hand[-3:-1], hand[-2:]}
    sets.update(cards for same in numbered for size in range(2, 8) for cards in combinations(same, size))
    for low in range(6):
        sets.update(product(*numbered[low : low + 5]))
    for color in (Color.GREEN, Color.YELLOW, Color.RED):
        of_color = [card for card in hand if card.rank <= 10 and card.color in (color, Color.MULTI)]
        sets.update(combinations(of_color, 5))
    found = {found for cards in sets if (found := identify(cards))}
    triples = [play for play in found if play.kind is Kind.TRIPLE]
    pairs = [play for play in found if play.kind is Kind.PAIR]
    houses = {identify(triple.cards + pair.cards) for triple, pair in product(triples, pairs)}
    full = {house for house in houses if house and house.kind is Kind.FULL_HOUSE}
    return tuple(sorted(found | full))
