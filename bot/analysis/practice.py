"""Practice matches for the tutorial: fixed deals, played by the rules. They are never stored."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from bot.analysis.hand_reports import HandReport, hand_reports
from bot.analysis.hand_strength import percentile, strength
from bot.analysis.replay import Origin, ReplayedMatch
from bot.engine import Cards, Line, MatchStarted, Options, State, View, commitment, evolve, replay, shuffle, view
from bot.engine.events import Dealt, Event, GaveBack, Passed, Played, Substituted
from bot.engine.moves import Move
from bot.players.levels import Level
from bot.table.lobby import AI_NAMES
from bot.table.model import Pace, Seat, Status, TableRow
from bot.table.snapshot import Table

LEARNER: Final = 0
"""The learner's seat, also used as their user id."""
_SEED: Final = bytes(31) + b"\x34"
"""The seed of every hand but the first, chosen so that the loser has a card to give."""
_SEATS: Final = (Seat("?", LEARNER), *(Seat(name, ai_level=Level.SIMPLE) for name in AI_NAMES[:3]))
_ROW: Final = TableRow(
    id=0,
    guild_id=0,
    channel_id=0,
    host_id=LEARNER,
    status=Status.PLAYING,
    size=len(_SEATS),
    edition="days-of-wonder",
    options=Options(),
    pace=Pace.NONE,
    seed=_SEED,
    created_at=0,
    seats=_SEATS,
)
_MATCH: Final = MatchStarted(
    _ROW.edition, _ROW.options, tuple(seat.name for seat in _SEATS), len(_SEATS) - 1, commitment(_SEED), "practice"
)


@dataclass(frozen=True, slots=True)
class Practice:
    """A practice match at one moment."""

    table: Table = field(repr=False)
    log: tuple[Event, ...] = field(repr=False)

    @classmethod
    def deal(cls, hands: Iterable[str]) -> "Practice":
        """Deal the first hand: the cards of each seat as text, the learner's first."""
        log = (_MATCH, Dealt(1, 1, tuple(map(parse_cards, hands)), ()))
        return cls(Table(_ROW).after(log), log)

    def move(self, text: str) -> Move:
        """Parse a move of the seat to move: `pass`, `give 3R`, or cards to play; `!` after them declares."""
        seat = self.table.turn or 0
        match text.split():
            case ["pass"]:
                return Pass(seat)
            case ["give", card]:
                return GiveBack(seat, parse_card(card))
            case _:
                return Play(seat, parse_cards(text.rstrip("!")), last_card=text.endswith("!"))

    def after(self, move: Move) -> "Practice":
        """The match after a move. Raises `IllegalMove`."""
        if self.table.state is None:
            raise ValueError("nothing has been dealt")
        _, events = advance(self.table.state, move, _SEED)
        return Practice(self.table.after(events), self.log + events)

    def played(self, moves: Iterable[str]) -> "Practice":
        """The match after several moves, given as text."""
        practice = self
        for text in moves:
            practice = practice.after(practice.move(text))
        return practice

    @property
    def view(self) -> View:
        """The learner's view."""
        return self.table.view_of(LEARNER)

    @property
    def report(self) -> HandReport | None:
        """The report of the hand once it's over."""
        deal = next(number for number, event in enumerate(self.log) if isinstance(event, Dealt))
        return next(hand_reports(self.log[deal:], replay(self.log[:deal])), None)

    @property
    def _state(self) -> State:
        if self.table.state is None:
            raise ValueError("nothing has been dealt")
        return self.table.state


def _started(log: Sequence[Event]) -> MatchStarted:
    match log[0]:
        case MatchStarted() as started:
            return started
    raise TypeError("a log begins with its match")


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
    return max(Counter(card.rank for card in hand).values()) >= GANG_SIZE


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

    The hand must have been dealt.
    """
    found = match.at(moment)
    hand = found.hand
    log = _excerpt(match, hand, match.stops[found.number])
    if not _plays_on(replay(log), seat):
        log = _excerpt(match, hand, match.stops[match.hands()[hand]])
    return Position(source, seat, log, match_number)


def _excerpt(match: ReplayedMatch, hand: int, length: int) -> tuple[Event, ...]:
    """The events of a hand among the first `length` of a match, after those that say how the match stood."""
    first = match.deals[hand]
    before = match.state_after(first)
    ended = () if before is None or before.last_hand is None else (before.last_hand,)
    started = replace(match.started, seats=("",) * len(match.started.seats))
    moves = (event for event in match.events[first:length] if not isinstance(event, Substituted))
    return (started, *ended, *moves)


def _plays_on(state: State, seat: int) -> bool:
    """True if the hand goes on and the seat isn't out of it."""
    return state.turn is not None and seat not in state.out
