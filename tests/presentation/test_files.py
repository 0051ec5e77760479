"""Attached files are downloaded within limits; anything else is refused with a sentence."""

import asyncio
import gzip
from collections.abc import AsyncIterator
from types import SimpleNamespace

import discord
import pytest
from aiohttp import web

from bot.presentation.ui.files import download
from bot.table.refusals import FileNotFetched, RecordTooLong

MOST = 1000
PACKED = gzip.compress(b"0" * 500_000)
"""Fewer than `MOST` bytes."""


async def _gone(_request: web.Request) -> web.Response:
    return web.Response(status=404, text="<html>This content is no longer available.</html>")


async def _file(_request: web.Request) -> web.Response:
    return web.Response(body=b"{}\n")


async def _long(_request: web.Request) -> web.Response:
    return web.Response(body=b"x" * (MOST + 1))


async def _packed(request: web.Request) -> web.Response:
    assert request.headers["Accept-Encoding"] == "identity"
    return web.Response(body=PACKED, headers={"Content-Encoding": "gzip"})


async def _cut(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Length": "100"})
    await response.prepare(request)
    await response.write(b"x")
    assert request.transport is not None
    request.transport.close()
    return response


async def _silent(_request: web.Request) -> web.Response:
    await asyncio.Event().wait()
    raise AssertionError


@pytest.fixture
async def origin() -> AsyncIterator[str]:
    app = web.Application()
    for name, handler in (
        ("gone", _gone),
        ("file", _file),
        ("long", _long),
        ("cut", _cut),
        ("silent", _silent),
        ("packed", _packed),
    ):
        app.router.add_get(f"/{name}", handler)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield "http://{}:{}".format(*runner.addresses[0][:2])
    await runner.cleanup()


def _attachment(url: str, size: int = 3) -> discord.Attachment:
    data = {"id": "1", "filename": "match.jsonl", "size": size, "url": url, "proxy_url": url}
    return discord.Attachment(data=data, state=SimpleNamespace(http=None))  # type: ignore[arg-type]  # as Discord sends it


async def test_a_file_is_downloaded(origin: str) -> None:
    assert await download(_attachment(f"{origin}/file"), MOST) == b"{}\n"


async def test_a_packed_file_stays_packed(origin: str) -> None:
    assert await download(_attachment(f"{origin}/packed"), MOST) == PACKED


@pytest.mark.parametrize("name", ["gone", "cut", "silent", "nowhere"])
async def test_failed_downloads_are_reported(origin: str, name: str) -> None:
    with pytest.raises(FileNotFetched):
        await download(_attachment(f"{origin}/{name}"), MOST, timeout_seconds=5.0 if name != "silent" else 0.05)
    with pytest.raises(FileNotFetched):
        await download(_attachment("http://127.0.0.1:1/"), MOST)


async def test_a_file_that_is_longer_than_announced_is_not_read_to_its_end(origin: str) -> None:
    with pytest.raises(RecordTooLong):
        await download(_attachment(f"{origin}/long"), MOST)
    with pytest.raises(RecordTooLong):
        await download(_attachment(f"{origin}/file", size=MOST + 1), MOST)
