"""The benchmark of the levels' strength."""

import pytest

from benchmarks.strength import (
    AGAINST,
    OTHER_STYLES,
    Contest,
    contests,
    contests_of_styles,
    described,
    interval,
    is_good,
    share,
)
from bot.players.levels import Level
from bot.players.styles import Style


@pytest.mark.parametrize("level", [Level.BEGINNER, Level.SIMPLE])
@pytest.mark.parametrize("seats", [3, 4])
def test_a_level_wins_exactly_its_share_against_itself(level: Level, seats: int) -> None:
    contest = Contest(level, level, seats, "days-of-wonder", target=10)
    value, _ = share(contest, 1)
    assert value == pytest.approx(1 / seats)
    assert is_good(contest, value, 0, certain=True)


def test_simple_players_beat_beginners() -> None:
    contest = Contest(Level.SIMPLE, Level.BEGINNER, 4, "dargaud-1996", target=50)
    value, error = interval([share(contest, seed)[0] for seed in range(12)])
    assert is_good(contest, value, error, certain=True)


def test_a_style_is_as_strong_as_steady_players_if_the_interval_allows_it() -> None:
    contest = Contest(Level.EXPERT, Level.EXPERT, 4, "days-of-wonder", style=Style.BOLD)
    assert is_good(contest, 0.22, 0.04, certain=True)
    assert not is_good(contest, 0.20, 0.04, certain=True)


def test_styles_belong_to_the_levels_that_weigh_moves() -> None:
    found = list(contests_of_styles(list(Level), [4], "days-of-wonder", None))
    assert {contest.hero for contest in found} == {Level.CLUB, Level.EXPERT, Level.MASTER}
    assert len(found) == 3 * len(Style)
    assert all(contest.other is contest.hero for contest in found)
    found = list(contests_of_styles([Level.MASTER], [4], "days-of-wonder", Level.EXPERT))
    assert all(contest.other is Level.EXPERT for contest in found)


@pytest.mark.parametrize("seats", [3, 4])
def test_the_others_can_have_styles_of_their_own(seats: int) -> None:
    (contest,) = contests([Level.MASTER], [seats], "days-of-wonder", ["styles"])
    for hero in range(seats):
        players = [contest.player(seat, hero) for seat in range(seats)]
        assert players.pop(hero) == (Level.MASTER, Style.STEADY)
        assert players == [(Level.EXPERT, style) for style in OTHER_STYLES[: seats - 1]]
    assert not list(contests([Level.CLUB], [seats], "days-of-wonder", ["styles"]))  # simple players have no style


def test_the_manner_of_a_player_is_described() -> None:
    contest = Contest(Level.SIMPLE, Level.SIMPLE, 4, "days-of-wonder", target=1)
    _, manner = share(contest, 1)
    assert manner["passes"] == 0
    assert "passes 0.0% of answers" in described(manner)


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
