"""The connection to Discord's gateway, which skips unreadable payloads.

discord.py 2.7.1 stops the client with all its shards at the first one (`discord.shard.Shard.worker`).
"""

import json
import logging
import traceback
from typing import Any, Final

import aiohttp
import discord
from discord.errors import ConnectionClosed, PrivilegedIntentsRequired
from discord.gateway import DiscordWebSocket, ReconnectWebSocket

log = logging.getLogger(__name__)

MAX_KINDS: Final = 100
"""Kinds of unreadable payloads that are logged, each once because there may be thousands of them."""
RESUMABLE_CLOSE_CODE: Final = 4000
"""Closes a connection so that its session can be resumed."""
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


def close_code(error: ConnectionClosed | PrivilegedIntentsRequired) -> int:
    """The code with which Discord closed the connection."""
    return error.code if isinstance(error, ConnectionClosed) else DISALLOWED_INTENTS


def close_reason(code: int) -> str:
    """The meaning of a close code."""
    return _REASONS.get(code, "unknown reason")


def install() -> None:
    """Make discord.py connect its shards with `TolerantWebSocket`."""
    discord.shard.DiscordWebSocket = TolerantWebSocket  # type: ignore[misc]  # discord.py has no option for it
