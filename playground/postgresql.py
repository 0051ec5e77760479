"""A PostgreSQL server for one run of the playground or the tests: in a folder and on a socket of its own.

`python -m playground.postgresql COMMAND…` runs a command, such as `make test`, with the address in `TEST_DATABASE_URL`.
"""

import asyncio
import os
import re
import shutil
import signal
import sys
import tempfile
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

FOLDERS: Final = ("/usr/lib/postgresql", "/usr", "/usr/local", "/opt/homebrew/opt", "/usr/local/opt")
"""Where packages install PostgreSQL, in a folder for each version: `15/bin`, `pgsql-15/bin`, `postgresql@15/bin`."""
OWNER: Final = "postgres"
"""The user who runs the server if this is root, because PostgreSQL refuses to run as root."""
NOT_INSTALLED: Final = (
    "PostgreSQL isn't installed here. On Debian and Ubuntu: apt install postgresql. On macOS: brew install postgresql. "
    "Or set DATABASE_URL to an empty database on another server."
)


class NoServer(Exception):
    """No server can be started. The message says what to do."""


def programs(folders: Sequence[str] = FOLDERS) -> Path:
    """The folder with the programs of the newest PostgreSQL. Raises `NoServer`."""
    found = [path.parent for folder in folders for path in Path(folder).glob("*/bin/initdb")]
    if found:
        return max(found, key=lambda path: int("".join(re.findall(r"\d+", path.parent.name)[:1]) or 0))
    if (program := shutil.which("initdb")) is not None:
        return Path(program).resolve().parent
    raise NoServer(NOT_INSTALLED)


@asynccontextmanager
async def server() -> AsyncIterator[tuple[str, str]]:
    """Run a server for the block. Yields the URL of an empty database, and the server's folder. Raises `NoServer`."""
    folder_of_programs = programs()
    with tempfile.TemporaryDirectory(prefix="playground-") as folder:
        as_owner: list[str] = []
        if os.getuid() == 0:
            try:
                shutil.chown(folder, OWNER)
            except LookupError:
                raise NoServer(f"PostgreSQL doesn't run as root, and the user {OWNER} doesn't exist.") from None
            as_owner = ["runuser", "-u", OWNER, "--"]
        control = [*as_owner, str(folder_of_programs / "pg_ctl"), "--pgdata", f"{folder}/data", "--silent"]
        set_up = "--username play --auth trust --encoding UTF8 --locale C --no-sync"
        await _run(folder, *control, "initdb", "--options", set_up)
        options = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
        try:
            await _run(folder, *control, "--wait", "--log", f"{folder}/log", "start", "--options", options)
            yield f"postgresql+asyncpg://play@/postgres?host={folder}", folder
        finally:
            stop = await asyncio.create_subprocess_exec(
                *control, "--mode", "immediate", "stop", cwd=folder, stdout=DEVNULL, stderr=DEVNULL
            )
            await stop.wait()


async def _run(folder: str, *command: str) -> None:
    """Run a command in a folder. Raises `NoServer` with the last line that it wrote."""
    ran = await asyncio.create_subprocess_exec(*command, cwd=folder, stdout=DEVNULL, stderr=PIPE)
    _, said = await ran.communicate()
    if ran.returncode != 0:
        raise NoServer(f"PostgreSQL can't be started: {(said.decode().splitlines() or ['no reason given'])[-1]}")


async def run_with_server(command: Sequence[str]) -> int:
    """Run a command while a server runs. Returns its exit code. Raises `NoServer`."""
    async with server() as (url, _):
        process = await asyncio.create_subprocess_exec(*command, env=os.environ | {"TEST_DATABASE_URL": url})
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, process.terminate)
        return await process.wait()


def main() -> None:
    """Run the command of the arguments."""
    if not sys.argv[1:]:
        sys.exit("usage: python -m playground.postgresql COMMAND…")
    try:
        sys.exit(asyncio.run(run_with_server(sys.argv[1:])))
    except NoServer as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
