"""What a table refuses apart from the rules of the game; each carries the facts that a sentence needs."""

from dataclasses import dataclass
from typing import ClassVar


class Refusal(Exception):
    """Something that cannot be done now. Nothing has changed."""

    rule: ClassVar[str] = ""
    """What the handbook calls the rule of the house that says so; nothing where the refusal itself says all."""


class DeletionRunning(Refusal):
    """All data about the user is being deleted; until that is done, they can do nothing else."""


class NoSuchTable(Refusal):
    """No table of this number, or not in this server."""

    rule = "numbers"


class TableIsClosed(Refusal):
    """The match is over, or the table was closed."""

    rule = "over"


class HasStarted(Refusal):
    """The match runs already, so its seats and options stay as they are."""

    rule = "seats"


class HasNotStarted(Refusal):
    """The match has not begun."""

    rule = "seats"


class NoOpenTable(Refusal):
    """No table was named, and none suggests itself."""

    rule = "numbers"


class UnknownButton(Refusal):
    """A button of an earlier version, or none of ours."""

    rule = "moment"


class UnknownCommand(Refusal):
    """A command, or values for one, that the app does not have: Discord may still show an earlier version of it."""


class MatchNotOver(Refusal):
    """The record of a match holds hands, so it is given out when the match is over."""

    rule = "secrets"


class AlreadySeated(Refusal):
    """Whoever joins sits there already."""

    rule = "seats"


class NotSeated(Refusal):
    """Whoever asks does not play at this table."""

    rule = "players"


@dataclass(eq=False)
class TableIsFull(Refusal):
    """All seats are taken."""

    rule = "seats"
    size: int


@dataclass(eq=False)
class SeatsAreEmpty(Refusal):
    """A match begins with all seats taken."""

    rule = "seats"
    empty: int


@dataclass(eq=False)
class HostOnly(Refusal):
    """Only the host may do this (closing: the host, or who manages the server)."""

    rule = "host"
    host_id: int


class ManagersOnly(Refusal):
    """Only who manages the server may do this."""

    rule = "server"


@dataclass(eq=False)
class WrongChannel(Refusal):
    """The server has tables opened elsewhere."""

    rule = "server"
    channels: tuple[int, ...]


@dataclass(eq=False)
class MissingRole(Refusal):
    """The server lets only who has one of these roles open tables."""

    rule = "server"
    roles: tuple[int, ...]


class NotCurrentSeason(Refusal):
    """The season is not the one that runs now."""


class HasConceded(Refusal):
    """A robot plays this seat to the end, as its owner wished."""

    rule = "absent"


class HasSubstitute(Refusal):
    """Somebody or something plays this seat for its owner, who may come back."""

    rule = "absent"


class PlaysOwnSeat(Refusal):
    """Nobody sits in for whoever comes back."""

    rule = "absent"


class NoLatePlayer(Refusal):
    """The turn has time left, or was taken meanwhile."""

    rule = "moment"


class IsPaused(Refusal):
    """The match is paused."""

    rule = "pause"


class NotPaused(Refusal):
    """The match is not paused."""

    rule = "pause"


class NobodyToNudge(Refusal):
    """Whoever nudges is to act, or a robot is."""

    rule = "nudge"


@dataclass(eq=False)
class NudgedRecently(Refusal):
    """Whoever is to act was told of late; again from `at` on (UTC milliseconds)."""

    rule = "nudge"
    at: int


class NotLastPlace(Refusal):
    """The choice of options for a rematch belongs to who came last."""

    rule = "over"


class UndoNotAllowed(Refusal):
    """Plays cannot be taken back at this table."""

    rule = "undo"


@dataclass(eq=False)
class TooManyUndos(Refusal):
    """A player has taken back as many moves in this hand as allowed (`limits.UNDOS`)."""

    rule = "undo"
    most: int


@dataclass(eq=False)
class NotInvited(Refusal):
    """The table is private; its host invites."""

    rule = "private"
    host_id: int


@dataclass(eq=False)
class RemovedByHost(Refusal):
    """The host has sent this person away, and has not invited them since."""

    rule = "private"
    host_id: int


