"""The routes for users, commands, emojis, guilds, channels and threads."""

import base64

import pytest

from playground import Channel, ChannelType, NotOffered, Permission, Person, Playground
from tests.playground.conftest import Api

PNG = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR\0\0\0\x80\0\0\0\x80"
IMAGE = f"data:image/png;base64,{base64.b64encode(PNG).decode()}"


@pytest.fixture
def root(world: Playground) -> str:
    return f"/applications/{world.app.id}"


# Authentication and users


async def test_requests_need_the_token(world: Playground, api: Api) -> None:
    assert (await api("GET", "/users/@me"))[1]["id"] == str(world.app.id)
    status, body = await api("GET", "/users/@me", headers={"Authorization": "Bot wrong"})
    assert (status, body["code"]) == (401, 0)


async def test_unknown_routes_and_methods(world: Playground, api: Api) -> None:
    assert (await api("GET", "/nowhere"))[0] == 404
    assert (await api("PUT", "/users/@me"))[0] == 405
    assert len(world.violations) == 2


async def test_the_app_can_read_its_user_and_the_gateway_url(world: Playground, api: Api, ana: Person) -> None:
    for route in ("/applications/@me", "/oauth2/applications/@me"):
        assert (await api("GET", route))[1]["id"] == str(world.app.id)
    assert (await api("GET", "/gateway"))[1] == {"url": world.gateway.url}
    assert (await api("GET", "/gateway/bot"))[1]["shards"] == 1
    assert (await api("GET", f"/users/{ana.id}"))[1]["username"] == "ana"
    assert (await api("GET", "/users/1"))[1]["code"] == 10013


# Commands


def command(name: str, **fields: object) -> dict[str, object]:
    return {"name": name, "description": "Does it."} | fields


async def test_an_app_creates_two_hundred_commands_a_day(world: Playground, api: Api, root: str) -> None:
    for _ in range(100):
        assert (await api("PUT", f"{root}/commands", [command("one"), command("two")]))[0] == 200
        await api("PUT", f"{root}/commands", [])
    assert (await api("PUT", f"{root}/commands", [command("one")]))[1]["code"] == 30034
    world.clock.advance(25 * 60 * 60)
    assert (await api("PUT", f"{root}/commands", [command("one")]))[0] == 200


async def test_a_bulk_update_cannot_remove_an_entry_point_command(world: Playground, api: Api, root: str) -> None:
    world.enable_activities()
    assert (await api("PUT", f"{root}/commands", [command("gang")]))[1]["code"] == 50240
    assert len(world.commands[None]) == 1
    assert world.violations == []


async def test_a_mentioned_command_must_exist(world: Playground, api: Api, root: str, channel: Channel) -> None:
    _, (made,) = await api("PUT", f"{root}/commands", [command("gang")])
    posted = await api("POST", f"/channels/{channel.id}/messages", {"content": f"use </gang:{made['id']}>"})
    assert (posted[0], world.violations) == (200, [])
    await api("POST", f"/channels/{channel.id}/messages", {"content": f"use </gang new:{made['id']}>"})
    assert ["'gang new'" in violation for violation in world.violations] == [True]


async def test_invalid_commands_are_refused(world: Playground, api: Api, root: str) -> None:
    _, body = await api("PUT", f"{root}/commands", [command("gang"), command("Gang")])
    assert body["errors"]["1"]["name"]["_errors"][0]["code"] == "APPLICATION_COMMAND_INVALID_NAME"
    assert (await api("PUT", f"{root}/commands", {}))[0] == 400
    _, body = await api("PUT", f"{root}/commands", [command(f"c{n}") for n in range(101)])
    assert body["errors"]["_errors"][0]["code"] == "APPLICATION_COMMANDS_TOO_MANY"
    assert world.commands[None] == {}


async def test_commands_of_other_apps_are_not_found(api: Api) -> None:
    assert (await api("GET", "/applications/1/commands"))[1]["code"] == 50001


# Emojis


