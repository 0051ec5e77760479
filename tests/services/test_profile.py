"""Profiles, duels and titles of simulated matches, against a slow count of their logs, which are read as text."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import permutations
from random import Random
from statistics import mean, median
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.analysis.hand_strength import percentile
from bot.analysis.profile import Duel, Profile, likely_mean, likely_share
from bot.analysis.titles import Holder, Title, TitleStats, award_titles
from bot.services.profile import Profiles
from bot.services.rerating import rate_again
from bot.services.titles import Titles
from bot.storage import titles, user_settings
from bot.storage.bulk import PART_SIZE
from bot.storage.database import Database
from bot.table.refusals import StatisticsHidden
from tests.not_none import not_none
from tests.services.test_leaderboard import GUILD, PEOPLE, logs
from tests.simulated_matches import MATCHES, record

RANKS = {**{str(rank): rank for rank in range(1, 11)}, "P": 11, "D": 12}


def rank(card: str) -> int:
    return RANKS[card if card in RANKS else card[:-1]]


class Slow:
    """A user's statistics, counted from the lines of all matches."""

    def __init__(self, user: int) -> None:
        self.user = user
        self.places: list[int] = []
        self.sizes: list[int] = []
        self.form: list[list[int]] = []
        """The user's points in each hand, by match."""
        self.comebacks = 0
        self.hands: list[tuple[int, int, int]] = []
        """The user's points, the winner's seat (-1 for the user), and everyone's points."""
        self.sums: dict[str, int] = defaultdict(int)
        self.biggest = 0
        self.seconds: list[int] = []
        self.strengths: list[int] = []
        self.gifts: dict[str, list[int]] = defaultdict(list)
        self.lost_to: dict[int, int] = defaultdict(int)
        self.won_from: dict[int, int] = defaultdict(int)
        self.duels: list[float] = []

    def read(self, log: Sequence[dict[str, Any]]) -> None:
        users = [PEOPLE.get(name, 0) for name in log[0]["seats"]]
        if self.user not in users:
            return
        seat = users.index(self.user)
        ranking = log[-1]["ranking"]
        self.sizes.append(len(users))
        self.form.append([line["points"][seat] for line in log if line["t"] == "hand_end"])
        self.places.append(next(sum(map(len, ranking[:at])) for at, same in enumerate(ranking) if seat in same) + 1)
        ends = [line for line in log if line["t"] == "hand_end"]
        half = ends[len(ends) // 2 - 1]["totals"] if len(ends) > 1 else [0]
        self.comebacks += self.places[-1] == 1 and len(ends) > 1 and half[seat] == max(half) > min(half)
        last_winner = None
        for hand in by_hand(log):
            self._read_hand(hand, seat, users, last_winner)
            last_winner = hand[-1]["winner"]

    def _read_hand(self, hand: list[dict[str, Any]], seat: int, users: list[int], last_winner: int | None) -> None:
        end, points = hand[-1], hand[-1]["points"]
        self.strengths.append(sum(map(rank, hand[0]["hands"][seat])))
        self.hands.append((points[seat], -1 if end["winner"] == seat else end["winner"], sum(points)))
        for other, user in enumerate(users):
            if other == seat:
                continue
            self.duels.append((points[other] > points[seat]) + (points[other] == points[seat]) / 2)
            for bound in (30, 45):
                self.sums[f"gave {bound}"] += end["winner"] == seat and points[other] >= bound
                self.sums[f"took {bound}"] += end["winner"] == other and points[seat] >= bound
            if end["winner"] == seat:
                self.won_from[user] += points[other]
            elif end["winner"] == other:
                self.lost_to[user] += points[seat]
        kind = "winner" if last_winner == seat else "loser"
        for line in hand:
            if line["t"] in ("give", "give_back") and seat in (line["seat"], line["to"]):
                self.gifts[f"{kind} {'gave' if line['seat'] == seat else 'got'}"].append(rank(line["card"]))
        self._read_moves(hand, seat)

    def _read_moves(self, hand: list[dict[str, Any]], seat: int) -> None:
        size, way, began = len(hand[0]["hands"]), hand[0]["direction"], hand[0]["at"]
        playing, declared, passed = list(range(size)), set[int](), set[int]()
        layer, lies_gang, to_beat = -1, False, list[str]()
        held = [list(cards) for cards in hand[0]["hands"]]
        for line in hand[1:]:
            if line["t"] in ("play", "pass", "give_back") and line["seat"] == seat:
                self.seconds.append(line["at"] - began)
            if line["t"] == "play":
                following = next(s for s in ((line["seat"] + way * n) % size for n in (1, 2, 3)) if s in playing)
                self.sums["blocked"] += (
                    following == seat and seat in declared and is_limited(held[line["seat"]], to_beat)
                )
                is_gang = len(line["cards"]) > 3 and len(set(map(rank, line["cards"]))) == 1
                if is_gang and line["seat"] == seat:
                    self.sums["gangs"] += 1
                    self.sums["beaten"] += lies_gang
                    self.biggest = max(self.biggest, len(line["cards"]))
                layer, lies_gang, to_beat, passed = line["seat"], is_gang, line["cards"], set()
            elif line["t"] == "pass":
                passed.add(line["seat"])
            elif line["t"] == "forgot":
                playing.remove(line["seat"])
                self.sums["forgot"] += line["seat"] == seat
            for card in [*line.get("cards", ()), *([line["card"]] if "card" in line else [])]:
                held[line["seat"]].remove(card)
                held[line.get("to", -1)] += [card] if "to" in line else []
            if passed >= set(playing) - {layer}:
                lies_gang, to_beat = False, []
            declared |= {line["seat"]} if line["t"] == "declare" or line.get("last_card") else set()
            began = began if line["t"] == "declare" else line["at"]


def is_limited(held: list[str], to_beat: list[str]) -> bool:
    """R31 limits a blocking player: for every lead, and for an answer to a single if it can be beaten."""
    if not to_beat:
        return len(held) > 1
    return len(to_beat) == 1 and max(map(rank_and_color, held)) > rank_and_color(to_beat[0])


def rank_and_color(card: str) -> tuple[int, int]:
    return rank(card), "GYRM".index(card[-1])


def by_hand(log: Sequence[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    hand: list[dict[str, Any]] = []
    for line in log:
        hand = [line] if line["t"] == "deal" else [*hand, line]
        if line["t"] == "hand_end":
            yield hand


def run(won: Sequence[bool]) -> int:
    return max(map(len, "".join("1" if each else " " for each in won).split()), default=0)


async def counted(database: Database) -> dict[int, Slow]:
    slow = {user: Slow(user) for user in PEOPLE.values()}
    for _, log in await logs(database):
        for each in slow.values():
            each.read(log)
    return slow


async def test_a_profile_equals_a_slow_count_of_the_logs(played: Database) -> None:
    profiles = Profiles(played)
    for user, slow in (await counted(played)).items():
        found = not_none(await profiles.get(GUILD, user, user))
        got = list(zip(slow.sizes, slow.places, strict=True))
        of_size = {size: tuple(got.count((size, place)) for place in range(1, size + 1)) for size in (3, 4)}
        assert found.places == of_size
        latest = [points for match in slow.form[-20:] for points in match]
        assert (found.recent.matches, found.recent.wins) == (20, slow.places[-20:].count(1))
        assert found.recent.average == mean(latest)
        assert (found.matches, found.absent) == (len(slow.places), 0)
        assert found.streak == run([place == 1 for place in slow.places])
        assert found.comebacks == slow.comebacks
        assert_hands(found, slow)
        assert found.median_seconds == median(slow.seconds)
        assert found.dealt_percentile == pytest.approx(mean(map(percentile, slow.strengths)), abs=1e-9)
        assert found.result_percentile == 100 * sum(slow.duels) / len(slow.duels)
        for exchange, kind in ((found.as_winner, "winner"), (found.as_loser, "loser")):
            assert (exchange.times, exchange.gave) == (
                len(slow.gifts[f"{kind} gave"]),
                mean(slow.gifts[f"{kind} gave"]),
            )
            assert exchange.received == mean(slow.gifts[f"{kind} got"])
        for worst, points in ((found.nemesis, slow.lost_to), (found.victim, slow.won_from)):
            assert worst is not None
            assert points[worst.user_id or 0] == max(points[other] for other in points if other)
    assert sum(slow.comebacks for slow in (await counted(played)).values()) > 3


def assert_hands(found: Profile, slow: Slow) -> None:
    won = [points for _, winner, points in slow.hands if winner == -1]
    assert (found.hands, found.hands_won) == (len(slow.hands), len(won))
    assert found.hand_streak == run([winner == -1 for _, winner, _ in slow.hands])
    assert found.points == sum(own for own, _, _ in slow.hands)
    assert (found.best, found.worst) == (max(won), max(own for own, _, _ in slow.hands))
    assert found.thrashings_given == (slow.sums["gave 30"], slow.sums["gave 45"])
    assert found.thrashings_taken == (slow.sums["took 30"], slow.sums["took 45"])
    assert (found.gangs, found.beaten, found.biggest) == (slow.sums["gangs"], slow.sums["beaten"], slow.biggest)
    assert (found.blocked, found.forgot) == (slow.sums["blocked"], slow.sums["forgot"])


async def test_two_people_against_each_other(played: Database) -> None:
    profiles = Profiles(played)
    pairs: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0, 0])
    hands: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0, 0])
    for _, log in await logs(played):
        users = [PEOPLE.get(name, 0) for name in log[0]["seats"]]
        places = {users[seat]: at for at, same in enumerate(log[-1]["ranking"]) for seat in same}
        for one, two in permutations([user for user in users if user], 2):
            ahead, behind = places[one] < places[two], places[one] > places[two]
            pairs[one, two] = [sum(sums) for sums in zip(pairs[one, two], (1, ahead, behind), strict=True)]
            for line in log:
                if line["t"] == "hand_end":
                    new = (1, line["points"][users.index(one)], line["winner"] == users.index(one))
                    hands[one, two] = [sum(sums) for sums in zip(hands[one, two], new, strict=True)]
    for one, two in permutations(PEOPLE.values(), 2):
        found = not_none(await profiles.versus(GUILD, one, two, one))
        assert found.hands is not None
        assert found.duel == Duel(*pairs[one, two])
        assert [found.hands.hands, found.hands.points, found.hands.won] == hands[one, two]
        assert found.hands.their_points == hands[two, one][1]
    meetings = await profiles.meetings(GUILD, 101)
    assert {user for user, _ in meetings.people} == set(PEOPLE.values())
    assert meetings.duels == {pair: Duel(*counts) for pair, counts in pairs.items()}


