"""What a server remembers of one person, and of two against each other: queries, folded into figures."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import sqrt
from statistics import fmean, median, stdev
from typing import TypeAlias

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.analysis.hand_strength import percentile
from bot.storage import profile as profiles
from bot.storage import ratings
from bot.storage.database import Database
from bot.storage.profile import Against, Duel, PlayedHand, PlayedMatch
from bot.storage.ratings import Rating
from bot.table.refusals import KeepsToThemselves

MOST_ON_THE_MAP = 8
"""People: more would not be legible."""
RECENT = 20
"""Matches that show a player's form."""
_DEVIATIONS = 1.96
"""Standard deviations that hold 95 % of a normal distribution."""
Interval: TypeAlias = tuple[float, float]
"""Between which the true value lies in 19 of 20 cases, so chance alone explains figures within it."""


Hands: TypeAlias = Sequence[PlayedHand]


@dataclass(frozen=True, slots=True)
class Exchange:
    """The exchanges of a winner, or of a loser, of the hand before: how many, and mean ranks (1-12)."""

    times: int = 0
    received: float = 0
    gave: float = 0


@dataclass(frozen=True, slots=True)
class Form:
    """A player's latest matches, at most `RECENT`."""

    matches: int
    wins: int
    hands: int
    average: float
    """Penalty points a hand in them."""


@dataclass(frozen=True, slots=True)
class Profile:
    """All figures of one person in one server."""

    user_id: int
    name: str
    rating: Rating
    matches: int
    absent: int
    """Matches whose end they missed; these have no place in `places`."""
    wins: int
    likely_rate: Interval | None
    """The share of wins, 0-1, as far as chance leaves it open; None before the first match."""
    places: Mapping[int, tuple[int, ...]]
    """How often first, second, … in matches of three and of four."""
    recent: Form
    streak: int
    """Most matches won in a row."""
    comebacks: int
    hands: int
    hands_won: int
    hand_streak: int
    """Most hands won in a row."""
    points: int
    likely_average: Interval | None
    """Penalty points a hand, as far as chance leaves them open; None before the second hand."""
    best: int
    """Most points that the others got together in a hand won."""
    worst: int
    """Most own points in a hand."""
    gave: tuple[int, int]
    """Thrashings given: how often another had so many points (30 and more, 45 and more) in a hand won."""
    took: tuple[int, int]
    gangs: int
    biggest: int
    """Cards of the biggest gang."""
    beaten: int
    """Gangs of others beaten by gangs."""
    blocked: int
    """Plays that others had to make to block a last card (R31)."""
    forgot: int
    as_winner: Exchange
    as_loser: Exchange
    nemesis: Against | None
    """In whose hands most points were lost; None before any."""
    victim: Against | None
    """Who lost most points in one's own."""
    median_seconds: float | None
    dealt: float
    """How good the hands were that were dealt: the mean of their percentiles (0-100)."""
    ended: float
    """How many of the others did worse (0-100); of those just as good, half."""

    @property
    def average(self) -> float:
        """Penalty points a hand."""
        return self.points / self.hands if self.hands else 0.0


@dataclass(frozen=True, slots=True)
class Versus:
    """Two people: their matches, and the hands that they played with each other."""

    names: tuple[str, str]
    duel: Duel
    hands: Against | None
    """As the first sees them; None where there are none."""


@dataclass(frozen=True, slots=True)
class Meetings:
    """How those who play most came off against each other."""

    people: tuple[tuple[int, str], ...]
    duels: dict[tuple[int, int], Duel]


