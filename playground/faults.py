"""Bad days on demand: the next requests fail as Discord sometimes does.

world.faults.next("POST", "/channels/*/messages", status=500)
world.faults.next("POST", "/channels/*/messages", status="reset", after=True)   # done, but the answer is lost
"""

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

Status = int | Literal["timeout", "reset"]


@dataclass(slots=True)
class InjectedFault:
    """What is to go wrong, and how many times more."""

    method: str
    pattern: str
    status: Status
    after: bool
    times: int


class FaultInjector:
    """Troubles that lie in wait."""

    def __init__(self) -> None:
        self._waiting: list[InjectedFault] = []

    def next(
        self, method: str, route_pattern: str, *, status: Status = 500, times: int = 1, after: bool = False
    ) -> None:
        """Let the next `times` requests fail whose path (without /api/v10) fits the pattern.

        A status of 429 carries `retry_after`; "timeout" never answers; "reset" cuts the connection.
        With `after` the request takes effect first and only its answer is lost.
        """
        self._waiting.append(InjectedFault(method, route_pattern, status, after, times))

    def clear(self) -> None:
        """Let all that lies in wait pass."""
        self._waiting.clear()

    @property
    def waiting(self) -> int:
        """How many have not befallen anything yet."""
        return len(self._waiting)

    def take(self, method: str, path: str) -> InjectedFault | None:
        """The trouble that befalls this request, used up by it."""
        for fault in self._waiting:
            if fault.method == method and fnmatchcase(path, fault.pattern):
                fault.times -= 1
                if fault.times == 0:
                    self._waiting.remove(fault)
                return fault
        return None
