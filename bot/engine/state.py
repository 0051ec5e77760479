"""Where a match stands, and how events change it.

`evolve` folds events that have happened and refuses nothing: what may happen, `rules.decide` says.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import reduce
from typing import Final, NamedTuple, assert_never

from bot.engine.cards import MULTI_ONE, Cards, plus, without
from bot.engine.combinations import Combination, combination_table
from bot.engine.events import (
    Abandoned,
    Dealt,
    Declared,
    Event,
    Forgot,
    Gave,
    GaveBack,
    HandEnded,
    MatchEnded,
    MatchStarted,
    Passed,
    Played,
    Substituted,
    Undone,
)
from bot.engine.scoring import Ranking, is_decided


class Phase(Enum):
    """What a match is waiting for."""

    BETWEEN_HANDS = "between hands"
    """The table: a deal, or the reveal."""
    EXCHANGE = "exchange"
    """The winner of the last hand, to give a card back."""
    PLAY = "play"
    """The seat whose turn it is."""
    OVER = "over"


class Cycle(NamedTuple):
    """One lead and what was played on it. Only this may be looked at (R25)."""

    plays: tuple[tuple[int, Combination], ...] = ()
    """Seat and combination, in order."""
    passed: tuple[int, ...] = ()
    """Who has passed since the last play."""
    players: tuple[str, ...] = ()
    """Who laid each of the plays, as the state names players: it need not be the owner of the seat."""

    @property
    def to_beat(self) -> Combination | None:
        """What is to be beaten; None before the lead."""
        return self.plays[-1][1] if self.plays else None

    @property
    def last_seat(self) -> int | None:
        """Who laid it."""
        return self.plays[-1][0] if self.plays else None


NO_CYCLE: Final = Cycle()


class Before(NamedTuple):
    """What a play or pass can be taken back to."""

    turn: int
    hand: Cards
    cycle: Cycle
    declared: frozenset[int]

    def __repr__(self) -> str:
        return f"<Before, turn {self.turn}>"  # no hand in a log


class Exchange(NamedTuple):
    """What was given before the hand, for all to see (R27)."""

    gave: Gave
    back: GaveBack | None = None
    """None until the winner has chosen."""
    back_by: str = ""
    """Who chose it, as the state names players: it need not be the owner of the seat."""


@dataclass(frozen=True)  # without slots, so that an event costs one copy of a dict and not a call of 18 arguments
class State:
    """A match at one moment. It holds every hand: nobody outside the core may see it (use `view`)."""

    match: MatchStarted
    players: tuple[str, ...]
    """Who plays each seat now: the names of the start until a substitution."""
    phase: Phase
    totals: tuple[int, ...]
    dealer: int
    """Of the current hand; between hands, of the next (R22)."""
    hand_number: int = 0
    direction: int = -1
    """1 counter-clockwise, -1 clockwise."""
    hands: tuple[Cards, ...] = ()
    dummy: Cards = ()
    turn: int | None = None
    cycle: Cycle = NO_CYCLE
    declared: frozenset[int] = frozenset()
    """Who has declared the last card."""
    out: frozenset[int] = frozenset()
    """Who plays no more in this hand (R30)."""
    exchange: Exchange | None = None
    last_hand: HandEnded | None = None
    deciding: bool = False
    """Whether this is the deciding hand of a tie (R33)."""
    ranking: Ranking | None = None
    before: Before | None = None

    def __post_init__(self) -> None:
        _set_dict(self, {**vars(self)})  # a dict with keys of its own: CPython reads it twice as fast

    def __repr__(self) -> str:
        return f"<State hand {self.hand_number}, {self.phase.value}, turn {self.turn}>"  # no hand in a log

    @property
    def size(self) -> int:
        """How many seats: 3 or 4."""
        return len(self.totals)

    def next_seat(self, seat: int) -> int:
        """The next seat in the direction of play that is not out of the hand (R38)."""
        size = len(self.totals)
        following = (seat + self.direction) % size
        while following in self.out:
            following = (following + self.direction) % size
        return following

    def is_deserted(self) -> bool:
        """Whether all but one are out of the hand (R37)."""
        return len(self.out) == self.size - 1


def evolve(state: State | None, event: Event) -> State:  # noqa: C901  # one case a kind of event
    """The state after `event`. The first event of a match is `MatchStarted`, folded onto None."""
    if isinstance(event, MatchStarted):
        seats = event.seats
        return State(event, seats, Phase.BETWEEN_HANDS, (0,) * len(seats), event.dealer)
    if state is None:
        raise ValueError("a match begins with MatchStarted")
    match event:
        case Played():
            return _play(state, event)
        case Passed():
            return _pass(state, event.seat)
        case Declared(seat):
            return _changed(state, declared=state.declared | {seat}, before=_own(state, seat))
        case Forgot(seat):
            return _forget(state, seat)
        case Undone(seat):
            return _undo(state, seat)
        case Dealt():
            return _deal(state, event)
        case Gave(seat, to, card):
            hands = _moved(state, seat, to, (card,))
            return _changed(state, hands=hands, exchange=Exchange(event))
        case GaveBack(seat, to, card):
            hands = _moved(state, seat, to, (card,))
            exchange = Exchange(state.exchange.gave, event, state.players[seat]) if state.exchange else None
            return _changed(state, hands=hands, exchange=exchange, phase=Phase.PLAY)
        case Substituted(seat, by):
            players = (*state.players[:seat], by, *state.players[seat + 1 :])
            return _changed(state, players=players, before=None)  # only the line just before can be taken back
        case HandEnded():
            return _end_hand(state, event)
        case MatchEnded(ranking):
            return _changed(state, phase=Phase.OVER, turn=None, ranking=ranking, before=None)
        case Abandoned():
            return _changed(state, phase=Phase.OVER, turn=None, before=None)
        case _:
            assert_never(event)


def _changed(state: State, **changes: object) -> State:
    """What `dataclasses.replace` gives, several times as fast."""
    changed = object.__new__(State)
    _set_dict(changed, state.__dict__ | changes)
    return changed


_set_dict: Final = vars(State)["__dict__"].__set__  # frozen, it has no setter of its own


def replay(events: Iterable[Event]) -> State:
    """The state that a whole log leads to; it begins with `MatchStarted`."""
    state = reduce(evolve, events, None)
    if state is None:
        raise ValueError("a match begins with MatchStarted")
    return state


def _play(state: State, event: Played) -> State:
    seat, cycle, declared = event.seat, state.cycle, state.declared
    hand = state.hands[seat]
    combination = combination_table(state.match.options.flush_order).identify(event.cards)
    if combination is None:
        raise ValueError("no combination")
    return _changed(
        state,
        hands=_with_hand(state, seat, without(hand, event.cards)),
        cycle=Cycle((*cycle.plays, (seat, combination)), players=(*cycle.players, state.players[seat])),
        declared=declared | {seat} if event.last_card else declared,
        turn=state.next_seat(seat),
        before=Before(seat, hand, cycle, declared),
    )


def _pass(state: State, seat: int) -> State:
    cycle, out = state.cycle, state.out
    before = Before(seat, state.hands[seat], cycle, state.declared)
    passed = (*cycle.passed, seat)
    last = cycle.last_seat
    if last is not None and len(passed) + len(out) + (last not in out) == len(state.totals):
        leader = state.next_seat(last) if last in out else last
        return _changed(state, cycle=NO_CYCLE, turn=leader, before=before)
    return _changed(state, cycle=Cycle(cycle.plays, passed, cycle.players), turn=state.next_seat(seat), before=before)


def _forget(state: State, seat: int) -> State:
    if state.match.options.forgotten == "out":
        return _changed(state, out=state.out | {seat}, before=None)
    if state.cycle.plays:
        return _changed(_pass(state, seat), before=None)
    return _changed(state, turn=state.next_seat(seat), before=None)


def _own(state: State, seat: int) -> Before | None:
    """A declaration that came after the own play is taken back with it; anybody else's ends the chance."""
    return state.before if state.before and state.before.turn == seat else None


