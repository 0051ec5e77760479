"""The leaderboard, compared with a slow recomputation from the same matches."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from random import Random

import pytest
from sqlalchemy import select

from bot.analysis.hand_stats import SeatStats
from bot.analysis.leaderboard import ALL_TIME, Standing
from bot.engine.events import HandEnded
from bot.engine.scoring import hand_points
from bot.services.results import outcomes
from bot.storage import leaderboard, matches, results
from bot.storage import user_settings as people
from bot.storage.database import Database
from bot.storage.leaderboard import Scope
from bot.storage.schema import hand_players, match_players
from bot.storage.schema import matches as finished
from bot.table.model import Seat, Status, TableRow
from bot.table.user import UserSettings
from tests.storage.sample_rows import table_row

FIGURES = {**asdict(SeatStats()), "strength": 90}
GUILDS = (7, 8)
PEOPLE = range(101, 107)


@dataclass(frozen=True, slots=True)
class Played:
    """The course of a match."""

    row: TableRow
    hands: list[HandEnded]

    @property
    def totals(self) -> tuple[int, ...]:
        return self.hands[-1].totals

    def place(self, number: int) -> int:
        """By total, lowest first, among the owners who were there at the end."""
        present = [
            total for total, seat in zip(self.totals, self.row.seats, strict=True) if seat.player_id == seat.user_id
        ]
        return 1 + sum(total < self.totals[number] for total in present)

    @property
    def players(self) -> tuple[int | None, ...]:
        return tuple(seat.player_id for seat in self.row.seats)


def random_match(rng: Random) -> Played:
    """The players and the points of each hand; totals are often equal."""
    size = rng.choice((3, 4))
    people = rng.sample(PEOPLE, rng.randint(1, size))
    taken = [Seat(f"{user} in {rng.randrange(9)}", user, rng.choice((None, None, "simple"))) for user in people]
    taken += [Seat(f"Robot {number}", ai_level="simple") for number in range(size - len(taken))]
    rng.shuffle(taken)
    totals, hands = (0,) * size, []
    for number in range(1, rng.randint(2, 4)):
        winner = rng.randrange(size)
        left = tuple(0 if seat == winner else rng.choice((1, 1, 2, 16)) for seat in range(size))
        points = hand_points(left, winner)
        totals = tuple(map(sum, zip(totals, points, strict=True)))
        hands.append(HandEnded(number, winner, left, points, totals))
    return Played(table_row(guild_id=rng.choice(GUILDS), status=Status.OVER, seats=tuple(taken)), hands)


async def record(database: Database, match: Played, at: int) -> int:
    """Store a match like the services do. Returns its number."""
    async with database.write() as connection:
        number = await matches.create(connection, match.row)
        row = await matches.load(connection, number)
        assert row is not None
        for hand in match.hands:
            figures = [{**FIGURES, "user_id": user, "by_owner": True} for user in match.players]
            await results.record_hand(connection, number, hand, figures)
        absent = {seat for seat, player in enumerate(match.row.seats) if player.player_id != player.user_id}
        found = outcomes(len(row.seats), [(hand.points, [True] * len(row.seats)) for hand in match.hands], absent)
        await results.record_match(connection, row, found, len(match.hands), at)
        await leaderboard.add(connection, number, (ALL_TIME, "2026-11"))
    return number


async def standings_of(database: Database, guild_id: int, **chosen: object) -> list[Standing]:
    async with database.read() as connection:
        found = await leaderboard.standings(connection, Scope(guild_id, **chosen))  # type: ignore[arg-type]  # its fields
    return sorted(found, key=lambda line: line.user_id)


def recomputed(played: Sequence[Played], guild_id: int, known: Sequence[Played]) -> list[Standing]:
    """The leaderboard, recomputed user by user and match by match."""
    standings = []
    for user in PEOPLE:
        own = [
            (match, number, seat)
            for match in played
            for number, seat in enumerate(match.row.seats)
            if seat.user_id == user and match.row.guild_id == guild_id
        ]
        if own:
            wins = sum(match.place(number) == 1 and seat.ai_level is None for match, number, seat in own)
            self_played = [(match, number) for match, number, seat in own if seat.player_id == user]
            points = sum(match.totals[number] for match, number in self_played)
            hands = sum(len(match.hands) for match, _ in self_played)
            squares = sum(hand.points[number] ** 2 for match, number in self_played for hand in match.hands)
            absent = sum(seat.ai_level is not None for _, _, seat in own)
            name = last_name(known, user, guild_id)
            standings.append(Standing(user, name, len(own), wins, absent, hands, points, squares))
    return standings


def last_name(known: Sequence[Played], user: int, guild_id: int) -> str:
    """A member's name."""
    names = [
        seat.name
        for match in known
        if match.row.guild_id == guild_id
        for seat in match.row.seats
        if seat.user_id == user
    ]
    return names[-1]


