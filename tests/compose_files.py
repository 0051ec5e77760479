"""Compose files and the Dockerfile, parsed: what a container runs, in which environment."""

import json
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

ROOT = Path(__file__).parent.parent
DOCKERFILE = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text())
"""Each instruction on one line."""
DOCKERFILE_COPIES = re.findall(r"^COPY (\w+) \1$", DOCKERFILE, re.MULTILINE)
"""The folders of the repository that the image contains."""


def services(name: str) -> dict[str, dict[str, Any]]:
    """The services of a Compose file by name, with merge keys resolved."""
    return dict(YAML(typ="safe", pure=True).load(ROOT / name)["services"])


def image_environment() -> dict[str, str]:
    """The variables that the image sets."""
    lines = re.findall(r"^ENV (.*)$", DOCKERFILE, re.MULTILINE)
    return dict(setting.split("=", 1) for line in lines for setting in shlex.split(line))


def image_command() -> list[str]:
    """The command that the image runs."""
    (found,) = re.findall(r"^CMD (.*)$", DOCKERFILE, re.MULTILINE)
    return list(json.loads(found))


def health_check() -> list[str]:
    """The command that tells whether a container is healthy."""
    (found,) = re.findall(r"^HEALTHCHECK .*CMD (.*)$", DOCKERFILE, re.MULTILINE)
    return list(json.loads(found))


def environment(service: Mapping[str, Any], env_file: Mapping[str, str]) -> dict[str, str]:
    """The variables of a service's container, where `.env` contains `env_file`.

    Raises KeyError for a variable that the Compose file requires and `.env` doesn't have.
    """
    own = {name: _interpolated(str(value), env_file) for name, value in service.get("environment", {}).items()}
    return image_environment() | (dict(env_file) if "env_file" in service else {}) | own


def _interpolated(text: str, variables: Mapping[str, str]) -> str:
    return re.sub(r"\$\{(\w+):\?[^}]*\}", lambda found: variables[found[1]], text)


def shards(ids: str) -> list[int]:
    """The shards of a setting such as `0-7` or `0,2`."""
    bounds = [[int(bound) for bound in part.split("-")] for part in ids.split(",")]
    return [shard for each in bounds for shard in range(each[0], each[-1] + 1)]
