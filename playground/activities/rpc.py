"""The messages between an Activity's page and the client around it.

A message is a pair of an opcode and an object. A command gets one answer, with its nonce.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from enum import IntEnum
from urllib.parse import urlencode

from playground.activities.commands import COMMANDS, EVENTS, UNSUPPORTED, participants_json
from playground.activities.session import RpcError, RpcErrorCode, RpcSession
from playground.world.instance import ActivityInstance
from playground.world.model import Json, User
from playground.world.world import World

PARTICIPANTS = "ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE"
LAYOUT = "ACTIVITY_LAYOUT_MODE_UPDATE"
MOBILE_VERSION = "300.0"
"""A version of Discord's app on phones."""


class Opcode(IntEnum):
    """The kinds of messages."""

    HANDSHAKE = 0
    FRAME = 1
    CLOSE = 2


class CloseCode(IntEnum):
    """Why the client ends the connection to a page."""

    INVALID_CLIENT_ID = 4000
    INVALID_VERSION = 4004
    INVALID_ENCODING = 4005


class LayoutMode(IntEnum):
    """How large an Activity is shown: on the whole screen, in a corner, or in a grid beside others."""

    FOCUSED = 0
    PIP = 1
    GRID = 2


class ActivityFrame:
    """The page of an Activity on a person's screen. `send` sends it a message."""

    def __init__(
        self,
        world: World,
        user: User,
        instance: ActivityInstance,
        send: Callable[[list[object]], None],
        ask: Callable[[Json], Awaitable[bool]],
    ) -> None:
        self.id = secrets.token_hex(16)
        self.instance = instance
        self._world = world
        self._session = RpcSession(world, user, instance, ask)
        self._send = send
        self._is_ready = False

    @property
    def url(self) -> str:
        """The address of the page, with what Discord tells it."""
        channel = self.instance.channel
        told = {
            "instance_id": self.instance.id,
            "launch_id": self.instance.launch_id,
            "location_id": self.instance.location_id,
            "channel_id": channel.id,
            "frame_id": self.id,
            "platform": "mobile",
            "mobile_app_version": MOBILE_VERSION,
        }
        if channel.guild is not None:
            told["guild_id"] = channel.guild.id
        return f"{self._world.activities_url}?{urlencode(told)}"

    async def receive(self, message: object) -> None:
        """Handle a message of the page. Those that have another shape come from something else than the SDK."""
        match message:
            case [Opcode.HANDSHAKE, dict(data)]:
                self._shake_hands(data)
            case [Opcode.FRAME, dict(data)] if self._is_ready:
                await self._answer(data)
            case [Opcode.FRAME, dict()]:
                self._world.report_violation("an Activity sent a command before it was ready")
            case [Opcode.CLOSE, dict()]:
                self._world.activities.leave(self._session.user)

    def _shake_hands(self, data: Json) -> None:
        if str(data.get("client_id")) != str(self._world.app.id) or data.get("frame_id") != self.id:
            return self._close(CloseCode.INVALID_CLIENT_ID, "Invalid Client ID")
        if data.get("v") != 1:
            return self._close(CloseCode.INVALID_VERSION, "Invalid Version")
        if data.get("encoding", "json") != "json":
            return self._close(CloseCode.INVALID_ENCODING, "Invalid Encoding")
        self._is_ready = True
        self._session.begin()
        page = self._world.assets.origin.partition("//")[2]
        config = {"cdn_host": page, "api_endpoint": f"//{page}/api", "environment": "playground"}
        return self._dispatch("READY", {"v": 1, "config": config})

    def _close(self, code: CloseCode, message: str) -> None:
        self._world.report_violation(f"an Activity's handshake was refused: {int(code)} {message}")
        self._send([Opcode.CLOSE, {"code": int(code), "message": message}])

    async def _answer(self, frame: Json) -> None:
        name, nonce = str(frame.get("cmd")), frame.get("nonce")
        reply: Json = {"cmd": name, "nonce": nonce, "evt": None}
        try:
            reply["data"] = await self._do(name, frame)
        except RpcError as error:
            sentence = f"{name} of an Activity: {int(error.code)} {error}"
            if error.is_violation:
                self._world.report_violation(sentence)
            else:
                self._world.refusals.append(sentence)
            reply |= {"evt": "ERROR", "data": {"code": int(error.code), "message": str(error)}}
        self._send([Opcode.FRAME, reply])

    async def _do(self, name: str, frame: Json) -> Json | None:
        args = frame.get("args") or {}
        if not isinstance(args, dict) or not isinstance(frame.get("nonce"), str):
            raise RpcError(RpcErrorCode.INVALID_PAYLOAD, "Invalid Payload")
        if name in UNSUPPORTED:
            raise RpcError(RpcErrorCode.UNKNOWN, f"The playground doesn't support {name}")
        if name not in COMMANDS:
            raise RpcError(RpcErrorCode.INVALID_COMMAND, f"Invalid command: {name}")
        if name in ("SUBSCRIBE", "UNSUBSCRIBE"):
            if frame.get("evt") not in EVENTS:
                raise RpcError(RpcErrorCode.INVALID_EVENT, f"Invalid event: {frame.get('evt')}")
            args = args | {"evt": frame["evt"]}
        return await COMMANDS[name](self._session, args)

    # Events

    def show_as(self, mode: LayoutMode) -> None:
        """Tell the page how large it is shown."""
        self._publish(LAYOUT, {"layout_mode": int(mode)})

    def show_participants(self) -> None:
        """Tell the page who is in the instance."""
        self._publish(PARTICIPANTS, participants_json(self.instance))

    def _publish(self, event: str, data: Json) -> None:
        if event in self._session.events:
            self._dispatch(event, data)

    def _dispatch(self, event: str, data: Json) -> None:
        self._send([Opcode.FRAME, {"cmd": "DISPATCH", "evt": event, "data": data, "nonce": None}])
