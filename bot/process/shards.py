"""Keeps the connected shards and the leases of this process in step.

The process is connected to its own shards even while another one serves them. It holds back their interactions for a
moment. So when the other process gives its leases back, no press is lost and none is handled twice.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from typing import Final

import discord

from bot.discord_client.client import GangBot
from bot.process.pauses import ANSWER_SECONDS, Pauses
from bot.services.leases import Leases
from bot.table.errors import StorageError
from bot.table.shards import Shards, milliseconds_of, shard_of

log = logging.getLogger(__name__)

BEAT_SECONDS: Final = 3.0
"""Seconds between two renewals of the leases."""
WAIT_SECONDS: Final = 0.5
"""Seconds between two attempts to take the leases of own shards."""
HOLD_SECONDS: Final = ANSWER_SECONDS - 1.0
"""Seconds for which interactions are held back while it's unknown which process handles them."""
RECENT_SECONDS: Final = 5.0
"""Seconds for which handled interactions are remembered, longer than `HOLD_SECONDS`."""


class ShardRunner:
    """Runs the shards of this process."""

    def __init__(self, client: GangBot, leases: Leases, take_over: Callable[[Shards], Awaitable[None]]) -> None:
        """`take_over` continues what another process has done for some shards. It may raise `StorageError`."""
        self._client = client
        self._leases = leases
        self._take_over = take_over
        self._not_taken_over: set[int] = set()
        """Shards for which `take_over` hasn't succeeded yet."""
        self._pauses = Pauses()
        self._changed = asyncio.Condition()
        """Notified after each attempt to renew the leases."""
        self._is_failing = False
        """True if the last attempt has failed."""
        self._recent: dict[int, float] = {}
        """When this process began to handle interactions (`time.monotonic`), by their ids, the oldest first."""
        self._leaving: set[int] = set()
        """Shards whose leases are being given back: their interactions are left to others from then on."""
        client.is_ours = self.is_ours
        client.add_listener(self._on_ready, "on_shard_ready")

    async def begin(self, count: int | None, own: Collection[int] | None) -> None:
        """Take the leases of the shards `own` of `count` if they are free; by default, of all that Discord recommends.

        Raises `StorageError`. The client must be logged in.
        """
        self._leases.begin(*await self._client.begin_with_shards(count, own))
        await self._step()

    async def run(self) -> None:
        """Renew the leases, and take others, until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._pauses.watch(), name="pauses")
            while True:
                await asyncio.sleep(WAIT_SECONDS if self._leases.is_waiting else BEAT_SECONDS)
                try:
                    await self._step()
                except StorageError as error:
                    log.warning("the leases of shards can't be renewed: %s", error)
                except Exception:
                    log.exception("the leases of shards can't be renewed")

    async def _step(self) -> None:
        try:
            step = await self._leases.step(self._client.ready_shards)
            self._is_failing = False
        except BaseException:
            self._is_failing = True
            raise
        finally:
            async with self._changed:
                self._changed.notify_all()
        for shard in step.lost:
            log.warning("another process serves shard %d now", shard)
            await self._leave(shard)
        for shard in step.requested:
            if self._leases.is_own(shard):
                log.warning("leaving shard %d to a process that is connected", shard)
            await self._give_back([shard])
            await self._leave(shard)
        if step.gained:
            await self._gain(step.gained)
        if self._not_taken_over:
            await self._take_over(Shards(self._leases.served().count, frozenset(self._not_taken_over)))
            self._not_taken_over.clear()

    async def _gain(self, shards: Collection[int]) -> None:
        self._not_taken_over.update(shards)
        for shard in shards:
            if shard in self._client.ready_shards:
                self._client.dispatch("shard_served", shard)
            elif not self._client.has_joined(shard):
                self._client.join_shard(shard)

    async def _leave(self, shard: int) -> None:
        """Disconnect from a shard, unless it's one of the process's own, for which it waits again."""
        self._not_taken_over.discard(shard)
        if not self._leases.is_own(shard):
            await self._client.leave_shard(shard)

    async def _on_ready(self, shard: int) -> None:
        if shard in self._leases.served().ids:
            self._client.dispatch("shard_served", shard)

    async def is_ours(self, interaction: discord.Interaction) -> bool:
        """True if this process handles an interaction, perhaps after the process that served its shard has stopped."""
        if self._pauses.outlasted(milliseconds_of(interaction.id) / 1000):
            return False
        shard = shard_of(interaction.guild_id, self._leases.served().count)
        if shard in self._leaving:
            return False
        if not self._is_certain_of(shard):
            with suppress(TimeoutError):
                async with asyncio.timeout(HOLD_SECONDS), self._changed:
                    await self._changed.wait_for(lambda: self._is_certain_of(shard))
        if shard in self._leaving or shard not in self._leases.served().ids:
            return False
        if self._leases.was_handled(shard, interaction.id) or interaction.id in self._recent:
            return False
        now = time.monotonic()
        self._recent[interaction.id] = now
        while self._recent[oldest := next(iter(self._recent))] < now - RECENT_SECONDS:
            del self._recent[oldest]
        return True

    def _is_certain_of(self, shard: int) -> bool:
        """True if this process surely serves a shard, or did before an outage of the database."""
        return shard in (self._leases.served() if self._is_failing else self._leases.certain()).ids

    async def hand_over(self) -> None:
        """Leave new interactions to other processes, if they wait for all shards that this one serves."""
        if self._leases.has_successors:
            await self.give_back()

    async def give_back(self) -> None:
        """Give all leases back."""
        try:
            await self._give_back(self._leases.served().ids)
        except StorageError as error:
            log.warning("the leases of shards can't be given back: %s", error)

    async def _give_back(self, shards: Collection[int]) -> None:
        self._leaving.update(shards)
        try:
            if shards:
                await self._leases.give_back(shards, [*self._recent])
        finally:
            self._leaving.difference_update(shards)
