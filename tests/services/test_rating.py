"""Ratings: who wins rises, ties are ties, and the same matches give the same digits."""

from random import Random

import pytest
from openskill.models import PlackettLuce

from bot.services.rating import rated
from bot.storage.ratings import SETTLED_AFTER, Rating


def test_who_wins_rises_and_who_comes_last_falls() -> None:
    first, *_, last = rated([Rating()] * 4, [1, 2, 3, 4])
    assert first.mu > Rating().mu > last.mu
    assert first.ordinal > Rating().ordinal == pytest.approx(0)
    assert first.sigma < Rating().sigma


def test_a_newcomer_has_the_models_own_rating() -> None:
    assert (Rating().mu, Rating().sigma) == (PlackettLuce().mu, PlackettLuce().sigma)


def test_a_tie_is_a_tie() -> None:
    one, other, third = rated([Rating()] * 3, [1, 1, 3])
    assert one == other
    assert one.mu > third.mu


def test_the_digits_are_those_of_the_model_itself() -> None:
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


def test_a_rating_is_provisional_until_it_means_something() -> None:
    ratings: tuple[Rating, ...] = (Rating(), Rating(), Rating())
    for match in range(SETTLED_AFTER):
        assert all(rating.is_provisional for rating in ratings), match
        ratings = rated(ratings, (1, 2, 3))
    assert not any(rating.is_provisional for rating in ratings)
