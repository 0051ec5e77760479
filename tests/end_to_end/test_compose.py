"""The containers of the Compose files, started as processes: the same command, environment and files."""

import asyncio
import os
import secrets
import shutil
import sys
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

from playground import Person, Playground
from tests.compose_files import DOCKERFILE_COPIES, environment, health_check, image_command, services, shards
from tests.end_to_end.app_harness import PATIENCE
from tests.end_to_end.inspection import private_text
from tests.private_postgresql import private_postgresql

ROOT = Path(__file__).parents[2]
READY_SECONDS = 60.0
NO_PROCESS = "No process on this machine uses this database."


class Container:
    """The folders of a container of the image, and the processes in it."""

    def __init__(self, folder: Path, variables: Mapping[str, str]) -> None:
        self._app = folder / "app"
        for copied in DOCKERFILE_COPIES:
            shutil.copytree(ROOT / copied, self._app / copied, ignore=shutil.ignore_patterns("__pycache__"))
        data, temporary = folder / "data", folder / "tmp"
        data.mkdir(mode=0o700)
        temporary.mkdir()
        inside = {name: value.replace("/data/", f"{data}/") for name, value in variables.items()}
        programs = str(Path(sys.executable).parent)
        self.environment = inside | {
            "PATH": inside["PATH"].replace("/venv/bin", programs).replace("$PATH", os.environ["PATH"]),
            "TMPDIR": str(temporary),
        }
        self.log = folder / "log"

    async def run(self, command: list[str]) -> asyncio.subprocess.Process:
        """Start a command. Its output goes to the log."""
        with self.log.open("ab") as log:
            return await asyncio.create_subprocess_exec(
                *command, cwd=self._app, env=self.environment, stdout=log, stderr=log
            )

    async def health_check_finds_it(self) -> bool:
        """Run the health check of the image. True if it finds the app, even if that isn't healthy yet."""
        await (await self.run(health_check())).wait()
        return NO_PROCESS not in self.log.read_text()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[asyncio.subprocess.Process]:
        """Run the command of the image for the block, then stop it as Docker does."""
        process = await self.run(image_command())
        try:
            yield process
        except BaseException as error:
            error.add_note(self.log.read_text())
            raise
        finally:
            if process.returncode is None:
                process.terminate()
            code = await process.wait()
        assert code == 0, self.log.read_text()
        assert "Traceback" not in self.log.read_text()


async def test_compose_yaml_starts_one_process_that_keeps_its_database_in_the_volume(tmp_path: Path) -> None:
    (bot,) = services("compose.yaml").values()
    async with Playground(rate_limits="off") as world:
        world.interactions.answer_seconds = PATIENCE
        channel, ana = world.guild("Tea House").channel("games"), world.person("Ana")
        env_file = {"DISCORD_TOKEN": world.token, "DISCORD_API_URL": world.api_url}
        container = Container(tmp_path, environment(bot, env_file))
        async with container.running():
            await world.app_ready(READY_SECONDS)
            await ana.slash(channel, "gang new")
            assert await container.health_check_finds_it()
        async with container.running():
            await world.app_ready(READY_SECONDS)
            assert "#1" in private_text(await ana.slash(channel, "gang list"))
        assert world.violations == []


def serves(world: Playground, wanted: Iterable[tuple[int, int]]) -> bool:
    """True if these shards are connected, and no others. A shard is its index and the number of all."""
    return {each.shard for each in world.gateway.sessions.values() if each.connection is not None} == set(wanted)


async def test_compose_scale_yaml_starts_postgresql_and_two_processes_that_share_the_shards(tmp_path: Path) -> None:
    bots = services("compose.scale.yaml")
    database = bots.pop("database")
    password = secrets.token_hex(24)
    user = environment(database, {"POSTGRES_PASSWORD": password})["POSTGRES_USER"]
    async with AsyncExitStack() as stack:
        port = stack.enter_context(private_postgresql(user, password, database["healthcheck"]["test"][1:]))
        world = await stack.enter_async_context(Playground(rate_limits="off"))
        world.interactions.answer_seconds = PATIENCE
        env_file = {"DISCORD_TOKEN": world.token, "DISCORD_API_URL": world.api_url, "POSTGRES_PASSWORD": password}
        ana, containers, served = world.person("Ana"), list[Container](), set[tuple[int, int]]()
        for name, bot in bots.items():
            variables = environment(bot, env_file)
            address = variables["DATABASE_URL"].replace("@database/", f"@127.0.0.1:{port}/")
            containers.append(Container(tmp_path / name, variables | {"DATABASE_URL": address}))
            await stack.enter_async_context(containers[-1].running())
            served |= {(shard, int(variables["SHARD_COUNT"])) for shard in shards(variables["SHARD_IDS"])}
            await ana.until(partial(serves, world, served), timeout=READY_SECONDS)
        assert world.gateway.is_complete()
        await _list_tables_on_every_shard(world, ana, len(served))
        for container in containers:
            assert await container.health_check_finds_it()
        assert world.violations == []


async def _list_tables_on_every_shard(world: Playground, ana: Person, count: int) -> None:
    """Use a command in a server of each shard."""
    missing = set(range(count))
    while missing:
        guild = world.guild("Tea House")
        missing.discard((guild.id >> 22) % count)
        channel = guild.channel("games")
        assert "No table is open in this server." in private_text(await ana.slash(channel, "gang list"))
