"""The settings, read from the environment and `.env`."""

import re
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias, TypeVar

from pydantic import AliasChoices, Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

ENV_FILE: Final = Path(".env")
MAX_SHARDS: Final = 10_000


class SettingsError(Exception):
    """Invalid settings: one sentence for each in `faults`, without the values of secrets."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


class AddressError(Exception):
    """The app can't listen on `METRICS_ADDRESS`."""


class DatabaseSettings(BaseSettings):
    """The settings for maintaining the database, without a Discord token."""

    model_config = SettingsConfigDict(env_file=ENV_FILE, extra="ignore", frozen=True, env_ignore_empty=True)

    database_url: SecretStr = SecretStr("sqlite+aiosqlite:///data/gang.sqlite3")

    @field_validator("database_url")
    @classmethod
    def _readable(cls, value: SecretStr) -> SecretStr:
        try:
            driver = make_url(value.get_secret_value()).drivername
        except ArgumentError:
            raise ValueError("it is not a database URL") from None
        if driver not in ("sqlite+aiosqlite", "postgresql+asyncpg"):
            raise ValueError("it begins with neither sqlite+aiosqlite: nor postgresql+asyncpg:")
        return value


Link: TypeAlias = Annotated[str, Field(pattern=r"^https://[^\s/]+\S*$", max_length=512)]
"""A web address for a button. Discord allows 512 characters."""


def _read_shards(text: str) -> frozenset[int]:
    """Read numbers and ranges such as `0-7` or `0,2`. Raises ValueError."""
    found: set[int] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        start, end = int(first), int(last or first)
        if not 0 <= start <= end < MAX_SHARDS:
            raise ValueError(part)
        found.update(range(start, end + 1))
    return frozenset(found)


class Settings(DatabaseSettings):
    """All settings (see `.env.example`)."""

    discord_token: SecretStr = Field(min_length=1)
    discord_api_url: Annotated[str, Field(pattern=r"^https?://\S+/api/v\d+$")] | None = None
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    log_format: Literal["text", "json"] = "text"
    metrics_address: Annotated[str, Field(pattern=r"^([\w.-]*|\[[0-9a-fA-F:]+\]):\d{1,5}$")] | None = None
    sentry_dsn: SecretStr | None = None
    ai_delay_seconds: float = Field(
        default=1.5, ge=0, le=60, validation_alias=AliasChoices("ai_delay_seconds", "robot_seconds")
    )
    """Its old name, `ROBOT_SECONDS`, still works."""
    ai_worker: bool = True
    pictures: bool = True
    limits_scale: float = Field(default=1, ge=1, le=1_000_000)
    shard_count: int | None = Field(default=None, ge=1, le=MAX_SHARDS)
    shard_ids: Annotated[frozenset[int] | None, NoDecode] = None
    privacy_url: Link | None = None
    source_url: Link | None = None
    support_url: Link | None = None

    @field_validator("sentry_dsn")
    @classmethod
    def _reportable(cls, value: SecretStr | None) -> SecretStr | None:
        if value is None:
            return None
        if not re.fullmatch(r"https?://[^\s/@]+@[^\s/@]+/(\S+/)?\d+", value.get_secret_value()):
            raise ValueError("it is not a DSN")
        if find_spec("sentry_sdk") is None:
            raise ValueError("sentry-sdk is not installed")
        return value

    @field_validator("log_level", mode="before")
    @classmethod
    def _any_case(cls, value: object) -> object:
        return value.upper() if isinstance(value, str) else value

    @field_validator("shard_ids", mode="before")
    @classmethod
    def _of_all_shards(cls, value: str | None, info: ValidationInfo) -> frozenset[int] | None:
        if value is None:
            return None
        found = _read_shards(value)
        if max(found) >= (info.data.get("shard_count") or 0):
            raise ValueError("a number is too large")
        return found


_WANTED: Final = {
    "discord_token": "it is the token of your bot, from https://discord.com/developers/applications",
    "discord_api_url": "it is an address that ends in /api/v10",
    "log_level": "it is one of DEBUG, INFO, WARNING, ERROR",
    "log_format": "it is text or json",
    "metrics_address": "it is an address and a port, such as 127.0.0.1:9464",
    "sentry_dsn": "it is the DSN of a project in Sentry, and needs the package gang-of-four-bot[sentry]",
    **dict.fromkeys(("ai_worker", "pictures"), "it is true or false"),
    "ai_delay_seconds": "it is a number of seconds from 0 to 60",
    "limits_scale": "it is a number from 1 to 1000000",
    "shard_count": f"it is a number from 1 to {MAX_SHARDS}, the same for all processes",
    "shard_ids": "it is a list such as 0-7 or 0,2 of numbers below SHARD_COUNT",
    **dict.fromkeys(("privacy_url", "source_url", "support_url"), "it is an address that begins with https://"),
    "database_url": "it begins with sqlite+aiosqlite: or postgresql+asyncpg:",
}


S = TypeVar("S", bound=DatabaseSettings)


def load(kind: type[S]) -> S:
    """Read the settings. Raises `SettingsError` with all faults at once."""
    try:
        return kind()
    except ValidationError as error:
        types = {str(fault["loc"][0]): fault["type"] for fault in error.errors(include_input=False)}
        faults = [
            f"{name.upper()} is {'missing' if types[name] == 'missing' else 'not usable'}: {wanted}."
            for name, wanted in _WANTED.items()
            if name in types
        ]
    except UnicodeDecodeError:
        faults = [f"{ENV_FILE} is not a text file in UTF-8."]
    raise SettingsError(faults)
