"""Rate limits and injected faults, over plain HTTP and with discord.py."""

import asyncio
from collections.abc import AsyncIterator, Callable

import aiohttp
import discord
import pytest

from playground import Channel, Permission, Person, Playground
from playground.limits import EMOJIS
from playground.rest import middleware
from playground.world.model import InteractionType
from playground.world.posting import Draft, Source
from tests.end_to_end.app_harness import PATIENCE
from tests.playground.conftest import Api, Launch, TestApp


@pytest.fixture
async def world() -> AsyncIterator[Playground]:
    """A playground with Discord's rate limits."""
    async with Playground() as world:
        world.interactions.answer_seconds = PATIENCE
        yield world


@pytest.fixture
def messages(channel: Channel) -> str:
    return f"/channels/{channel.id}/messages"


async def test_a_channel_takes_five_messages_in_five_seconds(world: Playground, api: Api, messages: str) -> None:
    remaining = []
    for _ in range(5):
        assert (await api("POST", messages, {"content": "x"}))[0] == 200
        remaining.append(api.headers["X-RateLimit-Remaining"])
    assert remaining == ["4", "3", "2", "1", "0"]
    assert api.headers["X-RateLimit-Limit"] == "5"
    assert 0 < float(api.headers["X-RateLimit-Reset-After"]) <= 5
    assert api.headers["X-RateLimit-Bucket"]
    status, body = await api("POST", messages, {"content": "x"})
    assert (status, body["global"]) == (429, False)
    assert 0 < body["retry_after"] <= 5
    assert (api.headers["Via"], api.headers["X-RateLimit-Scope"]) == ("1.1 playground", "user")
    world.clock.advance(5)
    assert (await api("POST", messages, {"content": "x"}))[0] == 200


async def test_each_channel_and_each_route_has_its_own_bucket(
    world: Playground, api: Api, messages: str, channel: Channel
) -> None:
    for _ in range(5):
        await api("POST", messages, {"content": "x"})
    assert channel.guild is not None
    other = channel.guild.channel("more games")
    assert (await api("POST", f"/channels/{other.id}/messages", {"content": "x"}))[0] == 200
    message = next(iter(channel.messages))
    assert (await api("PATCH", f"{messages}/{message}", {"content": "y"}))[0] == 200
    assert (await api("DELETE", f"{messages}/{message}"))[0] == 204


async def test_a_token_has_five_requests_in_two_seconds(
    world: Playground, api: Api, channel: Channel, ana: Person
) -> None:
    data = {"id": "1", "name": "gang", "type": 1}
    interaction = world.interactions.start(InteractionType.COMMAND, ana, channel, data)
    await api.callback(interaction, 4, {"content": "x"})
    for _ in range(5):
        assert (await api.webhook(interaction, "PATCH", "/messages/@original", {"content": "y"}))[0] == 200
    assert (await api.webhook(interaction, "POST", "", {"content": "y"}))[0] == 429
    world.clock.advance(2)
    assert (await api.webhook(interaction, "POST", "", {"content": "y"}))[0] == 200


async def test_the_global_limit_is_fifty_requests_per_second(api: Api) -> None:
    routes = ["/users/@me", "/applications/@me"]
    for index in range(50):
        assert (await api("GET", routes[index % 2]))[0] == 200
    status, body = await api("GET", "/gateway")
    assert (status, body["global"]) == (429, True)


async def test_edits_of_old_messages_are_limited(world: Playground, api: Api, messages: str, channel: Channel) -> None:
    message = world.posting.post(channel, Source(world.bot), Draft({"content": "old"}))
    world.clock.advance(60 * 60 + 1)
    for _ in range(3):
        assert (await api("PATCH", f"{messages}/{message.id}", {"content": "new"}))[0] == 200
    status, body = await api("PATCH", f"{messages}/{message.id}", {"content": "newer"})
    assert (status, body["code"]) == (429, 30046)
    world.clock.advance(6)
    assert (await api("PATCH", f"{messages}/{message.id}", {"content": "newer"}))[0] == 200


