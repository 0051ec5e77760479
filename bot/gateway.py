"""The connection to Discord's gateway, which skips payloads that cannot be read.

discord.py 2.7.1 ends the client with all its shards on the first one (`discord.shard.Shard.worker`).
"""

import json
import logging
import traceback
from typing import Any, Final

import aiohttp
import discord
from discord.errors import ConnectionClosed
from discord.gateway import DiscordWebSocket, ReconnectWebSocket

log = logging.getLogger(__name__)

MOST_KINDS: Final = 100
"""How many kinds of unreadable payloads are logged; each once, as there may be thousands of them."""
RESUMABLE: Final = 4000
"""The code with which a connection is closed that is to be resumed."""
_EXPECTED: Final = (ReconnectWebSocket, ConnectionClosed, ConnectionError, aiohttp.ClientError)
"""What discord.py answers by connecting again."""


class SteadyWebSocket(DiscordWebSocket):
    """One shard's connection."""

    _logged: Final[set[tuple[object, ...]]] = set()
    """Kinds of unreadable payloads that were logged, of all shards."""

    async def received_message(self, msg: Any, /) -> None:  # noqa: ANN401  # text or bytes, as in discord.py
        """Handle a payload as discord.py does, or skip it.

        Raises ConnectionError where the connection is useless without it: discord.py then connects again, after a
        while that grows.
        """
        text = await self._decompressed(msg) if isinstance(msg, bytes) else msg
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

    async def _decompressed(self, data: bytes) -> str | None:
        """The text of a payload; None for a part of one, or for what is no text."""
        try:
            return self._decompressor.decompress(data)
        except UnicodeDecodeError as error:
            self._log("no text", error)
        except Exception as error:  # zlib's or zstd's own: nothing that follows could be decompressed either
            self._log("no compressed data", error)
            await self.close(RESUMABLE)
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
            await self.close(RESUMABLE)
            raise ConnectionError(f"{name} cannot be read")

    def _log(self, name: str, error: Exception, data: object = None) -> None:
        """Log a kind of payload once, without what is in it."""
        place = traceback.extract_tb(error.__traceback__)[-1]
        kind = (name, type(error).__name__, place.name)
        if kind in self._logged or len(self._logged) >= MOST_KINDS:
            return
        self._logged.add(kind)
        keys = (
            sorted(key[:40] for key in data if key.isidentifier())[:30]
            if isinstance(data, dict)
            else type(data).__name__
        )
        log.error(
            "payloads from Discord that cannot be read are skipped, and logged once: %s, %s in %s, keys: %s",
            *kind,
            keys,
        )

    @property
    def acknowledged_at(self) -> float | None:
        """When Discord last acknowledged a heartbeat, on `time.perf_counter`; None before the first time."""
        heart = self._keep_alive
        if heart is None or heart.latency == float("inf"):
            return None
        return heart._last_ack  # noqa: SLF001  # told nowhere else


def install() -> None:
    """Have discord.py connect its shards with `SteadyWebSocket`."""
    discord.shard.DiscordWebSocket = SteadyWebSocket  # type: ignore[misc]  # discord.py has no option for it
