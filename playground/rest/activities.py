"""The route for running Activities."""

from aiohttp import web

from playground.errors import MISSING_ACCESS, NO_SUCH_INSTANCE, Refusal
from playground.rest.access import path_id
from playground.rest.bodies import json_response
from playground.world.world import World


class ActivityRoutes:
    """Instances of the app's Activity."""

    def __init__(self, world: World) -> None:
        self._world = world

    def routes(self) -> list[web.RouteDef]:
        """The routes of this resource."""
        path = "/api/v10/applications/{application_id}/activity-instances/{instance_id}"
        return [web.get(path, self.get, allow_head=False)]

    async def get(self, request: web.Request) -> web.Response:
        """A running instance with the users who are in it."""
        app = self._world.app
        if path_id(request, "application_id") != app.id:
            raise Refusal(MISSING_ACCESS)
        instance = self._world.activities.find(request.match_info["instance_id"])
        if instance is None:
            raise Refusal(NO_SUCH_INSTANCE)
        body = {
            "application_id": str(app.id),
            "instance_id": instance.id,
            "launch_id": str(instance.launch_id),
            "location": instance.location_json(),
            "users": [str(user.id) for user in instance.users],
        }
        return json_response(body)
