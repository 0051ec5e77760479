"""A slow and obvious second implementation of the rules that uses nothing of the engine.

A card is a pair of numbers (rank, color); all values are texts and plain tuples.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import TypeAlias

Face: TypeAlias = tuple[int, int]
Faces: TypeAlias = tuple[Face, ...]

COLORS = {"G": 0, "Y": 1, "R": 2, "M": 3}
FIVE_CARD_KINDS = ("straight", "flush", "full house", "straight flush")
MULTI: Face = (1, 3)


def faces(text: str) -> Faces:
    """Read cards, ascending."""
    return tuple(sorted(face(word) for word in text.split()))


def face(word: str) -> Face:
    """Read one card."""
    rank = {"P": 11, "D": 12}.get(word[0]) or int(word[:-1])
    return rank, COLORS[word[-1]]


def text(cards: Iterable[Face]) -> str:
    """Write cards."""
    letters = "GYRM"
    return " ".join(f"{ {11: 'P', 12: 'D'}.get(rank, rank) }{letters[color]}" for rank, color in cards)


def deck() -> list[Face]:
    """R1."""
    numbered = [(rank, color) for rank, color in product(range(1, 11), range(3)) for _ in range(2)]
    return sorted([*numbered, MULTI, (11, 0), (11, 1), (12, 2)])


def kind_of(cards: Faces) -> str | None:
    """R3-R14, the strongest reading first; `cards` ascend."""
    ranks = [rank for rank, _ in cards]
    if len(cards) == 1:
        return "single"
    if 12 in ranks:
        return None
    if ranks == [11, 11]:
        return "pair"
    if len(set(ranks)) == 1 and len(cards) <= 7:
        return {2: "pair", 3: "triple"}.get(len(cards), "gang")
    return kind_of_five(cards, ranks) if len(cards) == 5 else None


def kind_of_five(cards: Faces, ranks: list[int]) -> str | None:
    """R6-R9 for five cards that aren't a gang and don't include the Dragon."""
    one_color = len({color for rank, color in cards if (rank, color) != MULTI}) == 1 and max(ranks) <= 10
    in_a_row = max(ranks) <= 10 and ranks == list(range(ranks[0], ranks[0] + 5))
    counts = sorted(Counter(ranks).items(), key=lambda item: item[1])
    if in_a_row and one_color:
        return "straight flush"
    if [count for _, count in counts] == [2, 3] and counts[1][0] <= 10:
        return "full house"
    if one_color:
        return "flush"
    return "straight" if in_a_row else None


def number_then_colors(cards: Iterable[Face]) -> list[int]:
    """R17 for cards of one number and for straights: the highest number, then the colors from the highest card down."""
    down = sorted(cards, reverse=True)
    return [down[0][0], *(color for _, color in down)]


def strength(kind: str, cards: Faces, flush_order: str) -> list[int]:
    """R17, R18, R35: the values to compare within a kind, the most important first."""
    ranks = [rank for rank, _ in cards]
    color, has_multi = cards[-1][1], int(MULTI in cards)
    if kind == "gang":
        return [len(cards), ranks[0]]
    if kind == "flush" and flush_order == "sum":
        return [sum(ranks), color, has_multi]
    if kind == "flush":
        return [ranks[-1], color, *reversed(ranks), has_multi]
    if kind == "full house":
        triple = [card for card in cards if ranks.count(card[0]) == 3]
        pair = [card for card in cards if ranks.count(card[0]) == 2]
        return number_then_colors(triple) + number_then_colors(pair)
    return number_then_colors(cards)


def beats(tried: Faces, to_beat: Faces, flush_order: str) -> bool:
    """R15-R18."""
    kind, lying = kind_of(tried), kind_of(to_beat)
    if kind is None or lying is None:
        return False
    if kind != lying and "gang" in (kind, lying):
        return kind == "gang"
    if kind != lying:
        return len(tried) == len(to_beat) and FIVE_CARD_KINDS.index(kind) > FIVE_CARD_KINDS.index(lying)
    return strength(kind, tried, flush_order) > strength(kind, to_beat, flush_order)


def subsets(hand: Faces) -> set[Faces]:
    """All sets of up to seven cards of a hand; equal copies of a card count once."""
    return {cards for size in range(1, 8) for cards in combinations(hand, size)}


def held(hand: Faces) -> list[Faces]:
    """Every combination in a hand."""
    return [cards for cards in subsets(hand) if kind_of(cards)]


def legal_plays(found: list[Faces], to_beat: Faces | None, flush_order: str, bound: str | None) -> set[Faces]:
    """R15 and R31 on the combinations of a hand. `bound`: None, or the option of R31 if the next seat declared."""
    highest = max(cards for cards in found if len(cards) == 1)
    if to_beat is not None:
        higher = {cards for cards in found if beats(cards, to_beat, flush_order)}
        if bound == "lead_and_follow" and len(to_beat) == 1:
            return {cards for cards in higher if cards == highest or kind_of(cards) == "gang"}
        return higher
    several = {cards for cards in found if len(cards) > 1}
    if bound is None:
        return set(found)
    return several or {highest}


def may_pass(hand: Faces, to_beat: Faces | None, flush_order: str, bound: str | None) -> bool:
    """R23 and R31."""
    if to_beat is None:
        return False
    must = bound == "lead_and_follow" and len(to_beat) == 1 and beats((max(hand),), to_beat, flush_order)
    return not must


def points(left: int) -> int:
    """R26, as the rulebooks list it."""
    return (0, 1, 2, 3, 4, 5, 6, 7, 16, 18, 20, 33, 36, 39, 56, 60, 80)[left]


def giver(left: list[int], totals: list[int], winner: int) -> int:
    """R27, R28: go counter-clockwise from the winner and keep each seat that is worse off than those before."""
    seats = len(left)
    around = [(winner + step) % seats for step in range(1, seats)]
    worst = around[0]
    for seat in around[1:]:
        if (left[seat], totals[seat]) > (left[worst], totals[worst]):
            worst = seat
    return worst


def every_set(size: int) -> Iterator[Faces]:
    """All different sets of `size` cards of the deck; equal copies of a card count once."""
    copies = sorted(Counter(deck()).items())

    def choose(start: int, left: int) -> Iterator[Faces]:
        if left == 0:
            yield ()
            return
        for place in range(start, len(copies)):
            card, count = copies[place]
            for times in range(1, min(count, left) + 1):
                for rest in choose(place + 1, left - times):
                    yield (card,) * times + rest

    return choose(0, size)
