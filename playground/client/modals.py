"""Fill in a modal as a client does: check the given values and keep the defaults of the other fields."""

from collections.abc import Mapping

from playground.client.components import option_value, select_values
from playground.client.resolving import NotOffered
from playground.client.screen import labelled_inputs
from playground.components import SELECTS, ComponentType
from playground.world.model import Channel, Json
from playground.world.world import World


def modal_data(world: World, channel: Channel, modal: Json, given: Mapping[str, object]) -> Json:
    """The interaction data of a submitted modal. `given` has values by label or custom id."""
    inputs = labelled_inputs(modal["components"])
    names = {label for label, _ in inputs} | {each["custom_id"] for _, each in inputs}
    unknown = set(given) - names
    if unknown:
        raise NotOffered(f"the form has no field {sorted(unknown)}, only {sorted(names)}")
    by_id = {each["custom_id"]: given.get(each["custom_id"], given.get(label)) for label, each in inputs}
    resolved: Json = {}
    parts = [_part_json(world, channel, part, by_id, resolved) for part in modal["components"]]
    data: Json = {"custom_id": modal["custom_id"], "components": parts}
    if resolved:
        data["resolved"] = resolved
    return data


def _part_json(world: World, channel: Channel, part: Json, given: Mapping[str, object], resolved: Json) -> Json:
    """A component of the modal as it is submitted: type, ids and value."""
    data: Json = {"type": part["type"], "id": part["id"]}
    if part.get("components") is not None:
        data["components"] = [_part_json(world, channel, each, given, resolved) for each in part["components"]]
    elif part.get("component") is not None:
        data["component"] = _part_json(world, channel, part["component"], given, resolved)
    elif "custom_id" in part:
        data |= {"custom_id": part["custom_id"]} | _input_json(world, channel, part, given[part["custom_id"]], resolved)
    return data


def _input_json(world: World, channel: Channel, field: Json, given: object, resolved: Json) -> Json:
    match field["type"]:
        case ComponentType.TEXT_INPUT:
            return {"value": _text_value(field, given)}
        case ComponentType.RADIO_GROUP:
            return {"value": _radio_value(field, given)}
        case ComponentType.CHECKBOX:
            return {"value": bool(field.get("default")) if given is None else bool(given)}
        case ComponentType.CHECKBOX_GROUP:
            return {"values": _ticked_values(field, given)}
        case kind if kind in SELECTS:
            return {"values": _selected_values(world, channel, field, given, resolved)}
    raise NotOffered(f"{field['custom_id']}: fields of type {field['type']} aren't supported")


def _text_value(field: Json, given: object) -> str:
    text = str(field.get("value") or "") if given is None else str(given)
    low, high = field.get("min_length") or 0, field.get("max_length") or 4000
    if not text and field.get("required", True) is not False:
        raise NotOffered(f"{field['custom_id']} must be filled in")
    if text and not low <= len(text) <= high:
        raise NotOffered(f"{field['custom_id']} takes {low} to {high} characters, not {len(text)}")
    return text


def _radio_value(field: Json, given: object) -> str | None:
    if given is not None:
        return option_value(field, given)
    chosen = next((each["value"] for each in field["options"] if each.get("default")), None)
    if chosen is None and field.get("required", True) is not False:
        raise NotOffered(f"{field['custom_id']} must be chosen")
    return chosen


def _ticked_values(field: Json, given: object) -> list[str]:
    chosen = _defaults(field) if given is None else [option_value(field, each) for each in _as_list(given)]
    low = field.get("min_values", 1 if field.get("required", True) is not False else 0)
    high = field.get("max_values") or len(field["options"])
    if not low <= len(chosen) <= high:
        raise NotOffered(f"{field['custom_id']} takes {low} to {high} ticks, not {len(chosen)}")
    return chosen


def _selected_values(world: World, channel: Channel, field: Json, given: object, resolved: Json) -> list[str]:
    wanted = _defaults(field) if given is None else _as_list(given)
    if not wanted and field.get("required", True) is False:
        return []
    return select_values(world, channel, field, wanted, resolved)


def _defaults(field: Json) -> list[str]:
    return [each["value"] for each in field.get("options") or [] if each.get("default")]


def _as_list(given: object) -> list[object]:
    return list(given) if isinstance(given, list | tuple | set) else [given]
