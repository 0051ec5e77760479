"""The containers of the Compose files, started as processes: the same command, environment and files."""

import asyncio
import os
import shutil
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from playground import Playground
from tests.compose_files import DOCKERFILE_COPIES, environment, health_check, image_command, services
from tests.end_to_end.inspection import private_text

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
