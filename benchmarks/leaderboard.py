"""The time that leaderboards, profiles and histories take with a million recorded hands, from database to message."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

from bot.analysis.history import HistoryFilter
from bot.analysis.leaderboard import LeaderboardQuery, Order, Period, periods
from bot.presentation.records.leaderboard import LeaderboardState, leaderboard_message
from bot.presentation.records.profile import profile_message
from bot.presentation.text.i18n import words_in
from bot.services.background import Background
from bot.services.history import History
from bot.services.leaderboard import Leaderboards
from bot.services.profile import Profiles
from bot.storage.database import Database

HANDS: Final = 1_000_000
HANDS_A_MATCH: Final = 10
SEATS: Final = 4
PEOPLE: Final = 500
"""Members of the one guild in which all hands were played."""
CHANNELS: Final = range(1, 6)
EDITIONS: Final = ("days-of-wonder", "dargaud-1996", "summary-sheet")
GUILD: Final = 7
END: Final = datetime(2026, 11, 21, tzinfo=UTC)
YEARS: Final = 5
TARGET: Final = 0.3
"""Seconds."""
ROUNDS: Final = 5
READER: Final = PEOPLE // 2


def fill(file: Path) -> None:
    """Store the finished matches and their sums as the app does, but in one transaction."""
    rng = Random(1)
    sums: dict[tuple[object, ...], list[int]] = {}
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.executemany(
            "INSERT INTO members (guild_id, user_id, name, mu, sigma, rated) VALUES (?, ?, ?, 25, 5, 20)",
            [(GUILD, user, f"Player {user}") for user in range(PEOPLE)],
        )
        connection.execute(
            "INSERT INTO seasons (guild_id, number, name, began_at) VALUES (?, 1, 'The first', 0)", (GUILD,)
        )
        for start in range(0, HANDS // HANDS_A_MATCH, 10_000):
            numbers = range(start, start + 10_000)
            connection.executemany(_MATCH, [_match(number, rng, sums) for number in numbers])
            connection.executemany(_PLAYER, _players(numbers))
            connection.executemany(_HAND, _hands(numbers, rng))
            print(f"{numbers[-1] + 1:,} matches", flush=True)
        connection.executemany(_SCORE, [(*key, *figures) for key, figures in sums.items()])
    connection.close()


_MATCH: Final = (
    "INSERT INTO matches (table_id, guild_id, channel_id, edition, hands, finished_at, people_only, nth, rated,"
    " par_due) VALUES (?, ?, ?, ?, ?, ?, ?, ?, FALSE, FALSE)"
)
_PLAYER: Final = (
    "INSERT INTO match_players (table_id, seat, guild_id, user_id, name, place, total, hands, hands_won, conceded,"
    f" absent, nth) VALUES (?, ?, {GUILD}, ?, 'Somebody', ?, 50, {HANDS_A_MATCH}, 2, FALSE, FALSE, ?)"
)
_HAND: Final = (
    "INSERT INTO hand_players (table_id, hand, seat, left, points, won, user_id, strength, gangs, biggest, beaten,"
    " blocked, forgot, gave, received, seconds, by_owner)"
    " VALUES (?, ?, ?, 5, 5, ?, ?, 90, 0, 0, 0, 0, 0, '[]', '[]', '[9, 9, 9]', TRUE)"
)
_SCORE: Final = (
    "INSERT INTO scores (guild_id, period, user_id, channel_id, edition, people_only, matches, wins, absent, hands,"
    " points, squares, par_hands, luck, skill, skill_squares)"
    f" VALUES ({GUILD}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0)"
)


def _match(number: int, rng: Random, sums: dict[tuple[object, ...], list[int]]) -> tuple[object, ...]:
    channel, edition, people_only = rng.choice(CHANNELS), rng.choice(EDITIONS), rng.random() < 0.5
    at = int((END - timedelta(days=rng.random() * 365 * YEARS)).timestamp())
    for place, user in enumerate(_seats(number)):
        for period in periods(at, 1):
            figures = sums.setdefault((period, user, channel, edition, people_only), [0] * 5)
            for at_figure, more in enumerate((1, place == 0, 0, HANDS_A_MATCH, 5 * HANDS_A_MATCH)):
                figures[at_figure] += more
    return number + 1, GUILD, channel, edition, HANDS_A_MATCH, at, people_only, number + 1


def _seats(number: int) -> list[int]:
    return Random(number).sample(range(PEOPLE), SEATS)


def _players(numbers: range) -> Iterator[tuple[object, ...]]:
    for number in numbers:
        for seat, user in enumerate(_seats(number)):
            yield number + 1, seat, user, seat + 1, number + 1


def _hands(numbers: range, rng: Random) -> Iterator[tuple[object, ...]]:
    for number in numbers:
        users = _seats(number)
        for hand in range(1, HANDS_A_MATCH + 1):
            winner = rng.randrange(SEATS)
            for seat, user in enumerate(users):
                yield number + 1, hand, seat, seat == winner, user


def requests(database: Database) -> dict[str, Callable[[], Awaitable[object]]]:
    """The requests by name, made as the cogs make them."""
    leaderboards, words = Leaderboards(database, lambda: int(END.timestamp() * 1000)), words_in("en")
    profiles, history = Profiles(database), History(database, Background(), lambda: int(END.timestamp() * 1000))

    async def page(query: LeaderboardQuery) -> None:
        places = await leaderboards.places(GUILD, query)
        leaderboard_message(LeaderboardState(query.order, query.period), places, READER, words)

    async def profile() -> None:
        found = await profiles.get(GUILD, READER, READER)
        assert found is not None
        assert found.hands > HANDS * SEATS / PEOPLE / 2
        profile_message(found, {}, READER, words)

    chosen = {f"{order} of {period}": LeaderboardQuery(order, period) for order in Order for period in Period}
    chosen |= {
        "wins in a channel": LeaderboardQuery(channel_id=1),
        "wins of an edition": LeaderboardQuery(edition=EDITIONS[0]),
        "wins of people only": LeaderboardQuery(people_only=True),
    }
    return {
        **{name: partial(page, query) for name, query in chosen.items()},
        f"a profile of {HANDS * SEATS // PEOPLE:,} hands": profile,
        "two people against each other": lambda: profiles.versus(GUILD, READER, READER + 1, READER),
        "who beats whom": lambda: profiles.meetings(GUILD, READER),
        "a user's matches": lambda: history.page(HistoryFilter(GUILD, READER), 0),
        "the matches of a channel": lambda: history.page(HistoryFilter(GUILD, channels=[1]), 0),
    }


async def measure(database: Database) -> dict[str, float]:
    """The median seconds of each request."""
    found = {}
    for name, ask in requests(database).items():
        seconds = []
        for _ in range(ROUNDS):
            begun = perf_counter()
            await ask()
            seconds.append(perf_counter() - begun)
        found[name] = median(seconds)
    return found


async def main() -> None:
    """Fill a database, measure and report."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "gang.sqlite3"
        database = Database(f"sqlite+aiosqlite:///{file}")
        await database.upgrade()
        fill(file)
        found = await measure(database)
        await database.close()
    print(f"\n{f'seconds a leaderboard, {HANDS:,} recorded hands':<44}")
    for name, seconds in found.items():
        print(f"{name:<44}{seconds:>8.3f}  {'met' if seconds <= TARGET else 'missed'}: at most {TARGET:g}")


if __name__ == "__main__":
    asyncio.run(main())
