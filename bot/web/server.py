"""The HTTP server of the page. It's imported only if `WEB_ADDRESS` is set, because it takes memory."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, nullcontext, suppress
from typing import Any, Final

from aiohttp import WSCloseCode, WSMsgType, web
from yarl import URL

from bot.presentation.text.i18n import words_in
from bot.presentation.ui.replies import UNREACHABLE
from bot.services.rate_limiter import Actor
from bot.table.errors import StorageError
from bot.table.limits import OPEN_PAGES, UNKNOWN_PAGES, Action
from bot.table.refusals import Restarting, TryAgainLater
from bot.web.addresses import Addresses
from bot.web.answering import Answering
from bot.web.connection import Connection, dumps
from bot.web.files import INDEX, has_sdk, page_file
from bot.web.lists import Lists
from bot.web.login import LOGIN_SECONDS, ActivityUser, Login, LoginFailed, require_instance
from bot.web.parts import Parts
from bot.web.playing import Playing
from bot.web.replays import Replays
from bot.web.sessions import SESSION_SECONDS, Session
from bot.web.texts import page_texts

log = logging.getLogger(__name__)

HELLO_SECONDS: Final = 10.0
"""Seconds within which a page must send its session, or the body of a request."""
RETRY_SECONDS: Final = 60
"""Seconds after which a user with too many pages is asked to try again."""
MAX_FRAME: Final = 4096
"""Bytes of a frame or a body from a page."""
UNREADABLE: Final = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
"""Errors of reading JSON that isn't what the page sends."""
BROWSERS, ACTIVITIES = Actor(0, 0), Actor(0, 1)
"""Everyone who logs in in a browser or in an Activity. Each counts by itself."""
START: Final = "/"
GOODBYE_SECONDS: Final = 1.0
"""Seconds for a page to confirm that its connection is closed."""
HEARTBEAT: Final = 30.0
"""Seconds between two pings."""
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class WebServer:
    """Serves the page, its login and its WebSockets."""

    def __init__(self, parts: Parts, login: Login, addresses: Addresses) -> None:
        self._parts = parts
        self._login = login
        self._addresses = addresses
        self._answering = Answering(parts, (Playing(parts), Lists(parts), Replays(parts)))
        self._connections: set[Connection] = set()
        self._unknown: list[asyncio.Timeout] = []
        """The time limits of pages that haven't sent their session yet, the earliest first."""

    def application(self) -> web.Application:
        """The application with all routes."""
        application = web.Application(middlewares=[self._with_headers], client_max_size=MAX_FRAME)
        application.on_shutdown.append(self._end_all)
        application.router.add_get("/", self._index)
        application.router.add_get("/page/{file}", self._file)
        application.router.add_get("/api/setup", self._setup)
        application.router.add_get("/api/texts", self._texts)
        application.router.add_get("/login", self._begin_login)
        application.router.add_get("/login/callback", self._finish_login)
        application.router.add_post("/api/activity", self._activity)
        application.router.add_post("/api/logout", self._logout)
        application.router.add_get("/api/socket", self._socket, allow_head=False)
        return application

    @asynccontextmanager
    async def open(self) -> AsyncIterator[web.Application]:
        """Keep what the application needs during the block."""
        async with self._login.open():
            yield self.application()

    async def _end_all(self, _application: web.Application) -> None:
        """Tell all pages that the app stops."""
        await asyncio.gather(*(each.end(Restarting(), WSCloseCode.SERVICE_RESTART) for each in self._connections))

    @web.middleware
    async def _with_headers(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Add the security headers to each response, and log errors of the app."""
        try:
            response = await handler(request)
        except web.HTTPException as error:
            error.headers.update(self._headers(request))
            raise
        except ConnectionError:  # the other end has left
            raise
        except web.RequestPayloadError:
            response = _json({}, status=400)
        except StorageError:
            response = _json({}, status=503)
        except Exception:
            log.exception("a request of the page failed")
            response = _json({}, status=500)
        if not response.prepared:
            for name, value in self._headers(request).items():
                response.headers.setdefault(name, value)
        return response

    def _headers(self, request: web.Request) -> dict[str, str]:
        policy = {
            "default-src": "'self'",
            "img-src": "'self' data:",
            "connect-src": f"'self' {self._addresses.sockets(self._application_id)}",
            "object-src": "'none'",
            "base-uri": "'none'",
            "form-action": "'none'",
            "frame-ancestors": self._addresses.frames(self._application_id),
        }
        headers = {
            "Server": "gang-of-four",
            "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
            "Cache-Control": "no-cache" if request.path == "/" or request.path.startswith("/page/") else "no-store",
        }
        return headers | ({"Strict-Transport-Security": "max-age=31536000"} if self._addresses.is_secure else {})

    @property
    def _application_id(self) -> int:
        return self._parts.client.application_id or 0

    async def _index(self, _request: web.Request) -> web.StreamResponse:
        return _page_file(INDEX)

    async def _file(self, request: web.Request) -> web.StreamResponse:
        return _page_file(request.match_info["file"])

    async def _setup(self, _request: web.Request) -> web.Response:
        return _json(
            {"application_id": str(self._application_id), "has_sdk": has_sdk(), "web_url": self._addresses.web_url}
        )

    async def _texts(self, request: web.Request) -> web.Response:
        return _json(page_texts(words_in(request.query.get("language", "")[:10])))

    async def _begin_login(self, request: web.Request) -> web.Response:
        """Send a browser to Discord."""
        url, note = self._login.begin(request.query.get("next", "/"))
        response = web.HTTPFound(url)
        self._set_cookie(response, self._addresses.login_cookie, note, LOGIN_SECONDS)
        return response

    async def _finish_login(self, request: web.Request) -> web.Response:
        """Begin the session of a user who comes back from Discord."""
        note, query, wanted = request.cookies.get(self._addresses.login_cookie, ""), request.query, START
        try:
            wanted = self._login.wanted(note, query.get("state", ""))
            self._count_login(BROWSERS)
            user_id = await self._login.finish(query.get("state", ""), query.get("code", ""))
        except (LoginFailed, TryAgainLater):
            return web.HTTPFound(URL(wanted).update_query(login="failed"))
        response = web.HTTPFound(wanted)
        self._set_cookie(response, self._addresses.login_cookie, "", 0)
        self._set_cookie(response, self._addresses.session_cookie, self._parts.sessions.begin(user_id), SESSION_SECONDS)
        return response

    def _count_login(self, who: Actor) -> None:
        """Count a login. Discord bans an address for a while after too many refused requests."""
        self._parts.limiter.spend(Action.LOGIN, who)

    def _set_cookie(self, response: web.Response, name: str, value: str, max_age: int) -> None:
        secure = self._addresses.is_secure
        response.set_cookie(name, value, path="/", max_age=max_age, httponly=True, secure=secure, samesite="Lax")

    async def _activity(self, request: web.Request) -> web.Response:
        """Begin the session of a user who has opened the Activity."""
        try:
            content = await _body(request)
            code, instance_id = str(content["code"]), str(content["instance_id"])
            require_instance(instance_id)
            self._count_login(ACTIVITIES)
            user = await self._login.of_activity(code, instance_id)
            guild_id = await self._guild_of(user)
        except (LoginFailed, TryAgainLater, *UNREADABLE, *UNREACHABLE):
            return _json({}, status=403)
        return _json(
            {
                "access_token": user.access_token,
                "session": self._parts.sessions.begin(user.user_id, guild_id, user.channel_id),
                "table": self._parts.launches.table_of(user.user_id, instance_id),
            }
        )

    async def _guild_of(self, user: ActivityUser) -> int | None:
        """The guild of the Activity; None outside guilds, and in those without the app, as for commands there."""
        if user.guild_id is None or await self._parts.access.member(user.guild_id, user.user_id) is None:
            return None
        return user.guild_id

    async def _logout(self, request: web.Request) -> web.Response:
        """End the sessions of the user whom the cookie or the token in the body names."""
        if not self._is_allowed(request):
            return _json({}, status=403)
        session = await self._session_of(request)
        if session is not None:
            await self._parts.users.log_out(session.user_id, self._parts.tables.now())
        response = _json({})
        self._set_cookie(response, self._addresses.session_cookie, "", 0)
        return response

    async def _session_of(self, request: web.Request) -> Session | None:
        try:
            token = str((await _body(request))["session"])
        except (TimeoutError, *UNREADABLE):
            token = self._cookie(request)
        return await self._read_session(token)

    async def _read_session(self, token: str) -> Session | None:
        """The session of a token; None if it's over or there never was one. Raises `StorageError`."""
        session = self._parts.sessions.read(token)
        return session if session is not None and await self._parts.goes_on(session) else None

    def _cookie(self, request: web.Request) -> str:
        """The token in the cookie; empty without one."""
        return request.cookies.get(self._addresses.session_cookie, "")

    def _is_allowed(self, request: web.Request) -> bool:
        return self._addresses.allows(request.headers.get("Origin"), self._application_id)

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        """Serve a page's WebSocket."""
        if not self._is_allowed(request):
            return _json({}, status=403)
        socket = web.WebSocketResponse(
            max_msg_size=MAX_FRAME, heartbeat=HEARTBEAT, timeout=GOODBYE_SECONDS, compress=False, autoping=False
        )  # aiohttp would answer a flood of pings without an end
        await socket.prepare(request)
        try:
            connection = await self._greet(request, socket)
        except StorageError:  # the page connects again
            await socket.close(code=WSCloseCode.TRY_AGAIN_LATER)
            return socket
        if connection is None:
            with suppress(ConnectionError):
                await socket.send_str(dumps({"bye": ""}))
            await socket.close()
            return socket
        if sum(each.user_id == connection.user_id for each in self._connections) >= OPEN_PAGES:
            await connection.end(TryAgainLater(RETRY_SECONDS), WSCloseCode.TRY_AGAIN_LATER)
            return socket
        self._connections.add(connection)
        is_activity = connection.channel_id is not None
        try:
            with self._parts.launches.passing_on(connection) if is_activity else nullcontext():
                await connection.serve()
        finally:
            self._connections.discard(connection)
        return socket

    async def _greet(self, request: web.Request, socket: web.WebSocketResponse) -> Connection | None:
        """Read the first frame; None if it doesn't name a session that goes on. Raises `StorageError`."""
        patience = asyncio.timeout(HELLO_SECONDS)
        try:
            async with patience:
                self._unknown.append(patience)
                if len(self._unknown) > UNKNOWN_PAGES:  # a real page says it at once, so the earliest isn't one
                    self._unknown.pop(0).reschedule(0)
                message = await socket.receive()
        except TimeoutError:
            return None
        finally:
            with suppress(ValueError):  # the page had to leave
                self._unknown.remove(patience)
        try:
            hello = json.loads(message.data)["hello"] if message.type is WSMsgType.TEXT else {}
            token, locale = hello["session"], str(hello.get("language") or "en")[:10]
        except UNREADABLE:
            return None
        session = await self._read_session(self._cookie(request) if token is None else str(token))
        transport = request.transport
        if session is None or transport is None:  # without a transport, the page has left
            return None
        return Connection(socket, session, locale, self._parts, self._answering, drop=transport.abort)


async def _body(request: web.Request) -> Any:  # noqa: ANN401  # JSON
    """The body of a request. Raises an error of `UNREADABLE`, or `TimeoutError`."""
    async with asyncio.timeout(HELLO_SECONDS):
        return await request.json()


def _page_file(name: str) -> web.StreamResponse:
    """A file of the page. The response has an ETag."""
    file = page_file(name)
    if file is None:
        raise web.HTTPNotFound
    return web.FileResponse(file)


def _json(content: object, status: int = 200) -> web.Response:
    return web.Response(text=dumps(content), status=status, content_type="application/json")
