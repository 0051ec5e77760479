"""Keeps the compiled machine code on disk, and deletes that of other versions when it isn't used any more."""

import os
import re
import shutil
import time
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Final

import numba  # type: ignore[import-not-found, import-untyped, unused-ignore]

_CONFIG: Final[Any] = numba.config
_BASE: Final = Path(_CONFIG.CACHE_DIR or Path(__file__).parent / "__pycache__")
"""The folder for machine code: NUMBA_CACHE_DIR, or the one next to the modules."""
_UNUSED_SECONDS: Final = 30 * 24 * 3600
"""The time after which unused machine code is deleted."""


def keep_by(*packages: Path) -> Path:
    """Keep machine code by the sources of these packages. Returns its folder.

    Numba itself compiles a function again only if its own file has changed, not if a called one has.
    """
    sources = [source.read_bytes() for package in packages for source in sorted(package.glob("*.py"))]
    folder = _BASE / sha256(b"".join(sources)).hexdigest()[:16]
    _CONFIG.CACHE_DIR = str(folder)
    return folder


def delete_unused(base: Path, used: Path) -> None:
    """Note that the code in `used` is used, and delete folders that were last used a month ago."""
    with suppress(OSError):
        used.mkdir(parents=True, exist_ok=True)
        os.utime(used)
        for folder in base.iterdir():
            is_ours = re.fullmatch("[0-9a-f]{16}", folder.name)
            if is_ours and time.time() - folder.stat().st_mtime > _UNUSED_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)


def _can_write() -> bool:
    """True if machine code can be kept in `_BASE`."""
    try:
        _BASE.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=_BASE):
            return True
    except OSError:
        return False


delete_unused(_BASE, keep_by(Path(__file__).parent))
IS_KEPT: Final = _can_write()
