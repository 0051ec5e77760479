"""Ports for servers that tests start."""

import socket
from contextlib import suppress
from random import randrange
from typing import Final

PORTS: Final = (10_000, 32_768)
"""Below the ports that Linux gives to outgoing connections, which could take one before its server starts."""


def free_port() -> int:
    """A port of the loopback interface that is free now."""
    while True:
        with suppress(OSError), socket.create_server(("127.0.0.1", randrange(*PORTS))) as probe:
            return int(probe.getsockname()[1])
