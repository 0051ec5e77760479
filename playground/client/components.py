"""Buttons and select menus of messages: which a client can use, and their interaction data."""

from collections.abc import Sequence
from datetime import datetime

from playground import components
from playground.client.resolving import NotOffered, OptionType, resolve
from playground.components import ComponentType
from playground.world.model import Channel, Json
from playground.world.world import World

OPTION_TYPES = {
    ComponentType.USER_SELECT: OptionType.USER,
    ComponentType.ROLE_SELECT: OptionType.ROLE,
    ComponentType.MENTIONABLE_SELECT: OptionType.MENTIONABLE,
    ComponentType.CHANNEL_SELECT: OptionType.CHANNEL,
}


def button_id(parts: list[Json], label: str | None, custom_id: str | None) -> str:
    """The custom id of the button with this label or custom id. Raises NotOffered if it can't be pressed."""
    buttons = [each for each in components.flatten(parts) if each["type"] == ComponentType.BUTTON]
    if custom_id is not None:
        found = [each for each in buttons if each.get("custom_id") == custom_id]
    else:
        found = [each for each in buttons if each.get("label") == label]
    labels = [each.get("label") or each.get("custom_id") for each in buttons]
    if not found:
        raise NotOffered(f"there is no button {label or custom_id!r}, only {labels}")
    if len(found) > 1:
        raise NotOffered(f"{len(found)} buttons say {label!r}: name one by its custom_id")
    if found[0].get("disabled"):
        raise NotOffered(f"{label or custom_id!r} is disabled")
    if not found[0].get("custom_id"):
        raise NotOffered(f"{label!r} is a link")
    return str(found[0]["custom_id"])


Choice = tuple[datetime | None, tuple[object, ...]]
"""When the message had been edited last, and the values."""


def with_kept(kept: Choice | None, edited_at: datetime | None, chosen: tuple[object, ...]) -> tuple[object, ...]:
    """The choice in a menu with the one that it has kept, if the message was edited since."""
    if kept is None or kept[0] == edited_at:
        return chosen
    return (*kept[1], *(each for each in chosen if each not in kept[1]))


def find_select(parts: list[Json], custom_id: str | None) -> Json:
    """The select menu with this id, or the only one. Raises NotOffered if it can't be used."""
    selects = [each for each in components.flatten(parts) if each["type"] in components.SELECTS]
    found = [each for each in selects if custom_id in (None, each["custom_id"])]
    if len(found) != 1:
        raise NotOffered(f"there isn't exactly one such menu, but {[each['custom_id'] for each in selects]}")
    if found[0].get("disabled"):
        raise NotOffered(f"the menu {found[0]['custom_id']} is disabled")
    return found[0]


def select_data(world: World, channel: Channel, select: Json, wanted: Sequence[object]) -> Json:
    """The interaction data of a select menu. Options are given by label or value."""
    resolved: Json = {}
    values = select_values(world, channel, select, wanted, resolved)
    data: Json = {"custom_id": select["custom_id"], "component_type": select["type"], "values": values}
    if resolved:
        data["resolved"] = resolved
    return data


def select_values(world: World, channel: Channel, select: Json, wanted: Sequence[object], resolved: Json) -> list[str]:
    """The chosen values. Raises NotOffered for too few or too many."""
    low, high = select.get("min_values", 1), select.get("max_values", 1)
    if not low <= len(wanted) <= high or len(set(map(str, wanted))) != len(wanted):
        raise NotOffered(f"{select['custom_id']} takes {low} to {high} different values, not {list(wanted)}")
    if select["type"] == ComponentType.STRING_SELECT:
        return [option_value(select, each) for each in wanted]
    option = {"name": select["custom_id"], "type": OPTION_TYPES[select["type"]]}
    return [resolve(world, channel, option, each, resolved) for each in wanted]


def option_value(holder: Json, wanted: object) -> str:
    """The value of the option with this label or value."""
    for matches in ("value", "label"):
        for option in holder.get("options") or []:
            if option[matches] == wanted:
                return str(option["value"])
    raise NotOffered(f"{holder['custom_id']} has no option {wanted!r}")
