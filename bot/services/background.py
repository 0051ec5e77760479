"""Work that is too long for the event loop."""

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from bot.fair_queue import Requester
from bot.services.fair_lock import WORK_WAITING, FairLock

Args = ParamSpec("Args")
Result = TypeVar("Result")


class Background:
    """Runs CPU-heavy functions in a thread, one at a time, for guilds and users in turn.

    Two such threads at once would let the event loop wait twice as long for its turn (`sys.getswitchinterval`).
    It is never awaited with a connection or a lock in hand: others would wait for those meanwhile.
    """

    def __init__(self) -> None:
        self._lock = FairLock(WORK_WAITING)

    @property
    def is_busy(self) -> bool:
        """True if a new function would have to wait."""
        return self._lock.is_held

    async def run(
        self, requester: Requester | None, function: Callable[Args, Result], *args: Args.args, **named: Args.kwargs
    ) -> Result:
        """The result of a function, which must not touch what the event loop changes. Raises what it raises.

        Without a requester it is the app's own work. Raises `TryAgainLater` if too much waits already.
        """
        async with self._lock.turn(requester):
            return await asyncio.to_thread(function, *args, **named)
