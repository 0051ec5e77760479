"""Positions to test from: hands as text, moves as text.

    state = hand_in_play("5G 5Y 9R", "6G 6Y 8R", "7G 7Y 2R")
    state = after(state, "5G 5Y", "pass", "7G 7Y!", Declare(0))

A text is the move of the seat whose turn it is: cards to play (with `!`: and "Last card!" with them), or `pass`.
"""

import pytest

from bot.engine import (
    Combination,
    IllegalMove,
    MatchStarted,
    Options,
    Pass,
    Play,
    State,
    combination_table,
    commitment,
    decide,
    evolve,
    format_cards,
    parse_cards,
    replay,
)
from bot.engine.events import Dealt, Event, Gave, GaveBack, HandEnded
from bot.engine.moves import Move

SEED = bytes(range(32))
NAMES = ("Ada", "Bo", "Cy", "Di")
DEFAULTS = Options()


def combination(text: str, options: Options = DEFAULTS) -> Combination:
    """The combination that the cards of `text` make."""
    found = combination_table(options.flush_order).identify(parse_cards(text))
    assert found is not None, f"{text} isn't a combination"
    return found


def start(seats: int = 4, dealer: int = 0, options: Options = DEFAULTS) -> MatchStarted:
    """A match that is committed to `SEED`."""
    return MatchStarted("days-of-wonder", options, NAMES[:seats], dealer, commitment(SEED), "10-20-30")


def hand_in_play(*hands: str, lead: int = 0, dummy: str = "", options: Options = DEFAULTS) -> State:
    """The first hand, counter-clockwise. Hands may have any size; the holder of 1M must lead."""
    dealer = (lead - 1) % len(hands)
    dealt = Dealt(1, 1, tuple(map(parse_cards, hands)), parse_cards(dummy))
    state = replay((start(len(hands), dealer, options), dealt))
    assert state.turn == lead
    return state


def between_hands(left: tuple[int, ...], totals: tuple[int, ...], options: Options = DEFAULTS, hand: int = 1) -> State:
    """After hand number `hand`, won by the seat with no card left. The table must move next."""
    dealt = Dealt(hand, 1 if hand % 2 else -1, ((),) * len(left), ())
    ended = HandEnded(hand, left.index(0), left, (0,) * len(left), totals)
    return replay((start(len(left), options=options), dealt, ended))


def second_hand(*hands: str, lead: int = 0, options: Options = DEFAULTS) -> State:
    """The second hand, clockwise, after an exchange that changed nothing."""
    seats, loser = len(hands), (lead + 1) % len(hands)
    held = tuple(map(parse_cards, hands))
    highest = held[loser][-1]
    left = tuple(0 if seat == lead else 3 for seat in range(seats))
    state = between_hands(left, (0,) * seats, options)
    for event in (Dealt(2, -1, held, ()), Gave(loser, lead, highest), GaveBack(lead, loser, highest)):
        state = evolve(state, event)
    return state


def move(state: State, text: str) -> Move:
    """The move that `text` stands for."""
    assert state.turn is not None
    if text == "pass":
        return Pass(state.turn)
    return Play(state.turn, parse_cards(text.rstrip("!")), last_card=text.endswith("!"))


def events(state: State, asked: str | Move) -> tuple[Event, ...]:
    """The events that follow from a move."""
    return decide(state, move(state, asked) if isinstance(asked, str) else asked)


def after(state: State, *moves: str | Move) -> State:
    """The state that legal moves lead to."""
    for asked in moves:
        for event in events(state, asked):
            state = evolve(state, event)
    return state


def refusal(state: State, asked: str | Move) -> IllegalMove:
    """The error that forbids a move."""
    with pytest.raises(IllegalMove) as caught:
        events(state, asked)
    return caught.value


def texts(plays: tuple[Combination, ...]) -> list[str]:
    """Combinations as texts, in their order."""
    return [format_cards(play.cards) for play in plays]


def hand(state: State, seat: int) -> str:
    """The cards of a seat as text."""
    return format_cards(state.hands[seat])
