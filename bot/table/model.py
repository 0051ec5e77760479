"""The values that describe a table: its status, options, seats, clock and display."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from bot.engine import Options
from bot.players.levels import DEFAULT_LEVEL, Level
from bot.players.styles import Style


class Status(StrEnum):
    """The stages of a table's life."""

    LOBBY = "lobby"
    PLAYING = "playing"
    OVER = "over"
    """The match was played to its end."""
    CLOSED = "closed"
    """The table was closed in the lobby, or the match was abandoned."""

    @property
    def is_open(self) -> bool:
        """True if the table can still change."""
        return self in (Status.LOBBY, Status.PLAYING)


class Pace(StrEnum):
    """The time that a player has for a turn."""

    LIVE = "live"
    QUICK = "quick"
    DAY = "day"
    SLOW = "slow"
    NONE = "none"


class TimeoutPolicy(StrEnum):
    """The action when a player's time is up."""

    ASK_WAIT = "ask-wait"
    """Ask the table. If nobody answers, wait."""
    ASK_MOVE = "ask-move"
    """Ask the table. If nobody answers, pass, or else play the lowest cards."""
    ASK_AI = "ask-ai"
    """Ask the table. If nobody answers, let an AI player substitute."""
    MOVE = "move"
    """Pass, or else play the lowest cards, immediately."""
    AI = "ai"
    """Let an AI player substitute immediately."""

    @property
    def asks(self) -> bool:
        """True if the table is asked first."""
        return self in (TimeoutPolicy.ASK_WAIT, TimeoutPolicy.ASK_MOVE, TimeoutPolicy.ASK_AI)


class TakingBack(StrEnum):
    """The matches of a table in which a play or pass can be taken back."""

    OFF = "off"
    CASUAL = "casual"
    """Only if the match isn't rated."""
    ON = "on"


class CasualReason(StrEnum):
    """The reasons why a match isn't rated."""

    AI = "ai"
    """An AI player has a seat of its own."""
    TARGET = "target"
    """The target is below `MIN_RATED_TARGET`."""
    CHOSEN = "chosen"
    """The host has made the match casual, or others play the same deals."""


MIN_RATED_TARGET: Final = 50
"""The lowest target of a rated match; shorter matches depend on luck more than on skill."""


@dataclass(frozen=True, slots=True)
class TableSettings:
    """The options of a table besides the rules of the game."""

    on_timeout: TimeoutPolicy = TimeoutPolicy.ASK_MOVE
    undo: TakingBack = TakingBack.CASUAL
    """The matches in which the last play or pass can be taken back until the next player acts."""
    private: bool = False
    """Only invited users can join."""
    thread: bool = False
    """The match is played in its own thread."""
    rated: bool = True
    """The match changes ratings if nothing else makes it casual (see `TableRow.casual_reason`)."""
    hints: bool = True
    """Players can ask for hints if the match isn't rated."""
    ai_level: Level = DEFAULT_LEVEL
    """The level of AI players who take a seat from now on."""


class ClockStage(StrEnum):
    """The stages of a turn's clock."""

    RUNNING = "running"
    REMINDED = "reminded"
    """The end is near, and the player has been reminded."""
    ASKED = "asked"
    """Time is up, and the table is asked what to do."""
    CALLED = "called"
    """Time is up, and the table looks for a substitute."""
    WAITING = "waiting"
    """Time is up, and the table waits for the player."""


@dataclass(frozen=True, slots=True)
class TurnClock:
    """The clock of the current turn. All times are in UTC milliseconds."""

    began: int
    due: int | None = None
    """When time is up, including the time bank; None: never."""
    stage: ClockStage = ClockStage.RUNNING
    remind: int | None = None
    """When the player is reminded; None: the usual time before the end, or never without a time limit."""
    since: int | None = None
    """When the stage began; None: with the turn."""
    answers: int = 0
    """Answers of the table (wait, or call a substitute) since it was last asked."""
    paused: int = 0
    """Milliseconds that the match was paused in this turn. The other times have been moved by as much."""
    off: int = 0
    """The part of them in which the app was off. Nobody is called again because of it."""
    off_until: int | None = None
    """The times in which the app was off are counted up to here; None: none has been counted in this turn."""
    reminders: int = 0
    """The reminders of this turn, at a table without a time limit."""

    @property
    def is_up(self) -> bool:
        """True if the player's time is up."""
        return self.stage not in (ClockStage.RUNNING, ClockStage.REMINDED)


