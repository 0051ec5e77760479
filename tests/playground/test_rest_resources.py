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
    assert (await api("POST", f"{root}/commands", command("one")))[1]["code"] == 30034
    world.clock.advance(25 * 60 * 60)
    assert (await api("POST", f"{root}/commands", command("one")))[0] == 201
    assert (await api("PUT", f"{root}/commands", [command("one")]))[0] == 200


async def test_a_bulk_update_cannot_remove_an_entry_point_command(world: Playground, api: Api, root: str) -> None:
    world.add_entry_point()
    assert (await api("PUT", f"{root}/commands", [command("gang")]))[1]["code"] == 50240
    assert len(world.commands[None]) == 1
    assert world.violations == []


async def test_a_mentioned_command_must_exist(world: Playground, api: Api, root: str, channel: Channel) -> None:
    _, made = await api("POST", f"{root}/commands", command("gang"))
    posted = await api("POST", f"/channels/{channel.id}/messages", {"content": f"use </gang:{made['id']}>"})
    assert (posted[0], world.violations) == (200, [])
    await api("POST", f"/channels/{channel.id}/messages", {"content": f"use </gang new:{made['id']}>"})
    assert ["'gang new'" in violation for violation in world.violations] == [True]


@pytest.mark.parametrize("where", ["", "/guilds/{guild}"])
async def test_commands_are_created_edited_and_deleted(
    world: Playground, api: Api, root: str, channel: Channel, where: str
) -> None:
    assert channel.guild is not None
    commands = root + where.format(guild=channel.guild.id) + "/commands"
    status, made = await api("POST", commands, command("gang"))
    assert (status, made["type"], made["description"]) == (201, 1, "Does it.")
    assert (await api("POST", commands, command("gang", description="Again.")))[0] == 200
    one = f"{commands}/{made['id']}"
    assert (await api("GET", one))[1]["description"] == "Again."
    assert (await api("PATCH", one, {"description": "Anew."}))[1]["description"] == "Anew."
    _, replaced = await api("PUT", commands, [command("gang"), command("help")])
    assert replaced[0]["id"] == made["id"]  # a command with the same name keeps its id
    assert (await api("GET", commands))[1] == replaced
    assert await api("DELETE", one) == (204, None)
    assert (await api("GET", one))[1]["code"] == 10063
    assert [each["name"] for each in (await api("GET", commands))[1]] == ["help"]


async def test_invalid_commands_are_refused(world: Playground, api: Api, root: str) -> None:
    _, body = await api("PUT", f"{root}/commands", [command("gang"), command("Gang")])
    assert body["errors"]["1"]["name"]["_errors"][0]["code"] == "APPLICATION_COMMAND_INVALID_NAME"
    assert (await api("PUT", f"{root}/commands", {}))[0] == 400
    assert (await api("POST", f"{root}/commands", command("x" * 33)))[0] == 400
    assert world.commands[None] == {}
    await api("PUT", f"{root}/commands", [command(f"c{n}") for n in range(100)])
    _, body = await api("POST", f"{root}/commands", command("one-too-many"))
    assert body["errors"]["_errors"][0]["code"] == "APPLICATION_COMMANDS_TOO_MANY"


async def test_commands_of_other_apps_are_not_found(world: Playground, api: Api, root: str) -> None:
    assert (await api("GET", "/applications/1/commands"))[1]["code"] == 50001
    assert (await api("GET", f"{root}/guilds/1/commands"))[1]["code"] == 50001


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


async def test_guilds_members_roles_and_channels_can_be_read(api: Api, channel: Channel, ana: Person) -> None:
    assert channel.guild is not None
    guild = f"/guilds/{channel.guild.id}"
    assert (await api("GET", guild))[1]["name"] == "Tea House"
    assert [each["name"] for each in (await api("GET", f"{guild}/channels"))[1]] == ["games"]
    assert [each["name"] for each in (await api("GET", f"{guild}/roles"))[1]] == ["@everyone"]
    assert len((await api("GET", f"{guild}/members?limit=100"))[1]) == 3
    assert (await api("GET", f"{guild}/members/{ana.id}"))[1]["user"]["global_name"] == "Ana"
    assert (await api("GET", f"{guild}/members/1"))[1]["code"] == 10007
    assert (await api("GET", "/guilds/1"))[1]["code"] == 10004
    channel.guild.remove(ana)
    assert (await api("GET", f"{guild}/members/{ana.id}"))[1]["code"] == 10007


async def test_the_app_can_change_its_nickname(world: Playground, api: Api, channel: Channel) -> None:
    assert channel.guild is not None
    path = f"/guilds/{channel.guild.id}/members/@me"
    assert (await api("PATCH", path, {"nick": "Dealer"}))[1]["nick"] == "Dealer"
    assert (await api("PATCH", path, {"nick": "x" * 33}))[0] == 400


# Channels and threads


