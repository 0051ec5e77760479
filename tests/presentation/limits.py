"""Discord's limits: https://discord.com/developers/docs/components/reference."""

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import discord

MAX_COMPONENTS = 40
MAX_TEXT_LENGTH = 4000
MAX_CUSTOM_ID_LENGTH = 100
MAX_OPTIONS = 25
ACTION_ROW, BUTTON, MENU, ROLES, CHANNELS, TEXT, SEPARATOR, CONTAINER = 1, 2, 3, 6, 8, 10, 14, 17
MENUS = (MENU, ROLES, CHANNELS)


def width(text: str) -> int:
    """The length of a text by the stricter count."""
    return len(text.encode("utf-16-le")) // 2


def payload(view: discord.ui.LayoutView) -> list[dict[str, Any]]:
    """The message as it is sent to Discord."""
    return list(view.to_components())  # type: ignore[no-untyped-call]  # discord.py's own


def components(view: discord.ui.LayoutView) -> list[dict[str, Any]]:
    """All components of a message, including nested ones."""
    return list(_every(payload(view)))


def _every(found: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for component in found:
        yield component
        yield from _every(component.get("components", []))


def text_of(view: discord.ui.LayoutView) -> str:
    """All texts of a message except buttons."""
    return "\n".join(component["content"] for component in components(view) if component["type"] == TEXT)


def everything_in(view: discord.ui.LayoutView) -> str:
    """The whole message as one text."""
    return json.dumps(payload(view), ensure_ascii=False)


def pressable(view: discord.ui.LayoutView) -> dict[str, dict[str, Any]]:
    """Buttons and menus by their ids."""
    return {component["custom_id"]: component for component in components(view) if "custom_id" in component}


def check(view: discord.ui.LayoutView) -> None:
    """Check all limits of a message."""
    found = components(view)
    assert 0 < len(found) <= MAX_COMPONENTS
    assert 0 < width(text_of(view)) <= MAX_TEXT_LENGTH
    assert all(component["content"].strip() for component in found if component["type"] == TEXT)
    ids = [component["custom_id"] for component in found if "custom_id" in component]
    assert len(ids) == len(set(ids))
    assert all(0 < width(custom_id) <= MAX_CUSTOM_ID_LENGTH for custom_id in ids)
    for component in found:
        _CHECKS.get(component["type"], _nothing)(component)


def _text(component: dict[str, Any]) -> None:
    """Discord numbers a list itself: upward by one from its first number."""
    numbers = [int(number) for number in re.findall(r"^(\d+)\. ", component["content"], re.MULTILINE)]
    assert all(after == before + 1 for before, after in pairwise(numbers))


def _row(component: dict[str, Any]) -> None:
    kinds = [inner["type"] for inner in component["components"]]
    assert kinds in [[kind] for kind in MENUS] or (set(kinds) == {BUTTON} and len(kinds) <= 5)


def _button(component: dict[str, Any]) -> None:
    assert 0 < width(component.get("label") or "") <= 80  # a screen reader needs a word


def _menu(component: dict[str, Any]) -> None:
    options = component["options"]
    assert 0 < len(options) <= MAX_OPTIONS
    assert width(component["placeholder"]) <= 150
    assert len({option["value"] for option in options}) == len(options)
    assert sum(option.get("default", False) for option in options) <= component.get("max_values", 1)
    for option in options:
        for field in ("label", "value", "description"):
            text = option.get(field)
            assert text is None or 0 < width(text) <= 100


def _picker(component: dict[str, Any]) -> None:
    """A menu of roles, or of channels."""
    assert width(component["placeholder"]) <= 150
    assert 0 <= component["min_values"] <= component["max_values"] <= MAX_OPTIONS
    assert len(component.get("default_values", [])) <= component["max_values"]


def _nothing(component: dict[str, Any]) -> None:
    assert component["type"] in (TEXT, SEPARATOR, CONTAINER)


_CHECKS = {TEXT: _text, ACTION_ROW: _row, BUTTON: _button, MENU: _menu, ROLES: _picker, CHANNELS: _picker}
