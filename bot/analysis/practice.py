"""Practice hands: a user plays one hand against AI players, from a deal or from a position of a recorded hand.

The log of a practice hand is that of a match reduced to one hand: its first line, the result of the hand before, the
deal, and the moves. Nobody's name is in it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import count
from typing import Final

from bot.analysis.hand_reports import HandReport, hand_reports
from bot.analysis.hand_strength import percentile, strength
from bot.analysis.replay import Origin, ReplayedMatch, first_event
from bot.engine import Cards, Line, MatchStarted, Options, State, View, commitment, evolve, replay, shuffle, view
from bot.engine.cards import SMALLEST_GANG
from bot.engine.events import AI, Dealt, Event, GaveBack, Passed, Played, Substituted, Undone
from bot.engine.moves import Move
from bot.engine.rules import decide
from bot.players.levels import Level, choose, seed_of
from bot.table.snapshot import Table
from bot.table.solo import solo_table

WEAK_PERCENTILE: Final = 20
"""A bad hand is among the weakest hands: this many of a hundred."""
FEW_CARDS: Final = 3
"""In an endgame, another player has at most this many cards."""
MOST_CARDS: Final = 8
"""The user has more cards than that player, but at most this many."""
ENDGAME_LEVEL: Final = Level.EXPERT
"""The level that plays a hand up to its endgame."""
MAX_EXCERPT: Final = 500
"""The longest log from which a hand goes on. Most have less than half of it, but R30 lets a player forget for ever."""


class Source(StrEnum):
    """Where a practice hand comes from. The values are stored and in custom ids."""

    NEW = "new"
    """Any deal."""
    GANG = "gang"
    """A deal with a gang in the user's hand."""
    WEAK = "weak"
    """A deal with a bad hand for the user."""
    ENDGAME = "endgame"
    """A position in which a player will soon say "Last card!"."""
    MATCH = "match"
    """A position of a match."""
    IMPORT = "import"
    """A position of an imported match."""


DEALS: Final = (Source.NEW, Source.GANG, Source.WEAK, Source.ENDGAME)
"""The sources without a recorded match."""


@dataclass(frozen=True, slots=True)
class Position:
    """A position from which a user plays a hand."""

    source: Source
    seat: int
    """The user's seat."""
    log: tuple[Event, ...] = field(repr=False)
    match_number: int = 0
    """The table of the match; 0 without one."""

    def from_next_seat(self) -> "Position":
        """The same position as the next player in the direction of play sees it."""
        return replace(self, seat=replay(self.log).next_seat(self.seat))


@dataclass(frozen=True, slots=True)
class Practice:
    """A practice hand at one moment."""

    start: Position
    level: Level
    """The level of the AI players."""
    number: int
    """The time when it was begun, in UTC milliseconds; buttons refer to it."""
    table: Table = field(repr=False)
    moves: tuple[Event, ...] = field(default=(), repr=False)
    """The events since the start."""

    @classmethod
    def begin(cls, start: Position, level: Level, number: int, moves: Sequence[Event] = ()) -> "Practice":
        """A practice hand from its start, after `moves`."""
        match = first_event(start.log)
        table = solo_table(match.edition, match.options, len(match.seats), start.seat, level)
        return cls(start, level, number, table.after((*start.log, *moves)), tuple(moves))

    def after(self, move: Move) -> "Practice":
        """The hand after a move. Raises `IllegalMove`."""
        events = decide(self._state, move)
        return replace(self, table=self.table.after(events), moves=self.moves + events)

    @property
    def log(self) -> tuple[Event, ...]:
        """All events."""
        return self.start.log + self.moves

    @property
    def is_over(self) -> bool:
        """True if the hand is over."""
        return self.table.turn is None

    @property
    def view(self) -> View:
        """The user's view, with the cards played and the history, for hints."""
        return view(self._state, self.start.seat, with_played=True)

    @property
    def ai_view(self) -> View | None:
        """The view of the AI player to act, if it isn't the user's turn."""
        turn = self.table.turn
        return None if turn in (None, self.start.seat) else view(self._state, turn or 0, with_played=True)

    @property
    def answers(self) -> tuple[Event, ...]:
        """The events since the user's last move."""
        own = [
            number
            for number, event in enumerate(self.moves, 1)
            if isinstance(event, Played | Passed | GaveBack) and event.seat == self.start.seat
        ]
        return self.moves[max(own, default=0) :]

    def replayed(self, name: str) -> ReplayedMatch:
        """The replay of the hand, with the user's name; it begins with the deal."""
        started = first_event(self.log)
        names = tuple(name if seat.user_id is not None else seat.name for seat in self.table.seats)
        levels = (Substituted(number, f"{AI}{self.level}") for number in range(len(names)) if number != self.start.seat)
        log = (replace(started, seats=names), *levels, *self.log[1:])
        match = ReplayedMatch.of(self.number, map(Line, log), Origin.PRACTICE)
        return replace(match, stops=tuple(stop for stop in match.stops if stop > min(match.deals.values())))

    @property
    def report(self) -> HandReport | None:
        """The report of the hand once it's over."""
        if not self.is_over:
            return None
        log = _without_taken_back(self.log)
        deal = next(number for number, event in enumerate(log) if isinstance(event, Dealt))
        return next(hand_reports(log[deal:], replay(log[:deal])), None)

    @property
    def _state(self) -> State:
        if self.table.state is None:
            raise ValueError("nothing has been dealt")
        return self.table.state


