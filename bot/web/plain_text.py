"""Texts without Discord's markdown, for the page."""

import re
from collections.abc import Mapping
from functools import partial
from typing import Final

from bot.presentation.text import labels
from bot.presentation.text.i18n import Words
from bot.table.snapshot import Table

_MARKUP: Final = re.compile(
    r"\\(?P<escaped>.)|<(?:@&?|#)(?P<id>\d+)>|\*\*|`|^(?:-# |#{1,3} |> )", re.MULTILINE | re.DOTALL
)


def plain(text: str, names: Mapping[int, str] | None = None) -> str:
    """A text without markdown. `names` are those of mentioned users, channels and roles, by id."""
    return _MARKUP.sub(partial(_replaced, names or {}), text)


def _replaced(names: Mapping[int, str], found: re.Match[str]) -> str:
    if found["id"]:
        return names.get(int(found["id"]), "?")
    return found["escaped"] or ""


def names_by_user(table: Table, words: Words) -> dict[int, str]:
    """The names of the people at a table, by the ids with which texts mention them."""
    return {seat.user_id: labels.plain_name(seat.name, words) for seat in table.seats if seat.user_id is not None}
