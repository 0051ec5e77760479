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


class HasConceded(Refusal):
    """A robot plays this seat to the end, as its owner wished."""


class NoRobotThere(Refusal):
    """There is no robot to send away."""


class MomentHasPassed(Refusal):
    """The click was on something that is no longer so: the table has moved on since."""
