"""Walk the component trees of messages and modals, and read their text."""

from collections.abc import Callable, Iterator
from enum import IntEnum
from itertools import count
from typing import Any

Json = dict[str, Any]
Path = tuple[str | int, ...]


class ComponentType(IntEnum):
    """Discord's component types."""

    ACTION_ROW = 1
    BUTTON = 2
    STRING_SELECT = 3
    TEXT_INPUT = 4
    USER_SELECT = 5
    ROLE_SELECT = 6
    MENTIONABLE_SELECT = 7
    CHANNEL_SELECT = 8
    SECTION = 9
    TEXT_DISPLAY = 10
    THUMBNAIL = 11
    MEDIA_GALLERY = 12
    FILE = 13
    SEPARATOR = 14
    CONTAINER = 17
    LABEL = 18
    FILE_UPLOAD = 19
    RADIO_GROUP = 21
    CHECKBOX_GROUP = 22
    CHECKBOX = 23


SELECTS = frozenset({3, 5, 6, 7, 8})
INPUTS = SELECTS | {4, 19, 21, 22, 23}
"""The components of a modal that take input."""
BUTTON_LINK = 5
BUTTON_PREMIUM = 6


def walk(components: list[Json], at: Path) -> Iterator[tuple[Path, Json]]:
    """Every component with its path, parents first, in reading order. Skips values that aren't objects."""
    for index, component in enumerate(components):
        if isinstance(component, dict):
            yield from _walk_one(component, (*at, index))


def _walk_one(component: Json, at: Path) -> Iterator[tuple[Path, Json]]:
    yield at, component
    children = component.get("components")
    if isinstance(children, list):
        yield from walk(children, (*at, "components"))
    for name in ("accessory", "component"):
        if isinstance(component.get(name), dict):
            yield from _walk_one(component[name], (*at, name))


def flatten(components: list[Any]) -> list[Json]:
    """Every component, parents first, in reading order. Skips values that aren't objects."""
    found = []
    for component in components:
        if isinstance(component, dict):
            found.append(component)
            children = component.get("components")
            if isinstance(children, list):
                found += flatten(children)
            for name in ("accessory", "component"):
                if name in component:
                    found += flatten([component[name]])
    return found


def texts(components: list[Json]) -> Iterator[str]:
    """The text of text displays and media descriptions, in reading order. Excludes buttons."""
    for component in flatten(components):
        if component.get("type") == ComponentType.TEXT_DISPLAY:
            yield component["content"]
        for each in (component, *component.get("items", ())):
            if each.get("description"):
                yield each["description"]


def with_ids(components: list[Json]) -> list[Json]:
    """A copy without null fields in which each component has an `id`, as Discord assigns it.

    Ids of emoji and default values become strings: Discord accepts numbers but sends strings.
    """
    copied: list[Json] = _without_nulls(components)
    taken = {component["id"] for component in flatten(copied) if component.get("id")}
    free = (number for number in count(1) if number not in taken)
    for component in flatten(copied):
        if not component.get("id"):
            component["id"] = next(free)
        named = [part.get("emoji") for part in (component, *component.get("options", ())) if isinstance(part, dict)]
        for part in (*named, *component.get("default_values", ())):
            if isinstance(part, dict) and "id" in part:
                part["id"] = str(part["id"])
    return copied


def _without_nulls(value: Any) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, dict):
        return {key: _without_nulls(each) for key, each in value.items() if each is not None}
    if isinstance(value, list):
        return [_without_nulls(each) for each in value]
    return value


def with_media(components: list[Json], resolve: Callable[[str], Json]) -> list[Json]:
    """A copy in which each media object is replaced by `resolve(url)`."""
    copies = [component.copy() for component in components]
    for copy in copies:
        for key, value in copy.items():
            if key in ("media", "file"):
                copy[key] = resolve(value["url"])
            elif key in ("components", "items"):
                copy[key] = with_media(value, resolve)
            elif key == "accessory":
                (copy[key],) = with_media([value], resolve)
    return copies
