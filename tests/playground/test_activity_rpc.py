"""The messages between an Activity's page and a phone, without a browser."""

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from yarl import URL

from playground import Channel, Person, Playground
from tests.playground.test_page import PageClient

HANDSHAKE, FRAME, CLOSE = 0, 1, 2


class Embedded:
    """The page of an Activity on a person's phone."""

    def __init__(self, phone: PageClient, activity: dict[str, Any]) -> None:
        self.phone = phone
        self.id = activity["id"]
        self.query = URL(activity["url"]).query
        self.nonce = 0

    async def send(self, opcode: object, data: object) -> None:
        await self.phone.do("rpc", frame=self.id, message=[opcode, data])

    async def receive(self) -> tuple[int, dict[str, Any]]:
        opcode, data = (await self.phone.event("rpc"))["message"]
        return opcode, data

    async def shake_hands(self, **changes: object) -> tuple[int, dict[str, Any]]:
        hello = {"v": 1, "encoding": "json", "client_id": self.client_id, "frame_id": self.id} | changes
        await self.send(HANDSHAKE, hello)
        return await self.receive()

    async def ask(self, command: str, **args: object) -> dict[str, Any]:
        """Send a command and return the answer's data."""
        self.nonce += 1
        await self.send(FRAME, {"cmd": command, "args": args, "nonce": str(self.nonce)})
        opcode, answer = await self.receive()
        assert (opcode, answer["cmd"], answer["nonce"]) == (FRAME, command, str(self.nonce))
        return dict(answer["data"])

    client_id = ""


@pytest.fixture
async def page(world: Playground, channel: Channel, ana: Person) -> AsyncIterator[Embedded]:
    world.enable_activities("127.0.0.1:1")
    async with aiohttp.ClientSession() as session:
        url = f"{world.page_url}page/socket?person={ana.id}&channel={channel.id}"
        phone = PageClient(await session.ws_connect(url))
        assert (await phone.event("hello"))["activity"] is None
        await phone.do("launch")
        page = Embedded(phone, (await phone.event("activity"))["activity"])
        page.client_id = str(world.app.id)
        yield page


async def test_the_page_is_told_where_it_is(world: Playground, channel: Channel, ana: Person, page: Embedded) -> None:
    assert channel.guild is not None
    assert ana.activity is not None
    assert dict(page.query) == {
        "instance_id": ana.activity.id,
        "launch_id": str(ana.activity.launch_id),
        "location_id": f"gc-{channel.guild.id}-{channel.id}",
        "channel_id": str(channel.id),
        "guild_id": str(channel.guild.id),
        "frame_id": page.id,
        "platform": "mobile",
        "mobile_app_version": "300.0",
    }


async def test_a_handshake_makes_it_ready(world: Playground, page: Embedded) -> None:
    opcode, ready = await page.shake_hands(sdk_version="2.5.0")
    assert (opcode, ready["cmd"], ready["evt"], ready["nonce"]) == (FRAME, "DISPATCH", "READY", None)
    assert ready["data"]["v"] == 1
    assert world.violations == []


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"client_id": "1"}, 4000),
        ({"frame_id": "1"}, 4000),
        ({"v": 2}, 4004),
        ({"encoding": "etf"}, 4005),
    ],
)
async def test_a_wrong_handshake_is_refused(
    world: Playground, page: Embedded, wrong: dict[str, object], code: int
) -> None:
    opcode, closed = await page.shake_hands(**wrong)
    assert (opcode, closed["code"]) == (CLOSE, code)
    assert len(world.violations) == 1


async def test_commands_wait_for_the_handshake(world: Playground, page: Embedded) -> None:
    await page.send(FRAME, {"cmd": "SET_CONFIG", "args": {}, "nonce": "1"})
    for other in ([], [7, {}], ["x"], "x", {"opcode": 0}):
        await page.phone.do("rpc", frame=page.id, message=other)  # any frame can send a phone something
    await page.phone.do("rpc", frame="another", message=[HANDSHAKE, {}])
    assert (await page.shake_hands())[1]["evt"] == "READY"
    assert world.violations == ["an Activity sent a command before it was ready"]


