"""Custom ids of buttons and menus. They hold everything an action needs, so they work after any restart.

An id is `g4:verb:table:moment:argument…`. `moment` identifies the turn it was made for (see `bot.table.snapshot`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Self, TypeAlias

import discord

from bot.presentation.text.i18n import Words

Button: TypeAlias = discord.ui.Button[discord.ui.LayoutView]
Row: TypeAlias = discord.ui.ActionRow[discord.ui.LayoutView]
Item: TypeAlias = discord.ui.Item[discord.ui.LayoutView]

PREFIX: Final = "g4"
MAX_NUMBER: Final = 2**63 - 1
"""The largest number in an id: Discord's ids and the columns that store them have 64 bits."""
MAX_PAGES: Final = 99_999
"""The largest page number in an id."""
MAX_OPTIONS: Final = 25
"""Discord's limit for the options of a menu, and for the values chosen in it."""


class Verb(StrEnum):
    """The action that a press requests. The values must not change: buttons of any age keep working."""

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
    table: int
    moment: int = 0
    arguments: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ":".join((PREFIX, self.verb, str(self.table), str(self.moment), *self.arguments))

    @classmethod
    def parse(cls, custom_id: str) -> Self:
        """Read an id. Raises `InvalidCustomId`."""
        prefix, *parts = custom_id.split(":")
        if prefix != PREFIX or len(parts) < 3 or parts[0] not in list(Verb):
            raise InvalidCustomId(custom_id)
        return cls(Verb(parts[0]), whole_number(parts[1]), whole_number(parts[2]), tuple(parts[3:]))

    @property
    def number(self) -> int:
        """The first argument as a number: of a user or a hand. Raises `InvalidCustomId`."""
        return whole_number(self.arguments[0] if self.arguments else "")


def button(
    press: Press,
    label: str,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    *,
    emoji: str | None = None,
    disabled: bool = False,
) -> Button:
    """A button with the custom id of `press`."""
    return discord.ui.Button(label=label, style=style, emoji=emoji, disabled=disabled, custom_id=str(press))


def page_buttons(press_of: Callable[[str, int], Press], page: int, words: Words, *, is_last: bool) -> list[Button]:
    """Buttons to the pages before and after `page`; none if it's the only one.

    `press_of` makes a press from its last argument and a page.
    """
    if page == 0 and is_last:
        return []
    return [
        button(press_of("back", max(page - 1, 0)), words.say("◀ Back"), disabled=page == 0),
        button(press_of("next", page + 1), words.say("Next ▶"), disabled=is_last),
    ]


def rows(buttons: Sequence[Button], width: int = 5) -> list[Row]:
    """Buttons in rows of `width`, at most five."""
    return [discord.ui.ActionRow(*buttons[start : start + width]) for start in range(0, len(buttons), width)]


def options_of(names: Mapping[str, str], now: str) -> list[discord.SelectOption]:
    """Options of a menu from values and their names. The value `now` is selected."""
    return [discord.SelectOption(label=name, value=value, default=value == now) for value, name in names.items()]


def menu(press: Press, placeholder: str, options: list[discord.SelectOption]) -> Row:
    """A menu for one choice, with the custom id of `press`."""
    select: discord.ui.Select[discord.ui.LayoutView] = discord.ui.Select(
        placeholder=placeholder, options=options, custom_id=str(press)
    )
    return discord.ui.ActionRow(select)


def layout(*items: Item | str) -> discord.ui.LayoutView:
    """A message of components and texts.

    The view is stopped at once: presses are routed by their ids, so discord.py doesn't need to keep the view in memory,
    where an ephemeral one would stay for 15 minutes.
    """
    view = discord.ui.LayoutView(timeout=None)
    for item in items:
        view.add_item(discord.ui.TextDisplay(item) if isinstance(item, str) else item)
    view.stop()
    return view
