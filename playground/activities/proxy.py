"""The proxy that serves the app's page to clients, as `https://{application id}.discordsays.com` does.

It listens on a port of its own and is named `localhost`, while the playground's page is at an address in numbers.
So a frame of it has another origin and another site than the page around it, as on Discord.
"""

import asyncio
from pathlib import Path

from aiohttp import (
    ClientError,
    ClientSession,
    ClientWebSocketResponse,
    DummyCookieJar,
    TCPConnector,
    WSCloseCode,
    WSMsgType,
    WSServerHandshakeError,
    web,
)
from multidict import CIMultiDict
from yarl import URL

from playground.activities import headers
from playground.world.world import World

FOLDER = Path(__file__).parents[1] / "page"
PREFIX = "/.proxy"
"""Discord accepts paths with and without it."""
RELAY = "/.playground"
POLICY = "Content-Security-Policy"
NO_CODE = 1005
"""The code for a close frame without one. It is never sent (RFC 6455)."""
HANDSHAKE = ("Sec-WebSocket-Key", "Sec-WebSocket-Version", "Sec-WebSocket-Extensions", "Sec-WebSocket-Protocol")


class ActivityProxy:
    """The proxy's server."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._clients: tuple[str, ...] = ()
        self._origin = ""
        self._runner: web.AppRunner | None = None
        self._session: ClientSession | None = None
        self._dropped: set[str] = set()
        """The names of cookies that were dropped."""

    async def start(self, *clients: str) -> str:
        """Serve pages to frames of these origins. Returns the proxy's own."""
        self._clients = clients
        # All clients share it, so it keeps no cookies and doesn't let one wait for others.
        self._session = ClientSession(
            auto_decompress=False, cookie_jar=DummyCookieJar(), connector=TCPConnector(limit=0)
        )
        app = web.Application()
        app.router.add_get(f"{RELAY}/{{name:relay\\.(html|js)}}", self._relay)
        app.router.add_route("*", "/{path:.*}", self._serve)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self._origin = f"http://localhost:{self._runner.addresses[0][1]}"
        return self._origin

    async def stop(self) -> None:
        """Close all connections and stop the server."""
        if self._runner is not None:
            await self._runner.cleanup()
        if self._session is not None:
            await self._session.close()

    @property
    def _domain(self) -> str:
        return f"{self._world.app.id}.discordsays.com"

    async def _relay(self, request: web.Request) -> web.FileResponse:
        """The frame through which a phone speaks to the app's page."""
        policy = {POLICY: f"frame-ancestors {' '.join(self._clients)}"}
        return web.FileResponse(FOLDER / request.match_info["name"], headers=policy)

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        target = self._target(request.rel_url)
        if target is None:
            raise web.HTTPNotFound(text="No URL mapping leads there.")
        try:
            if request.headers.get("Upgrade", "").lower() == "websocket":
                return await self._bridge(request, target)
            return await self._forward(request, target)
        except WSServerHandshakeError as refused:
            return web.Response(status=refused.status)
        except ClientError as error:
            return web.Response(status=502, text=f"The app doesn't answer: {type(error).__name__}")

    def _target(self, url: URL) -> URL | None:
        """Where the mapping of a path leads. The first one that fits counts."""
        path = url.raw_path
        if path.startswith(f"{PREFIX}/"):
            path = path.removeprefix(PREFIX)
        for prefix, host in self._world.app.url_mappings.items() if self._world.app.has_activities else ():
            folder = prefix.rstrip("/")
            if path.startswith(f"{folder}/") or path == folder:
                query = f"?{url.raw_query_string}" if url.raw_query_string else ""
                return URL(f"http://{host}{path.removeprefix(folder) or '/'}{query}", encoded=True)
        return None

    # Plain requests

    async def _forward(self, request: web.Request, target: URL) -> web.Response:
        assert self._session is not None  # noqa: S101 - the server runs
        sent, body = self._request_headers(request), await request.read()
        async with self._session.request(
            request.method, target, headers=sent, data=body or None, allow_redirects=False
        ) as answer:
            got = headers.passed_on(answer.headers, ["Set-Cookie", POLICY])
            response = web.Response(status=answer.status, reason=answer.reason, headers=got, body=await answer.read())
            for cookie in answer.headers.getall("Set-Cookie", []):
                self._pass_cookie(response, cookie)
            for own in answer.headers.getall(POLICY, []):
                application_id = self._world.app.id
                response.headers.add(POLICY, headers.translated(own, self._origin, self._clients, application_id))
        response.headers.add(POLICY, headers.policy(self._origin, self._clients))
        return response

    def _request_headers(self, request: web.Request) -> CIMultiDict[str]:
        """The headers for the app, which sees the names of Discord's hosts."""
        passed = headers.passed_on(request.headers, HANDSHAKE)
        for name in ("Origin", "Referer"):
            if name in passed:
                passed[name] = passed[name].replace(self._origin, f"https://{self._domain}", 1)
        return passed

    def _pass_cookie(self, response: web.Response, cookie: str) -> None:
        kept, name = headers.cookie_for_frame(cookie, self._domain), cookie.partition("=")[0]
        if kept is not None:
            response.headers.add("Set-Cookie", kept)
        elif name not in self._dropped:
            self._dropped.add(name)
            needed = "SameSite=None, Secure, Partitioned and no other domain"
            self._world.report_violation(f"the cookie {name!r} is lost inside the frame: it needs {needed}")

    # WebSockets

    async def _bridge(self, request: web.Request, target: URL) -> web.WebSocketResponse:
        assert self._session is not None  # noqa: S101 - the server runs
        offered = request.headers.get("Sec-WebSocket-Protocol", "")
        protocols = [each.strip() for each in offered.split(",") if each.strip()]
        async with self._session.ws_connect(
            target, headers=self._request_headers(request), protocols=protocols, autoping=True
        ) as app:
            page = web.WebSocketResponse(protocols=[app.protocol] if app.protocol else [])
            await page.prepare(request)
            pumps = [asyncio.create_task(_pump(page, app)), asyncio.create_task(_pump(app, page))]
            try:
                await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for pump in pumps:
                    pump.cancel()
                await asyncio.gather(*pumps, return_exceptions=True)
                await page.close(code=_passed_on(app.close_code))
        return page


Socket = web.WebSocketResponse | ClientWebSocketResponse


async def _pump(source: Socket, sink: Socket) -> None:
    """Pass messages on until the source closes."""
    async for message in source:
        if message.type is WSMsgType.TEXT:
            await sink.send_str(message.data)
        elif message.type is WSMsgType.BINARY:
            await sink.send_bytes(message.data)
    await sink.close(code=_passed_on(source.close_code))


def _passed_on(code: int | None) -> int:
    """The close code to pass on: that of an error if the connection broke."""
    if code is None or code == WSCloseCode.ABNORMAL_CLOSURE:
        return WSCloseCode.INTERNAL_ERROR
    return WSCloseCode.OK if code == NO_CODE else code
