"""Fixtures that connect a real discord.py client to a playground over sockets."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

import aiohttp
import discord
import pytest
import yarl
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

from playground import Channel, Person, Playground
from playground.world.model import Interaction
from tests.end_to_end.app_harness import PATIENCE


class TestApp(discord.AutoShardedClient):
    """A client that syncs its command tree at the start. Tests add commands before."""

    __test__ = False

    def __init__(self, intents: discord.Intents | None = None) -> None:
        super().__init__(intents=intents or discord.Intents(guilds=True))
        self.tree = app_commands.CommandTree(self)
        self.interactions: list[discord.Interaction] = []
        self.errors: list[BaseException] = []
        self.tree.error(self._store_error)

    async def setup_hook(self) -> None:
        await self.tree.sync()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Skip discord.py's wait of five seconds between shards."""

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        self.interactions.append(interaction)

    async def _store_error(self, _: discord.Interaction, error: BaseException) -> None:
        self.errors.append(error)


Launch = Callable[[TestApp], Awaitable[TestApp]]


@pytest.fixture
async def world() -> AsyncIterator[Playground]:
    """An empty playground."""
    async with Playground(rate_limits="off") as world:
        world.interactions.answer_seconds = PATIENCE
        world.reaction = 0.005
        yield world


@pytest.fixture
def point(monkeypatch: pytest.MonkeyPatch) -> Callable[[Playground], None]:
    """Point discord.py at a playground until the test ends."""

    def point_at(world: Playground) -> None:
        monkeypatch.setattr(Route, "BASE", world.api_url)
        monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(world.gateway.url))

    return point_at


@pytest.fixture
async def launch(world: Playground, point: Callable[[Playground], None]) -> AsyncIterator[Launch]:
    """Connect a client to the playground. It is closed after the test."""
    running: list[tuple[TestApp, asyncio.Task[None]]] = []
    point(world)

    async def start(app: TestApp) -> TestApp:
        task = asyncio.create_task(app.start(world.token), name="test-app")
        running.append((app, task))
        await world.app_ready()
        return app

    yield start
    for app, task in running:
        await app.close()
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


@pytest.fixture
def channel(world: Playground) -> Channel:
    """A channel in a guild."""
    return world.guild("Tea House").channel("games")


@pytest.fixture
def ana(world: Playground, channel: Channel) -> Person:
    """A member of the guild."""
    return world.person("Ana")


@pytest.fixture
def ben(world: Playground, channel: Channel) -> Person:
    """Another member of the guild."""
    return world.person("Ben")


class Api:
    """Plain HTTP requests with the app's token. Returns status and JSON."""

    def __init__(self, world: Playground, session: aiohttp.ClientSession) -> None:
        self.world = world
        self.session = session
        self.headers: Mapping[str, str] = {}

    async def __call__(self, method: str, path: str, body: object = None, **options: Any) -> tuple[int, Any]:  # noqa: ANN401 - aiohttp's own
        options.setdefault("headers", {"Authorization": f"Bot {self.world.token}"})
        if body is not None:
            options["json"] = body
        async with self.session.request(method, self.world.api_url + path, **options) as response:
            self.headers = response.headers
            text = await response.text()
            return response.status, json.loads(text) if text else None

    async def callback(
        self, interaction: Interaction, kind: int, data: object = None, *, with_response: bool = False
    ) -> tuple[int, Any]:
        path = f"/interactions/{interaction.id}/{interaction.token}/callback"
        body = {"type": kind} if data is None else {"type": kind, "data": data}
        return await self("POST", path + "?with_response=1" * with_response, body, headers={})

    async def webhook(
        self, interaction: Interaction, method: str, rest: str = "", body: object = None
    ) -> tuple[int, Any]:
        return await self(method, f"/webhooks/{self.world.app.id}/{interaction.token}{rest}", body, headers={})


@pytest.fixture
async def api(world: Playground) -> AsyncIterator[Api]:
    """The REST API over plain HTTP."""
    async with aiohttp.ClientSession() as session:
        yield Api(world, session)
