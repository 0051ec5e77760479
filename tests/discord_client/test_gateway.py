"""The gateway: unreadable payloads are skipped, lost shards connect again, and heartbeats are checked."""

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, suppress

import aiohttp
import discord
import pytest
from discord import app_commands
from discord.backoff import ExponentialBackoff
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.discord_client.client import GangBot
from bot.discord_client.gateway import MAX_DELAY, ShortBackoff
from bot.discord_client.sessions import NewSessions
from bot.services.published_commands import PublishedCommands
from bot.services.rate_limiter import RateLimiter
from bot.storage.database import Database
from cogs.routing import costs
from playground import Channel, Playground
from playground.sessions import HEARTBEAT, Connection
from tests.end_to_end.app_harness import PATIENCE

SHARDS = 2
SECRET = "1234567890123456789"


async def prepare_nothing(_interaction: discord.Interaction) -> None:
    """Data about users is missing."""


class Client(GangBot):
    """The app's client with one command."""

    def __init__(self, api_url: str, database: Database) -> None:
        super().__init__(
            prepare=prepare_nothing,
            published=PublishedCommands(database),
            limiter=RateLimiter(),
            new_sessions=NewSessions(),
            api_url=api_url,
        )

    async def publish_commands(self) -> None:
        """Publish without asking the database."""
        await self.choose_shards(None, None)
        await self.tree.sync()

    async def add_commands(self) -> None:
        @costs(None)
        @self.tree.command(description="Answer")
        async def ping(interaction: discord.Interaction) -> None:
            await interaction.response.send_message("pong")

        assert isinstance(ping, app_commands.Command)


@pytest.fixture
async def world(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Playground]:
    monkeypatch.setattr(Route, "BASE", Route.BASE)
    monkeypatch.setattr(discord.shard, "DiscordWebSocket", DiscordWebSocket)
    monkeypatch.setattr(discord.shard, "ExponentialBackoff", ExponentialBackoff)
    monkeypatch.setattr("bot.discord_client.sessions.PACE_SECONDS", 0.0)
    async with Playground(rate_limits="off", shards=SHARDS) as world:
        world.interactions.answer_seconds = PATIENCE
        yield world


@pytest.fixture
def channel(world: Playground) -> Channel:
    return world.guild("Tea House").channel("games")


@pytest.fixture
async def client(world: Playground, channel: Channel, database: Database) -> AsyncIterator[GangBot]:
    client = Client(world.api_url, database)
    running = asyncio.create_task(client.start(world.token))
    await world.app_ready()
    yield client
    is_running = not running.done()
    await client.close()
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running
    assert is_running


async def answers(world: Playground, channel: Channel) -> bool:
    """Check that the app still answers on the same connections."""
    person = world.person("Ana")
    reply = await person.slash(channel, "ping")
    return reply.message is not None and reply.message.text == "pong"


def dispatch(event: object, data: object, sequence: object = 3) -> str:
    return json.dumps({"op": 0, "t": event, "s": sequence, "d": data})


RAW = {
    "no JSON": "{" + SECRET,
    "empty": "",
    "a list": "[]",
    "a number": "7",
    "null": "null",
    "deeply nested": "[" * 100_000,
    "no fields": "{}",
    "no data": dispatch("GUILD_CREATE", None),
    "unknown event": dispatch("NEVER_HEARD_OF", {}),
    "event of another type": dispatch(["GUILD_CREATE"], {}),
    "unknown opcode": json.dumps({"op": 99, "d": None, "s": None, "t": None}),
    "opcode of another type": json.dumps({"op": {}, "d": None, "s": None, "t": None}),
    "sequence of another type": dispatch("NEVER_HEARD_OF", {}, SECRET),
}
EVENTS = {
    "guild without anything": ("GUILD_CREATE", {}),
    "guild with an id of another type": ("GUILD_CREATE", {"id": {"a": SECRET}}),
    "channel of an unknown type": ("CHANNEL_CREATE", {"id": SECRET, "guild_id": SECRET, "type": 99}),
    "channel of a type of another type": ("CHANNEL_CREATE", {"id": SECRET, "guild_id": SECRET, "type": [99]}),
    "channel without a guild": ("CHANNEL_UPDATE", {"id": SECRET, "type": 0}),
    "thread without anything": ("THREAD_CREATE", {}),
    "role without a guild": ("GUILD_ROLE_UPDATE", {"role": {}}),
    "interaction without anything": ("INTERACTION_CREATE", {}),
    "interaction that is a list": ("INTERACTION_CREATE", [SECRET]),
    "interaction without data": ("INTERACTION_CREATE", {"id": SECRET, "type": 2, "token": "x", "application_id": "1"}),
    "time that no clock can show": ("TYPING_START", {"channel_id": "1", "user_id": "1", "timestamp": 10**30}),
}


@pytest.mark.parametrize("content", RAW.values(), ids=RAW)
async def test_an_invalid_payload_is_skipped(
    world: Playground, channel: Channel, client: GangBot, content: str
) -> None:
    connections = set(world.gateway.connections)
    world.gateway.send_raw(content)
    assert await answers(world, channel)
    assert world.gateway.connections == connections
    assert len(connections) == SHARDS


@pytest.mark.parametrize(("event", "data"), EVENTS.values(), ids=EVENTS)
async def test_an_event_that_cannot_be_read_is_skipped(
    world: Playground, channel: Channel, client: GangBot, event: str, data: object
) -> None:
    connections = set(world.gateway.connections)
    world.gateway.push(event, data)
    assert await answers(world, channel)
    assert world.gateway.connections == connections


