"""Files that only their owner may read: the database, its copies, and the folder created for them.

They contain seeds, hands and user ids. SQLite gives the files next to a database (-wal, -shm) the same mode.
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
"""The suffixes of the files that make up one database."""


def parts_of(database: Path) -> list[Path]:
    """The files that make up a database, existing or not."""
    return [database.with_name(database.name + part) for part in PARTS]


def make_folder(folder: Path) -> None:
    """Create a folder and its missing parents. Raises `OSError`."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(mode=FOLDER_OWNER_ONLY, exist_ok=True)


def make_private(database: Path) -> None:
    """Make a database readable only by its owner. Creates an empty file if necessary. Raises `OSError`.

    Does the same for its folder, unless it contains other files.
    """
    if not database.exists():  # opening and closing an existing one would drop SQLite's locks
        os.close(os.open(database, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, OWNER_ONLY))
    for part in parts_of(database):
        _restrict(part, OWNER_ONLY)
    with suppress(PermissionError):
        if all(each.name.startswith(database.stem) for each in database.parent.iterdir()):
            _restrict(database.parent, FOLDER_OWNER_ONLY)


def create_private(file: Path) -> None:
    """Create an empty file. Raises `OSError`, also if the name is taken, for example by a symbolic link."""
    os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, OWNER_ONLY))


def _restrict(path: Path, widest: int) -> None:
    """Remove permissions beyond the widest allowed mode."""
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        return
    if not mode & ~widest:
        return
    try:
        path.chmod(mode & widest)
    except OSError:  # the file belongs to another user
        log.warning("%s can be read by other users of this machine", path)
