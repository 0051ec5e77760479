"""A PostgreSQL server for one test, on a free port of the loopback interface."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from playground.postgresql import NoServer, programs
from tests.free_port import free_port


def _programs() -> Path:
    """The folder of the newest server that is installed."""
    try:
        return programs()
    except NoServer as error:
        pytest.skip(str(error))


@contextmanager
def private_postgresql(user: str, password: str, health_check: Sequence[str]) -> Iterator[int]:
    """Run a server with a database that is named like its user, once its health check passes. Yields its port."""
    folder_of_programs, port = _programs(), free_port()
    as_owner = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []  # it refuses to run as root
    with TemporaryDirectory() as folder:
        secret, data = Path(folder, "password"), Path(folder, "data")
        secret.write_text(password)
        if as_owner:
            shutil.chown(folder, "postgres")
            shutil.chown(secret, "postgres")

        def run(program: str, *arguments: str) -> None:
            command = [*as_owner, str(folder_of_programs / program), *arguments]
            subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=True)

        run(
            "initdb",
            f"--pgdata={data}",
            f"--username={user}",
            "--auth=scram-sha-256",
            f"--pwfile={secret}",
            "--no-sync",
        )
        options = f"-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories={folder} -c fsync=off"
        run("pg_ctl", f"--pgdata={data}", f"--log={folder}/log", "--wait", "start", f"--options={options}")
        try:
            connection = ["--host=127.0.0.1", f"--port={port}", f"--username={user}"]
            subprocess.run(
                [folder_of_programs / "createdb", *connection, user],
                env=os.environ | {"PGPASSWORD": password},
                check=True,
            )
            run(*health_check, f"--port={port}")
            yield port
        finally:
            run("pg_ctl", f"--pgdata={data}", "--mode=immediate", "--silent", "stop")
