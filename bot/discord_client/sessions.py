"""New sessions at Discord: one begins at a time, and the last ones of a day aren't used up.

Discord accepts one IDENTIFY in five seconds from all processes of a bot together, and about a thousand a day. After
that, it resets the bot's token. https://docs.discord.com/developers/events/gateway#identifying
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, nullcontext, suppress
from datetime import timedelta
from typing import Final, TypeAlias

import discord

from bot.table.errors import StorageError

log = logging.getLogger(__name__)

PACE_SECONDS: Final = 5.5
"""Seconds between the beginnings of two sessions: half a second more than Discord asks for, as messages take time."""
RESERVE: Final = 20
"""Sessions of a day that are left for restarts by the host."""

Lock: TypeAlias = Callable[[], AbstractAsyncContextManager[object]]
"""Returns the block in which a session begins. No other process is in such a block at the same time."""


class NewSessions:
    """Decides when this process may begin a session."""

    def __init__(self, lock: Lock = nullcontext) -> None:
        """`lock` is shared with other processes of the bot."""
        self._lock_here = asyncio.Lock()
        self._lock = lock
        self._releasing: set[asyncio.Task[None]] = set()
        """Each keeps the locks for some seconds after a session has begun."""
        self._closing = asyncio.Event()
        self._is_waiting = False
        """True if too few sessions are left today."""

    @asynccontextmanager
    async def beginning(self, limits: Callable[[], Awaitable[discord.SessionStartLimits]]) -> AsyncIterator[None]:
        """Begin a session in the block, as soon as Discord allows it. `limits` asks for Discord's limits.

        Raises `ConnectionError` if the database can't be reached.
        """
        async with AsyncExitStack() as held:
            await self._wait(limits, held)
            try:
                yield
            finally:
                task = asyncio.create_task(self._release(held.pop_all()), name="pacing sessions")
                self._releasing.add(task)
                task.add_done_callback(self._releasing.discard)

    async def _wait(self, limits: Callable[[], Awaitable[discord.SessionStartLimits]], held: AsyncExitStack) -> None:
        """Wait until a session may begin. The locks are in `held` then."""
        while True:
            await held.enter_async_context(self._lock_here)
            try:
                await held.enter_async_context(self._lock())
            except StorageError as error:
                raise ConnectionError(f"the database can't be reached: {error}") from error
            if (found := await limits()).remaining > RESERVE:
                self._is_waiting = False
                return
            await held.aclose()
            if not self._is_waiting:
                end = discord.utils.utcnow() + timedelta(milliseconds=found.reset_after)
                log.warning(
                    "Discord allows only %d more sessions: no new one begins before %s UTC",
                    found.remaining,
                    f"{end:%Y-%m-%d %H:%M}",
                )
            self._is_waiting = True
            await asyncio.sleep(found.reset_after / 1000)

    async def _release(self, held: AsyncExitStack) -> None:
        async with held:
            with suppress(TimeoutError):
                async with asyncio.timeout(PACE_SECONDS):
                    await self._closing.wait()

    async def close(self) -> None:
        """Let others begin sessions."""
        self._closing.set()
        await asyncio.gather(*self._releasing, return_exceptions=True)
