"""Read messages as they are sent, and check that Discord accepts them by the stricter count, in UTF-16 units."""

import json
import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

import discord

from bot.presentation.ui.components import Call, Layout
from bot.presentation.ui.custom_ids import Verb
from playground.checks.components import MAX_V2_TEXT, check_components
from playground.checks.controls import CheckContext
from playground.checks.modals import check_modal
from playground.components import ComponentType, flatten
from tests.presentation.sample_tables import SNOWFLAKE

MAX_TEXT_LENGTH = MAX_V2_TEXT
MAX_CONTENT = 2000
_ASTRAL: Final = re.compile("[\U00010000-\U0010ffff]")
"""Characters of two units."""


def width(text: str) -> int:
    """The length of a text by the stricter count."""
    return len(text.encode("utf-16-le")) // 2


def payload(view: Layout) -> list[dict[str, Any]]:
    """The message as it is sent to Discord."""
    return view.to_components()


def components(view: Layout) -> list[dict[str, Any]]:
    """All components of a message, including nested ones."""
    return flatten(payload(view))


def text_of(view: Layout) -> str:
    """All texts of a message except buttons."""
    if isinstance(view, Call):
        return view.content
    return "\n".join(each["content"] for each in components(view) if each["type"] == ComponentType.TEXT_DISPLAY)


def everything_in(view: Layout) -> str:
    """The whole message as one text."""
    return json.dumps(payload(view), ensure_ascii=False)


def pressable(view: Layout) -> dict[str, dict[str, Any]]:
    """Buttons and menus by their ids. A menu in place of buttons counts as these buttons."""
    found = dict[str, dict[str, Any]]()
    for component in components(view):
        if str(Verb.BUTTONS) in component.get("custom_id", "").split(":")[:2]:
            found |= {each["value"]: {"type": 2, "label": each["label"]} for each in component["options"]}
        elif "custom_id" in component:
            found[component["custom_id"]] = component
    return found


def check(view: Layout) -> None:
    """Check that Discord accepts a message, and that everyone can read it."""
    sent = payload(view)
    assert sent
    assert all(map(is_isolated, (*_texts(sent), text_of(view))))
    is_v2 = view.has_components_v2()
    assert not list(check_components(_widened(sent), (), is_v2=is_v2, context=CheckContext({SNOWFLAKE})))
    assert is_v2 or 1 <= width(text_of(view)) <= MAX_CONTENT
    for component in flatten(sent):
        match component["type"]:
            case ComponentType.TEXT_DISPLAY:
                assert component["content"].strip()
                _check_lists(component["content"])
            case ComponentType.BUTTON:
                assert component.get("label")  # a screen reader needs a word


def is_isolated(text: str) -> bool:
    """True if nothing written from right to left changes the order of what stands beside it."""
    outside = re.sub("\u2068[^\u2068\u2069]*\u2069", "", text)
    return not any(unicodedata.bidirectional(each) in ("R", "AL", "AN") or each in "\u2068\u2069" for each in outside)


def check_form(form: discord.ui.Modal) -> None:
    """Check that Discord accepts a form."""
    assert not check_modal(_widened(form.to_dict()))


def _texts(sent: Any) -> Iterator[str]:  # noqa: ANN401  # JSON
    """All texts in a message, also those of menus and alternative texts."""
    match sent:
        case str():
            yield sent
        case list() | dict():
            for each in sent.values() if isinstance(sent, dict) else sent:
                yield from _texts(each)


def _widened(sent: Any) -> Any:  # noqa: ANN401  # JSON
    """A copy in which each character has one unit. Names of emoji stay."""

    def widen(found: dict[str, Any]) -> dict[str, Any]:
        return {
            name: _ASTRAL.sub("xx", value) if isinstance(value, str) and name != "name" else value
            for name, value in found.items()
        }

    return json.loads(json.dumps(sent), object_hook=widen)


def _check_lists(text: str) -> None:
    """Discord numbers a list itself: upward by one from its first number."""
    numbers = [int(number) for number in re.findall(r"^(\d+)\. ", text, re.MULTILINE)]
    assert all(after == before + 1 for before, after in pairwise(numbers))