async def test_emojis_are_uploaded_listed_renamed_and_deleted(world: Playground, api: Api, root: str) -> None:
    status, made = await api("POST", f"{root}/emojis", {"name": "g7", "image": IMAGE})
    assert (status, made["name"], made["animated"]) == (201, "g7", False)
    async with api.session.get(f"{world.page_url}emojis/{made['id']}.png") as response:
        assert (await response.read(), response.content_type) == (PNG, "image/png")
    one = f"{root}/emojis/{made['id']}"
    assert (await api("PATCH", one, {"name": "green7"}))[1]["name"] == "green7"
    assert [each["name"] for each in (await api("GET", f"{root}/emojis"))[1]["items"]] == ["green7"]
    assert (await api("GET", one))[0] == 200
    assert await api("DELETE", one) == (204, None)
    assert (await api("GET", one))[1]["code"] == 10014
    async with api.session.get(f"{world.page_url}emojis/{made['id']}.png") as response:
        assert response.status == 404
    assert world.violations == []


async def test_emoji_rules(world: Playground, api: Api, root: str) -> None:
    await api("POST", f"{root}/emojis", {"name": "g7", "image": IMAGE})
    status, body = await api("POST", f"{root}/emojis", {"name": "g7", "image": "nothing"})
    assert status == 400
    assert set(body["errors"]) == {"name", "image"}


async def test_an_app_has_two_thousand_emojis_at_most(
    world: Playground, api: Api, root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("playground.rest.emojis.MAX_EMOJIS", 1)
    await api("POST", f"{root}/emojis", {"name": "g1", "image": IMAGE})
    assert (await api("POST", f"{root}/emojis", {"name": "g2", "image": IMAGE}))[1]["code"] == 30008


async def test_a_button_can_use_an_existing_emoji_only(
    world: Playground, api: Api, root: str, channel: Channel
) -> None:
    _, made = await api("POST", f"{root}/emojis", {"name": "g7", "image": IMAGE})
    button = {"type": 2, "style": 1, "custom_id": "x", "emoji": {"id": made["id"], "name": "g7"}}
    body = {"content": "<:gone:1>", "components": [{"type": 1, "components": [button]}]}
    assert (await api("POST", f"/channels/{channel.id}/messages", body))[0] == 200
    await api("DELETE", f"{root}/emojis/{made['id']}")
    _, answer = await api("POST", f"/channels/{channel.id}/messages", body)
    codes = answer["errors"]["components"]["0"]["components"]["0"]["emoji"]["id"]["_errors"]
    assert codes == [{"code": "COMPONENT_INVALID_EMOJI", "message": "Invalid emoji"}]


# Guilds


async def test_guilds_and_members_can_be_read(api: Api, channel: Channel, ana: Person) -> None:
    assert channel.guild is not None
    guild = f"/guilds/{channel.guild.id}"
    assert (await api("GET", guild))[1]["name"] == "Tea House"
    assert (await api("GET", f"{guild}/members/{ana.id}"))[1]["user"]["global_name"] == "Ana"
    assert (await api("GET", f"{guild}/members/1"))[1]["code"] == 10007
    assert (await api("GET", "/guilds/1"))[1]["code"] == 10004
    channel.guild.remove(ana)
    assert (await api("GET", f"{guild}/members/{ana.id}"))[1]["code"] == 10007


# Channels and threads


async def test_a_channel_can_be_read(api: Api, channel: Channel) -> None:
    path = f"/channels/{channel.id}"
    assert (await api("GET", path))[1]["name"] == "games"
    assert await api("POST", f"{path}/typing") == (204, None)
    channel.delete()
    assert (await api("GET", path))[1]["code"] == 10003


async def test_a_message_opens_an_archived_thread_unless_it_is_locked(
    world: Playground, api: Api, channel: Channel, ana: Person
) -> None:
    place = world.create_thread(channel, "table", ChannelType.PUBLIC_THREAD, ana)
    assert place.thread is not None
    path = f"/channels/{place.id}"
    place.thread.is_archived = True
    assert (await api("POST", f"{path}/messages", {"content": "x"}))[0] == 200
    assert not (await api("GET", path))[1]["thread_metadata"]["archived"]
    place.thread.is_archived = place.thread.is_locked = True
    assert (await api("POST", f"{path}/messages", {"content": "x"}))[1]["code"] == 50083


async def test_a_thread_can_start_from_a_message(world: Playground, api: Api, channel: Channel, ana: Person) -> None:
    message = ana.say(channel, "hello")
    path = f"/channels/{channel.id}/messages/{message.id}/threads"
    assert (await api("POST", path, {"name": "talk"}))[1]["id"] == str(message.id)
    assert message.id in world.channels
    channel.delete()
    assert message.id not in world.channels


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (ChannelType.VOICE, 50024),
        (ChannelType.STAGE, 50024),
        (ChannelType.ANNOUNCEMENT, None),
        (ChannelType.TEXT, None),
    ],
)
async def test_threads_start_in_text_and_announcement_channels_only(
    world: Playground, api: Api, channel: Channel, ana: Person, kind: ChannelType, code: int | None
) -> None:
    assert channel.guild is not None
    place = channel.guild.channel("place", kind)
    message = ana.say(place, "hello")
    path = f"/channels/{place.id}/messages/{message.id}/threads"
    assert (await api("POST", path, {"name": "talk"}))[1].get("code") == code
    if code is None:
        assert (await api("POST", path, {"name": "talk"}))[1]["code"] == 160004
    assert world.violations == []


