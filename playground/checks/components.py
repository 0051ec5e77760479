"""Validate the components of messages and modals: nesting, lengths, numbers and unique ids."""

from collections import Counter

from playground.checks import controls, fields
from playground.checks.controls import CheckContext
from playground.checks.fields import Faults
from playground.components import SELECTS, ComponentType, Json, Path, flatten, walk
from playground.errors import Fault

ROW_CHILDREN = frozenset({2}) | SELECTS
MODAL_ROW_CHILDREN = frozenset({4}) | SELECTS
TOP_LEGACY = frozenset({1})
TOP_V2 = frozenset({1, 9, 10, 12, 13, 14, 17})
CONTAINER_CHILDREN = frozenset({1, 9, 10, 12, 13, 14})
TOP_MODAL = frozenset({1, 10, 18})
LABEL_CHILDREN = frozenset({3, 4, 5, 6, 7, 8, 19, 21, 22, 23})
MAX_V2_COMPONENTS = 40
MAX_V2_TEXT = 4000


def check_components(components: list[Json], at: Path, *, is_v2: bool, context: CheckContext) -> Faults:
    """Check all components of a message."""
    yield from _check_children(components, at, TOP_V2 if is_v2 else TOP_LEGACY, context)
    yield from _check_unique_ids(components, at)
    if is_v2:
        yield from _check_totals(components, at)
    else:
        yield from fields.length(components, at, 0, 5)


def check_modal_components(components: list[Json], at: Path) -> Faults:
    """Check all components of a modal."""
    yield from _check_children(components, at, TOP_MODAL, CheckContext(is_modal=True))
    yield from _check_unique_ids(components, at)


def _check_children(children: object, at: Path, allowed: frozenset[int], context: CheckContext) -> Faults:
    if not isinstance(children, list):
        yield Fault(at, "BASE_TYPE_BAD_TYPE", "Only iterables may be used in a ListType")
        return
    for index, child in enumerate(children):
        yield from _check_one(child, (*at, index), allowed, context)


def _check_one(child: object, at: Path, allowed: frozenset[int], context: CheckContext) -> Faults:
    if not isinstance(child, dict):
        yield Fault(at, "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType")
    elif child.get("type") not in allowed:
        listed = ", ".join(map(str, sorted(allowed)))
        yield Fault((*at, "type"), "UNION_TYPE_CHOICES", f'Value of field "type" must be one of ({listed}).')
    else:
        yield from fields.number(child, "id", at, 0, 2**31 - 1)
        yield from CHECKS[ComponentType(child["type"])](child, at, context)


# Layout


def _check_row(row: Json, at: Path, context: CheckContext) -> Faults:
    children = row.get("components") or []
    yield from fields.length(children, (*at, "components"), 1, 5)
    yield from _check_children(
        children, (*at, "components"), MODAL_ROW_CHILDREN if context.is_modal else ROW_CHILDREN, context
    )
    wide = [each for each in children if isinstance(each, dict) and each.get("type") != ComponentType.BUTTON]
    if wide and len(children) > 1:
        message = "The specified component exceeds the maximum width"
        yield Fault((*at, "components", 1), "COMPONENT_LAYOUT_WIDTH_EXCEEDED", message)


def _check_section(section: Json, at: Path, context: CheckContext) -> Faults:
    children = section.get("components") or []
    yield from fields.length(children, (*at, "components"), 1, 3)
    yield from _check_children(children, (*at, "components"), frozenset({10}), context)
    yield from fields.required(section, "accessory", at)
    if section.get("accessory") is not None:
        yield from _check_one(section["accessory"], (*at, "accessory"), frozenset({2, 11}), context)


def _check_container(container: Json, at: Path, context: CheckContext) -> Faults:
    children = container.get("components") or []
    yield from fields.length(children, (*at, "components"), 1, MAX_V2_COMPONENTS)
    yield from _check_children(children, (*at, "components"), CONTAINER_CHILDREN, context)
    yield from fields.number(container, "accent_color", at, 0, 0xFFFFFF)
    yield from fields.flag(container, "spoiler", at)


def _check_label(label: Json, at: Path, context: CheckContext) -> Faults:
    yield from fields.required_text(label, "label", at, 1, 45)
    yield from fields.text(label, "description", at, 1, 100)
    yield from fields.required(label, "component", at)
    if label.get("component") is not None:
        yield from _check_one(label["component"], (*at, "component"), LABEL_CHILDREN, context)


