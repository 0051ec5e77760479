"""The middleware of all API routes."""

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aiohttp import web

from playground.errors import NO_SUCH_ROUTE, TOO_LARGE, UNAUTHORIZED, WRONG_METHOD, Reason, Refusal
from playground.faults import FaultInjector, InjectedFault
from playground.limits import Limits, RateLimited
from playground.rest.bodies import json_response
from playground.rest.oauth2 import is_bearer
from playground.world.world import World

log = logging.getLogger(__name__)

API = "/api/v10"
MAX_GONE = 3
"""The requests to one path of a webhook that may be answered with 404, before Discord restricts the app."""
MAX_INVALID, INVALID_SECONDS = 10_000, 10 * 60
"""The requests with 401, 403 or 429 within these seconds that lead to a ban."""
UNREADABLE = {
    "html": ("text/html", b"<!DOCTYPE html><title>Maintenance</title>"),
    "latin": ("text/html", "<title>Störung</title>".encode("latin-1")),
    "broken": ("application/json", b'{"id": "12'),
    "empty": ("text/plain", b""),
}
"""The types and bodies of injected successes that aren't JSON."""
BodyCheck = Callable[[web.Request], Awaitable[list[str]]]
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
TOKEN_ELSEWHERE = ("/interactions/", "/webhooks/", "/oauth2/token")
"""Routes with a token in the path, or the app's secret in the body."""
OF_PEOPLE = ("/users/@me", "/oauth2/@me")
"""Routes for the token of a person, which they check themselves."""


@dataclass(frozen=True, slots=True)
class LoggedRequest:
    """A request of the app with the status of its response."""

    method: str
    route: str
    status: int


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request of the app with its response."""

    method: str
    path: str
    """Below the API's root, without the query."""
    request: bytes | None
    """The body; None if it contains files."""
    response: bytes


