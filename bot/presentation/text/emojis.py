"""Cards as application emoji. The app uploads them once, under names that identify the card and the drawing."""

import asyncio
import logging
import re
from collections.abc import Callable
from contextlib import suppress
from itertools import chain, repeat
from typing import Any, Final

import aiohttp
import discord

from bot.engine.cards import ALL_CARDS
from bot.pictures.descriptions import Emoji, draw
from bot.pictures.emoji_names import card_name, emoji_name, is_from_any_version
from bot.pictures.render_worker import RenderError, RenderWorker
from bot.presentation.text.cards import face, mark
from bot.presentation.text.i18n import NO_EMOJIS, Emojis, words_in

log = logging.getLogger(__name__)

RETRY_AFTER: Final = (10.0, 60.0, 600.0)
"""Seconds before each further attempt. The last value repeats."""
UPLOAD_INTERVAL: Final = 0.04
"""Seconds between uploads. Discord allows an app 50 requests a second; half of them are left for players."""
READ_AGAIN_AFTER: Final = 60.0
"""Seconds between two attempts to read the ids again. Discord sometimes refuses emoji that exist."""
KEEP_SECONDS: Final = 24 * 60 * 60
"""How long older drawings stay after the newest was uploaded, because a process of an older version may still run."""
_TAG: Final = re.compile(r"<:(\w+):\d+>")
_ENGLISH: Final = words_in("en")
_TEXTS: Final = {card_name(card): face(card, _ENGLISH) for card in ALL_CARDS}
_MARKS: Final = {card_name(card): mark(card, _ENGLISH) for card in ALL_CARDS}


def as_text_cards(part: Any) -> Any:  # noqa: ANN401  # a part of a message's JSON
    """A message's JSON, or a part of it, with text in place of the emoji of cards."""
    if isinstance(part, str):
        return _TAG.sub(lambda found: _TEXTS.get(_spoken(found[1]), found[0]), part)
    if isinstance(part, list):
        return [as_text_cards(each) for each in part]
    if not isinstance(part, dict):
        return part
    emoji = part.get("emoji")
    if emoji and emoji.get("id"):
        part = part | {"emoji": {"name": _MARKS.get(_spoken(emoji["name"]), "🃏")}}
    return {name: as_text_cards(value) for name, value in part.items()}


def _spoken(name: str) -> str:
    return name.rpartition("_")[0]


class CardEmojis:
    """The emoji of the cards for texts. There are none until all are uploaded, or without a worker."""

    def __init__(self, client: discord.Client, worker: RenderWorker | None) -> None:
        self.tags = NO_EMOJIS
        self._client = client
        self._worker = worker
        self._old: list[discord.Emoji] = []
        """The drawings of other versions."""
        self._newest = 0.0
        """When the newest drawing of any version was uploaded, in UTC seconds."""

    async def keep_uploaded(self, refused: asyncio.Event, show_changed: Callable[[], None]) -> None:
        """Upload what is missing, now and after Discord has refused an emoji. Calls `show_changed` after a change."""
        pause = 0.0
        while self._worker is not None:
            if await self._read(self._worker):
                show_changed()
            await asyncio.sleep(pause)
            pause = READ_AGAIN_AFTER
            refused.clear()
            await refused.wait()

    async def _read(self, worker: RenderWorker) -> bool:
        """Read the ids and upload what is missing. Retries until it succeeds. True if an id has changed."""
        for wait in chain(RETRY_AFTER, repeat(RETRY_AFTER[-1])):
            try:
                tags = await self._synchronize(worker)
                break
            except (discord.HTTPException, aiohttp.ClientError, OSError, RenderError) as error:
                log.warning("card emoji are not uploaded yet, trying again in %d s: %s", wait, error)
                await asyncio.sleep(wait)
        if tags == self.tags:
            return False
        self.tags = tags
        return True

    async def _synchronize(self, worker: RenderWorker) -> Emojis:
        existing = {emoji.name: emoji for emoji in await self._client.fetch_application_emojis()}
        found = {}
        for card in ALL_CARDS:
            name = emoji_name(card_name(card))
            if name in existing:
                found[card] = existing.pop(name)
            else:
                found[card] = await self._upload(name, await worker.draw(draw, Emoji(card)))
        self._old = [emoji for name, emoji in existing.items() if is_from_any_version(name)]
        self._newest = max(emoji.created_at.timestamp() for emoji in (*found.values(), *self._old))
        return {card: str(emoji) for card, emoji in found.items()}

    async def _upload(self, name: str, drawing: bytes) -> discord.Emoji:
        await asyncio.sleep(UPLOAD_INTERVAL)
        return await self._client.create_application_emoji(name=name, image=drawing)

    async def delete_old(self, now: int) -> None:
        """Delete the drawings of other versions, a day after the newest was uploaded (`now`: UTC seconds)."""
        while self._old and now >= self._newest + KEEP_SECONDS:
            with suppress(discord.NotFound):
                await self._old[-1].delete()
            self._old.pop()
