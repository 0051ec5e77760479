"""One WebSocket of a page: it answers requests, and sends a picture after each change of the table that it watches."""

import asyncio
import json
import logging
from contextlib import ExitStack, suppress
from typing import Any, Final

from aiohttp import WSCloseCode, WSMsgType, web

from bot.analysis.hand_reports import HandReport
from bot.presentation.text.errors import error_text
from bot.presentation.text.i18n import Words
from bot.table.errors import StorageError
from bot.table.refusals import NoSuchTable, Refusal
from bot.table.snapshot import Table
from bot.web.answering import Answering
from bot.web.card_json import Json
from bot.web.parts import Parts
from bot.web.plain_text import plain
from bot.web.sessions import Session
from bot.web.table_json import Viewer, table_json

log = logging.getLogger(__name__)

MAX_FRAME: Final = 4096
"""Bytes of a frame from a page."""
RETRY_SECONDS: Final = 2.0
"""Seconds until a picture is tried again after the database didn't answer."""


class Connection:
    """A page whose user is known."""

    def __init__(self, socket: web.WebSocketResponse, session: Session, locale: str, parts: Parts) -> None:
        self.user_id = session.user_id
        self.guild_id = session.guild_id
        self.channel_id = session.channel_id
        self.locale = locale
        self._session = session
        self._socket = socket
        self._parts = parts
        self._changed = asyncio.Event()
        self._watching = ExitStack()
        self._table_id: int | None = None
        self._shown: Table | None = None
        """The table of the last picture."""
        self._report: HandReport | None = None
        """Of its last finished hand."""

    async def serve(self, answering: Answering) -> None:
        """Answer requests until the page leaves or its session is over."""
        pictures = asyncio.create_task(self._send_pictures(), name="pictures of a table")
        try:
            async for message in self._socket:
                if message.type is not WSMsgType.TEXT or not self._parts.sessions.goes_on(self._session):
                    break
                answer = await answering.answer(self, message.data)
                if answer is not None:
                    await self._send(answer)
        finally:
            self._watching.close()
            pictures.cancel()
            with suppress(asyncio.CancelledError):
                await pictures

    def watch(self, table_id: int | None) -> None:
        """Send pictures of a table from now on, or of none."""
        self._watching.close()
        self._table_id, self._shown, self._report = table_id, None, None
        if table_id is not None:
            self._watching.enter_context(self._parts.watchers.watching(table_id, self))
            self.wake()

    def wake(self) -> None:
        """Send a new picture soon."""
        self._changed.set()

    async def end(self, refusal: Refusal) -> None:
        """Say why nothing more comes, and close the connection."""
        words = await self._words()
        await self._send({"bye": plain(error_text(refusal, words))})
        await self._socket.close(code=WSCloseCode.SERVICE_RESTART)

    async def _send_pictures(self) -> None:
        """Send a picture after each change. Changes in quick succession need only one."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            if self._table_id is not None:
                try:
                    await self._send_picture(self._table_id)
                except StorageError:
                    asyncio.get_running_loop().call_later(RETRY_SECONDS, self.wake)

    async def _send_picture(self, table_id: int) -> None:
        words = await self._words()
        try:
            table = await self._parts.access.table(self.user_id, table_id)
        except NoSuchTable as refusal:
            self.watch(None)
            await self._send({"gone": plain(error_text(refusal, words))})
            return
        if self._table_id != table_id:
            return
        await self._read_report(table)
        viewer, before = Viewer(self.user_id, words), self._shown
        picture = table_json(table, viewer, self._parts.tables.now(), before, self._report)
        self._shown = table
        await self._send({"table": picture})

    async def _read_report(self, table: Table) -> None:
        """Read the report of the last finished hand once."""
        hand = table.hands_over
        if hand and (self._report is None or self._report.ended.hand != hand):
            reports = await self._parts.archive.reports(table, hand - 1)
            self._report = reports[0] if reports else None

    async def _words(self) -> Words:
        return await self._parts.readers.page_words(self.user_id, self.locale)

    async def _send(self, content: Json) -> None:
        with suppress(ConnectionError):  # the page has left; the loop of `serve` ends
            await self._socket.send_str(dumps(content))


def dumps(content: Any) -> str:  # noqa: ANN401  # JSON
    """JSON without spaces."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))
