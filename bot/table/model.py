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


class TimeoutPolicy(StrEnum):
    """What happens when somebody's time is up."""

    ASK_WAIT = "ask-wait"
    """The table is asked, and waits if nobody answers."""
    ASK_MOVE = "ask-move"
    """The table is asked; if nobody answers, the gentlest legal move is made."""
    ASK_AI = "ask-ai"
    """The table is asked; if nobody answers, an AI sits in."""
    MOVE = "move"
    """The gentlest legal move is made at once."""
    AI = "ai"
    """An AI sits in at once."""

    @property
    def asks(self) -> bool:
        """Whether the table is asked first."""
        return self in (TimeoutPolicy.ASK_WAIT, TimeoutPolicy.ASK_MOVE, TimeoutPolicy.ASK_AI)


@dataclass(frozen=True, slots=True)
class TableSettings:
    """What a table has chosen beside the rules of the game."""

    on_timeout: TimeoutPolicy = TimeoutPolicy.ASK_MOVE
    undo: bool = False
    """Whether the last play or pass can be taken back until the next player acts."""
    private: bool = False
    """Whether only who is invited may join."""
    thread: bool = False
    """Whether the match is played in a thread of its own."""
    rated: bool = True
    """The match changes ratings, if it can be rated at all (`services.rating.why_casual`)."""


class ClockStage(StrEnum):
    """How far the clock of a turn has come."""

    RUNNING = "running"
    REMINDED = "reminded"
    """The end is near, and the player has been told."""
    ASKED = "asked"
    """Time is up, and the table is asked what to do."""
    CALLED = "called"
    """Time is up, and a substitute is called for."""
    WAITING = "waiting"
    """Time is up, and the table waits."""


@dataclass(frozen=True, slots=True)
class TurnClock:
    """The clock of the present turn, in UTC milliseconds."""

    began: int
    due: int | None = None
    """When time is up, the time bank included; None: never."""
    stage: ClockStage = ClockStage.RUNNING
    remind: int | None = None
    """When the player is reminded; None: as long before the end as the pace says."""
    since: int | None = None
    """When its stage began; None: with the turn."""
    answers: int = 0
    """How often the table has decided between waiting and calling a substitute since it was last asked."""
    paused: int = 0
    """Milliseconds for which the match was paused in this turn; `began` and the rest are later by as much."""

    @property
    def is_up(self) -> bool:
        """Whether the turn has taken its time."""
        return self.stage not in (ClockStage.RUNNING, ClockStage.REMINDED)


