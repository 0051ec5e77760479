"""The verbs of buttons, menus and forms: the second part of their custom ids.

Their values must not change: buttons of any age keep working.
"""

from enum import StrEnum


class Verb(StrEnum):
    """The action that a press requests."""

    # Lobby
    JOIN = "join"
    LEAVE = "leave"
    ADD_AI = "robot"
    REMOVE_AI = "unrobot"
    OPTIONS = "options"
    SET_OPTION = "set"
    INVITE = "invite"
    REMOVE = "remove"
    CUT = "cut"
    CUT_NUMBER = "cutnumber"
    START = "start"
    CONCEDE = "concede"
    REMATCH = "rematch"
    CLOSE = "close"
    LIST = "list"

    # Private hand
    HAND = "hand"
    CARD = "card"
    SORT = "sort"
    CLEAR = "clear"
    LOWEST_PLAY = "lowest"
    REFRESH = "again"
    PLAYS_MENU = "menu"
    PLAY = "play"
    PLAY_LAST = "last"
    PASS = "pass"  # noqa: S105  # no password
    DECLARE = "declare"
    GIVE_BACK = "give"
    UNDO = "undo"
    HAND_COME_BACK = "hand-back"
    HAND_RESUME = "hand-resume"

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

    # Rules and tutorial
    RULES = "rules"
    RULES_PAGE = "page"
    WHY = "why"
    COMPARE = "compare"
    CHART = "chart"
    TUTORIAL_CARD = "learn-card"
    TUTORIAL_PLAY = "learn-play"
    TUTORIAL_PLAY_LAST = "learn-last"
    TUTORIAL_PASS = "learn-pass"  # noqa: S105  # no password
    TUTORIAL_GIVE_BACK = "learn-give"
    TUTORIAL_SHOW = "learn-show"
    TUTORIAL_OVER = "learn-over"

    # Records
    LEADERBOARD = "board"
    HISTORY = "history"
    REPLAY = "past"
    REPLAY_HAND = "replay"
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
    END_HOLIDAYS = "home"
    FORM = "form"
    FORM_SENT = "typed"
    PRIVACY = "privacy"

    # Settings of guilds
    GUILD_SETTINGS = "server"
    GUILD_LANGUAGE = "publiclanguage"
    CELEBRATE = "celebrate"
    CHANNELS = "channels"
    ROLES = "roles"
    DEFAULT = "default"
    LIMIT = "limit"
    SCHEDULE = "schedule"
    SCHEDULE_CHANNEL = "postin"
    SEASON = "season"
    SEASON_NAME = "seasonname"
