"""The login: in a browser with Discord's consent page, and in an Activity with the code of its SDK."""

import json
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import parse_qs, urlsplit

import aiohttp
import pytest
from yarl import URL

from bot.table.limits import RATES, Action
from playground.client.person import Person
from tests.end_to_end.page_client import SECRET, Site, app_with_page, with_sdk
from tests.end_to_end.raw_http import exchange, request

LOGINS_A_MINUTE = next(rate.number for rate in RATES if rate.action is Action.LOGIN)


class Browser:
    """A browser that follows no redirects by itself."""

    def __init__(self, site: Site, origin: str = "") -> None:
        self.site = site
        self.origin = origin or site.url
        self.http = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))

    async def get(self, path: str) -> str:
        """Where a path leads."""
        async with self.http.get(URL(f"{self.site.url}{path}", encoded=True), allow_redirects=False) as response:
            assert response.status == 302
            return response.headers["Location"]

    async def agree(self, authorize: str, person: Person, answer: str = "authorize") -> str:
        """Press a button of Discord's page. Returns the path at the app to which that leads."""
        form = {"answer": answer, "person": str(person.id)}
        async with self.http.post(URL(authorize, encoded=True), data=form, allow_redirects=False) as response:
            assert response.status == 302
            return response.headers["Location"].removeprefix(self.origin)

    async def log_in(self, person: Person, wanted: str = "/") -> str:
        """Log in. Returns where that leads."""
        return await self.get(await self.agree(await self.get(f"/login?next={wanted}"), person))

    def cookie(self, name: str = "session") -> str:
        """The value of a cookie; empty if it's not there."""
        return next((each.value for each in self.http.cookie_jar if each.key == name), "")


