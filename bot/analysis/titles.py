"""Titles of a guild: who holds each follows from what its members have done."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from bot.analysis.profile import PlayedHand, PlayedMatch, gifts, is_comeback, is_win


@dataclass(frozen=True, slots=True)
class TitleStats:
    """What somebody's finished matches in a server add up to, as far as titles go by it."""

    gangs: int = 0
    beaten: int = 0
    """Gangs of others, beaten by one's own."""
    blocked: int = 0
    """Plays that others had to make to block a last card (R31)."""
    forgot: int = 0
    """Last cards that were not declared (R30)."""
    gifts: int = 0
    """Cards given back as the winner of a hand (R27)."""
    given: int = 0
    """The sum of their ranks."""
    hardest: int = 0
    """Most penalty points that the others got together in a hand won."""
    comebacks: int = 0
    """Matches won after being last, or among the last, when half of the hands were over."""
    streak: int = 0
    """Matches won in a row until now."""
    longest: int = 0
    """The most that ever were."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a title."""

    title: str
    user_id: int
    value: float
    since: int
    """UTC seconds."""
    table_id: int
    """The match by which it was won; 0: it passed on when its holder was deleted or hidden, or after a recount."""
    before_id: int | None = None
    """Who held it before."""


@dataclass(frozen=True, slots=True)
class Held:
    """A title as it is shown: by whom, and for what."""

    user_id: int
    name: str
    value: float


@dataclass(frozen=True, slots=True)
class Change:
    """A title that has changed hands, with the names of those concerned."""

    title: str
    value: float
    name: str
    before: str | None


class Title(StrEnum):
    """What can be held by one person in a server."""

    GANGS = "gangs"
    """Most gangs laid."""
    BREAKER = "breaker"
    """Most gangs of others beaten by gangs."""
    STREAK = "streak"
    """Most matches won in a row."""
    COMEBACKS = "comebacks"
    """Most matches won from the last place at half-time."""
    KINDEST = "kindest"
    """The highest cards given back as the winner of a hand, on average."""
    FIST = "fist"
    """Most points for the others in a hand won."""
    FEARED = "feared"
    """Whose last card was blocked most often."""
    FORGETFUL = "forgetful"
    """Who forgot "Last card!" most often."""


@dataclass(frozen=True, slots=True)
class _Claim:
    """By what a title is won."""

    value: Callable[[TitleStats], float]
    least: float
    """Below it, nobody holds the title."""


ENOUGH_GIFTS: Final = 5
"""Below it, how kind somebody is says little."""


_CLAIMS: Final = {
    Title.GANGS: _Claim(lambda title_stats: title_stats.gangs, 5),
    Title.BREAKER: _Claim(lambda title_stats: title_stats.beaten, 3),
    Title.STREAK: _Claim(lambda title_stats: title_stats.longest, 3),
    Title.COMEBACKS: _Claim(lambda title_stats: title_stats.comebacks, 2),
    Title.KINDEST: _Claim(
        lambda title_stats: title_stats.given / title_stats.gifts if title_stats.gifts >= ENOUGH_GIFTS else 0, 1
    ),
    Title.FIST: _Claim(lambda title_stats: title_stats.hardest, 30),
    Title.FEARED: _Claim(lambda title_stats: title_stats.blocked, 5),
    Title.FORGETFUL: _Claim(lambda title_stats: title_stats.forgot, 3),
}


NO_MATCH: Final = 0
"""In place of the match by which a title was won, when its holder was deleted or hidden, or after a recount."""


Played: TypeAlias = tuple[Sequence[PlayedHand], PlayedMatch | None]
"""The hands that somebody played in a match, and the match itself if it counts for them."""


def add_match(title_stats: TitleStats, hands: Sequence[PlayedHand], match: PlayedMatch | None) -> TitleStats:
    """Somebody's deeds after a match: the hands that they played in it, and the match itself, if it counts for them."""
    given = gifts(hand for hand in hands if hand.won_before)
    streak = title_stats.streak if match is None else (title_stats.streak + 1 if is_win(match) else 0)
    return TitleStats(
        gangs=title_stats.gangs + sum(hand.gangs for hand in hands),
        beaten=title_stats.beaten + sum(hand.beaten for hand in hands),
        blocked=title_stats.blocked + sum(hand.blocked for hand in hands),
        forgot=title_stats.forgot + sum(hand.forgot for hand in hands),
        gifts=title_stats.gifts + len(given),
        given=title_stats.given + sum(given),
        hardest=max([title_stats.hardest, *(hand.dealt_out for hand in hands if hand.won)]),
        comebacks=title_stats.comebacks + (match is not None and is_comeback(match)),
        streak=streak,
        longest=max(title_stats.longest, streak),
    )


def award_titles(held: Mapping[str, Holder], every: Mapping[int, TitleStats], table_id: int, at: int) -> list[Holder]:
    """Who holds what by these deeds: who held it until now goes before others as good, then the eldest account."""
    holders = []
    for title, claim in _CLAIMS.items():
        old = held.get(title)
        values = {user: claim.value(title_stats) for user, title_stats in every.items()}
        best = max(values.values(), default=0)
        if best < claim.least:
            continue
        equal = [user for user, value in values.items() if value == best]
        if old is not None and old.user_id in equal:
            holders.append(Holder(title, old.user_id, best, old.since, old.table_id, old.before_id))
        else:
            before = None if old is None or old.user_id not in every else old.user_id
            holders.append(Holder(title, min(equal), best, at, table_id, before))
    return holders
