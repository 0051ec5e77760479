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
    LOWEST = "lowest"
    AGAIN = "again"
    MENU = "menu"
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
    ORDERS = "orders"
    WAIT = "wait"
    LET_AI_PLAY = "robotin"
    CALL = "call"
    SIT_IN = "sitin"
    COME_BACK = "back"
    HANDS = "hands"

    # Rules and tutorial
    RULES = "rules"
    RULES_PAGE = "page"
    WHY = "why"
    COMPARE = "compare"
    CHART = "chart"
    LEARN_CARD = "learn-card"
    LEARN_PLAY = "learn-play"
    LEARN_PLAY_LAST = "learn-last"
    LEARN_PASS = "learn-pass"  # noqa: S105  # no password
    LEARN_GIVE_BACK = "learn-give"
    LEARN_SHOW = "learn-show"
    LEARN_OVER = "learn-over"

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
    QUIET = "quiet"
    ZONE = "zone"
    LANGUAGE = "language"
    CARDS = "cards"
    END_HOLIDAYS = "home"
    FORM = "form"
    FORM_SENT = "typed"
    PRIVACY = "privacy"

    # Settings of guilds
    GUILD = "server"
    GUILD_LANGUAGE = "publiclanguage"
    CELEBRATE = "celebrate"
    CHANNELS = "channels"
    ROLES = "roles"
    DEFAULT = "default"
    LIMIT = "limit"
    SCHEDULE = "schedule"
    POST_IN = "postin"
    SEASON = "season"
    SEASON_NAME = "seasonname"