class NoAiToRemove(Refusal):
    """There is no robot to send away."""

    rule = "seats"


class OutdatedAction(Refusal):
    """The click was on something that is no longer so: the table has moved on since."""

    rule = "moment"


@dataclass(eq=False)
class BadTimeZone(Refusal):
    """No time zone is called that; `near` are the names that come close."""

    typed: str
    near: tuple[str, ...] = ()


@dataclass(eq=False)
class BadTime(Refusal):
    """What was typed is no time of the day."""

    typed: str


@dataclass(eq=False)
class BadDate(Refusal):
    """What was typed is no day of the calendar."""

    typed: str


@dataclass(eq=False)
class BadQuietHours(Refusal):
    """Quiet hours that never end, or leave too little of the day."""

    most: int
    """How many hours they may last."""


@dataclass(eq=False)
class BadHolidays(Refusal):
    """Holidays that end before they begin, are over, are too long, or too far away."""

    most: int
    """How many days they may last."""


class StatisticsHidden(Refusal):
    """Somebody shows their figures to nobody else."""

    rule = "figures"


class FileNotFetched(Refusal):
    """Discord did not give out a file that was attached to a command."""


@dataclass(eq=False)
class RecordTooLong(Refusal):
    """A file that is longer than records are read."""

    most: int
    """Bytes."""


@dataclass(eq=False)
class ExportTooLarge(Refusal):
    """An export that is larger, even compressed, than a file that the app can send in this place."""

    most: int
    """Bytes."""


class ImportExpired(Refusal):
    """A record that somebody has brought to look at is kept for some days, or until their next one."""


class DailyAlreadyDealt(Refusal):
    """Today's hand was dealt to this user already, before they were deleted."""


class DailyNotOver(Refusal):
    """The hand of the day is still being played by others."""

    rule = "secrets"


class NotPostedYet(Refusal):
    """The table's message isn't posted yet; its id is part of the salt of the deals."""


@dataclass(eq=False)
class DuplicateRefusal(Refusal):
    """Something that two tables that play the same deals do not allow."""

    rule = "twins"
    duplicate_of: int
    """The other table."""


class DuplicateNotOver(DuplicateRefusal):
    """The same deals are still played at the other table, or are to be."""


class PlaysAtDuplicate(DuplicateRefusal):
    """Whoever joins or opens a table has sat at the other, and knows cards of it."""


class HasDuplicate(DuplicateRefusal):
    """Another table plays the deals of this one already."""


class DuplicateBeginsFirst(DuplicateRefusal):
    """The salt of the deals comes from the other table, so this one begins after it."""


class GameFixedByDuplicate(DuplicateRefusal):
    """What two tables play that play the same deals stays as it is."""


class BadCut(Refusal):
    """The text typed for a cut isn't a number from 1 to 63."""


class NoCutAtDuplicate(DuplicateRefusal):
    """The deals come from the other table, so the players of this one can't cut the deck."""


@dataclass(eq=False)
class TryAgainLater(Refusal):
    """Something was done too often in a short time (see `limits.RATES`)."""

    seconds: int
    """How long to wait, at least 1."""


@dataclass(eq=False)
class TooManyAtOnce(Refusal):
    """More users were invited at once than the rate of invitations allows (see `limits.RATES`)."""

    most: int


class HandTooLong(Refusal):
    """A hand has too many moves to be drawn."""


class Restarting(Refusal):
    """The app is being stopped, so nothing new is begun."""


class TooManyPictures(Refusal):
    """As many pictures of the same user as allowed wait to be drawn (`limits.USER_PICTURES`)."""


@dataclass(eq=False)
class TooManyTables(Refusal):
    """A host has as many open tables in this guild as the guild allows."""

    rule = "server"
    most: int


@dataclass(eq=False)
class GuildIsFull(Refusal):
    """As many tables are open in this guild as it allows."""

    rule = "server"
    most: int


@dataclass(eq=False)
class TooManyInvited(Refusal):
    """As many users are invited to a table as can be."""

    most: int
