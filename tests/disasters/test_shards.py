"""Several processes with one PostgreSQL database serve the shards of a bot. Each play is stored once."""

import asyncio
import os
import re
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import text

from bot.engine.events import Passed, Played
from bot.engine.verification import verify
from bot.storage import matches
from bot.storage.database import Database
from bot.storage.guild_filter import shard_of
from bot.storage.session_locks import NAMESPACE
from playground.playground import Playground
from tests.conftest import SPEC
from tests.end_to_end.app_harness import AppHarness, Player, play_on, play_to_the_end
from tests.end_to_end.app_process import AppProcess, Controls, fork_server
from tests.end_to_end.inspection import shown

SHARDS: Final = 2
WAITS: Final = "another process serves these servers; waiting until it ends"
_HOLDER: Final = text(
    "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid::bigint = :namespace"
    " AND objid::bigint % 10 = :shard"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


class Servers:
    """A guild on each shard, and the processes."""

    def __init__(self, world: Playground, folder: Path, url: str) -> None:
        self.world = world
        self._folder = folder
        self._url = url
        self.database = Database(url)
        self.houses: dict[int, AppHarness] = {}
        """Guilds with a channel and people, by shard."""
        while len(self.houses) < SHARDS:
            house = AppHarness(world, folder / str(len(self.houses)), DATABASE_URL=url)
            self.houses.setdefault(shard_of(house.guild.id, SHARDS), house)
        self.running: dict[str, AppProcess] = {}

    async def start(self, name: str, count: int, shards: str, **settings: str) -> None:
        """Start a process. Its name is that of its log, too."""
        controls = Controls(self._folder / f"{name}.controls")
        environment = self.houses[0].environment(SHARD_COUNT=str(count), SHARD_IDS=shards, **settings)
        constants = self.houses[0].constants | {"bot.discord_client.sessions.PACE_SECONDS": 0.0}
        self.running[name] = await fork_server().start(self.log(name), environment, controls.file, constants)

    async def start_both(self) -> None:
        """Start a process for each shard, and one in reserve for the first."""
        await self.start("first", SHARDS, "0")
        await self.start("second", SHARDS, "1")
        await self.connected()
        await self.start("reserve", SHARDS, "0")
        await self.says("reserve", WAITS)

    def log(self, name: str) -> Path:
        return self._folder / f"{name}.log"

    async def end(self, name: str, number: signal.Signals) -> None:
        await self.running.pop(name).ended(number)

    async def says(self, name: str, said: str, times: int = 1) -> None:
        """Wait until the log of a process has a text."""
        async with asyncio.timeout(60):
            while not self.log(name).exists() or self.log(name).read_text().count(said) < times:  # noqa: ASYNC110
                await asyncio.sleep(0.02)

    async def connected(self) -> None:
        """Wait until all shards are connected."""
        await self.world.app_ready(60)

    async def disconnect(self, shard: int) -> None:
        """End the connection that holds the lock of a shard."""
        async with self.database.write() as connection:
            assert await connection.scalar(_HOLDER, {"namespace": NAMESPACE, "shard": shard})

    async def check_log(self, players: list[Player]) -> None:
        """The log of the players' only match can be replayed, and has each of their moves once."""
        house = players[0].harness
        (number,) = {int(each) for each in re.findall(r"table (\d+)", house.table().text)}
        lines = await self.database.fetch(matches.load_lines, number)
        verify(lines)
        stored = sum(isinstance(line.event, Played | Passed) for line in lines)
        assert stored == sum(player.moves for player in players)


@pytest.fixture
async def servers(tmp_path: Path, postgresql_url: str) -> AsyncIterator[Servers]:
    async with running(tmp_path, postgresql_url) as servers:
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
            await servers.database.close()


def everything_logged(folder: Path) -> str:
    return "\n".join(log.read_text() for log in folder.glob("*.log"))


async def begin(house: AppHarness) -> list[Player]:
    """Begin a match of one hand, so that no move is a card given back."""
    players = await house.begin_match(3, target=1)
    for player in players:
        await player.open()
    return players


async def play(players: list[Player], moves: int) -> None:
    """Make some moves."""
    enough = sum(player.moves for player in players) + moves
    house = players[0].harness
    await play_on(house, players, lambda: house.is_over() or sum(player.moves for player in players) >= enough)


async def end(servers: Servers, played: dict[int, list[Player]]) -> None:
    """Play all matches to the end."""
    for shard, players in played.items():
        await play_to_the_end(servers.houses[shard], players)
        await servers.check_log(players)


async def test_a_process_in_reserve_takes_over_from_a_killed_one(servers: Servers) -> None:
    await servers.start_both()
    played = {shard: await begin(house) for shard, house in servers.houses.items()}
    await play(played[0], 3)
    await servers.end("first", signal.SIGKILL)
    await play(played[1], 3)  # the other process goes on meanwhile
    await servers.says("reserve", "serving shards of 2: 0")
    await servers.connected()
    await end(servers, played)


async def test_a_stopped_process_keeps_its_locks_and_goes_on(servers: Servers) -> None:
    await servers.start_both()
    played = {shard: await begin(house) for shard, house in servers.houses.items()}
    await play(played[0], 3)
    os.kill(servers.running["first"].pid, signal.SIGSTOP)
    await play(played[1], 3)
    os.kill(servers.running["first"].pid, signal.SIGCONT)
    await end(servers, played)
    assert "serving" not in servers.log("reserve").read_text().replace(WAITS, "")


async def test_a_process_that_loses_its_connection_serves_again_after_the_other_one(servers: Servers) -> None:
    await servers.start_both()
    played = {shard: await begin(house) for shard, house in servers.houses.items()}
    await play(played[0], 3)
    os.kill(servers.running["first"].pid, signal.SIGSTOP)  # or it could be the first to have the lock again
    await servers.disconnect(0)
    await servers.says("reserve", "serving shards of 2: 0")
    os.kill(servers.running["first"].pid, signal.SIGCONT)
    await servers.says("first", WAITS)
    await servers.connected()
    for player in played[0]:
        await player.open()
    await play(played[0], 3)
    await servers.end("reserve", signal.SIGKILL)
    await servers.says("first", "serving shards of 2: 0", times=2)
    await servers.connected()
    await end(servers, played)


async def test_a_process_goes_on_with_a_new_connection_if_nobody_waits(servers: Servers) -> None:
    await servers.start("first", SHARDS, "0")
    await servers.start("second", SHARDS, "1")
    await servers.connected()
    sessions = len(servers.world.gateway.sessions)
    played = {shard: await begin(house) for shard, house in servers.houses.items()}
    await play(played[0], 3)
    await servers.disconnect(0)
    await servers.says("first", "the database is back")
    await end(servers, played)
    assert len(servers.world.gateway.sessions) == sessions


async def test_another_number_of_shards_goes_on_with_the_matches(servers: Servers) -> None:
    await servers.start("only", 1, "0")
    await servers.connected()
    played = {shard: await begin(house) for shard, house in servers.houses.items()}
    await servers.start("first", SHARDS, "0")
    await servers.start("second", SHARDS, "1")
    for name in ("first", "second"):
        await servers.says(name, WAITS)
    await servers.end("only", signal.SIGTERM)
    await servers.says("first", "serving shards of 2: 0")
    await servers.says("second", "serving shards of 2: 1")
    await servers.connected()
    await end(servers, played)


async def test_a_change_for_the_guild_of_another_process_is_seen_there(servers: Servers) -> None:
    """A deletion changes the tables of a user in all guilds. The people of the newest guild are in all of them."""
    other, house = sorted(servers.houses.values(), key=lambda each: each.guild.id)
    await servers.start("first", SHARDS, "0")
    await servers.start("second", SHARDS, "1")
    await servers.connected()
    players = await begin(house)
    await play(players, 3)
    ana, ben, *_ = house.people
    panel = shown(await ben.slash(other.channel, "gang settings"))
    await ben.click(panel, "My data")
    await ben.click(panel, "Delete my data…")
    await ben.click(panel, "Yes, delete my data")
    await ana.until(lambda: "🤖 for a deleted player" in house.table().text)
    others = [player for player in players if player.person is not ben]
    await play_to_the_end(house, others)
