"""HTTP and WebSockets byte by byte: what no browser and no library sends, and pages that don't read."""

import asyncio
import json
import socket
import struct
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Final
from urllib.parse import urlsplit

from tests.end_to_end.page_client import Site

TEXT: Final = 0x81
"""The first byte of a text frame that is whole."""
PING: Final = 0x89
SMALL_BUFFER: Final = 4096
"""Bytes that a slow page takes before it must read."""

UPGRADE: Final = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
}


def frame(payload: bytes, first: int = TEXT) -> bytes:
    """A frame of a client, with a mask of zeros."""
    length = len(payload)
    size = bytes([0x80 | length]) if length < 126 else struct.pack("!BH", 0x80 | 126, length)
    return bytes([first]) + size + bytes(4) + payload


def request_frame(do: str, **fields: object) -> bytes:
    """The frame of a request."""
    return frame(json.dumps({"id": 1, "do": do, **fields}).encode())


async def exchange(site: Site, request: bytes) -> bytes:
    """Send bytes, and return everything that the server answers until it closes the connection, or nothing more comes.

    The request should ask to close the connection.
    """
    parts = urlsplit(site.url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    with suppress(ConnectionError):  # it may refuse before it has read everything
        writer.write(request)
        await writer.drain()
    answer = b""
    with suppress(ConnectionError):
        while part := await reader.read(65536):
            answer += part
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()
    return answer


def request(method: str, target: str, headers: Mapping[str, str] | None = None, host: str = "table.example") -> bytes:
    """A request that closes the connection, unless the headers say something else."""
    fields = {"Host": host, "Connection": "close", **(headers or {})}
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


class RawPage:
    """A WebSocket that reads only when it's told to."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection

    async def send(self, data: bytes) -> None:
        """Send bytes; waits as long as the server doesn't read."""
        await asyncio.get_running_loop().sock_sendall(self._connection, data)


@asynccontextmanager
async def raw_socket(site: Site) -> AsyncIterator[RawPage]:
    """A WebSocket that says nothing."""
    parts, loop = urlsplit(site.url), asyncio.get_running_loop()
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER)
        connection.setblocking(False)
        await loop.sock_connect(connection, (parts.hostname, parts.port))
        page = RawPage(connection)
        await page.send(request("GET", "/api/socket", {**UPGRADE, "Origin": site.url}))
        yield page


@asynccontextmanager
async def raw_page(site: Site, user_id: int) -> AsyncIterator[RawPage]:
    """A page that has said hello."""
    async with raw_socket(site) as page:
        hello = {"hello": {"session": site.sessions.begin(user_id), "language": "en"}}
        await page.send(frame(json.dumps(hello).encode()))
        yield page