def deal(source: Source, edition: str, options: Options, size: int, seed: bytes) -> Position:
    """A new position of one of the `DEALS`. The same seed gives the same one.

    An endgame takes about 0.1 seconds, so use `Background`.
    """
    logs = _deals(MatchStarted(edition, options, ("",) * size, 0, commitment(seed), ""), seed)
    match source:
        case Source.GANG:
            return Position(source, 0, next(log for log in logs if _has_gang(_hand(log))))
        case Source.WEAK:
            return Position(source, 0, next(log for log in logs if _is_weak(_hand(log))))
        case Source.ENDGAME:
            return next(position for log in logs if (position := _endgame(log)) is not None)
    return Position(Source.NEW, 0, next(logs))


def _deals(match: MatchStarted, seed: bytes) -> Iterator[tuple[Event, ...]]:
    """Deals of the first hand of a match, each with another salt."""
    for number in count():
        dealt = shuffle.deal(
            seed, str(number), 1, seats=len(match.seats), dealer=match.dealer, direction=1, options=match.options
        )
        yield (match, dealt)


def _hand(log: Sequence[Event]) -> Cards:
    """The cards dealt to the first seat."""
    return next(event.hands[0] for event in log if isinstance(event, Dealt))


def _has_gang(hand: Cards) -> bool:
    return max(Counter(card.rank for card in hand).values()) >= SMALLEST_GANG


def _is_weak(hand: Cards) -> bool:
    return not _has_gang(hand) and percentile(strength(hand)) <= WEAK_PERCENTILE


def _endgame(log: tuple[Event, ...]) -> Position | None:
    """The first position of a hand played by AI players that suits its seat to act; None without any."""
    state = replay(log)
    while state.turn is not None:
        seen = view(state, state.turn, with_played=True)
        if _is_endgame(seen):
            return Position(Source.ENDGAME, state.turn, log)
        for event in decide(state, choose(ENDGAME_LEVEL, seen, seed_of(seen))):
            log, state = (*log, event), evolve(state, event)
    return None


def _is_endgame(seen: View) -> bool:
    """True if another player has few cards, and the seat to act some more, a choice, and no play that wins at once."""
    own = len(seen.hand)
    fewest = min(left for seat, left in enumerate(seen.public.left) if seat != seen.seat)
    plays = seen.plays()
    has_choice = len(plays) + seen.may_pass > 1
    return fewest <= FEW_CARDS < own <= MOST_CARDS and has_choice and all(play.size < own for play in plays)


def from_match(match: ReplayedMatch, moment: int, seat: int, source: Source, match_number: int = 0) -> Position:
    """A position of a match: at a moment, or at the deal of its hand if the seat has no more move there.

    It's the deal also if the log up to the moment is longer than `MAX_EXCERPT`. The hand must have been dealt.
    """
    found = match.at(moment)
    hand = found.hand
    log = _excerpt(match, hand, match.stops[found.number])
    if len(log) > MAX_EXCERPT or not _plays_on(replay(log), seat):
        log = _excerpt(match, hand, match.stops[match.first_moments()[hand]])
    return Position(source, seat, log, match_number)


def _excerpt(match: ReplayedMatch, hand: int, length: int) -> tuple[Event, ...]:
    """The start of a match, the result of the hand before, and the events of the hand up to `length` of the match."""
    first = match.deals[hand]
    before = match.state_after(first)
    ended = () if before is None or before.last_hand is None else (before.last_hand,)
    started = replace(match.started, seats=("",) * len(match.started.seats))
    moves = (event for event in match.events[first:length] if not isinstance(event, Substituted))
    return (started, *ended, *_without_taken_back(moves))


def _without_taken_back(events: Iterable[Event]) -> tuple[Event, ...]:
    """The events of a hand without the moves that were taken back, and without what was declared after them."""
    kept = list[Event]()
    for event in events:
        if isinstance(event, Undone):
            while not isinstance(kept.pop(), Played | Passed):
                pass
        else:
            kept.append(event)
    return tuple(kept)


def _plays_on(state: State, seat: int) -> bool:
    """True if the hand goes on, so nobody has played the last card, and the seat is in it."""
    return state.turn is not None and all(state.hands) and seat not in state.out
