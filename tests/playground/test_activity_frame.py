"""An Activity on a phone of the playground's page, with Discord's own Embedded App SDK in a real browser."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import ClientSession, web
from playwright.async_api import Browser, Frame, Locator, Page, expect
from playwright.async_api import Error as PlaywrightError

from playground import Channel, Person, Playground
from tests.browser import PATIENCE, PICTURES, open_phone

ROOT = Path(__file__).parents[2]
SDK = ROOT / "web" / "node_modules" / "@discord" / "embedded-app-sdk" / "output"
PAGE = Path(__file__).parent / "activity_page"

pytestmark = [
    pytest.mark.skipif(not SDK.is_dir(), reason="no Embedded App SDK here (make web)"),
]

AUTHORIZE = """async () => {
  const scope = ["identify", "guilds"];
  return sdk.commands.authorize({ client_id: sdk.clientId, response_type: "code", scope, prompt: "none", state: "" });
}"""
EXCHANGE = "async (code) => (await fetch('/.proxy/token', { method: 'POST', body: code })).json()"
AUTHENTICATE = "(access_token) => sdk.commands.authenticate({ access_token })"
REFUSED = """async () => {
  try { return await (%s)(); } catch (error) { return { code: error.code, message: error.message }; }
}"""
"""Does something that fails. Returns the error."""
MODES = """async () => {
  window.modes = [];
  await sdk.subscribe("ACTIVITY_LAYOUT_MODE_UPDATE", ({ layout_mode }) => modes.push(layout_mode));
}"""
PARTICIPANTS = """async () => {
  window.present = [];
  const listen = ({ participants }) => { window.present = participants.map((user) => user.global_name); };
  await sdk.subscribe("ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE", listen);
  listen(await sdk.commands.getInstanceConnectedParticipants());
}"""
ECHO = """(path) => new Promise((resolve, reject) => {
  const address = new URL(path, location.href);
  address.protocol = "ws:";
  const socket = new WebSocket(address);
  socket.onopen = () => socket.send("hello");
  socket.onmessage = ({ data }) => resolve(data);
  socket.onerror = () => reject(new Error("closed"));
})"""
STATUS = "async (url) => { try { return (await fetch(url)).status; } catch { return 'blocked'; } }"


class AppPage:
    """The web server of an app: a page with the SDK, and the part that needs the app's secret."""

    def __init__(self, world: Playground) -> None:
        self.world = world
        self.address = ""
        self.origins: list[str | None] = []
        """The origins that WebSockets named."""
        self.cookies: list[dict[str, str]] = []
        """The cookies of requests to /cookies."""
        self.policy = "default-src 'self'; frame-ancestors https://discord.com https://*.discordsays.com"

    async def start(self) -> web.AppRunner:
        app = web.Application()
        app.router.add_get("/", self.index)
        app.router.add_get("/setup", self.setup)
        app.router.add_post("/token", self.token)
        app.router.add_get("/echo", self.echo)
        app.router.add_get("/cookies", self.set_cookies)
        app.router.add_static("/sdk", SDK)
        app.router.add_static("/page", PAGE)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0][:2]
        self.address = f"{host}:{port}"
        return runner

    async def index(self, request: web.Request) -> web.FileResponse:
        return web.FileResponse(PAGE / "index.html", headers={"Content-Security-Policy": self.policy})

    async def setup(self, request: web.Request) -> web.Response:
        return web.json_response({"application_id": str(self.world.app.id)})

    async def token(self, request: web.Request) -> web.Response:
        form = {
            "grant_type": "authorization_code",
            "code": await request.text(),
            "client_id": str(self.world.app.id),
            "client_secret": self.world.app.client_secret,
        }
        async with (
            ClientSession() as session,
            session.post(f"{self.world.api_url}/oauth2/token", data=form) as response,
        ):
            return web.json_response(await response.json())

    async def echo(self, request: web.Request) -> web.WebSocketResponse:
        self.origins.append(request.headers.get("Origin"))
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        async for message in socket:
            await socket.send_str(message.data)
        return socket

    async def set_cookies(self, request: web.Request) -> web.Response:
        self.cookies.append(dict(request.cookies))
        response = web.Response()
        for cookie in ("kept=1; SameSite=None; Secure; Partitioned", "lost=1; SameSite=Lax; Secure"):
            response.headers.add("Set-Cookie", cookie)
        return response


@pytest.fixture
async def app(world: Playground) -> AsyncIterator[AppPage]:
    app = AppPage(world)
    runner = await app.start()
    world.enable_activities(app.address)
    world.app.redirect_uris.append("http://127.0.0.1/")
    yield app
    await runner.cleanup()


