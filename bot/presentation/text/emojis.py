"""Cards, and stacks of them face down, as emoji of the app.

It uploads them itself, once, under names that say what they show and how it is drawn.
"""

import asyncio
import logging
from typing import Final, Protocol

import aiohttp
import discord

from bot.engine.cards import ALL_CARDS
from bot.pictures.emoji import card_emoji, card_name, emoji_name, stack_emoji, stack_name
from bot.pictures.errors import RenderError
from bot.pictures.faces import MAX_CARDS_LEFT
from bot.pictures.render_worker import RenderWorker
from bot.presentation.text.i18n import NO_EMOJIS, Emojis

log = logging.getLogger(__name__)

RETRY_AFTER: Final = (10.0, 60.0, 600.0)
"""Seconds until another attempt, each time longer; the last again and again."""
UPLOAD_INTERVAL: Final = 0.04
"""Seconds between uploads: of the 50 requests a second that an app has, players shall have half."""


class EmojiUploader(Protocol):
    """Where emoji of the app are kept: Discord's client."""

    async def fetch_application_emojis(self) -> list[discord.Emoji]:
        """All of them."""
        ...

    async def create_application_emoji(self, *, name: str, image: bytes) -> discord.Emoji:
        """Upload one more."""
        ...


class CardEmojis:
    """The emoji of the cards, as they stand in a text; none until all of them are there, nor without a worker."""

    def __init__(self, uploader: EmojiUploader, worker: RenderWorker | None) -> None:
        self.tags = NO_EMOJIS
        self._uploader = uploader
        self._worker = worker

    async def upload_missing(self) -> None:
        """Bring what Discord keeps up to what is drawn; tries again until it is done."""
        attempt = 0
        while self.tags is NO_EMOJIS and self._worker is not None:
            try:
                self.tags = await self._synchronized(self._worker)
            except (discord.HTTPException, aiohttp.ClientError, OSError, RenderError) as error:
                wait = RETRY_AFTER[min(attempt, len(RETRY_AFTER) - 1)]
                log.warning("cards stay in text, trying again in %d s: %s", wait, error)
                attempt += 1
                await asyncio.sleep(wait)

    async def _synchronized(self, worker: RenderWorker) -> Emojis:
        existing = {emoji.name: emoji for emoji in await self._uploader.fetch_application_emojis()}
        current: set[str] = set()

        async def tag(base_name: str, drawing: bytes) -> str:
            current.add(base_name)
            name = emoji_name(base_name, drawing)
            return str(existing.pop(name, None) or await self._upload(name, drawing))

        cards = {card: await tag(card_name(card), await worker.draw(card_emoji, card)) for card in ALL_CARDS}
        stacks = {
            left: await tag(stack_name(left), await worker.draw(stack_emoji, left))
            for left in range(MAX_CARDS_LEFT + 1)
        }
        for name, old in existing.items():
            if name.rpartition("_")[0] in current:  # the same as it was drawn before
                await old.delete()
        return Emojis(cards, stacks)

    async def _upload(self, name: str, drawing: bytes) -> discord.Emoji:
        await asyncio.sleep(UPLOAD_INTERVAL)
        return await self._uploader.create_application_emoji(name=name, image=drawing)
