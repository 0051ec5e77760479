"""TCP options with which a connection notices that PostgreSQL's machine is gone."""

import socket
from typing import Any, Final

from tests.conftest import opened
from tests.private_postgresql import private_postgresql

USER, PASSWORD = "gang", "no-secret"
OPTIONS: Final = {"TCP_KEEPIDLE": 30, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 3, "TCP_USER_TIMEOUT": 20_000}
"""After 30 idle seconds, three probes, five seconds apart; 20,000 ms for data that isn't acknowledged."""
KNOWN: Final = {name: value for name, value in OPTIONS.items() if hasattr(socket, name)}
"""The options that this operating system has."""


async def test_connections_to_postgresql_ask_whether_the_server_is_there() -> None:
    with private_postgresql(USER, PASSWORD, ("pg_isready", "--host=127.0.0.1")) as port:
        url = f"postgresql+asyncpg://{USER}:{PASSWORD}@127.0.0.1:{port}/{USER}"
        async with opened(url) as database, database.read() as one, database.read() as other:
            for connection in (one, other):
                driver: Any = (await connection.get_raw_connection()).driver_connection
                peer = driver._transport.get_extra_info("socket")
                assert peer.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
                assert {name: peer.getsockopt(socket.IPPROTO_TCP, getattr(socket, name)) for name in KNOWN} == KNOWN
