"""Prepared matches for the tutorial: fixed deals, played by the rules."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from bot.analysis.hand_reports import HandReport, hand_reports
from bot.engine import GiveBack, MatchStarted, Options, Pass, Play, View, advance, commitment, parse_card, parse_cards
from bot.engine.events import Dealt, Event
from bot.engine.moves import Move
from bot.players.levels import Level
from bot.table.snapshot import Table
from bot.table.solo import USER, solo_table

LEARNER: Final = 0
"""The learner's seat."""
_SEED: Final = bytes(31) + b"\x34"
"""The seed of every hand but the first, chosen so that the loser has a card to give."""
_TABLE: Final = solo_table("days-of-wonder", Options(), 4, LEARNER, Level.SIMPLE)
_MATCH: Final = MatchStarted(
    _TABLE.row.edition,
    _TABLE.row.options,
    tuple(seat.name for seat in _TABLE.seats),
    len(_TABLE.seats) - 1,
    commitment(_SEED),
    "practice",
)


@dataclass(frozen=True, slots=True)
class PreparedMatch:
    """A prepared match at one moment."""

    table: Table = field(repr=False)
    log: tuple[Event, ...] = field(repr=False)

    @classmethod
    def deal(cls, hands: Iterable[str]) -> "PreparedMatch":
        """Deal the first hand: the cards of each seat as text, the learner's first."""
        log = (_MATCH, Dealt(1, 1, tuple(map(parse_cards, hands)), ()))
        return cls(_TABLE.after(log), log)

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

    def after(self, move: Move) -> "PreparedMatch":
        """The match after a move. Raises `IllegalMove`."""
        if self.table.state is None:
            raise ValueError("nothing has been dealt")
        _, events = advance(self.table.state, move, _SEED)
        return PreparedMatch(self.table.after(events), self.log + events)

    def played(self, moves: Iterable[str]) -> "PreparedMatch":
        """The match after several moves, given as text."""
        match = self
        for text in moves:
            match = match.after(match.move(text))
        return match

    @property
    def view(self) -> View:
        """The learner's view."""
        return self.table.view_of(USER)

    @property
    def report(self) -> HandReport | None:
        """The report of the first hand, once it has ended."""
        return next(hand_reports(self.log), None)
