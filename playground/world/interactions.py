"""The life of an interaction: three seconds for a first answer, then fifteen minutes of a token."""

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
from playground.world.changes import Answered, Failed
from playground.world.intents import Intent
from playground.world.model import (
    CallbackType,
    Channel,
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
    """Starts interactions for people and takes the app's answers."""

    def __init__(self, world: Places, posting: Posting) -> None:
        self._world = world
        self._posting = posting
        self._by_token: dict[str, Interaction] = {}

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
        """Send what a person did to the app, and wait three seconds at most; a test may change the `payload`."""
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
        )
        self._forget_old()
        self._by_token[interaction.token] = interaction
        self._send(interaction, payload or {})
        return interaction

    @property
    def pending(self) -> list[Interaction]:
        """Those that nobody has answered yet, and for which it is not too late."""
        return [each for each in self._by_token.values() if not each.is_settled]

    def _forget_old(self) -> None:
        """Drop, oldest first, those whose token is dead."""
        limit = self._world.clock.time() - TOKEN_SECONDS
        while self._by_token:
            token, oldest = next(iter(self._by_token.items()))
            if oldest.created_at >= limit:
                return
            del self._by_token[token]

    def _send(self, interaction: Interaction, changes: Json) -> None:
        guild = interaction.channel.guild
        if guild is not None and self._world.app.bot.id not in guild.members:
            self._give_up(interaction)  # nobody is there to answer
            return
        self._world.clock.call_later(FIRST_ANSWER_SECONDS, lambda: self._give_up(interaction))
        guild_id = guild.id if guild else None
        payload = payloads.interaction_json(interaction) | changes
        self._world.dispatch("INTERACTION_CREATE", payload, guild_id, Intent.NONE)

    def _give_up(self, interaction: Interaction) -> None:
        if not interaction.is_settled:
            interaction.failure = FAILURES[interaction.type]
            self._world.publish(Failed(interaction))

    def unanswered(self, interaction_id: int, token: str) -> Interaction:
        """The interaction that a callback may still answer."""
        interaction = self._by_token.get(token)
        if interaction is None or interaction.id != interaction_id or interaction.failure is not None:
            raise Refusal(UNKNOWN_INTERACTION, "the first answer came later than three seconds after the event")
        if interaction.answer is not None:
            raise Refusal(ALREADY_ACKNOWLEDGED)
        if interaction.channel.id not in self._world.channels:
            raise Refusal(UNKNOWN_CHANNEL)
        return interaction

    def by_token(self, token: str) -> Interaction:
        """The interaction whose token still opens the webhook routes."""
        interaction = self._by_token.get(token)
        if interaction is None or self._world.clock.time() > interaction.created_at + TOKEN_SECONDS:
            raise Refusal(TOKEN_EXPIRED)
        if interaction.answer is None:
            raise Refusal(UNKNOWN_WEBHOOK, "a token works only after the interaction was answered")
        if interaction.channel.id not in self._world.channels:
            raise Refusal(UNKNOWN_CHANNEL)
        return interaction

    def message_of(self, interaction: Interaction, message_id: str) -> Message:
        """The message a webhook route names: `@original` or one that this token or another posted."""
        if message_id == "@original":
            found = interaction.original
        else:
            found = interaction.channel.messages.get(int(message_id)) if message_id.isdecimal() else None
            found = found if found is not None and self._reaches(interaction, found) else None
        if found is None or found.is_deleted:
            raise Refusal(UNKNOWN_MESSAGE)
        return found

    def _reaches(self, interaction: Interaction, message: Message) -> bool:
        """A token reaches what it posted itself, and the message it was clicked on."""
        return message.interaction is interaction or message is interaction.message

    # First answers

    def reply(self, interaction: Interaction, draft: Draft, answer: CallbackType) -> Message:
        """Answer with a message, or the promise of one."""
        interaction.original = self._posting.post(interaction.channel, self._source(interaction), draft)
        self._settle(interaction, answer)
        return interaction.original

    def defer_message(self, interaction: Interaction, *, is_ephemeral: bool) -> Message:
        """Promise a message: until it comes, the person sees that the app is thinking."""
        flags = MessageFlags.LOADING | (MessageFlags.EPHEMERAL if is_ephemeral else 0)
        return self.reply(interaction, Draft({"flags": int(flags)}), CallbackType.DEFERRED_MESSAGE)

    def update(self, interaction: Interaction, draft: Draft) -> Message:
        """Answer by changing the message that was clicked."""
        message = self._clicked(interaction)
        self._posting.edit(message, draft)
        interaction.original = message
        self._settle(interaction, CallbackType.UPDATE_MESSAGE)
        return message

    def defer_update(self, interaction: Interaction) -> Message:
        """Acknowledge a click and show nothing yet."""
        interaction.original = self._clicked(interaction)
        self._settle(interaction, CallbackType.DEFERRED_UPDATE)
        return interaction.original

    def open_modal(self, interaction: Interaction, modal: Json) -> None:
        """Answer with a form to fill in."""
        interaction.modal = modal | {"components": components.with_ids(modal["components"])}
        self._settle(interaction, CallbackType.MODAL)

    def suggest(self, interaction: Interaction, choices: list[Json]) -> None:
        """Answer half-typed text with choices."""
        interaction.choices = choices
        self._settle(interaction, CallbackType.AUTOCOMPLETE)

    def follow_up(self, interaction: Interaction, draft: Draft) -> Message:
        """Post a further message; the first one after a promise keeps that promise instead."""
        original = interaction.original
        if original is not None and original.flags & MessageFlags.LOADING and not original.is_deleted:
            self._posting.edit(original, draft)
            return original
        source = self._source(interaction)
        if original is not None:
            source = Source(source.author, MessageType.REPLY, interaction, original)
        return self._posting.post(interaction.channel, source, draft)

    def _clicked(self, interaction: Interaction) -> Message:
        if interaction.message is None or interaction.message.is_deleted:
            raise Refusal(UNKNOWN_MESSAGE)
        return interaction.message

    def _source(self, interaction: Interaction) -> Source:
        bot = self._world.app.bot
        if interaction.message is None:
            return Source(bot, MessageType.CHAT_INPUT_COMMAND, interaction)
        return Source(bot, MessageType.REPLY, interaction, interaction.message)

    def _settle(self, interaction: Interaction, answer: CallbackType) -> None:
        interaction.answer = answer
        self._world.publish(Answered(interaction))
