"""Answers requests of pages, with the rate limits and the sentences of refusals that presses have."""

import json
import logging
from collections.abc import Iterable
from contextlib import nullcontext
from itertools import count
from typing import Final

from bot.base.press_context import UNKNOWN, PressContext, answering, record_outcome
from bot.engine.errors import IllegalMove
from bot.presentation.text.errors import is_refusal, reason_text
from bot.presentation.ui.custom_ids import InvalidCustomId
from bot.presentation.ui.replies import UNREACHABLE, outcome_of
from bot.services.rate_limiter import Actor
from bot.table.errors import StorageError
from bot.table.limits import Action
from bot.table.refusals import (
    MayNotOpen,
    MissingRole,
    Refusal,
    TryAgainLater,
    UnknownButton,
    WrongChannel,
)
from bot.table.snapshot import Table
from bot.web.card_json import Json
from bot.web.parts import Parts
from bot.web.plain_text import names_by_user, plain
from bot.web.routing import BadRequest, Fields, Handler, Page, guild_of, handlers

log = logging.getLogger(__name__)

_NUMBERS: Final = count(1)
"""Numbers of requests, for log lines."""


class Answering:
    """Routes requests to their handlers."""

    def __init__(self, parts: Parts, groups: Iterable[object]) -> None:
        self._parts = parts
        self._handlers: dict[str, Handler] = {each.does: each for group in groups for each in handlers(group)}

    def admits(self, page: Page, frame: str | None) -> bool:
        """Count a frame like a press; None for a ping or an answer to one. False for those of a flood."""
        handler = None if frame is None else self._handler_of(_read(frame))
        by_user = frame is not None and (handler is None or handler.by_user)
        try:
            self._parts.limiter.spend(Action.PRESS, _actor(page), by_user=by_user)
        except TryAgainLater:
            return False
        return True

    async def answer(self, page: Page, frame: str) -> Json:
        """The answer to a request."""
        fields = _read(frame)
        handler, number = self._handler_of(fields), fields.values.get("id")
        number = number if type(number) is int else None
        context = PressContext(next(_NUMBERS), "page", UNKNOWN if handler is None else handler.does)
        async with nullcontext() if handler is None or handler.is_slow else page.turn:
            with answering(context):
                try:
                    return {"id": number, "ok": await self._handle(handler, page, fields)}
                except Exception as error:  # answered with a sentence
                    return {"id": number, **await self._refusal(page, fields, error)}

    def _handler_of(self, fields: Fields) -> Handler | None:
        name = fields.values.get("do")
        return self._handlers.get(name) if isinstance(name, str) else None

    async def _handle(self, handler: Handler | None, page: Page, fields: Fields) -> Json:
        """Run the handler. Raises a refusal, `BadRequest` or any other error."""
        await self._parts.admit(page.user_id)
        if handler is None:
            raise BadRequest
        if handler.cost is not None:
            self._parts.limiter.spend(handler.cost, _actor(page), by_user=handler.by_user)
        return await handler.handle(page, fields)

    async def _refusal(self, page: Page, fields: Fields, error: Exception) -> Json:
        """The sentence for a refusal. Any other error is logged once."""
        if isinstance(error, BadRequest | InvalidCustomId):
            error = UnknownButton()
        record_outcome(*outcome_of(error))
        if isinstance(error, UNREACHABLE):
            log.warning("Discord can't be reached for a request of the page: %s", type(error).__name__)
        elif not is_refusal(error):
            log.error("a request of the page failed", exc_info=error)
        words = await self._parts.words(page)
        table = await self._table(page, fields)
        names = {} if table is None else names_by_user(table, words)
        if isinstance(error, WrongChannel | MissingRole | MayNotOpen) and table is not None:
            names = await self._parts.access.names_of_places(page.user_id, table.row.guild_id)
        rule = error.rule if isinstance(error, IllegalMove | Refusal) else ""
        return {"refusal": plain(reason_text(error, words, table), names), "rule": rule}

    async def _table(self, page: Page, fields: Fields) -> Table | None:
        """The table of a request for the names in a refusal, if the user may know it."""
        try:
            return await self._parts.access.table(page.user_id, fields.number("table"))
        except (BadRequest, Refusal, StorageError, *UNREACHABLE):
            return None


def _actor(page: Page) -> Actor:
    return Actor(page.user_id, guild_of(page), page.channel_id or 0)


def _read(frame: str) -> Fields:
    """The fields of a request; none if it isn't JSON."""
    try:
        content = json.loads(frame)
    except (ValueError, RecursionError):
        content = None
    return Fields(content if isinstance(content, dict) else {})
