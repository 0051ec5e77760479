"""Validation of modals, choices, commands and emoji uploads: a row for each rule."""

import base64
from typing import Any

import pytest

from playground.checks.commands import (
    check_command,
    check_command_list,
    command_length,
    is_command_name,
)
from playground.checks.modals import check_choices, check_modal
from playground.checks.uploads import check_emoji_image, check_emoji_name
from playground.emoji import is_emoji
from playground.errors import Fault, error_tree

# Modals

BUTTON = {"type": 2, "style": 1, "label": "x", "custom_id": "b"}


def field(**fields: object) -> dict[str, Any]:
    return {"type": 4, "custom_id": "answer", "style": 1} | fields


def label(component: dict[str, Any], **fields: object) -> dict[str, Any]:
    return {"type": 18, "label": "Answer", "component": component} | fields


def modal(*components: dict[str, Any], **fields: object) -> dict[str, Any]:
    return {"custom_id": "form", "title": "A form", "components": list(components)} | fields


def options(count: int) -> list[dict[str, str]]:
    return [{"label": str(number), "value": str(number)} for number in range(count)]


VALID_MODALS = [
    (modal(label(field())), "a labelled text"),
    (modal({"type": 1, "components": [field(label="Answer")]}), "a text in an action row"),
    (modal({"type": 10, "content": "Read this."}, label(field())), "a text display"),
    (modal(label({"type": 3, "custom_id": "m", "options": options(25)})), "a menu"),
    (modal(label({"type": 21, "custom_id": "r", "options": options(10)})), "radio buttons"),
    (modal(label({"type": 22, "custom_id": "c", "options": options(10)})), "checkboxes"),
    (modal(label({"type": 23, "custom_id": "b"})), "one checkbox"),
    (modal(label({"type": 5, "custom_id": "u"})), "a menu of users"),
    (modal(label({"type": 19, "custom_id": "f", "max_values": 10})), "files"),
]


@pytest.mark.parametrize("body", [row[0] for row in VALID_MODALS], ids=[row[1] for row in VALID_MODALS])
def test_valid_modals(body: dict[str, Any]) -> None:
    assert check_modal(body) == []


INVALID_MODALS = [
    (modal(), "BASE_TYPE_REQUIRED", "empty"),
    (modal(*[label(field(custom_id=str(n))) for n in range(6)]), "BASE_TYPE_MAX_LENGTH", "six fields"),
    (modal(label(field()), title="x" * 46), "BASE_TYPE_BAD_LENGTH", "title too long"),
    (modal(label(field()), title=""), "BASE_TYPE_REQUIRED", "no title"),
    (modal(label(field()), custom_id="x" * 101), "BASE_TYPE_BAD_LENGTH", "custom id too long"),
    (modal(label(field(), label="x" * 46)), "BASE_TYPE_BAD_LENGTH", "label too long"),
    (modal(label(field(), description="x" * 101)), "BASE_TYPE_BAD_LENGTH", "description too long"),
    (modal(label(field()), label(field())), "COMPONENT_CUSTOM_ID_DUPLICATED", "custom id twice"),
    (modal(label(field(style=3))), "BASE_TYPE_CHOICES", "no such style"),
    (modal(label(field(placeholder="x" * 101))), "BASE_TYPE_MAX_LENGTH", "placeholder too long"),
    (modal(label(field(max_length=4001))), "NUMBER_TYPE_MAX", "4001 characters allowed"),
    (modal(label(field(min_length=5, max_length=4))), "TEXT_INPUT_MIN_ABOVE_MAX", "more at least than at most"),
    (modal(label(field(value="abc", max_length=2))), "BASE_TYPE_MAX_LENGTH", "prefilled too long"),
    (modal(label({"type": 21, "custom_id": "r", "options": options(1)})), "BASE_TYPE_MIN_LENGTH", "one radio button"),
    (modal(label({"type": 22, "custom_id": "c", "options": options(11)})), "BASE_TYPE_MAX_LENGTH", "eleven checkboxes"),
    (modal(label(BUTTON)), "UNION_TYPE_CHOICES", "a button"),
    (modal({"type": 1, "components": [BUTTON]}), "UNION_TYPE_CHOICES", "a button in a row"),
    (modal({"type": 10, "content": "Read this."}), "MODAL_WITHOUT_INPUT", "nothing to fill in"),
    (modal({"type": 17, "components": [{"type": 10, "content": "x"}]}), "UNION_TYPE_CHOICES", "a container"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "code"), [row[:2] for row in INVALID_MODALS], ids=[row[2] for row in INVALID_MODALS])
