"""Simulated people who can do only what a real client allows.

    ana = world.person("Ana")
    reply = await ana.slash(channel, "gang new", seats=4)
    reply = await ana.click(reply.message, "Join")
    await ana.until(lambda: "It is your turn" in ana.sees(channel)[-1].text)

Actions that a client wouldn't offer raise `NotOffered`: an unknown command, a missing option, a button that
is disabled or gone. All others are sent to the app and return a `Reply`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TypeVar

from playground.client import commands, components
from playground.client.modals import modal_data
from playground.client.resolving import NotOffered
from playground.client.screen import Reply, SeenMessage, SeenModal
from playground.components import ComponentType
from playground.world.changes import MessageGone
from playground.world.effective_permissions import send_permission
from playground.world.instance import ActivityInstance
from playground.world.model import (
    CallbackType,
    Channel,
    ChannelType,
    EntryPointHandler,
    Interaction,
    InteractionType,
    Json,
    Message,
    User,
)
from playground.world.permissions import Permission
from playground.world.posting import Draft, Source
from playground.world.world import World

T = TypeVar("T")


class Person(User):
    """A user with a client."""

    __slots__ = ("_choices", "world")

    def __init__(self, world: World, user_id: int, name: str, locale: str, privileges: Permission) -> None:
        super().__init__(user_id, name, locale, privileges=privileges)
        self.world = world
        self._choices: dict[tuple[int, str], components.Choice] = {}
        """The choices in menus of users, by message and custom id."""

    # The screen

    def sees(self, channel: Channel) -> list[SeenMessage]:
        """The messages that this person sees in a channel, oldest first."""
        return [SeenMessage(each) for each in list(channel.messages.values()) if self.world.can_see(self, each)]

    @property
    def direct_channel(self) -> Channel:
        """The direct message channel with the app."""
        return self.world.direct_channel(self)

    @property
    def direct_messages(self) -> list[SeenMessage]:
        """The direct messages with the app, oldest first."""
        return self.sees(self.direct_channel)

    @property
    def pings(self) -> list[SeenMessage]:
        """All messages that notified this person, including deleted ones, oldest first."""
        return [SeenMessage(each) for each in self.world.posting.notifications.get(self.id, [])]

    async def until(self, condition: Callable[[], T], *, timeout: float = 60.0) -> T:  # noqa: ASYNC109 - a bound
        """Wait until the condition returns a true value, and return it. Evaluated after every change.

        Raises AssertionError, with the person's screen, after `timeout` seconds of real time.
        """
        try:
            async with asyncio.timeout(timeout):
                while not (result := condition()):
                    await self.world.wait_for_change()
        except TimeoutError:
            raise AssertionError(f"not within {timeout} s. {self.screen()}") from None
        return result

    def screen(self) -> str:
        """Everything this person sees, as text."""
        lines = [f"{self.name} sees:"]
        for channel in self.world.channels.values():
            seen = self.sees(channel)
            if seen:
                lines += [f"  #{channel.name or 'direct messages'}", *(f"    {message}" for message in seen)]
        return "\n".join(lines)

    # Actions

    async def slash(self, channel: Channel, command: str, **options: object) -> Reply:
        """Use a slash command, such as `gang new`. Users, roles and channels are objects, a file is (name, content)."""
        self._require_channel(channel)
        data = commands.command_data(self.world, self, channel, command, options)
        return await self._send(InteractionType.COMMAND, channel, data)

    async def use_on_user(self, channel: Channel, user: User, command: str) -> Reply:
        """Use a command of the Apps menu on a user whose name is shown in a channel."""
        self._require_channel(channel)
        data = commands.menu_data(self.world, self, channel, command, user)
        return await self._send(InteractionType.COMMAND, channel, data)

    async def use_on_message(self, message: SeenMessage, command: str) -> Reply:
        """Use a command of the Apps menu on a message."""
        self._require_visible(message)
        channel = message.message.channel
        data = commands.menu_data(self.world, self, channel, command, message.message)
        return await self._send(InteractionType.COMMAND, channel, data)

    async def launch(self, channel: Channel) -> Reply | None:
        """Launch the app's Activity with its Entry Point command. None if Discord opens it without asking the app."""
        self._require_channel(channel)
        command = commands.entry_point(self.world, self, channel)
        if command["handler"] == EntryPointHandler.APP:
            data = {name: command[name] for name in ("id", "name", "type")}
            return await self._send(InteractionType.COMMAND, channel, data)
        await asyncio.sleep(self.world.reaction)
        self.world.activities.launch(self, channel)
        return None

    @property
    def activity(self) -> ActivityInstance | None:
        """The Activity on the screen."""
        return self.world.activities.of(self)

    def close_activity(self) -> None:
        """Close the Activity. The app gets no event."""
        self.world.activities.leave(self)

    async def autocomplete(
        self, channel: Channel, command: str, option: str, typed: str, **options: object
    ) -> list[Json]:
        """Type into an option with autocomplete and return the choices."""
        self._require_channel(channel)
        data = commands.autocomplete_data(self.world, self, channel, command, options, option, typed)
        return list((await self._send(InteractionType.AUTOCOMPLETE, channel, data)).choices)

    async def click(self, message: SeenMessage, label: str | None = None, *, custom_id: str | None = None) -> Reply:
        """Press the button with this exact label or custom id."""
        self._require_visible(message)
        pressed = components.button_id(message.message.components, label, custom_id)
        return await self._press(message, pressed)

    async def press_old(self, custom_id: str, message: SeenMessage) -> Reply:
        """Press a button that the message no longer has, as an outdated client can."""
        self._require_channel(message.message.channel)
        return await self._press(message, custom_id)

    async def select(self, message: SeenMessage, *chosen: object, custom_id: str | None = None) -> Reply:
        """Choose options of a select menu by label or value. Pass users, roles and channels as objects.

        As on a desktop, a menu of users keeps its choice after an edit if its custom id stays the same.
        """
        self._require_visible(message)
        select = components.find_select(message.message.components, custom_id)
        if select["type"] == ComponentType.USER_SELECT and not select.get("default_values"):
            place = message.id, str(select["custom_id"])
            chosen = components.with_kept(self._choices.get(place), message.edited_at, chosen)
            self._choices[place] = message.edited_at, chosen
        data = components.select_data(self.world, message.message.channel, select, chosen)
        return await self._send(InteractionType.COMPONENT, message.message.channel, data, message=message.message)

    async def submit(self, modal: SeenModal | None, values: Mapping[str, object]) -> Reply:
        """Submit a modal with values by label or custom id."""
        if modal is None:
            raise NotOffered("there is no form to fill in")
        opened = modal.interaction
        data = modal_data(self.world, opened.channel, modal.raw, values)
        return await self._send(
            InteractionType.MODAL_SUBMIT, opened.channel, data, message=opened.message, parent=opened
        )

    def dismiss(self, message: SeenMessage) -> None:
        """Dismiss an ephemeral message. The app gets no event."""
        if not message.ephemeral or message.message.reader is not self:
            raise NotOffered("only an ephemeral message of one's own can be dismissed")
        message.message.dismissed = True
        self.world.publish(MessageGone(message.message))

    def reload(self) -> None:
        """Reload the client, or change to another device: all ephemeral messages are gone. The app gets no event."""
        for channel in self.world.channels.values():
            for message in self.sees(channel):
                if message.ephemeral:
                    self.dismiss(message)

    def say(self, channel: Channel, content: str) -> SeenMessage:
        """Post an ordinary message."""
        self._require_channel(channel)
        if not self.world.permissions(self, channel) & send_permission(channel):
            raise NotOffered(f"{self.name} may not write in {channel.name}")
        if not 1 <= len(content) <= 2000:
            raise NotOffered("a message has 1 to 2000 characters")
        return SeenMessage(self.world.posting.post(channel, Source(self), Draft({"content": content})))

    # Sending

    async def _press(self, message: SeenMessage, custom_id: str) -> Reply:
        data = {"custom_id": custom_id, "component_type": int(ComponentType.BUTTON)}
        return await self._send(InteractionType.COMPONENT, message.message.channel, data, message=message.message)

    async def _send(
        self,
        kind: InteractionType,
        channel: Channel,
        data: Json,
        *,
        message: Message | None = None,
        parent: Interaction | None = None,
    ) -> Reply:
        """Send an interaction and wait for the first response or failure."""
        await asyncio.sleep(self.world.reaction)
        interaction = self.world.interactions.start(kind, self, channel, data, message=message, parent=parent)
        while not interaction.is_settled:
            await self.world.wait_for_change()
        return _reply(interaction)

    def _require_channel(self, channel: Channel) -> None:
        if channel.type is ChannelType.FORUM:
            raise NotOffered(f"{channel.name} is a forum: only its posts can be written in")
        if channel.id not in self.world.channels:
            raise NotOffered(f"{channel.name} is gone")
        if not self.world.permissions(self, channel) & Permission.VIEW_CHANNEL:
            raise NotOffered(f"{self.name} does not see {channel.name}")

    def _require_visible(self, message: SeenMessage) -> None:
        if not self.world.can_see(self, message.message):
            raise NotOffered(f"{self.name} does not see that message")


def _reply(interaction: Interaction) -> Reply:
    response_type = interaction.response_type
    shown = SeenMessage(interaction.original) if interaction.original is not None else None
    return Reply(
        interaction,
        message=shown,
        modal=SeenModal(interaction) if response_type is CallbackType.MODAL else None,
        updated=response_type is CallbackType.UPDATE_MESSAGE,
        deferred=response_type in (CallbackType.DEFERRED_MESSAGE, CallbackType.DEFERRED_UPDATE),
        choices=tuple(interaction.choices),
        activity=interaction.activity_id,
        failed=interaction.failure,
    )
