"""Sends a message again with text cards if Discord refuses one of its emoji.

Discord refuses the whole message if one emoji of its buttons or menus is unknown, and sometimes although it exists.
"""

import asyncio
import json
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeAlias

import discord

from bot.presentation.text.emojis import as_text_cards

log = logging.getLogger(__name__)

_REFUSED: Final = "COMPONENT_INVALID_EMOJI"
_BODIES: Final = ("json", "payload")
_FORMS: Final = ("form", "multipart")
"""The parameters of discord.py's requests with a message, without and with files."""

Send: TypeAlias = Callable[..., Coroutine[Any, Any, Any]]


def again_with_text_cards(send: Send, refused: asyncio.Event) -> Send:
    """Let discord.py's `request` send a message again without the emoji of cards, and set `refused`."""

    async def request(*args: Any, **options: Any) -> Any:  # noqa: ANN401  # discord.py's own
        try:
            return await send(*args, **options)
        except discord.HTTPException as error:
            if _REFUSED not in str(getattr(error, "_errors", "")):  # discord.py keeps the codes to itself
                raise
            log.warning("Discord refused an emoji, so a message was sent with text cards")
            refused.set()
            return await send(*args, **_without_emoji(options))

    return request


def _without_emoji(options: dict[str, Any]) -> dict[str, Any]:
    for file in options.get("files") or ():
        file.reset(seek=True)
    return options | {
        name: as_text_cards(value) if name in _BODIES else [_field(each) for each in value]
        for name, value in options.items()
        if value is not None and name in (*_BODIES, *_FORMS)
    }


def _field(field: dict[str, Any]) -> dict[str, Any]:
    if field["name"] != "payload_json":
        return field
    return field | {"value": json.dumps(as_text_cards(json.loads(field["value"])))}
