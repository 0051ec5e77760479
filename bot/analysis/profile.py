"""Statistics of one player, and of two players against each other."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import sqrt
from statistics import fmean, median
from typing import Final, TypeAlias

from bot.analysis.hand_strength import percentile
from bot.analysis.rating import Rating

THRASHINGS: Final = (30, 45)
"""The penalty points from which a hand counts as a thrashing, and as a worse one."""


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A user's statistics in one hand. Lists remain stored JSON, because most callers don't read them."""

    user_id: int
    table_id: int
    points: int
    won: bool
    points_won: int
    """All opponents' penalty points in a hand won; otherwise 0."""
    strength: int
    gangs: int
    biggest: int
    beaten: int
    blocked: int
    forgot: int
    won_before: bool
    """True if the seat won the hand before, so it chose the card that it gave back (R27)."""
    gave: str
    received: str
    seconds: str


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A user's result in a match, and the totals after half of its hands."""

    user_id: int
    table_id: int
    size: int
    """The number of seats."""
    place: int
    absent: bool
    half: tuple[int, ...]
    """All totals after half of the hands; empty unless this user won."""
    own_half: int


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """The sums over the hands that a user has played with one opponent."""

    user_id: int | None
    """The opponent; None for all AI players together."""
    name: str | None
    hidden: bool
    hands: int
    points: int
    their_points: int
    won: int
    lost: int
    """Hands that the opponent won."""
    lost_to: int
    """The user's points in hands that the opponent won."""
    won_from: int
    """The opponent's points in hands that the user won."""
    gave_30: int
    """Hands that the user won and in which the opponent got 30 points or more."""
    gave_45: int
    took_30: int
    took_45: int
    better: int
    """Hands in which the user got fewer points."""
    equal: int


@dataclass(frozen=True, slots=True)
class Duel:
    """The matches that two users both played to the end, and how often one finished ahead."""

    matches: int
    ahead: int
    behind: int


MAX_IN_GRID = 8
"""Users in the picture of all duels; more wouldn't be legible."""
_DEVIATIONS = 1.96
"""Standard deviations on each side that include 95 % of a normal distribution."""
RECENT = 20
"""Matches that show a player's form."""
Interval: TypeAlias = tuple[float, float]
"""Bounds of the true value in 19 of 20 cases, so values within them can be due to chance."""
Hands: TypeAlias = Sequence[PlayedHand]


@dataclass(frozen=True, slots=True)
class ExchangeStats:
    """Exchanges as the winner or as the loser of the hand before: their number and mean ranks (1-12)."""

    times: int = 0
    received: float = 0
    gave: float = 0


@dataclass(frozen=True, slots=True)
class Luck:
    """The luck and skill in hands with a known par (see `bot.analysis.par`)."""

    hands: int = 0
    luck: float = 0
    """Points per hand."""
    skill: float = 0
    """Points per hand."""


@dataclass(frozen=True, slots=True)
class Form:
    """The results of a player's latest matches, at most `RECENT`."""

    matches: int
    wins: int
    average: float
    """Penalty points per hand."""


@dataclass(frozen=True, slots=True)
class Profile:
    """All statistics of one user in one guild."""

    user_id: int
    name: str
    rating: Rating
    matches: int
    absent: int
    """Matches in which they were absent at the end; these aren't in `places`."""
    wins: int
    likely_rate: Interval | None
    """The interval of the share of wins, 0-1; None before the first match."""
    places: Mapping[int, tuple[int, ...]]
    """The number of first, second, … places, by the number of seats (3 or 4)."""
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
    """The interval of the penalty points per hand; None before the second hand."""
    best: int
    """Most points that the opponents together got in a hand won."""
    worst: int
    """Most own points in a hand."""
    thrashings_given: tuple[int, int]
    """Thrashings given: opponents with 30 points or more, and with 45 or more, in hands won."""
    thrashings_taken: tuple[int, int]
    gangs: int
    biggest: int
    """Cards of the biggest gang."""
    beaten: int
    """Opponents' gangs beaten by gangs."""
    blocked: int
    """Turns of others limited by this user's declared last card (R31)."""
    forgot: int
    as_winner: ExchangeStats
    as_loser: ExchangeStats
    opponents: frozenset[int]
    """The users with whom they have played hands."""
    nemesis: HeadToHead | None
    """The opponent in whose won hands this user lost most points."""
    victim: HeadToHead | None
    """The opponent who lost most points in hands that this user won."""
    median_seconds: float | None
    dealt_percentile: float
    """The mean percentile (0-100) of the strength of the dealt hands."""
    result_percentile: float
    """The percentage (0-100) of opponents with more points in a hand; half of the equal ones count."""
    luck: Luck = Luck()

    @property
    def average(self) -> float:
        """Penalty points per hand."""
        return self.points / self.hands if self.hands else 0.0


@dataclass(frozen=True, slots=True)
class Versus:
    """Two users: their matches, and the hands that they played with each other."""

    names: tuple[str, str]
    duel: Duel
    hands: HeadToHead | None
    """From the first user's side; None if they haven't met."""


@dataclass(frozen=True, slots=True)
class Meetings:
    """The duels of the users who play most, by pairs of user ids."""

    people: tuple[tuple[int, str], ...]
    duels: dict[tuple[int, int], Duel]


