"""The settings: all faults in one message, without the token."""

import re
import sys
from dataclasses import asdict, fields
from pathlib import Path

import pytest

from bot.process import settings
from bot.process.settings import Secret, Settings, SettingsError

ROOT = Path(__file__).parents[2]
TOKEN = "MTIzNDU2Nzg5.very.secret"
NAMES = {field.name.upper() for field in fields(Settings)}
pytestmark = pytest.mark.usefixtures("clean_environment")


def load(monkeypatch: pytest.MonkeyPatch, **environment: str) -> Settings:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return settings.load(Settings)


def faults(monkeypatch: pytest.MonkeyPatch, **environment: str) -> list[str]:
    with pytest.raises(SettingsError) as caught:
        load(monkeypatch, **environment)
    return caught.value.faults


def test_a_token_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    made = load(monkeypatch, DISCORD_TOKEN=TOKEN)
    assert made.discord_token.value == TOKEN
    assert made.database_url.value == "sqlite+aiosqlite:///data/gang.sqlite3"
    assert (made.discord_api_url, made.log_level, made.ai_delay_seconds) == (None, "INFO", 1.5)


GOOD = [
    ("DISCORD_API_URL", "http://127.0.0.1:8420/api/v10"),
    ("DISCORD_API_URL", "https://proxy.example.org/api/v10"),
    ("DATABASE_URL", "sqlite+aiosqlite:////srv/gang.sqlite3"),
    ("DATABASE_URL", "postgresql+asyncpg://user:password@localhost/gang"),
    ("DATABASE_URL", "postgresql+asyncpg:///gang?host=/run/postgresql&ssl=require"),
    ("LOG_LEVEL", "debug"),
    ("LOG_LEVEL", "ERROR"),
    ("LOG_FORMAT", "json"),
    ("METRICS_ADDRESS", "127.0.0.1:9464"),
    ("METRICS_ADDRESS", "[::1]:9464"),
    ("METRICS_ADDRESS", "metrics.example.org:0"),
    ("METRICS_ADDRESS", ":9464"),
    ("WEB_URL", "https://gang.example.org"),
    ("WEB_URL", "http://127.0.0.1:8080"),
    ("DISCORD_CLIENT_SECRET", "0123456789abcdef-_0123456789ABCDEF"),
    ("SENTRY_DSN", "https://0123456789abcdef@errors.example.org/7"),
    ("AI_DELAY_SECONDS", "0"),
    ("AI_DELAY_SECONDS", "60"),
    ("AI_DELAY_SECONDS", ""),
    ("PICTURES", "false"),
    ("PICTURES", "False"),
    ("AI_WORKER", "false"),
    ("LIMITS_SCALE", "1000"),
    ("SHARD_COUNT", "16"),
    ("PRIVACY_URL", "https://example.org"),
    ("TERMS_URL", "https://example.org/terms"),
    ("SOURCE_URL", "https://example.org/a/b?c=d"),
    ("SUPPORT_URL", "https://example.org:8080/help"),
    ("UNKNOWN_SETTING", "x"),
]


