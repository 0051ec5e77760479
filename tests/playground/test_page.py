"""The WebSocket protocol of the page's phones."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import aiohttp
import discord
import pytest

from playground import Channel, Permission, Person, Playground
from tests.playground.conftest import Launch, TestApp


class PageClient:
    """The WebSocket of a phone."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket

    async def do(self, action: str, **frame: object) -> None:
        await self.socket.send_str(json.dumps({"action": action} | frame))

    async def event(self, kind: str) -> dict[str, Any]:
        """The next frame of this kind. Skips others."""
        while (frame := await self.next())["event"] != kind:
            pass
        return frame

    async def next(self) -> dict[str, Any]:
        frame: dict[str, Any] = json.loads((await self.socket.receive(timeout=60)).data)
        return frame


Open = Callable[[Person, Channel | str], Awaitable[PageClient]]


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


@pytest.fixture
def phone(world: Playground, session: aiohttp.ClientSession) -> Open:
    async def open_phone(person: Person, channel: Channel | str) -> PageClient:
        place = channel if isinstance(channel, str) else channel.id
        url = f"{world.page_url}page/socket?person={person.id}&channel={place}"
        return PageClient(await session.ws_connect(url))

    return open_phone


@pytest.fixture
async def app(world: Playground, launch: Launch) -> TestApp:
    app = TestApp()

    class Buttons(discord.ui.View):
        @discord.ui.button(label="Press", custom_id="press")
        async def press(self, interaction: discord.Interaction, _: discord.ui.Button[Any]) -> None:
            await interaction.response.edit_message(content="pressed")

        @discord.ui.button(label="Form", custom_id="form")
        async def form(self, interaction: discord.Interaction, _: discord.ui.Button[Any]) -> None:
            await interaction.response.send_modal(Form(title="A form"))

        @discord.ui.button(label="Dead", custom_id="dead")
        async def dead(self, interaction: discord.Interaction, _: discord.ui.Button[Any]) -> None:
            pass

        @discord.ui.select(
            custom_id="menu", options=[discord.SelectOption(label="One"), discord.SelectOption(label="Two")]
        )
        async def menu(self, interaction: discord.Interaction, select: discord.ui.Select[Any]) -> None:
            await interaction.response.send_message(f"{interaction.user.mention} chose {select.values[0]}")

    class Form(discord.ui.Modal):
        name = discord.ui.TextInput[Any](label="Name", custom_id="name")

        async def on_submit(self, interaction: discord.Interaction) -> None:
            await interaction.response.send_message(f"hello {self.name.value}", ephemeral=True)

    @app.tree.command(description="Shows buttons.")
    async def show(interaction: discord.Interaction, text: str, to: discord.Member | None = None) -> None:
        await interaction.response.send_message(
            f"{text} {to.display_name if to else ''}".strip(), view=Buttons(timeout=None)
        )

    @show.autocomplete("text")
    async def texts(_: discord.Interaction, typed: str) -> list[discord.app_commands.Choice[str]]:
        return [discord.app_commands.Choice(name=typed.upper(), value=typed)]

    @app.tree.context_menu(name="Greet")
    async def greet(interaction: discord.Interaction, user: discord.Member) -> None:
        await interaction.response.send_message(f"hello {user.display_name}")

    @app.tree.context_menu(name="Repeat")
    async def repeat(interaction: discord.Interaction, message: discord.Message) -> None:
        await interaction.response.send_message(f"again: {message.content}")

    return await launch(app)


async def test_the_page_lists_guilds_and_people(
    world: Playground, session: aiohttp.ClientSession, channel: Channel, ana: Person
) -> None:
    async with session.get(f"{world.page_url}page/world") as response:
        shown = await response.json()
    assert shown["guilds"][0]["name"] == "Tea House"
    assert shown["guilds"][0]["channels"] == [{"id": str(channel.id), "name": "games"}]
    assert [each["global_name"] for each in shown["people"]] == ["Ana"]
    async with session.post(f"{world.page_url}page/people", json={"name": "Zoe"}) as response:
        added = await response.json()
    assert world.users[int(added["id"])].name == "Zoe"
    async with session.post(f"{world.page_url}page/people", json={"name": " "}) as response:
        assert response.status == 400


async def test_the_page_is_served(world: Playground, session: aiohttp.ClientSession) -> None:
    async with session.get(world.page_url) as response:
        assert (response.status, response.content_type) == (200, "text/html")
    async with session.get(f"{world.page_url}page/../__init__.py") as response:
        assert response.status == 404