@pytest.mark.parametrize("seed", range(4))
async def test_a_leaderboard_is_the_sum_of_its_matches(any_database: Database, seed: int) -> None:
    rng = Random(seed)
    played = [random_match(rng) for _ in range(40)]
    for at, match in enumerate(played):
        await record(any_database, match, at)
    for guild_id in GUILDS:
        assert await standings_of(any_database, guild_id) == recomputed(played, guild_id, played)
        for only in (True, False):
            some = [match for match in played if all(seat.user_id for seat in match.row.seats) is only]
            found = await standings_of(any_database, guild_id, period="2026-11", people_only=only)
            assert found == recomputed(some, guild_id, played)


@pytest.mark.parametrize("chosen", [{"channel_id": 1}, {"edition": "summary-sheet"}, {"period": "2026-12"}])
async def test_a_leaderboard_counts_only_matches_in_its_scope(
    any_database: Database, chosen: dict[str, object]
) -> None:
    match = match_of(ADA, BO, CY, left=(0, 5, 1))
    await record(any_database, match, 1)
    assert await standings_of(any_database, 7, **chosen) == []
    own = {"channel_id": match.row.channel_id, "edition": match.row.edition}
    assert len(await standings_of(any_database, 7, **own)) == 3


async def test_hidden_users_are_on_no_leaderboard(any_database: Database) -> None:
    await record(any_database, match_of(ADA, BO, CY, left=(0, 5, 1)), 1)
    async with any_database.write() as connection:
        await people.save(connection, 102, UserSettings())
        await people.hide(connection, 102, hidden=True)
    assert [line.name for line in await standings_of(any_database, 7)] == ["Ada", "Cy"]


async def test_a_guild_without_matches_has_no_standings(any_database: Database) -> None:
    await record(any_database, random_match(Random(1)), 1)
    assert await standings_of(any_database, 99) == []


def match_of(*seats: Seat, left: tuple[int, ...]) -> Played:
    winner = left.index(0)
    points = hand_points(left, winner)
    return Played(table_row(status=Status.OVER, seats=seats), [HandEnded(1, winner, left, points, points)])


ADA, BO, CY = Seat("Ada", 101), Seat("Bo", 102), Seat("Cy", 103)
AI, GONE = Seat("Jade", ai_level="simple"), Seat("Di", 104, "simple", conceded=True)
SITTER = Seat("Eve", 105, substitute_id=106, substitute_name="Flo")


async def test_equal_totals_share_the_win_and_a_concession_wins_nothing(any_database: Database) -> None:
    await record(any_database, match_of(ADA, BO, GONE, AI, left=(0, 5, 0, 5)), 1)
    standings = {line.name: (line.wins, line.matches) for line in await standings_of(any_database, 7)}
    assert standings == {"Ada": (1, 1), "Bo": (0, 1), "Di": (0, 1)}


async def test_matches_count_for_owners_and_hands_for_their_players(any_database: Database) -> None:
    await record(any_database, match_of(SITTER, BO, CY, left=(0, 5, 1)), 1)
    standings = {line.name: (line.matches, line.wins, line.hands) for line in await standings_of(any_database, 7)}
    assert standings == {"Eve": (1, 0, 0), "Flo": (0, 0, 1), "Bo": (1, 0, 1), "Cy": (1, 1, 1)}


async def test_an_average_is_of_all_hands() -> None:
    assert Standing(1, "Ada", 2, 1, 0, 10, 25).average == 2.5
    assert Standing(1, "Ada", 0, 0, 0, 0, 0).average == 0


async def test_places_and_hands_are_stored_for_every_seat(any_database: Database) -> None:
    number = await record(any_database, match_of(ADA, BO, GONE, AI, left=(8, 0, 3, 3)), 77)
    player, hand = match_players.c, hand_players.c
    async with any_database.read() as connection:
        rows = (await connection.execute(select(match_players).order_by(player.seat))).all()
        by_hand = (await connection.execute(select(hand_players).order_by(hand.seat))).all()
        of_match = (await connection.execute(select(finished))).one()
    assert [(row.place, row.total, row.hands_won, row.conceded) for row in rows] == [
        (3, 16, 0, False),
        (1, 0, 1, False),
        (4, 3, 0, True),
        (2, 3, 0, False),
    ]
    assert [row.absent for row in rows] == [False, False, True, False]
    assert [(row.hand, row.left, row.points, row.won, row.user_id) for row in by_hand] == [
        (1, 8, 16, False, 101),
        (1, 0, 0, True, 102),
        (1, 3, 3, False, None),
        (1, 3, 3, False, None),
    ]
    assert (of_match.table_id, of_match.guild_id, of_match.hands, of_match.finished_at) == (number, 7, 1, 77)
