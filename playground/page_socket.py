"""The WebSocket of a phone on the page: one person's view of one channel.

All actions go through `client.person.Person`, as in tests, so the page can do only what a real client can.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable

from aiohttp import WSMsgType, web

from playground import payloads
from playground.activities.screen import ActivityScreen
from playground.client.commands import offered_commands
from playground.client.person import Person
from playground.client.resolving import NotOffered
from playground.client.screen import Reply, SeenMessage
from playground.world.changes import (
    ActivityChanged,
    Change,
    CommandsChanged,
    MessageGone,
    MessageShown,
    Notified,
    PersonJoined,
    PlacesChanged,
    TimeMoved,
)
from playground.world.model import Channel, InteractionType, Json, Message
from playground.world.world import World

DIRECT = "direct"
"""The id of a person's direct messages on the page."""


def place_json(channel: Channel) -> Json:
    """A channel as the page lists it."""
    if channel.guild is None:
        return {"id": DIRECT, "name": "Direct messages"}
    return {"id": str(channel.id), "name": channel.name}


def people_json(world: World) -> list[Json]:
    """All people."""
    return [payloads.user_json(user) for user in world.users.values() if isinstance(user, Person)]


class PageSocket:
    """Sends changes to the page and executes its actions, each in a task of its own."""

    def __init__(self, world: World, person: Person, channel: Channel, socket: web.WebSocketResponse) -> None:
        self._world = world
        self._me = person
        self._channel = channel
        self._socket = socket
        self._frames: asyncio.Queue[Json] = asyncio.Queue()
        self._modals: dict[str, Reply] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._activity = ActivityScreen(world, person, self._send)

    async def serve(self) -> None:
        """Serve until the socket closes."""
        writer = asyncio.create_task(self._write(), name="playground-phone-writer")
        self._world.change_listeners.append(self._on_change)
        self._send(self._hello())
        try:
            async for message in self._socket:
                if message.type is WSMsgType.TEXT:
                    self._start(message.data)
        finally:
            self._world.change_listeners.remove(self._on_change)
            for task in [writer, *self._tasks]:
                task.cancel()
            await asyncio.gather(writer, *self._tasks, return_exceptions=True)

    async def _write(self) -> None:
        while True:
            await self._socket.send_str(json.dumps(await self._frames.get()))

    # To the page

    def _send(self, frame: Json) -> None:
        self._frames.put_nowait(frame)

    def _hello(self) -> Json:
        guild = self._channel.guild
        return {
            "event": "hello",
            "me": payloads.user_json(self._me) | {"locale": self._me.locale},
            "guild": {"id": str(guild.id), "name": guild.name} if guild else None,
            "channel": place_json(self._channel),
            "channels": self._places(),
            "people": people_json(self._world),
            "ahead": self._world.clock.ahead,
            "commands": self._commands(),
            "messages": [self._message_json(each.message) for each in self._me.sees(self._channel)],
            "activity": self._activity.json(),
        }

    def _commands(self) -> list[Json]:
        return offered_commands(self._world, self._me, self._channel)

    def _places(self) -> list[Json]:
        guild = self._channel.guild
        guilds = [guild] if guild else self._world.guilds.values()
        places = [channel for each in guilds for channel in each.channels.values()] + [self._me.direct_channel]
        return [place_json(each) for each in places if self._world.permissions(self._me, each)]

    @staticmethod
    def _message_json(message: Message) -> Json:
        data = payloads.message_json(message)
        return data | {"seen_by_me_only": True} if message.is_ephemeral else data

    def _on_change(self, change: Change) -> None:
        if isinstance(change, ActivityChanged):
            return self._activity.on_change(change)
        frame = self._frame(change)
        if frame is not None:
            self._send(frame)
        return None

    def _frame(self, change: Change) -> Json | None:
        match change:
            case MessageShown(message) if self._is_here(message) and self._world.can_see(self._me, message):
                return {"event": "message", "message": self._message_json(message)}
            case MessageGone(message) if self._is_here(message) and message.reader in (None, self._me):
                return {"event": "gone", "id": str(message.id)}
            case Notified(message, user_id) if user_id == self._me.id:
                return self._notification(message)
            case CommandsChanged():
                return {"event": "commands", "commands": self._commands()}
            case PlacesChanged(guild) if guild is self._channel.guild:
                return {"event": "channels", "channels": self._places()}
            case PersonJoined() | TimeMoved():
                return self._hello()
        return None

    @staticmethod
    def _notification(message: Message) -> Json:
        """A notification on the lock screen: who wrote where, and the text."""
        guild = message.channel.guild
        return {
            "event": "notified",
            "id": str(message.id),
            "author": payloads.user_json(message.author),
            "place": place_json(message.channel),
            "guild": guild.name if guild else None,
            "push": SeenMessage(message).push_text,
        }

    def _is_here(self, message: Message) -> bool:
        return message.channel is self._channel

    # From the page

    def _start(self, text: str) -> None:
        task = asyncio.create_task(self._handle(text), name="playground-phone-action")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _handle(self, text: str) -> None:
        try:
            frame = json.loads(text)
            action = ACTIONS[frame["action"]]
            await action(self, frame)
        except NotOffered as refused:
            self._fail(None, str(refused))
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            self._fail(None, f"The playground can't read this action: {error!r}")

    def _fail(self, message: Message | None, text: str) -> None:
        self._send({"event": "failed", "message": str(message.id) if message else None, "text": text})

    def _settle(self, reply: Reply) -> None:
        """Send the failure or modal of a reply. Its message is sent as a change."""
        if reply.failed is not None:
            self._fail(reply.interaction.message, reply.failed)
        if reply.modal is not None:
            interaction_id = str(reply.interaction.id)
            self._modals[interaction_id] = reply
            self._send({"event": "modal", "interaction_id": interaction_id, "modal": reply.modal.raw})

        if reply.activity is not None and reply.interaction.type is InteractionType.COMMAND:
            self._send({"event": "launched"})

    async def _slash(self, frame: Json) -> None:
        options = frame.get("options") or {}
        self._settle(await self._me.slash(self._channel, frame["command"], **options))

    async def _use_on(self, frame: Json) -> None:
        """Use a command of the Apps menu on a user or a message."""
        if frame.get("user"):
            user = self._world.users[int(frame["user"])]
            self._settle(await self._me.use_on_user(self._channel, user, frame["command"]))
        else:
            self._settle(await self._me.use_on_message(self._message(frame), frame["command"]))

    async def _autocomplete(self, frame: Json) -> None:
        others = {key: value for key, value in (frame.get("options") or {}).items() if key != frame["option"]}
        choices = await self._me.autocomplete(
            self._channel, frame["command"], frame["option"], str(frame["value"]), **others
        )
        self._send({"event": "choices", "request": frame["request"], "choices": choices})

    async def _click(self, frame: Json) -> None:
        message = self._message(frame)
        await self._press(message, frame, self._me.click(message, custom_id=frame["custom_id"]))

    async def _select(self, frame: Json) -> None:
        message = self._message(frame)
        action = self._me.select(message, *frame["values"], custom_id=frame["custom_id"])
        await self._press(message, frame, action)

    async def _press(self, message: SeenMessage, frame: Json, action: Awaitable[Reply]) -> None:
        thinking: Json = {"event": "thinking", "message": str(message.id), "custom_id": frame["custom_id"]}
        self._send(thinking | {"on": True})
        try:
            self._settle(await action)
        finally:
            self._send(thinking | {"on": False})

    async def _submit(self, frame: Json) -> None:
        opened = self._modals[str(frame["interaction_id"])]
        reply = await self._me.submit(opened.modal, frame["values"])
        self._settle(reply)

    async def _dismiss(self, frame: Json) -> None:
        self._me.dismiss(self._message(frame))

    async def _say(self, frame: Json) -> None:
        self._me.say(self._channel, str(frame["content"]))

    async def _launch(self, frame: Json) -> None:  # noqa: ARG002 - the channel's
        reply = await self._me.launch(self._channel)
        if reply is not None:
            self._settle(reply)

    async def _close_activity(self, frame: Json) -> None:  # noqa: ARG002 - there is one
        self._me.close_activity()

    async def _rpc(self, frame: Json) -> None:
        await self._activity.receive(frame)

    async def _layout(self, frame: Json) -> None:
        self._activity.show_as(frame["mode"])

    async def _answer(self, frame: Json) -> None:
        self._activity.answer(frame["number"], allowed=frame["allowed"] is True)

    def _message(self, frame: Json) -> SeenMessage:
        message = self._channel.messages.get(int(frame["message"]))
        if message is None:
            raise NotOffered("the message is gone")
        return SeenMessage(message)


ACTIONS: dict[str, Callable[[PageSocket, Json], Awaitable[None]]] = {
    "slash": PageSocket._slash,  # noqa: SLF001 - a table of methods of the class
    "use_on": PageSocket._use_on,  # noqa: SLF001
    "autocomplete": PageSocket._autocomplete,  # noqa: SLF001
    "click": PageSocket._click,  # noqa: SLF001
    "select": PageSocket._select,  # noqa: SLF001
    "submit": PageSocket._submit,  # noqa: SLF001
    "dismiss": PageSocket._dismiss,  # noqa: SLF001
    "say": PageSocket._say,  # noqa: SLF001
    "launch": PageSocket._launch,  # noqa: SLF001
    "close_activity": PageSocket._close_activity,  # noqa: SLF001
    "rpc": PageSocket._rpc,  # noqa: SLF001
    "layout": PageSocket._layout,  # noqa: SLF001
    "answer": PageSocket._answer,  # noqa: SLF001
}
