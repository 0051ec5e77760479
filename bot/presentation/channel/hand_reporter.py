"""Posts the result of each hand; after the last one with pictures, as soon as they are drawn."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field

import aiohttp
import discord

from bot.analysis.hand_reports import HandReport
from bot.engine.events import HandEnded
from bot.presentation.channel.idempotent_posts import ChannelClient, IdempotentPosts
from bot.presentation.records.pictures import Illustrator
from bot.presentation.table.hand_report import is_last, report_message
from bot.presentation.text.i18n import Words
from bot.presentation.ui.files import Picture
from bot.services.archive import Archive
from bot.table.snapshot import Table

log = logging.getLogger(__name__)


@dataclass(eq=False)
class HandReporter:
    """Posts results and adds late pictures in the background. Must be closed."""

    _archive: Archive
    _posts: IdempotentPosts
    _channels: ChannelClient
    _illustrator: Illustrator
    _picture_timeout: float = 2.0
    """Seconds that a result waits for its pictures. Later ones are added by an edit."""
    _late: set[asyncio.Task[None]] = field(default_factory=set, init=False)

    async def post(self, table: Table, report: HandReport, words: Words) -> int:
        """Post the result of a hand, after waiting a moment for its pictures. Return the id of the message."""
        hands = (await self._archive.hands(table.id))[: report.ended.hand]
        drawing = asyncio.create_task(self._draw(table, report, hands, words))
        try:
            await asyncio.wait({drawing}, timeout=self._picture_timeout)
            is_complete = drawing.done()
            pictures = drawing.result() if is_complete else []
            view = report_message(table, report, hands, words, pictures)
            message_id = await self._posts.post(table, view, _nonce(table, report))
        except BaseException:
            drawing.cancel()
            raise
        if not is_complete:
            adding = self._add(drawing, table, report, hands, words, message_id)
            late = asyncio.create_task(adding, name="late pictures")
            self._late.add(late)
            late.add_done_callback(self._late.discard)
        return message_id

    async def close(self) -> None:
        """Cancel unfinished pictures. The results keep their text."""
        for task in self._late:
            task.cancel()
        await asyncio.gather(*self._late, return_exceptions=True)

    async def _draw(self, table: Table, report: HandReport, hands: Sequence[HandEnded], words: Words) -> list[Picture]:
        if not is_last(table, report) or not self._channels.may_attach(table.row.place_id):
            return []
        return await self._illustrator.of_ending(table, hands, words)

    async def _add(
        self,
        drawing: asyncio.Task[list[Picture]],
        table: Table,
        report: HandReport,
        hands: Sequence[HandEnded],
        words: Words,
        message_id: int,
    ) -> None:
        """Add pictures to a posted result. If that fails, the result stays as it is: its text says the same."""
        try:
            pictures = await drawing
            if pictures:
                view = report_message(table, report, hands, words, pictures)
                await self._posts.edit(table, message_id, view, _nonce(table, report))
        except (discord.HTTPException, aiohttp.ClientError, TimeoutError) as error:
            log.warning("table=%d posted a result without its pictures: %s", table.id, error)
        except Exception:
            log.exception("table=%d could not add late pictures", table.id)


def _nonce(table: Table, report: HandReport) -> str:
    return f"{table.id}.hand{report.ended.hand}"
