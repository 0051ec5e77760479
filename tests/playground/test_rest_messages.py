"""The routes for messages: permissions, mentions, files, pins and deletion."""

import io
import json
from typing import Any

import aiohttp
import pytest

from playground import Channel, MessageFlags, Permission, Person, Playground
from playground.rest.messages import NONCE_WINDOW
from playground.world.model import Message
from playground.world.posting import Draft, Source
from tests.playground.conftest import Api

PNG = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR\0\0\0\x40\0\0\0\x20"


@pytest.fixture
def messages(channel: Channel) -> str:
    return f"/channels/{channel.id}/messages"


@pytest.fixture
def mine(world: Playground, channel: Channel) -> Message:
    return world.posting.post(channel, Source(world.bot), Draft({"content": "mine"}))


async def test_post_read_edit_delete(world: Playground, api: Api, messages: str, ana: Person, channel: Channel) -> None:
    status, posted = await api("POST", messages, {"content": "hello"})
    assert (status, posted["content"], posted["author"]["id"]) == (200, "hello", str(world.app.id))
    assert await api("GET", f"{messages}/{posted['id']}") == (200, posted)
    status, edited = await api("PATCH", f"{messages}/{posted['id']}", {"content": "changed"})
    assert edited["edited_timestamp"]
    assert [each.text for each in ana.sees(channel)] == ["changed"]
    assert await api("DELETE", f"{messages}/{posted['id']}") == (204, None)
    assert ana.sees(channel) == []
    assert (await api("GET", f"{messages}/{posted['id']}"))[1]["code"] == 10008
    assert world.violations == []
    assert [(each.method, each.status) for each in world.requests] == [
        ("POST", 200),
        ("GET", 200),
        ("PATCH", 200),
        ("DELETE", 204),
        ("GET", 404),
    ]


async def test_the_content_type_has_no_charset(api: Api, messages: str) -> None:
    await api("POST", messages, {"content": "x"})
    assert api.headers["Content-Type"] == "application/json"
    assert api.headers["Via"]


async def test_lists_are_newest_first_and_limited(world: Playground, api: Api, messages: str, channel: Channel) -> None:
    posted = [world.posting.post(channel, Source(world.bot), Draft({"content": str(n)})) for n in range(5)]

    async def listed(query: str = "") -> list[str]:
        return [each["content"] for each in (await api("GET", messages + query))[1]]

    assert await listed() == ["4", "3", "2", "1", "0"]
    assert await listed("?limit=2") == ["4", "3"]
    assert await listed(f"?before={posted[2].id}&limit=1") == ["1"]
    assert await listed(f"?after={posted[2].id}&limit=1") == ["3"]
    assert (await api("GET", f"{messages}?limit=101"))[0] == 400
    channel.deny(world.bot, Permission.READ_MESSAGE_HISTORY)
    assert await listed() == []


@pytest.mark.parametrize(
    ("taken", "body", "code"),
    [
        (Permission.VIEW_CHANNEL, {"content": "x"}, 50001),
        (Permission.SEND_MESSAGES, {"content": "x"}, 50013),
        (Permission.EMBED_LINKS, {"embeds": [{"title": "x"}]}, 50013),
    ],
)
async def test_permissions_to_post(
    world: Playground, api: Api, messages: str, channel: Channel, taken: Permission, body: object, code: int
) -> None:
    channel.deny(world.bot, taken)
    status, answer = await api("POST", messages, body)
    assert (status, answer["code"]) == (403, code)
    assert world.violations == []
    assert str(code) in world.refusals[0]
    channel.allow(world.bot, taken)
    assert (await api("POST", messages, body))[0] == 200


async def test_an_app_that_was_removed_has_no_access(
    world: Playground, api: Api, messages: str, channel: Channel
) -> None:
    assert channel.guild is not None
    channel.guild.remove(world.bot)
    assert (await api("POST", messages, {"content": "x"}))[1]["code"] == 50001
    assert (await api("GET", f"/guilds/{channel.guild.id}"))[1]["code"] == 10004
    channel.guild.add(world.bot)
    assert (await api("POST", messages, {"content": "x"}))[0] == 200


