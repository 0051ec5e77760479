"""The connection to Discord's gateway: it skips unreadable payloads, and each shard reconnects by itself.

discord.py 2.7.1 stops the client with all its shards at the first such payload (`discord.shard.Shard.worker`), and
connects no shard while another one waits for its next attempt (`discord.AutoShardedClient.connect`).
"""

import asyncio
import json
import logging
import traceback
from typing import Any, Final, Self

import aiohttp
import discord
from discord.errors import ConnectionClosed, PrivilegedIntentsRequired
from discord.gateway import DiscordWebSocket, ReconnectWebSocket
from discord.shard import Shard

log = logging.getLogger(__name__)

MAX_KINDS: Final = 100
"""Kinds of unreadable payloads that are logged, each once because there may be thousands of them."""
RESUMABLE_CLOSE_CODE: Final = 4000
"""Closes a connection so that its session can be resumed."""
MAX_DELAY_EXPONENT: Final = 8
"""A shard waits at most this power of two in seconds for its next attempt, instead of discord.py's 17 minutes.

Each attempt may begin a session, and Discord allows 1000 a day.
"""
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

    _logged: Final[set[tuple[object, ...]]] = set()
    """Kinds of unreadable payloads that any shard has logged."""

    @classmethod
    async def from_client(cls, client: Any, *, resume: bool = False, **options: Any) -> Self:  # noqa: ANN401
        """Connect a shard of a `ShardedBot`. A new session waits before it connects, not in the connection."""
        if not resume:
            await client.wait_for_session()
        return await super().from_client(client, resume=resume, **options)

    async def received_message(self, msg: Any, /) -> None:  # noqa: ANN401  # text or bytes, as in discord.py
        """Handle a payload like discord.py, or skip it if it's unreadable.

        Raises ConnectionError if the connection is useless without the payload: discord.py then reconnects, with
        increasing delays.
        """
        text = await self._decompress(msg) if isinstance(msg, bytes) else msg
        if text is None:
            return
        before = self.sequence
        try:
            await super().received_message(text)
        except _EXPECTED:
            raise
        except Exception as error:
            await self._skip(text, error)
        if self.sequence is not None and type(self.sequence) is not int:
            self.sequence = before

    async def _decompress(self, data: bytes) -> str | None:
        """The text of a payload; None if it's incomplete or isn't text."""
        try:
            return self._decompressor.decompress(data)
        except UnicodeDecodeError as error:
            self._log("no text", error)
        except Exception as error:  # zlib's or zstd's own; later data couldn't be decompressed either
            self._log("no compressed data", error)
            await self.close(RESUMABLE_CLOSE_CODE)
            raise ReconnectWebSocket(self.shard_id) from None
        return None

    async def _skip(self, text: str, error: Exception) -> None:
        try:
            payload = json.loads(text)
        except (ValueError, RecursionError):
            payload = None
        if not isinstance(payload, dict):
            self._log("no JSON object", error)
            return
        op, event, data = payload.get("op"), payload.get("t"), payload.get("d")
        name = f"opcode {op}" if isinstance(op, int) else "no opcode"
        if isinstance(event, str) and event in self._discord_parsers:
            name = event
        self._log(name, error, data)
        if op == self.HELLO or event == "READY":
            await self.close(RESUMABLE_CLOSE_CODE)
            raise ConnectionError(f"{name} is unreadable")

    def _log(self, name: str, error: Exception, data: object = None) -> None:
        """Log a kind of payload once, without its content."""
        place = traceback.extract_tb(error.__traceback__)[-1]
        kind = (name, type(error).__name__, place.name)
        if kind in self._logged or len(self._logged) >= MAX_KINDS:
            return
        self._logged.add(kind)
        keys = (
            sorted(key[:40] for key in data if key.isidentifier())[:30]
            if isinstance(data, dict)
            else type(data).__name__
        )
        log.error(
            "skipping unreadable payloads from Discord (each kind is logged once): %s, %s in %s, keys: %s",
            *kind,
            keys,
        )

    @property
    def acknowledged_at(self) -> float | None:
        """The `time.perf_counter` at which Discord last acknowledged a heartbeat; None before the first time."""
        heart = self._keep_alive
        if heart is None or heart.latency == float("inf"):
            return None
        return heart._last_ack  # noqa: SLF001  # there is no public attribute


class IndependentShard(Shard):
    """A shard that waits for its next attempt to connect without delaying other shards."""

    def __init__(self, *args: Any) -> None:  # noqa: ANN401  # discord.py's own
        super().__init__(*args)
        self._backoff._max = MAX_DELAY_EXPONENT  # noqa: SLF001  # there is no option
        self._waiting: asyncio.Task[None] | None = None

    async def _handle_disconnect(self, error: Exception) -> None:
        self._waiting = asyncio.create_task(super()._handle_disconnect(error), name=f"reconnecting shard {self.id}")

    def _cancel_task(self) -> None:
        super()._cancel_task()
        if self._waiting is not None:
            self._waiting.cancel()


def close_code(error: ConnectionClosed | PrivilegedIntentsRequired) -> int:
    """The code with which Discord closed the connection."""
    return error.code if isinstance(error, ConnectionClosed) else DISALLOWED_INTENTS


def close_reason(code: int) -> str:
    """The meaning of a close code."""
    return _REASONS.get(code, "unknown reason")


def install() -> None:
    """Make discord.py use these classes."""
    discord.shard.DiscordWebSocket = TolerantWebSocket  # type: ignore[misc]  # discord.py has no option for it
    discord.shard.Shard = IndependentShard  # type: ignore[assignment,misc]
