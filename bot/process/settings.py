"""The settings, read from the environment and `.env`."""

import math
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeVar

from dotenv import dotenv_values
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

ENV_FILE: Final = Path(".env")
MAX_SHARDS: Final = 10_000
MAX_LINK: Final = 512
MAX_PORT: Final = 65535
_SERVER_OPTIONS: Final = {"host", "port", "ssl"}
"""The options of a PostgreSQL address that asyncpg knows and a host may need."""


class SettingsError(Exception):
    """Invalid settings: one sentence for each in `faults`, without the values of secrets."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


class AddressError(Exception):
    """The app can't listen on the address in `setting`."""

    def __init__(self, setting: str, why: str) -> None:
        super().__init__(why)
        self.setting = setting


class Secret:
    """A value that is never printed with the settings."""

    def __init__(self, value: str) -> None:
        self.value: Final = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        return "Secret(…)"


DEFAULT_DATABASE: Final = Secret("sqlite+aiosqlite:///data/gang.sqlite3")


@dataclass(frozen=True, kw_only=True)
class DatabaseSettings:
    """The settings for maintaining the database, without a Discord token."""

    database_url: Secret = DEFAULT_DATABASE


@dataclass(frozen=True, kw_only=True)
class Settings(DatabaseSettings):
    """All settings (see `.env.example`)."""

    discord_token: Secret
    discord_api_url: str | None = None
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    log_format: Literal["text", "json"] = "text"
    metrics_address: str | None = None
    web_address: str | None = None
    web_url: str | None = None
    discord_client_secret: Secret | None = None
    sentry_dsn: Secret | None = None
    ai_delay_seconds: float = 1.5
    ai_worker: bool = True
    pictures: bool = True
    limits_scale: float = 1
    shard_count: int | None = None
    shard_ids: frozenset[int] | None = None
    privacy_url: str | None = None
    terms_url: str | None = None
    source_url: str | None = None
    support_url: str | None = None

    @property
    def web_secret(self) -> str | None:
        """The client secret, if the host has set up the page."""
        secret = None if self.web_address is None else self.discord_client_secret
        return None if secret is None else secret.value


def _database_url(text: str) -> Secret:
    try:
        url = make_url(text)
    except ArgumentError:
        raise ValueError from None
    is_file = url.drivername == "sqlite+aiosqlite" and url.database and not url.query
    is_server = url.drivername == "postgresql+asyncpg" and url.query.keys() <= _SERVER_OPTIONS
    if not (is_file or is_server) or (url.port or 0) > MAX_PORT:
        raise ValueError
    return Secret(text)


def _dsn(text: str) -> Secret:
    if find_spec("sentry_sdk") is None:
        raise ValueError
    return Secret(_matching(r"https?://[^\s/@]+@[^\s/@]+/(\S+/)?\d+")(text))


