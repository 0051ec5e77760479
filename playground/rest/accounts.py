"""Routes for users, direct channels, the application and the gateway URL."""

from aiohttp import web

from playground import payloads
from playground.errors import UNKNOWN_USER, Refusal
from playground.gateway import SESSIONS_A_DAY, Gateway
from playground.rest.access import path_id
from playground.rest.bodies import json_response, read_object
from playground.rest.oauth2 import bearer_token, is_bearer
from playground.world.world import World

ROOT = "/api/v10"
DAY_MILLISECONDS = 24 * 60 * 60 * 1000


class AccountRoutes:
    """Users, direct channels, the application and the gateway URL."""

    def __init__(self, world: World, gateway: Gateway) -> None:
        self._world = world
        self._gateway = gateway

    def routes(self) -> list[web.RouteDef]:
        """The routes of this resource."""
        return [
            web.get(f"{ROOT}/users/@me", self.me, allow_head=False),
            web.get(f"{ROOT}/users/{{user_id}}", self.user, allow_head=False),
            web.post(f"{ROOT}/users/@me/channels", self.direct_channel),
            web.get(f"{ROOT}/applications/@me", self.application, allow_head=False),
            web.get(f"{ROOT}/oauth2/applications/@me", self.application, allow_head=False),
            web.get(f"{ROOT}/gateway", self.gateway, allow_head=False),
            web.get(f"{ROOT}/gateway/bot", self.bot_gateway, allow_head=False),
        ]

    async def me(self, request: web.Request) -> web.Response:
        """The user who owns the token: the app, or a person."""
        if not is_bearer(request):
            return json_response(payloads.user_json(self._world.app.bot))
        user = bearer_token(self._world, request, "identify").user
        return json_response(payloads.user_json(user) | {"locale": user.locale, "mfa_enabled": False})

    async def user(self, request: web.Request) -> web.Response:
        """A user."""
        user = self._world.users.get(path_id(request, "user_id"))
        if user is None:
            raise Refusal(UNKNOWN_USER)
        return json_response(payloads.user_json(user))

    async def direct_channel(self, request: web.Request) -> web.Response:
        """The direct channel with a user, created if needed."""
        recipient = str((await read_object(request)).get("recipient_id"))
        user = self._world.users.get(int(recipient)) if recipient.isdecimal() else None
        if user is None or user.is_bot:
            raise Refusal(UNKNOWN_USER)
        return json_response(payloads.channel_json(self._world.direct_channel(user)))

    async def application(self, request: web.Request) -> web.Response:  # noqa: ARG002 - there is one app
        """The application."""
        return json_response(payloads.application_json(self._world.app, self._world.owner))

    async def gateway(self, request: web.Request) -> web.Response:  # noqa: ARG002 - there is one gateway
        """The gateway's URL."""
        return json_response({"url": self._gateway.url})

    async def bot_gateway(self, request: web.Request) -> web.Response:  # noqa: ARG002 - there is one gateway
        """The gateway's URL, the number of shards and the session start limit."""
        start = {
            "total": SESSIONS_A_DAY,
            "remaining": self._gateway.sessions_left,
            "reset_after": DAY_MILLISECONDS,
            "max_concurrency": 1,
        }
        return json_response({"url": self._gateway.url, "shards": self._gateway.shards, "session_start_limit": start})
