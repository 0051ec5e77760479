"""Checks the deals of a finished match by dealing each again from the revealed seed and the salt."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.engine import Cards, MatchStarted, commitment, shuffle
from bot.engine.events import Abandoned, Dealt, Event, HandEnded, MatchEnded
from bot.engine.record import BadRecord, Line, UnfinishedRecord
from bot.engine.verification import is_same_deal, verify


@dataclass(frozen=True, slots=True)
class RepeatedDeal:
    """A hand, dealt again."""

    hand: int
    first: Cards
    """The first seat's cards in the new deal, in the order dealt."""
    agrees: bool
    """True if the log has the same deal."""


@dataclass(frozen=True, slots=True)
class FairnessCheck:
    """The result of checking a finished match."""

    commitment: str
    revealed_seed: str
    salt: str
    seed_matches: bool
    """True if the seed matches the commitment."""
    deals: tuple[RepeatedDeal, ...]
    fault: BadRecord | None
    """The first line that contradicts the rules or the seed, if any."""

    @property
    def is_fair(self) -> bool:
        """True if commitment, deals and every line agree."""
        return self.seed_matches and self.fault is None and all(again.agrees for again in self.deals)


def check(lines: Sequence[Line]) -> FairnessCheck:
    """Deal a finished match again from its revealed seed, and check every line. Raises `UnfinishedRecord`.

    The deals are checked even if the log breaks the rules. A long match takes more than 100 ms, so use `Background`.
    """
    events = [line.event for line in lines]
    match events:
        case [MatchStarted() as match, *_, MatchEnded(seed=revealed) | Abandoned(seed=revealed)]:
            seed = _from_hex(revealed)
        case _:
            raise UnfinishedRecord(len(events) or 1, "the record stops before the match is over")
    seed_matches = commitment(seed) == match.commitment
    deals = tuple(_redeal(match, events, seed))
    return FairnessCheck(match.commitment, revealed, match.salt, seed_matches, deals, _fault(lines))


def _from_hex(text: str) -> bytes:
    """The seed; empty if it isn't hex, so that it matches no commitment."""
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""


def _redeal(match: MatchStarted, events: Sequence[Event], seed: bytes) -> Iterator[RepeatedDeal]:
    """Repeat every deal of a log from seed and salt."""
    dealer, hand, direction = match.dealer, 0, -1
    for event in events:
        if isinstance(event, HandEnded):
            dealer = event.winner  # R22
        elif isinstance(event, Dealt):
            hand, direction = hand + 1, -direction  # R20
            again = shuffle.deal(
                seed,
                match.salt,
                hand,
                seats=len(match.seats),
                dealer=dealer,
                direction=direction,
                options=match.options,
            )
            yield RepeatedDeal(hand, again.hands[0], is_same_deal(event, again))


def _fault(lines: Sequence[Line]) -> BadRecord | None:
    try:
        verify(lines)
    except BadRecord as fault:
        return fault
    return None