class ApiMiddleware:
    """Request log, injected faults, authentication, rate limits and error responses."""

    def __init__(self, world: World, limits: Limits, faults: FaultInjector, spec: BodyCheck | None) -> None:
        self.log: list[LoggedRequest] = []
        self.exchanges: list[Exchange] | None = None
        """A list to append each request to, with the bodies; None keeps none."""
        self._world = world
        self._limits = limits
        self._gone: Counter[str] = Counter()
        """How often each path of a webhook was answered with 404."""
        self._invalid: deque[float] = deque()
        """When each invalid request of the last ten minutes came."""
        self._faults = faults
        self._spec = spec

    @web.middleware
    async def handle(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Handle a request. Those outside the API are passed through."""
        if not request.path.startswith(API):
            return await handler(request)
        if self._is_banned():
            return web.Response(status=429, text="error code: 1015")  # by Cloudflare: without Via and JSON
        fault = self._faults.take(request.method, request.path.removeprefix(API))
        if fault and fault.status == "slow":
            await self._hold(fault.seconds)
        if fault and not fault.after and fault.status != "slow":
            response = await self._inject(request, fault)
        else:
            response = await self._serve(request, handler)
        if fault and fault.after:
            response = await self._inject(request, fault)
        if self.exchanges is not None:
            self.exchanges.append(await _exchange(request, response))
        self._count_invalid(request, response)
        self.log.append(LoggedRequest(request.method, request.path.removeprefix(API), response.status))
        self._world.wake_waiters()
        return response

    async def _hold(self, seconds: float) -> None:
        self._faults.held += 1
        self._world.wake_waiters()
        try:
            await asyncio.sleep(seconds)
        finally:
            self._faults.held -= 1

    def _count_invalid(self, request: web.Request, response: web.StreamResponse) -> None:
        """Count an invalid request. Those to resources whose limit other apps share don't count."""
        if response.status == 404 and "/webhooks/" in request.path:
            self._gone[request.path] += 1
            if self._gone[request.path] == MAX_GONE:
                self._world.report_violation(f"{_route(request)}: {MAX_GONE} times 404 leads to a restriction")
        if response.status in (401, 403, 429) and response.headers.get("X-RateLimit-Scope") != "shared":
            self._invalid.append(self._world.clock.time())
            if len(self._invalid) == MAX_INVALID:
                self._world.report_violation(f"{MAX_INVALID} invalid requests in ten minutes: banned")

    def _is_banned(self) -> bool:
        while self._invalid and self._invalid[0] < self._world.clock.time() - INVALID_SECONDS:
            self._invalid.popleft()
        return len(self._invalid) >= MAX_INVALID

    async def _serve(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        headers: dict[str, str] = {}
        try:
            self._authenticate(request)
            headers = self._limits.take(_route(request), _major(request))
            if self._spec is not None:
                for complaint in await self._spec(request):
                    self._world.report_violation(complaint)
            response = await handler(request)
        except RateLimited as limited:
            response = _too_many(limited)
        except Refusal as refusal:
            response = self._refuse(request, refusal)
        except web.HTTPRequestEntityTooLarge:
            response = self._refuse(request, Refusal(TOO_LARGE))
        except web.HTTPNotFound:
            response = self._refuse(request, Refusal(NO_SUCH_ROUTE))
        except web.HTTPMethodNotAllowed:
            response = self._refuse(request, Refusal(WRONG_METHOD))
        except Exception as error:
            # A bug of the playground: also reported as a violation, so that tests fail.
            log.exception("The playground failed at %s", _route(request))
            self._world.report_violation(f"{_route(request)}: the playground itself failed: {error!r}")
            response = json_response({"message": "500: Internal Server Error", "code": 0}, 500)
        response.headers.update(headers | {"Via": "1.1 playground"})
        return response

    def _authenticate(self, request: web.Request) -> None:
        path = request.path.removeprefix(API)
        if path.startswith(TOKEN_ELSEWHERE) or (path in OF_PEOPLE and is_bearer(request)):
            return
        if request.headers.get("Authorization") != f"Bot {self._world.app.token}":
            raise Refusal(UNAUTHORIZED)

    def _refuse(self, request: web.Request, refusal: Refusal) -> web.Response:
        sentence = f"{request.method} {_route(request).partition(' ')[2]}: {refusal.reason.code} {refusal}"
        if refusal.reason.is_violation:
            self._world.report_violation(sentence)
        else:
            self._world.refusals.append(sentence)
        return json_response(refusal.body(), refusal.reason.status)

    async def _inject(self, request: web.Request, fault: InjectedFault) -> web.StreamResponse:
        if fault.status == 429:
            return _too_many(RateLimited(fault.seconds))
        if isinstance(fault.status, int):
            reason = Reason(fault.status, fault.code, f"{fault.status}: injected fault")
            return json_response(Refusal(reason).body(), fault.status)
        if fault.status in UNREADABLE:
            content_type, body = UNREADABLE[fault.status]
            return web.Response(body=body, content_type=content_type)
        if fault.status == "timeout":
            await asyncio.Event().wait()
        if request.transport is not None:
            request.transport.abort()
        return web.Response(status=499)


async def _exchange(request: web.Request, response: web.StreamResponse) -> Exchange:
    body = None if request.content_type == "multipart/form-data" else await request.read()
    answer = response.body if isinstance(response, web.Response) and isinstance(response.body, bytes) else b""
    return Exchange(request.method, request.path.removeprefix(API), body, answer)


def _too_many(limited: RateLimited) -> web.Response:
    body = {
        "message": limited.reason.message,
        "retry_after": round(limited.retry_after, 3),
        "global": limited.is_global,
        "code": limited.reason.code,
    }
    response = json_response(body, 429)
    response.headers["Via"] = "1.1 playground"
    response.headers["Retry-After"] = str(int(limited.retry_after) + 1)
    response.headers["X-RateLimit-Scope"] = limited.scope
    return response


def _route(request: web.Request) -> str:
    """The method and the path template, such as `GET /channels/{channel_id}`."""
    resource = request.match_info.route.resource
    path = request.path if resource is None else resource.canonical
    return f"{request.method} {path.removeprefix(API)}"


def _major(request: web.Request) -> str:
    """The values of the major parameters, which have separate rate limits."""
    names = ("channel_id", "guild_id", "webhook_id", "interaction_id", "token")
    return "+".join(request.match_info[name] for name in names if name in request.match_info)
