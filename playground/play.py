"""`python -m playground.play`: the playground with the app connected and a match running.

The app runs in a process of its own, as in production. This script then opens a table: `/gang new`,
three AI players, Start. Nothing is kept when it stops.
"""

import argparse
import asyncio
import os
import signal
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from playground.__main__ import PEOPLE
from playground.client.person import Person
from playground.client.screen import SeenMessage
from playground.playground import Playground
from playground.world.model import Channel
from playground.world.permissions import Permission

START_SECONDS = 30


def main(arguments: Sequence[str] | None = None) -> None:
    """Parse the arguments and serve."""
    parser = argparse.ArgumentParser(prog="python -m playground.play", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
    parser.add_argument("--port", type=int, default=8420)
    options = parser.parse_args(arguments)
    with suppress(KeyboardInterrupt, asyncio.CancelledError):
        asyncio.run(play(options.host, free_port(options.host, options.port)))


def free_port(host: str, wanted: int) -> int:
    """The wanted port, or 0 (any free port) if it is in use."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, wanted))
        except OSError:
            return 0
    return wanted


async def play(host: str, port: int) -> None:
    """Serve until interrupted, or until the app stops."""
    if task := asyncio.current_task():
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)  # so that the app is stopped too
    async with Playground(port, host=host) as world:
        channel = world.guild("Tea House").channel("games")
        manager, *others = PEOPLE
        people = [world.person(manager, permissions=Permission.MANAGE_GUILD), *map(world.person, others)]
        with tempfile.TemporaryDirectory() as folder:
            async with running_app(world, Path(folder) / "gang.sqlite3") as app:
                await world.app_ready(START_SECONDS)
                await open_table(people[0], channel)
                say(f'A table is running. Open {world.page_url} and press "My hand" on {manager}\'s phone.')
                say(f"Type / on any phone for all commands; {manager} manages the server. Ctrl-C ends it.")
                await app.wait()


@asynccontextmanager
async def running_app(world: Playground, database: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run the app in a process that connects to this playground."""
    environment = {
        **os.environ,
        "DISCORD_TOKEN": world.token,
        "DISCORD_API_URL": world.api_url,
        "DATABASE_URL": f"sqlite+aiosqlite:///{database}",
    }
    app = await asyncio.create_subprocess_exec(sys.executable, "-m", "bot", env=environment)
    try:
        yield app
    finally:
        with suppress(ProcessLookupError):
            app.terminate()
        await app.wait()


async def open_table(host: Person, channel: Channel) -> None:
    """Open a table with three AI players and start it."""
    await host.slash(channel, "gang new")
    for _ in range(3):
        await press(host, channel, "Add AI")
    await press(host, channel, "Start")
    await host.until(lambda: offering(host, channel, "My hand"))


async def press(person: Person, channel: Channel, label: str) -> None:
    """Press a button as soon as it is enabled, and wait until the message changes."""
    (message, *_) = await person.until(lambda: offering(person, channel, label))
    shown = message.text
    await person.click(message, label)
    await person.until(lambda: all(message.text != shown for message in person.sees(channel)))


def offering(person: Person, channel: Channel, label: str) -> list[SeenMessage]:
    """The messages with an enabled button of this name."""
    return [
        message
        for message in person.sees(channel)
        if any(button.label == label and not button.disabled for button in message.buttons)
    ]


def say(line: str) -> None:
    """Print a line at once, even to a pipe."""
    print(line, flush=True)  # noqa: T201  # this is a command line


if __name__ == "__main__":
    main()
