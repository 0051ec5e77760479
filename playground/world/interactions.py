"""Interactions: three seconds for the first response, then a token that is valid for fifteen minutes."""

from __future__ import annotations

import secrets

from playground import components, payloads
from playground.errors import (
    ALREADY_ACKNOWLEDGED,
    TOKEN_EXPIRED,
    UNKNOWN_CHANNEL,
    UNKNOWN_INTERACTION,
    UNKNOWN_MESSAGE,
    UNKNOWN_WEBHOOK,
    Refusal,
)
from playground.world.changes import Failed, Responded
from playground.world.intents import Intent
from playground.world.model import (
    CallbackType,
    Channel,
    CommandType,
    Interaction,
    InteractionType,
    Json,
    Message,
    MessageFlags,
    MessageType,
    User,
)
from playground.world.places import Places
from playground.world.posting import Draft, Posting, Source

FIRST_ANSWER_SECONDS = 3.0
TOKEN_SECONDS = 15 * 60.0

FAILURES = {
    InteractionType.COMMAND: "The application did not respond",
    InteractionType.COMPONENT: "This interaction failed",
    InteractionType.AUTOCOMPLETE: "Loading options failed",
    InteractionType.MODAL_SUBMIT: "Something went wrong. Try again.",
}


class Interactions:
    """Starts interactions for people and accepts the app's responses."""

    def __init__(self, world: Places, posting: Posting) -> None:
        self._world = world
        self._posting = posting
        self.answer_seconds = FIRST_ANSWER_SECONDS
        """Seconds that Discord waits for the first answer."""
        self._by_token: dict[str, Interaction] = {}
        self._forms: dict[tuple[int, str], Json] = {}
        """The forms that each person's client keeps, by custom id."""

    def start(
        self,
        kind: InteractionType,
        user: User,
        channel: Channel,
        data: Json,
        *,
        message: Message | None = None,
        parent: Interaction | None = None,
        payload: Json | None = None,
    ) -> Interaction:
        """Send an interaction to the app. It fails after three seconds without a response.

        The fields in `payload` replace those of the event, so tests can send an unusual one; `...` leaves one out.
        """
        interaction = Interaction(
            self._world.snowflakes.next(),
            kind,
            secrets.token_urlsafe(64),
            user,
            channel,
            data,
            self._world.clock.time(),
            message,
            parent,
            self._installs(data, message, parent),
        )
        self._forget_old()
        self._by_token[interaction.token] = interaction
        self._send(interaction, payload or {})
        return interaction

    def _installs(self, data: Json, message: Message | None, parent: Interaction | None) -> tuple[int, ...]:
        """The kinds of installation that offer a command, or the command that led to a message or form."""
        before = parent or (message.interaction if message is not None else None)
        if before is not None:
            return before.installs
        commands = self._world.commands[None].values()
        command = next((each for each in commands if each["id"] == data.get("id")), {})
        return tuple(command.get("integration_types") or (0,))

    @property
    def pending(self) -> list[Interaction]:
        """The interactions without a response or failure."""
        return [each for each in self._by_token.values() if not each.is_settled]

    def _forget_old(self) -> None:
        """Drop the interactions whose token has expired."""
        limit = self._world.clock.time() - TOKEN_SECONDS
        while self._by_token:
            token, oldest = next(iter(self._by_token.items()))
            if oldest.created_at >= limit:
                return
            del self._by_token[token]

    def _send(self, interaction: Interaction, changes: Json) -> None:
        guild = interaction.channel.guild
        if not interaction.channel.has_app and not interaction.user.has_installed:
            self._give_up(interaction)
            return
        self._world.clock.call_later(self.answer_seconds, lambda: self._give_up(interaction))
        guild_id = guild.id if guild else None
        payload = payloads.interaction_json(interaction) | changes
        payload = {name: value for name, value in payload.items() if value is not ...}
        self._world.dispatch("INTERACTION_CREATE", payload, guild_id, Intent.NONE)

    def _give_up(self, interaction: Interaction) -> None:
        if not interaction.is_settled:
            interaction.failure = FAILURES[interaction.type]
            self._world.publish(Failed(interaction))

    def find_unanswered(self, interaction_id: int, token: str) -> Interaction:
        """The interaction that a callback refers to. Refuse it if it can't be answered any more."""
        interaction = self._by_token.get(token)
        if interaction is None or interaction.id != interaction_id or interaction.failure is not None:
            raise Refusal(UNKNOWN_INTERACTION, "the first response came later than three seconds after the event")
        if interaction.response_type is not None:
            raise Refusal(ALREADY_ACKNOWLEDGED)
        if interaction.channel.id not in self._world.channels:
            raise Refusal(UNKNOWN_CHANNEL)
        return interaction

    def by_token(self, token: str) -> Interaction:
        """The interaction with this token. Refuse an expired token, or one without a first response."""
        interaction = self._by_token.get(token)
        if interaction is None or self._world.clock.time() > interaction.created_at + TOKEN_SECONDS:
            raise Refusal(TOKEN_EXPIRED)
        if interaction.response_type is None:
            raise Refusal(UNKNOWN_WEBHOOK, "a token works only after the first response")
        if interaction.channel.id not in self._world.channels:
            raise Refusal(UNKNOWN_CHANNEL)
        return interaction

    def message_of(self, interaction: Interaction, message_id: str) -> Message:
        """The message named in a webhook route: `@original` or the id of a message within reach of this token."""
        if message_id == "@original":
            found = interaction.original
        else:
            found = interaction.channel.messages.get(int(message_id)) if message_id.isdecimal() else None
            found = found if found is not None and self._is_within_reach(interaction, found) else None
        if found is None or found.is_deleted:
            raise Refusal(UNKNOWN_MESSAGE)
        return found

    def _is_within_reach(self, interaction: Interaction, message: Message) -> bool:
        """True if the message was posted with this token, or contains the component that was used."""
        return message.interaction is interaction or message is interaction.message

    # First responses

    def reply(self, interaction: Interaction, draft: Draft, response_type: CallbackType) -> Message:
        """Respond with a message, or a deferred one."""
        interaction.original = self._posting.post(interaction.channel, self._source(interaction), draft)
        self._respond(interaction, response_type)
        return interaction.original

    def defer_message(self, interaction: Interaction, *, is_ephemeral: bool) -> Message:
        """Respond with a deferred message. It says that the app is thinking until it is filled."""
        flags = MessageFlags.LOADING | (MessageFlags.EPHEMERAL if is_ephemeral else 0)
        return self.reply(interaction, Draft({"flags": int(flags)}), CallbackType.DEFERRED_MESSAGE)

    def update(self, interaction: Interaction, draft: Draft) -> Message:
        """Respond by editing the message whose component was used."""
        message = self._component_message(interaction)
        self._posting.edit(message, draft)
        interaction.original = message
        self._respond(interaction, CallbackType.UPDATE_MESSAGE)
        return message

    def defer_update(self, interaction: Interaction) -> Message:
        """Acknowledge the use of a component without showing anything."""
        interaction.original = self._component_message(interaction)
        self._respond(interaction, CallbackType.DEFERRED_UPDATE)
        return interaction.original

    def open_modal(self, interaction: Interaction, modal: Json) -> None:
        """Respond with a modal. A client that has seen one with this custom id shows that one again.

        https://github.com/discord/discord-api-docs/issues/7554
        """
        new = modal | {"components": components.with_ids(modal["components"])}
        interaction.modal = self._forms.setdefault((interaction.user.id, str(modal["custom_id"])), new)
        self._respond(interaction, CallbackType.MODAL)

    def launch(self, interaction: Interaction, activity_id: str) -> None:
        """Respond by opening an Activity, which has this instance id."""
        interaction.activity_id = activity_id
        self._respond(interaction, CallbackType.LAUNCH_ACTIVITY)

    def suggest(self, interaction: Interaction, choices: list[Json]) -> None:
        """Respond to an autocomplete with choices."""
        interaction.choices = choices
        self._respond(interaction, CallbackType.AUTOCOMPLETE)

    def follow_up(self, interaction: Interaction, draft: Draft) -> Message:
        """Post another message. The first one after a deferral fills the deferred message instead."""
        original = interaction.original
        if original is not None and original.flags & MessageFlags.LOADING and not original.is_deleted:
            self._posting.edit(original, draft)
            return original
        source = self._source(interaction)
        if original is not None:
            source = Source(source.author, MessageType.REPLY, interaction, original)
        return self._posting.post(interaction.channel, source, draft)

    def _component_message(self, interaction: Interaction) -> Message:
        if interaction.message is None or interaction.message.is_deleted:
            raise Refusal(UNKNOWN_MESSAGE)
        return interaction.message

    def _source(self, interaction: Interaction) -> Source:
        bot = self._world.app.bot
        if interaction.message is None:
            is_menu = interaction.data.get("type") in (CommandType.USER, CommandType.MESSAGE)
            kind = MessageType.CONTEXT_MENU_COMMAND if is_menu else MessageType.CHAT_INPUT_COMMAND
            return Source(bot, kind, interaction)
        return Source(bot, MessageType.REPLY, interaction, interaction.message)

    def _respond(self, interaction: Interaction, response_type: CallbackType) -> None:
        interaction.response_type = response_type
        self._world.publish(Responded(interaction))
