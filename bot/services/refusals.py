"""What a table refuses apart from the rules of the game; each carries the facts that a sentence needs."""

from dataclasses import dataclass


class Refusal(Exception):
    """Something that cannot be done now. Nothing has changed."""


class NoSuchTable(Refusal):
    """No table of this number, or not in this server."""


class TableIsClosed(Refusal):
    """The match is over, or the table was closed."""


class HasStarted(Refusal):
    """The match runs already, so its seats and options stay as they are."""


class HasNotStarted(Refusal):
    """The match has not begun."""


class NoTableOfYours(Refusal):
    """No table was named, and none suggests itself."""


class UnknownButton(Refusal):
    """A button of an earlier version, or none of ours."""


class StillPlaying(Refusal):
    """The record of a match holds hands, so it is given out when the match is over."""


class AlreadySeated(Refusal):
    """Whoever joins sits there already."""


class NotSeated(Refusal):
    """Whoever asks does not play at this table."""


@dataclass(eq=False)
class TableIsFull(Refusal):
    """All seats are taken."""

    size: int


@dataclass(eq=False)
class SeatsAreEmpty(Refusal):
    """A match begins with all seats taken."""

    empty: int


@dataclass(eq=False)
class HostOnly(Refusal):
    """Only the host may do this (closing: the host, or who manages the server)."""

    host_id: int


class ManagersOnly(Refusal):
    """Only who manages the server may do this."""


@dataclass(eq=False)
class NotInThisChannel(Refusal):
    """The server has tables opened elsewhere."""

    channels: tuple[int, ...]


@dataclass(eq=False)
class NotYourRole(Refusal):
    """The server lets only who has one of these roles open tables."""

    roles: tuple[int, ...]


class SeasonHasPassed(Refusal):
    """The season is not the one that runs now."""


class HasConceded(Refusal):
    """A robot plays this seat to the end, as its owner wished."""


class SomebodySitsIn(Refusal):
    """Somebody or something plays this seat for its owner, who may come back."""


class NotAway(Refusal):
    """Nobody sits in for whoever comes back."""


class NobodyIsLate(Refusal):
    """The turn has time left, or was taken meanwhile."""


class IsPaused(Refusal):
    """The match is paused."""


class NotPaused(Refusal):
    """The match is not paused."""


class NothingToNudge(Refusal):
    """Whoever nudges is to act, or a robot is."""


@dataclass(eq=False)
class NudgedOfLate(Refusal):
    """Whoever is to act was told of late; again from `at` on (UTC milliseconds)."""

    at: int


class NotLast(Refusal):
    """The choice of options for a rematch belongs to who came last."""


class UndoNotAllowed(Refusal):
    """Plays cannot be taken back at this table."""


@dataclass(eq=False)
class NotInvited(Refusal):
    """The table is private; its host invites."""

    host_id: int


@dataclass(eq=False)
class SentAway(Refusal):
    """The host has sent this person away, and has not invited them since."""

    host_id: int


class NoRobotThere(Refusal):
    """There is no robot to send away."""


class MomentHasPassed(Refusal):
    """The click was on something that is no longer so: the table has moved on since."""


@dataclass(eq=False)
class BadZone(Refusal):
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
class BadHours(Refusal):
    """Quiet hours that never end, or leave too little of the day."""

    most: int
    """How many hours they may last."""


@dataclass(eq=False)
class BadDays(Refusal):
    """Holidays that end before they begin, are over, are too long, or too far away."""

    most: int
    """How many days they may last."""


class KeepsToThemselves(Refusal):
    """Somebody shows their figures to nobody else."""


@dataclass(eq=False)
class RecordTooLong(Refusal):
    """A file that is longer than records are read."""

    most: int
    """Bytes."""


class ImportIsGone(Refusal):
    """A record that somebody has brought to look at is kept for some days, or until their next one."""


class DayIsNotOver(Refusal):
    """The hand of the day is still being played by others."""


@dataclass(eq=False)
class OfTwins(Refusal):
    """Something that two tables that play the same deals do not allow."""

    twin_id: int
    """The other table."""


class TwinStillPlays(OfTwins):
    """The same deals are still played at the other table, or are to be."""


class PlaysTheTwin(OfTwins):
    """Whoever joins or opens a table has sat at the other, and knows cards of it."""


class HasTwin(OfTwins):
    """Another table plays the deals of this one already."""


class TwinBeginsFirst(OfTwins):
    """The salt of the deals comes from the other table, so this one begins after it."""


class SameAtTwins(OfTwins):
    """What two tables play that play the same deals stays as it is."""
