"""The state of a match, and `evolve`, which applies events to it.

`evolve` checks nothing: it gets events that `rules.decide` has allowed.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import reduce
from typing import Final, NamedTuple, TypeAlias, assert_never

from bot.engine.cards import MULTI_ONE, Card, Cards, without
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
    """The phases of a match."""

    BETWEEN_HANDS = "between hands"
    """The table must deal or reveal the seed."""
    EXCHANGE = "exchange"
    """The winner of the last hand must give a card back."""
    PLAY = "play"
    """The seat to move must play or pass."""
    OVER = "over"


class Cycle(NamedTuple):
    """One lead and the plays that followed it. Players may look at the open cycle only (R25)."""

    plays: tuple[tuple[int, Combination], ...] = ()
    """Seat and combination, in order."""
    passed: tuple[int, ...] = ()
    """The seats that have passed since the last play."""
    players: tuple[str, ...] = ()
    """The names of the players who made the plays; they may be substitutes."""

    @property
    def to_beat(self) -> Combination | None:
        """The play to beat; None before the lead."""
        return self.plays[-1][1] if self.plays else None

    @property
    def last_seat(self) -> int | None:
        """The seat that made the play to beat."""
        return self.plays[-1][0] if self.plays else None


NO_CYCLE: Final = Cycle()


History: TypeAlias = tuple[tuple[int, Combination | None], ...]
"""Plays and passes in order: the seat, and its combination or None for a pass."""


class UndoPoint(NamedTuple):
    """The values that taking back the latest play or pass restores."""

    turn: int
    hand: Cards
    cycle: Cycle
    declared: frozenset[int]

    def __repr__(self) -> str:
        return f"<UndoPoint, turn {self.turn}>"  # keeps the hand out of logs


class Exchange(NamedTuple):
    """The exchange before the hand, which every player sees (R27)."""

    gave: Gave
    back: GaveBack | None = None
    """None until the winner has given a card back."""
    back_by: str = ""
    """The name of the player who gave it back; may be a substitute."""


@dataclass(frozen=True)  # without slots, because copying its dict is faster than calling it with 18 arguments
class State:
    """A match at one moment. It holds every hand, so show players a `view` instead."""

    match: MatchStarted
    players: tuple[str, ...]
    """The current player of each seat: the names of the start until a substitution."""
    phase: Phase
    totals: tuple[int, ...]
    dealer: int
    """The dealer of the current hand; between hands, of the next (R22)."""
    hand_number: int = 0
    direction: int = -1
    """1 counter-clockwise, -1 clockwise."""
    hands: tuple[Cards, ...] = ()
    dummy: Cards = ()
    turn: int | None = None
    cycle: Cycle = NO_CYCLE
    declared: frozenset[int] = frozenset()
    """The seats that have declared their last card."""
    out: frozenset[int] = frozenset()
    """The seats that are out of this hand (R30)."""
    exchange: Exchange | None = None
    cut: Cards = ()
    """The cards looked at under the Chinese deal (R34)."""
    dealt_first: int | None = None
    """The seat dealt to first under the Chinese deal."""
    last_hand: HandEnded | None = None
    deciding: bool = False
    """True in the deciding hand of a tie (R33)."""
    ranking: Ranking | None = None
    undo: UndoPoint | None = None
    history: History = ()
    """The plays and passes of this hand."""

    def __post_init__(self) -> None:
        _set_dict(self, {**vars(self)})  # CPython reads a dict with its own keys twice as fast

    def __repr__(self) -> str:
        return f"<State hand {self.hand_number}, {self.phase.value}, turn {self.turn}>"  # keeps hands out of logs

    @property
    def size(self) -> int:
        """The number of seats, 3 or 4."""
        return len(self.totals)

    def next_seat(self, seat: int) -> int:
        """The next seat in the direction of play, skipping seats that are out of the hand (R38)."""
        size = len(self.totals)
        following = (seat + self.direction) % size
        while following in self.out:
            following = (following + self.direction) % size
        return following

    def has_one_player_left(self) -> bool:
        """True if all but one are out of the hand (R37)."""
        return len(self.out) == self.size - 1


def evolve(state: State | None, event: Event) -> State:  # noqa: C901  # one case a kind of event
    """The state after `event`. A match starts with state None and the event `MatchStarted`."""
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
            return _changed(state, declared=state.declared | {seat}, undo=_undo_after_declaration(state, seat))
        case Forgot(seat):
            return _forget(state, seat)
        case Undone(seat):
            return _undo(state, seat)
        case Dealt():
            return _deal(state, event)
        case Gave(seat, to, card):
            hands = _moved(state, seat, to, card)
            return _changed(state, hands=hands, exchange=Exchange(event))
        case GaveBack(seat, to, card):
            hands = _moved(state, seat, to, card)
            exchange = Exchange(state.exchange.gave, event, state.players[seat]) if state.exchange else None
            return _changed(state, hands=hands, exchange=exchange, phase=Phase.PLAY)
        case Substituted(seat, by):
            players = (*state.players[:seat], by, *state.players[seat + 1 :])
            return _changed(state, players=players, undo=None)  # only the latest event can be taken back
        case HandEnded():
            return _end_hand(state, event)
        case MatchEnded(ranking):
            return _changed(state, phase=Phase.OVER, turn=None, ranking=ranking, undo=None)
        case Abandoned():
            return _changed(state, phase=Phase.OVER, turn=None, undo=None)
        case _:
            assert_never(event)


def _changed(state: State, **changes: object) -> State:
    """The same as `dataclasses.replace`, but several times as fast."""
    changed = object.__new__(State)
    _set_dict(changed, state.__dict__ | changes)
    return changed


_set_dict: Final = vars(State)["__dict__"].__set__  # a frozen class forbids setting attributes


def replay(events: Iterable[Event]) -> State:
    """The state after a whole log. Raises ValueError if it doesn't begin with `MatchStarted`."""
    state = reduce(evolve, events, None)
    if state is None:
        raise ValueError("a match begins with MatchStarted")
    return state


