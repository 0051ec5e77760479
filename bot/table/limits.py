"""Every limit on what one user, channel or guild may do."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.base.fair_queue import QueueLimits


class Per(StrEnum):
    """The scope of a rate."""

    USER = "user"
    """One user, in all guilds together."""
    MEMBER = "member"
    """One user in one guild."""
    PAIR = "pair"
    """One user and one other user."""
    CHANNEL = "channel"
    GUILD = "guild"


class Action(StrEnum):
    """Actions limited by rates."""

    PRESS = "press"
    """Any press, form, command or completion, and any request of a page."""
    REFUSE = "refuse"
    """Tell a user that they press too fast."""
    OPEN = "open"
    """Open a table: `/gang new` and "Play against AI"."""
    REMATCH = "rematch"
    """Open or join a rematch."""
    POST = "post"
    """Post a table again, or a panel."""
    INVITE = "invite"
    """Invite users to a table. Each user counts, because each is mentioned."""
    INVITE_AGAIN = "invite again"
    """Invite the same user several times."""
    ANNOUNCE = "announce"
    """Open a table that is announced to those who want it."""
    ALERT = "alert"
    """Mention a user because a table has opened."""
    UNDO = "undo"
    """Take a play back, which notifies another player."""
    DAILY = "daily"
    """Open the hand of the day."""
    IMPORT = "import"
    PICTURE = "picture"
    """Ask for a picture."""
    HINT = "hint"
    """Ask for a hint, which the strongest AI player finds."""
    COACH = "coach"
    """Ask the coach about a hand."""
    PRACTICE = "practice"
    """Begin a practice hand."""
    PRACTICE_MOVE = "practice move"
    """Move in a practice hand, which AI players answer at once."""
    COACH_MATCH = "coach match"
    """Ask the coach about a match."""
    REPLAY = "replay"
    """Open a match or go to another position in it."""
    EXPORT = "export"
    """Get a file: a record, a transcript or personal data."""
    EXPORT_GUILD = "export server"
    """Export the data of a guild."""
    VERIFY = "verify"
    """Deal a match again to verify it."""
    FIGURES = "figures"
    """Show leaderboards, profiles, comparisons, lists or the activity of a guild."""
    COMPLETE = "complete"
    """Complete what a user types."""
    SETTINGS = "settings"
    """Change a setting of a user or a guild."""
    DELETE = "delete"
    """Delete all data about a user."""
    LOGIN = "login"
    """Log in on the page. All users together, because nobody is known yet."""
    SEASON = "season"
    """Begin, end or reset a season. The end of a season is posted."""


@dataclass(frozen=True, slots=True)
class Rate:
    """At most `number` times in `seconds`. All can be used at once, and then become available again gradually."""

    action: Action
    per: Per
    number: int
    seconds: int
    setting: str = ""
    """The name of the setting with which managers of a guild choose `number` from `choices`."""
    choices: tuple[int, ...] = ()


RATES: Final = (
    Rate(Action.PRESS, Per.USER, 40, 4),
    Rate(Action.PRESS, Per.USER, 600, 120),
    Rate(Action.REFUSE, Per.USER, 1, 5),
    Rate(Action.OPEN, Per.USER, 8, 60),
    Rate(Action.OPEN, Per.USER, 30, 3600),
    Rate(Action.OPEN, Per.GUILD, 40, 60),
    Rate(Action.REMATCH, Per.USER, 3, 60),
    Rate(Action.REMATCH, Per.USER, 30, 3600),
    Rate(Action.POST, Per.USER, 3, 60),
    Rate(Action.POST, Per.CHANNEL, 6, 60),
    Rate(Action.INVITE, Per.MEMBER, 10, 600, "invitations", (3, 5, 10, 25)),
    Rate(Action.INVITE, Per.GUILD, 60, 600),
    Rate(Action.INVITE_AGAIN, Per.PAIR, 3, 1800),
    Rate(Action.ANNOUNCE, Per.MEMBER, 2, 1800),
    Rate(Action.ALERT, Per.USER, 3, 1800),
    Rate(Action.ALERT, Per.GUILD, 60, 600),
    Rate(Action.UNDO, Per.USER, 10, 60),
    Rate(Action.HINT, Per.USER, 20, 60),
    Rate(Action.DAILY, Per.USER, 5, 60),
    Rate(Action.IMPORT, Per.USER, 10, 600),
    Rate(Action.IMPORT, Per.GUILD, 40, 600),
    Rate(Action.PICTURE, Per.USER, 10, 60),
    Rate(Action.PICTURE, Per.GUILD, 60, 60),
    Rate(Action.PRACTICE, Per.USER, 15, 60),
    Rate(Action.PRACTICE_MOVE, Per.USER, 60, 60),
    Rate(Action.REPLAY, Per.USER, 300, 60),
    Rate(Action.EXPORT, Per.USER, 10, 60),
    Rate(Action.EXPORT_GUILD, Per.GUILD, 3, 600),
    Rate(Action.VERIFY, Per.USER, 10, 60),
    Rate(Action.COACH, Per.USER, 4, 60),
    Rate(Action.COACH, Per.GUILD, 20, 60),
    Rate(Action.COACH_MATCH, Per.USER, 5, 300),
    Rate(Action.COACH_MATCH, Per.GUILD, 15, 300),
    Rate(Action.FIGURES, Per.USER, 60, 60),
    Rate(Action.COMPLETE, Per.USER, 60, 60),
    Rate(Action.SETTINGS, Per.USER, 100, 600),
    Rate(Action.DELETE, Per.USER, 3, 3600),
    Rate(Action.LOGIN, Per.GUILD, 300, 60),
    Rate(Action.SEASON, Per.GUILD, 12, 600),
)


@dataclass(frozen=True, slots=True)
class Count:
    """At most `number` of something at the same time. Managers of a guild choose it from `choices`."""

    setting: str
    number: int
    choices: tuple[int, ...]

    def in_guild(self, changed: Mapping[str, int]) -> int:
        """The number in a guild, given the limits that it has `changed`."""
        return changed.get(self.setting, self.number)


HOST_TABLES: Final = Count("host_tables", 5, (1, 2, 3, 5, 10, 25))
"""Open tables of one host in a guild."""
GUILD_TABLES: Final = Count("guild_tables", 100, (10, 25, 50, 100, 250, 500))
"""Open tables of a guild."""
INVITED: Final = 25
"""Users who are invited to one table."""
UNDOS: Final = 20
"""Moves taken back by one player in a hand."""
FORGOTTEN: Final = 20
"""Last cards in a hand that come back because the player forgot to declare them. The table declares further ones."""
OPEN_PAGES: Final = 10
"""Open pages of one user."""
UNKNOWN_PAGES: Final = 300
"""Connections of pages that haven't sent their session yet."""
REQUESTS: Final = 8
"""Requests of one page that are answered at the same time."""
PICTURES: Final = QueueLimits(per_user=2, per_guild=8, total=64)
"""Pictures that wait to be drawn."""
WORK: Final = QueueLimits(per_user=10, per_guild=40, total=200)
"""Long computations that wait."""
EXPORTS: Final = QueueLimits(per_user=1, per_guild=5, total=20)
"""Exports of stored data that wait."""
ADJUSTABLE: Final[Mapping[str, Rate | Count]] = {
    limit.setting: limit for limit in (HOST_TABLES, GUILD_TABLES, *RATES) if limit.choices
}
"""The limits that managers of a guild can change, by the name of the setting."""
