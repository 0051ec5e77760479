"""`python -m playground.play`: the playground with the app connected and a match running.

The app runs in a process of its own, as in production. This script then opens two tables: one of four people, of whom
two see it as a page, and in another channel one with two people and AI players. Nothing is kept when it stops, except
in a database that you name.
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
from functools import partial
from http import HTTPStatus
from pathlib import Path

from aiohttp import ClientSession

from playground.__main__ import PEOPLE
from playground.app import AppClock
from playground.client.person import Person
from playground.client.screen import SeenMessage
from playground.playground import Playground
from playground.postgresql import NoServer, server
from playground.world.model import Channel
from playground.world.permissions import Permission

START_SECONDS = 30
EMOJI_SECONDS = 20
"""The longest wait for the app's emoji, which it draws at its first start."""
WEB_HOST, WEB_PORT = "127.0.0.1", 8421
"""Where the app serves its page: on this machine only."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Parse the arguments and serve."""
    parser = argparse.ArgumentParser(prog="python -m playground.play", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
    parser.add_argument("--port", type=int, default=8420)
    parser.add_argument(
        "--postgresql", action="store_true", help="play on PostgreSQL: on DATABASE_URL, or on a server for this run"
    )
    options = parser.parse_args(arguments)
    with suppress(KeyboardInterrupt, asyncio.CancelledError):
        try:
            asyncio.run(play(options.host, free_port(options.host, options.port), postgresql=options.postgresql))
        except NoServer as error:
            sys.exit(str(error))


def free_port(host: str, wanted: int) -> int:
    """The wanted port, or another one if it is in use."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, wanted))
        except OSError:
            probe.bind((host, 0))
        return int(probe.getsockname()[1])


async def play(host: str, port: int, *, postgresql: bool = False) -> None:
    """Serve until interrupted, or until the app stops."""
    if task := asyncio.current_task():
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)  # so that the app is stopped too
    async with Playground(port, host=host) as world:
        guild = world.guild("Tea House")
        channel, other = guild.channel("games"), guild.channel("two-people")
        manager, *others = PEOPLE
        people = [world.person(manager, permissions=Permission.MANAGE_GUILD), *map(world.person, others)]
        web = f"{WEB_HOST}:{free_port(WEB_HOST, WEB_PORT)}"
        async with database(postgresql=postgresql) as url, running_app(world, url, web) as app:
            await world.app_ready(START_SECONDS)
            await emoji_uploaded(world)
            await open_table(people, channel)
            shown = await show_pages(people, channel, web)
            _, ben, chi, *_ = people
            await open_table([ben, chi], other)
            duo = f"{world.page_url}?people={ben.id},{chi.id}&channel={other.id}"
            say(f"A table is running. Open {world.page_url} to see four phones: {shown}.")
            say(f"{ben.name} and {chi.name} play at a second table: {duo}")
            say(f"The first table in a browser, with a login: http://{web}/login?next=/?table=1")
            say(f"Type / on any phone for all commands; {manager} manages the server. Ctrl-C ends it.")
            await app.wait()


@asynccontextmanager
async def database(*, postgresql: bool) -> AsyncIterator[str]:
    """The URL of an empty database for the block. On PostgreSQL, it's DATABASE_URL if that is set."""
    if not postgresql:
        with tempfile.TemporaryDirectory() as folder:
            yield f"sqlite+aiosqlite:///{Path(folder) / 'gang.sqlite3'}"
    elif named := os.environ.get("DATABASE_URL"):
        if not named.startswith("postgresql+asyncpg:"):
            raise NoServer("DATABASE_URL names no PostgreSQL database: it would begin with postgresql+asyncpg:")
        yield named
    else:
        async with server() as (url, place):
            say(f"PostgreSQL runs for this game only, in {place}.")
            yield url


@asynccontextmanager
async def running_app(world: Playground, database_url: str, web: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run the app in a process that connects to this playground. It serves its page at the host and port `web`."""
    world.enable_activities(web)
    world.app.redirect_uris.append(f"http://{web}/login/callback")
    environment = {
        **os.environ,
        "DISCORD_TOKEN": world.token,
        "DISCORD_API_URL": world.api_url,
        "DISCORD_CLIENT_SECRET": world.app.client_secret,
        "DATABASE_URL": database_url,
        "WEB_ADDRESS": web,
        "WEB_URL": f"http://{web}",
    }
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "clock"
        world.advance_app = AppClock(file).advance
        app = await asyncio.create_subprocess_exec(sys.executable, "-m", "playground.app", str(file), env=environment)
        try:
            yield app
        finally:
            with suppress(ProcessLookupError):
                app.terminate()
            await app.wait()


async def emoji_uploaded(world: Playground) -> None:
    """Wait until the app has uploaded its emoji: until a second passes without another one."""
    number = -1
    with suppress(TimeoutError):
        async with asyncio.timeout(EMOJI_SECONDS):
            while not world.emojis or number < len(world.emojis):
                number = len(world.emojis)
                await asyncio.sleep(1)


async def open_table(people: Sequence[Person], channel: Channel) -> None:
    """Open a table for these people and AI players, start it, and open the people's hands."""
    host, *guests = people
    await host.slash(channel, "gang new")
    for guest in guests:
        await press(guest, channel, "Join")
    for _ in range(4 - len(people)):
        await press(host, channel, "Add AI")
    await press(host, channel, "Start")
    for person in people:
        (table, *_) = await person.until(partial(offering, person, channel, "My hand"))
        await person.click(table, "My hand")


async def show_pages(people: Sequence[Person], channel: Channel, web: str) -> str:
    """Open the table as a page on two of four phones. Returns what they show, as a part of a sentence.

    Discord's part of the page is a bundle, which `make web` builds with npm.
    """
    ana, ben, chi, dai = people
    async with ClientSession() as session, session.get(f"http://{web}/page/sdk.js") as response:
        if response.status != HTTPStatus.OK:
            return "all of them play with messages, because the page isn't built (make web)"
    for person in (ana, ben):
        person.world.oauth2.consent(person, ["identify"])  # so that the table is there at once
        (table, *_) = await person.until(partial(offering, person, channel, "Open the table"))
        await person.click(table, "Open the table")
    return f"{ana.name} and {ben.name} see the table, {chi.name} and {dai.name} play with messages"


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
