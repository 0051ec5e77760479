"""The connections to Discord's gateway. They skip unreadable payloads.

discord.py 2.7.1 stops the client with all its shards at the first such payload (`discord.shard.Shard.worker`).
"""

import json
import logging
import time
import traceback
from collections.abc import Callable, Collection
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Any, Final, Self

import aiohttp
import discord
import yarl
from discord.backoff import ExponentialBackoff
from discord.errors import ConnectionClosed, PrivilegedIntentsRequired
from discord.ext import commands
from discord.gateway import DiscordWebSocket, ReconnectWebSocket

from bot.discord_client.sessions import NewSessions

log = logging.getLogger(__name__)

RESUMABLE_CLOSE_CODE: Final = 4000
"""Closes a connection so that its session can be resumed."""
MAX_DELAY: Final = 60.0
"""Seconds."""
TOKEN_REFUSED: Final = 4004
"""Closes a connection whose token is wrong or was reset."""
DISALLOWED_INTENTS: Final = 4014
"""The close code that discord.py turns into `PrivilegedIntentsRequired`."""
_REASONS: Final = {
    4010: "invalid shard",
    4011: "sharding required",
    4012: "invalid API version",
    4013: "invalid intents",
    DISALLOWED_INTENTS: "disallowed intents",
}
"""The other codes after which discord.py doesn't reconnect."""
_EXPECTED: Final = (ReconnectWebSocket, ConnectionClosed, ConnectionError, aiohttp.ClientError)
"""Errors after which discord.py reconnects."""


class TolerantWebSocket(DiscordWebSocket):
    """One shard's connection."""

    on_acknowledgement: Callable[[], None] = staticmethod(lambda: None)
    """Called when Discord has acknowledged a heartbeat."""
    known_guilds: Callable[[], set[int]] = staticmethod(set)
    """The ids of the shard's guilds in discord.py's cache."""

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401  # discord.py's own
        super().__init__(*args, **options)
        self._text: str | None = None
        """The payload that is being handled; None before it is decompressed."""
        self._last_latency = self.latency

    @classmethod
    async def from_client(
        cls,
        client: Any,  # noqa: ANN401  # discord.py's own, like the options
        *,
        resume: bool = False,
        gateway: yarl.URL | None = None,
        **options: Any,  # noqa: ANN401
    ) -> Self:
        """Connect a shard. A new session waits before it connects: an idle connection can be lost unnoticed."""
        if not isinstance(client, ShardedBot):
            return await super().from_client(client, resume=resume, gateway=gateway, **options)
        if resume:
            connection = await super().from_client(client, resume=True, gateway=gateway, **options)
        else:
            async with client.beginning_session():
                connection = await super().from_client(client, gateway=client.gateway_url, **options)
        connection.on_acknowledgement = partial(client.record_acknowledgement, connection.shard_id)
        connection.known_guilds = partial(client.guilds_of_shard, connection.shard_id)
        return connection

    async def received_message(self, msg: Any, /) -> None:  # noqa: ANN401  # text or bytes, as in discord.py
        """Handle a payload like discord.py, or skip it if it's unreadable.

        Raises ConnectionError if the connection is useless without the payload: discord.py then reconnects, with
        increasing delays.
        """
        before, session, self._text = self.sequence, self.session_id, None
        try:
            await super().received_message(msg)
            if self.session_id != session and self.session_id is not None:
                await self._forget_guilds()
        except _EXPECTED:
            raise
        except Exception as error:
            await self._skip(error)
        if self.sequence is not None and type(self.sequence) is not int:
            self.sequence = before
        if self.latency != self._last_latency:  # it was measured again
            self._last_latency = self.latency
            self.on_acknowledgement()

    async def _forget_guilds(self) -> None:
        """Handle the removals from guilds that Discord couldn't tell: a new session lists those that are left.

        discord.py 2.7.1 keeps the others (`AutoShardedConnectionState.parse_ready`).
        """
        here = {int(guild["id"]) for guild in json.loads(self._text or "")["d"]["guilds"]}
        for gone in self.known_guilds() - here:
            removal = {"op": self.DISPATCH, "t": "GUILD_DELETE", "s": self.sequence, "d": {"id": str(gone)}}
            await super().received_message(json.dumps(removal))

    def log_receive(self, text: Any, /) -> None:  # noqa: ANN401  # discord.py's own
        """Keep the text of a payload. discord.py calls this as soon as it's decompressed."""
        self._text = text

    async def _skip(self, error: Exception) -> None:
        if self._text is None:
            await self._skip_compressed(error)
            return
        try:
            payload = json.loads(self._text)
        except (ValueError, RecursionError):
            payload = None
        if not isinstance(payload, dict):
            _log("no JSON object", error)
            return
        op, event = payload.get("op"), payload.get("t")
        name = f"opcode {op}" if isinstance(op, int) else "no opcode"
        if isinstance(event, str):  # discord.py skips those that it doesn't know, so this is one of few
            name = event
        _log(name, error)
        if op == self.HELLO or event == "READY":
            await self.close(RESUMABLE_CLOSE_CODE)
            raise ConnectionError(f"{name} is unreadable")

    async def _skip_compressed(self, error: Exception) -> None:
        if isinstance(error, UnicodeDecodeError):
            _log("no text", error)
            return
        _log("no compressed data", error)  # later data couldn't be decompressed either
        await self.close(RESUMABLE_CLOSE_CODE)
        raise ReconnectWebSocket(self.shard_id) from None