async def test_a_deleted_channel_is_unknown(api: Api, messages: str, channel: Channel) -> None:
    channel.delete()
    assert (await api("POST", messages, {"content": "x"}))[1]["code"] == 10003


async def test_messages_of_others_cannot_be_edited(
    world: Playground, api: Api, messages: str, channel: Channel, ana: Person
) -> None:
    theirs = ana.say(channel, "theirs")
    status, body = await api("PATCH", f"{messages}/{theirs.id}", {"content": "x"})
    assert (status, body["code"]) == (403, 50005)
    assert (await api("DELETE", f"{messages}/{theirs.id}"))[1]["code"] == 50013
    channel.allow(world.bot, Permission.MANAGE_MESSAGES)
    assert (await api("DELETE", f"{messages}/{theirs.id}"))[0] == 204


@pytest.mark.parametrize(
    ("body", "code"),
    [({}, 50006), ({"content": ""}, 50006), ({"content": "x" * 2001}, 50035), ({"content": "x", "flags": 64}, 50035)],
)
async def test_invalid_bodies_are_violations(
    world: Playground, api: Api, messages: str, body: object, code: int
) -> None:
    assert (await api("POST", messages, body))[1]["code"] == code
    assert str(code) in world.violations[0]


async def test_bodies_that_are_not_json(world: Playground, api: Api, messages: str) -> None:
    headers = {"Authorization": f"Bot {world.token}", "Content-Type": "application/json"}
    assert (await api("POST", messages, headers=headers, data=b"{"))[1]["code"] == 50109
    assert (await api("POST", messages, headers=headers, data=b"[]"))[1]["code"] == 50035
    headers["Content-Type"] = "text/plain"
    assert (await api("POST", messages, headers=headers, data=b"{}"))[1]["code"] == 50109


async def test_a_message_cannot_be_emptied_by_an_edit(api: Api, messages: str, mine: Message) -> None:
    assert (await api("PATCH", f"{messages}/{mine.id}", {"content": None}))[1]["code"] == 50006


async def test_an_edit_to_components_v2(api: Api, messages: str, mine: Message) -> None:
    body = {"flags": 32768, "content": None, "components": [{"type": 10, "content": "new"}]}
    status, edited = await api("PATCH", f"{messages}/{mine.id}", body)
    assert (status, edited["content"], edited["flags"]) == (200, "", 32768)
    assert edited["components"] == [{"type": 10, "content": "new", "id": 1}]


# Files


def form(body: dict[str, Any], **files: bytes | io.BytesIO) -> aiohttp.FormData:
    data = aiohttp.FormData(quote_fields=False)
    data.add_field("payload_json", json.dumps(body))
    for index, (name, content) in enumerate(files.items()):
        data.add_field(f"files[{index}]", content, filename=f"{name}.png", content_type="application/octet-stream")
    return data


async def test_attachments_can_be_downloaded_for_a_day(world: Playground, api: Api, messages: str) -> None:
    body = {
        "flags": 32768,
        "components": [{"type": 12, "items": [{"media": {"url": "attachment://hand.png"}, "description": "A hand"}]}],
        "attachments": [{"id": 0, "description": "Cards"}],
    }
    _, posted = await api("POST", messages, data=form(body, hand=PNG))
    (attachment,) = posted["attachments"]
    assert (attachment["filename"], attachment["description"]) == ("hand.png", "Cards")
    assert (attachment["width"], attachment["height"], attachment["content_type"]) == (64, 32, "image/png")
    media = posted["components"][0]["items"][0]["media"]
    assert (media["attachment_id"], media["width"]) == (attachment["id"], 64)
    async with api.session.get(attachment["url"]) as response:
        assert await response.read() == PNG
    async with api.session.get(attachment["url"].replace("hm=", "hm=0")) as response:
        assert response.status == 404
    world.clock.advance(25 * 60 * 60)
    async with api.session.get(attachment["url"]) as response:
        assert response.status == 404
    assert world.violations == []


