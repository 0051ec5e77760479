"""The proxy that serves an app's page to frames, over plain HTTP."""

import asyncio
from collections.abc import AsyncIterator

import aiohttp
import pytest
from aiohttp import web

from playground import Playground
from playground.activities.headers import cookie_for_frame, translated

DOMAIN = "1.discordsays.com"
FOR_FRAMES = "SameSite=None; Secure; Partitioned"


class App:
    """A web server that tells what it was asked."""

    address = ""

    def __init__(self) -> None:
        self.gone = asyncio.Event()
        """Set when a page has closed its WebSocket."""

    async def start(self) -> web.AppRunner:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self.serve)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        self.address = "{}:{}".format(*runner.addresses[0][:2])
        return runner

    async def serve(self, request: web.Request) -> web.StreamResponse:
        if request.path == "/refused":
            raise web.HTTPForbidden
        if request.path == "/socket":
            return await self.close(request)
        if request.path == "/echo":
            return await self.echo(request)
        told = {"path": str(request.rel_url), "body": await request.text(), **request.headers}
        return web.json_response(told, headers={"Content-Security-Policy": "frame-ancestors https://discord.com"})

    async def echo(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        async for message in socket:
            await socket.send_str(message.data)
        self.gone.set()
        return socket

    async def close(self, request: web.Request) -> web.WebSocketResponse:
        """Close a WebSocket with the code that it asks for; without one, drop the connection."""
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        code = int(await socket.receive_str())
        if code:
            await socket.close(code=code)
        elif request.transport is not None:
            request.transport.abort()
        return socket


@pytest.fixture
async def app() -> AsyncIterator[App]:
    app = App()
    runner = await app.start()
    yield app
    await runner.cleanup()


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


async def test_paths_lead_to_the_app_with_and_without_the_prefix(
    world: Playground, app: App, session: aiohttp.ClientSession
) -> None:
    world.enable_activities(app.address)
    proxy = world.activities_url
    for path in ("", ".proxy/", "a%2Fb?c=%26", ".proxy/a%2Fb?c=%26"):
        async with session.post(proxy + path, data="body", headers={"Origin": proxy.rstrip("/")}) as response:
            told = await response.json()
        assert (told["path"], told["body"]) == ("/" + path.removeprefix(".proxy/"), "body")
        assert told["Origin"] == f"https://{world.app.id}.discordsays.com"
        assert told["Host"] == app.address


async def test_the_first_mapping_that_fits_counts(world: Playground, app: App, session: aiohttp.ClientSession) -> None:
    world.app.url_mappings["/elsewhere"] = f"{app.address}/folder"
    world.enable_activities("127.0.0.1:1")
    async with session.get(f"{world.activities_url}.proxy/elsewhere/file") as response:
        assert (await response.json())["path"] == "/folder/file"
    async with session.get(f"{world.activities_url}elsewhereabouts") as response:
        assert response.status == 502  # nothing listens there


async def test_without_activities_or_a_mapping_there_is_nothing(
    world: Playground, app: App, session: aiohttp.ClientSession
) -> None:
    world.app.url_mappings["/"] = app.address
    async with session.get(world.activities_url) as response:
        assert response.status == 404
    world.enable_activities()
    del world.app.url_mappings["/"]
    async with session.get(world.activities_url) as response:
        assert response.status == 404


async def test_a_refused_socket_is_refused(world: Playground, app: App, session: aiohttp.ClientSession) -> None:
    world.enable_activities(app.address)
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await session.ws_connect(f"{world.activities_url}.proxy/refused")
    assert refused.value.status == 403


@pytest.mark.parametrize(("code", "seen"), [(1000, 1000), (1012, 1012), (4001, 4001), (0, 1011)])
async def test_a_socket_closes_as_the_app_closes_it(
    world: Playground, app: App, session: aiohttp.ClientSession, code: int, seen: int
) -> None:
    world.enable_activities(app.address)
    async with session.ws_connect(f"{world.activities_url}.proxy/socket") as socket:
        await socket.send_str(str(code))
        await socket.receive()
        assert socket.close_code == seen


async def test_the_app_learns_that_a_page_is_gone(world: Playground, app: App, session: aiohttp.ClientSession) -> None:
    world.enable_activities(app.address)
    async with session.ws_connect(f"{world.activities_url}.proxy/echo") as socket:
        await socket.send_str("hello")
        assert await socket.receive_str() == "hello"
    async with asyncio.timeout(20):
        await app.gone.wait()


async def test_the_policies_of_the_app_and_of_the_proxy_both_count(
    world: Playground, app: App, session: aiohttp.ClientSession
) -> None:
    world.enable_activities(app.address)
    async with session.get(world.activities_url) as response:
        own, added = response.headers.getall("Content-Security-Policy")
    assert world.assets.origin in own
    assert "discord.com" not in own
    assert f"frame-ancestors {own.removeprefix('frame-ancestors ')}" in added
    assert "connect-src 'self'" in added
    assert app.address not in added


def test_the_app_names_the_addresses_of_discord() -> None:
    own = "default-src 'self' https://1.discordsays.com; frame-ancestors https://*.discord.com https://a.example;"
    assert translated(own, "http://localhost:2", ["http://127.0.0.1:1"], 1) == (
        "default-src 'self' http://localhost:2; frame-ancestors http://127.0.0.1:1 https://a.example"
    )


@pytest.mark.parametrize(
    ("cookie", "kept"),
    [
        (f"a=b; {FOR_FRAMES}", f"a=b; {FOR_FRAMES}"),
        (f"a=b; Domain={DOMAIN}; {FOR_FRAMES}", f"a=b; {FOR_FRAMES}"),
        (f"a=b; Domain=example.com; {FOR_FRAMES}", None),
        ("a=b", None),
        ("a=b; SameSite=Lax; Secure; Partitioned", None),
        ("a=b; SameSite=None; Secure", None),
        ("a=b; SameSite=None; Partitioned", None),
    ],
)
def test_a_cookie_must_be_for_frames(cookie: str, kept: str | None) -> None:
    assert cookie_for_frame(cookie, DOMAIN) == kept
