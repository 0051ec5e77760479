"""Cards as emoji of the app: it uploads them itself, once, under names that say what they show and how it is drawn."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, Protocol

import aiohttp
import discord

from bot.engine import Card

log = logging.getLogger(__name__)

RETRY_AFTER: Final = (10.0, 60.0, 600.0)
"""Seconds until another attempt, each time longer; the last again and again."""


class Emoji(Protocol):
    """What Discord keeps."""

    name: str

    async def delete(self) -> None:
        """Take it away."""
        ...


class EmojiKeeper(Protocol):
    """Where emoji of the app are kept: Discord's client."""

    async def fetch_application_emojis(self) -> list[discord.Emoji]:
        """All of them."""
        ...

    async def create_application_emoji(self, *, name: str, image: bytes) -> discord.Emoji:
        """Upload one more."""
        ...


Drawn = Mapping[Card, tuple[str, bytes]]
"""A name and a picture (PNG) for each card."""


class CardEmojis:
    """The emoji of the cards, as they stand in a text; none until all of them are there."""

    def __init__(self, keeper: EmojiKeeper, draw: Callable[[], Awaitable[Drawn]]) -> None:
        self.tags: Mapping[Card, str] = {}
        """`<:green_7_1a2b3c4d:123>` for each card, or nothing at all."""
        self._keeper = keeper
        self._draw = draw

    async def keep(self) -> None:
        """Bring what Discord keeps up to what is drawn; tries again until it is done."""
        attempt = 0
        while not self.tags:
            try:
                self.tags = await self._brought_up_to_date()
            except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                wait = RETRY_AFTER[min(attempt, len(RETRY_AFTER) - 1)]
                log.warning("cards stay in text, trying again in %d s: %s", wait, error)
                attempt += 1
                await asyncio.sleep(wait)

    async def _brought_up_to_date(self) -> dict[Card, str]:
        drawn = await self._draw()
        kept = {emoji.name: emoji for emoji in await self._keeper.fetch_application_emojis()}
        tags = {}
        for card, (name, picture) in drawn.items():
            if name not in kept:
                kept[name] = await self._keeper.create_application_emoji(name=name, image=picture)
            tags[card] = str(kept.pop(name))
        for name, emoji in kept.items():
            if _is_an_older_one(name, drawn):
                await emoji.delete()
        return tags


def _is_an_older_one(name: str, drawn: Drawn) -> bool:
    """Whether an emoji shows a card as it was drawn before; others that the app may have are left alone."""
    shows = name.rpartition("_")[0]
    return any(shows == new.rpartition("_")[0] for new, _ in drawn.values())