def _log(name: str, error: Exception) -> None:
    """Log an unreadable payload without its content. There may be thousands; the log limits repeated lines."""
    place = traceback.extract_tb(error.__traceback__)[-1].name
    log.error("skipping an unreadable payload from Discord: %s, %s in %s", name, type(error).__name__, place)


class ShortBackoff(ExponentialBackoff[bool]):
    """The waits before attempts to connect: at most `MAX_DELAY` seconds, instead of discord.py's 17 minutes.

    Other shards wait as well meanwhile.
    """

    def delay(self) -> float:
        """The seconds before the next attempt."""
        return min(super().delay(), MAX_DELAY)


class ShardedBot(commands.AutoShardedBot):
    """The connections of this process to Discord's gateway."""

    gateway_url: yarl.URL | None = None
    """Where sessions begin; None for Discord's own address."""

    def __init__(self, new_sessions: NewSessions, **options: Any) -> None:  # noqa: ANN401  # discord.py's
        install()
        super().__init__(shard_connect_timeout=None, **options)  # a shard may wait for hours for a new session
        self._new_sessions = new_sessions
        self.connected_shards: set[int] = set()
        """Those with a session, so that presses arrive."""
        self.ready_shards: set[int] = set()
        """Those whose guilds are known as well."""
        self._acknowledged: dict[int | None, float] = {}
        """When each shard last had a heartbeat acknowledged (`time.monotonic`)."""

    async def choose_shards(self, count: int | None, own: Collection[int] | None) -> None:
        """Connect to the shards `own` of `count` later, by default to as many as Discord recommends."""
        if count is None:
            count, *_ = await self.http.get_bot_gateway()
        self.shard_count = count
        self.shard_ids = sorted(range(count) if own is None else own)

    def beginning_session(self) -> AbstractAsyncContextManager[None]:
        """The block in which a session begins."""
        return self._new_sessions.beginning(self.fetch_session_start_limits)

    async def before_identify_hook(self, _shard: int | None, *, initial: bool = False) -> None:
        """Don't wait again."""

    async def close(self) -> None:
        """Close all connections."""
        await super().close()
        await self._new_sessions.close()

    async def on_shard_connect(self, shard: int) -> None:
        """Record that a shard has a session."""
        self.connected_shards.add(shard)

    async def on_shard_ready(self, shard: int) -> None:
        """Record that the guilds of a shard are known. Once all are, tell the cogs, and after each new session."""
        self.ready_shards.add(shard)
        if self.ready_shards.issuperset(self.shard_ids or ()):
            self.dispatch("guilds_known")

    async def on_shard_resumed(self, shard: int) -> None:
        """Record that a shard is connected again."""
        self.connected_shards.add(shard)
        self.ready_shards.add(shard)

    async def on_shard_disconnect(self, shard: int) -> None:
        """Record that a shard isn't connected."""
        self.connected_shards.discard(shard)
        self.ready_shards.discard(shard)

    def guilds_of_shard(self, shard: int | None) -> set[int]:
        """The ids of a shard's guilds in the cache."""
        return {guild.id for guild in self.guilds if guild.shard_id == shard}

    def record_acknowledgement(self, shard: int | None) -> None:
        """Record that Discord has acknowledged a heartbeat of a shard."""
        self._acknowledged[shard] = time.monotonic()

    def heartbeat_acknowledged_at(self) -> float | None:
        """When Discord last acknowledged a heartbeat, on the shard with the oldest one (`time.monotonic`).

        None if a shard has never had one acknowledged.
        """
        own = set(self.shard_ids or ())
        if not own or not self._acknowledged.keys() >= own:
            return None
        return min(self._acknowledged[number] for number in own)


def close_code(error: ConnectionClosed | PrivilegedIntentsRequired) -> int:
    """The code with which Discord closed the connection."""
    return error.code if isinstance(error, ConnectionClosed) else DISALLOWED_INTENTS


def close_reason(code: int) -> str:
    """The meaning of a close code."""
    return _REASONS.get(code, "unknown reason")


def install() -> None:
    """Make discord.py use these classes."""
    discord.shard.DiscordWebSocket = TolerantWebSocket  # type: ignore[misc]  # discord.py has no option for it
    discord.shard.ExponentialBackoff = ShortBackoff  # type: ignore[assignment,attr-defined]