async def test_a_phone_starts_with_the_whole_state(
    world: Playground, app: TestApp, phone: Open, channel: Channel, ana: Person, ben: Person
) -> None:
    ben.say(channel, "hello")
    hello = await (await phone(ana, channel)).next()
    assert (hello["event"], hello["guild"]["name"]) == ("hello", "Tea House")
    assert (hello["me"]["global_name"], hello["me"]["locale"]) == ("Ana", "en-US")
    assert [(each["name"], each["type"]) for each in hello["commands"]] == [("show", 1), ("Greet", 2), ("Repeat", 3)]
    assert [each["content"] for each in hello["messages"]] == ["hello"]
    assert [each["global_name"] for each in hello["people"]] == ["Ana", "Ben"]
    assert hello["channel"] in hello["channels"]


async def test_commands_clicks_menus_and_modals(
    world: Playground, app: TestApp, phone: Open, channel: Channel, ana: Person, ben: Person
) -> None:
    ana_phone, ben_phone = await phone(ana, channel), await phone(ben, channel)
    await ana_phone.do("autocomplete", request=7, command="show", option="text", value="ta", options={})
    assert await ana_phone.event("choices") == {
        "event": "choices",
        "request": 7,
        "choices": [{"name": "TA", "value": "ta"}],
    }
    await ana_phone.do("slash", command="show", options={"text": "table", "to": str(ben.id)})
    message = (await ben_phone.event("message"))["message"]
    assert message["content"] == "table Ben"

    await ben_phone.do("click", message=message["id"], custom_id="press")
    assert (await ben_phone.event("thinking"))["on"] is True
    assert (await ben_phone.event("message"))["message"]["content"] == "pressed"
    assert (await ben_phone.event("thinking"))["on"] is False

    await ben_phone.do("select", message=message["id"], custom_id="menu", values=["Two"])
    assert (await ben_phone.event("message"))["message"]["content"].endswith("chose Two")
    assert (await ben_phone.event("notified"))["push"] == "@Ben chose Two"

    await ben_phone.do("click", message=message["id"], custom_id="form")
    modal = await ben_phone.event("modal")
    assert modal["modal"]["title"] == "A form"
    await ben_phone.do("submit", interaction_id=modal["interaction_id"], values={"name": "Ben"})
    private = (await ben_phone.event("message"))["message"]
    assert (private["content"], private["seen_by_me_only"]) == ("hello Ben", True)
    await ben_phone.do("dismiss", message=private["id"])
    assert (await ben_phone.event("gone"))["id"] == private["id"]

    await ben_phone.do("say", content="the end")
    while (seen := (await ana_phone.event("message"))["message"])["content"] != "the end":
        assert not seen.get("seen_by_me_only")  # no ephemeral messages of others
    assert world.violations == []


async def test_commands_of_the_apps_menu(
    world: Playground, app: TestApp, phone: Open, channel: Channel, ana: Person, ben: Person
) -> None:
    ana_phone = await phone(ana, channel)
    await ana_phone.do("use_on", command="Greet", user=str(ben.id))
    message = (await ana_phone.event("message"))["message"]
    assert message["content"] == "hello Ben"
    await ana_phone.do("use_on", command="Repeat", message=message["id"])
    assert (await ana_phone.event("message"))["message"]["content"] == "again: hello Ben"
    await ana_phone.do("use_on", command="Repeat", user=str(ben.id))
    assert "not offered Repeat" in (await ana_phone.event("failed"))["text"]
    assert world.violations == []


async def test_failures_are_shown_to_one_person_only(
    world: Playground, app: TestApp, phone: Open, channel: Channel, ana: Person, ben: Person
) -> None:
    ana_phone, ben_phone = await phone(ana, channel), await phone(ben, channel)
    await ana_phone.do("slash", command="show", options={"text": "x"})
    message = (await ana_phone.event("message"))["message"]
    await ana_phone.do("click", message=message["id"], custom_id="dead")
    await ana_phone.event("thinking")
    await ana.until(lambda: world.interactions.pending)
    world.clock.advance(world.interactions.answer_seconds)
    assert await ana_phone.event("failed") == {
        "event": "failed",
        "message": message["id"],
        "text": "This interaction failed",
    }
    ana.say(channel, "next")
    assert [(await ben_phone.next())["event"] for _ in range(3)] == ["hello", "message", "message"]


