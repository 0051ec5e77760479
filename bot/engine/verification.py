"""Verifies a record: replays it by the rules, and deals its hands again from the revealed seed."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.engine.errors import IllegalMove
from bot.engine.events import (
    Abandoned,
    Dealt,
    Declared,
    Event,
    Forgot,
    GaveBack,
    MatchEnded,
    MatchStarted,
    Passed,
    Played,
    Substituted,
    Undone,
)
from bot.engine.excerpt import shortened
from bot.engine.legality import may_pass, plays
from bot.engine.moves import Abandon, Deal, Declare, GiveBack, Move, Pass, Play, Substitute, TakeBack
from bot.engine.record import Line, UnfinishedRecord, WrongLine, WrongSeed, to_fields
from bot.engine.rules import begin, decide, owes_declaration, situation, table_move
from bot.engine.shuffle import commitment
from bot.engine.state import Phase, State, evolve

_ENDS: Final = MatchEnded | Abandoned


def verify(lines: Sequence[Line]) -> State:
    """Check a whole record, and return its final state. Raises `BadRecord` for the first wrong line."""
    events = [line.event for line in lines]
    end = next((number for number, event in enumerate(events, 1) if isinstance(event, _ENDS)), None)
    state = _verify(events[:end])
    if end is not None and end < len(events):
        raise WrongLine(end + 1, "a line follows the end of the match")
    return state


def _verify(events: Sequence[Event]) -> State:
    """The final state of a match. Only the last event may end it."""
    match, seed = _opening(events), _revealed_seed(events)
    _check_commitment(match, seed, events)
    state = begin(match)
    number = 1
    while number < len(events):
        for event in _expected(state, events, number, seed):
            _compare(state, event, events, number)
            state = evolve(state, event)
            number += 1
    return state


def _opening(events: Sequence[Event]) -> MatchStarted:
    if not events:
        raise UnfinishedRecord(1, "the record is empty")
    if not isinstance(events[0], MatchStarted):
        raise WrongLine(1, "a record begins with a match line")
    return events[0]


def _revealed_seed(events: Sequence[Event]) -> bytes:
    last = events[-1]
    if not isinstance(last, _ENDS):
        raise UnfinishedRecord(len(events), "the record stops before the match is over")
    try:
        return bytes.fromhex(last.seed)
    except ValueError:
        raise WrongSeed(len(events), "the seed is not hex") from None


def _check_commitment(match: MatchStarted, seed: bytes, events: Sequence[Event]) -> None:
    """Raise `WrongSeed` if seed and commitment disagree. The deals show which of the two is wrong."""
    if commitment(seed) == match.commitment:
        return
    honest = begin(replace(match, commitment=commitment(seed)))
    first, *_ = decide(honest, Deal(seed))
    if any(_agree(honest, event, first) for event in events):
        raise WrongSeed(1, "the deals come from the seed, but the commitment isn't its SHA-256")
    raise WrongSeed(len(events), "the seed doesn't match the commitment in the first line")


def _expected(state: State, events: Sequence[Event], number: int, seed: bytes) -> tuple[Event, ...]:
    """The events that the rules derive from the line at index `number`: the line's own, and those that must follow."""
    try:
        return decide(state, _move(state, events, number, seed))
    except IllegalMove as refusal:
        at_fault = number + 1 if _forgot_is_right(state, events[number]) else number
        raise WrongLine(at_fault + 1, f"{_line_text(events[at_fault])}: {refusal}") from refusal


def _forgot_is_right(state: State, event: Event) -> bool:
    """True if a `forgot` line is correct, so the next player's move is wrong."""
    if not isinstance(event, Forgot) or state.match.options.forgotten != "out":
        return False
    return event.seat == state.cycle.last_seat and owes_declaration(state, event.seat)


def _move(state: State, events: Sequence[Event], number: int, seed: bytes) -> Move:
    event = events[number]
    if not 0 <= getattr(event, "seat", 0) < state.size:
        raise WrongLine(number + 1, f"{_line_text(event)}: there is no such seat")
    match event:
        case Substituted(seat, by, for_owner):
            return Substitute(seat, by, for_owner)
        case Abandoned(reason):
            return Abandon(reason, seed)
    dealing = table_move(state, seed)
    if dealing is not None:
        return dealing
    return _seat_move(state, events, number)


def _seat_move(state: State, events: Sequence[Event], number: int) -> Move:
    """The move that produced a line."""
    event = events[number]
    match event:
        case Played(seat, cards, last_card):
            return Play(seat, cards, last_card and state.match.options.last_card != "automatic")
        case Passed(seat):
            return Pass(seat)
        case Declared(seat):
            return Declare(seat)
        case GaveBack(seat, _, card):
            return GiveBack(seat, card)
        case Undone(seat):
            return TakeBack(seat)
        case Forgot(seat):
            return _move_that_settles(state, seat, events, number)
        case _:
            raise WrongLine(number + 1, f"{_line_text(event)}: this can't happen here")


def _move_that_settles(state: State, seat: int, events: Sequence[Event], number: int) -> Move:
    """The move that caused a `forgot` line: the undeclared last card, or the next player's move."""
    if state.match.options.forgotten == "takes_back" and 0 <= seat < state.size:
        return Play(seat, state.hands[seat])
    following = events[number + 1] if number + 1 < len(events) else None
    if isinstance(following, Played | Passed):
        return _seat_move(state, events, number + 1)
    return _any_move(state, number)


def _any_move(state: State, number: int) -> Move:
    """A legal move of the next player. If forgetting ends the hand (R37), every move has the same outcome."""
    if state.phase is not Phase.PLAY or state.turn is None:
        raise WrongLine(number + 1, "no last card can be forgotten here")
    before = situation(state, state.turn)
    return Pass(state.turn) if may_pass(before) else Play(state.turn, plays(before)[0].cards)


def _compare(state: State, expected: Event, events: Sequence[Event], number: int) -> None:
    if number >= len(events):
        raise UnfinishedRecord(number, f"{_line_text(expected)} is missing after this line")
    actual = events[number]
    if not _agree(state, actual, expected):
        raise WrongLine(number + 1, f"{_line_text(actual)}: the rules and the seed require {_line_text(expected)}")


def _agree(state: State, actual: Event, expected: Event) -> bool:
    """True if an event equals the expected one, apart from differences that don't matter."""
    if isinstance(actual, Dealt) and isinstance(expected, Dealt):
        return is_same_deal(actual, expected)
    if isinstance(expected, Played) and state.match.options.last_card == "automatic":
        return actual in (expected, replace(expected, last_card=False))  # the record may omit it
    return actual == expected


def is_same_deal(actual: Dealt, expected: Dealt) -> bool:
    """True if two deals are equal, regardless of the order of cards in a hand."""
    return _in_order(actual) == _in_order(expected)


def _in_order(dealt: Dealt) -> Dealt:
    hands = tuple(tuple(sorted(hand)) for hand in dealt.hands)
    return replace(dealt, hands=hands, dummy=tuple(sorted(dealt.dummy)))


def _line_text(event: Event) -> str:
    return shortened(json.dumps(to_fields(Line(event)), ensure_ascii=False))