async def test_a_guild_has_a_maximum_of_active_threads(
    world: Playground, api: Api, channel: Channel, ana: Person
) -> None:
    assert channel.guild is not None
    channel.guild.max_active_threads = 1
    first = world.create_thread(channel, "x", ChannelType.PUBLIC_THREAD, ana)
    path = f"/channels/{channel.id}/messages/{ana.say(channel, 'hello').id}/threads"
    assert (await api("POST", path, {"name": "y"}))[1]["code"] == 160006
    assert first.thread is not None
    first.thread.is_archived = True
    assert (await api("POST", path, {"name": "y"}))[0] == 201


async def test_nobody_writes_in_a_forum_itself(world: Playground, api: Api, channel: Channel, ana: Person) -> None:
    assert channel.guild is not None
    forum = channel.guild.channel("ideas", ChannelType.FORUM)
    with pytest.raises(NotOffered):
        ana.say(forum, "hello")
    assert (await api("POST", f"/channels/{forum.id}/messages", {"content": "x"}))[1]["code"] == 50008
    post = world.create_thread(forum, "an idea", ChannelType.PUBLIC_THREAD, ana)
    assert (await api("POST", f"/channels/{post.id}/messages", {"content": "x"}))[0] == 200


async def test_a_direct_channel_can_be_refused_with_any_error(world: Playground, api: Api, ana: Person) -> None:
    for status, code in ((400, 0), (404, 10013), (400, 40003), (403, 50007)):
        world.faults.next("POST", "/users/@me/channels", status=status, code=code)
        refused, body = await api("POST", "/users/@me/channels", {"recipient_id": str(ana.id)})
        assert (refused, body["code"]) == (status, code)


async def test_threads_need_permissions(world: Playground, api: Api, channel: Channel, ana: Person) -> None:
    path = f"/channels/{channel.id}/messages/{ana.say(channel, 'hello').id}/threads"
    assert (await api("POST", path, {"name": ""}))[0] == 400
    channel.deny(world.bot, Permission.CREATE_PUBLIC_THREADS)
    assert (await api("POST", path, {"name": "x"}))[1]["code"] == 50013
    channel.deny(world.bot, Permission.SEND_MESSAGES_IN_THREADS)
    place = world.create_thread(channel, "x", ChannelType.PUBLIC_THREAD, ana)
    assert (await api("POST", f"/channels/{place.id}/messages", {"content": "x"}))[1]["code"] == 50013
    path = f"/channels/{place.id}/messages/{ana.say(place, 'hello').id}/threads"
    assert (await api("POST", path, {"name": "x"}))[1]["code"] in (50013, 50024)
