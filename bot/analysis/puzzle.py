"""Puzzles: positions in which one play is surely the best. `python -m training.puzzles` finds them.

Each line of their file has a deal, the moves before the position, and the cost of each legal move in it.
"""

import json
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache
from hashlib import sha256
from typing import Final

from bot.engine import MatchStarted, Options, Pass, Play, State, View, advance, begin, commitment, parse_cards, view
from bot.engine.cards import Cards, format_cards
from bot.engine.events import Event
from bot.engine.moves import Deal
from bot.players.levels import Level
from bot.table.days import day_before
from bot.table.lobby import with_steady_ai
from bot.table.snapshot import Table
from bot.table.solo import solo_table

EDITION: Final = "days-of-wonder"
SEATS: Final = 4
HEADER: Final = {"version": 1, "edition": EDITION, "seats": SEATS}
"""The first line of the file."""
NEARLY: Final = 0.5
"""A move that costs less, in points, is as good as the best."""
FIRST_DAY: Final = date(2026, 1, 1)
"""The day of the first puzzle. After the last one, the first comes again."""
KEPT: Final = 256
"""Positions that stay in memory."""


@dataclass(frozen=True, slots=True)
class PuzzleHand:
    """The first hand of a match at one moment."""

    state: State = field(repr=False)
    seed: bytes = field(repr=False)
    match: MatchStarted
    events: tuple[Event, ...] = field(repr=False)
    """The log after `match`."""

    @classmethod
    def of(cls, deal: int) -> "PuzzleHand":
        """The hand of a deal by its number."""
        seed = sha256(f"puzzle {deal}".encode()).digest()
        match = MatchStarted(EDITION, Options(), tuple("ABCD"), 0, commitment(seed), "puzzle")
        state, events = advance(begin(match), Deal(seed), seed)
        return cls(state, seed, match, tuple(events))

    def after(self, move: Play | Pass) -> "PuzzleHand":
        """The hand after a move. Raises `IllegalMove`."""
        state, events = advance(self.state, move, self.seed)
        return replace(self, state=state, events=self.events + tuple(events))

    def after_text(self, text: str) -> "PuzzleHand":
        """The hand after a move of the file."""
        if text == "pass":
            return self.after(Pass(self.turn))
        return self.after(Play(self.turn, parse_cards(text.rstrip("!")), last_card=text.endswith("!")))

    @property
    def turn(self) -> int:
        """The seat to act."""
        if self.state.turn is None:
            raise ValueError("no seat can act")
        return self.state.turn

    @property
    def view(self) -> View:
        """The view of the seat to act, with its history."""
        return view(self.state, self.turn, with_played=True)


def moves_of(seen: View) -> list[Play | Pass]:
    """The plays of the seat to act, ascending, then a pass if it's allowed. A last card is always declared."""
    plays = [seen.playing(play.cards) for play in seen.plays()]
    return [*plays, *([Pass(seen.seat)] if seen.may_pass else [])]


def move_text(move: Play | Pass) -> str:
    """A move as the file has it: cards, with `!` if the last card is declared, or `pass`."""
    return format_cards(move.cards) + "!" * move.last_card if isinstance(move, Play) else "pass"


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position for its seat to act, and the cost of each legal move."""

    number: int
    table: Table = field(repr=False)
    view: View = field(repr=False)
    """The view of the user, with the history."""
    costs: dict[Cards, float]
    """The mean cost of each move in points, by its cards; no cards for a pass."""

    @property
    def best(self) -> Play | Pass:
        """The best move."""
        return min(moves_of(self.view), key=self.cost_of)

    def move_of(self, cards: Cards) -> Play | Pass:
        """The legal move with these cards; a pass without any."""
        return next(move for move in moves_of(self.view) if cards_of(move) == cards)

    @property
    def runner_up(self) -> Play | Pass:
        """The best move that isn't right."""
        wrong = [move for move in moves_of(self.view) if not self.is_right(cards_of(move))]
        return min(wrong, key=self.cost_of)

    def cost_of(self, move: Play | Pass) -> float:
        """The mean cost of a legal move in points."""
        return self.costs[cards_of(move)]

    def is_right(self, cards: Cards) -> bool:
        """True if a move is as good as the best. It must be legal."""
        return self.costs[cards] < NEARLY


def cards_of(move: Play | Pass) -> Cards:
    """The cards of a move; none for a pass."""
    return move.cards if isinstance(move, Play) else ()


@dataclass(frozen=True, slots=True)
class PuzzleProgress:
    """A user's progress with the puzzles of the day."""

    day: str = ""
    """The last day whose puzzle the user has answered; empty if there is none."""
    streak: int = 0
    """The consecutive days up to that one with a right answer; 0 if the last answer was wrong."""
    best: int = 0
    """The longest streak so far."""

    def after(self, day: str, *, right: bool) -> "PuzzleProgress":
        """The progress after the answer of a day, which must be later."""
        streak = self.streak_before(day) + 1 if right else 0
        return PuzzleProgress(day, streak, max(self.best, streak))

    def streak_before(self, day: str) -> int:
        """The streak that an answer on a day continues."""
        return self.streak if self.day == day_before(day) else 0

    def streak_on(self, day: str) -> int:
        """The streak as shown on a day: with its answer, or before it."""
        return self.streak if self.day == day else self.streak_before(day)


class PuzzleBook:
    """All puzzles, numbered from 1."""

    def __init__(self, content: str) -> None:
        """Read the content of the file."""
        _header, *lines = content.splitlines()
        self._lines = tuple(lines)
        self._positions = lru_cache(KEPT)(self._position)

    @property
    def total(self) -> int:
        """The number of puzzles."""
        return len(self._lines)

    def number_of(self, day: str) -> int:
        """The number of the puzzle of a day."""
        return (date.fromisoformat(day) - FIRST_DAY).days % self.total + 1

    def number_before(self, number: int) -> int:
        """The number of the puzzle before; the last one before the first."""
        return (number - 2) % self.total + 1

    def get(self, number: int) -> Puzzle:
        """A puzzle. Takes some milliseconds unless it's in memory."""
        return self._positions(number)

    def _position(self, number: int) -> Puzzle:
        line = json.loads(self._lines[number - 1])
        hand = PuzzleHand.of(line["deal"])
        for text in line["moves"]:
            hand = hand.after_text(text)
        empty = solo_table(EDITION, Options(), SEATS, hand.turn, Level.EXPERT)
        empty = replace(empty, row=with_steady_ai(empty.row))
        match = replace(hand.match, seats=tuple(seat.name for seat in empty.seats))
        table = empty.after((match, *hand.events))
        costs = zip(map(cards_of, moves_of(hand.view)), line["costs"], strict=True)
        return Puzzle(number, table, hand.view, dict(costs))
