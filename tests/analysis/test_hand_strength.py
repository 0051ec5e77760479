"""The strength of hands, compared with random hands."""

from math import comb
from random import Random

import pytest

from bot.analysis.hand_strength import percentile, strength
from bot.engine import parse_cards
from bot.engine.cards import DECK


def test_strength_is_the_sum_of_the_ranks() -> None:
    assert strength(parse_cards("1M 10R PG PY DR")) == 1 + 10 + 11 + 11 + 12


def test_percentiles_agree_with_random_hands() -> None:
    rng = Random(7)
    dealt = sorted(strength(tuple(rng.sample(DECK, 16))) for _ in range(40_000))
    for share in (0.01, 0.1, 0.5, 0.9, 0.99):
        assert percentile(dealt[int(share * len(dealt))]) == pytest.approx(100 * share, abs=1.5)


def test_percentiles_of_the_weakest_and_strongest_hands() -> None:
    ranks = sorted(card.rank for card in DECK)
    weakest, strongest = sum(ranks[:16]), sum(ranks[-16:])
    assert percentile(weakest - 1) == 0
    assert percentile(strongest + 1) == 100
    assert percentile(strongest) == pytest.approx(100 - percentile(weakest), abs=0.1)
    assert 0 < percentile(weakest) * comb(64, 16) / 100 < 100  # half of the few that there are
