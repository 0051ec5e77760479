"""Discord's error responses: HTTP status, JSON error code, message and, for invalid forms, the path of each fault.

Refusal
 └─ InvalidForm      the body is invalid; `faults` say why and where
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from playground.components import Json, Path


@dataclass(frozen=True, slots=True)
class Reason:
    """A kind of error response. A violation is always the app's mistake; other errors can have other causes."""

    status: int
    code: int
    message: str
    is_violation: bool = False


UNAUTHORIZED = Reason(401, 0, "401: Unauthorized", is_violation=True)
EXPIRED_BEARER = Reason(401, 0, "401: Unauthorized")
NO_SUCH_ROUTE = Reason(404, 0, "404: Not Found", is_violation=True)
NO_SUCH_INSTANCE = Reason(404, 0, "404: Not Found")
WRONG_METHOD = Reason(405, 0, "405: Method Not Allowed", is_violation=True)
UNKNOWN_CHANNEL = Reason(404, 10003, "Unknown Channel")
UNKNOWN_GUILD = Reason(404, 10004, "Unknown Guild")
UNKNOWN_MEMBER = Reason(404, 10007, "Unknown Member")
UNKNOWN_MESSAGE = Reason(404, 10008, "Unknown Message")
UNKNOWN_USER = Reason(404, 10013, "Unknown User")
UNKNOWN_EMOJI = Reason(404, 10014, "Unknown Emoji")
UNKNOWN_WEBHOOK = Reason(404, 10015, "Unknown Webhook", is_violation=True)
UNKNOWN_INTERACTION = Reason(404, 10062, "Unknown interaction", is_violation=True)
TOO_MANY_CREATES = Reason(400, 30034, "Max number of daily application command creates has been reached (200)")
TOO_MANY_EMOJIS = Reason(400, 30008, "Maximum number of emojis reached (2000)", is_violation=True)
TOO_MANY_OLD_EDITS = Reason(
    429, 30046, "Maximum number of edits to messages older than 1 hour reached. Try again later."
)
TOO_LARGE = Reason(413, 40005, "Request entity too large", is_violation=True)
ALREADY_ACKNOWLEDGED = Reason(400, 40060, "Interaction has already been acknowledged.", is_violation=True)
MISSING_ACCESS = Reason(403, 50001, "Missing Access")
NOT_THE_AUTHOR = Reason(403, 50005, "Cannot edit a message authored by another user", is_violation=True)
EMPTY_MESSAGE = Reason(400, 50006, "Cannot send an empty message", is_violation=True)
CANNOT_MESSAGE_USER = Reason(403, 50007, "Cannot send messages to this user")
MISSING_PERMISSIONS = Reason(403, 50013, "Missing Permissions")
NOT_A_TEXT_CHANNEL = Reason(400, 50008, "Cannot send messages in a non-text channel", is_violation=True)
NO_THREADS_HERE = Reason(400, 50024, "Cannot execute action on this channel type")
TOKEN_EXPIRED = Reason(401, 50027, "Invalid Webhook Token")
THREAD_ARCHIVED = Reason(400, 50083, "Thread is archived")
ALREADY_A_THREAD = Reason(400, 160004, "A thread has already been created for this message")
TOO_MANY_THREADS = Reason(400, 160006, "Maximum number of active threads reached")
ENTRY_POINT_MISSING = Reason(
    400,
    50240,
    "You cannot remove this app's Entry Point command in a bulk update operation. Please include the Entry Point "
    "command in your update request or delete it separately.",
)
INVALID_JSON = Reason(400, 50109, "The request body contains invalid JSON.", is_violation=True)
INVALID_FORM = Reason(400, 50035, "Invalid Form Body", is_violation=True)
REFUSED_EMOJI = Reason(400, 50035, "Invalid Form Body")


@dataclass(frozen=True, slots=True)
class Fault:
    """An error in a form, with the path to the field."""

    at: Path
    code: str
    message: str

    def __str__(self) -> str:
        return f"{'.'.join(map(str, self.at)) or 'body'}: {self.message} ({self.code})"


class Refusal(Exception):
    """A request that Discord refuses."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(detail or reason.message)
        self.reason = reason

    def body(self) -> Json:
        """The JSON of the error response."""
        return {"message": self.reason.message, "code": self.reason.code}


class InvalidForm(Refusal):
    """A request with an invalid body. Emoji of the application may be refused without its fault."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        are_emoji = all((each.at[-1:], each.code) == (("id",), "COMPONENT_INVALID_EMOJI") for each in faults)
        super().__init__(REFUSED_EMOJI if are_emoji else INVALID_FORM, "; ".join(map(str, faults)))
        self.faults = tuple(faults)

    def body(self) -> Json:
        """The JSON of the error response, with the faults as a tree."""
        return super().body() | {"errors": error_tree(self.faults)}


def error_tree(faults: Sequence[Fault]) -> Json:
    """Nest the faults by their paths. Each leaf is a list named `_errors`."""
    tree: dict[str, Any] = {}
    for fault in faults:
        node = tree
        for step in fault.at:
            node = node.setdefault(str(step), {})
        node.setdefault("_errors", []).append({"code": fault.code, "message": fault.message})
    return tree