@dataclass(frozen=True, slots=True)
class LastTurn:
    """What a person's turn comes back to when the move that ended it is taken back."""

    clock: TurnClock
    """Its moments are counted from that move, so most of them are negative."""
    bank: int
    """What the time bank of the seat held then, in milliseconds."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat, who owns it and who plays it: the owner, a robot, or a person who sits in for the owner."""

    name: str
    user_id: int | None = None
    """The owner; None for a seat that was a robot's from the start."""
    ai_level: str | None = None
    """The level of the robot that plays here."""
    cut: int | None = None
    """Where the player has cut the deck, 1-63 (see `services.salt`)."""
    substitute_id: int | None = None
    substitute_name: str | None = None
    """Who sits in."""
    conceded: bool = False
    """Whether the owner has given the seat up for the rest of the match."""
    bank: int = 0
    """Milliseconds that turns may take beyond the pace of the table."""
    orders: str = ""
    """A standing order (see `services.orders`)."""
    ordered_at: int | None = None
    """When it was given, UTC milliseconds."""
    missed: bool = False
    """Whether the table made the last move of this seat, as nobody came."""

    @property
    def is_ai(self) -> bool:
        """The seat belongs to an AI player from the start. A former player's seat has an empty name."""
        return self.user_id is None and bool(self.name)

    @property
    def person(self) -> int | None:
        """Who plays here, if it is a person."""
        if self.ai_level is not None:
            return None
        return self.user_id if self.substitute_id is None else self.substitute_id

    @property
    def is_absent(self) -> bool:
        """Whether somebody or something sits in for an owner who may come back."""
        return self.user_id is not None and self.person != self.user_id and not self.conceded


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
    settings: TableSettings = TableSettings()
    invited: tuple[int, ...] = ()
    """Who may join a private table."""
    awaited: tuple[int, ...] = ()
    """Who has been asked to the table and has not come yet."""
    invitations: int = 0
    """How often people have been asked."""
    removed: tuple[int, ...] = ()
    """Whom the host has sent away: they do not join again unless they are invited."""
    pausing: tuple[int, ...] = ()
    """Who has agreed to a pause."""
    ending: tuple[int, ...] = ()
    """Who has agreed to end the match."""
    clock: TurnClock | None = None
    """None while nobody is to act."""
    turn: int | None = None
    """The seat that is to act, as the log says; stored, so that lists need no log. None before the first deal, and in
    a match that nobody has acted in since this is stored."""
    last_turn: LastTurn | None = None
    """None where the last move was no person's."""
    paused_at: int | None = None
    """UTC milliseconds; None while the match goes on."""
    nudged_at: int | None = None
    """When somebody last asked whoever is to act to do so, UTC milliseconds."""
    thread_id: int | None = None
    """The thread of its own, once there is one."""
    ended: str | None = None
    """Why the table was closed, as the record of an abandoned match says it."""
    closed_by_id: int | None = None
    """The user who closed it: its host, or a manager of the server."""
    rematch_of: int | None = None
    """The table whose people play again here."""
    first_message_id: int | None = None
    """The message that first showed the commitment; None until it is posted. Later messages don't replace it."""
    starts_itself: bool = False
    """Whether the match begins as soon as they have all sat down."""
    daily: str | None = None
    """The day (`2026-12-24`) of which this is the hand, which its host plays alone; nobody else hears of it."""
    duplicate_of: int | None = None
    """The other table of a duplicate match, which plays the same deals."""
    deals_secret: bool = False
    """Whether nothing of the deals may be told, as they are still played at one of the two."""

    @property
    def place_id(self) -> int:
        """Where the table is shown: its thread or its channel."""
        return self.channel_id if self.thread_id is None else self.thread_id

    @property
    def follows(self) -> int | None:
        """The table that begins first, where this one was laid for its deals."""
        return self.duplicate_of if self.duplicate_of is not None and self.duplicate_of < self.id else None


@dataclass(frozen=True, slots=True)
class ChannelDisplay:
    """How much of a table has reached its channel, and in which messages."""

    message_id: int | None = None
    """The table itself."""
    notice_id: int | None = None
    """The mention of whose turn it is; None with a `notice`: it was sent, and nothing was heard of it yet."""
    notice: str | None = None
    """Its nonce, which says of which turn it is."""
    revision: int = -1
    """The newest revision that was drawn."""
    announced_hand: int = 0
    """The last hand whose end was told."""
    announced_gangs: int = 0
    """How many gangs of the match have been celebrated."""
    notice_channel_id: int | None = None
    """Where the notice stands: where the table was then, or in somebody's direct messages."""
    announced_titles: bool = False
    """Whether the titles that the match has won have been told of."""
    announced_duplicate: bool = False
    """Whether the comparison of a duplicate match has been told, or is told by the other table."""
    version: int = field(default=0, compare=False)
    """How often what is stored of it has changed."""


class DeadlineKind(StrEnum):
    """What is due."""

    AI = "ai"
    """A robot makes its move."""
    REMIND = "remind"
    """A person is reminded that time is nearly up."""
    TURN = "turn"
    """Time is up for a person."""
    ANSWER = "answer"
    """The table has not said what to do about it."""
    ORDERS = "orders"
    """A standing order is carried out."""
    CLOSE = "close"
    """Nobody has come for long."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """Something due at a table at `due_at` (UTC milliseconds)."""

    table_id: int
    kind: DeadlineKind
    due_at: int


@dataclass(frozen=True, slots=True)
class Place:
    """A channel, or a thread of it, in which tables are open."""

    channel_id: int
    thread_id: int | None

    @property
    def place_id(self) -> int:
        """The thread, or the channel if there is none."""
        return self.channel_id if self.thread_id is None else self.thread_id
