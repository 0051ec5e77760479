"""The state of a replay. It's stored in the custom ids of the replay's buttons."""

from dataclasses import dataclass
from typing import Final, Self

from bot.analysis.replay import Origin
from bot.presentation.ui.custom_ids import InvalidCustomId, Part, Press, Verb

ALL_SEATS: Final = "a"
"""All hands face up, instead of one player's hand."""
MAX_MOMENT: Final = 999_999
"""The largest moment in an id."""


@dataclass(frozen=True, slots=True)
class ReplayState:
    """The state of a replay."""

    number: int
    """The number of the table, of the import, or of the practice hand."""
    moment: int = 0
    origin: Origin = Origin.TABLE
    viewpoint: str = ALL_SEATS
    """The seat whose hand is shown."""

    @classmethod
    def parse(cls, press: Press) -> Self:
        """Read the state from the ids of a press. Raises `InvalidCustomId`."""
        match press.arguments:
            case ("t" | "i" | "p" as origin, "a" | "0" | "1" | "2" | "3" as seen_by, *_) if press.moment <= MAX_MOMENT:
                return cls(press.table, press.moment, Origin(origin), seen_by)
        raise InvalidCustomId(str(press))

    def press(self, what: Part, moment: int | None = None) -> Press:
        """The press of a part of the message. `moment` defaults to the present one."""
        moment = self.moment if moment is None else moment
        return Press(Verb.REPLAY, self.number, moment, (self.origin, self.viewpoint, what))