def _matching(pattern: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError
        return text

    return read


def _link(text: str) -> str:
    """Read a web address for a button. Discord allows 512 characters."""
    if len(text) > MAX_LINK:
        raise ValueError
    return _matching(r"https://[^\s/]+\S*")(text)


def _number(convert: Callable[[str], Any], least: float, most: float) -> Callable[[str], Any]:
    def read(text: str) -> Any:  # noqa: ANN401  # what `convert` returns
        value = convert(text)
        if not least <= value <= most:
            raise ValueError
        return value

    return read


_OF_THE_PAGE: Final = ("web_address", "web_url", "discord_client_secret")
"""The settings that the page needs, all or none."""
_TRUE: Final = {"true", "yes", "on", "1", "t", "y"}
_FALSE: Final = {"false", "no", "off", "0", "f", "n"}


def _truth(text: str) -> bool:
    word = text.lower()
    if word not in _TRUE | _FALSE:
        raise ValueError
    return word in _TRUE


def _shards(text: str) -> frozenset[int]:
    """Read numbers and ranges such as `0-7` or `0,2`."""
    found: set[int] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        start, end = int(first), int(last or first)
        if not 0 <= start <= end < MAX_SHARDS:
            raise ValueError
        found.update(range(start, end + 1))
    return frozenset(found)


class _Reader(NamedTuple):
    wanted: str
    """Completes "SETTING is not usable: …"."""
    read: Callable[[str], object]
    """Raises ValueError, which may contain the text, so it isn't shown."""


_ADDRESS: Final = r"([\w.-]*|\[[0-9a-fA-F:]+\]):\d{1,5}"
_ORIGIN: Final = r"https://[^\s/]+|http://(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?"
_LINK: Final = _Reader("it is an address that begins with https://", _link)
_SWITCH: Final = _Reader("it is true or false", _truth)
_DATABASE: Final = (
    "it begins with sqlite+aiosqlite: and names a file, or with postgresql+asyncpg: and has no options except "
    "host, port and ssl"
)
_READERS: Final[Mapping[str, _Reader]] = {
    "discord_token": _Reader("it is the token of your bot, from https://discord.com/developers/applications", Secret),
    "database_url": _Reader(_DATABASE, _database_url),
    "discord_api_url": _Reader("it is an address that ends in /api/v10", _matching(r"https?://\S+/api/v\d+")),
    "log_level": _Reader(
        "it is one of DEBUG, INFO, WARNING, ERROR",
        lambda text: _matching("DEBUG|INFO|WARNING|ERROR")(text.upper()),
    ),
    "log_format": _Reader("it is text or json", _matching("text|json")),
    "metrics_address": _Reader("it is an address and a port, such as 127.0.0.1:9464", _matching(_ADDRESS)),
    "web_address": _Reader("it is an address and a port, such as 127.0.0.1:8080", _matching(_ADDRESS)),
    "web_url": _Reader(
        "it is the address at which people open the page, such as https://gang.example.org; WEB_ADDRESS needs it",
        _matching(_ORIGIN),
    ),
    "discord_client_secret": _Reader(
        "it is the client secret of your app, from https://discord.com/developers/applications; WEB_ADDRESS needs it",
        lambda text: Secret(_matching(r"[\w-]{16,200}")(text)),
    ),
    "sentry_dsn": _Reader("it is the DSN of a project in Sentry, and needs the package gang-of-four-bot[sentry]", _dsn),
    "ai_delay_seconds": _Reader("it is a number of seconds from 0 to 60", _number(float, 0, 60)),
    "ai_worker": _SWITCH,
    "pictures": _SWITCH,
    "limits_scale": _Reader("it is a number from 1 to 1000000", _number(float, 1, 1_000_000)),
    "shard_count": _Reader(
        f"it is a number from 1 to {MAX_SHARDS}, the same for all processes", _number(int, 1, MAX_SHARDS)
    ),
    "shard_ids": _Reader("it is a list such as 0-7 or 0,2 of numbers below SHARD_COUNT", _shards),
    "privacy_url": _LINK,
    "terms_url": _LINK,
    "source_url": _LINK,
    "support_url": _LINK,
}

S = TypeVar("S", bound=DatabaseSettings)


def load(kind: type[S]) -> S:
    """Read the settings. Raises `SettingsError` with all faults at once."""
    given = _given()
    values: dict[str, Any] = {}
    faults: dict[str, str] = {}
    for field in fields(kind):
        text = given.get(field.name.upper())
        if text is None:
            if field.default is MISSING:
                faults[field.name] = "missing"
            continue
        try:
            values[field.name] = _READERS[field.name].read(text)
        except ValueError:
            faults[field.name] = "not usable"
    if max(values.get("shard_ids", ()), default=-math.inf) >= values.get("shard_count", 0):
        faults["shard_ids"] = "not usable"
    if "web_address" in values:
        faults |= {name: "missing" for name in _OF_THE_PAGE if name not in {*values, *faults}}
    if faults:
        raise SettingsError(
            [f"{name.upper()} is {faults[name]}: {it.wanted}." for name, it in _READERS.items() if name in faults]
        )
    return kind(**values)


def _given() -> dict[str, str]:
    """The values that aren't empty, by name in capitals. The environment overrides the file."""
    try:
        file = dotenv_values(ENV_FILE)
    except UnicodeDecodeError:
        raise SettingsError([f"{ENV_FILE} is not a text file in UTF-8."]) from None
    except OSError as error:
        raise SettingsError([f"{ENV_FILE} cannot be read: {error.strerror}."]) from None
    given: dict[str, str] = {}
    for source in (file, os.environ):
        given |= {name.upper(): text for name, text in source.items() if text}
    return given