async def activity_frame(page: Page) -> Frame:
    """The frame with the app's page, as soon as the SDK has begun there."""
    async with asyncio.timeout(PATIENCE / 1000):
        while (frame := next((each for each in page.frames if each.name.startswith("activity-")), None)) is None:
            await page.wait_for_timeout(10)
    await expect(frame.locator("body[data-started]")).to_be_visible()
    return frame


async def launched(browser: Browser, person: Person) -> tuple[Page, Locator, Frame]:
    page, phone = await open_phone(browser, person)
    await phone.get_by_role("button", name="Launch the Activity").click()
    return page, phone, await activity_frame(page)


async def test_the_sdk_gets_ready_authorizes_and_authenticates(
    browser: Browser, world: Playground, app: AppPage, channel: Channel, ana: Person
) -> None:
    page, phone, frame = await launched(browser, ana)
    await frame.evaluate("sdk.ready()")
    told = await frame.evaluate("({ channel: sdk.channelId, guild: sdk.guildId, instance: sdk.instanceId })")
    assert channel.guild is not None
    assert ana.activity is not None
    assert told == {"channel": str(channel.id), "guild": str(channel.guild.id), "instance": ana.activity.id}

    asked = asyncio.create_task(frame.evaluate(AUTHORIZE))
    question = phone.get_by_role("dialog", name="The App wants to access your account")
    await expect(question).to_contain_text("Know what servers you're in")
    PICTURES.mkdir(parents=True, exist_ok=True)
    await page.screenshot(path=PICTURES / "activity-consent.png")
    await question.get_by_role("button", name="Authorize").click()
    token = await frame.evaluate(EXCHANGE, (await asked)["code"])
    me = await frame.evaluate(AUTHENTICATE, token["access_token"])
    assert (me["user"]["id"], me["user"]["global_name"], me["scopes"]) == (str(ana.id), "Ana", ["identify", "guilds"])
    assert await frame.evaluate("sdk.commands.userSettingsGetLocale()") == {"locale": "en-US"}
    here = await frame.evaluate("sdk.commands.getChannel({ channel_id: sdk.channelId })")
    assert here["name"] == "games"

    await frame.evaluate(AUTHORIZE)  # the person isn't asked twice
    assert world.violations == []


async def test_the_page_runs_in_a_frame_of_another_site(
    browser: Browser, world: Playground, app: AppPage, ana: Person
) -> None:
    page, _, frame = await launched(browser, ana)
    assert frame.url.startswith(world.activities_url)
    assert "localhost" in world.activities_url
    assert "localhost" not in page.url
    assert await frame.evaluate("document.referrer") == f"{world.assets.origin}/"
    with pytest.raises(PlaywrightError, match="Blocked a frame"):
        await frame.evaluate("parent.document")
    assert await frame.evaluate("window.open('about:blank')") is None


async def test_sockets_and_requests_reach_the_app_as_from_discord(
    browser: Browser, world: Playground, app: AppPage, ana: Person
) -> None:
    _, _, frame = await launched(browser, ana)
    for path in ("/.proxy/echo", "/echo"):
        assert await frame.evaluate(ECHO, path) == "hello"
    assert app.origins == [f"https://{world.app.id}.discordsays.com"] * 2
    assert await frame.evaluate(STATUS, "/.proxy/setup") == 200
    assert await frame.evaluate(STATUS, "/.proxy/nothing") == 404


async def test_the_policy_blocks_what_is_outside(
    browser: Browser, world: Playground, app: AppPage, ana: Person
) -> None:
    app.policy = "frame-ancestors https://discord.com"  # only Discord's own policy is left
    _, _, frame = await launched(browser, ana)
    assert await frame.evaluate(STATUS, f"http://{app.address}/setup") == "blocked"
    assert await frame.evaluate(STATUS, f"{world.page_url}page/world") == "blocked"
    with pytest.raises(PlaywrightError, match="closed"):
        await frame.evaluate(ECHO, f"http://{app.address}/echo")


async def test_a_page_that_forbids_discord_to_show_it_stays_empty(
    browser: Browser, world: Playground, app: AppPage, ana: Person
) -> None:
    app.policy = "frame-ancestors 'none'"
    page, phone = await open_phone(browser, ana)
    refused = asyncio.Event()
    page.on("console", lambda message: refused.set() if "frame-ancestors" in message.text else None)
    await phone.get_by_role("button", name="Launch the Activity").click()
    await asyncio.wait_for(refused.wait(), PATIENCE / 1000)


async def test_only_cookies_for_frames_are_kept(browser: Browser, world: Playground, app: AppPage, ana: Person) -> None:
    _, _, frame = await launched(browser, ana)
    for _ in range(2):
        assert await frame.evaluate(STATUS, "/.proxy/cookies") == 200
    assert app.cookies == [{}, {"kept": "1"}]
    assert ["'lost'" in violation for violation in world.violations] == [True]