# Content


def _check_text_display(display: Json, at: Path, _: CheckContext) -> Faults:
    yield from fields.required_text(display, "content", at, 1, MAX_V2_TEXT)


def _check_gallery(gallery: Json, at: Path, context: CheckContext) -> Faults:
    items = gallery.get("items") or []
    yield from fields.length(items, (*at, "items"), 1, 10)
    for index, item in enumerate(items):
        yield from _check_media(item, (*at, "items", index), context)


def _check_media(item: Json, at: Path, context: CheckContext) -> Faults:
    yield from fields.text(item, "description", at, 1, 1024)
    yield from fields.flag(item, "spoiler", at)
    yield from fields.required(item, "media", at)
    if item.get("media"):
        yield from _check_source(item["media"], (*at, "media"), ("http", "https", "attachment"), context)


def _check_file(file: Json, at: Path, context: CheckContext) -> Faults:
    yield from fields.required(file, "file", at)
    if file.get("file"):
        yield from _check_source(file["file"], (*at, "file"), ("attachment",), context)


def _check_source(media: Json, at: Path, schemes: tuple[str, ...], context: CheckContext) -> Faults:
    yield from fields.required(media, "url", at)
    yield from fields.url(media, "url", at, schemes, 2048)
    scheme, _, name = str(media.get("url")).partition("://")
    if scheme == "attachment" and name not in context.filenames:
        message = f'The referenced attachment "{name}" was not found'
        yield Fault((*at, "url"), "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND", message)


def _check_separator(separator: Json, at: Path, _: CheckContext) -> Faults:
    yield from fields.flag(separator, "divider", at)
    yield from fields.choice(separator, "spacing", at, (1, 2))


# All together


def _check_unique_ids(components: list[Json], at: Path) -> Faults:
    seen: set[str] = set()
    for path, component in walk(components, at):
        custom_id = component.get("custom_id")
        if isinstance(custom_id, str) and custom_id in seen:
            message = "Component custom id cannot be duplicated"
            yield Fault((*path, "custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED", message)
        seen.add(str(custom_id))
    numbers = Counter(component["id"] for component in flatten(components) if component.get("id"))
    for number, times in numbers.items():
        if times > 1:
            yield Fault(at, "COMPONENT_ID_DUPLICATED", f"Component id {number} cannot be duplicated")


def _check_totals(components: list[Json], at: Path) -> Faults:
    every = flatten(components)
    if len(every) > MAX_V2_COMPONENTS:
        message = f"A message has {MAX_V2_COMPONENTS} components at most, counted at every depth; here are {len(every)}"
        yield Fault(at, "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", message)
    total = sum(len(each["content"]) for each in every if isinstance(each.get("content"), str))
    if total > MAX_V2_TEXT:
        message = f"The text of all components together exceeds {MAX_V2_TEXT} characters; it has {total}"
        yield Fault(at, "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", message)


CHECKS = {
    ComponentType.ACTION_ROW: _check_row,
    ComponentType.BUTTON: controls.check_button,
    ComponentType.STRING_SELECT: controls.check_string_select,
    ComponentType.TEXT_INPUT: controls.check_text_input,
    ComponentType.USER_SELECT: controls.check_select,
    ComponentType.ROLE_SELECT: controls.check_select,
    ComponentType.MENTIONABLE_SELECT: controls.check_select,
    ComponentType.CHANNEL_SELECT: controls.check_select,
    ComponentType.SECTION: _check_section,
    ComponentType.TEXT_DISPLAY: _check_text_display,
    ComponentType.THUMBNAIL: _check_media,
    ComponentType.MEDIA_GALLERY: _check_gallery,
    ComponentType.FILE: _check_file,
    ComponentType.SEPARATOR: _check_separator,
    ComponentType.CONTAINER: _check_container,
    ComponentType.LABEL: _check_label,
    ComponentType.FILE_UPLOAD: controls.check_file_upload,
    ComponentType.RADIO_GROUP: controls.check_radio_group,
    ComponentType.CHECKBOX_GROUP: controls.check_checkbox_group,
    ComponentType.CHECKBOX: controls.check_checkbox,
}
