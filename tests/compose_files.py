"""Compose files and the Dockerfile, parsed: what a container runs, in which environment."""

import re
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

ROOT = Path(__file__).parent.parent
DOCKERFILE = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text())
"""Each instruction on one line."""


def services(name: str) -> dict[str, dict[str, Any]]:
    """The services of a Compose file by name, with merge keys resolved."""
    return dict(YAML(typ="safe", pure=True).load(ROOT / name)["services"])
