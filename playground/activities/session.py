"""The state of one Activity's page on a person's screen, as far as the client around it knows it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import IntEnum

from playground.world.instance import ActivityInstance
from playground.world.model import Json, User
from playground.world.oauth2 import AccessToken
from playground.world.world import World


class RpcErrorCode(IntEnum):
    """Discord's codes of refused commands."""

    UNKNOWN = 1000
    INVALID_PAYLOAD = 4000
    INVALID_COMMAND = 4002
    INVALID_EVENT = 4004
    INVALID_CHANNEL = 4005
    INVALID_PERMISSIONS = 4006
    INVALID_CLIENT_ID = 4007
    INVALID_TOKEN = 4009
    OAUTH2 = 5000


class RpcError(Exception):
    """A command that the client refuses. A violation is always the app's mistake."""

    def __init__(self, code: RpcErrorCode, message: str, *, is_violation: bool = True) -> None:
        super().__init__(message)
        self.code = code
        self.is_violation = is_violation


@dataclass(eq=False, slots=True)
class RpcSession:
    """The permissions of a page, and the events that it has subscribed to."""

    world: World
    user: User
    instance: ActivityInstance
    ask: Callable[[Json], Awaitable[bool]]
    """Asks the person a question with the answers yes and no."""
    token: AccessToken | None = None
    """The token with which the page has authenticated."""
    events: set[str] = field(default_factory=set)
    """The events that it has subscribed to."""

    @property
    def scopes(self) -> frozenset[str]:
        """The scopes of the token."""
        return frozenset(self.token.scopes if self.token is not None else ())

    def begin(self) -> None:
        """Begin anew, because the page was loaded again."""
        self.token = None
        self.events.clear()

    def require(self, *scopes: str) -> None:
        """Refuse a page that has not authenticated with these scopes."""
        if not self.scopes.issuperset(scopes):
            raise RpcError(RpcErrorCode.INVALID_PERMISSIONS, "Not authenticated or invalid scope")
