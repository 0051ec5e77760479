"""Leaderboards: their order, their periods, and a comparison with an independent count of many logs."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from random import Random
from typing import Any

import pytest
from openskill.models import PlackettLuce
from sqlalchemy import func, select

from bot.analysis.leaderboard import LeaderboardQuery, Order, Period, Standing, periods, ranked
from bot.analysis.rating import Rating
from bot.services.leaderboard import Leaderboards
from bot.storage import seasons
from bot.storage.database import Database
from bot.storage.schema import events, hand_players, members, tables
from tests.simulated_matches import CLUB, record

GUILD, PEOPLE, START = CLUB.guild_id, CLUB.people, CLUB.since


@dataclass
class Count:
    """A user's sums, counted line by line."""

    matches: int = 0
    wins: int = 0
    hands: int = 0
    points: int = 0
    gangs: int = 0


class Counter:
    """Reads the lines of logs as text, without using the app's code."""

    def __init__(self) -> None:
        self.counts: dict[int, Count] = defaultdict(Count)
        self.skills: dict[int, Any] = {}
        self.model = PlackettLuce()

    def read(self, log: Sequence[dict[str, Any]]) -> None:
        users: list[int | None] = [PEOPLE.get(name) for name in log[0]["seats"]]
        for line in log:
            if line["t"] == "hand_end":
                for user, points in zip(users, line["points"], strict=True):
                    self._of(user).hands += 1
                    self._of(user).points += points
            elif line["t"] == "play" and len(line["cards"]) > 3 and len({card[:-1] for card in line["cards"]}) == 1:
                self._of(users[line["seat"]]).gangs += 1
        ranking = log[-1]["ranking"]
        places = {seat: sum(map(len, ranking[:at])) for at, same in enumerate(ranking) for seat in same}
        for seat, user in enumerate(users):
            self._of(user).matches += 1
            self._of(user).wins += places[seat] == 0
        if None not in users and log[0]["options"]["target"] >= 50:
            before = [[self.skills.setdefault(user, self.model.rating())] for user in users if user]
            after = self.model.rate(before, ranks=[places[seat] for seat in range(len(users))])
            self.skills.update({user: new[0] for user, new in zip(users, after, strict=True) if user})

    def _of(self, user: int | None) -> Count:
        return self.counts[user or 0]


async def logs(database: Database) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """The channel and log of each match, in the order in which they ended."""
    column = events.c
    every = select(column.table_id, column.line).order_by(column.table_id, column.seq)
    async with database.read() as connection:
        rows = list(await connection.execute(every))
        channels = {
            row.id: row.channel_id for row in await connection.execute(select(tables.c.id, tables.c.channel_id))
        }
    by_table = groupby(rows, lambda row: row.table_id)
    return ((channels[number], [json.loads(row.line) for row in same]) for number, same in by_table)


async def test_standings_equal_an_independent_count_of_the_logs(played: Database) -> None:
    everything, here = Counter(), Counter()
    for channel, log in await logs(played):
        everything.read(log)
        if channel == 1:
            here.read(log)
    leaderboards = Leaderboards(played, lambda: START * 1000)
    for counter, chosen in ((everything, None), (here, 1)):
        places = await leaderboards.places(GUILD, LeaderboardQuery(channel_id=chosen, people_only=None))
        found = {place.standing.user_id: place.standing for place in places}
        assert found.keys() == counter.counts.keys() - {0}
        for user, line in found.items():
            count = counter.counts[user]
            sums = (line.matches, line.wins, line.hands, line.points)
            assert sums == (count.matches, count.wins, count.hands, count.points)
    hand = hand_players.c
    of_hands = select(hand.user_id, func.sum(hand.gangs)).where(hand.user_id.is_not(None)).group_by(hand.user_id)
    async with played.read() as connection:
        gangs = dict((await connection.execute(of_hands)).all())
        stored = (await connection.execute(select(members.c.user_id, members.c.mu, members.c.sigma))).all()
    assert gangs == {user: everything.counts[user].gangs for user in PEOPLE.values()}
    assert {user: (mu, sigma) for user, mu, sigma in stored} == {
        user: (skill.mu, skill.sigma) for user, skill in everything.skills.items()
    }


