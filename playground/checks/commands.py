"""Validate application commands: names, lengths, nesting, choices and number."""

import unicodedata
from collections import Counter
from collections.abc import Iterable

from playground.checks import fields
from playground.checks.fields import Faults
from playground.checks.modals import check_choice_value
from playground.components import Json, Path
from playground.errors import Fault

CHAT_INPUT = 1
ENTRY_POINT = 4
MAX_PER_TYPE = {1: 100, 2: 15, 3: 15, ENTRY_POINT: 1}
"""The maximum number of commands by type: slash, user and message commands, and the one that launches Activities."""
SUBCOMMAND = 1
GROUP = 2
MAX_CHARACTERS = 8000
LOCALES = """
    bg cs da de el en-GB en-US es-419 es-ES fi fr hi hr hu id it ja ko lt nl no pl pt-BR ro ru sv-SE th tr uk vi
    zh-CN zh-TW
"""
"""The languages of Discord's client."""
KNOWN_LOCALES = frozenset(LOCALES.split())


def check_command_list(commands: list[Json], at: Path = ()) -> list[Fault]:
    """Check all global commands, or all of a guild."""
    faults: list[Fault] = []
    for index, command in enumerate(commands):
        faults += check_command(command, (*at, index))
    faults += check_counts(commands, at)
    names = Counter((command.get("type") or CHAT_INPUT, command.get("name")) for command in commands)
    for (_, name), times in names.items():
        if times > 1:
            message = f"Application command names must be unique: {name}"
            faults.append(Fault(at, "APPLICATION_COMMANDS_DUPLICATE_NAME", message))
    return faults


def check_counts(commands: Iterable[Json], at: Path = ()) -> list[Fault]:
    """Check the number of commands of each type."""
    counts = Counter(command.get("type") or CHAT_INPUT for command in commands)
    return [
        Fault(at, "APPLICATION_COMMANDS_TOO_MANY", f"Maximum number of commands of type {kind} reached ({most})")
        for kind, most in MAX_PER_TYPE.items()
        if counts[kind] > most
    ]


def check_command(command: Json, at: Path = ()) -> list[Fault]:
    """Check one command."""
    kind = command.get("type") or CHAT_INPUT
    faults = [*fields.choice(command, "type", at, tuple(MAX_PER_TYPE)), *_check_settings(command, at)]
    if kind == ENTRY_POINT:
        return [*faults, *_check_entry_point(command, at)]
    if kind != CHAT_INPUT:
        return [*faults, *_check_menu_command(command, at)]
    faults += _check_named(command, at)
    faults += _check_options(command.get("options") or [], (*at, "options"), depth=0)
    if command_length(command) > MAX_CHARACTERS:
        message = f"Command exceeds maximum size ({MAX_CHARACTERS})"
        faults.append(Fault(at, "APPLICATION_COMMAND_TOO_LARGE", message))
    return faults


def _check_settings(command: Json, at: Path) -> Faults:
    yield from fields.choice(command, "handler", at, (1, 2) if command.get("type") == ENTRY_POINT else ())
    yield from fields.snowflake(command, "default_member_permissions", at)
    for name, values in (("contexts", (0, 1, 2)), ("integration_types", (0, 1))):
        chosen = command.get(name)
        if chosen is not None and (not chosen or len(set(chosen)) != len(chosen) or set(chosen) - set(values)):
            yield Fault((*at, name), "BASE_TYPE_CHOICES", f"Must be some of {values}, each once.")