async def test_unknown_commands_and_payloads_are_refused(world: Playground, page: Embedded) -> None:
    await page.shake_hands()
    assert (await page.ask("DANCE"))["code"] == 4002
    await page.send(FRAME, {"cmd": "SET_CONFIG", "args": "x", "nonce": "n"})
    assert (await page.receive())[1]["data"]["code"] == 4000
    await page.send(FRAME, {"cmd": "SET_CONFIG", "args": {}})
    assert (await page.receive())[1]["data"]["code"] == 4000
    assert len(world.violations) == 3


async def test_consent_is_asked_once_and_given_for_a_code(world: Playground, ana: Person, page: Embedded) -> None:
    world.app.redirect_uris.append("http://127.0.0.1/")
    await page.shake_hands()
    wish = {"client_id": page.client_id, "scope": ["identify", "rpc.activities.write"]}
    await page.send(FRAME, {"cmd": "AUTHORIZE", "args": wish, "nonce": "1"})
    question = await page.phone.event("question")
    assert question["allows"] == ["Access your username, avatar, and banner", "Update your Discord activity"]
    await page.phone.do("answer", number=question["number"], allowed=True)
    code = (await page.receive())[1]["data"]["code"]
    token = world.oauth2.exchange(code, None, None)
    assert (token.user, token.scopes) == (ana, ("identify", "rpc.activities.write"))
    assert (await page.ask("AUTHORIZE", **wish))["code"]
    assert (await page.ask("AUTHENTICATE", access_token=token.access))["user"]["id"] == str(ana.id)
    shown = await page.ask("SET_ACTIVITY", activity={"details": "Table 1"})
    assert (shown["name"], shown["details"]) == ("The App", "Table 1")
    assert (await page.ask("SET_ACTIVITY", activity={"details": "x" * 129}))["code"] == 4000
    assert len(world.violations) == 1


async def test_authorizing_needs_an_address_in_the_portal(world: Playground, page: Embedded) -> None:
    await page.shake_hands()
    refused = await page.ask("AUTHORIZE", client_id=page.client_id, scope=["identify"])
    assert (refused["code"], "redirect_uri" in refused["message"]) == (5000, True)


async def test_a_token_of_someone_else_does_not_authenticate(world: Playground, ben: Person, page: Embedded) -> None:
    await page.shake_hands()
    token = world.oauth2.exchange(world.oauth2.authorize(ben, ("identify",), None, None), None, None)
    assert (await page.ask("AUTHENTICATE", access_token=token.access))["code"] == 4009
    assert (await page.ask("USER_SETTINGS_GET_LOCALE"))["code"] == 4006


async def test_a_page_that_is_loaded_again_begins_anew(world: Playground, ana: Person, page: Embedded) -> None:
    await page.shake_hands()
    token = world.oauth2.exchange(world.oauth2.authorize(ana, ("identify",), None, None), None, None)
    await page.ask("AUTHENTICATE", access_token=token.access)
    assert (await page.ask("USER_SETTINGS_GET_LOCALE"))["locale"] == "en-US"
    assert (await page.shake_hands())[1]["evt"] == "READY"
    assert (await page.ask("USER_SETTINGS_GET_LOCALE"))["code"] == 4006


async def test_a_closed_activity_is_gone_from_the_phone(world: Playground, ana: Person, page: Embedded) -> None:
    await page.shake_hands()
    await page.send(CLOSE, {"code": 1000, "message": "done"})
    assert (await page.phone.event("activity"))["activity"] is None
    assert ana.activity is None
    await page.phone.do("launch")
    again = (await page.phone.event("activity"))["activity"]
    assert again["id"] != page.id
    await page.phone.do("close_activity")
    assert (await page.phone.event("activity"))["activity"] is None