def test_invalid_modals(body: dict[str, Any], code: str) -> None:
    assert code in {fault.code for fault in check_modal(body)}


def test_autocomplete_choices() -> None:
    def choices(*values: object) -> dict[str, Any]:
        return {"choices": [{"name": str(value), "value": value} for value in values]}

    assert check_choices(choices(*map(str, range(25))), 3) == []
    assert check_choices(choices(*map(str, range(26))), 3)
    assert check_choices(choices("x" * 101), 3)
    assert check_choices(choices(1, 2.5), 10) == []
    assert check_choices(choices(2.5), 4)
    assert check_choices(choices("two"), 4)


# Commands


def command(*options: dict[str, Any], **fields: object) -> dict[str, Any]:
    return {"name": "gang", "description": "A game.", "options": list(options)} | fields


def value(name: str = "seats", kind: int = 4, **fields: object) -> dict[str, Any]:
    return {"name": name, "description": "How many.", "type": kind} | fields


def sub(name: str, *options: dict[str, Any], kind: int = 1) -> dict[str, Any]:
    return {"name": name, "description": "Does it.", "type": kind, "options": list(options)}


LONG_CHOICES = [{"name": "x" * 60 + str(number), "value": "x"} for number in range(25)]
CHOICES = [{"name": str(number), "value": number} for number in range(26)]
VALID_COMMANDS = [
    (command(), "no options"),
    (command(*[value(f"o{n}") for n in range(25)]), "25 options"),
    (command(value(choices=CHOICES[:25])), "25 choices"),
    (command(sub("table", sub("new", value()), kind=2), sub("help")), "groups and subcommands"),
    (command(value("one", required=True), value("two")), "required before optional"),
    (command(value(min_value=2, max_value=4), value("name", 3, min_length=1, max_length=6000)), "bounds"),
    (command(name_localizations={"de": "bande", "hi": "गिरोह"}), "other languages"),
    (command(default_member_permissions="32", contexts=[0, 1], integration_types=[0]), "settings"),
    ({"name": "Show Hand", "type": 2, "name_localizations": {"de": "Zeig Karten"}}, "a user command"),
]


@pytest.mark.parametrize("body", [row[0] for row in VALID_COMMANDS], ids=[row[1] for row in VALID_COMMANDS])
def test_valid_commands(body: dict[str, Any]) -> None:
    assert check_command(body) == []


