"""Webhook routes of an interaction's token: the first response and follow-ups."""

from aiohttp import web

from playground import payloads
from playground.errors import UNKNOWN_WEBHOOK, Refusal
from playground.rest.access import path_id
from playground.rest.bodies import json_response
from playground.rest.drafts import read_message
from playground.world.model import Interaction, MessageFlags
from playground.world.world import World

ROOT = "/api/v10/webhooks/{webhook_id}/{token}"


class WebhookRoutes:
    """Follow-up messages, and the messages within reach of a token."""

    def __init__(self, world: World) -> None:
        self._world = world

    def routes(self) -> list[web.RouteDef]:
        """The routes of this resource."""
        one = f"{ROOT}/messages/{{message_id}}"
        return [
            web.post(ROOT, self.follow_up),
            web.get(one, self.get, allow_head=False),
            web.patch(one, self.edit),
            web.delete(one, self.delete),
        ]

    def _interaction(self, request: web.Request) -> Interaction:
        if path_id(request, "webhook_id") != self._world.app.id:
            raise Refusal(UNKNOWN_WEBHOOK)
        return self._world.interactions.by_token(request.match_info["token"])

    async def follow_up(self, request: web.Request) -> web.Response:
        """Post a follow-up, or fill the deferred message."""
        interaction = self._interaction(request)
        draft = await read_message(self._world, request, may_be_ephemeral=True)
        self._report_filled_deferral(interaction)
        message = self._world.interactions.follow_up(interaction, draft)
        return json_response(payloads.message_json(message))

    def _report_filled_deferral(self, interaction: Interaction) -> None:
        """Report a follow-up that fills a deferral, which is deprecated. It can't make it ephemeral either."""
        if interaction.original is not None and interaction.original.flags & MessageFlags.LOADING:
            self._world.report_violation("POST webhook: a follow-up fills a deferral, instead of an edit of @original")

    async def get(self, request: web.Request) -> web.Response:
        """Get a message."""
        interaction = self._interaction(request)
        message = self._world.interactions.message_of(interaction, request.match_info["message_id"])
        return json_response(payloads.message_json(message))

    async def edit(self, request: web.Request) -> web.Response:
        """Edit a message."""
        interaction = self._interaction(request)
        message = self._world.interactions.message_of(interaction, request.match_info["message_id"])
        draft = await read_message(self._world, request, before=message)
        self._world.posting.edit(message, draft)
        return json_response(payloads.message_json(message))

    async def delete(self, request: web.Request) -> web.Response:
        """Delete a message."""
        interaction = self._interaction(request)
        self._world.posting.delete(self._world.interactions.message_of(interaction, request.match_info["message_id"]))
        return json_response()
