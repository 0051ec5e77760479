"""The route for first responses to interactions."""

from collections.abc import Mapping

from aiohttp import web

from playground import payloads
from playground.checks.messages import check_deferral
from playground.checks.modals import check_choices, check_modal
from playground.errors import Fault
from playground.rest import drafts
from playground.rest.access import path_id
from playground.rest.bodies import json_response, read_draft
from playground.world.model import CallbackType, Interaction, InteractionType, Json, Message, MessageFlags
from playground.world.posting import Draft
from playground.world.world import World

DATA = ("data",)
ALWAYS = (CallbackType.MESSAGE, CallbackType.DEFERRED_MESSAGE)
ON_MESSAGE = (CallbackType.DEFERRED_UPDATE, CallbackType.UPDATE_MESSAGE)
ALLOWED: Mapping[InteractionType, tuple[CallbackType, ...]] = {
    InteractionType.COMMAND: (*ALWAYS, CallbackType.MODAL, CallbackType.LAUNCH_ACTIVITY),
    InteractionType.COMPONENT: (*ALWAYS, *ON_MESSAGE, CallbackType.MODAL, CallbackType.LAUNCH_ACTIVITY),
    InteractionType.MODAL_SUBMIT: (*ALWAYS, *ON_MESSAGE),
    InteractionType.AUTOCOMPLETE: (CallbackType.AUTOCOMPLETE,),
}


class CallbackRoutes:
    """Interaction callbacks."""

    def __init__(self, world: World) -> None:
        self._world = world

    def routes(self) -> list[web.RouteDef]:
        """The routes of this resource."""
        return [web.post("/api/v10/interactions/{interaction_id}/{token}/callback", self.respond)]

    async def respond(self, request: web.Request) -> web.Response:
        """Send the first response."""
        interactions = self._world.interactions
        token = request.match_info["token"]
        interactions.find_unanswered(path_id(request, "interaction_id"), token)
        draft = await read_draft(request)
        # Looked up again: it may have expired while the body was read.
        interaction = interactions.find_unanswered(path_id(request, "interaction_id"), token)
        kind = self._response_type(interaction, draft.body)
        data = draft.body.get("data") or {}
        shown = self._apply(interaction, kind, Draft(data, draft.uploads))
        if request.query.get("with_response") not in ("1", "true"):
            return json_response()
        ephemeral = bool(interaction.original and interaction.original.is_ephemeral)
        return json_response(payloads.callback_json(interaction, ephemeral, shown))

    def _response_type(self, interaction: Interaction, body: Json) -> CallbackType:
        allowed = ALLOWED[interaction.type]
        if interaction.message is None:
            allowed = tuple(each for each in allowed if each not in ON_MESSAGE)
        if not self._world.app.has_activities:
            allowed = tuple(each for each in allowed if each is not CallbackType.LAUNCH_ACTIVITY)
        if body.get("type") not in allowed:
            listed = ", ".join(str(int(each)) for each in allowed)
            message = f"Value must be one of {{{listed}}} for this interaction."
            drafts.raise_if_invalid([Fault(("type",), "BASE_TYPE_CHOICES", message)])
        return CallbackType(body["type"])

    def _apply(self, interaction: Interaction, kind: CallbackType, draft: Draft) -> Message | None:
        match kind:
            case CallbackType.MESSAGE:
                drafts.check_draft(self._world, draft, at=DATA, may_be_ephemeral=True)
                return self._world.interactions.reply(interaction, draft, kind)
            case CallbackType.DEFERRED_MESSAGE:
                drafts.raise_if_invalid(check_deferral(draft.body, DATA))
                is_ephemeral = bool((draft.body.get("flags") or 0) & MessageFlags.EPHEMERAL)
                return self._world.interactions.defer_message(interaction, is_ephemeral=is_ephemeral)
            case CallbackType.UPDATE_MESSAGE:
                drafts.check_draft(self._world, draft, at=DATA, before=interaction.message)
                return self._world.interactions.update(interaction, draft)
            case CallbackType.DEFERRED_UPDATE:
                self._world.interactions.defer_update(interaction)
            case CallbackType.MODAL:
                drafts.raise_if_invalid(check_modal(draft.body))
                self._world.interactions.open_modal(interaction, draft.body)
            case CallbackType.LAUNCH_ACTIVITY:
                instance = self._world.activities.launch(interaction.user, interaction.channel)
                self._world.interactions.launch(interaction, instance.id)
            case _:
                self._suggest(interaction, draft.body)
        return None

    def _suggest(self, interaction: Interaction, data: Json) -> None:
        drafts.raise_if_invalid(check_choices(data, payloads.focused_option(interaction.data)["type"]))
        self._world.interactions.suggest(interaction, data.get("choices") or [])
