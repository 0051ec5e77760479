"""The gateway's protocol over a raw WebSocket and with discord.py."""

import asyncio
import json
import zlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import aiohttp
import discord
import pytest
from aiohttp import WSMsgType

from playground import Channel, Person, Playground
from playground.gateway import Gateway
from playground.sessions import KEPT_EVENTS, Session
from playground.world.intents import Intent
from tests.playground.conftest import Launch, TestApp


class Socket:
    """A raw gateway connection."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, token: str) -> None:
        self.socket = socket
        self.token = token

    async def send(self, op: int, data: object) -> None:
        await self.socket.send_str(json.dumps({"op": op, "d": data}))

    async def next(self) -> dict[str, Any]:
        message = await self.socket.receive(timeout=60)
        assert message.type is WSMsgType.TEXT, message
        payload: dict[str, Any] = json.loads(message.data)
        return payload

    async def event(self, name: str) -> dict[str, Any]:
        while (payload := await self.next())["t"] != name:
            pass
        return payload

    async def identify(self, intents: int = 1, **more: object) -> dict[str, Any]:
        assert (await self.next())["op"] == 10
        await self.send(2, {"token": self.token, "intents": intents, "properties": {}} | more)
        return await self.event("READY")

    async def close_code(self) -> int | None:
        while (await self.socket.receive(timeout=60)).type is WSMsgType.TEXT:
            pass
        return self.socket.close_code


Connect = Callable[..., Any]


@pytest.fixture
async def connect(world: Playground) -> AsyncIterator[Connect]:
    async with aiohttp.ClientSession() as session:

        async def open_socket(query: str = "?v=10&encoding=json") -> Socket:
            return Socket(await session.ws_connect(world.gateway.url + query), world.token)

        yield open_socket


async def test_hello_identify_ready_and_guilds(world: Playground, connect: Connect, channel: Channel) -> None:
    socket = await connect()
    ready = (await socket.identify())["d"]
    assert ready["user"]["id"] == ready["application"]["id"] == str(world.app.id)
    assert [guild["unavailable"] for guild in ready["guilds"]] == [True]
    assert ready["resume_gateway_url"] == world.gateway.url
    guild = await socket.event("GUILD_CREATE")
    assert [each["name"] for each in guild["d"]["channels"]] == ["games"]
    assert [member["user"]["id"] for member in guild["d"]["members"]] == [str(world.app.id)]
    assert guild["s"] == 2


async def test_a_heartbeat_is_acknowledged(connect: Connect) -> None:
    socket = await connect()
    assert (await socket.next())["d"]["heartbeat_interval"] == 41_250
    await socket.send(1, None)
    assert (await socket.next())["op"] == 11


async def test_a_silent_connection_is_closed(world: Playground, connect: Connect) -> None:
    world.gateway.heartbeat_ms = 20
    assert await (await connect()).close_code() == 4009


@pytest.mark.parametrize(
    ("payloads", "code"),
    [
        ([(2, {"token": "wrong"})], 4004),
        ([(2, {"shard": [2, 2]})], 4010),
        ([(2, {"intents": int(Intent.MESSAGE_CONTENT)})], 4014),
        ([(2, {}), (2, {})], 4005),
        ([(8, {})], 4003),
        ([(2, {}), (99, {})], 4001),
        ([(6, {"seq": 0, "session_id": "x", "token": "wrong"})], 4004),
        ([(2, {"padding": "x" * 4096})], 4002),
        ([(1, None)] * 121, 4008),
    ],
    ids=["token", "shard", "intents", "identify twice", "no identify", "opcode", "resume token", "size", "rate"],
)
async def test_protocol_errors_close_the_connection(
    world: Playground, connect: Connect, payloads: list[tuple[int, Any]], code: int
) -> None:
    socket = await connect()
    for op, data in payloads:
        await socket.send(op, {"token": world.token, "intents": 1} | data if data is not None else None)
    assert await socket.close_code() == code
    assert len(world.violations) == 1
    assert str(code) in world.violations[0]


async def test_invalid_json_closes_the_connection(connect: Connect) -> None:
    socket = await connect()
    await socket.socket.send_str("no json")
    assert await socket.close_code() == 4002


async def test_resume_replays_missed_events(world: Playground, connect: Connect, channel: Channel) -> None:
    first = await connect()
    ready = await first.identify()
    await first.event("GUILD_CREATE")
    world.gateway.drop()
    await first.close_code()
    assert channel.guild is not None
    channel.guild.channel("missed")
    second = await connect()
    await second.next()
    await second.send(6, {"token": world.token, "session_id": ready["d"]["session_id"], "seq": 2})
    missed, resumed = await second.next(), await second.next()
    assert (missed["t"], missed["d"]["name"], missed["s"]) == ("CHANNEL_CREATE", "missed", 3)
    assert resumed["t"] == "RESUMED"
    channel.guild.channel("live")
    assert (await second.next())["d"]["name"] == "live"


async def test_a_sequence_number_from_the_future_is_refused(world: Playground, connect: Connect) -> None:
    first = await connect()
    ready = await first.identify()
    world.gateway.drop()
    second = await connect()
    await second.send(6, {"token": world.token, "session_id": ready["d"]["session_id"], "seq": 99})
    assert await second.close_code() == 4007


async def test_an_unknown_session_must_identify(world: Playground, connect: Connect) -> None:
    socket = await connect()
    await socket.next()
    await socket.send(6, {"token": world.token, "session_id": "gone", "seq": 1})
    assert await socket.next() == {"op": 9, "d": False, "s": None, "t": None}


async def test_a_normal_close_ends_the_session(world: Playground, connect: Connect) -> None:
    socket = await connect()
    await socket.identify()
    await socket.socket.close(code=1000)
    async with asyncio.timeout(5):
        while world.gateway.sessions:
            await world.wait_for_change()


async def test_two_shards_share_the_guilds(world: Playground, connect: Connect) -> None:
    for index in (0, 1):
        world.guild(f"Guild {index}", guild_id=(1000 + index) << 22)
    sockets = [await connect(), await connect()]
    for index, socket in enumerate(sockets):
        ready = await socket.identify(shard=[index, 2])
        assert [guild["id"] for guild in ready["d"]["guilds"]] == [str((1000 + index) << 22)]
        assert world.gateway.is_complete() == (index == 1)


async def test_zlib_stream_is_one_stream_for_the_whole_connection(world: Playground, connect: Connect) -> None:
    socket = await connect("?compress=zlib-stream")
    inflate = zlib.decompressobj()

    async def read() -> dict[str, Any]:
        data = (await socket.socket.receive(timeout=60)).data
        assert data.endswith(b"\x00\x00\xff\xff")
        payload: dict[str, Any] = json.loads(inflate.decompress(data))
        return payload

    assert (await read())["op"] == 10
    await socket.send(2, {"token": world.token, "intents": 1})
    assert (await read())["t"] == "READY"


async def test_zstd_stream(world: Playground, connect: Connect) -> None:
    zstandard = pytest.importorskip("zstandard")
    socket = await connect("?compress=zstd-stream")
    decompress = zstandard.ZstdDecompressor().decompressobj()
    assert json.loads(decompress.decompress((await socket.socket.receive(timeout=60)).data))["op"] == 10
    await socket.send(2, {"token": world.token, "intents": 1})
    assert json.loads(decompress.decompress((await socket.socket.receive(timeout=60)).data))["t"] == "READY"


async def test_events_are_filtered_by_intent(
    world: Playground, connect: Connect, channel: Channel, ana: Person
) -> None:
    without, subscribed = await connect(), await connect()
    await without.identify(intents=1)
    await subscribed.identify(intents=int(Intent.GUILD_MESSAGES | Intent.DIRECT_MESSAGES))
    ana.say(channel, "hello")
    ana.say(ana.direct_channel, "psst")
    created = await subscribed.event("MESSAGE_CREATE")
    assert created["d"]["author"]["id"] == str(ana.id)
    assert created["d"]["content"] == ""  # MESSAGE_CONTENT was not granted
    assert (await subscribed.event("MESSAGE_CREATE"))["d"]["content"] == "psst"
    assert channel.guild is not None
    channel.guild.channel("later")
    await without.event("GUILD_CREATE")
    assert (await without.next())["t"] == "CHANNEL_CREATE"


async def test_content_needs_the_intent_or_a_mention(
    world: Playground, connect: Connect, channel: Channel, ana: Person
) -> None:
    world.gateway.granted = Intent.MESSAGE_CONTENT
    plain, privileged = await connect(), await connect()
    await plain.identify(intents=int(Intent.GUILD_MESSAGES))
    await privileged.identify(intents=int(Intent.GUILD_MESSAGES | Intent.MESSAGE_CONTENT))
    ana.say(channel, "hello")
    ana.say(channel, f"hello {world.bot.mention}")
    contents = [(await each.event("MESSAGE_CREATE"))["d"]["content"] for each in (plain, privileged) for _ in "12"]
    assert contents == ["", f"hello {world.bot.mention}", "hello", f"hello {world.bot.mention}"]


def test_old_events_are_dropped(world: Playground) -> None:
    session = Session("s", (0, 1), Intent.NONE)
    for _ in range(KEPT_EVENTS + 10):
        session.push("TYPING_START", {})
    assert len(session.events) == KEPT_EVENTS
    assert session.events[-1][0] == session.sequence == KEPT_EVENTS + 10


# discord.py


async def _receives_interactions(world: Playground, app: TestApp, channel: Channel, ana: Person) -> None:
    before = len(app.interactions)
    reply = await ana.slash(channel, "hello")
    assert reply.message is not None
    assert len(app.interactions) == before + 1


@pytest.fixture
async def app(world: Playground, launch: Launch, channel: Channel) -> TestApp:
    app = TestApp()

    @app.tree.command(description="Says hello.")
    async def hello(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("hello")

    return await launch(app)


async def _new_connection(gateway: Gateway, world: Playground, old: set[Any]) -> None:
    async with asyncio.timeout(15):
        while not gateway.is_complete() or gateway.connections & old:
            await world.wait_for_change()


@pytest.mark.parametrize("fault", ["drop", "reconnect"])
async def test_discord_py_resumes(world: Playground, app: TestApp, channel: Channel, ana: Person, fault: str) -> None:
    session = next(iter(world.gateway.sessions))
    old = set(world.gateway.connections)
    if fault == "drop":
        world.gateway.drop()
    else:
        world.gateway.request_reconnect()
    await _new_connection(world.gateway, world, old)
    assert list(world.gateway.sessions) == [session]
    await _receives_interactions(world, app, channel, ana)


async def test_discord_py_receives_missed_events(
    world: Playground, app: TestApp, channel: Channel, ana: Person
) -> None:
    world.gateway.drop()
    await _receives_interactions(world, app, channel, ana)


async def test_discord_py_identifies_again(world: Playground, app: TestApp, channel: Channel, ana: Person) -> None:
    old_session, old = next(iter(world.gateway.sessions)), set(world.gateway.connections)
    world.gateway.invalidate()
    await _new_connection(world.gateway, world, old)
    assert old_session not in world.gateway.sessions
    await _receives_interactions(world, app, channel, ana)


async def test_discord_py_runs_two_shards(world: Playground, launch: Launch) -> None:
    world.gateway.shards = 2
    channels = [world.guild(f"Guild {n}", guild_id=(1000 + n) << 22).channel("games") for n in (0, 1)]
    ana = world.person("Ana")
    app = TestApp()

    @app.tree.command(description="Which shard?")
    async def shard(interaction: discord.Interaction) -> None:
        assert interaction.guild is not None
        await interaction.response.send_message(str(interaction.guild.shard_id))

    await launch(app)
    for index, channel in enumerate(channels):
        reply = await ana.slash(channel, "shard")
        assert reply.message is not None
        assert reply.message.text == str(index)


async def test_one_session_in_five_seconds_can_be_started(world: Playground, connect: Connect) -> None:
    world.gateway.is_paced = True
    await (await connect()).identify(shard=[0, 2])
    refused = await connect()
    assert (await refused.next())["op"] == 10
    await refused.send(2, {"token": world.token, "intents": 1, "properties": {}, "shard": [1, 2]})
    assert await refused.next() == {"op": 9, "d": False, "s": None, "t": None}
    world.clock.advance(5)
    await (await connect()).identify(shard=[1, 2])
    assert world.gateway.sessions_left == 997  # the refused attempt counts as well


async def test_the_token_is_reset_after_the_last_session_of_the_day(world: Playground, connect: Connect) -> None:
    world.gateway.sessions_left = 1
    await (await connect()).identify()
    too_many = await connect()
    assert (await too_many.next())["op"] == 10
    await too_many.send(2, {"token": world.token, "intents": 1, "properties": {}})
    assert await too_many.close_code() == 4004
