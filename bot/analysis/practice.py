"""Practice matches for the tutorial: fixed deals, played by the rules. They are never stored."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from bot.analysis.hand_reports import HandReport, hand_reports
from bot.engine import GiveBack, MatchStarted, Options, Pass, Play, View, advance, commitment, parse_card, parse_cards
from bot.engine.events import Dealt, Event
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
        """The report of the first hand, once it has ended."""
        return next(hand_reports(self.log), None)
