"""A page without a browser: it has a session, sends requests, and keeps every frame that it gets."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, Self, TypeVar

import aiohttp

from bot.web.sessions import Sessions
from playground.world.changes import TimeMoved
from tests.end_to_end.app_harness import AppHarness, Player, running_app
from tests.free_port import free_port

T = TypeVar("T")
SECRET: Final = "client-secret-of-the-tests-0123456789"


def settings_of_page() -> tuple[str, dict[str, Any]]:
    """The address of a page, and the settings with which an app serves it."""
    address = f"127.0.0.1:{free_port()}"
    url = f"http://{address}"
    return url, {"WEB_ADDRESS": address, "WEB_URL": url, "DISCORD_CLIENT_SECRET": SECRET}


def with_sdk(folder: Path) -> dict[str, object]:
    """Constants with which the page can be opened as an Activity, though `make web` hasn't built it."""
    page = folder / "page"
    page.mkdir()
    (page / "sdk.js").write_text("")
    return {"bot.web.files.PAGE": str(page)}


@asynccontextmanager
async def app_with_page(
    folder: Path, constants: Mapping[str, object] | None = None, *, limits_scale: str = "1000", **settings: str
) -> AsyncIterator[tuple[AppHarness, "Site"]]:
    """Run the app with its page."""
    url, web = settings_of_page()
    app = running_app(folder, constants, **{**web, **settings}, LIMITS_SCALE=limits_scale)
    async with app as harness, aiohttp.ClientSession() as http:
        harness.world.app.client_secret = SECRET
        harness.world.app.redirect_uris.append(f"{url}/login/callback")
        harness.world.enable_activities(url.removeprefix("http://"))
        yield harness, Site(harness, url, http)


class Site:
    """The page's server."""

    def __init__(self, harness: AppHarness, url: str, http: aiohttp.ClientSession) -> None:
        self.harness = harness
        self.url = url
        self.http = http
        self.sessions = Sessions(SECRET, harness.now)

    @asynccontextmanager
    async def socket(
        self, origin: str | None = None, headers: Mapping[str, str] | None = None
    ) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
        """A WebSocket that hasn't said anything."""
        address = f"{self.url}/api/socket"
        async with self.http.ws_connect(address, origin=origin or self.url, headers=headers) as connection:
            yield connection

    @asynccontextmanager
    async def page(self, user_id: int, language: str = "en") -> AsyncIterator["Page"]:
        """An open page of a user."""
        token = self.sessions.begin(user_id)
        async with self.connected(token, language=language) as page:
            yield page

    @asynccontextmanager
    async def connected(
        self,
        token: str | None,
        origin: str | None = None,
        headers: Mapping[str, str] | None = None,
        language: str = "en",
    ) -> AsyncIterator["Page"]:
        """A page that has said hello with this token."""
        async with self.socket(origin, headers) as connection:
            await connection.send_json({"hello": {"session": token, "language": language}})
            async with Page(self.harness, connection) as page:
                yield page


class Disconnected(Exception):
    """The page has lost its connection before an answer."""


class Page:
    """An open page."""

    def __init__(self, harness: AppHarness, connection: aiohttp.ClientWebSocketResponse) -> None:
        self.harness = harness
        self.connection = connection
        self.frames: list[dict[str, Any]] = []
        self.texts: list[str] = []
        """The frames as they came."""
        self.updates: list[dict[str, Any]] = []
        """All updates."""
        self._number = 0
        self.is_closed = False

    async def __aenter__(self) -> Self:
        self._reading = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.connection.close()
        await self._reading

    async def _read(self) -> None:
        async for message in self.connection:
            self.texts.append(message.data)
            self._take(json.loads(message.data))
            self.harness.world.publish(TimeMoved())
        self.is_closed = True
        self.harness.world.publish(TimeMoved())

    def _take(self, frame: dict[str, Any]) -> None:
        """Take a frame: an update, its changes, or an answer."""
        self.frames.append(frame)
        if "table" in frame:
            self.updates.append(frame["table"])
        elif "changes" in frame:
            self.updates.append(self.updates[-1] | frame["changes"])

    async def until(self, is_enough: Callable[[], T]) -> T:
        """Wait until a condition is true, of this page or of anyone's messages. Returns its value."""
        return await self.harness.people[0].until(is_enough)

    @property
    def table(self) -> dict[str, Any]:
        """The newest update; empty before the first."""
        return self.updates[-1] if self.updates else {}

    async def send(self, do: str, **fields: object) -> int:
        """Send a request. Returns its number."""
        self._number += 1
        await self.connection.send_json({"id": self._number, "do": do, **fields})
        return self._number

    async def ask(self, do: str, **fields: object) -> dict[str, Any]:
        """Send a request and wait for its answer. Raises `Disconnected`."""
        try:
            number = await self.send(do, **fields)
        except ConnectionError as error:
            raise Disconnected from error
        await self.until(lambda: self.is_closed or self.answer(number))
        if not self.answer(number):
            raise Disconnected
        return self.answer(number)

    def answer(self, number: int) -> dict[str, Any]:
        """The answer to a request; empty before it comes."""
        return next((frame for frame in self.frames if frame.get("id") == number), {})

    async def do(self, do: str, **fields: object) -> dict[str, Any]:
        """Send a request that succeeds. Returns its result."""
        answer = await self.ask(do, **fields)
        assert "ok" in answer, answer
        result: dict[str, Any] = answer["ok"]
        return result

    async def watch(self, table: int) -> dict[str, Any]:
        """Watch a table. Returns the first update."""
        await self.do("watch", table=table)
        await self.until(lambda: self.table.get("number") == table)
        return self.table

    def move(self) -> dict[str, Any]:
        """The request of a move: give the first card back, play the longest play, or pass."""
        table = self.table
        facts = {"table": table["number"], "moment": table["moment"]}
        if "give_back" in table["can"]:
            return {"do": "give_back", "card": table["hand"][0]["id"], **facts}
        if not table["choices"]:
            return {"do": "pass", **facts}
        choice = max(table["choices"], key=lambda each: len(each["cards"]))
        return {"do": "play", "cards": choice["cards"], "last_card": choice["last_card"], **facts}

    async def act(self) -> None:
        """Make a move, and wait for the update after it."""
        revision = self.table["revision"]
        await self.do(**self.move())
        await self.until(lambda: self.table["revision"] > revision)

    def must_act(self) -> bool:
        """True if it's this page's turn."""
        turn = self.table.get("turn")
        return turn is not None and turn["seat"] == self.table["you"]


async def play_together(
    harness: AppHarness,
    pages: Sequence[Page],
    players: Sequence[Player],
    is_enough: Callable[[], bool] | None = None,
) -> None:
    """Play with people on pages and people with open hands until `is_enough()`, or to the end of the match."""
    movers: list[Page | Player] = [*pages, *players]
    is_done = is_enough or harness.is_over

    def next_to_act() -> Page | Player | bool:
        return is_done() or next((each for each in movers if each.must_act()), False)

    while isinstance(mover := await harness.people[0].until(next_to_act), Page | Player):
        await mover.act()
