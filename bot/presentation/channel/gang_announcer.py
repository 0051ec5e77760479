"""Posts gangs, with their cards as a picture if it is drawn in time."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass

from bot.analysis.gangs import GangPlay
from bot.presentation.channel.idempotent_posts import ChannelClient, IdempotentPosts
from bot.presentation.records.pictures import Illustrator
from bot.presentation.table.celebration import celebration_message
from bot.presentation.text.i18n import Words
from bot.presentation.ui.files import Picture
from bot.table.snapshot import Table


@dataclass(eq=False)
class GangAnnouncer:
    """Announces gangs. A gang that beats another one replaces its message, so that open hands stay in sight."""

    _posts: IdempotentPosts
    _channels: ChannelClient
    _illustrator: Illustrator
    _picture_timeout: float = 2.0
    """Seconds that a gang waits for its picture. Without it, the text has the same cards."""

    async def post(self, table: Table, gang: GangPlay, number: int, words: Words) -> int:
        """Announce a gang, the `number`th of the match. Return the id of the message."""
        pictures = await self._pictures(table, gang, words)
        view, nonce = celebration_message(table, gang, words, pictures), gang_nonce(table, gang, number)
        message_id = await self._posts.post(table, view, nonce)
        if gang.follows:
            await self._posts.edit(table, message_id, view, nonce)
        return message_id

    async def _pictures(self, table: Table, gang: GangPlay, words: Words) -> list[Picture]:
        if not self._channels.may_attach(table.row.place_id):
            return []
        with suppress(TimeoutError):
            return await asyncio.wait_for(self._illustrator.of_gang(table, gang, words), self._picture_timeout)
        return []


def gang_nonce(table: Table, gang: GangPlay, number: int) -> str:
    """The nonce of the message for the gangs in a row of which this is the last."""
    return f"{table.id}.gang{number - gang.follows}"
