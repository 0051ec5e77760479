"""Several processes serve the shards of one bot from one database."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest

from bot.table.shards import shard_of
from playground.playground import Playground
from tests.conftest import SPEC
from tests.end_to_end.app_harness import AppHarness, Player, play_to_the_end
from tests.end_to_end.app_process import AppProcess, Controls, fork_server

SHARDS: Final = 2
OFTEN = {"bot.process.shards.BEAT_SECONDS": 0.2, "bot.process.shards.WAIT_SECONDS": 0.1}


class Servers:
    """A guild on each shard, and a process for each."""

    def __init__(self, world: Playground, folder: Path, url: str) -> None:
        self.world = world
        self._folder = folder
        self._url = url
        self.houses: dict[int, AppHarness] = {}
        """Guilds with a channel and people, by shard."""
        while len(self.houses) < SHARDS:
            house = AppHarness(world, folder / str(len(self.houses)), DATABASE_URL=url)
            self.houses.setdefault(shard_of(house.guild.id, SHARDS), house)
        self.running: dict[str, AppProcess] = {}

    async def start(self, name: str, count: int, shards: str) -> None:
        """Start a process. Its name is that of its log, too."""
        settings = {"SHARD_COUNT": str(count), "SHARD_IDS": shards}
        controls = Controls(self._folder / f"{name}.controls")
        environment = self.houses[0].environment(**settings)
        constants = self.houses[0].constants | OFTEN
        self.running[name] = await fork_server().start(self.log(name), environment, controls.file, constants)

    def log(self, name: str) -> Path:
        return self._folder / f"{name}.log"

    async def end(self, name: str, number: signal.Signals) -> None:
        await self.running.pop(name).ended(number)

    async def says(self, name: str, text: str) -> None:
        """Wait until the log of a process has a text."""
        async with asyncio.timeout(30):
            while not self.log(name).exists() or text not in self.log(name).read_text():  # noqa: ASYNC110
                await asyncio.sleep(0.05)

    async def connected(self) -> None:
        """Wait until all shards are connected."""
        await self.world.app_ready(60)


@pytest.fixture
async def servers(tmp_path: Path, any_url: str) -> AsyncIterator[Servers]:
    async with running(tmp_path, any_url) as servers:
        yield servers


@asynccontextmanager
async def running(folder: Path, url: str) -> AsyncIterator[Servers]:
    async with Playground(rate_limits="off", shards=SHARDS, spec=SPEC) as world:
        servers = Servers(world, folder, url)
        try:
            yield servers
            assert world.violations == []
            logged = everything_logged(folder)
            assert "Traceback" not in logged
            assert "cannot be read" not in logged
        finally:
            for name in list(servers.running):
                await servers.end(name, signal.SIGTERM)


def everything_logged(folder: Path) -> str:
    return "\n".join(log.read_text() for log in folder.glob("*.log"))


async def begin(house: AppHarness) -> list[Player]:
    players = await house.begin_match(3, target=1)
    for player in players:
        await player.open()
    return players


async def test_a_process_takes_over_from_a_killed_one_until_that_is_back(servers: Servers) -> None:
    await servers.start("first", SHARDS, "0")
    await servers.start("second", SHARDS, "1")
    await servers.connected()
    matches = {shard: await begin(house) for shard, house in servers.houses.items()}
    await servers.end("first", signal.SIGKILL)
    await servers.says("second", "serving shards of 2: 0")
    await servers.connected()
    for shard, house in servers.houses.items():
        await play_to_the_end(house, matches[shard])

    await servers.start("third", SHARDS, "0")
    await servers.says("third", "serving shards of 2: 0")
    for house in servers.houses.values():
        await play_to_the_end(house, await begin(house))


async def test_another_number_of_shards_goes_on_with_the_matches(servers: Servers) -> None:
    await servers.start("only", 1, "0")
    await servers.connected()
    matches = {shard: await begin(house) for shard, house in servers.houses.items()}
    await servers.start("first", SHARDS, "0")
    await servers.start("second", SHARDS, "1")
    for name in ("first", "second"):
        await servers.says(name, "waiting until that ends")
    await servers.end("only", signal.SIGTERM)
    await servers.says("first", "serving shards of 2: 0")
    await servers.says("second", "serving shards of 2: 1")
    await servers.connected()
    for shard, house in servers.houses.items():
        await play_to_the_end(house, matches[shard])
