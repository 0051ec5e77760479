"""Gateway sessions and their connections.

A session outlives its connection. It numbers its events and keeps the latest, so that RESUME can replay
those that were missed.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from dataclasses import dataclass, field

from aiohttp import WSCloseCode, web

from playground.compression import Compressor
from playground.world.intents import Dispatch, Intent

DISPATCH, HEARTBEAT, IDENTIFY, PRESENCE, VOICE_STATE = 0, 1, 2, 3, 4
RESUME, RECONNECT, INVALID_SESSION, HELLO, HEARTBEAT_ACK = 6, 7, 9, 10, 11

KEPT_EVENTS = 2000
"""The number of events that can be replayed."""


class Connection:
    """A WebSocket with a queue, so that payloads keep their order and senders don't wait."""

    def __init__(
        self, socket: web.WebSocketResponse, transport: asyncio.Transport | None, compress: Compressor | None
    ) -> None:
        self.socket = socket
        self.session: Session | None = None
        self.received: deque[float] = deque()
        self._transport = transport
        self._compress = compress
        self._queue: asyncio.Queue[str | bytes] = asyncio.Queue()
        self._writer = asyncio.create_task(self._write(), name="playground-gateway-writer")

    def send(self, op: int, data: object = None, sequence: int | None = None, event: str | None = None) -> None:
        """Queue a payload."""
        self.send_raw(json.dumps({"op": op, "d": data, "s": sequence, "t": event}))

    def send_raw(self, content: str | bytes) -> None:
        """Queue any text, compressed if the app asked for it, or any bytes as they are."""
        self._queue.put_nowait(content)

    async def _write(self) -> None:
        while True:
            content = await self._queue.get()
            if isinstance(content, bytes):
                await self.socket.send_bytes(content)
            elif self._compress is None:
                await self.socket.send_str(content)
            else:
                await self.socket.send_bytes(self._compress(content.encode("utf-8", "surrogatepass")))

    def abort(self) -> None:
        """Drop the TCP connection without a close frame."""
        if self._transport is not None:
            self._transport.abort()

    async def close(self, code: int = WSCloseCode.OK, reason: str = "") -> None:
        """Stop the writer and close the socket."""
        self._writer.cancel()
        await asyncio.gather(self._writer, return_exceptions=True)
        await self.socket.close(code=code, message=reason.encode())


@dataclass(eq=False, slots=True)
class Session:
    """The gateway session of a shard."""

    id: str
    shard: tuple[int, int]
    intents: Intent
    connection: Connection | None = None
    sequence: int = 0
    """The sequence number of the latest event."""
    events: deque[tuple[int, str, object]] = field(default_factory=lambda: deque(maxlen=KEPT_EVENTS))

    def wants(self, dispatch: Dispatch) -> bool:
        """True if the event belongs to this shard and its intent was requested."""
        index, count = self.shard
        mine = index == (0 if dispatch.guild_id is None else (dispatch.guild_id >> 22) % count)
        return mine and (not dispatch.intent or bool(self.intents & dispatch.intent))

    def push(self, event: str, data: object) -> None:
        """Number an event, keep it, and send it if connected."""
        self.sequence += 1
        self.events.append((self.sequence, event, data))
        if self.connection is not None:
            self.connection.send(DISPATCH, data, self.sequence, event)

    def resume(self, connection: Connection, sequence: int) -> None:
        """Continue on a new connection. First replay the events after sequence number `sequence`."""
        self.connection = connection
        for number, event, data in self.events:
            if number > sequence:
                connection.send(DISPATCH, data, number, event)
        self.push("RESUMED", {"_trace": []})