def _check_entry_point(command: Json, at: Path) -> Faults:
    yield from fields.required_text(command, "name", at, 1, 32)
    yield from fields.text(command, "description", at, 0, 100)
    yield from _check_translations(command, "name", at, 32)
    yield from _check_translations(command, "description", at, 100)
    if command.get("options"):
        message = "An Entry Point command has no options"
        yield Fault((*at, "options"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message)


def _check_menu_command(command: Json, at: Path) -> Faults:
    yield from fields.required_text(command, "name", at, 1, 32)
    yield from _check_translations(command, "name", at, 32)
    for name in ("description", "options"):
        if command.get(name):
            yield Fault((*at, name), "APPLICATION_COMMAND_MENU_FIELD", f"A context menu command has no {name}")


def _check_named(item: Json, at: Path) -> Faults:
    """Check the name and description of a command or option in all languages."""
    yield from fields.required_text(item, "name", at, 1, 32)
    yield from fields.required_text(item, "description", at, 1, 100)
    yield from _check_name(item.get("name"), (*at, "name"))
    yield from _check_translations(item, "name", at, 32)
    yield from _check_translations(item, "description", at, 100)
    for locale, translation in (item.get("name_localizations") or {}).items():
        yield from _check_name(translation, (*at, "name_localizations", locale))


def _check_translations(item: Json, name: str, at: Path, high: int) -> Faults:
    """Check the languages and lengths of the translations of a name or description."""
    field = f"{name}_localizations"
    here = (*at, field)
    for locale, translation in (item.get(field) or {}).items():
        if locale not in KNOWN_LOCALES:
            yield Fault((*here, locale), "ENUM_TYPE_COERCE", f'Value "{locale}" is not a valid locale.')
        yield from fields.required_text({locale: translation}, locale, here, 1, high)


def _check_name(name: object, at: Path) -> Faults:
    if isinstance(name, str) and name and not is_command_name(name):
        yield Fault(at, "APPLICATION_COMMAND_INVALID_NAME", f"Command name is invalid: {name}")


def is_command_name(name: str) -> bool:
    """True for lower-case letters and digits of any script, and the characters - _ and '."""
    return name == name.lower() and all(map(_is_name_character, name))


def _is_name_character(character: str) -> bool:
    if character in "-_'" or unicodedata.category(character)[0] in "LN":
        return True
    return unicodedata.name(character, "").startswith(("DEVANAGARI", "THAI"))


def _check_options(options: list[Json], at: Path, *, depth: int) -> Faults:
    yield from fields.length(options, at, 0, 25)
    yield from _check_order(options, at)
    for index, option in enumerate(options):
        here = (*at, index)
        yield from _check_named(option, here)
        yield from fields.required(option, "type", here)
        yield from fields.choice(option, "type", here, range(1, 12))
        if option.get("type") in (SUBCOMMAND, GROUP):
            yield from _check_nesting(option, here, depth)
        else:
            yield from _check_value_option(option, here)


def _check_order(options: list[Json], at: Path) -> Faults:
    """Check that names are unique, required options come first, and subcommands aren't mixed with values."""
    names = Counter(option.get("name") for option in options)
    optional_seen = False
    for index, option in enumerate(options):
        if names[option.get("name")] > 1:
            message = "Option name already exists in options list"
            yield Fault((*at, index), "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", message)
        if optional_seen and option.get("required"):
            message = "Required options must be placed before non-required options"
            yield Fault((*at, index), "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", message)
        optional_seen |= not option.get("required")
    kinds = {option.get("type") in (SUBCOMMAND, GROUP) for option in options}
    if len(kinds) > 1:
        message = "Sub-command and sub-command group option types are mutually exclusive to all other types"
        yield Fault(at, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message)


def _check_nesting(option: Json, at: Path, depth: int) -> Faults:
    children = option.get("options") or []
    is_group = option["type"] == GROUP
    kinds = {child.get("type") for child in children}
    if (is_group and (depth > 0 or kinds != {SUBCOMMAND})) or (not is_group and kinds & {SUBCOMMAND, GROUP}):
        message = "Commands nest as group, subcommand, values, and no other way"
        yield Fault((*at, "options"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message)
    else:
        yield from _check_options(children, (*at, "options"), depth=depth + 1)


def _check_value_option(option: Json, at: Path) -> Faults:
    kind = option.get("type")
    choices = option.get("choices") or []
    yield from fields.length(choices, (*at, "choices"), 0, 25)
    for index, choice in enumerate(choices):
        here = (*at, "choices", index)
        yield from fields.required_text(choice, "name", here, 1, 100)
        yield from fields.required(choice, "value", here)
        yield from check_choice_value(choice, here, kind if isinstance(kind, int) else 3)
    if len({choice.get("name") for choice in choices}) < len(choices):
        message = "Choice names must be unique"
        yield Fault((*at, "choices"), "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS", message)
    if option.get("autocomplete") and choices:
        message = "Autocomplete options cannot have choices"
        yield Fault((*at, "autocomplete"), "APPLICATION_COMMAND_AUTOCOMPLETE_WITH_CHOICES", message)
    if (choices or option.get("autocomplete")) and kind not in (3, 4, 10):
        message = "Only text and numbers have choices"
        yield Fault((*at, "type"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message)
    yield from _check_bounds(option, at)


def _check_bounds(option: Json, at: Path) -> Faults:
    yield from fields.number(option, "min_length", at, 0, 6000)
    yield from fields.number(option, "max_length", at, 1, 6000)
    for lowest, highest, kinds in (("min_length", "max_length", (3,)), ("min_value", "max_value", (4, 10))):
        low, high = option.get(lowest), option.get(highest)
        if (low is not None or high is not None) and option.get("type") not in kinds:
            message = f"{lowest} and {highest} do not fit this type"
            yield Fault((*at, lowest), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message)
        elif low is not None and high is not None and low > high:
            yield Fault((*at, lowest), "APPLICATION_COMMAND_OPTION_BOUNDS", f"{lowest} is above {highest}")


def command_length(item: Json) -> int:
    """The total length of names, descriptions and choice values, each in its longest language."""
    total = _longest(item, "name") + _longest(item, "description")
    for choice in item.get("choices") or []:
        total += _longest(choice, "name") + len(str(choice.get("value", "")))
    return total + sum(map(command_length, item.get("options") or []))


def _longest(item: Json, name: str) -> int:
    translations = (item.get(f"{name}_localizations") or {}).values()
    return max(len(str(text)) for text in (item.get(name) or "", *translations))