@pytest.mark.parametrize(("name", "value"), GOOD)
def test_usable_settings(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    made = load(monkeypatch, DISCORD_TOKEN=TOKEN, **{name: value})
    stored = getattr(made, name.lower(), value)
    plain = stored.value if isinstance(stored, Secret) else stored
    assert str(plain).lower() in (value, value.lower(), f"{value}.0", "1.5")


@pytest.mark.parametrize(
    ("words", "value"), [("true yes on 1 t y YES", True), ("false no off 0 f n No", False)], ids=["true", "false"]
)
def test_words_for_true_and_false(monkeypatch: pytest.MonkeyPatch, words: str, value: bool) -> None:
    for word in words.split():
        assert load(monkeypatch, DISCORD_TOKEN=TOKEN, AI_WORKER=word).ai_worker is value


BAD = [
    ("DISCORD_API_URL", "127.0.0.1:8420"),
    ("DISCORD_API_URL", "http://127.0.0.1:8420"),
    ("DISCORD_API_URL", "http://127.0.0.1:8420/api/v10/"),
    ("DISCORD_API_URL", "http://a b/api/v10"),
    ("DATABASE_URL", "gang.sqlite3"),
    ("DATABASE_URL", "sqlite:///gang.sqlite3"),
    ("DATABASE_URL", "postgresql://user:hidden-password@localhost/gang"),
    ("DATABASE_URL", "mysql+aiomysql://user:hidden-password@localhost/gang"),
    ("DATABASE_URL", "postgresql+asyncpg://user:hidden-password@localhost:port/gang"),
    ("DATABASE_URL", "postgresql+asyncpg://user:hidden-password@localhost:99999/gang"),
    ("DATABASE_URL", "postgresql+asyncpg://user:hidden-password@localhost/gang?sslmode=require"),
    ("DATABASE_URL", "sqlite+aiosqlite://"),
    ("DATABASE_URL", "sqlite+aiosqlite:///gang.sqlite3?cached=true"),
    ("LOG_LEVEL", "chatty"),
    ("LOG_FORMAT", "xml"),
    ("METRICS_ADDRESS", "9464"),
    ("METRICS_ADDRESS", "http://127.0.0.1:9464"),
    ("METRICS_ADDRESS", "127.0.0.1:port"),
    ("WEB_ADDRESS", "8080"),
    ("WEB_URL", "http://gang.example.org"),
    ("DISCORD_CLIENT_SECRET", "hidden-password"),
    ("SENTRY_DSN", "https://errors.example.org/7"),
    ("SENTRY_DSN", "https://0123456789abcdef@errors.example.org"),
    ("AI_WORKER", "sometimes"),
    ("PICTURES", "maybe"),
    ("LIMITS_SCALE", "0.5"),
    ("SHARD_COUNT", "0"),
    ("SHARD_IDS", "0"),
    ("PRIVACY_URL", "http://example.org"),
    ("TERMS_URL", "example.org"),
    ("SOURCE_URL", "https://"),
    ("SUPPORT_URL", f"https://example.org/{'x' * 500}"),
    ("AI_DELAY_SECONDS", "soon"),
    ("AI_DELAY_SECONDS", "-1"),
    ("AI_DELAY_SECONDS", "61"),
    ("AI_DELAY_SECONDS", "nan"),
]


@pytest.mark.parametrize(("name", "value"), BAD)
def test_unusable_settings_are_named_in_a_sentence(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    (fault,) = faults(monkeypatch, DISCORD_TOKEN=TOKEN, **{name: value})
    assert fault.startswith(f"{name} is not usable: it ")
    assert fault.endswith(".")
    assert TOKEN not in fault
    assert "hidden-password" not in fault


def test_all_faults_are_reported_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    bad = {name: value for name, value in BAD if name != "DISCORD_TOKEN"}
    found = faults(monkeypatch, **bad)
    assert {fault.split()[0] for fault in found} == NAMES
    assert found[0].startswith("DISCORD_TOKEN is missing: ")
    assert len(found) == len(NAMES)


def test_the_page_needs_three_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    found = faults(monkeypatch, DISCORD_TOKEN=TOKEN, WEB_ADDRESS="127.0.0.1:8080")
    assert [fault.split(" ", 2)[:2] for fault in found] == [["WEB_URL", "is"], ["DISCORD_CLIENT_SECRET", "is"]]
    assert all(" is missing: it is the " in fault for fault in found)


def test_an_empty_token_is_a_missing_one(monkeypatch: pytest.MonkeyPatch) -> None:
    (fault,) = faults(monkeypatch, DISCORD_TOKEN="")
    assert fault.startswith("DISCORD_TOKEN is missing: ")


def test_no_repr_of_the_settings_shows_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    url = "postgresql+asyncpg://user:hidden-password@localhost/gang"
    made = load(monkeypatch, DISCORD_TOKEN=TOKEN, DATABASE_URL=url)
    for picture in (repr(made), str(made), repr(asdict(made)), f"{made.discord_token}"):
        assert TOKEN not in picture
        assert "hidden-password" not in picture


def test_settings_errors_have_no_cause_that_shows_values(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingsError) as caught:
        load(monkeypatch, DISCORD_TOKEN=TOKEN, LOG_LEVEL="chatty")
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_a_file_is_read_and_the_environment_comes_first(
    clean_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (clean_environment / ".env").write_text(f"DISCORD_TOKEN={TOKEN}\nAI_DELAY_SECONDS=3\nLOG_LEVEL=WARNING\nOTHER=1\n")
    made = load(monkeypatch, LOG_LEVEL="ERROR")
    assert (made.discord_token.value, made.ai_delay_seconds, made.log_level) == (TOKEN, 3.0, "ERROR")


def test_a_file_that_is_not_text_is_a_fault(clean_environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (clean_environment / ".env").write_bytes(b"DISCORD_TOKEN=\xff\xfe\x00")
    (fault,) = faults(monkeypatch)
    assert fault == ".env is not a text file in UTF-8."


def test_the_example_names_every_setting_and_no_other() -> None:
    lines = (ROOT / ".env.example").read_text(encoding="utf-8").splitlines()
    named = {match[1] for line in lines if (match := re.match(r"(?:# )?([A-Z_]+)=", line))}
    assert named == NAMES


def test_the_example_shows_the_defaults(clean_environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each first example works when uncommented, and is the default if there is one."""
    text = (ROOT / ".env.example").read_text(encoding="utf-8")
    (clean_environment / ".env").write_text(text)
    (fault,) = faults(monkeypatch)
    assert fault.startswith("DISCORD_TOKEN is missing")
    values: dict[str, str] = {}
    for name, value in re.findall(r"^(?:# )?([A-Z_]+)=(.*)$", text, re.MULTILINE):
        values.setdefault(name, value)
    made = load(monkeypatch, **{**values, "DISCORD_TOKEN": TOKEN, "DISCORD_API_URL": ""})
    assert made == Settings(discord_token=made.discord_token, database_url=made.database_url)


@pytest.mark.parametrize(("text", "shards"), [("0-7", [*range(8)]), ("0,2", [0, 2]), ("0-1, 15", [0, 1, 15])])
def test_a_process_has_a_list_of_shards(monkeypatch: pytest.MonkeyPatch, text: str, shards: list[int]) -> None:
    made = load(monkeypatch, DISCORD_TOKEN=TOKEN, SHARD_COUNT="16", SHARD_IDS=text)
    assert sorted(made.shard_ids or ()) == shards


@pytest.mark.parametrize("text", ["16", "0-16", "7-0", "-1", "all", "0,,1", "0-99999999999999999999", "9" * 5000])
def test_a_list_of_shards_has_only_existing_ones(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    (fault,) = faults(monkeypatch, DISCORD_TOKEN=TOKEN, SHARD_COUNT="16", SHARD_IDS=text)
    assert fault.startswith("SHARD_IDS is not usable")
    assert text not in fault or len(text) < 5


def test_reports_need_their_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentry_sdk", None)
    monkeypatch.setattr(sys, "meta_path", [])
    (fault,) = faults(monkeypatch, DISCORD_TOKEN=TOKEN, SENTRY_DSN="https://key@errors.example.org/7")
    assert "gang-of-four-bot[sentry]" in fault