INVALID_COMMANDS = [
    (command(name="Gang"), "APPLICATION_COMMAND_INVALID_NAME", "upper case"),
    (command(name="gang of four"), "APPLICATION_COMMAND_INVALID_NAME", "spaces"),
    (command(name="x" * 33), "BASE_TYPE_BAD_LENGTH", "name too long"),
    (command(description=""), "BASE_TYPE_REQUIRED", "no description"),
    (command(description="x" * 101), "BASE_TYPE_BAD_LENGTH", "description too long"),
    (command(type=5), "BASE_TYPE_CHOICES", "unknown type"),
    (command(*[value(f"o{n}") for n in range(26)]), "BASE_TYPE_MAX_LENGTH", "26 options"),
    (command(value(choices=CHOICES)), "BASE_TYPE_MAX_LENGTH", "26 choices"),
    (command(value(choices=[CHOICES[0]] * 2)), "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS", "twice"),
    (command(value(choices=[{"name": "x", "value": "text"}])), "NUMBER_TYPE_COERCE", "a text among numbers"),
    (command(value("a"), value("a")), "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", "option twice"),
    (command(value("a"), value("b", required=True)), "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", "required last"),
    (command(value("a"), sub("b")), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "values and subcommands"),
    (command(sub("a", sub("b"))), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "subcommand in subcommand"),
    (command(sub("a", sub("b", kind=2), kind=2)), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "group in group"),
    (command(sub("a", kind=2)), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "an empty group"),
    (command(value(autocomplete=True, choices=CHOICES[:1])), "APPLICATION_COMMAND_AUTOCOMPLETE_WITH_CHOICES", "both"),
    (command(value(kind=5, choices=CHOICES[:1])), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "choices of a boolean"),
    (command(value(min_value=4, max_value=2)), "APPLICATION_COMMAND_OPTION_BOUNDS", "more at least than at most"),
    (command(value(kind=3, min_value=4)), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "bounds of a text"),
    (command(value(kind=3, max_length=6001)), "NUMBER_TYPE_MAX", "6001 characters"),
    (command(value(kind=12)), "BASE_TYPE_CHOICES", "no such option type"),
    (command(name_localizations={"xx": "gang"}), "ENUM_TYPE_COERCE", "unknown language"),
    (command(name_localizations={"de": "Bande"}), "APPLICATION_COMMAND_INVALID_NAME", "upper case in German"),
    (command(description_localizations={"de": "x" * 101}), "BASE_TYPE_BAD_LENGTH", "too long in German"),
    (command(contexts=[0, 0]), "BASE_TYPE_CHOICES", "a context twice"),
    (command(integration_types=[]), "BASE_TYPE_CHOICES", "installable nowhere"),
    (
        command(*[value(f"o{n}", 3, choices=LONG_CHOICES) for n in range(6)]),
        "APPLICATION_COMMAND_TOO_LARGE",
        "more than 8000 characters",
    ),
    ({"name": "Show", "type": 3, "description": "x"}, "APPLICATION_COMMAND_MENU_FIELD", "described message command"),
    ({"name": "Show", "type": 2, "name_localizations": {"xx": "Show"}}, "ENUM_TYPE_COERCE", "no language"),
    ({"name": "Show", "type": 3, "name_localizations": {"de": "x" * 33}}, "BASE_TYPE_BAD_LENGTH", "long in German"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("body", "code"), [row[:2] for row in INVALID_COMMANDS], ids=[row[2] for row in INVALID_COMMANDS]
)
def test_invalid_commands(body: dict[str, Any], code: str) -> None:
    assert code in {fault.code for fault in check_command(body)}


def test_a_hundred_commands_with_different_names() -> None:
    hundred = [command(name=f"c{number}") for number in range(100)]
    assert check_command_list(hundred) == []
    codes = [fault.code for fault in check_command_list([*hundred, command(name="c0")])]
    assert codes == ["APPLICATION_COMMANDS_TOO_MANY", "APPLICATION_COMMANDS_DUPLICATE_NAME"]


def test_the_length_of_a_command_counts_its_longest_language() -> None:
    body = command(value(choices=[{"name": "two", "value": 22}]), description_localizations={"de": "Ein Spiel."})
    assert command_length(body) == len("gang") + len("Ein Spiel.") + len("seats") + len("How many.") + 3 + 2


@pytest.mark.parametrize("name", ["gang", "g-4_'", "игра", "ゲーム", "गिरोह", "เกม"])
def test_command_names_in_all_scripts(name: str) -> None:
    assert is_command_name(name)


# Emoji

PNG = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR\0\0\0\x80\0\0\0\x80"


def data_uri(content: bytes, kind: str = "image/png") -> str:
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


@pytest.mark.parametrize(
    ("name", "code"),
    [("g", "BASE_TYPE_BAD_LENGTH"), ("g 7", "STRING_TYPE_REGEX"), ("taken", "APPLICATION_EMOJI_NAME_ALREADY_TAKEN")],
)
def test_invalid_emoji_names(name: str, code: str) -> None:
    assert [fault.code for fault in check_emoji_name({"name": name}, {"taken"})] == [code]
    assert list(check_emoji_name({"name": "g_7"}, {"taken"})) == []


@pytest.mark.parametrize(
    ("image", "code"),
    [
        (None, "BASE_TYPE_REQUIRED"),
        ("https://example.org/a.png", "IMAGE_INVALID"),
        (data_uri(b"no picture"), "IMAGE_INVALID"),
        ("data:image/png;base64,###", "IMAGE_INVALID"),
        (data_uri(PNG + bytes(256 * 1024)), "BINARY_TYPE_MAX_SIZE"),
    ],
)
def test_invalid_emoji_images(image: str | None, code: str) -> None:
    assert [fault.code for fault in check_emoji_image({"image": image})] == [code]
    assert list(check_emoji_image({"image": data_uri(PNG)})) == []


@pytest.mark.parametrize("text", ["▶", "◀", "⭐", "✅", "♠", "♠️", "🃏", "🐉", "🟢", "🇨🇭", "1️⃣", "👍🏽", "👩‍🚀", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"])
def test_unicode_emoji(text: str) -> None:
    assert is_emoji(text)


@pytest.mark.parametrize("text", ["", "▲", "★", "☆", "①", "⏻", "🂡", "a", "7", "🐉🐉", "🇨", "🇽🇽", "🐉🏽", ":dragon:"])
def test_texts_that_are_not_emoji(text: str) -> None:
    assert not is_emoji(text)


def test_faults_are_nested_by_path() -> None:
    faults = [Fault(("a", 0, "b"), "X", "x"), Fault(("a", 0), "Y", "y"), Fault((), "Z", "z")]
    assert error_tree(faults) == {
        "a": {"0": {"b": {"_errors": [{"code": "X", "message": "x"}]}, "_errors": [{"code": "Y", "message": "y"}]}},
        "_errors": [{"code": "Z", "message": "z"}],
    }