def test_a_match_belongs_to_its_month_its_week_and_its_season() -> None:
    new_year = int(datetime(2027, 1, 1, 12, tzinfo=UTC).timestamp())
    assert periods(new_year, None) == ("all", "2027-01", "2026-W53")
    assert periods(new_year, 3) == ("all", "2027-01", "2026-W53", "s3")


async def test_a_leaderboard_of_a_season_begins_and_ends_with_it(database: Database) -> None:
    leaderboards, rng = Leaderboards(database, lambda: START * 1000), Random(1)
    season = LeaderboardQuery(period=Period.SEASON, people_only=None)
    await record(database, 0, rng)
    assert await leaderboards.places(GUILD, season) == []
    async with database.write() as connection:
        first = await seasons.begin(connection, GUILD, "Autumn", START)
    await record(database, 1, rng)
    places = await leaderboards.places(GUILD, season)
    assert {place.standing.matches for place in places} == {1}
    async with database.write() as connection:
        await seasons.end(connection, GUILD, first.number, START + 5)
    await record(database, 2, rng)
    assert await leaderboards.places(GUILD, season) == []
    assert len(await leaderboards.places(GUILD, LeaderboardQuery(period=Period.MONTH, people_only=None))) >= len(places)


def standing(user: int, **figures: int) -> Standing:
    return Standing(user, f"{user}", **{"matches": 20, "wins": 0, "absent": 0, "hands": 100, "points": 500, **figures})


@pytest.mark.parametrize(
    ("order", "best", "second", "last"),
    [
        (Order.WINS, {"wins": 9}, {"points": 400}, {}),
        (Order.AVERAGE, {"points": 100}, {}, {"hands": 99, "points": 0}),
        (
            Order.AVERAGE,
            {"hands": 1000, "points": 5000, "squares": 80_000},
            {"points": 480, "squares": 8_000},
            {"squares": 9_000},
        ),
        (Order.RATE, {"matches": 120, "wins": 60}, {"matches": 2, "wins": 2}, {"matches": 1, "wins": 1}),
        (Order.POINTS, {"points": 100}, {}, {"hands": 99, "points": 1}),
        (
            Order.SKILL,
            {"par_hands": 900, "skill": -900},
            {"par_hands": 100, "skill": -500},
            {"par_hands": 99, "skill": 900},
        ),
        (
            Order.SKILL,
            {"par_hands": 400, "skill": 8_000, "skill_squares": 90_000},
            {"par_hands": 100, "skill": 2_100, "skill_squares": 900_000},
            {"par_hands": 100, "skill": 2_000, "skill_squares": 900_000},
        ),
    ],
)
def test_the_order_of_a_leaderboard(
    order: Order, best: dict[str, int], second: dict[str, int], last: dict[str, int]
) -> None:
    standings = [standing(3, **last), standing(1, **best), standing(2, **second)]
    assert [place.standing.user_id for place in ranked(standings, {}, order)] == [1, 2, 3]


def test_a_lucky_match_leads_no_leaderboard() -> None:
    veteran, lucky = (
        standing(1, matches=120, wins=60, hands=1900, points=22_000, squares=500_000),
        standing(
            2, matches=1, wins=1, hands=15, points=60, squares=900, par_hands=15, skill=9_000, skill_squares=6_000_000
        ),
    )
    for order in (Order.WINS, Order.AVERAGE, Order.RATE, Order.POINTS):
        assert [place.standing.user_id for place in ranked([lucky, veteran], {}, order)] == [1, 2], order


def test_equal_figures_share_a_place_and_provisional_ratings_come_last() -> None:
    standings = [standing(user) for user in (1, 2, 3)]
    assert [place.number for place in ranked(standings, {}, Order.WINS)] == [1, 1, 1]
    rated = {1: Rating(40, 1, 9), 2: Rating(20, 1, 10), 3: Rating(30, 1, 10)}
    assert [place.standing.user_id for place in ranked(standings, rated, Order.RATING)] == [3, 2, 1]
