"""The app's requests to Discord: messages are changed on their way, and responses are counted and read.

The names of commands become clickable. A message with a refused emoji is sent again with text cards: Discord refuses
the whole message if one emoji of its buttons or menus is unknown, and sometimes although it exists.

discord.py needn't read Discord's copies of the app's own messages. Discord sends one with each press of their buttons,
and returns one for each answer and edit. The app never reads their components, and discord.py takes a third as long to
read a hand as the app takes to build it.
"""

import asyncio
import json
import logging
import re
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any, Final, TypeAlias

import aiohttp
import discord
from discord.http import MultipartParameters, Route, handle_message_parameters
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from bot.base import press_context
from bot.base.metrics import DISCORD_RATE_LIMITED, DISCORD_REQUESTS
from bot.presentation.channel.open_hands import ORIGINAL
from bot.presentation.text.emojis import as_text_cards

log = logging.getLogger(__name__)

MAX_CONTENT, MAX_TEXTS = 2000, 4000
"""Discord's limits for the text of a message, and for those of one of components."""
_COMMAND: Final = re.compile(r"`/gang ([^`\s]+)`")
_FORM: Final = discord.InteractionResponseType.modal.value
_TEXT: Final = discord.ComponentType.text_display.value
_BODIES: Final = ("json", "payload")
_PARTS: Final = ("form", "multipart")
"""The parameters of discord.py's requests with a message, without and with files."""

SUCCESSES: Final = range(200, 300)
NO_CONTENT: Final = 204
TOO_MANY_REQUESTS: Final = 429
SCOPES: Final = ("user", "global", "shared")
"""https://docs.discord.com/developers/topics/rate-limits#header-format-rate-limit-header-examples"""

_NOBODY: Final = discord.AllowedMentions.none()

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
        """Discord.py's `request`, with changed messages.

        It also raises `aiohttp.ClientPayloadError` for a response that isn't JSON.
        """

        async def request(route: Any, *args: Any, **options: Any) -> Any:  # noqa: ANN401  # discord.py's own
            options = _changed(options, self._with_mentions)
            try:
                return await send(route, *args, **options)
            except (json.JSONDecodeError, UnicodeDecodeError):
                raise aiohttp.ClientPayloadError("a response without readable JSON") from None
            except discord.HTTPException as error:
                is_message = "/emojis" not in route.path  # rather than an emoji itself
                if not is_message or "emoji" not in error.text.lower():  # in the text, or in the name of the field
                    raise
            if not self.emoji_refused.is_set():  # it may refuse many in a row
                log.warning("Discord refused an emoji, so messages are sent again with text cards")
            self.emoji_refused.set()
            for file in options.get("files") or ():
                file.reset(seek=True)
            return await send(route, *args, **_changed(options, as_text_cards))

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


class AnswersWithoutCopy(AsyncWebhookAdapter):
    """Answers interactions without asking for a copy of the message, which discord.py always does.

    https://discord.com/developers/docs/interactions/receiving-and-responding#create-interaction-response
    """

    async def create_interaction_response(  # type: ignore[override]  # a coroutine function, like those of its callers
        self,
        interaction_id: int,
        token: str,
        *,
        session: aiohttp.ClientSession,
        params: MultipartParameters,
        **options: Any,  # noqa: ANN401  # discord.py's own
    ) -> dict[str, Any]:
        """Answer an interaction. Returns the part of a response that discord.py needs."""
        path = "/interactions/{webhook_id}/{webhook_token}/callback"
        route = Route("POST", path, webhook_id=interaction_id, webhook_token=token)
        if params.files:
            await self.request(route, session, files=params.files, multipart=params.multipart, **options)
        else:
            await self.request(route, session, payload=params.payload, **options)
        return {"interaction": {"id": interaction_id}}


def _skip_components(message: discord.Message, _components: object) -> None:
    """Leave the components of a message empty."""
    message.components = []


def answer_without_copies() -> AsyncWebhookAdapter:
    """Do without components in all messages, and without copies in the answers of this task and those it starts.

    Returns what sends these answers.
    """
    discord.Message._handle_components = _skip_components  # type: ignore # noqa: SLF001  # discord.py has no option for it
    adapter = AnswersWithoutCopy()  # type: ignore[no-untyped-call]  # discord.py's own
    async_context.set(adapter)
    return adapter


async def edit_original(webhook: discord.Webhook, view: discord.ui.LayoutView) -> None:
    """Edit the answer to an interaction with its webhook, without an object for the copy that Discord returns."""
    with handle_message_parameters(view=view, allowed_mentions=_NOBODY) as params:
        await async_context.get().edit_webhook_message(
            webhook.id,
            webhook.token or "",
            ORIGINAL,
            session=webhook.session,
            payload=params.payload,
            with_components=True,
        )


async def _read_response(
    _session: aiohttp.ClientSession, _context: SimpleNamespace, ended: aiohttp.TraceRequestEndParams
) -> None:
    """Count a response. Raises `aiohttp.ClientPayloadError` for a success that isn't JSON.

    Such a response comes from something in between, such as a proxy, so it's trouble with the network.
    """
    response = ended.response
    DISCORD_REQUESTS.labels(f"{response.status // 100}xx").inc()
    if response.status == TOO_MANY_REQUESTS:
        scope = response.headers.get("X-RateLimit-Scope")
        DISCORD_RATE_LIMITED.labels(scope if scope in SCOPES else "unknown").inc()
    elif response.status in SUCCESSES and response.status != NO_CONTENT and response.content_type != "application/json":
        response.close()
        raise aiohttp.ClientPayloadError(f"{response.status} without readable JSON")
    elif ended.url.path.endswith("/callback") and (press := press_context.current()) is not None:
        press.record_answer()


async def _count_failure(
    _session: aiohttp.ClientSession, _context: SimpleNamespace, _failed: aiohttp.TraceRequestExceptionParams
) -> None:
    DISCORD_REQUESTS.labels("error").inc()


def trace() -> aiohttp.TraceConfig:
    """A trace that counts and checks the responses, for the option `http_trace` of discord.py's client."""
    config = aiohttp.TraceConfig()
    config.on_request_end.append(_read_response)
    config.on_request_exception.append(_count_failure)
    return config
