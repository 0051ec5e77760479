"""Cards as application emoji. The app uploads them once, under names that identify the card and the drawing."""

import asyncio
import logging
from typing import Final, Protocol

import aiohttp
import discord

from bot.engine import Card
from bot.engine.cards import ALL_CARDS
from bot.pictures.descriptions import Emoji, draw
from bot.pictures.emoji_names import card_name, emoji_name, is_from_any_version
from bot.pictures.render_worker import RenderError, RenderWorker
from bot.presentation.text.i18n import NO_EMOJIS, Emojis

log = logging.getLogger(__name__)

RETRY_AFTER: Final = (10.0, 60.0, 600.0)
"""Seconds before each further attempt. The last value repeats."""
UPLOAD_INTERVAL: Final = 0.04
"""Seconds between uploads. Discord allows an app 50 requests a second; half of them are left for players."""


class EmojiUploader(Protocol):
    """The part of Discord's client that stores application emoji."""

    async def fetch_application_emojis(self) -> list[discord.Emoji]:
        """Return all application emoji."""

    async def create_application_emoji(self, *, name: str, image: bytes) -> discord.Emoji:
        """Upload another one."""


class CardEmojis:
    """The emoji of the cards for texts. There are none until all are uploaded, or without a worker."""

    def __init__(self, uploader: EmojiUploader, worker: RenderWorker | None) -> None:
        self.tags = NO_EMOJIS
        self._uploader = uploader
        self._worker = worker

    async def upload_missing(self) -> None:
        """Upload what is missing and delete what older versions uploaded. Retries until it succeeds."""
        attempt = 0
        while self.tags is NO_EMOJIS and self._worker is not None:
            try:
                self.tags = await self._synchronize(self._worker)
            except (discord.HTTPException, aiohttp.ClientError, OSError, RenderError) as error:
                wait = RETRY_AFTER[min(attempt, len(RETRY_AFTER) - 1)]
                log.warning("card emoji are not uploaded yet, trying again in %d s: %s", wait, error)
                attempt += 1
                await asyncio.sleep(wait)

    async def _synchronize(self, worker: RenderWorker) -> Emojis:
        existing = {emoji.name: emoji for emoji in await self._uploader.fetch_application_emojis()}

        async def tag(card: Card) -> str:
            name = emoji_name(card_name(card))
            return str(existing.pop(name, None) or await self._upload(name, await worker.draw(draw, Emoji(card))))

        cards = {card: await tag(card) for card in ALL_CARDS}
        for name, old in existing.items():
            if is_from_any_version(name):
                await old.delete()
        return Emojis(cards)

    async def _upload(self, name: str, drawing: bytes) -> discord.Emoji:
        await asyncio.sleep(UPLOAD_INTERVAL)
        return await self._uploader.create_application_emoji(name=name, image=drawing)
