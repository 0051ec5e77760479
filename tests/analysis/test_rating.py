"""Ratings: winners rise, ties share a place, and the same matches give the same numbers."""

from math import exp, sqrt
from random import Random

import pytest
from openskill.models import PlackettLuce

from bot.analysis.rating import (
    LEAD,
    SETTLED_AFTER,
    START,
    Rating,
    places,
    rated,
    rated_points,
)


def test_the_winner_rises_and_the_last_falls() -> None:
    first, *_, last = rated([Rating()] * 4, [1, 2, 3, 4])
    assert first.mu > Rating().mu > last.mu
    assert first.points > Rating().points == START
    assert first.sigma < Rating().sigma


def test_a_newcomer_has_the_default_rating_of_the_model() -> None:
    assert (Rating().mu, Rating().sigma) == (PlackettLuce().mu, PlackettLuce().sigma)


def test_a_tie_is_shown_as_a_tie() -> None:
    one, other, third = rated([Rating()] * 3, [1, 1, 3])
    assert one == other
    assert one.mu > third.mu


def test_ratings_equal_those_of_the_model() -> None:
    rng, model = Random(3), PlackettLuce()
    mine = [Rating() for _ in range(5)]
    theirs = [model.rating() for _ in range(5)]
    for _ in range(200):
        seats = rng.sample(range(5), 4)
        places = [rng.randint(1, 3) for _ in seats]
        for seat, rating in zip(seats, rated([mine[seat] for seat in seats], places), strict=True):
            mine[seat] = rating
        teams, ranks = [[theirs[seat]] for seat in seats], [float(place) for place in places]
        for seat, team in zip(seats, model.rate(teams, ranks=ranks), strict=True):
            (theirs[seat],) = team
    assert [(each.mu, each.sigma) for each in mine] == [(each.mu, each.sigma) for each in theirs]


def test_a_rating_is_provisional_at_first() -> None:
    ratings: tuple[Rating, ...] = (Rating(), Rating(), Rating())
    for match in range(SETTLED_AFTER):
        assert all(rating.is_provisional for rating in ratings), match
        ratings = rated(ratings, (1, 2, 3))
    assert not any(rating.is_provisional for rating in ratings)


@pytest.mark.parametrize("size", [3, 4])
def test_a_player_with_the_lead_finishes_ahead_three_times_in_four(size: int) -> None:
    model, settled = PlackettLuce(), 2.0
    spread = sqrt(size * (model.beta**2 + settled**2))
    lead = next(each for each in range(1000) if Rating(25 + each / 10).points >= START + LEAD) / 10
    assert 1 / (1 + exp(-lead / spread)) == pytest.approx(0.75, abs=0.04)


def test_an_interval_is_around_the_rating_and_narrows() -> None:
    low, high = Rating().interval
    assert low < START < high
    after, *_ = rated([Rating()] * 3, [1, 2, 3])
    assert after.interval[1] - after.interval[0] < high - low


@pytest.mark.parametrize(
    ("totals", "absent", "expected"),
    [
        ((10, 60, 30), (), (1, 3, 2)),
        ((10, 60, 10), (), (1, 3, 1)),
        ((10, 60, 30), (0,), (3, 2, 1)),
        ((10, 60, 30, 40), (0, 2), (3, 2, 3, 1)),
        ((10, 60, 30), (0, 1, 2), (1, 1, 1)),
    ],
)
def test_absent_owners_share_the_last_place(
    totals: tuple[int, ...], absent: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    assert places(totals, absent) == expected


@pytest.mark.parametrize(
    ("points", "by_owner", "expected"),
    [
        ((0, 5, 16), (True, True, True), (0, 5, 16)),
        ((0, 5, 80), (True, True, False), (0, 5, 80)),  # one who plays badly
        ((7, 5, 0), (True, True, False), (7, 5, 7)),  # one who plays well
        ((0, 16, 16), (True, False, False), (0, 16, 16)),
        ((9, 80, 0), (False, False, False), (9, 80, 0)),
    ],
)
def test_letting_others_play_a_hand_does_not_pay(
    points: tuple[int, ...], by_owner: tuple[bool, ...], expected: tuple[int, ...]
) -> None:
    assert rated_points(points, by_owner) == expected
