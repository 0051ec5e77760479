"""The benchmark of the levels' strength."""

import pytest

from benchmarks.strength import AGAINST, Contest, contests, interval, is_good, share
from bot.players.levels import Level


@pytest.mark.parametrize("level", [Level.BEGINNER, Level.SIMPLE])
@pytest.mark.parametrize("seats", [3, 4])
def test_a_level_wins_exactly_its_share_against_itself(level: Level, seats: int) -> None:
    contest = Contest(level, level, seats, "days-of-wonder", target=10)
    value = share(contest, 1)
    assert value == pytest.approx(1 / seats)
    assert is_good(contest, value, 0, certain=True)


def test_simple_players_beat_beginners() -> None:
    contest = Contest(Level.SIMPLE, Level.BEGINNER, 4, "dargaud-1996", target=10)
    value, error = interval([share(contest, seed) for seed in range(4)])
    assert is_good(contest, value, error, certain=True)


def test_a_level_is_surely_good_or_possibly() -> None:
    contest = Contest(Level.EXPERT, Level.CLUB, 4, "days-of-wonder")
    assert not is_good(contest, 0.48, 0.05, certain=True)
    assert is_good(contest, 0.48, 0.05, certain=False)
    assert not is_good(contest, 0.35, 0.05, certain=False)
    weaker = Contest(Level.CLUB, Level.EXPERT, 4, "days-of-wonder")
    assert is_good(weaker, 0.2, 0.05, certain=True)
    assert not is_good(weaker, 0.4, 0.05, certain=True)


def test_every_level_meets_its_neighbors() -> None:
    found = list(contests(list(Level), [4], "days-of-wonder", AGAINST))
    assert len(found) == 4 + 4 + 5
    assert {(contest.hero, contest.other) for contest in found if contest.other is contest.hero.below} == {
        (level, level.below) for level in Level
    }
