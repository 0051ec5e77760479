"""Files that only their owner may read: the database, its copies, and the folder that was made for them.

They hold seeds, hands and ids of people. SQLite gives the files beside a database (-wal, -shm) its mode.
"""

import logging
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

log = logging.getLogger(__name__)

OWNER_ONLY: Final = 0o600
FOLDER_OWNER_ONLY: Final = 0o700
PARTS: Final = ("", "-journal", "-wal", "-shm")
"""Endings of the files that make up one database."""


def parts_of(database: Path) -> list[Path]:
    """The files that make up a database, whether they exist or not."""
    return [database.with_name(database.name + part) for part in PARTS]


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it, where there is none. Raises OSError."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(mode=FOLDER_OWNER_ONLY, exist_ok=True)


def make_private(database: Path) -> None:
    """Let only the owner read a database: one that exists, or a new empty file. Raises OSError.

    The same for its folder, unless other files are in it.
    """
    if not database.exists():  # one that exists is not opened: closing it would drop the locks of SQLite
        os.close(os.open(database, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, OWNER_ONLY))
    for part in parts_of(database):
        _narrow(part, OWNER_ONLY)
    with suppress(PermissionError):
        if all(each.name.startswith(database.stem) for each in database.parent.iterdir()):
            _narrow(database.parent, FOLDER_OWNER_ONLY)


def create_private(file: Path) -> None:
    """Make a new empty file. Raises OSError, also if the name is taken, for example by a symbolic link."""
    os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, OWNER_ONLY))


def _narrow(path: Path, widest: int) -> None:
    """Take from a mode what goes beyond the widest one that is allowed."""
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        return
    if not mode & ~widest:
        return
    try:
        path.chmod(mode & widest)
    except OSError:  # it belongs to another user
        log.warning("%s can be read by other users of this machine", path)