def _play(state: State, event: Played) -> State:
    seat, cycle, declared = event.seat, state.cycle, state.declared
    hand = state.hands[seat]
    combination = combination_table(state.match.options.flush_order).identify(event.cards)
    if combination is None:
        raise ValueError("not a combination")
    return _changed(
        state,
        hands=_with_hand(state, seat, without(hand, event.cards)),
        cycle=Cycle((*cycle.plays, (seat, combination)), players=(*cycle.players, state.players[seat])),
        declared=declared | {seat} if event.last_card else declared,
        turn=state.next_seat(seat),
        undo=UndoPoint(seat, hand, cycle, declared),
        history=(*state.history, (seat, combination)),
    )


def _pass(state: State, seat: int) -> State:
    cycle, out = state.cycle, state.out
    before = UndoPoint(seat, state.hands[seat], cycle, state.declared)
    passed, history = (*cycle.passed, seat), (*state.history, (seat, None))
    last = cycle.last_seat
    if last is not None and len(passed) + len(out) + (last not in out) == len(state.totals):
        leader = state.next_seat(last) if last in out else last
        return _changed(state, cycle=NO_CYCLE, turn=leader, undo=before, history=history)
    cycle = Cycle(cycle.plays, passed, cycle.players)
    return _changed(state, cycle=cycle, turn=state.next_seat(seat), undo=before, history=history)


def _forget(state: State, seat: int) -> State:
    if state.match.options.forgotten == "out":
        return _changed(state, out=state.out | {seat}, undo=None)
    if state.cycle.plays:
        return _changed(_pass(state, seat), undo=None, history=state.history)
    return _changed(state, turn=state.next_seat(seat), undo=None)


def _undo_after_declaration(state: State, seat: int) -> UndoPoint | None:
    """Keep the undo point when the seat declares after its own play; another seat's declaration removes it."""
    return state.undo if state.undo and state.undo.turn == seat else None


def _undo(state: State, seat: int) -> State:
    if state.undo is None:
        raise ValueError("nothing to take back")
    turn, hand, cycle, declared = state.undo
    hands = _with_hand(state, seat, hand)
    history = state.history[:-1]
    return _changed(state, turn=turn, hands=hands, cycle=cycle, declared=declared, undo=None, history=history)


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
        cut=event.cut,
        dealt_first=event.first,
        deciding=not first and is_decided(state.totals, state.match.options),
        undo=None,
        history=(),
    )


def _opener(state: State, hands: tuple[Cards, ...]) -> int:
    """The leader of the first hand: the holder of 1M, or the seat to the dealer's right if it's in the dummy (R21)."""
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
        undo=None,
    )


def _moved(state: State, seat: int, to: int, card: Card) -> tuple[Cards, ...]:
    hands = list(state.hands)
    hands[seat] = without(hands[seat], (card,))
    hands[to] = tuple(sorted((*hands[to], card)))
    return tuple(hands)


def _with_hand(state: State, seat: int, hand: Cards) -> tuple[Cards, ...]:
    return (*state.hands[:seat], hand, *state.hands[seat + 1 :])
