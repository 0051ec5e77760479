"""What people have authorized the app to do: codes that work once, and the tokens for them [RFC 6749, RFC 7636]."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from playground.clock import Clock
from playground.world.model import User

CODE_SECONDS = 10 * 60
"""The longest life of a code that RFC 6749 recommends. Discord doesn't say how long its codes live."""
TOKEN_SECONDS = 7 * 24 * 60 * 60
SCOPES: Mapping[str, str] = {
    "applications.commands": "Create commands",
    "connections": "Access your third-party connections",
    "email": "Access your email address",
    "guilds": "Know what servers you're in",
    "guilds.members.read": "Read your member info in a server",
    "identify": "Access your username, avatar, and banner",
    "openid": "Sign you in",
    "rpc.activities.write": "Update your Discord activity",
}
"""The scopes that an app without Discord's approval gets, and what each lets it do."""


class OAuth2Error(Exception):
    """A refusal of an authorization or of a token. A violation is always the app's mistake."""

    def __init__(self, error: str, description: str = "", *, is_violation: bool = False) -> None:
        super().__init__(f"{error}: {description}" if description else error)
        self.error = error
        self.description = description
        self.is_violation = is_violation


@dataclass(frozen=True, slots=True)
class Code:
    """An authorization code."""

    user: User
    scopes: tuple[str, ...]
    redirect_uri: str | None
    """None if it was handed over inside Discord's client."""
    challenge: str | None
    expires_at: float


@dataclass(frozen=True, slots=True)
class AccessToken:
    """An access token with its refresh token."""

    user: User
    scopes: tuple[str, ...]
    expires_at: float
    access: str = field(repr=False)
    refresh: str = field(repr=False)


class OAuth2:
    """The codes and tokens of the app."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._codes: dict[str, Code] = {}
        self._tokens: dict[str, AccessToken] = {}
        self._consents: dict[int, set[str]] = {}
        """The scopes that each user has agreed to."""

    def has_consented(self, user: User, scopes: Iterable[str]) -> bool:
        """True if the user has agreed to all of these scopes before."""
        return self._consents.get(user.id, set()).issuperset(scopes)

    def consent(self, user: User, scopes: Iterable[str]) -> None:
        """The user agrees, and isn't asked for these scopes again."""
        self._consents.setdefault(user.id, set()).update(scopes)

    def authorize(self, user: User, scopes: tuple[str, ...], redirect_uri: str | None, challenge: str | None) -> str:
        """The user agrees. Returns a code."""
        self.consent(user, scopes)
        code = secrets.token_urlsafe(22)
        self._codes[code] = Code(user, scopes, redirect_uri, challenge, self._clock.time() + CODE_SECONDS)
        return code

    def exchange(self, code: str, redirect_uri: str | None, verifier: str | None) -> AccessToken:
        """The token for a code, which then no longer works. Raises OAuth2Error."""
        found = self._codes.pop(code, None)
        if found is None or found.expires_at < self._clock.time():
            raise OAuth2Error("invalid_grant", 'Invalid "code" in request.')
        if redirect_uri != found.redirect_uri:
            raise OAuth2Error("invalid_grant", 'Invalid "redirect_uri" in request.', is_violation=True)
        if (verifier is None) != (found.challenge is None) or (verifier and challenge_of(verifier) != found.challenge):
            raise OAuth2Error("invalid_grant", 'Invalid "code_verifier" in request.')
        return self._issue(found.user, found.scopes)

    def refresh(self, token: str) -> AccessToken:
        """A new token in the place of one that may have expired. Raises OAuth2Error."""
        old = next((each for each in self._tokens.values() if hmac.compare_digest(each.refresh, token)), None)
        if old is None:
            raise OAuth2Error("invalid_grant", 'Invalid "refresh_token" in request.')
        del self._tokens[old.access]
        return self._issue(old.user, old.scopes)

    def revoke(self, token: str) -> None:
        """End the authorization that an access or refresh token belongs to."""
        for each in [each for each in self._tokens.values() if token in (each.access, each.refresh)]:
            del self._tokens[each.access]

    def find(self, access: str) -> AccessToken | None:
        """The token with this text, if it is valid."""
        found = self._tokens.get(access)
        return found if found is not None and found.expires_at >= self._clock.time() else None

    def _issue(self, user: User, scopes: tuple[str, ...]) -> AccessToken:
        expires_at = self._clock.time() + TOKEN_SECONDS
        token = AccessToken(user, scopes, expires_at, secrets.token_urlsafe(22), secrets.token_urlsafe(22))
        self._tokens[token.access] = token
        return token


def checked_scopes(scopes: Iterable[str]) -> tuple[str, ...]:
    """The scopes of an authorization, each once. Raises OAuth2Error if there are none, or one is out of reach."""
    wanted = tuple(dict.fromkeys(scopes))
    if not wanted or not SCOPES.keys() >= set(wanted):
        message = "The requested scope is invalid, unknown, or malformed."
        raise OAuth2Error("invalid_scope", message, is_violation=True)
    return wanted


def checked_challenge(challenge: str | None, method: str | None) -> str | None:
    """The code challenge of an authorization. Raises OAuth2Error if its method isn't Discord's only one."""
    if challenge is not None and method != "S256":
        raise OAuth2Error("invalid_request", 'Invalid "code_challenge_method" in request.', is_violation=True)
    return challenge


def challenge_of(verifier: str) -> str:
    """The code challenge of a verifier by the method S256."""
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