async def test_changes_of_emojis_have_a_limit_that_no_header_names(world: Playground, api: Api) -> None:
    path = f"/applications/{world.app.id}/emojis"
    for _ in range(EMOJIS.limit):
        assert (await api("POST", path, {"name": "x"}))[0] == 400
        world.clock.advance(0.1)
    assert int(api.headers["X-RateLimit-Remaining"]) > 0
    assert (await api("POST", path, {"name": "x"}))[0] == 429
    assert (await api("GET", path))[0] == 200


async def test_limits_can_be_turned_off(api: Api, messages: str, world: Playground) -> None:
    async with Playground(rate_limits="off") as free:
        quick = Api(free, api.session)
        channel = free.guild("Tea House").channel("games")
        for _ in range(60):
            assert (await quick("POST", f"/channels/{channel.id}/messages", {"content": "x"}))[0] == 200


# Faults


async def test_a_fault_occurs_as_often_as_requested(
    world: Playground, api: Api, messages: str, channel: Channel
) -> None:
    world.faults.next("POST", "/channels/*/messages", status=502, times=2)
    statuses = [(await api("POST", messages, {"content": "x"}))[0] for _ in range(3)]
    assert statuses == [502, 502, 200]
    assert len(channel.messages) == 1


async def test_a_fault_can_occur_after_the_request_took_effect(
    world: Playground, api: Api, messages: str, channel: Channel
) -> None:
    world.faults.next("POST", "/channels/*/messages", status=500, after=True)
    assert (await api("POST", messages, {"content": "x"}))[0] == 500
    assert len(channel.messages) == 1


async def test_a_connection_can_be_reset(world: Playground, api: Api, messages: str) -> None:
    world.faults.next("POST", "/channels/*/messages", status="reset")
    with pytest.raises(aiohttp.ClientError):
        await api("POST", messages, {"content": "x"})


async def test_a_response_can_be_withheld(world: Playground, api: Api, messages: str) -> None:
    world.faults.next("POST", "/channels/*/messages", status="timeout")
    with pytest.raises(TimeoutError):
        await api("POST", messages, {"content": "x"}, timeout=aiohttp.ClientTimeout(total=0.05))


async def test_discord_py_waits_on_rate_limits(
    world: Playground, launch: Launch, channel: Channel, ana: Person
) -> None:
    app = TestApp()

    @app.tree.command(description="Posts.")
    async def post(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("ok", ephemeral=True)
        assert isinstance(interaction.channel, discord.TextChannel)
        await interaction.channel.send("there")

    await launch(app)
    world.faults.next("POST", "/channels/*/messages", status=429)
    await ana.slash(channel, "post")
    await ana.until(lambda: [each.text for each in ana.sees(channel)] == ["ok", "there"])
    statuses = [each.status for each in world.requests if each.route == f"/channels/{channel.id}/messages"]
    assert statuses == [429, 200]
    assert not app.errors


async def test_discord_py_respects_the_announced_buckets(
    world: Playground, point: Callable[[Playground], None], channel: Channel
) -> None:
    point(world)
    async with discord.Client(intents=discord.Intents.none()) as client:
        await client.login(world.token)
        target = client.get_partial_messageable(channel.id)
        async with asyncio.timeout(8):
            for _ in range(6):
                await target.send("x")
    assert [each.status for each in world.requests if each.method == "POST"] == [200] * 6


async def test_too_many_invalid_requests_lead_to_a_ban(
    world: Playground, api: Api, channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(middleware, "MAX_INVALID", 3)
    channel.deny(world.bot, Permission.VIEW_CHANNEL)
    for _ in range(3):
        assert (await api("GET", f"/channels/{channel.id}"))[0] == 403
    async with api.session.get(f"{world.api_url}/users/@me") as banned:
        assert (banned.status, "Via" in banned.headers) == (429, False)
    world.clock.advance(middleware.INVALID_SECONDS + 1)
    assert (await api("GET", "/users/@me"))[0] == 200
    assert ["banned" in violation for violation in world.violations] == [True]
