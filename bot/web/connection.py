"""One WebSocket of a page: it answers requests, and sends an update after each change of the table that it watches."""

import asyncio
import json
import logging
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, Final

from aiohttp import WSCloseCode, WSMsgType, web

from bot.presentation.table.daily import end_lines
from bot.presentation.text.errors import error_text
from bot.presentation.text.i18n import Words
from bot.presentation.ui.replies import UNREACHABLE
from bot.table.errors import StorageError
from bot.table.limits import REQUESTS
from bot.table.refusals import DailyNotOver, NoSuchTable, Refusal
from bot.table.snapshot import Table
from bot.web.answering import Answering
from bot.web.card_json import Json
from bot.web.parts import Parts
from bot.web.plain_text import plain
from bot.web.sessions import Session
from bot.web.table_json import Viewer, table_json

log = logging.getLogger(__name__)

RETRY_SECONDS: Final = 2.0
"""Seconds until an update is tried again after the database or Discord didn't answer."""
SEND_SECONDS: Final = 10.0
"""Seconds within which a page must take what it gets."""
SIGN_OF_LIFE_SECONDS: Final = 20.0
"""Seconds without a change after which an empty frame is sent. A page can't see pings, and counts a long silence as the
end of the connection."""
ALWAYS: Final = ("number", "length", "now")
"""The parts of an update that are sent even if they haven't changed."""
FLOOD_SECONDS: Final = 0.05
"""Seconds until the next frame of a page beyond the rate limits is read. Its frames wait in its own buffers."""


