"""The server of the page, created from what all features share."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from bot.features import Shared
from bot.services import clock
from bot.web.addresses import Addresses
from bot.web.open_pages import OpenPages
from bot.web.sessions import Sessions, Signer

if TYPE_CHECKING:
    from bot.web.server import WebServer

log = logging.getLogger(__name__)


@asynccontextmanager
async def serving_page(
    shared: Shared, pages: OpenPages, admit: Callable[[int], Awaitable[None]], record_action: Callable[[int, int], None]
) -> AsyncIterator[None]:
    """Serve the page in the block, if `WEB_ADDRESS` is set. Raises `AddressError`.

    `admit` raises a refusal if the app can't do anything for a user now. `record_action` is told the table and the user
    of each action.
    """
    address = shared.settings.web_address
    if address is None:
        yield
        return
    from bot.process.listening import listening  # noqa: PLC0415  # the server takes memory

    server = _server(shared, pages, admit, record_action)
    async with (
        server.open() as application,
        listening(application, "WEB_ADDRESS", address, is_public=True) as addresses,
    ):
        for host, port in addresses:
            log.info("the page at %s port %d", host, port)
        yield


def _server(
    shared: Shared, pages: OpenPages, admit: Callable[[int], Awaitable[None]], record_action: Callable[[int, int], None]
) -> "WebServer":
    """The server with all its parts."""
    from bot.web.access import Access  # noqa: PLC0415  # see above
    from bot.web.login import Login  # noqa: PLC0415
    from bot.web.parts import Parts  # noqa: PLC0415
    from bot.web.reports import Reports  # noqa: PLC0415
    from bot.web.server import WebServer  # noqa: PLC0415

    secret = shared.settings.web_secret or ""
    parts = Parts(
        client=shared.client,
        tables=shared.tables,
        archive=shared.archive,
        reports=Reports(shared.archive),
        coach=shared.coach,
        daily=shared.daily,
        guilds=shared.guilds,
        hints=shared.hints,
        users=shared.users,
        readers=shared.readers,
        limiter=shared.limiter,
        access=Access(shared.client, shared.tables, pages.watchers),
        sessions=Sessions(secret, clock.milliseconds),
        watchers=pages.watchers,
        launches=pages.launches,
        admit=admit,
        record_action=record_action,
    )
    addresses = Addresses(shared.settings.web_url or "", shared.settings.discord_api_url)
    login = Login(shared.client, secret, addresses, Signer(secret, "logins", clock.milliseconds))
    return WebServer(parts, login, addresses)
