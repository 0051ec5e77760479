"""OAuth2: the consent page, codes that work once, tokens and what they may do."""

import base64
from collections.abc import AsyncIterator, Mapping
from typing import Any

import aiohttp
import pytest
from yarl import URL

from playground import Person, Playground
from playground.world.oauth2 import challenge_of
from tests.playground.conftest import Api

BACK = "http://127.0.0.1:1/login/callback"
VERIFIER = "a-verifier-of-at-least-43-characters-0123456789"


class Browser:
    """A browser without JavaScript that follows no redirects, and the server of an app."""

    def __init__(self, world: Playground, session: aiohttp.ClientSession) -> None:
        world.app.redirect_uris.append(BACK)
        self.world = world
        self.session = session
        self.request: dict[str, str] = {
            "client_id": str(world.app.id),
            "redirect_uri": BACK,
            "response_type": "code",
            "scope": "identify",
            "state": "s",
        }

    @property
    def page(self) -> URL:
        return URL(self.world.page_url) / "oauth2/authorize"

    async def get(self, **changes: str) -> tuple[int, str]:
        """Open the page. Returns the status, and its text or where it leads."""
        query = {name: value for name, value in (self.request | changes).items() if value}
        async with self.session.get(self.page.with_query(query), allow_redirects=False) as response:
            return response.status, response.headers.get("Location") or await response.text()

    async def answer(self, person: Person | None, answer: str = "authorize", **changes: str) -> Mapping[str, str]:
        """Press a button of the page. Returns the query of the address that the app gets."""
        form = {"answer": answer} | ({"person": str(person.id)} if person else {})
        url = self.page.with_query(self.request | changes)
        async with self.session.post(url, data=form, allow_redirects=False) as response:
            assert response.status == 302
            return URL(response.headers["Location"]).query

    async def code(self, person: Person, **changes: str) -> str:
        return (await self.answer(person, **changes))["code"]

    async def token(self, code: str, root: str = "", **changes: str | None) -> tuple[int, dict[str, Any]]:
        app = self.world.app
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": BACK,
            "client_id": str(app.id),
            "client_secret": app.client_secret,
        } | changes
        sent = {name: value for name, value in form.items() if value is not None}
        return await self.post("/oauth2/token", sent, root)

    async def post(self, path: str, form: Mapping[str, str], root: str = "") -> tuple[int, dict[str, Any]]:
        async with self.session.post((root or self.world.api_url) + path, data=form) as response:
            return response.status, await response.json()

    async def me(self, token: str, path: str = "/users/@me") -> tuple[int, dict[str, Any]]:
        headers = {"Authorization": f"Bearer {token}"}
        async with self.session.get(self.world.api_url + path, headers=headers) as response:
            return response.status, await response.json()


@pytest.fixture
async def browser(world: Playground) -> AsyncIterator[Browser]:
    async with aiohttp.ClientSession() as session:
        yield Browser(world, session)


async def test_the_page_says_what_it_allows_and_asks_who_is_there(browser: Browser, ana: Person, ben: Person) -> None:
    status, text = await browser.get(scope="identify guilds")
    assert status == 200
    for shown in ("The App", "Access your username", "Know what servers", ">Ana<", ">Ben<", "127.0.0.1"):
        assert shown in text
    async with browser.session.get(browser.page.with_query(browser.request)) as response:
        assert response.headers["Content-Security-Policy"] == "frame-ancestors 'none'"


async def test_a_code_becomes_a_token_that_knows_its_person(browser: Browser, ana: Person, ben: Person) -> None:
    back = await browser.answer(ben)
    assert back["state"] == "s"
    status, token = await browser.token(back["code"])
    assert (status, token["token_type"], token["scope"]) == (200, "Bearer", "identify")
    assert token["expires_in"] == 604800
    status, me = await browser.me(token["access_token"])
    assert (status, me["id"], me["global_name"], me["locale"]) == (200, str(ben.id), "Ben", "en-US")
    status, current = await browser.me(token["access_token"], "/oauth2/@me")
    assert (current["scopes"], current["user"]["id"]) == (["identify"], str(ben.id))
    assert current["application"]["id"] == str(browser.world.app.id)
    assert browser.world.violations == []


async def test_the_addresses_without_a_version_work_too(browser: Browser, ana: Person) -> None:
    async with browser.session.get(f"{browser.world.page_url}api/oauth2/authorize?client_id=1") as one:
        assert (one.url.path, one.status) == ("/oauth2/authorize", 400)
    assert (await browser.token(await browser.code(ana), f"{browser.world.page_url}api"))[0] == 200


async def test_a_code_works_once_and_expires(browser: Browser, ana: Person) -> None:
    code = await browser.code(ana)
    assert (await browser.token(code))[0] == 200
    refused = (400, {"error": "invalid_grant", "error_description": 'Invalid "code" in request.'})
    assert await browser.token(code) == refused
    assert await browser.token("guessed") == refused
    code = await browser.code(ana)
    browser.world.clock.advance(601)
    assert await browser.token(code) == refused
    assert browser.world.violations == []  # people can send any code
    assert len(browser.world.refusals) == 3


@pytest.mark.parametrize("changes", [{"client_secret": "wrong"}, {"client_secret": None}, {"client_id": "1"}])
async def test_a_wrong_secret_is_refused(browser: Browser, ana: Person, changes: dict[str, str | None]) -> None:
    code = await browser.code(ana)
    assert await browser.token(code, "", **changes) == (401, {"error": "invalid_client"})
    assert len(browser.world.violations) == 1
    assert browser.world.app.client_secret not in str(browser.world.violations)
    assert (await browser.token(code))[0] == 200


