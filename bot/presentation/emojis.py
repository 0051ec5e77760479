"""Cards as emoji of the app: it uploads them itself, once, under names that say what they show and how it is drawn."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Final, Protocol

import aiohttp
import discord

from bot.engine import Card
from bot.engine.cards import ALL_CARDS
from bot.pictures.emoji import emoji, emoji_name
from bot.pictures.studio import NotDrawn, Studio

log = logging.getLogger(__name__)

RETRY_AFTER: Final = (10.0, 60.0, 600.0)
"""Seconds until another attempt, each time longer; the last again and again."""


class EmojiKeeper(Protocol):
    """Where emoji of the app are kept: Discord's client."""

    async def fetch_application_emojis(self) -> list[discord.Emoji]:
        """All of them."""
        ...

    async def create_application_emoji(self, *, name: str, image: bytes) -> discord.Emoji:
        """Upload one more."""
        ...


class CardEmojis:
    """The emoji of the cards, as they stand in a text; none until all of them are there, nor without a studio."""

    def __init__(self, keeper: EmojiKeeper, studio: Studio | None) -> None:
        self.tags: Mapping[Card, str] = {}
        """`<:green_7_1a2b3c4d:123>` for each card, or nothing at all."""
        self._keeper = keeper
        self._studio = studio

    async def keep(self) -> None:
        """Bring what Discord keeps up to what is drawn; tries again until it is done."""
        attempt = 0
        while not self.tags and self._studio is not None:
            try:
                self.tags = await self._brought_up_to_date(self._studio)
            except (discord.HTTPException, aiohttp.ClientError, OSError, NotDrawn) as error:
                wait = RETRY_AFTER[min(attempt, len(RETRY_AFTER) - 1)]
                log.warning("cards stay in text, trying again in %d s: %s", wait, error)
                attempt += 1
                await asyncio.sleep(wait)

    async def _brought_up_to_date(self, studio: Studio) -> dict[Card, str]:
        kept = {emoji.name: emoji for emoji in await self._keeper.fetch_application_emojis()}
        tags: dict[Card, str] = {}
        for card in ALL_CARDS:
            drawing = await studio.draw(emoji, card)
            name = emoji_name(card, drawing)
            if name not in kept:
                kept[name] = await self._keeper.create_application_emoji(name=name, image=drawing)
            tags[card] = str(kept.pop(name))
        mine = {tag.split(":")[1].rpartition("_")[0] for tag in tags.values()}
        for name, old in kept.items():
            if name.rpartition("_")[0] in mine:  # the same card as it was drawn before
                await old.delete()
        return tags
