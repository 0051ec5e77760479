"""Tables of practice: fixed deals, and moves that the rules have to agree to. Nothing of them is stored."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from bot.analysis.hand_reports import HandReport, hand_reports
from bot.engine import (
    GiveBack,
    MatchStarted,
    Options,
    Pass,
    Play,
    View,
    advance,
    commitment,
    parse_card,
    parse_cards,
)
from bot.engine.events import Dealt, Event
from bot.engine.moves import Move
from bot.table.lobby import AI_LEVEL, AI_NAMES
from bot.table.model import Pace, Seat, Status, TableRow
from bot.table.snapshot import Table

LEARNER: Final = 0
"""The seat of whoever learns; at a table of practice also their id."""
_SEED: Final = bytes(31) + b"\x34"
"""What every hand but the first is dealt from: one in which the loser has something to give."""
_SEATS: Final = (Seat("?", LEARNER), *(Seat(name, ai_level=AI_LEVEL) for name in AI_NAMES[:3]))
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
    """A match for somebody who learns, at one moment."""

    table: Table = field(repr=False)
    log: tuple[Event, ...] = field(repr=False)

    @classmethod
    def dealt(cls, hands: Iterable[str]) -> "Practice":
        """The first hand of a match, with these cards in text, the learner's first."""
        log = (_MATCH, Dealt(1, 1, tuple(map(parse_cards, hands)), ()))
        return cls(Table.replayed(_ROW, log), log)

    def move(self, text: str) -> Move:
        """What a text asks of whoever is to act: `pass`, `give 3R`, cards to play, or with `!` and "Last card!"."""
        seat = self.table.turn or 0
        match text.split():
            case ["pass"]:
                return Pass(seat)
            case ["give", card]:
                return GiveBack(seat, parse_card(card))
            case _:
                return Play(seat, parse_cards(text.rstrip("!")), last_card=text.endswith("!"))

    def after(self, move: Move) -> "Practice":
        """How it stands once somebody has moved. Raises `IllegalMove`."""
        if self.table.state is None:
            raise ValueError("nothing has been dealt")
        _, events = advance(self.table.state, move, _SEED)
        return Practice(self.table.after(events), self.log + events)

    def played(self, moves: Iterable[str]) -> "Practice":
        """How it stands after several moves, in text."""
        practice = self
        for text in moves:
            practice = practice.after(practice.move(text))
        return practice

    @property
    def view(self) -> View:
        """All that the learner may know."""
        return self.table.view_of(LEARNER)

    @property
    def report(self) -> HandReport | None:
        """How the hand before this one ended."""
        return next(hand_reports(self.log), None)
