"""Reports of finished hands: every move, and the cards that were left. After a hand all cards may be seen (R26)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot.analysis.finished_hands import Move, finished_hands
from bot.engine import Cards, State
from bot.engine.events import Event, Forgot, Gave, GaveBack, HandEnded, Played
from bot.engine.record import Line


@dataclass(frozen=True, slots=True)
class HandMove:
    """A play, a pass, or a forgotten "Last card!". Moves that were taken back are left out."""

    seat: int
    cards: Cards = ()
    leads: bool = False
    declared: bool = False
    """True if "Last card!" was said with the play or after it."""
    forgot: bool = False


@dataclass(frozen=True, slots=True)
class HandReport:
    """One finished hand."""

    ended: HandEnded
    direction: int
    cards_left: tuple[Cards, ...]
    """The cards that each seat had left."""
    cards_at_start: tuple[Cards, ...]
    """The cards of each seat after the exchange."""
    gave: Gave | None = None
    """The loser's gift for the next hand; None after the last hand."""
    moves: tuple[HandMove, ...] = ()

    def without_cards(self) -> "HandReport":
        """Only the points and the number of cards left, for when others still play the same deals."""
        nothing: tuple[Cards, ...] = ((),) * len(self.cards_left)
        return replace(self, cards_left=nothing, cards_at_start=nothing, gave=None, moves=())


def hand_reports(events: Sequence[Event], state: State | None = None) -> Iterator[HandReport]:
    """The finished hands of a log, in order. `state` precedes the log if it begins within a match."""
    for hand in finished_hands(map(Line, events), state):
        following = events[hand.index + 1 : hand.index + 3]
        gave = next((gift for gift in following if isinstance(gift, Gave)), None)
        moves = tuple(_reported(move) for move in hand.moves if not isinstance(move.event, Gave | GaveBack))
        yield HandReport(hand.ended, hand.before_end.direction, hand.before_end.hands, hand.cards_at_start, gave, moves)


def _reported(move: Move) -> HandMove:
    if isinstance(move.event, Played):
        return HandMove(move.seat, move.event.cards, not move.before.cycle.plays, move.declared)
    return HandMove(move.seat, forgot=isinstance(move.event, Forgot))
