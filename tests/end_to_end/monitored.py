"""The monitoring server of the app: its health and its metrics, over HTTP."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from tests.end_to_end.app_harness import AppHarness, running_app
from tests.end_to_end.inspection import wait_for_log

ADDRESS = re.compile(r"metrics and health at ([\d.]+) port (\d+)")


class Monitored:
    """An app with its monitoring server."""

    def __init__(self, harness: AppHarness, url: str, session: aiohttp.ClientSession) -> None:
        self.harness = harness
        self._url = url
        self._session = session

    async def get(self, path: str) -> tuple[int, str]:
        """The status and the text of a response."""
        async with self._session.get(f"{self._url}{path}") as response:
            return response.status, await response.text()

    async def until_ready(self, expected: bool, problem: str = "") -> str:
        """Wait until the app is ready or isn't, because of a problem. Returns what it says."""
        async with asyncio.timeout(30):
            while True:
                status, text = await self.get("/health/ready")
                if (status == 200) is expected and problem in text:
                    return text
                await asyncio.sleep(0.01)

    async def families(self) -> list[Metric]:
        """All metrics that the app serves."""
        status, text = await self.get("/metrics")
        assert status == 200
        return list(text_string_to_metric_families(text))

    async def until(self, name: str, is_enough: Callable[[float], bool] = bool, **labels: str) -> float:
        """Wait until the sum of the samples with these labels is enough. Returns it."""
        async with asyncio.timeout(30):
            while not is_enough(found := await self.value(name, **labels)):  # noqa: ASYNC110  # it can only be polled
                await asyncio.sleep(0.01)
        return found

    async def value(self, name: str, **labels: str) -> float:
        """The sum of the samples with a name and these labels; 0 if there are none."""
        samples = [sample for family in await self.families() for sample in family.samples if sample.name == name]
        return sum(sample.value for sample in samples if labels.items() <= sample.labels.items())


@asynccontextmanager
async def monitored_app(folder: Path, **constants: object) -> AsyncIterator[Monitored]:
    """Run the app with its monitoring server."""
    async with (
        running_app(folder, constants, METRICS_ADDRESS="127.0.0.1:0") as harness,
        aiohttp.ClientSession() as session,
    ):
        ((host, port),) = ADDRESS.findall(await wait_for_log(harness, "metrics and health"))
        yield Monitored(harness, f"http://{host}:{port}", session)
