"""Routes for application commands, global and of a guild."""

from collections.abc import Iterable

from aiohttp import web

from playground.checks.commands import check_command, check_command_list, check_counts
from playground.errors import (
    ENTRY_POINT_MISSING,
    MISSING_ACCESS,
    TOO_MANY_CREATES,
    UNKNOWN_COMMAND,
    Fault,
    InvalidForm,
    Refusal,
)
from playground.rest.access import path_id
from playground.rest.bodies import json_response, read_json, read_object
from playground.rest.drafts import raise_if_invalid
from playground.world.changes import CommandsChanged
from playground.world.model import Json
from playground.world.world import World

MAX_CREATES = 200
DAY = 24 * 60 * 60
ENTRY_POINT = 4
"""The type of the command that Discord adds to applications with Activities."""
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
        defs: list[web.RouteDef] = []
        for root in (f"{ROOT}/commands", f"{ROOT}/guilds/{{guild_id}}/commands"):
            one = f"{root}/{{command_id}}"
            defs += [
                web.get(root, self.list, allow_head=False),
                web.put(root, self.replace),
                web.post(root, self.create),
                web.get(one, self.get, allow_head=False),
                web.patch(one, self.edit),
                web.delete(one, self.delete),
            ]
        return defs

    def _registered(self, request: web.Request) -> dict[int, Json]:
        """The global commands, or those of the guild in the path."""
        guild_id = path_id(request, "guild_id") if "guild_id" in request.match_info else None
        if path_id(request, "application_id") != self._world.app.id:
            raise Refusal(MISSING_ACCESS)
        if guild_id is not None and not self._is_member(guild_id):
            raise Refusal(MISSING_ACCESS)
        return self._world.commands.setdefault(guild_id, {})

    def _is_member(self, guild_id: int) -> bool:
        guild = self._world.guilds.get(guild_id)
        return guild is not None and self._world.app.bot.id in guild.members

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
        kept = [self._build(request, body, registered) for body in bodies]
        if ENTRY_POINT in {each["type"] for each in registered.values()} - {each["type"] for each in kept}:
            raise Refusal(ENTRY_POINT_MISSING)
        self._count_creates(kept, registered)
        registered.clear()
        registered.update({int(command["id"]): command for command in kept})
        self._world.publish(CommandsChanged())
        return json_response(kept)

    async def create(self, request: web.Request) -> web.Response:
        """Create a command or overwrite the one with its name."""
        registered = self._registered(request)
        body = await read_object(request)
        raise_if_invalid(check_command(body))
        command = self._build(request, body, registered)
        is_new = int(command["id"]) not in registered
        raise_if_invalid(check_counts([*registered.values(), command]) if is_new else [])
        self._count_creates([command], registered)
        return self._store(registered, command, 201 if is_new else 200)

    async def get(self, request: web.Request) -> web.Response:
        """Get a command."""
        return json_response(self._find(request))

    async def edit(self, request: web.Request) -> web.Response:
        """Edit a command."""
        old = self._find(request)
        changed = old | await read_object(request)
        raise_if_invalid(check_command(changed))
        return self._store(self._registered(request), changed, 200)

    async def delete(self, request: web.Request) -> web.Response:
        """Delete a command."""
        del self._registered(request)[int(self._find(request)["id"])]
        self._world.publish(CommandsChanged())
        return json_response()

    def _find(self, request: web.Request) -> Json:
        command = self._registered(request).get(path_id(request, "command_id"))
        if command is None:
            raise Refusal(UNKNOWN_COMMAND)
        return command

    def _count_creates(self, commands: Iterable[Json], registered: dict[int, Json]) -> None:
        """Count the new commands. Refuse more than 200 a day."""
        now = self._world.clock.time()
        new = [now for command in commands if int(command["id"]) not in registered]
        self._created = [*(each for each in self._created if each > now - DAY), *new]
        if new and len(self._created) > MAX_CREATES:
            del self._created[-len(new) :]
            raise Refusal(TOO_MANY_CREATES)

    def _store(self, registered: dict[int, Json], command: Json, status: int) -> web.Response:
        command["version"] = str(self._world.snowflakes.next())
        registered[int(command["id"])] = command
        self._world.publish(CommandsChanged())
        return json_response(command, status)

    def _build(self, request: web.Request, body: Json, registered: dict[int, Json]) -> Json:
        """The command object for a request body, with its existing id or a new one."""
        command = DEFAULTS | body
        key = (command["type"], command["name"])
        old_ids = (each["id"] for each in registered.values() if (each["type"], each["name"]) == key)
        command["id"] = next(old_ids, None) or str(self._world.snowflakes.next())
        command["application_id"] = str(self._world.app.id)
        command["version"] = str(self._world.snowflakes.next())
        if "guild_id" in request.match_info:
            command["guild_id"] = request.match_info["guild_id"]
        return command
