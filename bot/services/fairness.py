"""Deals that anybody can check: from the revealed seed and the salt, hand by hand, against what was dealt."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.engine import Card, Cards, MatchStarted, State, commitment, evolve
from bot.engine.events import Abandoned, Dealt, MatchEnded
from bot.engine.record import BadRecord, Line, UnfinishedRecord
from bot.engine.shuffle import Deal, deal
from bot.engine.verification import verify


@dataclass(frozen=True, slots=True)
class DealtAgain:
    """A hand, and whether seed and salt come to what was dealt in it."""

    hand: int
    first: Cards
    """What seed and salt give to the first seat, as it comes from the deck."""
    agrees: bool


@dataclass(frozen=True, slots=True)
class Checked:
    """What checking a match that is over has shown."""

    commitment: str
    seed: str
    salt: str
    keeps_word: bool
    """Whether the seed is the one that was committed to."""
    deals: tuple[DealtAgain, ...]
    fault: BadRecord | None
    """The first line that is not as the rules and the seed say."""

    @property
    def is_fair(self) -> bool:
        """Whether all of it agrees."""
        return self.keeps_word and self.fault is None and all(again.agrees for again in self.deals)


def check(lines: Sequence[Line]) -> Checked:
    """Deal a match again from what its last line reveals, and play it again. Raises `UnfinishedRecord`."""
    events = [line.event for line in lines]
    match events:
        case [MatchStarted() as match, *_, MatchEnded(seed=revealed) | Abandoned(seed=revealed)]:
            seed = bytes.fromhex(revealed)
        case _:
            raise UnfinishedRecord(len(events) or 1, "the record stops before the match is over")
    state: State | None = None
    deals = []
    for event in events:
        if isinstance(event, Dealt) and state is not None:
            deals.append(_dealt_again(state, event, seed))
        state = evolve(state, event)
    fault = _fault(lines)
    return Checked(match.commitment, revealed, match.salt, commitment(seed) == match.commitment, tuple(deals), fault)


def _dealt_again(before: State, dealt: Dealt, seed: bytes) -> DealtAgain:
    match = before.match
    again = deal(
        seed,
        match.salt,
        dealt.hand,
        seats=len(match.seats),
        dealer=before.dealer,
        direction=dealt.direction,
        options=match.options,
    )
    agrees = _piles(dealt) == _piles(again) and (dealt.cut, dealt.first) == (again.cut, again.first)
    return DealtAgain(dealt.hand, again.hands[0], agrees)


def _piles(dealt: Dealt | Deal) -> list[list[Card]]:
    """All hands; the order within one does not matter."""
    return [sorted(pile) for pile in (*dealt.hands, dealt.dummy)]


def _fault(lines: Sequence[Line]) -> BadRecord | None:
    try:
        verify(lines)
    except BadRecord as fault:
        return fault
    return None