async def test_a_person_can_refuse(browser: Browser, world: Playground, app: AppPage, ana: Person) -> None:
    _, phone, frame = await launched(browser, ana)
    await frame.evaluate("sdk.ready()")
    for close in ("Cancel", None):
        asked = asyncio.create_task(frame.evaluate(REFUSED % AUTHORIZE))
        question = phone.get_by_role("dialog", name="The App wants to access your account")
        if close is None:
            await question.press("Escape")
        else:
            await question.get_by_role("button", name=close).click()
        refused = await asked
        assert refused["code"] == 5000
        assert "access_denied" in refused["message"]
    assert world.violations == []


async def test_commands_are_refused_with_their_code(
    browser: Browser, world: Playground, app: AppPage, ana: Person
) -> None:
    _, _, frame = await launched(browser, ana)
    await frame.evaluate("sdk.ready()")
    for command, code in (
        ("commands.setActivity({ activity: { details: 'x' } })", 4006),
        ("commands.userSettingsGetLocale()", 4006),
        ("commands.getChannel({ channel_id: sdk.channelId })", 4006),
        ("commands.getChannelPermissions()", 4006),
        ("subscribe('CURRENT_USER_UPDATE', () => {})", 4006),
        ("commands.authenticate({ access_token: 'guessed' })", 4009),
        ("commands.authorize({ client_id: '1', scope: ['identify'] })", 4007),
        ("commands.authorize({ client_id: sdk.clientId, scope: ['relationships.read'] })", 5000),
        ("commands.openExternalLink({ url: 'javascript:1' })", 4000),
        ("commands.shareLink({ message: 'x' })", 1000),
        ("sendCommand({ cmd: 'SUBSCRIBE', evt: 'DANCE' })", 4004),
    ):
        assert (await frame.evaluate(REFUSED % f"() => sdk.{command}"))["code"] == code, command
    assert len(world.violations) == 10  # anyone can guess a token


async def test_commands_that_need_no_consent_are_answered(
    browser: Browser, world: Playground, app: AppPage, ana: Person
) -> None:
    page, phone, frame = await launched(browser, ana)
    await frame.evaluate("sdk.ready()")
    for command, answer in (
        ("captureLog({ level: 'log', message: 'hello' })", None),
        ("encourageHardwareAcceleration()", {"enabled": True}),
        ("getPlatformBehaviors()", {"iosKeyboardResizesView": False}),
        ("setConfig({ use_interactive_pip: true })", {"use_interactive_pip": True}),
        ("setOrientationLockState({ lock_state: 1 })", None),
        ("openInviteDialog()", None),
    ):
        assert await frame.evaluate(f"sdk.commands.{command}") == answer, command
    opened = asyncio.create_task(frame.evaluate(f"sdk.commands.openExternalLink({{ url: '{world.page_url}' }})"))
    async with page.expect_popup() as popup:
        await phone.get_by_role("button", name="Visit Site").click()
    assert (await popup.value).url.startswith(world.page_url)
    assert await opened == {"opened": True}
    assert world.violations == []


async def test_a_phone_shows_it_in_a_corner_and_closes_it(
    browser: Browser, world: Playground, app: AppPage, ana: Person, ben: Person
) -> None:
    page, phone, frame = await launched(browser, ana)
    await frame.evaluate("sdk.ready()")
    await frame.evaluate(MODES)
    await frame.evaluate(PARTICIPANTS)
    await phone.get_by_role("button", name="Show the Activity in a corner").click()
    await page.screenshot(path=PICTURES / "activity-corner.png")
    await phone.get_by_role("button", name="Enlarge the Activity").click()
    await until(frame, "modes", [1, 0])
    assert ana.activity is not None
    await ben.launch(ana.activity.channel)
    await until(frame, "present", ["Ana", "Ben"])
    ben.close_activity()
    await until(frame, "present", ["Ana"])
    await phone.get_by_role("button", name="Close the Activity").click()
    await expect(page.locator("iframe")).to_have_count(0)
    assert ana.activity is None


async def test_the_page_can_close_itself(browser: Browser, world: Playground, app: AppPage, ana: Person) -> None:
    page, _, frame = await launched(browser, ana)
    await frame.evaluate("sdk.ready()")
    await frame.evaluate("sdk.close(1000, 'done')")
    await expect(page.locator("iframe")).to_have_count(0)
    assert ana.activity is None


async def until(frame: Frame, expression: str, expected: object) -> None:
    """Wait until an expression has a value in a frame, whose policy forbids Playwright's own way."""
    async with asyncio.timeout(PATIENCE / 1000):
        while await frame.evaluate(expression) != expected:
            await frame.page.wait_for_timeout(10)
