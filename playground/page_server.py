"""The server of the page: its files, the lists of guilds and people, and a WebSocket for each phone."""

from collections.abc import Callable
from pathlib import Path

from aiohttp import web

from playground import payloads
from playground.client.person import Person
from playground.origins import require_same_origin
from playground.page_socket import DIRECT, PageSocket, people_json, place_json
from playground.rest.bodies import json_response
from playground.world.model import Guild, Json
from playground.world.world import World

FILES = Path(__file__).parent / "page"
STEPS = (3600, 86400)
"""The seconds by which the page moves the time."""


class PageServer:
    """The routes of the page."""

    def __init__(self, world: World, new_person: Callable[[str], Person]) -> None:
        self._world = world
        self._new_person = new_person

    def routes(self) -> list[web.AbstractRouteDef]:
        """The routes of this resource."""
        return [
            web.get("/", self.index),
            web.get("/page/world", self.world),
            web.post("/page/people", self.add_person),
            web.post("/page/time", self.advance),
            web.get("/page/socket", self.socket, allow_head=False),
            web.static("/page", FILES),
        ]

    async def index(self, request: web.Request) -> web.FileResponse:  # noqa: ARG002 - there is one page
        """The HTML file."""
        return web.FileResponse(FILES / "index.html")

    async def world(self, request: web.Request) -> web.Response:  # noqa: ARG002 - no authentication
        """Guilds with their channels, people, and whether the app's clock can be moved."""
        guilds = [_guild_json(guild) for guild in self._world.guilds.values()]
        moves_time = self._world.advance_app is not None
        return json_response({"guilds": guilds, "people": people_json(self._world), "moves_time": moves_time})

    async def add_person(self, request: web.Request) -> web.Response:
        """Create a person who is a member of all guilds."""
        require_same_origin(request)
        name = str((await request.json()).get("name") or "").strip()
        if not 1 <= len(name) <= 32:
            raise web.HTTPBadRequest(text="A name has 1 to 32 characters.")
        return json_response(payloads.user_json(self._new_person(name)), 201)

    async def advance(self, request: web.Request) -> web.Response:
        """Move the time forward by some seconds."""
        require_same_origin(request)
        seconds = (await request.json()).get("seconds")
        if not isinstance(seconds, int) or seconds not in STEPS:
            raise web.HTTPBadRequest(text="Time moves by an hour or a day.")
        self._world.advance(seconds)
        return json_response({})

    async def socket(self, request: web.Request) -> web.WebSocketResponse:
        """The WebSocket of a phone."""
        require_same_origin(request)
        person = self._world.users.get(_number(request.query.get("person")))
        place = request.query.get("channel")
        channel = self._world.channels.get(_number(place))
        if isinstance(person, Person) and place == DIRECT:
            channel = person.direct_channel
        if not isinstance(person, Person) or channel is None:
            raise web.HTTPNotFound(text="This person or channel doesn't exist.")
        socket = web.WebSocketResponse(heartbeat=30)
        await socket.prepare(request)
        await PageSocket(self._world, person, channel, socket).serve()
        return socket


def _guild_json(guild: Guild) -> Json:
    channels = [place_json(each) for each in guild.channels.values()]
    return {"id": str(guild.id), "name": guild.name, "channels": channels}


def _number(text: str | None) -> int:
    return int(text) if text and text.isdecimal() else 0