class Profiles:
    """Answers from finished matches. Who hides is shown to themselves only: others get `KeepsToThemselves`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, guild_id: int, user_id: int, reader: int) -> Profile | None:
        """All of a person; None if they have finished no match in the server."""
        async with self._database.read() as connection:
            await _require_shown(connection, reader, user_id)
            name = await profiles.name_of(connection, guild_id, user_id)
            if name is None:
                return None
            rated = await ratings.of_guild(connection, guild_id, [user_id])
            rating = rated.get(user_id, Rating())
            hands = await profiles.hands_of(connection, guild_id, user_id)
            matches = await profiles.matches_of(connection, guild_id, user_id)
            against = await profiles.against(connection, guild_id, user_id)
        return await asyncio.to_thread(profile, user_id, name, rating, matches, hands, against)

    async def versus(self, guild_id: int, one: int, two: int | None, reader: int) -> Versus | None:
        """Two people, by default the first and whom they meet most; None if one has finished no match in the server."""
        async with self._database.read() as connection:
            if two is None:
                two = _most_met(await profiles.against(connection, guild_id, one))
            if two is None:
                return None
            await _require_shown(connection, reader, one, two)
            first, second = [await profiles.name_of(connection, guild_id, user) for user in (one, two)]
            if first is None or second is None:
                return None
            duels = await profiles.duels(connection, guild_id, (one, two))
            hands = await profiles.against(connection, guild_id, one, two)
        return Versus((first, second), duels.get((one, two), Duel(0, 0, 0)), hands[0] if hands else None)

    async def ratings(self, guild_id: int, user_id: int, reader: int) -> tuple[str, list[Rating]]:
        """Somebody's name, and their rating after each rated match, the oldest first."""
        async with self._database.read() as connection:
            await _require_shown(connection, reader, user_id)
            name = await profiles.name_of(connection, guild_id, user_id)
            return name or "", await profiles.ratings_of(connection, guild_id, user_id)

    async def penalties(self, guild_id: int, user_id: int, reader: int) -> tuple[str, dict[int, int]]:
        """Somebody's name, and in how many hands they got so many points, by the points."""
        async with self._database.read() as connection:
            await _require_shown(connection, reader, user_id)
            name = await profiles.name_of(connection, guild_id, user_id)
            return name or "", await profiles.penalties_of(connection, guild_id, user_id)

    async def meetings(self, guild_id: int, reader: int) -> Meetings:
        """Those who play most, against each other."""
        async with self._database.read() as connection:
            people = await profiles.most_active(connection, guild_id, MOST_ON_THE_MAP, reader)
            duels = await profiles.duels(connection, guild_id, [user_id for user_id, _ in people])
        return Meetings(tuple(people), duels)


async def _require_shown(connection: AsyncConnection, reader: int, *users: int) -> None:
    for user in users:
        if user != reader and await profiles.is_hidden(connection, user):
            raise KeepsToThemselves


def profile(
    user_id: int, name: str, rating: Rating, matches: Sequence[PlayedMatch], hands: Hands, against: Sequence[Against]
) -> Profile:
    """The figures of matches and hands, both the oldest first."""
    wins = sum(map(is_win, matches))
    return Profile(
        user_id=user_id,
        name=name,
        rating=rating,
        matches=len(matches),
        absent=sum(match.absent for match in matches),
        wins=wins,
        likely_rate=likely_share(wins, len(matches)),
        places=_places(matches),
        recent=_form(matches[-RECENT:], hands),
        streak=_longest(map(is_win, matches)),
        comebacks=sum(map(is_comeback, matches)),
        hands=len(hands),
        hands_won=sum(hand.won for hand in hands),
        hand_streak=_longest(hand.won for hand in hands),
        points=sum(hand.points for hand in hands),
        likely_average=likely_mean([hand.points for hand in hands]),
        best=max((hand.dealt_out for hand in hands if hand.won), default=0),
        worst=max((hand.points for hand in hands), default=0),
        gave=(sum(each.gave_30 for each in against), sum(each.gave_45 for each in against)),
        took=(sum(each.took_30 for each in against), sum(each.took_45 for each in against)),
        gangs=sum(hand.gangs for hand in hands),
        biggest=max((hand.biggest for hand in hands), default=0),
        beaten=sum(hand.beaten for hand in hands),
        blocked=sum(hand.blocked for hand in hands),
        forgot=sum(hand.forgot for hand in hands),
        as_winner=_exchange([hand for hand in hands if hand.won_before]),
        as_loser=_exchange([hand for hand in hands if not hand.won_before]),
        nemesis=_most(against, lambda each: each.lost_to),
        victim=_most(against, lambda each: each.won_from),
        median_seconds=_median(hand.seconds for hand in hands),
        dealt=_mean([percentile(hand.strength) for hand in hands if hand.strength]),  # of old hands it is not known
        ended=_ended(against),
    )