async def test_channels_are_read_renamed_and_deleted(world: Playground, api: Api, channel: Channel) -> None:
    path = f"/channels/{channel.id}"
    assert (await api("GET", path))[1]["name"] == "games"
    assert await api("POST", f"{path}/typing") == (204, None)
    assert (await api("PATCH", path, {"name": "cards"}))[1]["code"] == 50013
    assert (await api("DELETE", path))[1]["code"] == 50013
    channel.allow(world.bot, Permission.MANAGE_CHANNELS)
    assert (await api("PATCH", path, {"name": "cards"}))[1]["name"] == "cards"
    assert (await api("DELETE", path))[0] == 200
    assert (await api("GET", path))[1]["code"] == 10003


async def test_only_members_see_a_private_thread(
    world: Playground, api: Api, channel: Channel, ana: Person, ben: Person
) -> None:
    status, made = await api("POST", f"/channels/{channel.id}/threads", {"name": "Ana's hand", "type": 12})
    assert (status, made["type"], made["parent_id"]) == (201, 12, str(channel.id))
    thread, path = world.channels[int(made["id"])], f"/channels/{made['id']}"
    assert await api("PUT", f"{path}/thread-members/{ana.id}") == (204, None)
    await api("POST", f"{path}/messages", {"content": "secret"})
    assert [each.text for each in ana.sees(thread)] == ["secret"]
    assert ben.sees(thread) == []
    await api("POST", f"{path}/messages", {"content": f"welcome {ben.mention}"})
    assert len(ben.sees(thread)) == 2  # a mention adds members
    assert (await api("DELETE", f"{path}/thread-members/{ben.id}"))[1]["code"] == 50013
    channel.allow(world.bot, Permission.MANAGE_THREADS)
    assert (await api("DELETE", f"{path}/thread-members/{ben.id}"))[0] == 204
    assert ben.sees(thread) == []
    members = (await api("GET", f"{path}/thread-members"))[1]
    assert {each["user_id"] for each in members} == {str(world.app.id), str(ana.id)}


async def test_threads_are_archived_by_their_owner_and_locked_by_moderators(
    world: Playground, api: Api, channel: Channel
) -> None:
    _, made = await api("POST", f"/channels/{channel.id}/threads", {"name": "table", "type": 11})
    path = f"/channels/{made['id']}"
    assert (await api("PATCH", path, {"archived": True}))[1]["thread_metadata"]["archived"]
    assert (await api("POST", f"{path}/messages", {"content": "x"}))[0] == 200
    assert not (await api("GET", path))[1]["thread_metadata"]["archived"]  # a message unarchives it
    assert (await api("PATCH", path, {"locked": True}))[1]["code"] == 50013
    channel.allow(world.bot, Permission.MANAGE_THREADS)
    assert (await api("PATCH", path, {"locked": True, "archived": True}))[1]["thread_metadata"]["locked"]
    assert (await api("POST", f"{path}/messages", {"content": "x"}))[1]["code"] == 50083
    assert (await api("PATCH", path, {"auto_archive_duration": 5}))[0] == 400
    assert channel.guild is not None
    assert (await api("GET", f"/guilds/{channel.guild.id}/threads/active"))[1]["threads"] == []


async def test_a_thread_can_start_from_a_message(world: Playground, api: Api, channel: Channel, ana: Person) -> None:
    message = ana.say(channel, "hello")
    path = f"/channels/{channel.id}/messages/{message.id}/threads"
    assert (await api("POST", path, {"name": "talk"}))[1]["id"] == str(message.id)
    thread = world.channels[message.id]
    await api("PUT", f"/channels/{thread.id}/thread-members/@me")
    channel.delete()
    assert thread.id not in world.channels


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


async def test_a_guild_has_a_maximum_of_active_threads(api: Api, channel: Channel) -> None:
    assert channel.guild is not None
    channel.guild.max_active_threads = 1
    path = f"/channels/{channel.id}/threads"
    _, first = await api("POST", path, {"name": "x", "type": 11})
    assert (await api("POST", path, {"name": "y", "type": 11}))[1]["code"] == 160006
    await api("PATCH", f"/channels/{first['id']}", {"archived": True})
    assert (await api("POST", path, {"name": "y", "type": 11}))[0] == 201


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


async def test_threads_need_permissions(world: Playground, api: Api, channel: Channel) -> None:
    channel.deny(world.bot, Permission.CREATE_PRIVATE_THREADS | Permission.SEND_MESSAGES_IN_THREADS)
    path = f"/channels/{channel.id}/threads"
    assert (await api("POST", path, {"name": "x", "type": 12}))[1]["code"] == 50013
    assert (await api("POST", path, {"name": "", "type": 11}))[0] == 400
    _, made = await api("POST", path, {"name": "x", "type": 11})
    assert (await api("POST", f"/channels/{made['id']}/messages", {"content": "x"}))[1]["code"] == 50013
    assert (await api("POST", f"/channels/{made['id']}/threads", {"name": "x", "type": 11}))[1]["code"] == 50024
    assert (await api("PUT", f"/channels/{channel.id}/thread-members/@me"))[1]["code"] == 50024
