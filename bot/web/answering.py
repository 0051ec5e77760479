"""Answers the requests of pages: within the rates of presses, and each refusal with the sentence of the channel."""

import json
import logging
from collections.abc import Iterable
from itertools import count
from typing import Final

from bot.base.press_context import PressContext, answering, record_outcome
from bot.engine.errors import IllegalMove
from bot.presentation.text.errors import is_refusal, reason_text
from bot.presentation.ui.custom_ids import InvalidCustomId
from bot.services.rate_limiter import Actor, RateLimiter
from bot.table.errors import StorageError
from bot.table.limits import Action
from bot.table.refusals import Refusal, TryAgainLater, UnknownButton
from bot.table.snapshot import Table
from bot.web.card_json import Json
from bot.web.parts import Parts
from bot.web.plain_text import names_by_user, plain
from bot.web.routing import BadRequest, Fields, Handler, Page, handlers

log = logging.getLogger(__name__)

_NUMBERS: Final = count(1)
"""Numbers of requests, for log lines."""


class Answering:
    """Routes requests to their handlers."""

    def __init__(self, parts: Parts, groups: Iterable[object]) -> None:
        self._parts = parts
        self._handlers: dict[str, Handler] = {each.does: each for group in groups for each in handlers(group)}

    async def answer(self, page: Page, frame: str) -> Json | None:
        """The answer to a request; None for one of a flood."""
        if not _admits(self._parts.limiter, page):
            return None
        fields = _read(frame)
        name, number = fields.values.get("do"), fields.values.get("id")
        handler = self._handlers.get(name) if isinstance(name, str) else None
        number = number if type(number) is int else None
        context = PressContext(next(_NUMBERS), "page", "unknown" if handler is None else handler.does)
        with answering(context):
            try:
                return {"id": number, "ok": await self._handle(handler, page, fields)}
            except Exception as error:  # answered with a sentence
                return {"id": number, **await self._refusal(page, fields, error)}

    async def _handle(self, handler: Handler | None, page: Page, fields: Fields) -> Json:
        """Let a handler answer. Raises whatever the request deserves."""
        self._parts.admit(page.user_id)
        if handler is None:
            raise BadRequest
        if handler.cost is not None:
            self._parts.limiter.spend(handler.cost, _actor(page))
        return await handler.handle(page, fields)

    async def _refusal(self, page: Page, fields: Fields, error: Exception) -> Json:
        """The sentence for a refusal. Any other error is logged once."""
        if isinstance(error, BadRequest | InvalidCustomId):
            error = UnknownButton()
        if isinstance(error, StorageError):
            record_outcome("failed", "database")
        elif is_refusal(error):
            record_outcome("refused", type(error).__name__)
        else:
            record_outcome("failed", "bug")
            log.error("a request of the page failed", exc_info=error)
        words = await self._parts.readers.page_words(page.user_id, page.locale)
        table = await self._table(page, fields)
        names = {} if table is None else names_by_user(table, words)
        rule = error.rule if isinstance(error, IllegalMove | Refusal) else ""
        return {"refusal": plain(reason_text(error, words, table), names), "rule": rule}

    async def _table(self, page: Page, fields: Fields) -> Table | None:
        """The table of a request for the names in a refusal, if the user may know it."""
        try:
            return await self._parts.access.table(page.user_id, fields.number("table"))
        except (BadRequest, Refusal, StorageError):
            return None


def _admits(limiter: RateLimiter, page: Page) -> bool:
    """Count a request like a press. False if the user sends too many."""
    try:
        limiter.spend(Action.PRESS, _actor(page))
    except TryAgainLater:
        return False
    return True


def _actor(page: Page) -> Actor:
    return Actor(page.user_id, page.guild_id or 0, page.channel_id or 0)


def _read(frame: str) -> Fields:
    """The fields of a request; none if it isn't JSON."""
    try:
        content = json.loads(frame)
    except (ValueError, RecursionError):
        content = None
    return Fields(content if isinstance(content, dict) else {})