async def test_ratings_and_penalties_match_the_log(played: Database) -> None:
    profiles, slow = Profiles(played), await counted(played)
    for user in PEOPLE.values():
        found = not_none(await profiles.get(GUILD, user, user))
        name, history = await profiles.ratings(GUILD, user, user)
        assert (name, history[-1]) == (found.name, found.rating)
        _, penalties = await profiles.penalties(GUILD, user, user)
        own = [points for points, _, _ in slow[user].hands]
        assert penalties == {points: own.count(points) for points in sorted(set(own))}


async def test_profiles_and_rerating_read_rows_in_small_parts(
    played: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes, execute = list[int](), AsyncConnection.execute

    async def measured(connection: AsyncConnection, *given: Any, **named: Any) -> Any:  # noqa: ANN401  # the real one's
        result = await execute(connection, *given, **named)
        if not result.returns_rows:
            return result
        found = result.freeze()
        sizes.append(len(found().all()))
        return found()

    monkeypatch.setattr(AsyncConnection, "execute", measured)
    user = next(iter(PEOPLE.values()))
    assert await Profiles(played).get(GUILD, user, user) is not None
    await Profiles(played).ratings(GUILD, user, user)
    await rate_again(played, GUILD)
    assert 0 < max(sizes) <= PART_SIZE < MATCHES


async def test_titles_are_held_by_the_member_with_the_best_value(played: Database) -> None:
    slow = await counted(played)
    values: dict[Title, dict[int, float]] = {
        Title.GANGS: {user: each.sums["gangs"] for user, each in slow.items()},
        Title.BREAKER: {user: each.sums["beaten"] for user, each in slow.items()},
        Title.STREAK: {user: run([place == 1 for place in each.places]) for user, each in slow.items()},
        Title.COMEBACKS: {user: each.comebacks for user, each in slow.items()},
        Title.KINDEST: {user: mean(each.gifts["winner gave"]) for user, each in slow.items()},
        Title.FIST: {user: max(all_ for _, won, all_ in each.hands if won == -1) for user, each in slow.items()},
        Title.FEARED: {user: each.sums["blocked"] for user, each in slow.items()},
        Title.FORGETFUL: {user: each.sums["forgot"] for user, each in slow.items()},
    }
    held = await Titles(played).held(GUILD)
    assert held.keys() == values.keys()
    for title, by_user in values.items():
        assert held[title].value == by_user[held[title].user_id] == max(by_user.values())
        assert PEOPLE[held[title].name] == held[title].user_id


async def test_hidden_users_see_only_themselves_and_hold_no_titles(played: Database) -> None:
    profiles, kept = Profiles(played), Titles(played)
    user = (await kept.held(GUILD))[Title.GANGS].user_id
    other = next(each for each in PEOPLE.values() if each != user)
    before = not_none(await profiles.get(GUILD, other, other))
    async with played.write() as connection:
        await user_settings.hide(connection, user, hidden=True)
    assert await profiles.get(GUILD, user, user) is not None
    for ask in (
        profiles.get(GUILD, user, other),
        profiles.versus(GUILD, other, user, other),
        profiles.ratings(GUILD, user, other),
        profiles.penalties(GUILD, user, other),
    ):
        with pytest.raises(StatisticsHidden):
            await ask
    after = not_none(await profiles.get(GUILD, other, other))
    assert (after.result_percentile, after.hands, after.thrashings_given) == (
        before.result_percentile,
        before.hands,
        before.thrashings_given,
    )
    assert user not in (after.nemesis and after.nemesis.user_id, after.victim and after.victim.user_id)
    assert user not in [each for each, _ in (await profiles.meetings(GUILD, other)).people]
    assert user in [each for each, _ in (await profiles.meetings(GUILD, user)).people]
    assert user not in [holder.user_id for holder in (await kept.held(GUILD)).values()]
    async with played.write() as connection:
        held = [Holder("gangs", other, 5, 1, 1, user), Holder("streak", user, 5, 1, 1, other)]
        await titles.replace_holders(connection, GUILD, held)
    (change,) = await kept.changes(GUILD, 1)
    assert (change.title, change.before) == ("gangs", None)
    await record(played, MATCHES, Random(9))
    assert (await kept.held(GUILD))[Title.GANGS].user_id != user


async def test_users_without_a_finished_match_have_no_profile(played: Database) -> None:
    assert await Profiles(played).get(GUILD, 999, 999) is None
    assert await Profiles(played).versus(GUILD, 999, 101, 999) is None
    assert await Profiles(played).get(GUILD + 1, 101, 101) is None
    assert await Titles(played).held(GUILD + 1) == {}


def test_a_title_stays_with_its_holder_until_another_member_is_better() -> None:
    title_stats = {user: TitleStats(gangs=gangs) for user, gangs in ((1, 5), (2, 5), (3, 4))}
    (first,) = award_titles({}, title_stats, 10, 100)
    assert first == Holder("gangs", 1, 5, 100, 10)
    held = {"gangs": Holder("gangs", 2, 5, 50, 9, 3)}
    assert award_titles(held, title_stats, 10, 100) == [held["gangs"]]
    title_stats[1] = TitleStats(gangs=6)
    assert award_titles(held, title_stats, 10, 100) == [Holder("gangs", 1, 6, 100, 10, 2)]
    assert award_titles(held, {1: title_stats[1]}, 10, 100) == [Holder("gangs", 1, 6, 100, 10)]
    assert award_titles(held, {3: TitleStats(gangs=4)}, 10, 100) == []


async def test_changes_of_titles_are_reported_until_another_match_changes_them(any_database: Database) -> None:
    rng, told = Random(8), Titles(any_database)
    for number in range(1, 40):
        async with any_database.read() as connection:
            before = await titles.holders(connection, GUILD)
        await record(any_database, number, rng)
        async with any_database.read() as connection:
            after = await titles.holders(connection, GUILD)
        new = {title for title in after if title not in before or before[title].user_id != after[title].user_id}
        assert {change.title for change in await told.changes(GUILD, number)} == new
    assert len(after) > 3


def sums(values: Sequence[float]) -> tuple[int, float, float]:
    """The number of values, their sum, and the sum of their squares."""
    return len(values), sum(values), sum(value * value for value in values)


@pytest.mark.parametrize(("share", "count"), [(0.1, 30), (0.5, 40), (0.9, 25)])
def test_an_interval_contains_the_true_value_in_about_19_of_20_cases(share: float, count: int) -> None:
    rng, held, means = Random(count), 0, 0
    for _ in range(2000):
        draws = [rng.random() < share for _ in range(count)]
        low, high = likely_share(sum(draws), count) or (1, 0)
        held += low <= share <= high
        low, high = likely_mean(*sums([rng.gauss(50, 9) for _ in range(count)])) or (1, 0)
        means += low <= 50 <= high
    assert 0.92 < held / 2000 < 0.99
    assert 0.92 < means / 2000 < 0.97


def test_an_interval_stays_within_what_is_possible() -> None:
    assert likely_share(0, 0) is None
    low, high = likely_share(0, 1) or (1, 0)
    assert (low, round(high, 2)) == (0, 0.79)
    assert likely_mean(*sums([3])) is None
    low, high = likely_mean(*sums([0, 0, 9])) or (1, 0)
    assert low < 0 < 3 < high
    assert likely_mean(*sums([7, 7, 7])) == (7, 7)
