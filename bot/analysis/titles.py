"""Titles of a guild, awarded to the members with the best statistics."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from bot.analysis.profile import PlayedHand, PlayedMatch, gifts, is_comeback, is_win


@dataclass(frozen=True, slots=True)
class TitleStats:
    """The sums over a member's finished matches that decide titles."""

    gangs: int = 0
    beaten: int = 0
    """Opponents' gangs beaten by gangs."""
    blocked: int = 0
    """Turns of others limited by this member's declared last card (R31)."""
    forgot: int = 0
    """Forgotten declarations (R30)."""
    gifts: int = 0
    """Cards given back as the winner of a hand (R27)."""
    given: int = 0
    """The sum of the ranks of those cards."""
    hardest: int = 0
    """Most penalty points that the opponents together got in a hand won."""
    comebacks: int = 0
    """Matches won after being last, alone or shared, when half of the hands were over."""
    streak: int = 0
    """The current run of matches won."""
    longest: int = 0
    """The longest run of matches won."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A title and its holder."""

    title: str
    user_id: int
    value: float
    since: int
    """UTC seconds."""
    table_id: int
    """The match that won it, or `NO_MATCH`."""
    before_id: int | None = None
    """The previous holder."""


@dataclass(frozen=True, slots=True)
class HeldTitle:
    """A title as displayed: the holder's name and figure."""

    user_id: int
    name: str
    value: float


@dataclass(frozen=True, slots=True)
class TitleChange:
    """A title that has a new holder, with both names."""

    title: str
    value: float
    name: str
    before: str | None


class Title(StrEnum):
    """The titles; each has at most one holder in a guild."""

    GANGS = "gangs"
    """Most gangs played."""
    BREAKER = "breaker"
    """Most opponents' gangs beaten by gangs."""
    STREAK = "streak"
    """Most matches won in a row."""
    COMEBACKS = "comebacks"
    """Most matches won from the last place at half-time."""
    KINDEST = "kindest"
    """Highest mean rank of the cards given back as the winner of a hand."""
    FIST = "fist"
    """Most points for the opponents in a hand won."""
    FEARED = "feared"
    """Most turns of others limited by a declared last card."""
    FORGETFUL = "forgetful"
    """Most forgotten declarations."""


MIN_GIFTS: Final = 5
"""Gifts for their mean rank to mean something."""
_CLAIMS: Final[dict[Title, tuple[Callable[[TitleStats], float], float]]] = {
    Title.GANGS: (lambda stats: stats.gangs, 5),
    Title.BREAKER: (lambda stats: stats.beaten, 3),
    Title.STREAK: (lambda stats: stats.longest, 3),
    Title.COMEBACKS: (lambda stats: stats.comebacks, 2),
    Title.KINDEST: (lambda stats: stats.given / stats.gifts if stats.gifts >= MIN_GIFTS else 0, 1),
    Title.FIST: (lambda stats: stats.hardest, 30),
    Title.FEARED: (lambda stats: stats.blocked, 5),
    Title.FORGETFUL: (lambda stats: stats.forgot, 3),
}
"""The figure that decides each title, and the lowest one that wins it."""
NO_MATCH: Final = 0
"""The `table_id` of a title won because its holder was deleted or hidden, or because of a recount."""
MemberMatch: TypeAlias = tuple[Sequence[PlayedHand], PlayedMatch | None]
"""The hands that a member played in a match, and the match itself if it counts for them."""


def least_value(title: Title) -> int:
    """The lowest figure that wins a title."""
    return round(_CLAIMS[title][1])


def add_match(title_stats: TitleStats, hands: Sequence[PlayedHand], match: PlayedMatch | None) -> TitleStats:
    """The statistics after a match: `hands` are those that the member played, `match` is None if it doesn't count."""
    given = gifts(hand for hand in hands if hand.won_before)
    streak = title_stats.streak if match is None else (title_stats.streak + 1 if is_win(match) else 0)
    return TitleStats(
        gangs=title_stats.gangs + sum(hand.gangs for hand in hands),
        beaten=title_stats.beaten + sum(hand.beaten for hand in hands),
        blocked=title_stats.blocked + sum(hand.blocked for hand in hands),
        forgot=title_stats.forgot + sum(hand.forgot for hand in hands),
        gifts=title_stats.gifts + len(given),
        given=title_stats.given + sum(given),
        hardest=max([title_stats.hardest, *(hand.points_won for hand in hands)]),
        comebacks=title_stats.comebacks + (match is not None and is_comeback(match)),
        streak=streak,
        longest=max(title_stats.longest, streak),
    )


def award_titles(
    held: Mapping[str, Holder], stats_by_user: Mapping[int, TitleStats], table_id: int, at: int
) -> list[Holder]:
    """The new holder of each title. Among equals the present holder keeps it, or else the oldest account wins it."""
    holders = []
    for title, (figure, least) in _CLAIMS.items():
        old = held.get(title)
        values = {user: figure(stats) for user, stats in stats_by_user.items()}
        best = max(values.values(), default=0)
        if best < least:
            continue
        equal = [user for user, value in values.items() if value == best]
        if old is not None and old.user_id in equal:
            holders.append(Holder(title, old.user_id, best, old.since, old.table_id, old.before_id))
        else:
            before = None if old is None or old.user_id not in stats_by_user else old.user_id
            holders.append(Holder(title, min(equal), best, at, table_id, before))
    return holders
