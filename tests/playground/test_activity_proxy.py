"""The proxy that serves an app's page to frames, over plain HTTP."""

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
        told = {"path": str(request.rel_url), "body": await request.text(), **request.headers}
        return web.json_response(told, headers={"Content-Security-Policy": "frame-ancestors https://discord.com"})


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
