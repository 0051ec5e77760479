"""Routes of OAuth2: tokens for codes, and what a token may do."""

import hmac
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from aiohttp import BasicAuth, web

from playground import payloads
from playground.clock import isoformat
from playground.errors import EXPIRED_BEARER, Refusal
from playground.rest.bodies import json_response
from playground.world.model import Json
from playground.world.oauth2 import AccessToken, OAuth2Error
from playground.world.world import World

API = "/api/v10"
UNVERSIONED = "/api"
"""Discord's documentation names the routes of tokens without a version."""
FORM = "application/x-www-form-urlencoded"
BEARER = "Bearer "
Form = Mapping[str, str]


class OAuth2Routes:
    """Tokens, their revocation, and the current authorization."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._grants: dict[str, Callable[[Form], AccessToken]] = {
            "authorization_code": self._exchange,
            "refresh_token": self._refresh,
        }

    def routes(self) -> list[web.RouteDef]:
        """The routes of this resource."""
        return [
            *(web.post(f"{root}/oauth2/token", self.token) for root in (API, UNVERSIONED)),
            *(web.post(f"{root}/oauth2/token/revoke", self.revoke) for root in (API, UNVERSIONED)),
            web.get(f"{API}/oauth2/@me", self.authorization, allow_head=False),
        ]

    async def token(self, request: web.Request) -> web.Response:
        """Exchange a code or a refresh token for an access token."""
        try:
            form = await self._form(request)
            return json_response(self._token_json(self._grant(form)))
        except OAuth2Error as error:
            return self._refuse(request, error)

    async def revoke(self, request: web.Request) -> web.Response:
        """Revoke a token. One that doesn't exist is fine [RFC 7009]."""
        try:
            form = await self._form(request)
        except OAuth2Error as error:
            return self._refuse(request, error)
        self._world.oauth2.revoke(form.get("token", ""))
        return json_response({})

    async def authorization(self, request: web.Request) -> web.Response:
        """The authorization of a bearer token."""
        token = bearer_token(self._world, request)
        data: Json = {
            "application": payloads.application_json(self._world.app, self._world.owner),
            "scopes": list(token.scopes),
            "expires": isoformat(datetime.fromtimestamp(token.expires_at, UTC)),
        }
        if "identify" in token.scopes:
            data["user"] = payloads.user_json(token.user)
        return json_response(data)

    async def _form(self, request: web.Request) -> Form:
        """The form of a request. Raises OAuth2Error if it is no form, or not the app's."""
        if request.content_type != FORM:
            raise OAuth2Error("unsupported_grant_type", "Grant type None is not supported", is_violation=True)
        form = {name: str(value) for name, value in (await request.post()).items()}
        client, secret = form.get("client_id"), form.get("client_secret")
        if "Authorization" in request.headers:
            client, secret = _basic(request.headers["Authorization"])
        app = self._world.app
        if client != str(app.id) or not hmac.compare_digest((secret or "").encode(), app.client_secret.encode()):
            raise OAuth2Error("invalid_client", is_violation=True)
        return form

    def _grant(self, form: Form) -> AccessToken:
        name = form.get("grant_type")
        if name not in self._grants:
            raise OAuth2Error("unsupported_grant_type", f"Grant type {name} is not supported", is_violation=True)
        return self._grants[name](form)

    def _exchange(self, form: Form) -> AccessToken:
        return self._world.oauth2.exchange(form.get("code", ""), form.get("redirect_uri"), form.get("code_verifier"))

    def _refresh(self, form: Form) -> AccessToken:
        return self._world.oauth2.refresh(form.get("refresh_token", ""))

    def _token_json(self, token: AccessToken) -> Json:
        return {
            "token_type": "Bearer",
            "access_token": token.access,
            "expires_in": round(token.expires_at - self._world.clock.time()),
            "refresh_token": token.refresh,
            "scope": " ".join(token.scopes),
        }

    def _refuse(self, request: web.Request, error: OAuth2Error) -> web.Response:
        sentence = f"{request.method} {request.path.partition('/oauth2')[2]}: {error}"
        if error.is_violation:
            self._world.report_violation(sentence)
        else:
            self._world.refusals.append(sentence)
        body = {"error": error.error}
        if error.description:
            body["error_description"] = error.description
        return json_response(body, 401 if error.error == "invalid_client" else 400)


def _basic(header: str) -> tuple[str | None, str | None]:
    try:
        pair = BasicAuth.decode(header)
    except ValueError:
        return None, None
    return pair.login, pair.password


def is_bearer(request: web.Request) -> bool:
    """True if the request acts for a person, not for the app."""
    return request.headers.get("Authorization", "").startswith(BEARER)


def bearer_token(world: World, request: web.Request, *scopes: str) -> AccessToken:
    """The token of a request for a person. Refuse one that is unknown, expired, or without these scopes."""
    token = world.oauth2.find(request.headers.get("Authorization", "").removeprefix(BEARER))
    if not is_bearer(request) or token is None or not set(scopes) <= set(token.scopes):
        raise Refusal(EXPIRED_BEARER)
    return token
