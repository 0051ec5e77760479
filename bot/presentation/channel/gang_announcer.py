"""Posts the gangs that people play, with their cards as a picture if it is drawn in time."""

import asyncio
from typing import Final

import discord

from bot.analysis.gangs import GangPlay
from bot.presentation.channel.idempotent_posts import ChannelClient, IdempotentPosts
from bot.presentation.records.pictures import Illustrator, Picture
from bot.presentation.table.celebration import celebration_message
from bot.presentation.text.i18n import Words
from bot.table.snapshot import Table

PICTURE_TIMEOUT: Final = 2.0
"""Seconds that a gang waits for its picture. Without it, the text has the same cards."""


class GangAnnouncer:
    """Announces gangs. A gang that beats another one replaces its message, so that open hands stay in sight."""

    def __init__(
        self,
        posts: IdempotentPosts,
        channels: ChannelClient,
        illustrator: Illustrator,
        picture_timeout: float = PICTURE_TIMEOUT,
    ) -> None:
        self._posts = posts
        self._channels = channels
        self._illustrator = illustrator
        self._picture_timeout = picture_timeout

    async def post(self, table: Table, gang: GangPlay, number: int, words: Words) -> None:
        """Announce a gang, the `number`th of the match."""
        picture = await self._picture(table, gang, words)
        view, nonce = celebration_message(table, gang, words, picture), gang_nonce(table, gang, number)
        message_id = await self._posts.say(table, view, nonce, files=_files(picture))
        if gang.follows:
            await self._posts.edit(table, message_id, view, nonce, _files(picture))

    async def _picture(self, table: Table, gang: GangPlay, words: Words) -> Picture | None:
        if not self._channels.may_attach(table.row.place_id):
            return None
        try:
            return await asyncio.wait_for(self._illustrator.of_gang(table, gang, words), self._picture_timeout)
        except TimeoutError:
            return None


def gang_nonce(table: Table, gang: GangPlay, number: int) -> str:
    """The nonce of the message for the gangs in a row of which this is the last."""
    return f"{table.id}.gang{number - gang.follows}"


def _files(picture: Picture | None) -> list[discord.File]:
    return [] if picture is None else [picture.file()]