async def test_embeds_show_attached_images(api: Api, messages: str) -> None:
    body = {"embeds": [{"title": "Hand", "image": {"url": "attachment://hand.png"}}]}
    _, posted = await api("POST", messages, data=form(body, hand=PNG))
    image = posted["embeds"][0]["image"]
    assert (image["url"], image["width"]) == (posted["attachments"][0]["url"], 64)


async def test_an_edit_keeps_adds_and_drops_files(api: Api, messages: str) -> None:
    _, posted = await api("POST", messages, data=form({"content": "x"}, one=PNG, two=PNG))
    kept = posted["attachments"][1]["id"]
    body = {"attachments": [{"id": kept}, {"id": 0}]}
    _, edited = await api("PATCH", f"{messages}/{posted['id']}", data=form(body, three=PNG))
    assert [each["filename"] for each in edited["attachments"]] == ["two.png", "three.png"]
    _, edited = await api("PATCH", f"{messages}/{posted['id']}", {"attachments": []})
    assert edited["attachments"] == []


async def test_files_need_a_permission(world: Playground, api: Api, messages: str, channel: Channel) -> None:
    channel.deny(world.bot, Permission.ATTACH_FILES)
    assert (await api("POST", messages, data=form({}, hand=PNG)))[1]["code"] == 50013


async def test_files_have_a_size_limit(api: Api, messages: str) -> None:
    status, body = await api("POST", messages, data=form({}, big=io.BytesIO(bytes(10 * 1024 * 1024 + 1))))
    assert (status, body["code"]) == (413, 40005)


# Mentions


@pytest.mark.parametrize(
    ("content", "allowed", "who"),
    [
        ("{ana} {ben}", None, "Ana Ben"),
        ("{ana} {ben}", {"parse": []}, ""),
        ("{ana} {ben}", {"users": ["{ana}"]}, "Ana"),
        ("{ana}", {"parse": ["users"]}, "Ana"),
        ("@everyone", {"parse": ["everyone"]}, ""),
        ("{role}", {"parse": ["roles"]}, ""),
        ("nobody", None, ""),
    ],
)
async def test_allowed_mentions_decide_who_is_notified(
    world: Playground, api: Api, messages: str, channel: Channel, ana: Person, ben: Person,
    content: str, allowed: dict[str, list[str]] | None, who: str,
) -> None:  # fmt: skip
    assert channel.guild is not None
    role = channel.guild.role("players", Permission(0), ana)
    names = {"ana": ana.mention, "ben": ben.mention, "role": f"<@&{role.id}>"}
    if allowed and "users" in allowed:
        allowed = {"users": [str(ana.id)]}
    body = {"content": content.format(**names)} | ({} if allowed is None else {"allowed_mentions": allowed})
    await api("POST", messages, body)
    assert " ".join(each.name for each in (ana, ben) if each.pings) == who


async def test_everyone_and_roles_need_a_permission(
    world: Playground, api: Api, messages: str, channel: Channel, ana: Person, ben: Person
) -> None:
    assert channel.guild is not None
    role = channel.guild.role("players", Permission(0), ana)
    channel.allow(world.bot, Permission.MENTION_EVERYONE)
    _, body = await api("POST", messages, {"content": f"<@&{role.id}>"})
    assert body["mention_roles"] == [str(role.id)]
    assert (len(ana.pings), len(ben.pings)) == (1, 0)
    _, body = await api("POST", messages, {"content": "@here"})
    assert body["mention_everyone"]
    assert (len(ana.pings), len(ben.pings)) == (2, 1)


async def test_messages_without_notifications(
    world: Playground, api: Api, messages: str, channel: Channel, ana: Person, ben: Person, mine: Message
) -> None:
    channel.deny(ben, Permission.VIEW_CHANNEL)
    await api("PATCH", f"{messages}/{mine.id}", {"content": ana.mention})
    await api("POST", messages, {"content": ana.mention, "flags": 4096})
    await api("POST", messages, {"content": ben.mention})
    assert ana.pings == ben.pings == []


