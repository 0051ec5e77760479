"""A Discord client that connects to some shards, and to others later."""

import asyncio
import time
from collections.abc import Collection
from typing import Any, Final

from discord.ext import commands
from discord.gateway import DiscordWebSocket

from bot import gateway

IDENTIFY_SECONDS: Final = 5.0
"""Seconds between two new sessions. https://docs.discord.com/developers/events/gateway#identifying"""


class ShardedBot(commands.AutoShardedBot):
    """The connections of this process to Discord's gateway."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401  # discord.py's own
        gateway.install()
        super().__init__(**options)
        self._joined: set[int] = set()
        """The shards to which this process connects."""
        self.ready_shards: set[int] = set()
        """Those whose guilds are known."""
        self._acknowledged: dict[int, float] = {}
        """When each shard last had a heartbeat acknowledged (`time.monotonic`)."""
        self._beginning = asyncio.Lock()
        self._began_at = float("-inf")
        """When the last session began (`time.monotonic`)."""

    async def begin_with_shards(self, count: int | None, own: Collection[int] | None) -> tuple[int, frozenset[int]]:
        """Connect to the shards `own` of `count`, by default to as many as Discord recommends. Returns both."""
        if count is None:
            count, *_ = await self.http.get_bot_gateway()
        self.shard_count = count
        self._joined = {*range(count)} if own is None else {*own}
        self.shard_ids = sorted(self._joined)
        return count, frozenset(self._joined)

    def has_joined(self, shard: int) -> bool:
        """True if this process is connected to a shard, or tries to be."""
        return shard in self._joined

    async def join_shard(self, shard: int) -> None:
        """Connect to one more shard."""
        self._joined.add(shard)
        known = self.get_shard(shard)
        if known is None:
            await self.launch_shard(DiscordWebSocket.DEFAULT_GATEWAY, shard)
        else:
            await known.connect()

    async def before_identify_hook(self, _shard: int | None, *, initial: bool = False) -> None:
        """Begin a session at once: `wait_for_session` has waited. By default, discord.py waits for five seconds."""

    async def wait_for_session(self) -> None:
        """Wait until Discord accepts another session of this process."""
        async with self._beginning:
            await asyncio.sleep(self._began_at + IDENTIFY_SECONDS - time.monotonic())
            self._began_at = time.monotonic()

    async def leave_shard(self, shard: int) -> None:
        """Disconnect from a shard."""
        self._joined.discard(shard)
        known = self.get_shard(shard)
        if known is not None:
            await known.disconnect()

    async def on_shard_ready(self, shard: int) -> None:
        """Record that the guilds of a shard are known."""
        self.ready_shards.add(shard)

    async def on_shard_resumed(self, shard: int) -> None:
        """Record that a shard is connected again."""
        self.ready_shards.add(shard)

    async def on_shard_disconnect(self, shard: int) -> None:
        """Record that a shard isn't connected."""
        self.ready_shards.discard(shard)

    def heartbeat_acknowledged_at(self) -> float | None:
        """When Discord last acknowledged a heartbeat, on the shard with the oldest one (`time.monotonic`).

        None if a shard has never had one acknowledged.
        """
        for number in self._joined.intersection(self.shards):
            connection = self._get_websocket(shard_id=number)
            if isinstance(connection, gateway.TolerantWebSocket) and connection.acknowledged_at is not None:
                self._acknowledged[number] = time.monotonic() - (time.perf_counter() - connection.acknowledged_at)
        if not self._joined or not self._acknowledged.keys() >= self._joined:
            return None
        return min(self._acknowledged[number] for number in self._joined)
