"""Requests of a page: their fields, and the handlers that answer them, each with its cost."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from bot.engine import Cards
from bot.engine.cards import ALL_CARDS, UnreadableCards, sorted_cards
from bot.presentation.ui.custom_ids import MAX_NUMBER
from bot.table.guild import own_guild_id
from bot.table.limits import Action
from bot.web.card_json import Json

MAX_TEXT: Final = 100
"""Characters of a text in a request."""
MAX_CARDS: Final = 16


class BadRequest(ValueError):
    """A request that the page never sends."""


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of a request. Each is checked when it's read, which raises `BadRequest`."""

    values: Json

    def number(self, name: str) -> int:
        """A number from 0."""
        return _number(self.values.get(name), name)

    def optional_number(self, name: str) -> int | None:
        """A number from 0, if there is one."""
        return None if self.values.get(name) is None else self.number(name)

    def flag(self, name: str) -> bool:
        """True or false; false if it's missing."""
        value = self.values.get(name, False)
        if type(value) is not bool:
            raise BadRequest(name)
        return value

    def text(self, name: str) -> str:
        """A short text; empty if it's missing."""
        value = self.values.get(name) or ""
        if not isinstance(value, str) or len(value) > MAX_TEXT:
            raise BadRequest(name)
        return value

    def cards(self, name: str) -> Cards:
        """A list of cards, perhaps empty."""
        value = self.values.get(name)
        if not isinstance(value, list) or len(value) > MAX_CARDS:
            raise BadRequest(name)
        try:
            return sorted_cards(ALL_CARDS[_number(card, name)] for card in value)
        except (IndexError, UnreadableCards):
            raise BadRequest(name) from None


def _number(value: object, name: str) -> int:
    if type(value) is not int or not 0 <= value <= MAX_NUMBER:
        raise BadRequest(name)
    return value


class Page(Protocol):
    """The page that sends a request."""

    user_id: int
    guild_id: int | None
    """The guild in which the Activity was opened; None in a browser."""
    channel_id: int | None
    locale: str
    turn: asyncio.Lock
    """Held while a request is answered, so that they are answered in their order."""

    def watch(self, table_id: int | None) -> None:
        """Send updates of a table from now on, or of none."""


def guild_of(page: Page) -> int:
    """The guild of the Activity, or in a browser the user's own."""
    return own_guild_id(page.user_id) if page.guild_id is None else page.guild_id


Handle = Callable[[Page, Fields], Awaitable[Json]]
Method = TypeVar("Method", bound=Callable[..., Awaitable[Json]])


@dataclass(frozen=True, slots=True)
class Handler:
    """Answers the requests of one kind."""

    does: str
    cost: Action | None
    """The action that a request counts for, besides being a press."""
    is_slow: bool
    """Other requests of the page don't wait for it."""
    by_user: bool
    """False for what the page asks by itself."""
    handle: Handle


_HANDLED: Final[dict[Callable[..., Awaitable[Json]], tuple[str, Action | None, bool, bool]]] = {}


def does(name: str, *, costs: Action | None, is_slow: bool = False, by_user: bool = True) -> Callable[[Method], Method]:
    """Route requests with this name to a method `(page, fields)`."""

    def keep(method: Method) -> Method:
        _HANDLED[method] = name, costs, is_slow, by_user
        return method

    return keep


def handlers(part: object) -> Iterator[Handler]:
    """The handlers among the methods of an object."""
    for name, method in inspect.getmembers(type(part), inspect.isfunction):
        if method in _HANDLED:
            yield Handler(*_HANDLED[method], getattr(part, name))
