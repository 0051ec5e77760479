"""Everything that a table refuses besides illegal moves. Each refusal holds the facts that its sentence needs."""

from dataclasses import dataclass
from typing import ClassVar


class Refusal(Exception):
    """An action that isn't possible now. Nothing has changed."""

    rule: ClassVar[str] = ""
    """The section of the rules pages that explains the refusal; empty if its sentence says everything."""


@dataclass(eq=False)
class LimitRefusal(Refusal):
    """More than a limit allows."""

    limit: int


class DeletionRunning(Refusal):
    """All data about the user is being deleted. Until that is done, they can't do anything else."""


class NoSuchTable(Refusal):
    """No table in this guild has this number."""

    rule = "numbers"


class TableIsClosed(Refusal):
    """The match is over, or the table was closed."""

    rule = "over"


class HasStarted(Refusal):
    """The match has started, so seats and options can't change."""

    rule = "seats"


class HasNotStarted(Refusal):
    """The match hasn't started."""

    rule = "seats"


class NoOpenTable(Refusal):
    """The user named no table, and none can be inferred."""

    rule = "numbers"


class UnknownButton(Refusal):
    """The button comes from an earlier version, or isn't one of ours."""

    rule = "moment"


class MessageGone(Refusal):
    """The message with the button was deleted before it could be changed."""


class UnknownCommand(Refusal):
    """The app doesn't have this command or accept these values. Discord may still show an earlier version of it."""


class MatchNotOver(Refusal):
    """The record of a match contains hands, so it's available only after the match."""

    rule = "secrets"


class AlreadySeated(Refusal):
    """The user has a seat at the table already."""

    rule = "seats"


class NotSeated(Refusal):
    """The user doesn't play at this table."""

    rule = "players"


class TableIsFull(LimitRefusal):
    """All seats are taken."""

    rule = "seats"


@dataclass(eq=False)
class SeatsAreEmpty(Refusal):
    """A match starts only with all seats taken."""

    rule = "seats"
    empty: int


@dataclass(eq=False)
class HostOnly(Refusal):
    """Only the host can do this. Managers of the guild can close a table as well."""

    rule = "host"
    host_id: int


class ManagersOnly(Refusal):
    """Only managers of the guild can do this."""

    rule = "server"


@dataclass(eq=False)
class WrongChannel(Refusal):
    """The guild allows new tables only in chosen channels."""

    rule = "server"
    channels: tuple[int, ...]


@dataclass(eq=False)
class MayNotOpen(Refusal):
    """The member may not write in the channel, so the app opens no table for them there."""

    channel: int


class AppMayNotWrite(MayNotOpen):
    """The app itself may not write in the channel, so it can't show a table there."""


@dataclass(eq=False)
class MissingRole(Refusal):
    """The guild lets only members with chosen roles open tables."""

    rule = "server"
    roles: tuple[int, ...]


class NotCurrentSeason(Refusal):
    """The season isn't the current one."""


class HasConceded(Refusal):
    """The owner has conceded, so an AI player plays this seat until the match ends."""

    rule = "absent"


class HasSubstitute(Refusal):
    """A substitute plays this seat. The owner can come back."""

    rule = "absent"


class PlaysOwnSeat(Refusal):
    """The owner has no substitute to take the seat back from."""

    rule = "absent"


class NoLatePlayer(Refusal):
    """The turn isn't late, or is already over."""

    rule = "moment"


class IsPaused(Refusal):
    """The match is paused."""

    rule = "pause"


class NotPaused(Refusal):
    """The match is not paused."""

    rule = "pause"


class NobodyToNudge(Refusal):
    """It's the turn of the user who nudges, or of an AI player."""

    rule = "nudge"


@dataclass(eq=False)
class NudgedRecently(Refusal):
    """The player to act was nudged a short time ago. The next nudge is possible at `at` (UTC milliseconds)."""

    rule = "nudge"
    at: int


class NotLastPlace(Refusal):
    """Only the player in last place can change the options for a rematch."""

    rule = "over"


class UndoNotAllowed(Refusal):
    """The table doesn't allow undo."""

    rule = "undo"


class NoHints(Refusal):
    """The table or its server doesn't allow hints, or the match is rated."""

    rule = "hint"


class TooManyUndos(LimitRefusal):
    """A player has taken back as many moves in this hand as `limits.UNDOS` allows."""

    rule = "undo"


