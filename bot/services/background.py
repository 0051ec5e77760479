"""Work that is too long for the event loop."""

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

Args = ParamSpec("Args")
Result = TypeVar("Result")


class Background:
    """Runs CPU-heavy functions in a thread, one at a time.

    Two such threads at once would let the event loop wait twice as long for its turn (`sys.getswitchinterval`).
    """

    def __init__(self) -> None:
        self._free = asyncio.Semaphore()

    async def run(self, function: Callable[Args, Result], *args: Args.args, **named: Args.kwargs) -> Result:
        """The result of a function, which must not touch what the event loop changes. Raises what it raises."""
        async with self._free:
            return await asyncio.to_thread(function, *args, **named)