async def test_it_is_logged_without_its_content(
    world: Playground, channel: Channel, client: GangBot, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        for content in RAW.values():
            world.gateway.send_raw(content)
        for event, data in EVENTS.values():
            world.gateway.push(event, data)
        assert await answers(world, channel)
    lines = [record for record in caplog.records if record.name == "bot.discord_client.gateway"]
    assert 5 <= len(lines) <= SHARDS * (len(RAW) + len(EVENTS))
    assert len({str(record.msg) for record in lines}) == 1  # so that the log limits them
    assert SECRET not in caplog.text
    assert "Traceback" not in "\n".join(record.getMessage() for record in lines)


async def test_a_session_is_resumed_after_an_unreadable_payload(
    world: Playground, channel: Channel, client: GangBot
) -> None:
    sessions = set(world.gateway.sessions)
    world.gateway.push("GUILD_CREATE", {})
    assert await answers(world, channel)
    world.gateway.drop()
    await world.person("Ben").until(lambda: not world.gateway.is_complete())
    await world.app_ready()
    assert set(world.gateway.sessions) == sessions
    assert await answers(world, channel)


async def test_a_removal_between_two_sessions_is_noticed(world: Playground, channel: Channel, client: GangBot) -> None:
    removed: list[int] = []

    async def on_guild_remove(guild: discord.Guild) -> None:
        removed.append(guild.id)

    client.add_listener(on_guild_remove)
    assert channel.guild
    left, stays = channel.guild, world.guild("Library")
    await _until(lambda: client.get_guild(stays.id) is not None)
    world.gateway.invalidate()
    world.remove_member(left, world.bot)
    await world.person("Ben", guilds=[stays]).until(lambda: not world.gateway.is_complete())
    await world.app_ready()
    await _until(lambda: removed == [left.id])
    assert [guild.id for guild in client.guilds] == [stays.id]


@pytest.mark.parametrize("content", [b"no compressed data\x00\x00\xff\xff", "\ud800"], ids=["stream", "text"])
async def test_payloads_that_cannot_be_decompressed_are_skipped_or_cause_a_new_connection(
    world: Playground, channel: Channel, client: GangBot, content: str | bytes
) -> None:
    sessions = set(world.gateway.sessions)
    world.gateway.send_raw(content)
    if isinstance(content, bytes):
        await world.person("Ben").until(lambda: not world.gateway.is_complete())
    await world.app_ready()
    assert set(world.gateway.sessions) == sessions
    assert await answers(world, channel)


async def test_every_shard_connects_again_after_an_outage(
    world: Playground, client: GangBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts = 0
    connect = client.http.ws_connect

    async def count(url: str) -> aiohttp.ClientWebSocketResponse:
        nonlocal attempts
        attempts += 1
        return await connect(url)

    monkeypatch.setattr("bot.discord_client.gateway.MAX_DELAY", 0.0)
    monkeypatch.setattr(client.http, "ws_connect", count)
    world.gateway.is_open = False
    world.gateway.drop()
    await _until(lambda: attempts > 3 * SHARDS)
    world.gateway.is_open = True
    await world.app_ready()
    assert len(world.gateway.connections) == SHARDS


def test_a_shard_waits_at_most_a_minute_for_its_next_attempt() -> None:
    backoff = ShortBackoff()
    waits = [backoff.delay() for _ in range(200)]
    assert max(waits) == MAX_DELAY


async def test_new_sessions_wait_and_resumed_ones_do_not(
    world: Playground, client: GangBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited = 0
    begin = client.beginning_session

    def count() -> AbstractAsyncContextManager[None]:
        nonlocal waited
        waited += 1
        return begin()

    monkeypatch.setattr(client, "beginning_session", count)
    for interrupt, sessions in ((world.gateway.drop, 0), (world.gateway.invalidate, SHARDS)):
        interrupt()
        await world.person("Ben").until(lambda: not world.gateway.is_complete())
        await world.app_ready()
        assert waited == sessions


async def test_a_shard_whose_greeting_cannot_be_read_connects_again(
    world: Playground, channel: Channel, client: GangBot
) -> None:
    sessions = set(world.gateway.sessions)
    for session in list(world.gateway.sessions.values()):
        session.push("READY", {"session_id": session.id})
    await world.person("Ben").until(lambda: not sessions & set(world.gateway.sessions))
    await world.app_ready()
    assert await answers(world, channel)


async def _until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110  # discord.py has no event for it
            await asyncio.sleep(0.01)


async def _beat(connection: Connection) -> None:
    """Ask a shard for heartbeats, as Discord can. It sends the third one after reading the answer to the first."""
    for _ in range(3):
        before = len(connection.received)
        connection.send(HEARTBEAT)
        await _until(lambda: len(connection.received) > before)  # noqa: B023  # called in this round only


async def test_the_last_heartbeat_acknowledged_on_every_shard_is_known(world: Playground, client: GangBot) -> None:
    await _until(lambda: client.heartbeat_acknowledged_at() is not None)
    first = time.monotonic()
    one, other = world.gateway.connections
    await _beat(one)
    assert (client.heartbeat_acknowledged_at() or first) < first
    await _beat(other)
    assert (client.heartbeat_acknowledged_at() or 0) > first


async def test_when_discord_is_gone_the_last_acknowledgement_grows_old(world: Playground, client: GangBot) -> None:
    await _until(lambda: client.heartbeat_acknowledged_at() is not None)
    last = client.heartbeat_acknowledged_at()
    await world.gateway.close()
    await world.person("Ben").until(lambda: not world.gateway.connections)
    assert client.heartbeat_acknowledged_at() == pytest.approx(last, abs=1)
