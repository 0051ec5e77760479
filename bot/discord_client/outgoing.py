"""Changes messages on their way to Discord.

The names of commands become clickable. A message with a refused emoji is sent again with text cards: Discord refuses
the whole message if one emoji of its buttons or menus is unknown, and sometimes although it exists.
"""

import asyncio
import json
import logging
import re
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias

import discord

from bot.presentation.text.emojis import as_text_cards

log = logging.getLogger(__name__)

MAX_CONTENT, MAX_TEXTS = 2000, 4000
"""Discord's limits for the text of a message, and for those of one of components."""
_COMMAND: Final = re.compile(r"`/gang ([^`\s]+)`")
_REFUSED: Final = "COMPONENT_INVALID_EMOJI"
_FORM: Final = discord.InteractionResponseType.modal.value
_TEXT: Final = discord.ComponentType.text_display.value
_BODIES: Final = ("json", "payload")
_PARTS: Final = ("form", "multipart")
"""The parameters of discord.py's requests with a message, without and with files."""

Send: TypeAlias = Callable[..., Coroutine[Any, Any, Any]]
Json: TypeAlias = dict[str, Any]


class Outgoing:
    """Changes the messages of a client."""

    def __init__(self) -> None:
        self.emoji_refused = asyncio.Event()
        """Set after Discord has refused an emoji."""
        self.mentions: Mapping[str, str] = {}
        """A mention of each published command, `</gang hand:1>`, by its name in every language."""

    def through(self, send: Send) -> Send:
        """Discord.py's `request`, with changed messages."""

        async def request(*args: Any, **options: Any) -> Any:  # noqa: ANN401  # discord.py's own
            options = _changed(options, self._with_mentions)
            try:
                return await send(*args, **options)
            except discord.HTTPException as error:
                if _REFUSED not in str(getattr(error, "_errors", "")):  # discord.py keeps the codes to itself
                    raise
            if not self.emoji_refused.is_set():  # it may refuse many in a row
                log.warning("Discord refused an emoji, so messages are sent again with text cards")
            self.emoji_refused.set()
            for file in options.get("files") or ():
                file.reset(seek=True)
            return await send(*args, **_changed(options, as_text_cards))

        return request

    def _with_mentions(self, body: Json) -> Json:
        """A request's body in which commands can be tapped, as far as the texts don't become too long."""
        message = body.get("data") or body
        if not self.mentions or body.get("type") == _FORM:
            return body
        is_plain = bool(message.get("content"))
        texts = [message] if is_plain else list(_texts(message.get("components") or ()))
        room = (MAX_CONTENT if is_plain else MAX_TEXTS) - sum(len(text["content"]) for text in texts)
        for text in texts:
            if "`/gang " in text["content"]:
                longer = self._clickable(text["content"])
                room -= len(longer) - len(text["content"])
                if room >= 0:
                    text["content"] = longer
        return body

    def _clickable(self, text: str) -> str:
        return _COMMAND.sub(lambda found: self.mentions.get(found[1], found[0]), text)


def _texts(components: Iterable[Json]) -> Iterator[Json]:
    """The texts among components; none of them is in a row."""
    for component in components:
        if component["type"] == _TEXT:
            yield component
        elif component["type"] != discord.ComponentType.action_row.value:
            yield from _texts(component.get("components", ()))


def _changed(options: dict[str, Any], change: Callable[[Json], Json]) -> dict[str, Any]:
    """The options of a request, with its message changed."""
    for name in _BODIES:
        if isinstance(options.get(name), dict):
            options = options | {name: change(options[name])}
    for name in _PARTS:
        if options.get(name):
            options = options | {name: [_changed_part(part, change) for part in options[name]]}
    return options


def _changed_part(part: dict[str, Any], change: Callable[[Json], Json]) -> dict[str, Any]:
    if part["name"] != "payload_json":
        return part
    return part | {"value": json.dumps(change(json.loads(part["value"])))}
