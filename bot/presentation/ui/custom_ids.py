"""Custom ids of buttons and menus. They hold everything an action needs, so they work after any restart.

An id is `g4:verb:table:moment:argument…`. `moment` identifies the turn it was made for (see `bot.table.snapshot`).
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final, Self

from bot.engine import Options
from bot.engine.options import CHOICES, DEFAULT_EDITION

PREFIX: Final = "g4"
MAX_NUMBER: Final = 2**63 - 1
"""The largest number in an id: Discord's ids and the columns that store them have 64 bits."""
MAX_PAGES: Final = 99_999
"""The largest page number in an id."""
CACHED: Final = 256
"""The parsed ids that are kept."""


class Verb(StrEnum):
    """The action that a press requests. The values must not change: buttons of any age keep working."""

    BUTTONS = "buttons"
    """A menu in place of buttons. Each of its values is the id of one."""

    # Lobby
    JOIN = "join"
    LEAVE = "leave"
    ADD_AI = "robot"
    REMOVE_AI = "unrobot"
    AI_LEVEL = "ai-level"
    OPTIONS = "options"
    SET_OPTION = "set"
    INVITE = "invite"
    REMOVE = "remove"
    CUT = "cut"
    CUT_NUMBER = "cutnumber"
    START = "start"
    FILL = "fill"
    PLAY_AI = "playai"
    CONCEDE = "concede"
    FAIR_DEAL = "fair"
    REMATCH = "rematch"
    CLOSE = "close"
    CLOSE_NUMBER = "close-number"
    SHOW_TABLE = "repost"
    LEAVE_MATCH = "leave-match"
    LIST = "list"

    # Private hand
    HAND = "hand"
    CARD = "card"
    SORT = "sort"
    LOWEST_PLAY = "lowest"
    PLAYS_MENU = "menu"
    PLAY = "play"
    PLAY_LAST = "last"
    PASS = "pass"  # noqa: S105  # no password
    PASS_ON_CALL = "passcall"  # noqa: S105  # no password
    PASS_IN_LIST = "passlist"  # noqa: S105  # no password
    DECLARE = "declare"
    GIVE_BACK = "give"
    UNDO = "undo"
    HAND_COME_BACK = "hand-back"
    HAND_RESUME = "hand-resume"
    HAND_WHY = "hand-why"
    HINT = "hint"
    CANCEL_ORDERS = "hand-orders"

    # Match
    MATCH_MENU = "more"
    PAUSE = "pause"
    RESUME = "resume"
    END = "end"
    NUDGE = "nudge"
    STANDING_ORDERS = "orders"
    WAIT = "wait"
    LET_AI_PLAY = "robotin"
    CALL_SUBSTITUTE = "call"
    SIT_IN = "sitin"
    COME_BACK = "back"
    HANDS = "hands"
    SHEET = "sheet"
    OPEN_TABLE = "open-table"

    # Help, rules and tutorial
    HELP = "help"
    RULES = "rules"
    RULES_PAGE = "page"
    WHY = "why"
    COMPARE = "compare"
    CHART = "chart"
    ABOUT = "about"
    TUTORIAL_HAND = "learn-hand"
    TUTORIAL_SHOW = "learn-show"
    TUTORIAL_GO = "learn-go"
    TUTORIAL_OVER = "learn-over"

    # Practice
    PRACTICE = "practice"
    PRACTICE_HAND = "practice-hand"
    PRACTICE_FROM = "practice-from"
    PUZZLE = "puzzle"
    PUZZLE_HAND = "puzzle-hand"

    # Records
    LEADERBOARD = "board"
    HISTORY = "history"
    REPLAY = "past"
    REPLAY_HAND = "replay"
    COACH = "coach"
    COACH_MATCH = "coach-match"
    PROFILE = "profile"
    VERSUS = "versus"
    CURVE = "curve"
    PENALTIES = "penalties"
    MAP = "map"
    TOTALS = "totals"
    DAILY = "daily"
    DEAL = "deal"

    # Settings of users
    NOTIFICATIONS = "notifications"
    QUIET_HOURS = "quiet"
    TIME_ZONE = "zone"
    LANGUAGE = "language"
    CARDS = "cards"
    SORT_HANDS = "sort-hands"
    END_HOLIDAYS = "home"
    FORM = "form"
    FORM_SENT = "typed"
    ALERTS = "alerts"
    PRIVACY = "privacy"

    # Settings of guilds
    GUILD_SETTINGS = "server"
    GUILD_LANGUAGE = "publiclanguage"
    CELEBRATE = "celebrate"
    GUILD_CARDS = "publiccards"
    CHANNELS = "channels"
    ROLES = "roles"
    DEFAULT = "default"
    USE_THREADS = "usethreads"
    LIMIT = "limit"
    SCHEDULE = "schedule"
    SCHEDULE_CHANNEL = "postin"
    SEASON = "season"
    SEASON_NAME = "seasonname"