async def test_the_secret_can_come_in_the_header(browser: Browser, ana: Person) -> None:
    app = browser.world.app
    form = {"grant_type": "authorization_code", "code": await browser.code(ana), "redirect_uri": BACK}
    for secret, status in (("wrong", 401), (app.client_secret, 200)):
        header = base64.b64encode(f"{app.id}:{secret}".encode()).decode()
        url = f"{browser.world.api_url}/oauth2/token"
        async with browser.session.post(url, data=form, headers={"Authorization": f"Basic {header}"}) as response:
            assert response.status == status


async def test_a_token_needs_the_redirect_uri_of_its_code(browser: Browser, ana: Person) -> None:
    for wrong in ("http://127.0.0.1:1/elsewhere", None):
        status, body = await browser.token(await browser.code(ana), redirect_uri=wrong)
        assert (status, body["error_description"]) == (400, 'Invalid "redirect_uri" in request.')
    assert len(browser.world.violations) == 2


async def test_a_code_with_a_challenge_needs_its_verifier(browser: Browser, ana: Person) -> None:
    challenged = {"code_challenge": challenge_of(VERIFIER), "code_challenge_method": "S256"}
    for wrong in ("another", None):
        status, body = await browser.token(await browser.code(ana, **challenged), code_verifier=wrong)
        assert (status, body["error"]) == (400, "invalid_grant")
    assert (await browser.token(await browser.code(ana), code_verifier=VERIFIER))[0] == 400
    assert (await browser.token(await browser.code(ana, **challenged), code_verifier=VERIFIER))[0] == 200


async def test_only_forms_with_a_known_grant_are_accepted(browser: Browser, ana: Person) -> None:
    url = f"{browser.world.api_url}/oauth2/token"
    async with browser.session.post(url, json={"grant_type": "authorization_code"}) as response:
        assert (response.status, (await response.json())["error"]) == (400, "unsupported_grant_type")
    status, body = await browser.token(await browser.code(ana), grant_type="password")
    assert (status, body["error"]) == (400, "unsupported_grant_type")


async def test_tokens_expire_are_refreshed_and_revoked(browser: Browser, ana: Person) -> None:
    world = browser.world
    client = {"client_id": str(world.app.id), "client_secret": world.app.client_secret}
    _, token = await browser.token(await browser.code(ana))
    world.clock.advance(604801)
    assert await browser.me(token["access_token"]) == (401, {"message": "401: Unauthorized", "code": 0})
    again = {"grant_type": "refresh_token", "refresh_token": token["refresh_token"], **client}
    status, newer = await browser.post("/oauth2/token", again)
    assert (status, (await browser.me(newer["access_token"]))[0]) == (200, 200)
    assert (await browser.post("/oauth2/token", again))[0] == 400
    assert await browser.post("/oauth2/token/revoke", {"token": newer["access_token"], **client}) == (200, {})
    assert (await browser.me(newer["access_token"]))[0] == 401
    assert (await browser.post("/oauth2/token/revoke", {"token": "x"}))[0] == 401
    assert len(world.violations) == 1


async def test_a_token_may_do_only_what_its_scopes_allow(browser: Browser, api: Api, ana: Person) -> None:
    _, token = await browser.token(await browser.code(ana, scope="guilds"))
    assert (await browser.me(token["access_token"]))[0] == 401
    assert "user" not in (await browser.me(token["access_token"], "/oauth2/@me"))[1]
    assert (await browser.me("guessed"))[0] == 401
    assert (await browser.me(token["access_token"], f"/users/{ana.id}"))[0] == 401  # only the app sees others
    assert (await api("GET", "/oauth2/@me"))[0] == 401  # the app has no authorization of its own


async def test_an_invalid_request_never_leaves_discord(browser: Browser) -> None:
    for wrong in ({"client_id": "1"}, {"redirect_uri": "http://evil.example/"}, {"redirect_uri": ""}):
        assert (await browser.get(**wrong))[0] == 400
    assert len(browser.world.violations) == 3


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"scope": ""}, "invalid_scope"),
        ({"scope": "identify relationships.read"}, "invalid_scope"),
        ({"code_challenge": "x", "code_challenge_method": "plain"}, "invalid_request"),
    ],
)
async def test_an_impossible_wish_goes_back_as_an_error(browser: Browser, wrong: dict[str, str], error: str) -> None:
    status, location = await browser.get(**wrong)
    assert (status, URL(location).query["error"], URL(location).query["state"]) == (302, error, "s")
    assert len(browser.world.violations) == 1


async def test_a_person_can_refuse(browser: Browser, ana: Person) -> None:
    for back in (await browser.answer(ana, "cancel"), await browser.answer(None)):
        assert (back["error"], back["state"], "code" in back) == ("access_denied", "s", False)
    assert browser.world.violations == []


async def test_no_other_page_can_press_the_button(browser: Browser, ana: Person) -> None:
    url, headers = browser.page.with_query(browser.request), {"Origin": "https://evil.example"}
    form = {"answer": "authorize", "person": str(ana.id)}
    async with browser.session.post(url, data=form, headers=headers, allow_redirects=False) as response:
        assert response.status == 403