def is_win(match: PlayedMatch) -> bool:
    """Whether a match was won by an owner who was there at the end."""
    return match.place == 1 and not match.absent


def is_comeback(match: PlayedMatch) -> bool:
    """Whether a match was won after being last, or among the last, when half of its hands were over."""
    return is_win(match) and bool(match.half) and min(match.half) < max(match.half) == match.own_half


def _places(matches: Iterable[PlayedMatch]) -> dict[int, tuple[int, ...]]:
    found = Counter((match.size, match.place) for match in matches if not match.absent)
    return {size: tuple(found[size, place] for place in range(1, size + 1)) for size in (3, 4)}


def _form(matches: Sequence[PlayedMatch], hands: Sequence[PlayedHand]) -> Form:
    """The form in these matches, out of all hands."""
    tables = {match.table_id for match in matches}
    points = [hand.points for hand in hands if hand.table_id in tables]
    return Form(len(matches), sum(map(is_win, matches)), len(points), _mean(points))


def likely_mean(values: Sequence[float]) -> Interval | None:
    """The interval of a mean of values that are not negative; None for fewer than two."""
    if len(values) < 2:
        return None
    spread = _DEVIATIONS * stdev(values) / sqrt(len(values))
    return max(0.0, fmean(values) - spread), fmean(values) + spread


def likely_share(wins: int, matches: int) -> Interval | None:
    """The interval of a share (Wilson's), which also holds for few matches."""
    if not matches:
        return None
    share, squared = wins / matches, _DEVIATIONS**2
    middle = share + squared / (2 * matches)
    spread = _DEVIATIONS * sqrt(share * (1 - share) / matches + squared / (4 * matches**2))
    whole = 1 + squared / matches
    return max(0.0, (middle - spread) / whole), min(1.0, (middle + spread) / whole)


def _ended(against: Sequence[Against]) -> float:
    better, equal = sum(each.better for each in against), sum(each.equal for each in against)
    return (100 * better + 50 * equal) / max(1, sum(each.hands for each in against))


def gifts(hands: Iterable[PlayedHand]) -> list[int]:
    """The ranks of the cards that were given in these hands."""
    return _numbers(hand.gave for hand in hands)


def _exchange(hands: Sequence[PlayedHand]) -> Exchange:
    gave, received = gifts(hands), _numbers(hand.received for hand in hands)
    return Exchange(len(gave), _mean(received), _mean(gave))


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else 0


def _median(lists: Iterable[str]) -> float | None:
    values = _numbers(lists)
    return median(values) if values else None


def _numbers(lists: Iterable[str]) -> list[int]:
    """What stands in JSON lists of numbers, read as one: there may be tens of thousands."""
    return [number for numbers in json.loads(f"[{','.join(lists)}]") for number in numbers]


def _longest(won: Iterable[bool]) -> int:
    """The most that were won in a row."""
    return max((sum(run) for _, run in groupby(won)), default=0)


def _most_met(against: Iterable[Against]) -> int | None:
    found = _most(against, lambda each: each.hands)
    return None if found is None else found.user_id


def _most(against: Iterable[Against], figure: Callable[[Against], int]) -> Against | None:
    """The person for whom this is most; nobody who hides, and no AI player."""
    people = [each for each in against if each.user_id is not None and not each.hidden and figure(each) > 0]
    return max(people, key=lambda each: (figure(each), -(each.user_id or 0)), default=None)