@dataclass(frozen=True, slots=True)
class LastTurn:
    """The clock and time bank of the previous turn, restored when its move is taken back."""

    clock: TurnClock
    """Its times are relative to that move, so most are negative."""
    bank: int
    """The time bank of the seat at that move, in milliseconds."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat, its owner, and its player: the owner, an AI player or a substitute."""

    name: str
    user_id: int | None = None
    """The owner; None for an AI player's seat."""
    ai_level: str | None = None
    """The level of the AI player that plays the seat."""
    cut: int | None = None
    """The player's cut of the deck, 1-63 (see `table.salt`)."""
    substitute_id: int | None = None
    substitute_name: str | None = None
    """The user who substitutes for the owner."""
    conceded: bool = False
    """The owner has given up the seat for the rest of the match, or has ended the match as a server manager."""
    bank: int = 0
    """The time bank in milliseconds: time that turns may take beyond the pace."""
    orders: str = ""
    """The standing order (see `table.standing_orders`)."""
    ordered_at: int | None = None
    """When the order was given, in UTC milliseconds."""
    missed: bool = False
    """The table made this seat's last move because the player didn't."""
    ai_style: Style | None = Style.STEADY
    """The style of an AI player that has the seat from the start; None in replays, because records don't name it.

    Those who sit in for people are steady.
    """

    @property
    def style(self) -> Style:
        """How an AI player plays the seat."""
        return self.ai_style or Style.STEADY

    @property
    def is_ai(self) -> bool:
        """The seat has belonged to an AI player from the start. A deleted player's seat has an empty name."""
        return self.user_id is None and bool(self.name)

    @property
    def player_id(self) -> int | None:
        """The user who plays the seat; None for an AI player."""
        if self.ai_level is not None:
            return None
        return self.user_id if self.substitute_id is None else self.substitute_id

    @property
    def is_absent(self) -> bool:
        """True if a substitute plays for an owner who can come back."""
        return self.user_id is not None and self.player_id != self.user_id and not self.conceded


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table as it is stored, without the events of its match."""

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
    """Secret, and empty except in an action that `Tables` carries out."""
    created_at: int
    """UTC seconds."""
    seats: tuple[Seat, ...] = ()
    commitment: str = ""
    """The commitment to the seed, which everyone may see from the start; empty without a seed."""
    revision: int = 0
    settings: TableSettings = TableSettings()
    invited: tuple[int, ...] = ()
    """Users who can join a private table."""
    awaited: tuple[int, ...] = ()
    """Invited users who haven't come yet."""
    invitations: int = 0
    """The number of invitations so far."""
    removed: tuple[int, ...] = ()
    """Users whom the host has removed. They can't join again unless they're invited."""
    pausing: tuple[int, ...] = ()
    """Users who have agreed to a pause."""
    ending: tuple[int, ...] = ()
    """Users who have agreed to end the match."""
    clock: TurnClock | None = None
    """None unless a player has to act."""
    turn: int | None = None
    """The seat to act, copied from the log so that lists don't have to read it; None before the first deal."""
    last_turn: LastTurn | None = None
    """None if an AI player made the last move."""
    paused_at: int | None = None
    """UTC milliseconds; None unless the match is paused."""
    nudged_at: int | None = None
    """When the player to act was last nudged, in UTC milliseconds."""
    parent_id: int | None = None
    """The channel of the public thread in which the table was opened."""
    thread_id: int | None = None
    """The table's own thread, once it's open."""
    ended: str | None = None
    """Why the table was closed, as in the record of an abandoned match."""
    closed_by_id: int | None = None
    """The user who closed it: the host or a manager of the guild."""
    rematch_of: int | None = None
    """The table of the previous match of the same players."""
    first_message_id: int | None = None
    """The first message that shows the table, even if later ones do; None until it's posted, 0 if none is needed."""
    starts_itself: bool = False
    """The match starts as soon as all players have joined."""
    in_channel: bool = True
    """The channel shows the table. Otherwise only its player sees it, in private messages."""
    daily: str | None = None
    """The day (`2026-12-24`) for a hand of the day, which the host plays alone."""
    duplicate_of: int | None = None
    """The other table of a duplicate match, which plays the same deals."""
    was_duplicate: bool = False
    """The match began as one of two, so it's casual even if the other one is never played."""
    deals_secret: bool = False
    """Nothing about the deals may be shown, because the other table can still play them."""
    lowered_moves: int = 0
    """Moves of AI players that the level below has chosen, because there was no time for their own."""

    def has_owner(self, user_id: int) -> bool:
        """True if the user owns a seat."""
        return self.seat_owned_by(user_id) is not None

    def seat_owned_by(self, user_id: int) -> int | None:
        """The seat that the user owns."""
        return next((number for number, seat in enumerate(self.seats) if seat.user_id == user_id), None)

    def with_seat(self, number: int, seat: Seat) -> "TableRow":
        """The row with another seat in place of the one with this number."""
        if seat == self.seats[number]:  # for most moves
            return self
        return replace(self, seats=(*self.seats[:number], seat, *self.seats[number + 1 :]))

    def without_seed(self) -> "TableRow":
        """The row as everything but the rules may see it."""
        return replace(self, seed=b"")

    @property
    def is_solo(self) -> bool:
        """True for a match of one user against AI players in private messages, but not for a hand of the day."""
        return not self.in_channel and self.daily is None

    @property
    def place_id(self) -> int:
        """The thread or channel that shows the table."""
        return self.channel_id if self.thread_id is None else self.thread_id

    @property
    def first_table_id(self) -> int | None:
        """The other table of a duplicate match, if that one starts first."""
        return self.duplicate_of if self.duplicate_of is not None and self.duplicate_of < self.id else None

    @property
    def casual_reason(self) -> CasualReason | None:
        """The reason why the match isn't rated; None if it is, provided that people take the free seats."""
        if any(seat.is_ai for seat in self.seats):
            return CasualReason.AI
        if self.options.target < MIN_RATED_TARGET:
            return CasualReason.TARGET
        is_rated = self.settings.rated and not self.was_duplicate and self.duplicate_of is None
        return None if is_rated else CasualReason.CHOSEN

    @property
    def allows_undo(self) -> bool:
        """True if players can take back their last play or pass."""
        return self.settings.undo is TakingBack.ON or (
            self.settings.undo is TakingBack.CASUAL and self.casual_reason is not None
        )

    @property
    def allows_hints(self) -> bool:
        """True if players can get hints: never in a match that is rated, or whose deals others play, too."""
        is_compared = self.daily is not None or self.first_table_id is not None or self.deals_secret
        return self.settings.hints and self.casual_reason is not None and not is_compared


