from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import discord
import pytest
from discord.ext import commands

from bot.discord_client.client import GangBot
from bot.discord_client.sessions import NewSessions
from bot.presentation.help.guide import Links
from bot.presentation.records.pictures import Illustrator
from bot.services.history import History
from bot.services.published_commands import PublishedCommands
from bot.services.rate_limiter import RateLimiter
from bot.storage.database import Database
from cogs.help import HelpCog
from playground import Channel, Person, Playground
from tests.end_to_end.app_harness import PATIENCE, AppHarness, running_app
from tests.table_harness import TableHarness


@pytest.fixture
async def harness(tmp_path: Path) -> AsyncIterator[AppHarness]:
    async with running_app(tmp_path) as harness:
        yield harness


@pytest.fixture
async def any_harness(tmp_path: Path, any_url: str) -> AsyncIterator[AppHarness]:
    """The app on SQLite and PostgreSQL."""
    async with running_app(tmp_path, DATABASE_URL=any_url) as harness:
        yield harness


async def _prepare_nothing(_interaction: discord.Interaction) -> None:
    pass


@asynccontextmanager
async def small_app(
    database: Database,
    limiter: RateLimiter | None = None,
    prepare: Callable[[discord.Interaction], Awaitable[None]] = _prepare_nothing,
    cog: Callable[[GangBot], commands.Cog] | None = None,
) -> AsyncIterator[tuple[Channel, Person, Person]]:
    """Run an app with one cog, by default that of the help, in the test's process. Yields a channel and its members."""
    limiter = limiter or RateLimiter()
    async with Playground(rate_limits="off") as world, AsyncExitStack() as closing:
        world.interactions.answer_seconds = PATIENCE
        client = GangBot(
            prepare=prepare,
            published=PublishedCommands(database),
            limiter=limiter,
            new_sessions=NewSessions(),
            api_url=world.api_url,
        )
        await closing.enter_async_context(client)
        channel = world.guild("Tea House").channel("games")
        ana, ben = world.person("Ana"), world.person("Ben")
        house = TableHarness(database)
        history = History(database, house.background, house.clock.milliseconds)
        help_cog = HelpCog(house.tables.open, history, Illustrator(None), Links(), limiter)
        client.features = [help_cog if cog is None else cog(client)]
        await client.login(world.token)
        connection = client.loop.create_task(client.connect())
        await world.app_ready()
        yield channel, ana, ben
        await client.close()
        await connection