def _undo(state: State, seat: int) -> State:
    if state.before is None:
        raise ValueError("nothing to take back")
    turn, hand, cycle, declared = state.before
    hands = _with_hand(state, seat, hand)
    return _changed(state, turn=turn, hands=hands, cycle=cycle, declared=declared, before=None)


def _deal(state: State, event: Dealt) -> State:
    first = state.last_hand is None
    return _changed(
        state,
        phase=Phase.PLAY if first else Phase.EXCHANGE,
        hand_number=event.hand,
        direction=event.direction,
        hands=tuple(tuple(sorted(hand)) for hand in event.hands),
        dummy=tuple(sorted(event.dummy)),
        turn=_opener(state, event.hands) if state.last_hand is None else state.last_hand.winner,
        cycle=NO_CYCLE,
        declared=frozenset(),
        out=frozenset(),
        exchange=None,
        deciding=not first and is_decided(state.totals, state.match.options),
        before=None,
    )


def _opener(state: State, hands: tuple[Cards, ...]) -> int:
    """Who leads the first hand: the holder of 1M, or with it in the dummy the dealer's right (R21)."""
    holders = (seat for seat, hand in enumerate(hands) if MULTI_ONE in hand)
    return next(holders, (state.dealer + 1) % state.size)


def _end_hand(state: State, event: HandEnded) -> State:
    return _changed(
        state,
        phase=Phase.BETWEEN_HANDS,
        totals=event.totals,
        dealer=event.winner,
        turn=None,
        last_hand=event,
        before=None,
    )


def _moved(state: State, seat: int, to: int, cards: Cards) -> tuple[Cards, ...]:
    hands = list(state.hands)
    hands[seat] = without(hands[seat], cards)
    for card in cards:
        hands[to] = plus(hands[to], card)
    return tuple(hands)


def _with_hand(state: State, seat: int, hand: Cards) -> tuple[Cards, ...]:
    return (*state.hands[:seat], hand, *state.hands[seat + 1 :])