@pytest.mark.parametrize(
    "frame",
    [
        "no json",
        "[]",
        "{}",
        '{"action": "dance"}',
        '{"action": "slash"}',
        '{"action": "slash", "command": "nothing"}',
        '{"action": "slash", "command": "show", "options": []}',
        '{"action": "click", "message": "1", "custom_id": "x"}',
        '{"action": "click", "message": "x", "custom_id": "x"}',
        '{"action": "submit", "interaction_id": "1", "values": {}}',
        '{"action": "say", "content": ""}',
        '{"action": "use_on", "command": "Greet"}',
        '{"action": "use_on", "command": "Greet", "user": "1"}',
    ],
)
async def test_invalid_frames_report_a_failure(
    world: Playground, app: TestApp, phone: Open, channel: Channel, ana: Person, frame: str
) -> None:
    ana_phone = await phone(ana, channel)
    await ana_phone.event("hello")
    await ana_phone.socket.send_str(frame)
    failed = await ana_phone.next()
    assert (failed["event"], failed["message"]) == ("failed", None)
    assert failed["text"]
    await ana_phone.do("say", content="still here")
    assert (await ana_phone.event("message"))["message"]["content"] == "still here"


async def test_changes_of_channels_people_and_commands(
    world: Playground, app: TestApp, phone: Open, channel: Channel, ana: Person
) -> None:
    ana_phone = await phone(ana, channel)
    assert channel.guild is not None
    secret = channel.guild.channel("secret")
    direct = "Direct messages"
    assert [each["name"] for each in (await ana_phone.event("channels"))["channels"]] == ["games", "secret", direct]
    secret.deny(ana, Permission.VIEW_CHANNEL)
    assert [each["name"] for each in (await ana_phone.event("channels"))["channels"]] == ["games", direct]
    world.person("Zoe")
    assert "Zoe" in [each["global_name"] for each in (await ana_phone.event("hello"))["people"]]
    app.tree.clear_commands(guild=None)
    await app.tree.sync()
    assert (await ana_phone.event("commands"))["commands"] == []


async def test_a_phone_elsewhere_shows_what_arrives_there_and_every_notification(
    world: Playground, app: TestApp, phone: Open, channel: Channel, ana: Person, ben: Person
) -> None:
    direct = await phone(ben, "direct")
    hello = await direct.next()
    assert (hello["channel"], hello["guild"], hello["messages"]) == (
        {"id": "direct", "name": "Direct messages"},
        None,
        [],
    )
    assert [each["name"] for each in hello["channels"]] == ["games", "Direct messages"]
    ana.say(channel, f"over here, {ben.mention}")
    seen = await direct.next()
    assert (seen["event"], seen["push"]) == ("notified", "over here, @Ben")
    assert (seen["place"]["name"], seen["guild"], seen["author"]["global_name"]) == ("games", "Tea House", "Ana")
    user = await app.fetch_user(ben.id)
    await user.send("psst")
    assert (await direct.next())["message"]["content"] == "psst"
    seen = await direct.next()
    assert (seen["push"], seen["place"]["id"], seen["guild"]) == ("psst", "direct", None)


async def test_time_moves_for_people_and_for_an_app_that_follows(
    world: Playground, session: aiohttp.ClientSession, phone: Open, channel: Channel, ana: Person
) -> None:
    async def offered() -> bool:
        async with session.get(f"{world.page_url}page/world") as response:
            return bool((await response.json())["moves_time"])

    moved = list[float]()
    assert not await offered()
    world.advance_app = moved.append
    assert await offered()
    ana_phone = await phone(ana, channel)
    assert (await ana_phone.event("hello"))["ahead"] == 0
    before = world.clock.time()
    async with session.post(f"{world.page_url}page/time", json={"seconds": 3600}) as response:
        assert response.status == 200
    assert (await ana_phone.event("hello"))["ahead"] == 3600
    assert moved == [3600]
    assert world.clock.time() >= before + 3600
    for seconds in (-3600, 5, "3600", None):
        async with session.post(f"{world.page_url}page/time", json={"seconds": seconds}) as response:
            assert response.status == 400
    headers = {"Origin": "https://elsewhere.example"}
    async with session.post(f"{world.page_url}page/time", json={"seconds": 3600}, headers=headers) as response:
        assert response.status == 403
    assert moved == [3600]


async def test_invalid_phones_are_refused(
    world: Playground, session: aiohttp.ClientSession, channel: Channel, ana: Person
) -> None:
    socket = f"{world.page_url}page/socket"
    for query in (
        "",
        f"?person={ana.id}&channel=1",
        f"?person={world.bot.id}&channel={channel.id}",
        "?person=x&channel=y",
    ):
        async with session.get(socket + query) as response:
            assert response.status == 404
    headers = {"Origin": "https://elsewhere.example"}
    async with session.get(f"{socket}?person={ana.id}&channel={channel.id}", headers=headers) as response:
        assert response.status == 403
    async with session.post(f"{world.page_url}page/people", json={"name": "Eve"}, headers=headers) as response:
        assert response.status == 403
