"""The figures of one player, and of two players against each other."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import sqrt
from statistics import fmean, median, stdev
from typing import Final, TypeAlias

from bot.analysis.hand_strength import percentile
from bot.analysis.rating import Rating

THRASHINGS: Final = (30, 45)
"""Penalty points from which on a hand is a thrashing, and a worse one."""


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """What somebody did in a hand; lists are JSON as it is stored, since few of those who ask read them."""

    user_id: int
    table_id: int
    points: int
    won: bool
    dealt_out: int
    """Penalty points of all in it."""
    strength: int
    gangs: int
    biggest: int
    beaten: int
    blocked: int
    forgot: int
    won_before: bool
    """Whether the seat won the hand before, and so gives its gift freely (R27)."""
    gave: str
    received: str
    seconds: str


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """How a match ended for somebody, and how it stood after half of its hands."""

    user_id: int
    table_id: int
    size: int
    """How many seats it had."""
    place: int
    absent: bool
    half: tuple[int, ...]
    """Everybody's totals then, if this one won (it is not looked up for the others)."""
    own_half: int


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """What the hands that somebody has played with somebody else came to."""

    user_id: int | None
    """The other; None for all AI players."""
    name: str | None
    hidden: bool
    hands: int
    points: int
    their_points: int
    won: int
    lost: int
    """Hands that the other won."""
    lost_to: int
    """Own points in those."""
    won_from: int
    """The other's points in hands won."""
    gave_30: int
    """How often the other got 30 points or more in a hand that this one won."""
    gave_45: int
    took_30: int
    took_45: int
    better: int
    """How often this one got fewer points."""
    equal: int


@dataclass(frozen=True, slots=True)
class Duel:
    """How two people came off in the matches that both played to the end."""

    matches: int
    ahead: int
    behind: int


MOST_ON_THE_MAP = 8
"""People: more would not be legible."""


_DEVIATIONS = 1.96
"""Standard deviations that hold 95 % of a normal distribution."""
RECENT = 20
"""Matches that show a player's form."""


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
    nemesis: HeadToHead | None
    """In whose hands most points were lost; None before any."""
    victim: HeadToHead | None
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
    hands: HeadToHead | None
    """As the first sees them; None where there are none."""


@dataclass(frozen=True, slots=True)
class Meetings:
    """How those who play most came off against each other."""

    people: tuple[tuple[int, str], ...]
    duels: dict[tuple[int, int], Duel]


def profile(
    user_id: int, name: str, rating: Rating, matches: Sequence[PlayedMatch], hands: Hands, against: Sequence[HeadToHead]
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


def _ended(against: Sequence[HeadToHead]) -> float:
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


def _most_met(against: Iterable[HeadToHead]) -> int | None:
    found = _most(against, lambda each: each.hands)
    return None if found is None else found.user_id


def _most(against: Iterable[HeadToHead], figure: Callable[[HeadToHead], int]) -> HeadToHead | None:
    """The person for whom this is most; nobody who hides, and no AI player."""
    people = [each for each in against if each.user_id is not None and not each.hidden and figure(each) > 0]
    return max(people, key=lambda each: (figure(each), -(each.user_id or 0)), default=None)
