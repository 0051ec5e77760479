"""Routes for application commands."""

from collections.abc import Iterable

from aiohttp import web

from playground.checks.commands import check_command_list
from playground.errors import (
    ENTRY_POINT_MISSING,
    MISSING_ACCESS,
    TOO_MANY_CREATES,
    Fault,
    InvalidForm,
    Refusal,
)
from playground.rest.access import path_id
from playground.rest.bodies import json_response, read_json
from playground.rest.drafts import raise_if_invalid
from playground.world.changes import CommandsChanged
from playground.world.model import CommandType, EntryPointHandler, Json
from playground.world.world import World

MAX_CREATES = 200
DAY = 24 * 60 * 60
ROOT = "/api/v10/applications/{application_id}"
DEFAULTS: Json = {
    "type": 1,
    "name_localizations": None,
    "description": "",
    "description_localizations": None,
    "default_member_permissions": None,
    "dm_permission": True,
    "contexts": None,
    "integration_types": [0],
    "nsfw": False,
}


class CommandRoutes:
    """Application commands."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._created: list[float] = []
        """When each new command was created."""

    def routes(self) -> list[web.RouteDef]:
        """The routes of this resource."""
        root = f"{ROOT}/commands"
        return [web.get(root, self.list, allow_head=False), web.put(root, self.replace)]

    def _registered(self, request: web.Request) -> dict[int, Json]:
        """The commands of the app in the path."""
        if path_id(request, "application_id") != self._world.app.id:
            raise Refusal(MISSING_ACCESS)
        return self._world.commands.setdefault(None, {})

    async def list(self, request: web.Request) -> web.Response:
        """List all commands."""
        return json_response(list(self._registered(request).values()))

    async def replace(self, request: web.Request) -> web.Response:
        """Replace all commands. Those with the name of an existing one keep its id."""
        registered = self._registered(request)
        bodies = await read_json(request)
        if not isinstance(bodies, list):
            raise InvalidForm([Fault((), "BASE_TYPE_BAD_TYPE", "Only iterables may be used in a ListType")])
        raise_if_invalid(check_command_list(bodies))
        kept = [self._build(body, registered) for body in bodies]
        if CommandType.ENTRY_POINT in {each["type"] for each in registered.values()} - {each["type"] for each in kept}:
            raise Refusal(ENTRY_POINT_MISSING)
        self._count_creates(kept, registered)
        registered.clear()
        registered.update({int(command["id"]): command for command in kept})
        self._world.publish(CommandsChanged())
        return json_response(kept)

    def _count_creates(self, commands: Iterable[Json], registered: dict[int, Json]) -> None:
        """Count the new commands. Refuse more than 200 a day."""
        now = self._world.clock.time()
        new = [now for command in commands if int(command["id"]) not in registered]
        self._created = [*(each for each in self._created if each > now - DAY), *new]
        if new and len(self._created) > MAX_CREATES:
            del self._created[-len(new) :]
            raise Refusal(TOO_MANY_CREATES)

    def _build(self, body: Json, registered: dict[int, Json]) -> Json:
        """The command object for a request body, with the id that it names, that of its name, or a new one."""
        command = DEFAULTS | body
        same_kind = [each for each in registered.values() if each["type"] == command["type"]]
        named = [each["id"] for each in same_kind if each["id"] == str(body.get("id"))]
        old_ids = named + [each["id"] for each in same_kind if each["name"] == command["name"]]
        command["id"] = old_ids[0] if old_ids else str(self._world.snowflakes.next())
        if command["type"] == CommandType.ENTRY_POINT:
            command = {"handler": EntryPointHandler.APP} | command
        command["application_id"] = str(self._world.app.id)
        command["version"] = str(self._world.snowflakes.next())
        return command
