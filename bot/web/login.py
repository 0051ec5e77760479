"""The login with Discord (OAuth2): in a browser with state and PKCE, in an Activity with the code of its SDK.

Only the user's id is kept, in the session. https://discord.com/developers/docs/topics/oauth2
"""

import hashlib
import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

import aiohttp
import discord
from discord.http import Route

from bot.web.addresses import Addresses
from bot.web.sessions import Signer

LOGIN_SECONDS: Final = 600
"""Seconds that a user may take to log in."""
TIMEOUT: Final = aiohttp.ClientTimeout(total=10)
_INSTANCE: Final = re.compile(r"[\w-]{1,128}")
_LOCAL: Final = re.compile(r"/(?![/\\])[\x21-\x5b\x5d-\x7e]{0,500}")
"""A path of this server: one slash at the beginning, no backslash, no spaces."""


class LoginFailed(Exception):
    """Discord or the app refuses a login."""


@dataclass(frozen=True, slots=True)
class ActivityUser:
    """A user who has opened the page as an Activity."""

    user_id: int
    access_token: str
    """Discord's, which the SDK in the page asks for."""
    guild_id: int | None
    channel_id: int | None


def local_path(wanted: str) -> str:
    """The path to go to after a login: a path of this server, or its first page."""
    return wanted if _LOCAL.fullmatch(wanted) else "/"


def require_instance(instance_id: str) -> None:
    """Raise `LoginFailed` unless this can be the id of an Activity's instance."""
    if not _INSTANCE.fullmatch(instance_id):
        raise LoginFailed


class Login:
    """Logs users in. Use it within `open`."""

    def __init__(self, client: discord.Client, secret: str, addresses: Addresses, signer: Signer) -> None:
        """`secret` is the app's client secret."""
        self._client = client
        self._secret = secret
        self._addresses = addresses
        self._signer = signer
        self._http: aiohttp.ClientSession | None = None

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Keep connections to Discord during the block."""
        async with aiohttp.ClientSession(timeout=TIMEOUT) as self._http:
            yield

    def begin(self, wanted: str) -> tuple[str, str]:
        """The address at Discord where a browser logs in, and the token to keep in a cookie until then."""
        state = secrets.token_urlsafe(16)
        digest = hashlib.sha256(self._signer.derived(state).encode()).digest()
        query = {
            "client_id": str(self._client.application_id),
            "response_type": "code",
            "redirect_uri": self._addresses.callback,
            "scope": "identify",
            "state": state,
            "code_challenge": urlsafe_b64encode(digest).decode().rstrip("="),
            "code_challenge_method": "S256",
            "prompt": "none",
        }
        note = self._signer.sign(LOGIN_SECONDS, state, local_path(wanted))
        return f"{self._addresses.authorize}?{urlencode(query)}", note

    def wanted(self, note: str, state: str) -> str:
        """The path to go to after a login that began in this browser. Raises `LoginFailed` if it began elsewhere."""
        found = self._signer.read(note)
        if found is None or not secrets.compare_digest(str(found[1][0]).encode(), state.encode()):
            raise LoginFailed
        return local_path(str(found[1][1]))

    async def finish(self, state: str, code: str) -> int:
        """The user who has logged in. Raises `LoginFailed`."""
        access_token = await self._exchange(
            code, redirect_uri=self._addresses.callback, code_verifier=self._signer.derived(state)
        )
        return await self._user_of(access_token)

    async def of_activity(self, code: str, instance_id: str) -> ActivityUser:
        """The user of an Activity, if Discord says that they're in this instance of it. Raises `LoginFailed`."""
        access_token = await self._exchange(code)
        user_id = await self._user_of(access_token)
        application_id = self._client.application_id or 0
        path = "/applications/{application_id}/activity-instances/{instance_id}"
        route = Route("GET", path, application_id=application_id, instance_id=instance_id)
        try:
            instance: Mapping[str, Any] = await self._client.http.request(route)
        except discord.HTTPException as error:
            raise LoginFailed from error
        if str(user_id) not in instance["users"]:
            raise LoginFailed
        location = instance["location"]
        return ActivityUser(user_id, access_token, _id(location.get("guild_id")), _id(location.get("channel_id")))

    async def _exchange(self, code: str, **more: str) -> str:
        """The access token for a code. Raises `LoginFailed`."""
        form = {
            "client_id": str(self._client.application_id),
            "client_secret": self._secret,
            "grant_type": "authorization_code",
            "code": code,
            **more,
        }
        return str((await self._request("POST", "/oauth2/token", data=form))["access_token"])

    async def _user_of(self, access_token: str) -> int:
        bearer = {"Authorization": f"Bearer {access_token}"}
        return int((await self._request("GET", "/users/@me", headers=bearer))["id"])

    async def _request(self, method: str, path: str, **arguments: Any) -> Mapping[str, Any]:  # noqa: ANN401  # of aiohttp
        if self._http is None:
            raise LoginFailed
        try:
            async with self._http.request(method, f"{self._addresses.discord_api}{path}", **arguments) as response:
                if not response.ok:
                    raise LoginFailed
                found: Mapping[str, Any] = await response.json()
                return found
        except (aiohttp.ClientError, TimeoutError, ValueError) as error:
            raise LoginFailed from error


def _id(value: object) -> int | None:
    return None if value is None else int(str(value))
