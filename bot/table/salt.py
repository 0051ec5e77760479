"""The salt of the deals: public text that the app can't know when it draws the seed (docs/record.md)."""

from dataclasses import dataclass
from typing import Final, Self

from bot.table.model import Seat, TableRow
from bot.table.refusals import NotPostedYet

CUTS: Final = range(1, 64)
"""The number of cards that a player can lift off a deck of 64."""
_NO_CUT: Final = "0"
_AI: Final = "ai"
_MAX_ID_DIGITS: Final = 20
"""The digits of the largest 64-bit number; Discord's ids have 64 bits."""


@dataclass(frozen=True, slots=True)
class Salt:
    """The id of the first message that shows the table, and the cut of each seat."""

    message_id: int
    cuts: tuple[int | None, ...]
    """By seat; 0 for a player who didn't cut, None for an AI player."""

    @classmethod
    def of(cls, row: TableRow) -> Self:
        """The salt of a table. Raises `NotPostedYet` before the table's message is posted."""
        if row.first_message_id is None:
            raise NotPostedYet
        return cls(row.first_message_id, tuple(_cut(seat) for seat in row.seats))

    @classmethod
    def parse(cls, text: str, seats: int) -> Self | None:
        """Parse the salt of a record with this many seats. Returns None for hands of the day."""
        message_id, *cuts = text.split("-")
        known = {_NO_CUT, _AI, *map(str, CUTS)}
        is_id = message_id.isascii() and message_id.isdecimal() and len(message_id) <= _MAX_ID_DIGITS
        if len(cuts) != seats or not known.issuperset(cuts) or not is_id:
            return None
        return cls(int(message_id), tuple(None if cut == _AI else int(cut) for cut in cuts))

    def __str__(self) -> str:
        return "-".join([str(self.message_id), *(_AI if cut is None else str(cut) for cut in self.cuts)])


def _cut(seat: Seat) -> int | None:
    return None if seat.user_id is None else seat.cut or 0
