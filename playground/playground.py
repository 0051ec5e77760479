"""The playground's server: API, gateway and page on one port."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from datetime import datetime
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from aiohttp import web

from playground.activities.proxy import ActivityProxy
from playground.authorize_page import AuthorizePage
from playground.checks.messages import MAX_REQUEST_BYTES
from playground.client.person import Person
from playground.clock import Clock, snowflake_at
from playground.faults import FaultInjector
from playground.gateway import Gateway
from playground.limits import Limits
from playground.page_server import PageServer
from playground.rest.accounts import AccountRoutes
from playground.rest.activities import ActivityRoutes
from playground.rest.callbacks import CallbackRoutes
from playground.rest.commands import CommandRoutes
from playground.rest.emojis import EmojiRoutes
from playground.rest.guilds import ChannelRoutes, GuildRoutes
from playground.rest.messages import MessageRoutes
from playground.rest.middleware import API, ApiMiddleware, BodyCheck, Exchange, LoggedRequest
from playground.rest.oauth2 import OAuth2Routes
from playground.rest.webhooks import WebhookRoutes
from playground.world.changes import PersonJoined
from playground.world.model import Guild, User
from playground.world.permissions import NOTHING, Permission
from playground.world.world import World


class Playground(World):
    """A simulated Discord on loopback.

        async with Playground() as world:
            channel = world.guild("Tea House").channel("games")
            ana = world.person("Ana")
            ...                                   # start the app with world.api_url and world.token
            await world.app_ready()
            reply = await ana.slash(channel, "gang new")

    `port` 0 is any free port. `rate_limits="off"` sets limits too high to reach. If `spec` is the path of
    Discord's OpenAPI description, every request body is validated against it.
    """

    def __init__(
        self,
        port: int = 0,
        *,
        host: str = "127.0.0.1",
        spec: Path | None = None,
        rate_limits: Literal["real", "off"] = "real",
        clock: Clock | None = None,
        shards: int = 1,
    ) -> None:
        super().__init__(clock)
        self.faults = FaultInjector()
        is_real = rate_limits == "real"
        self.gateway = Gateway(self, shards=shards, is_paced=is_real)
        self._address = (host, port)
        self._limits = Limits(self.clock, is_real=is_real)
        self._middleware = ApiMiddleware(self, self._limits, self.faults, _spec_check(spec))
        self._activity_proxy = ActivityProxy(self)
        self._runner: web.AppRunner | None = None

    # Running

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def start(self) -> None:
        """Start the server."""
        app = web.Application(middlewares=[self._middleware.handle], client_max_size=MAX_REQUEST_BYTES + 1024 * 1024)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
        app.router.add_routes(self._routes())
        await self._runner.setup()
        site = web.TCPSite(self._runner, *self._address)
        await site.start()
        self._address = self._runner.addresses[0][:2]
        self.assets.origin = self.page_url.rstrip("/")
        port = self._address[1]
        clients = {self.assets.origin, f"http://127.0.0.1:{port}", f"http://localhost:{port}"}
        self.activities_url = await self._activity_proxy.start(*sorted(clients)) + "/"
        self.gateway.url = self.page_url.replace("http", "ws", 1) + "gateway"

    async def stop(self) -> None:
        """Close all connections and stop the server."""
        await self.gateway.close()
        await self._activity_proxy.stop()
        if self._runner is not None:
            await self._runner.cleanup()
        self.clock.stop()

    def _routes(self) -> list[web.AbstractRouteDef]:
        resources = (
            MessageRoutes(self, self._limits),
            AccountRoutes(self, self.gateway),
            CallbackRoutes(self),
            WebhookRoutes(self),
            CommandRoutes(self),
            EmojiRoutes(self),
            GuildRoutes(self),
            ChannelRoutes(self),
            OAuth2Routes(self),
            ActivityRoutes(self),
        )
        routes = [route for resource in resources for route in resource.routes()]
        pages = (PageServer(self, self.person), AuthorizePage(self))
        return [
            *(each for page in pages for each in page.routes()),
            *routes,
            web.get("/gateway", self.gateway.serve, allow_head=False),
        ]

    # Addresses

    @property
    def page_url(self) -> str:
        """The URL of the page."""
        host, port = self._address
        return f"http://{host}:{port}/"

    @property
    def api_url(self) -> str:
        """The base URL of the REST API."""
        return self.page_url.rstrip("/") + API

    @property
    def token(self) -> str:
        """The bot token."""
        return self.app.token

    @property
    def requests(self) -> list[LoggedRequest]:
        """All API requests with their status."""
        return self._middleware.log

    def record(self) -> list[Exchange]:
        """Keep each API request from now on in the returned list, with the bodies of request and response."""
        self._middleware.exchanges = []
        return self._middleware.exchanges

    @property
    def bot(self) -> User:
        """The app's user, for changing its permissions."""
        return self.app.bot

    # People

    def person(
        self,
        name: str,
        *,
        locale: str = "en-US",
        created: datetime | None = None,
        permissions: Permission = NOTHING,
        guilds: Iterable[Guild] | None = None,
    ) -> Person:
        """Create a person who is a member of all existing guilds, or of `guilds`.

        `created` is when the account was created. `permissions` are added to those of @everyone.
        """
        user_id = self.snowflakes.next() if created is None else snowflake_at(created.timestamp())
        person = Person(self, user_id, name, locale, permissions)
        self.users[person.id] = person
        for guild in self.guilds.values() if guilds is None else guilds:
            guild.add(person)
        self.publish(PersonJoined(person))
        return person

    async def app_ready(self, timeout: float = 20.0) -> None:  # noqa: ASYNC109 - a bound, not a mechanism
        """Wait until all shards have identified and commands are registered."""
        try:
            async with asyncio.timeout(timeout):
                while not (self.gateway.is_complete() and any(self.commands.values())):
                    await self.wait_for_change()
        except TimeoutError:
            sessions = [session.shard for session in self.gateway.sessions.values()]
            lines = [f"the app was not ready within {timeout} s: shards {sessions}", *self.violations]
            raise TimeoutError("\n".join(lines)) from None


@cache
def _spec_check(path: Path | None) -> BodyCheck | None:
    if path is None:
        return None
    from playground.spec import Spec  # noqa: PLC0415 - needs jsonschema, which only developers have

    return Spec(path).check
