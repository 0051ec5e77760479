"""The real client with every cog, without a network."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.app import App
from bot.discord_client.client import GangBot
from bot.process.settings import Secret, Settings


@pytest.fixture
async def client(clean_environment: Path) -> AsyncIterator[GangBot]:
    """The app's client with all cogs. Nothing is stored: no command is carried out here."""
    client = App(Settings(discord_token=Secret("token"), pictures=False)).client
    async with client:
        await client.add_commands()
        yield client