@dataclass(eq=False)
class NotInvited(Refusal):
    """The table is private, and the host hasn't invited the user."""

    rule = "private"
    host_id: int


@dataclass(eq=False)
class RemovedByHost(Refusal):
    """The host has removed this user and hasn't invited them since."""

    rule = "private"
    host_id: int


class NoAiToRemove(Refusal):
    """No AI player sits at the table."""

    rule = "seats"


class OutdatedAction(Refusal):
    """The press or deadline belongs to an earlier state of the table."""

    rule = "moment"


@dataclass(eq=False)
class BadTimeZone(Refusal):
    """No time zone has this name. `suggestions` holds similar names."""

    typed: str
    suggestions: tuple[str, ...] = ()


@dataclass(eq=False)
class BadTime(Refusal):
    """The text isn't a time of day."""

    typed: str


class BadDate(BadTime):
    """The text isn't a date."""


class BadQuietHours(LimitRefusal):
    """Quiet hours that never end, or that leave too little of the day. The limit is in hours."""


class BadHolidays(LimitRefusal):
    """Holidays that end before they begin, are over, are too long, or are too far away. The limit is in days."""


class StatisticsHidden(Refusal):
    """The user has hidden their statistics from others."""

    rule = "figures"


class FileNotFetched(Refusal):
    """Discord didn't return a file that was attached to a command."""


class RecordTooLong(LimitRefusal):
    """A record that is too long to be read. The limit is in bytes."""


class ExportTooLarge(LimitRefusal):
    """Even compressed, the export is larger than the files that the app can send here. The limit is in bytes."""


class ImportExpired(Refusal):
    """The imported record has been deleted: after some days, or because the user imported another one."""


class DailyAlreadyDealt(Refusal):
    """The user was dealt today's hand before they deleted their data."""


class DailyNotOver(Refusal):
    """Other players can still play this hand of the day."""

    rule = "secrets"


class NotPostedYet(Refusal):
    """The table's message isn't posted yet; its id is part of the salt of the deals."""


@dataclass(eq=False)
class DuplicateRefusal(Refusal):
    """An action that a duplicate match doesn't allow. `duplicate_of` is the other table."""

    rule = "twins"
    duplicate_of: int


class DuplicateNotOver(DuplicateRefusal):
    """The same deals are being played at the other table, or will be."""


class PlaysAtDuplicate(DuplicateRefusal):
    """The user has sat at the other table, so they know some of the cards."""


class HasDuplicate(DuplicateRefusal):
    """Another table already plays the deals of this one."""


class DuplicateBeginsFirst(DuplicateRefusal):
    """The salt of the deals comes from the other table, so that one starts first."""


class GameFixedByDuplicate(DuplicateRefusal):
    """Both tables play the same game, so its options can't change."""


class BadCut(Refusal):
    """The text typed for a cut isn't a number from 1 to 63."""


class NoCutAtDuplicate(DuplicateRefusal):
    """The deals come from the other table, so the players of this one can't cut the deck."""


class CoachAway(Refusal):
    """The process that reviews moves isn't ready, or the machine can't run it."""


class PracticeGone(Refusal):
    """The user has no practice hand: it was deleted after its period."""


class CoachBusy(Refusal):
    """The coach still reviews something for the same user."""


@dataclass(eq=False)
class TryAgainLater(Refusal):
    """The user did something too often in a short time (see `limits.RATES`)."""

    seconds: int
    """Seconds to wait, at least 1."""


class TooManyAtOnce(LimitRefusal):
    """More users were invited at once than the rate of invitations allows (see `limits.RATES`)."""


class MayNotPost(Refusal):
    """The user may not write in this channel, so the app doesn't post for them."""


class HandTooLong(Refusal):
    """The hand has too many moves to be drawn."""


class Restarting(Refusal):
    """The app is stopping and doesn't start anything new."""


class TooManyPictures(Refusal):
    """Too many pictures for the same user are waiting to be drawn (`limits.PICTURES`)."""


class TooManyTables(LimitRefusal):
    """The host has as many open tables in this guild as it allows."""

    rule = "server"


class GuildIsFull(LimitRefusal):
    """The guild has as many open tables as it allows."""

    rule = "server"


class TooManyInvited(LimitRefusal):
    """The table has too many invitations (`limits.INVITED`)."""
