"""Every rule of the match: `decide` turns a move into its events, or raises the error that forbids it.

state = begin(match)                                # before the first deal
state, events = advance(state, Deal(seed), seed)    # apply the move, and the table's own moves after it
"""

from typing import TypeAlias, assert_never

from bot.engine import shuffle
from bot.engine.cards import MULTI_ONE, Cards
from bot.engine.combinations import Kind
from bot.engine.errors import (
    AlreadyDeclared,
    ExchangeFirst,
    MatchIsOver,
    NoCardLeftToDeclare,
    NoSuchSeat,
    NothingToDeclare,
    NothingToGiveBack,
    NothingToTakeBack,
    NotInHand,
    NotNow,
    NotYourTurn,
    OutOfThisHand,
    WrongSeed,
)
from bot.engine.events import (
    Abandoned,
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
from bot.engine.legality import Situation, check_pass, check_play
from bot.engine.moves import Abandon, Deal, Declare, GiveBack, Move, Pass, Play, Reveal, Substitute, TakeBack
from bot.engine.scoring import giver, hand_points, is_decided, ranking
from bot.engine.state import Phase, State, evolve

Events: TypeAlias = tuple[Event, ...]

_BETWEEN_HANDS, _EXCHANGE, _PLAY, _OVER = Phase  # several times as fast as looking up a member of the enum


def begin(match: MatchStarted) -> State:
    """The state of a match before its first deal."""
    return evolve(None, match)


def decide(state: State, move: Move) -> Events:  # noqa: C901  # one case a kind of move
    """The events that follow from a move. Raises an `IllegalMove` that names the rule; changes nothing."""
    if state.phase is _OVER:
        raise MatchIsOver
    match move:
        case Play():
            return _play(state, move)
        case Pass():
            return _pass(state, move.seat)
        case Declare(seat):
            return _declare(state, seat)
        case GiveBack():
            return _give_back(state, move)
        case TakeBack(seat):
            return _take_back(state, seat)
        case Deal(seed):
            return _deal(state, seed)
        case Reveal(seed):
            return _reveal(state, seed)
        case Substitute(seat, by, for_owner):
            require_seat(state, seat)
            return (Substituted(seat, by, for_owner),)
        case Abandon(reason, seed):
            if state.phase is _BETWEEN_HANDS and match_is_decided(state):
                raise MatchIsOver
            _check_seed(state, seed)
            return (Abandoned(reason, state.totals, seed.hex()),)
        case _:
            assert_never(move)


def advance(state: State, move: Move, seed: bytes) -> tuple[State, Events]:
    """Apply `move`, and then the table's own moves: the next deal, or the reveal. Raises `IllegalMove`."""
    events: Events = ()
    next_move: Move | None = move
    while next_move is not None:
        following = decide(state, next_move)
        for event in following:
            state = evolve(state, event)
        events += following
        next_move = table_move(state, seed)
    return state, events


def table_move(state: State, seed: bytes) -> Deal | Reveal | None:
    """The table's own move that is due now, if any."""
    if state.phase is not _BETWEEN_HANDS:
        return None
    return Reveal(seed) if match_is_decided(state) else Deal(seed)


def match_is_decided(state: State) -> bool:
    """True if no hand follows the last one (R32, R33)."""
    if state.last_hand is None or not is_decided(state.totals, state.match.options):
        return False
    tied = state.totals.count(min(state.totals)) > 1
    return not (tied and state.match.options.tie == "deciding_hand" and not state.deciding)


def situation(state: State, seat: int) -> Situation:
    """The situation of `seat`, as if it were its turn.

    Raises `NoSuchSeat`, or `NotNow` if the seat has no cards: before the first deal, or after it went out.
    """
    require_seat(state, seat)
    if not state.hands or not state.hands[seat]:
        raise NotNow
    return Situation(
        state.match.options,
        state.hands[seat],
        state.cycle.to_beat,
        is_opening(state, seat),
        _blocked_by(state, seat) if state.declared else None,
    )


def owes_declaration(state: State, seat: int) -> bool:
    """True if `seat` holds one card and hasn't declared it (R29)."""
    if state.phase is not _PLAY or len(state.hands[seat]) != 1:
        return False
    return seat not in state.declared and seat not in state.out


def _blocked_by(state: State, seat: int) -> int | None:
    """The next seat, if it has declared its last card (R31)."""
    following = state.next_seat(seat)
    return following if following in state.declared else None


def is_opening(state: State, seat: int) -> bool:
    """True if a lead by `seat` must include the multicolored 1, which it holds (R21)."""
    return state.last_hand is None and not state.cycle.plays and MULTI_ONE in state.hands[seat]


def _require_turn(state: State, seat: int) -> None:
    if seat == state.turn and state.phase is _PLAY:
        return
    if state.phase is _EXCHANGE:
        raise ExchangeFirst
    if state.phase is not _PLAY or state.turn is None:
        raise NotNow
    if seat in state.out:
        raise OutOfThisHand
    raise NotYourTurn(state.turn)


def _play(state: State, move: Play) -> Events:
    seat = move.seat
    _require_turn(state, seat)
    combination = check_play(situation(state, seat), move.cards)
    left = len(state.hands[seat]) - combination.size
    if move.last_card and left != 1:
        raise NoCardLeftToDeclare if len(state.hands[seat]) == 1 else NothingToDeclare
    forgotten, settled = _settle(state)
    if forgotten and settled.has_one_player_left():
        return (*forgotten, _hand_ended(settled, seat))
    if left == 0 and combination.kind is Kind.SINGLE and seat not in settled.declared:
        return (*forgotten, Forgot(seat))
    says = left == 1 and (move.last_card or state.match.options.last_card == "automatic")
    played = Played(seat, combination.cards, says)
    if left:
        return (*forgotten, played)
    return (*forgotten, played, _hand_ended(evolve(settled, played), seat))


def _pass(state: State, seat: int) -> Events:
    _require_turn(state, seat)
    if state.declared or not state.cycle.plays:  # otherwise a pass is always legal
        check_pass(situation(state, seat))
    forgotten, settled = _settle(state)
    if forgotten and settled.has_one_player_left():
        return (*forgotten, _hand_ended(settled, seat))
    return (*forgotten, Passed(seat))


def _settle(state: State) -> tuple[Events, State]:
    """The `forgot` event if the last player didn't declare, and the state after it (R36, `forgotten=out`)."""
    plays = state.cycle.plays
    if not plays or state.match.options.forgotten != "out" or not owes_declaration(state, last := plays[-1][0]):
        return (), state
    forgot = Forgot(last)
    return (forgot,), evolve(state, forgot)


def require_seat(state: State, seat: int) -> None:
    """Raise `NoSuchSeat` unless the match has this seat."""
    if not 0 <= seat < state.size:
        raise NoSuchSeat


def _declare(state: State, seat: int) -> Events:
    require_seat(state, seat)
    if seat in state.out:
        raise OutOfThisHand
    if seat in state.declared:
        raise AlreadyDeclared
    if not owes_declaration(state, seat):
        raise NothingToDeclare
    return (Declared(seat),)


def _give_back(state: State, move: GiveBack) -> Events:
    if state.phase is not _EXCHANGE or state.exchange is None or move.seat != state.turn:
        raise NothingToGiveBack
    if move.card not in state.hands[move.seat]:
        raise NotInHand((move.card,))
    return (GaveBack(move.seat, state.exchange.gave.seat, move.card),)


def _take_back(state: State, seat: int) -> Events:
    if state.undo is None or state.undo.turn != seat:
        raise NothingToTakeBack
    return (Undone(seat),)


def _deal(state: State, seed: bytes) -> Events:
    if state.phase is not _BETWEEN_HANDS or match_is_decided(state):
        raise NotNow
    _check_seed(state, seed)
    dealt = shuffle.deal(
        seed,
        state.match.salt,
        state.hand_number + 1,
        seats=state.size,
        dealer=state.dealer,
        direction=-state.direction,  # R20
        options=state.match.options,
    )
    return (dealt, *_give(state, dealt.hands))


def _give(state: State, hands: tuple[Cards, ...]) -> Events:
    """The loser's gift, which follows the deal at once because the loser has no choice (R27)."""
    if state.last_hand is None:
        return ()
    winner = state.last_hand.winner
    loser = giver(state.last_hand.left, state.totals, winner)
    return (Gave(loser, winner, max(hands[loser])),)


def _reveal(state: State, seed: bytes) -> Events:
    if state.phase is not _BETWEEN_HANDS or not match_is_decided(state):
        raise NotNow
    _check_seed(state, seed)
    return (MatchEnded(ranking(state.totals), seed.hex()),)


def _check_seed(state: State, seed: bytes) -> None:
    if shuffle.commitment(seed) != state.match.commitment:
        raise WrongSeed


def _hand_ended(state: State, winner: int) -> HandEnded:
    left = tuple(len(hand) for hand in state.hands)
    points = hand_points(left, winner)
    totals = tuple(total + more for total, more in zip(state.totals, points, strict=True))
    return HandEnded(state.hand_number, winner, left, points, totals)