@dataclass(frozen=True, slots=True)
class ChannelDisplay:
    """The part of a table that its channel shows, and the messages that show it."""

    message_id: int | None = None
    """The message that shows the table."""
    notice_id: int | None = None
    """The message that mentions the player to act. None with a `notice`: it was sent, but not confirmed by Discord."""
    notice: str | None = None
    """The nonce of that message, which identifies the turn."""
    revision: int = -1
    """The latest revision shown."""
    announced_hand: int = 0
    """The last hand whose result was posted."""
    result_id: int | None = None
    """The message with this result. The next one replaces it."""
    announced_gangs: int = 0
    """The number of gangs that have been celebrated."""
    gang_id: int | None = None
    """The message that celebrates the latest gang, until the hand is over."""
    notice_channel_id: int | None = None
    """The channel of the notice: the table's place at that time, or direct messages with a user."""
    announced_titles: bool = False
    """The titles won in the match have been posted."""
    announced_duplicate: bool = False
    """The comparison of a duplicate match has been posted, or the other table posts it."""


class DeadlineKind(StrEnum):
    """The kinds of deadlines."""

    AI = "ai"
    """An AI player moves."""
    REMIND = "remind"
    """A player is reminded that their time is nearly up."""
    TURN = "turn"
    """A player's time is up."""
    ANSWER = "answer"
    """The table hasn't answered the question what to do about a late player."""
    ORDERS = "orders"
    """A standing order is carried out."""
    CLOSE = "close"
    """Nobody has acted at the table for a long time."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """An action due at a table at `due_at` (UTC milliseconds)."""

    table_id: int
    kind: DeadlineKind
    due_at: int


@dataclass(frozen=True, slots=True)
class Place:
    """A channel or thread with open tables."""

    channel_id: int
    thread_id: int | None
    parent_id: int | None = None

    @property
    def place_id(self) -> int:
        """The thread, or the channel outside of threads."""
        return self.channel_id if self.thread_id is None else self.thread_id