def profile(
    user_id: int, name: str, rating: Rating, matches: Sequence[PlayedMatch], hands: Hands, against: Sequence[HeadToHead]
) -> Profile:
    """The profile computed from matches and hands, both the oldest first; without luck and skill."""
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
        likely_average=_likely_points([hand.points for hand in hands]),
        best=max((hand.points_won for hand in hands), default=0),
        worst=max((hand.points for hand in hands), default=0),
        thrashings_given=(sum(each.gave_30 for each in against), sum(each.gave_45 for each in against)),
        thrashings_taken=(sum(each.took_30 for each in against), sum(each.took_45 for each in against)),
        gangs=sum(hand.gangs for hand in hands),
        biggest=max((hand.biggest for hand in hands), default=0),
        beaten=sum(hand.beaten for hand in hands),
        blocked=sum(hand.blocked for hand in hands),
        forgot=sum(hand.forgot for hand in hands),
        as_winner=_exchange([hand for hand in hands if hand.won_before]),
        as_loser=_exchange([hand for hand in hands if not hand.won_before]),
        opponents=frozenset(each.user_id for each in against if each.user_id is not None),
        nemesis=_most(against, lambda each: each.lost_to),
        victim=_most(against, lambda each: each.won_from),
        median_seconds=_median(hand.seconds for hand in hands),
        dealt_percentile=_mean([percentile(hand.strength) for hand in hands]),
        result_percentile=_result_percentile(against),
    )


def is_win(match: PlayedMatch) -> bool:
    """True if the user won the match and was there at the end."""
    return match.place == 1 and not match.absent


def is_comeback(match: PlayedMatch) -> bool:
    """True if the user won after being last, alone or shared, when half of the hands were over."""
    return is_win(match) and bool(match.half) and min(match.half) < max(match.half) == match.own_half


def _places(matches: Iterable[PlayedMatch]) -> dict[int, tuple[int, ...]]:
    found = Counter((match.size, match.place) for match in matches if not match.absent)
    return {size: tuple(found[size, place] for place in range(1, size + 1)) for size in (3, 4)}


def _form(matches: Sequence[PlayedMatch], hands: Sequence[PlayedHand]) -> Form:
    """The form in these matches."""
    tables = {match.table_id for match in matches}
    points = [hand.points for hand in hands if hand.table_id in tables]
    return Form(len(matches), sum(map(is_win, matches)), _mean(points))


def _likely_points(points: Sequence[int]) -> Interval | None:
    """The interval of the penalty points per hand, which can't be negative; None before the second hand."""
    found = likely_mean(len(points), sum(points), sum(each * each for each in points))
    return None if found is None else (max(0.0, found[0]), found[1])


def likely_mean(number: int, total: float, squares: float) -> Interval | None:
    """The interval of the mean of values, from their sum and the sum of their squares; None for fewer than two."""
    if number < 2:
        return None
    mean = total / number
    spread = _DEVIATIONS * sqrt(max(0.0, squares - total * mean) / (number - 1) / number)
    return mean - spread, mean + spread


def likely_share(wins: int, matches: int) -> Interval | None:
    """The Wilson interval of a share, which is valid for few matches, too."""
    if not matches:
        return None
    share, squared = wins / matches, _DEVIATIONS**2
    middle = share + squared / (2 * matches)
    spread = _DEVIATIONS * sqrt(share * (1 - share) / matches + squared / (4 * matches**2))
    whole = 1 + squared / matches
    return max(0.0, (middle - spread) / whole), min(1.0, (middle + spread) / whole)


def _result_percentile(against: Sequence[HeadToHead]) -> float:
    better, equal = sum(each.better for each in against), sum(each.equal for each in against)
    return (100 * better + 50 * equal) / max(1, sum(each.hands for each in against))


def gifts(hands: Iterable[PlayedHand]) -> list[int]:
    """The ranks of the cards that were given in these hands."""
    return _numbers(hand.gave for hand in hands)


def _exchange(hands: Sequence[PlayedHand]) -> ExchangeStats:
    gave, received = gifts(hands), _numbers(hand.received for hand in hands)
    return ExchangeStats(len(gave), _mean(received), _mean(gave))


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else 0


def _median(lists: Iterable[str]) -> float | None:
    values = _numbers(lists)
    return median(values) if values else None


def _numbers(lists: Iterable[str]) -> list[int]:
    """The numbers of many JSON lists, parsed at once because there may be tens of thousands."""
    return [number for numbers in json.loads(f"[{','.join(lists)}]") for number in numbers]


def _longest(won: Iterable[bool]) -> int:
    """The longest run of wins."""
    return max((sum(run) for _, run in groupby(won)), default=0)


def most_met(against: Iterable[HeadToHead]) -> int | None:
    """The id of the opponent with whom a user has played most hands; None if all are AI players or hidden."""
    found = _most(against, lambda each: each.hands)
    return None if found is None else found.user_id


def _most(against: Iterable[HeadToHead], figure: Callable[[HeadToHead], int]) -> HeadToHead | None:
    """The opponent with the highest figure; neither an AI player nor a user who is hidden."""
    people = [each for each in against if each.user_id is not None and not each.hidden and figure(each) > 0]
    return max(people, key=lambda each: (figure(each), -(each.user_id or 0)), default=None)
