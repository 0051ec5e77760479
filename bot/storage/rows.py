"""What a table is in the database, as values."""

from dataclasses import dataclass, field
from enum import StrEnum

from bot.engine import Options


class Status(StrEnum):
    """The life of a table."""

    LOBBY = "lobby"
    PLAYING = "playing"
    OVER = "over"
    """Played to its end."""
    CLOSED = "closed"
    """Given up, in the lobby or in play."""

    @property
    def is_open(self) -> bool:
        """Whether something can still happen at the table."""
        return self in (Status.LOBBY, Status.PLAYING)


class Pace(StrEnum):
    """How long a turn may take."""

    LIVE = "live"
    QUICK = "quick"
    DAY = "day"
    SLOW = "slow"
    NONE = "none"

    @property
    def seconds(self) -> int | None:
        """Seconds a turn; None: as long as it takes."""
        return {Pace.LIVE: 120, Pace.QUICK: 3600, Pace.DAY: 86_400, Pace.SLOW: 3 * 86_400}.get(self)


@dataclass(frozen=True, slots=True)
class Seat:
    """A person, a robot, or a robot in the seat of a person who conceded."""

    name: str
    user_id: int | None = None
    robot: str | None = None
    """The level of the robot that plays here."""
    join_id: str = "ai"
    """What this seat adds to the salt of the deal."""

    @property
    def person(self) -> int | None:
        """Who plays here, if it is a person."""
        return self.user_id if self.robot is None else None


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table as it is stored; the events of its match are stored beside it."""

    id: int
    guild_id: int
    channel_id: int
    host_id: int
    status: Status
    size: int
    edition: str
    options: Options
    pace: Pace
    seed: bytes = field(repr=False)
    created_at: int
    """UTC seconds."""
    seats: tuple[Seat, ...] = ()
    revision: int = 0
    due_at: int | None = None
    """When time is up for whoever is to act, UTC milliseconds."""


@dataclass(frozen=True, slots=True)
class Shown:
    """How much of a table has reached its channel, and in which messages."""

    message_id: int | None = None
    """The table itself."""
    notice_id: int | None = None
    """The mention of whose turn it is; None with a `notice`: it was sent, and nothing was heard of it yet."""
    notice: str | None = None
    """Its nonce, which says of which turn it is."""
    revision: int = -1
    """The newest revision that was drawn."""
    told_hand: int = 0
    """The last hand whose end was told."""
