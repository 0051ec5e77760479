"""The Activity on a phone of the playground's page: its frame, and the questions that the client asks for it."""

import asyncio
from collections.abc import Callable
from itertools import count

from playground.activities.rpc import ActivityFrame, LayoutMode
from playground.world.changes import ActivityChanged
from playground.world.model import Json, User
from playground.world.world import World


class ActivityScreen:
    """Shows the Activity that a person is in. `send` sends a frame to the phone."""

    def __init__(self, world: World, user: User, send: Callable[[Json], None]) -> None:
        self._world = world
        self._user = user
        self._send = send
        self._frame: ActivityFrame | None = None
        self._questions: dict[int, asyncio.Future[bool]] = {}
        self._numbers = count(1)

    def json(self) -> Json | None:
        """The part of the phone. Each new Activity gets a new frame."""
        instance = self._world.activities.of(self._user)
        if instance is None:
            self._frame = None
        elif self._frame is None or self._frame.instance is not instance:
            self._frame = ActivityFrame(self._world, self._user, instance, self._send_message, self._ask)
        if self._frame is None:
            return None
        origin, title = self._world.activities_url.rstrip("/"), f"{self._user.name} · {self._world.app.name}"
        return {"id": self._frame.id, "origin": origin, "url": self._frame.url, "title": title}

    def on_change(self, change: ActivityChanged) -> None:
        """Open or close the frame, or tell its page who has come or gone."""
        if change.user is self._user:
            self._send({"event": "activity", "activity": self.json()})
        elif self._frame is not None and self._frame.instance is change.instance:
            self._frame.show_participants()

    async def receive(self, frame: Json) -> None:
        """Pass a message of the page on. One from a frame that is gone is too late."""
        if self._frame is not None and frame["frame"] == self._frame.id:
            await self._frame.receive(frame["message"])

    def show_as(self, mode: int) -> None:
        """The person has changed the size of the frame."""
        if self._frame is not None:
            self._frame.show_as(LayoutMode(mode))

    def answer(self, number: int, *, allowed: bool) -> None:
        """The person has answered a question."""
        question = self._questions.get(number)
        if question is not None and not question.done():
            question.set_result(allowed)

    async def _ask(self, question: Json) -> bool:
        number = next(self._numbers)
        self._questions[number] = asyncio.get_running_loop().create_future()
        self._send({"event": "question", "number": number, **question})
        try:
            return await self._questions[number]
        finally:
            del self._questions[number]

    def _send_message(self, message: list[object]) -> None:
        if self._frame is not None:
            self._send({"event": "rpc", "frame": self._frame.id, "message": message})
