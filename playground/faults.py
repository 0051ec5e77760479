"""Fault injection: let the next requests fail, or take their time, as they sometimes do on Discord.

world.faults.next("POST", "/channels/*/messages", status=500)
world.faults.next("POST", "/channels/*/messages", status="reset", after=True)   # done, but the response is lost
"""

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

Status = int | Literal["timeout", "reset", "slow", "html", "latin", "broken", "empty"]


@dataclass(slots=True)
class InjectedFault:
    """A fault for the next `times` requests that match."""

    method: str
    pattern: str
    status: Status
    after: bool
    times: int
    seconds: float
    code: int = 0


class FaultInjector:
    """The faults waiting for a matching request."""

    def __init__(self) -> None:
        self._waiting: list[InjectedFault] = []
        self.held: int = 0
        """The number of slow requests under way."""

    def next(
        self,
        method: str,
        route_pattern: str,
        *,
        status: Status = 500,
        times: int = 1,
        after: bool = False,
        seconds: float = 0.05,
        code: int = 0,
    ) -> None:
        """Let the next `times` requests fail whose path (without /api/v10) matches the pattern.

        An error's body has the JSON error `code`. With 429 the app has to wait for `seconds`; "slow" requests take
        effect after that time; "timeout" never responds; "reset" closes the connection; "html", "latin", "broken"
        and "empty" are successes with a page, a page that isn't in UTF-8, half of an object, or nothing. With `after`,
        the request takes effect and only its response is lost.
        """
        self._waiting.append(InjectedFault(method, route_pattern, status, after, times, seconds, code))

    def clear(self) -> None:
        """Remove all waiting faults."""
        self._waiting.clear()

    @property
    def waiting(self) -> int:
        """The number of faults that haven't been used up."""
        return len(self._waiting)

    def take(self, method: str, path: str) -> InjectedFault | None:
        """The fault for this request, if any. Uses it up once."""
        for fault in self._waiting:
            if fault.method == method and fnmatchcase(path, fault.pattern):
                fault.times -= 1
                if fault.times == 0:
                    self._waiting.remove(fault)
                return fault
        return None