class Connection:
    """A page whose user is known."""

    def __init__(
        self,
        socket: web.WebSocketResponse,
        session: Session,
        locale: str,
        parts: Parts,
        answering: Answering,
        drop: Callable[[], None],
    ) -> None:
        """`drop` ends the connection without waiting for the page."""
        self.user_id = session.user_id
        self.guild_id = session.guild_id
        self.channel_id = session.channel_id
        self.locale = locale
        self.turn = asyncio.Lock()
        self._session = session
        self._socket = socket
        self._parts = parts
        self._answering = answering
        self._drop = drop
        self._changed = asyncio.Event()
        self._watching = ExitStack()
        self._table_id: int | None = None
        self._to_open: int | None = None
        """A table that the page opens next, since its user has pressed a button in Discord."""
        self._shown: Table | None = None
        """The table of the last update."""
        self._update: Json = {}
        """The last update."""
        self._language = ""
        """The language that the page knows."""
        self._requests: set[asyncio.Task[None]] = set()

    async def serve(self) -> None:
        """Answer requests until the page leaves or its session is over."""
        self._language = (await self._parts.words(self)).language
        await self._send({"welcome": {"language": self._language}})
        updates = asyncio.create_task(self._send_updates(), name="updates of a table")
        try:
            async for message in self._socket:
                is_ping = message.type in (WSMsgType.PING, WSMsgType.PONG)
                if not is_ping and message.type is not WSMsgType.TEXT:
                    break
                if await self._is_over():
                    await self._send({"bye": ""})
                    break
                if not await self._admit(None if is_ping else message.data):  # pings would keep the app busy, too
                    continue
                if message.type is WSMsgType.TEXT:
                    await self._receive(message.data)
                elif message.type is WSMsgType.PING:
                    await self._socket.pong(message.data)
        finally:
            self._watching.close()
            updates.cancel()
            await asyncio.wait({updates, *self._requests})  # a move that has begun is made

    async def _is_over(self) -> bool:
        """True if the session is over."""
        try:
            return not await self._parts.goes_on(self._session)
        except StorageError:  # the answer says so
            return False

    async def _receive(self, frame: str) -> None:
        """Begin to answer a request."""
        if len(self._requests) >= REQUESTS:
            await asyncio.wait(self._requests, return_when=asyncio.FIRST_COMPLETED)
        request = asyncio.create_task(self._answer(frame), name="request of a page")
        self._requests.add(request)
        request.add_done_callback(self._requests.discard)

    async def _admit(self, frame: str | None) -> bool:
        """Count a frame. False, after a pause, for those of a flood."""
        is_admitted = self._answering.admits(self, frame)
        if not is_admitted:
            await asyncio.sleep(FLOOD_SECONDS)
        return is_admitted

    async def _answer(self, frame: str) -> None:
        answer = await self._answering.answer(self, frame)
        await self._send(answer)
        if "refusal" in answer:  # the page may show an earlier state, or a table that is hidden by now
            self.wake()

    def watch(self, table_id: int | None) -> None:
        """Send updates of a table from now on, or of none."""
        self._watching.close()
        self._table_id, self._shown, self._update = table_id, None, {}
        if table_id is not None:
            self._watching.enter_context(self._parts.watchers.watching(table_id, self))
            self.wake()

    def open(self, table_id: int) -> None:
        """Let the page open a table soon."""
        self._to_open = table_id
        self.wake()

    def wake(self) -> None:
        """Send a new update soon."""
        self._changed.set()

    async def end(self, refusal: Refusal, code: WSCloseCode) -> None:
        """Say why nothing more comes, and close the connection."""
        await self._send({"bye": plain(error_text(refusal, await self._parts.words(self)))})
        await self._socket.close(code=code)

    async def _send_updates(self) -> None:
        """Send an update after each change. Changes in quick succession need only one."""
        while True:
            try:
                async with asyncio.timeout(SIGN_OF_LIFE_SECONDS):
                    await self._changed.wait()
            except TimeoutError:
                await self._send({})
                continue
            self._changed.clear()
            if self._to_open is not None:
                opened, self._to_open = self._to_open, None
                await self._send({"open": opened})
            if self._table_id is None:
                continue
            try:
                await self._send_update(self._table_id)
            except (StorageError, *UNREACHABLE):
                asyncio.get_running_loop().call_later(RETRY_SECONDS, self.wake)
            except Exception:
                log.exception("an update of table %d failed", self._table_id)

    async def _send_update(self, table_id: int) -> None:
        if not await self._parts.goes_on(self._session):
            self.watch(None)
            await self._send({"bye": ""})
            await self._socket.close()
            return
        words = await self._parts.words(self)
        if words.language != self._language:
            self._language = words.language
            await self._send({"language": words.language})
        try:
            table = await self._parts.access.shown_table(self.user_id, table_id)
        except NoSuchTable as refusal:
            if self._table_id != table_id:
                return
            self.watch(None)
            await self._send({"gone": plain(error_text(refusal, words))})
            return
        report, more = await self._parts.reports.last(table), await self._after_the_end(table, words)
        if self._table_id != table_id:
            return
        viewer, now = Viewer(self.user_id, words), self._parts.tables.now()
        update = table_json(table, viewer, now, self._shown, report) | more
        changes = {name: part for name, part in update.items() if name in ALWAYS or part != self._update.get(name)}
        content = {"changes": changes} if self._update else {"table": update}
        self._shown, self._update = table, update
        await self._send(content)

    async def _after_the_end(self, table: Table, words: Words) -> Json:
        """The open table where the players of a match that is over play again, and the result of a hand of the day."""
        if table.row.status.is_open:
            return {"rematch": None}
        if table.row.daily is None:
            return {"rematch": next(iter(await self._parts.tables.open.rematches(table.id)), None)}
        try:
            found = await self._parts.daily.leaderboard(table.row.guild_id, table.row.daily, self.user_id)
        except DailyNotOver:  # the player's data has been deleted
            return {"rematch": None}
        return {"rematch": None, "notice": plain("\n".join(end_lines(found, self.user_id, words)))}

    async def _send(self, content: Json) -> None:
        try:
            async with asyncio.timeout(SEND_SECONDS):
                await self._socket.send_str(dumps(content))
        except ConnectionError:  # the page has left; the loop of `serve` ends
            return
        except TimeoutError:  # it doesn't read
            self._drop()


def dumps(content: Any) -> str:  # noqa: ANN401  # JSON
    """JSON without spaces."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))
