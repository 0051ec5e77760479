"""Validate interactive components: buttons, select menus and the inputs of modals."""

from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import urlsplit

from playground.checks import fields
from playground.checks.fields import Faults
from playground.components import BUTTON_LINK, BUTTON_PREMIUM, Json, Path
from playground.emoji import is_emoji
from playground.errors import Fault


@dataclass(frozen=True, slots=True)
class CheckContext:
    """The facts that component rules depend on: the app's emoji, the message's files, and if it is a modal."""

    emoji_ids: Collection[int] = frozenset()
    filenames: Collection[str] = frozenset()
    is_modal: bool = False


def check_button(button: Json, at: Path, context: CheckContext) -> Faults:
    """Check a button."""
    yield from fields.required(button, "style", at)
    yield from fields.choice(button, "style", at, (1, 2, 3, 4, 5, 6))
    yield from fields.text(button, "label", at, 0, 80)
    yield from fields.flag(button, "disabled", at)
    yield from _check_emoji(button, at, context)
    if button.get("style") == BUTTON_LINK:
        yield from _check_link(button, at)
    elif button.get("style") == BUTTON_PREMIUM:
        yield from fields.required(button, "sku_id", at)
    else:
        yield from _check_pressable(button, at)
    if button.get("style") != BUTTON_PREMIUM and not (button.get("label") or button.get("emoji")):
        message = "A button must have a label or emoji"
        yield Fault(at, "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", message)


def _check_link(button: Json, at: Path) -> Faults:
    yield from fields.required(button, "url", at)
    yield from fields.url(button, "url", at, ("http", "https", "discord"), 512)
    if button.get("url") and not urlsplit(str(button["url"])).netloc:
        yield Fault((*at, "url"), "URL_TYPE_INVALID_URL", "Not a well formed URL.")
    if button.get("custom_id"):
        message = "A custom id and url cannot both be specified"
        yield Fault(at, "COMPONENT_CUSTOM_ID_AND_URL", message)


def _check_pressable(button: Json, at: Path) -> Faults:
    yield from fields.required_text(button, "custom_id", at, 1, 100)
    if button.get("url"):
        message = "A custom id and url cannot both be specified"
        yield Fault(at, "COMPONENT_CUSTOM_ID_AND_URL", message)


def check_select(select: Json, at: Path, _: CheckContext) -> Faults:
    """Check a select menu of users, roles or channels, or the common fields of all select menus."""
    yield from fields.required_text(select, "custom_id", at, 1, 100)
    yield from fields.text(select, "placeholder", at, 0, 150)
    yield from fields.flag(select, "disabled", at)
    yield from _check_bounds(select, at, 25)
    yield from fields.items(select, "default_values", at, 0, select.get("max_values") or 1)


def check_string_select(select: Json, at: Path, context: CheckContext) -> Faults:
    """Check a string select menu."""
    yield from check_select(select, at, context)
    yield from _check_options(select, at, 1, 25, context)
    options = fields.objects(select, "options")
    highest = 1 if select.get("max_values") is None else select["max_values"]
    if isinstance(highest, int) and len(options) < highest:
        message = f"Must be less than or equal to the number of options ({len(options)})."
        yield Fault((*at, "max_values"), "COMPONENT_MAX_VALUES_TOO_LARGE", message)
    chosen = sum(bool(each.get("default")) for each in options)
    if isinstance(highest, int) and chosen > highest:
        message = f"More options ({chosen}) are selected by default than may be ({highest})."
        yield Fault((*at, "options"), "SELECT_COMPONENT_TOO_MANY_DEFAULTS", message)


def _check_bounds(data: Json, at: Path, high: int) -> Faults:
    yield from fields.number(data, "min_values", at, 0, high)
    yield from fields.number(data, "max_values", at, 1, high)
    lowest, highest = data.get("min_values"), data.get("max_values")
    lowest = 1 if lowest is None else lowest
    highest = 1 if highest is None else highest
    if isinstance(lowest, int) and isinstance(highest, int) and lowest > highest:
        yield Fault((*at, "min_values"), "COMPONENT_MIN_VALUES_TOO_LARGE", "min_values is above max_values")


def _check_options(data: Json, at: Path, low: int, high: int, context: CheckContext) -> Faults:
    yield from fields.required(data, "options", at)
    yield from fields.items(data, "options", at, low, high)
    options = fields.objects(data, "options")
    seen: set[str] = set()
    for index, option in enumerate(options):
        here = (*at, "options", index)
        yield from fields.required_text(option, "label", here, 1, 100)
        yield from fields.required_text(option, "value", here, 1, 100)
        yield from fields.text(option, "description", here, 0, 100)
        yield from _check_emoji(option, here, context)
        if option.get("value") in seen:
            message = "The specified option value is already used"
            yield Fault(here, "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", message)
        seen.add(str(option.get("value")))


def _check_emoji(owner: Json, at: Path, context: CheckContext) -> Faults:
    emoji = owner.get("emoji")
    if emoji is None:
        return
    if emoji.get("id"):
        is_known = str(emoji["id"]).isdecimal() and int(emoji["id"]) in context.emoji_ids
        place = "id"
    else:
        is_known, place = is_emoji(emoji.get("name") or ""), "name"
    if not is_known:
        yield Fault((*at, "emoji", place), "COMPONENT_INVALID_EMOJI", "Invalid emoji")


def check_text_input(field: Json, at: Path, _: CheckContext) -> Faults:
    """Check a text input."""
    yield from fields.required_text(field, "custom_id", at, 1, 100)
    yield from fields.required(field, "style", at)
    yield from fields.choice(field, "style", at, (1, 2))
    yield from fields.text(field, "label", at, 1, 45)
    yield from fields.text(field, "placeholder", at, 0, 100)
    yield from fields.number(field, "min_length", at, 0, 4000)
    yield from fields.number(field, "max_length", at, 1, 4000)
    low, high = field.get("min_length") or 0, field.get("max_length") or 4000
    if low > high:
        yield Fault((*at, "min_length"), "TEXT_INPUT_MIN_ABOVE_MAX", "min_length is above max_length")
    if field.get("value"):
        yield from fields.text(field, "value", at, low, high)


def check_file_upload(field: Json, at: Path, _: CheckContext) -> Faults:
    """Check a file upload."""
    yield from fields.required_text(field, "custom_id", at, 1, 100)
    yield from _check_bounds(field, at, 10)


def check_radio_group(field: Json, at: Path, context: CheckContext) -> Faults:
    """Check a radio group: two to ten options."""
    yield from fields.required_text(field, "custom_id", at, 1, 100)
    yield from _check_options(field, at, 2, 10, context)


def check_checkbox_group(field: Json, at: Path, context: CheckContext) -> Faults:
    """Check a checkbox group: one to ten options."""
    yield from fields.required_text(field, "custom_id", at, 1, 100)
    yield from _check_options(field, at, 1, 10, context)
    yield from _check_bounds(field | {"max_values": field.get("max_values") or 10}, at, 10)


def check_checkbox(field: Json, at: Path, _: CheckContext) -> Faults:
    """Check a checkbox."""
    yield from fields.required_text(field, "custom_id", at, 1, 100)
    yield from fields.flag(field, "default", at)