async def test_a_reply_notifies_the_author_by_default(api: Api, messages: str, channel: Channel, ana: Person) -> None:
    theirs = ana.say(channel, "hello")
    reference = {"message_reference": {"message_id": str(theirs.id)}}
    _, posted = await api("POST", messages, {"content": "a", "allowed_mentions": {"replied_user": False}} | reference)
    assert (posted["type"], posted["referenced_message"]["content"]) == (19, "hello")
    assert ana.pings == []
    await api("POST", messages, {"content": "b"} | reference)
    assert [each.text for each in ana.pings] == ["b"]
    lost = {"message_reference": {"message_id": "1"}}
    assert (await api("POST", messages, {"content": "c"} | lost))[0] == 400


async def test_mentions_in_text_displays_notify(api: Api, messages: str, ana: Person) -> None:
    body = {"flags": 32768, "components": [{"type": 10, "content": f"Your turn, {ana.mention}"}]}
    await api("POST", messages, body)
    assert len(ana.pings) == 1


# Nonces, pins and deletion


async def test_a_nonce_expires_after_minutes(world: Playground, api: Api, messages: str) -> None:
    body = {"content": "x", "nonce": "n", "enforce_nonce": True}
    _, first = await api("POST", messages, body)
    world.clock.advance(NONCE_WINDOW - 1)
    assert (await api("POST", messages, body))[1] == first
    world.clock.advance(2)
    assert (await api("POST", messages, body))[1]["id"] != first["id"]


async def test_a_nonce_returns_the_message_of_another_channel(
    world: Playground, api: Api, messages: str, channel: Channel
) -> None:
    assert channel.guild is not None
    other = channel.guild.channel("other")
    body = {"content": "x", "nonce": "n", "enforce_nonce": True}
    _, first = await api("POST", messages, body)
    assert (await api("POST", f"/channels/{other.id}/messages", body))[1] == first
    assert other.messages == {}


async def test_a_nonce_of_a_deleted_message_is_refused_until_it_expires(
    world: Playground, api: Api, messages: str
) -> None:
    body = {"content": "x", "nonce": "n", "enforce_nonce": True}
    _, first = await api("POST", messages, body)
    await api("DELETE", f"{messages}/{first['id']}")
    assert (await api("POST", messages, body))[1]["code"] == 10008
    world.clock.advance(NONCE_WINDOW + 1)
    assert (await api("POST", messages, body))[0] == 200


async def test_a_lock_screen_shows_the_content_but_no_components(
    api: Api, messages: str, ana: Person, channel: Channel
) -> None:
    await api("POST", messages, {"content": f"your turn, {ana.mention}"})
    text = {"type": 10, "content": f"your turn, {ana.mention}"}
    await api("POST", messages, {"components": [text], "flags": MessageFlags.COMPONENTS_V2})
    assert [each.push_text for each in ana.pings] == ["your turn, @Ana", ""]


async def test_a_message_that_is_read_later_has_no_nonce(api: Api, messages: str) -> None:
    _, posted = await api("POST", messages, {"content": "x", "nonce": "n"})
    assert posted["nonce"] == "n"
    assert "nonce" not in (await api("GET", f"{messages}/{posted['id']}"))[1]
    assert ["nonce" in each for each in (await api("GET", messages))[1]] == [False]


async def test_direct_messages(world: Playground, api: Api, ana: Person, channel: Channel) -> None:
    status, direct = await api("POST", "/users/@me/channels", {"recipient_id": str(ana.id)})
    assert (direct["type"], direct["recipients"][0]["global_name"]) == (1, "Ana")
    assert (await api("POST", f"/channels/{direct['id']}/messages", {"content": "psst"}))[0] == 200
    assert [each.text for each in ana.direct_messages] == ["psst"]
    assert (await api("POST", "/users/@me/channels", {"recipient_id": "1"}))[1]["code"] == 10013
    assert channel.guild is not None
    channel.guild.remove(ana)
    status, body = await api("POST", f"/channels/{direct['id']}/messages", {"content": "psst"})
    assert (status, body["code"]) == (403, 50007)
