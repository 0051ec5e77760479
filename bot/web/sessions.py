"""Signed tokens for sessions and logins of the page. The server stores none of them.

The key comes from the app's client secret. So a session survives a restart, holds at every process, and ends for
everyone when the host replaces the secret. A logout ends all sessions that its user has begun.
"""

import hashlib
import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

SESSION_SECONDS: Final = 12 * 60 * 60
"""Seconds for which a session lasts. It gives no right by itself: what a user may see is checked at every action."""
MAX_LENGTH: Final = 1000
"""Characters of a signed note that is read at all."""
Value: TypeAlias = str | int | None


class Signer:
    """Signs values for one purpose, and reads them again until they expire."""

    def __init__(self, secret: str, purpose: str, now: Callable[[], int]) -> None:
        """`now`: UTC milliseconds."""
        self._key = hmac.digest(secret.encode(), f"gang of four: {purpose}".encode(), "sha256")
        self._now = now

    def sign(self, seconds: int, *values: Value) -> str:
        """The values as one text that `read` accepts for some seconds."""
        until = self._now() + seconds * 1000
        body = _encoded(json.dumps([until, *values], separators=(",", ":")).encode())
        return f"{body}.{self._mark(body)}"

    def read(self, text: str) -> tuple[int, list[Value]] | None:
        """When the values expire (UTC milliseconds), and the values; None if they have, or someone else wrote them."""
        body, _, mark = text[:MAX_LENGTH].partition(".")
        if not text.isascii() or not hmac.compare_digest(mark, self._mark(body)):
            return None
        until, *values = json.loads(_decoded(body))
        return None if until <= self._now() else (until, values)

    def derived(self, text: str) -> str:
        """A secret that only the app can compute from a text."""
        return _encoded(hmac.digest(self._key, b"derived " + text.encode(), hashlib.sha256))

    def _mark(self, body: str) -> str:
        return _encoded(hmac.digest(self._key, body.encode(), hashlib.sha256))


def _encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def _decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass(frozen=True, slots=True)
class Session:
    """A user of the page."""

    until: int
    """When it ends (UTC milliseconds)."""
    user_id: int
    guild_id: int | None = None
    """The guild in which they opened the Activity; None in a browser, and outside guilds."""
    channel_id: int | None = None
    """The channel of the Activity."""

    @property
    def begun_at(self) -> int:
        """When it began (UTC milliseconds)."""
        return self.until - SESSION_SECONDS * 1000


class Sessions:
    """Begins sessions, and reads their tokens."""

    def __init__(self, secret: str, now: Callable[[], int]) -> None:
        """`now`: UTC milliseconds."""
        self._signer = Signer(secret, "sessions", now)
        self._now = now

    def begin(self, user_id: int, guild_id: int | None = None, channel_id: int | None = None) -> str:
        """The token of a new session."""
        return self._signer.sign(SESSION_SECONDS, user_id, guild_id, channel_id)

    def read(self, token: str) -> Session | None:
        """The session of a token; None if it has expired or there never was one."""
        found = self._signer.read(token)
        if found is None:
            return None
        until, values = found
        return Session(until, *values)  # type: ignore[arg-type]  # they are as `begin` has written them

    def goes_on(self, session: Session, logged_out_at: int) -> bool:
        """True until a session is over: it has expired, or its user has logged out since it began."""
        return logged_out_at < session.begun_at and self._now() < session.until
