"""The files for hosts: checked against official schemas, and for the facts that matter."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot.commands import STOP_TIMEOUT
from tests.compose_files import DOCKERFILE, services, shards

ROOT = Path(__file__).parent.parent
COMPOSE = ("compose.yaml", "compose.scale.yaml")
SCALE = services("compose.scale.yaml")
BOTS = {f"{file} {name}": service for file in COMPOSE for name, service in services(file).items() if "build" in service}
"""The services that run the bot."""


def tool(name: str) -> Path:
    """A program of the environment in which the tests run."""
    return Path(sys.executable).with_name(name)


@pytest.mark.parametrize("file", COMPOSE)
def test_compose_files_match_the_official_schema(file: str) -> None:
    command = (tool("check-jsonschema"), "--builtin-schema", "vendor.compose-spec", ROOT / file)
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("file", COMPOSE)
def test_every_service_is_limited(file: str) -> None:
    for service in services(file).values():
        assert service["restart"] == "unless-stopped"
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert re.fullmatch(r"\d+[mg]", service["mem_limit"])
        assert service["pids_limit"] > 0
        assert int(service["stop_grace_period"].removesuffix("s")) > STOP_TIMEOUT + 3  # Docker kills it then


@pytest.mark.parametrize("name", BOTS)
def test_bots_write_only_into_their_volume_and_keep_the_health_check_of_the_image(name: str) -> None:
    bot = BOTS[name]
    assert bot["read_only"] is True
    assert bot["cap_drop"] == ["ALL"]
    assert bot["tmpfs"] == "/tmp"
    assert bot["volumes"] == ["data:" + volume for volume in re.findall(r"^VOLUME (.*)$", DOCKERFILE, re.MULTILINE)]
    assert bot["env_file"] == ".env"
    assert "healthcheck" not in bot


def test_the_bots_share_all_shards_and_wait_for_the_database() -> None:
    settings = [service["environment"] for service in SCALE.values() if "build" in service]
    assert len(settings) == 2
    (count,) = {each["SHARD_COUNT"] for each in settings}
    assert sorted(shard for each in settings for shard in shards(each["SHARD_IDS"])) == list(range(count))
    assert all(
        service["depends_on"] == {"database": {"condition": "service_healthy"}}
        for service in SCALE.values()
        if "build" in service
    )


def test_the_database_keeps_its_data_and_its_password_is_in_no_file() -> None:
    database = SCALE["database"]
    assert re.fullmatch(r"postgres:17@sha256:[0-9a-f]{64}", database["image"])
    assert database["volumes"] == ["database:/var/lib/postgresql/data"]
    assert "pg_isready" in database["healthcheck"]["test"]
    assert database["environment"]["POSTGRES_PASSWORD"].startswith("${POSTGRES_PASSWORD:?")
    for service in SCALE.values():
        assert "ports" not in service
        passwords = [value for name, value in service["environment"].items() if "PASSWORD" in name]
        assert passwords == [database["environment"]["POSTGRES_PASSWORD"]]


@pytest.mark.parametrize("file", ["Dockerfile", "deploy/gang-of-four.service"])
def test_heaps_are_limited(file: str) -> None:
    assert "MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=65536\n" in (ROOT / file).read_text()
