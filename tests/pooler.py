"""PgBouncer in front of a PostgreSQL server."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from sqlalchemy import make_url


@contextmanager
def pgbouncer(url: str, mode: str, **settings: str) -> Iterator[str]:
    """Run PgBouncer with this `pool_mode`. Yields the URL of the same database behind it."""
    if (program := shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")) is None:
        pytest.skip("PgBouncer isn't installed")
    server = make_url(url)
    host, port = server.query.get("host", server.host), server.port or 5432
    as_owner = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []  # it refuses to run as root
    with TemporaryDirectory() as folder:
        place = Path(folder)
        place.chmod(0o755)
        options = {"listen_addr": "", "unix_socket_dir": folder, "listen_port": "6432", "auth_type": "any"}
        lines = [f"{name} = {value}" for name, value in (options | {"pool_mode": mode} | settings).items()]
        secret = f" password={server.password}" if server.password else ""
        target = f"* = host={host} port={port} user={server.username}{secret}"
        file = place / "pgbouncer.ini"
        file.write_text("\n".join(["[databases]", target, "[pgbouncer]", *lines]))
        if as_owner:
            shutil.chown(place, "postgres")
        process = subprocess.Popen([*as_owner, program, "--quiet", str(file)])
        try:
            _wait_for(place / ".s.PGSQL.6432")
            behind = server.set(host=None, port=None, password=None)
            yield behind.update_query_dict({"host": folder, "port": "6432"}).render_as_string(hide_password=False)
        finally:
            process.terminate()
            process.wait(10)


def _wait_for(path: Path) -> None:
    end = time.monotonic() + 10
    while True:
        with suppress(OSError), socket.socket(socket.AF_UNIX) as probe:
            probe.connect(str(path))
            return
        assert time.monotonic() < end, "PgBouncer doesn't start"
        time.sleep(0.01)