async def test_a_login_leads_back_to_the_table(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        await harness.begin_match(1, ai_players=2)
        ana, browser = harness.people[0], Browser(site)
        authorize = await browser.get("/login?next=/%3Ftable=1")
        query = {name: value for name, (value,) in parse_qs(urlsplit(authorize).query).items()}
        assert query.keys() >= {"state", "code_challenge"}
        assert (query["scope"], query["code_challenge_method"]) == ("identify", "S256")
        back = await browser.agree(authorize, ana)
        assert await browser.get(back) == "/?table=1"
        token = browser.cookie()
        async with site.connected(None, headers={"Cookie": f"session={token}"}) as page:
            assert len((await page.watch(1))["hand"]) == 16
        assert browser.cookie("login") == ""
        assert "login=failed" in await browser.get(back)  # the code works once
        await browser.http.close()
    assert harness.world.violations == []
    log = harness.log.read_text()
    assert SECRET not in log
    assert token not in log


@pytest.mark.parametrize(
    "wanted",
    [
        "//evil.example",
        "https://evil.example",
        "/\\evil.example",
        "/%5Cevil.example",
        "evil",
        "",
        "/%09/evil",
        "/%0d%0aX:%20y",
    ],
)
async def test_a_login_leads_to_our_own_page_only(tmp_path: Path, wanted: str) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        browser = Browser(site)
        assert await browser.log_in(harness.people[0], wanted) == "/"
        await browser.http.close()


async def test_a_login_that_someone_else_has_begun_fails(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        ana, ben = harness.people[:2]
        one, other = Browser(site), Browser(site)
        of_ben = await other.agree(await other.get("/login"), ben)
        assert await one.get(of_ben) == "/?login=failed"  # without a cookie
        await one.get("/login")
        assert await one.get(of_ben) == "/?login=failed"  # with that of another login
        assert one.cookie() == ""
        refused = await one.agree(await one.get("/login"), ana, answer="cancel")
        assert await one.get(refused) == "/?login=failed"
        for path in ("/login/callback", "/login/callback?code=1&state=2", "/login/callback?state=%00&code=%ff"):
            assert await one.get(path) == "/?login=failed"
        harness.world.app.client_secret = "another"
        assert await one.get(await one.agree(await one.get("/login?next=/?table=5"), ana)) == "/?table=5&login=failed"
        harness.ignored_violations = ("invalid_client",)
        await one.http.close()
        await other.http.close()


@pytest.mark.parametrize("web_url", [None, "https://cards.example"], ids=["http", "https"])
async def test_the_cookie_of_a_session_is_for_the_page_alone(tmp_path: Path, web_url: str | None) -> None:
    settings = {} if web_url is None else {"WEB_URL": web_url}
    async with app_with_page(tmp_path, None, **settings) as (harness, site):
        origin = web_url or site.url
        harness.world.app.redirect_uris.append(f"{origin}/login/callback")
        browser = Browser(site, origin)
        names, secure, transport = ["session", "__Host-session"], set[str](), None
        if web_url is not None:
            names, secure, transport = names[::-1], {"Secure"}, "max-age=31536000"
        locked = {"HttpOnly", "SameSite=Lax", *secure}

        async def load(method: str, path: str, cookie: str = "") -> tuple[str, Cookies]:
            """The target of a redirect, and the cookies that it sets."""
            address, headers = URL(f"{site.url}{path}", encoded=True), {"Cookie": cookie, "Origin": origin}
            async with browser.http.request(method, address, headers=headers, allow_redirects=False) as response:
                assert response.headers.get("Strict-Transport-Security") == transport
                return response.headers.get("Location", ""), dict(
                    map(parsed, response.headers.getall("Set-Cookie", []))
                )

        authorize, begun = await load("GET", "/login")
        login = names[0].replace("session", "login")
        (note, facts) = begun.pop(login)
        assert (facts, begun) == (locked | {"Path=/", "Max-Age=600"}, {})
        _, finished = await load("GET", await browser.agree(authorize, harness.people[0]), f"{login}={note}")
        assert finished.pop(login)[1] >= {"Path=/", "Max-Age=0"}
        token, facts = finished.pop(names[0])
        assert (facts, finished) == (locked | {"Path=/", "Max-Age=43200"}, {})
        for name, is_known in zip(names, (True, False), strict=True):
            async with site.connected(None, origin, {"Cookie": f"{name}={token}"}) as page:
                await page.until(lambda: page.frames)
                assert ("welcome" in page.frames[0]) is is_known
        _, over = await load("POST", "/api/logout", f"{names[0]}={token}")
        assert over == {names[0]: ("", locked | {"Path=/", "Max-Age=0"})}
        await browser.http.close()


async def test_requests_that_belong_to_no_login_keep_nobody_away(tmp_path: Path) -> None:
    async with app_with_page(tmp_path, limits_scale="1") as (harness, site):
        browser = Browser(site)
        for _ in range(LOGINS_A_MINUTE + 1):
            assert "login=failed" in await browser.get("/login/callback?state=x&code=x")
        assert await browser.log_in(harness.people[0]) == "/"
        await browser.http.close()


@pytest.mark.parametrize(("path", "status"), [("/api/activity", 403), ("/api/logout", 200)])
async def test_a_body_that_never_comes_is_not_waited_for(tmp_path: Path, path: str, status: int) -> None:
    async with app_with_page(tmp_path, {"bot.web.server.HELLO_SECONDS": 0.1}) as (_, site):
        headers = {"Content-Length": "100", "Origin": site.url}
        answer = await exchange(site, request("POST", path, headers) + b"{")
        assert answer.startswith(f"HTTP/1.1 {status} ".encode())


Cookies: TypeAlias = dict[str, tuple[str, set[str]]]
"""Values and attributes."""


def parsed(header: str) -> tuple[str, tuple[str, set[str]]]:
    """The name, the value and the attributes of a cookie that is set."""
    cookie, *facts = header.split("; ")
    name, _, value = cookie.partition("=")
    return name, (value.strip('"'), set(facts))


async def test_an_activity_opens_the_table_whose_button_was_pressed(tmp_path: Path) -> None:
    async with app_with_page(tmp_path, with_sdk(tmp_path)) as (harness, site):
        (player,) = await harness.begin_match(1, ai_players=2)
        ana, ben = player.person, harness.people[1]
        await ana.click(harness.table(), "Open the table")
        await harness.open_table(ben)
        assert ana.activity is not None
        answer = await activity(site, ana)
        assert answer["table"] == 1
        async with site.connected(answer["session"], origin=f"https://{harness.world.app.id}.discordsays.com") as page:
            assert len((await page.watch(1))["hand"]) == 16
            assert [each["number"] for each in (await page.do("home"))["tables"]] == [2, 1]
        harness.advance_clock_to(harness.now() + 1_800_000)
        assert (await activity(site, ana))["table"] == 1  # the phone has loaded the page again
        ana.close_activity()
        for person in (ana, ben):
            await person.launch(harness.channel)
            assert (await activity(site, person))["table"] is None  # the App Launcher leads to the list


async def test_an_activity_is_only_for_those_who_are_in_it(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        ana, ben = harness.people[:2]
        await ana.launch(harness.channel)
        instance = ana.activity
        assert instance is not None
        bodies: list[Any] = [
            {"code": code_of(ben), "instance_id": instance.id},
            {"code": code_of(ana), "instance_id": "i-1-gc-1-1"},
            {"code": code_of(ana), "instance_id": "../../users/@me"},
            {"code": code_of(ana)},
            {"code": "x", "instance_id": instance.id},
            {"code": None, "instance_id": None},
            [],
            "x",
            None,
        ]
        for body in bodies:
            async with site.http.post(f"{site.url}/api/activity", json=body) as response:
                assert (response.status, await response.text()) == (403, "{}")
        assert (await activity(site, ana))["table"] is None


def code_of(person: Person) -> str:
    """The code that the SDK gives to the page."""
    return str(person.world.oauth2.authorize(person, ("identify",), None, None))


async def activity(site: Site, person: Person) -> dict[str, Any]:
    """The answer to the code of a page."""
    assert person.activity is not None
    body = {"code": code_of(person), "instance_id": person.activity.id}
    async with site.http.post(f"{site.url}/api/activity", json=body) as response:
        assert response.status == 200
        found: dict[str, Any] = json.loads(await response.text())
        return found


async def test_an_activity_in_a_server_without_the_app_has_matches_of_ones_own(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        ana = harness.people[0]
        ana.has_installed = True
        guild = harness.world.guild("Library")
        guild.remove(harness.world.app.bot)
        for place in (guild.channel("reading"), ana.direct_channel):
            await ana.launch(place)
            answer = await activity(site, ana)
            async with site.connected(answer["session"]) as page:
                number = (await page.do("create"))["table"]
                assert (await page.do("home"))["solo"] == number
                assert len((await page.watch(number))["hand"]) == 16
            ana.close_activity()