class Part(StrEnum):
    """The part of a message that was pressed, as an argument of verbs whose messages have several.

    The values must not change, like those of `Verb`. Some only keep the ids of a message's buttons apart.
    """

    # Any message
    POST = "post"
    """Posts the public version of a private panel."""
    OPEN = "open"
    BACK = "back"
    NEXT = "next"
    TURN = "turn"
    LIST = "list"
    MENU = "menu"
    YES = "yes"
    ON = "on"
    OFF = "off"

    # Tables
    NEW_OPTIONS = "options"
    LEVEL = "level"

    # Daily hand, puzzles and practice
    FAIR_DEAL = "fair"
    TODAY = "today"
    BEFORE = "before"
    AFTER = "after"
    AGAIN = "again"
    NEXT_SEAT = "seat"

    # Replays
    FIRST = "first"
    LAST = "last"
    HAND = "hand"
    EYES = "eyes"
    STILL = "still"
    MOVING = "moving"
    POST_STILL = "post-still"
    POST_MOVING = "post-moving"
    RECORD = "record"
    TEXT = "text"
    VERIFY = "verify"
    PRACTICE = "practice"
    COACH = "coach"

    # Lists, leaderboards, profiles and rules
    OTHER = "other"
    HERE = "here"
    ALL = "all"
    ORDER = "order"
    PERIOD = "period"
    COMPANY = "company"
    EDITION = "edition"
    FIGURES = "figures"
    MORE = "more"
    TITLES = "titles"
    WHY = "why"

    # Settings
    EXPORT = "export"
    HIDE = "hide"
    SHOW = "show"
    DELETE = "delete"
    BEGIN = "begin"
    END = "end"
    RESET = "reset"


class LobbyPage(StrEnum):
    """The pages of a table's options. The values must not change."""

    BASICS = "basics"
    PEOPLE = "people"
    CUSTOMS = "customs"
    HOUSE_RULES = "house"
    FAIRNESS = "fairness"


class GuildPage(StrEnum):
    """The pages of a guild's settings. The values must not change."""

    GENERAL = "general"
    TABLES = "tables"
    CUSTOMS = "customs"
    LIMITS = "limits"
    SEASON = "season"
    ACTIVITY = "activity"
    LOG = "log"


class UserForm(StrEnum):
    """The forms of a user's settings. The values must not change."""

    ZONE = "zone"
    QUIET_HOURS = "quiet"
    HOLIDAYS = "away"


class CardStyle(StrEnum):
    """The looks of cards, as values of their menu. The values must not change."""

    PICTURES = "pictures"
    TEXT = "text"


class CardOrder(StrEnum):
    """The orders of a hand's cards. The values must not change."""

    NUMBER = "number"
    COLOR = "color"


class InvalidCustomId(ValueError):
    """A custom id, menu value or form content that the app never offers."""


def whole_number(text: str, maximum: int = MAX_NUMBER) -> int:
    """Parse a number in an id or menu value: ASCII digits, 0 to `maximum`. Raises `InvalidCustomId`."""
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(MAX_NUMBER))) or int(text) > maximum:
        raise InvalidCustomId(text)
    return int(text)


@dataclass(frozen=True, slots=True)
class Press:
    """The meaning of a custom id."""

    verb: Verb
    table: int = 0
    """The number of the table; 0 if the action has none."""
    moment: int = 0
    arguments: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ":".join((PREFIX, self.verb, str(self.table), str(self.moment), *self.arguments))

    @classmethod
    @lru_cache(CACHED)  # an id is read several times for one press
    def parse(cls, custom_id: str) -> Self:
        """Read an id. Raises `InvalidCustomId`."""
        prefix, *parts = custom_id.split(":")
        if prefix != PREFIX or len(parts) < 3:
            raise InvalidCustomId(custom_id)
        try:
            verb = Verb(parts[0])
        except ValueError:
            raise InvalidCustomId(custom_id) from None
        return cls(verb, whole_number(parts[1]), whole_number(parts[2]), tuple(parts[3:]))

    @property
    def argument(self) -> str:
        """The only argument. Raises `InvalidCustomId` if there are none or several."""
        if len(self.arguments) != 1:
            raise InvalidCustomId(str(self))
        return self.arguments[0]

    @property
    def part(self) -> Part | None:
        """The last argument, if it is a part of a message."""
        last = self.arguments[-1] if self.arguments else ""
        return Part(last) if last in list(Part) else None

    @property
    def number(self) -> int:
        """The first argument as a number: of a user or a hand. Raises `InvalidCustomId`."""
        return whole_number(self.arguments[0] if self.arguments else "")


@lru_cache(CACHED)
def code_of(options: Options | None) -> str:
    """Options in a custom id: the number of each value, and the target. Empty for the general rules."""
    if options is None:
        return ""
    values = "".join(
        str(CHOICES[name].index(str(value))) for name, value in options.as_dict().items() if name in CHOICES
    )
    return f"{values}-{options.target}"


def options_of_code(code: str) -> Options | None:
    """The options in a custom id. An id from before an option was added doesn't have it. Raises `InvalidCustomId`."""
    if not code:
        return None
    values, _, target = code.partition("-")
    if len(values) > len(CHOICES):
        raise InvalidCustomId(code)
    try:
        chosen = {name: offered[int(at)] for (name, offered), at in zip(CHOICES.items(), values, strict=False)}
        options = Options.of(DEFAULT_EDITION, {**chosen, "target": target})
    except (IndexError, ValueError):
        raise InvalidCustomId(code) from None
    return options
