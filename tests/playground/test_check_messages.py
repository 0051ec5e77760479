"""Validation of messages: a row for each rule with a body that breaks it, and Discord's error code."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pytest

from playground.checks.messages import check_deferral, check_message, is_empty
from playground.clock import Clock
from playground.world.model import Attachment, Channel, ChannelType, Message, MessageFlags, User
from playground.world.posting import Upload
from playground.world.world import World

EMOJI_ID = 4242
V2 = int(MessageFlags.COMPONENTS_V2)


def button(**fields: object) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": "Go", "custom_id": "go"} | fields


def row(*children: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(children)}


def option(value: str, **fields: object) -> dict[str, Any]:
    return {"label": value, "value": value} | fields


def select(*options: dict[str, Any], **fields: object) -> dict[str, Any]:
    return {"type": 3, "custom_id": "menu", "options": list(options)} | fields


def text(content: str) -> dict[str, Any]:
    return {"type": 10, "content": content}


def legacy(*rows: dict[str, Any]) -> dict[str, Any]:
    return {"content": "hello", "components": list(rows)}


def v2(*components: dict[str, Any], **fields: object) -> dict[str, Any]:
    return {"flags": V2, "components": list(components)} | fields


def numbered(count: int) -> list[dict[str, Any]]:
    return [button(custom_id=f"b{number}") for number in range(count)]


def gallery(url: str) -> dict[str, Any]:
    return {"type": 12, "items": [{"media": {"url": url}}]}


def codes(
    body: dict[str, Any],
    uploads: Mapping[int, Upload] = MappingProxyType({}),
    before: Message | None = None,
    *,
    may_be_ephemeral: bool = False,
) -> list[str]:
    faults = check_message(body, uploads, {EMOJI_ID}, before=before, may_be_ephemeral=may_be_ephemeral)
    return [fault.code for fault in faults]


VALID = [
    ({"content": "x" * 2000}, "2000 characters"),
    (legacy(*[row(*numbered(5)[i : i + 1]) for i in range(5)]), "five rows"),
    (legacy(row(*numbered(5))), "five buttons in a row"),
    (legacy(row(select(*[option(str(n)) for n in range(25)]))), "25 lines in a menu"),
    (legacy(row(button(custom_id="x" * 100, label="y" * 80))), "longest id and label"),
    (legacy(row(button(label=None, emoji={"name": "🐉"}))), "an emoji instead of a label"),
    (legacy(row(button(emoji={"id": str(EMOJI_ID), "name": "g7"}))), "an emoji of the app"),
    (legacy(row(button(emoji={"id": EMOJI_ID, "name": "g7"}))), "an emoji id as a number"),
    (legacy(row({"type": 2, "style": 5, "label": "Rules", "url": "https://example.org/"})), "a link"),
    (v2(text("x" * 4000)), "4000 characters in V2"),
    (v2(*[row(*numbered(20)[5 * i : 5 * i + 5]) for i in range(4)], *[text("x")] * 16), "40 components"),
    (v2({"type": 17, "components": [text("x"), row(button())]}), "a container"),
    (v2({"type": 9, "components": [text("x")], "accessory": button()}), "a section"),
    (v2(gallery("https://example.org/a.png")), "a picture from the web"),
    ({"embeds": [{"title": "t" * 256, "description": "d" * 4096}]}, "an embed"),
]


@pytest.mark.parametrize("body", [row[0] for row in VALID], ids=[row[1] for row in VALID])
def test_valid_messages(body: dict[str, Any]) -> None:
    assert check_message(body, {}, {EMOJI_ID}) == []


INVALID = [
    ({"content": "x" * 2001}, "BASE_TYPE_MAX_LENGTH", "content too long"),
    ({"content": 7}, "BASE_TYPE_BAD_TYPE", "content isn't text"),
    ({"content": "x", "nonce": "n" * 26}, "BASE_TYPE_MAX_LENGTH", "nonce too long"),
    ({"content": "x", "flags": 64}, "MESSAGE_FLAGS_INVALID", "ephemeral in a channel"),
    ({"content": "x", "flags": 128}, "MESSAGE_FLAGS_INVALID", "loading flag set by the app"),
    ({"content": "x", "poll": {"question": {}}}, "PLAYGROUND_UNSUPPORTED", "unsupported poll"),
    (legacy(*[row(button(custom_id=str(n))) for n in range(6)]), "BASE_TYPE_MAX_LENGTH", "six rows"),
    (legacy(row(*numbered(6))), "BASE_TYPE_MAX_LENGTH", "six buttons in a row"),
    (legacy(row()), "BASE_TYPE_REQUIRED", "an empty row"),
    (legacy(row(select(option("a")), button())), "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "menu and button in a row"),
    (legacy(button()), "UNION_TYPE_CHOICES", "a button outside of a row"),
    (legacy(text("x")), "UNION_TYPE_CHOICES", "V2 component without the flag"),
    (legacy({"type": 17, "components": [text("x")]}), "UNION_TYPE_CHOICES", "container without the flag"),
    (legacy(row(button(custom_id=""))), "BASE_TYPE_REQUIRED", "empty custom id"),
    (legacy(row(button(custom_id=None))), "BASE_TYPE_REQUIRED", "no custom id"),
    (legacy(row(button(custom_id="x" * 101))), "BASE_TYPE_BAD_LENGTH", "custom id too long"),
    (legacy(row(button(), button())), "COMPONENT_CUSTOM_ID_DUPLICATED", "custom id twice"),
    (
        legacy(row(button(disabled=True), button(disabled=True))),
        "COMPONENT_CUSTOM_ID_DUPLICATED",
        "custom id twice, disabled",
    ),
    (
        legacy(row(button(), button(custom_id="b", id=3)), row(button(custom_id="c", id=3))),
        "COMPONENT_ID_DUPLICATED",
        "component id twice",
    ),
    (legacy(row(button(style=9))), "BASE_TYPE_CHOICES", "unknown style"),
    (legacy(row(button(label="x" * 81))), "BASE_TYPE_MAX_LENGTH", "label too long"),
    (legacy(row(button(label=None))), "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", "neither label nor emoji"),
    (legacy(row(button(url="https://example.org"))), "COMPONENT_CUSTOM_ID_AND_URL", "custom id and link"),
    (legacy(row({"type": 2, "style": 5, "label": "x"})), "BASE_TYPE_REQUIRED", "link without url"),
    (legacy(row({"type": 2, "style": 5, "label": "x", "url": "ftp://x"})), "URL_TYPE_INVALID_SCHEME", "link to ftp"),
    (legacy(row({"type": 2, "style": 5, "label": "x", "url": "https://"})), "URL_TYPE_INVALID_URL", "link to nowhere"),
    (
        legacy(row({"type": 2, "style": 5, "label": "x", "url": "https://e.org/" + "x" * 512})),
        "BASE_TYPE_MAX_LENGTH",
        "link too long",
    ),
    (legacy(row(button(emoji={"name": "★"}))), "COMPONENT_INVALID_EMOJI", "a star that isn't an emoji"),
    (legacy(row(button(emoji={"name": "🂡"}))), "COMPONENT_INVALID_EMOJI", "a playing card"),
    (legacy(row(button(emoji={"id": "99", "name": "x"}))), "COMPONENT_INVALID_EMOJI", "unknown application emoji"),
    (legacy(row(select(option("a", emoji={"name": "①"})))), "COMPONENT_INVALID_EMOJI", "invalid emoji in a menu"),
    (legacy(row(select())), "BASE_TYPE_REQUIRED", "a menu without lines"),
    (legacy(row(select(*[option(str(n)) for n in range(26)]))), "BASE_TYPE_MAX_LENGTH", "26 lines in a menu"),
    (legacy(row(select(option("a"), option("a")))), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", "value twice"),
    (legacy(row(select(option("a"), max_values=2))), "COMPONENT_MAX_VALUES_TOO_LARGE", "more than there are"),
    (legacy(row(select(option("a"), min_values=26))), "NUMBER_TYPE_MAX", "min_values above 25"),
    (legacy(row(select(option("a"), max_values=0))), "NUMBER_TYPE_MIN", "max_values 0"),
    (
        legacy(row(select(option("a"), option("b"), min_values=2))),
        "COMPONENT_MIN_VALUES_TOO_LARGE",
        "min_values above max_values",
    ),
    (
        legacy(row(select(option("a", default=True), option("b", default=True)))),
        "SELECT_COMPONENT_TOO_MANY_DEFAULTS",
        "more defaults than may be chosen",
    ),
    (legacy(row(select(option("x" * 101)))), "BASE_TYPE_BAD_LENGTH", "line too long"),
    (legacy(row(select(option("a", description="x" * 101)))), "BASE_TYPE_MAX_LENGTH", "description too long"),
    (legacy(row(select(option("a"), placeholder="x" * 151))), "BASE_TYPE_MAX_LENGTH", "placeholder too long"),
    (v2(text("x"), content="y"), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", "content with V2"),
    (
        v2(text("x"), embeds=[{"title": "y"}]),
        "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
        "embeds with V2",
    ),
    (v2(text("x" * 2500), text("x" * 1501)), "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", "4001 characters in all"),
    (v2(*[text("x")] * 41), "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", "41 components"),
    (
        v2({"type": 17, "components": [text("x")] * 40}),
        "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
        "41 with the container",
    ),
    (
        v2(*[{"type": 9, "components": [text("x")], "accessory": button(custom_id=str(n))} for n in range(14)]),
        "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
        "accessories count",
    ),
    (v2(text("")), "BASE_TYPE_REQUIRED", "empty text display"),
    (v2({"type": 9, "components": [text("x")]}), "BASE_TYPE_REQUIRED", "section without accessory"),
    (
        v2({"type": 9, "components": [text("x")] * 4, "accessory": button()}),
        "BASE_TYPE_MAX_LENGTH",
        "four texts in a section",
    ),
    (
        v2({"type": 17, "components": [{"type": 17, "components": [text("x")]}]}),
        "UNION_TYPE_CHOICES",
        "container in container",
    ),
    (v2({"type": 17, "components": [text("x")], "accent_color": 0x1000000}), "NUMBER_TYPE_MAX", "no such color"),
    (v2({"type": 14, "spacing": 3}, text("x")), "BASE_TYPE_CHOICES", "no such spacing"),
    (v2(gallery("attachment://a.png")), "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND", "no such file"),
    (v2({"type": 13, "file": {"url": "https://example.org/a"}}), "URL_TYPE_INVALID_SCHEME", "file from the web"),
    (v2({"type": 12, "items": []}), "BASE_TYPE_REQUIRED", "empty gallery"),
    (v2({"type": 4, "custom_id": "t", "style": 1}), "UNION_TYPE_CHOICES", "text input in a message"),
    (legacy(row({"type": 4, "custom_id": "t", "style": 1})), "UNION_TYPE_CHOICES", "text input in a row"),
    ({"flags": V2, "components": ["nonsense"]}, "DICT_TYPE_CONVERT", "component isn't an object"),
    ({"content": "x", "components": "nonsense"}, "BASE_TYPE_BAD_TYPE", "components aren't a list"),
    ({"embeds": [{"title": "t" * 257}]}, "BASE_TYPE_MAX_LENGTH", "embed title too long"),
    ({"embeds": [{"description": "t" * 4097}]}, "BASE_TYPE_MAX_LENGTH", "embed description too long"),
    ({"embeds": [{"title": "t"}] * 11}, "BASE_TYPE_MAX_LENGTH", "eleven embeds"),
    ({"embeds": [{"description": "t" * 3001}] * 2}, "MAX_EMBED_SIZE_EXCEEDED", "6002 characters in embeds"),
    ({"embeds": [{"fields": [{"name": "a", "value": "b"}] * 26}]}, "BASE_TYPE_MAX_LENGTH", "26 embed fields"),
    ({"embeds": [{"fields": [{"name": "a", "value": ""}]}]}, "BASE_TYPE_REQUIRED", "empty embed field"),
    ({"embeds": [{"footer": {"text": "x" * 2049}}]}, "BASE_TYPE_BAD_LENGTH", "embed footer too long"),
    (
        {"embeds": [{"image": {"url": "attachment://a.png"}}]},
        "ATTACHMENT_NOT_FOUND",
        "embed of a missing file",
    ),
    ({"content": "x", "attachments": [{"id": 0}]}, "ATTACHMENT_NOT_FOUND", "described but not sent"),
    (
        {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
        "all users and some users",
    ),
    ({"content": "x", "allowed_mentions": {"parse": ["all"]}}, "BASE_TYPE_CHOICES", "unknown kind of mention"),
    ({"content": "x", "allowed_mentions": {"users": ["1"] * 101}}, "BASE_TYPE_MAX_LENGTH", "101 users"),
]


@pytest.mark.parametrize(("body", "code"), [row[:2] for row in INVALID], ids=[row[2] for row in INVALID])
def test_invalid_messages(body: dict[str, Any], code: str) -> None:
    assert code in codes(body)


def test_eleven_files_are_too_many_and_a_file_can_be_referenced() -> None:
    files = {number: Upload(f"{number}.png", b"x") for number in range(11)}
    assert "BASE_TYPE_MAX_LENGTH" in codes({"content": "x"}, uploads=files)
    assert codes(v2(gallery("attachment://0.png")), uploads={0: files[0]}) == []
    renamed = v2(gallery("attachment://b.png"), attachments=[{"id": 0, "filename": "b.png", "description": "d"}])
    assert codes(renamed, uploads={0: files[0]}) == []


@pytest.fixture
def message() -> Message:
    world = World(Clock())
    channel = Channel(world, 1, ChannelType.TEXT, "games")
    return Message(2, channel, User(3, "App", is_bot=True), content="hello", created_at=world.clock.now())


def test_an_edit_to_v2_must_clear_the_old_text(message: Message) -> None:
    assert "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2" in codes(v2(text("x")), before=message)
    assert codes(v2(text("x"), content=None), before=message) == []


def test_the_v2_flag_cannot_be_removed(message: Message) -> None:
    message.flags, message.content = MessageFlags.COMPONENTS_V2, ""
    wanted = ["MESSAGE_CANNOT_REMOVE_COMPONENTS_V2_FLAG"]
    assert codes({"flags": 0, "components": [text("x")]}, before=message) == wanted
    assert codes({"components": [text("x")]}, before=message) == []
    assert "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2" in codes({"content": "x"}, before=message)


def test_an_edit_keeps_or_drops_old_files(message: Message) -> None:
    message.attachments = [Attachment(7, "a.png", b"", "image/png")]
    body = v2(gallery("attachment://a.png"), content=None)
    assert codes(body, before=message) == []
    assert codes(body | {"attachments": [{"id": "7"}]}, before=message) == []
    lost = codes(body | {"attachments": []}, before=message)
    assert lost == ["UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"]


def test_interaction_responses_can_be_ephemeral() -> None:
    assert codes({"content": "x", "flags": 64}, may_be_ephemeral=True) == []


def test_a_deferral_can_only_set_the_ephemeral_flag() -> None:
    assert check_deferral({"flags": 64}, ("data",)) == []
    assert [fault.code for fault in check_deferral({"flags": V2}, ("data",))] == ["MESSAGE_FLAGS_INVALID"]
    assert [str(fault.at[-1]) for fault in check_deferral({"content": "x"}, ("data",))] == ["content"]


def test_messages_without_content_are_empty(message: Message) -> None:
    assert is_empty({"content": "", "embeds": []}, {})
    assert not is_empty({}, {0: Upload("a", b"")})
    assert not is_empty({"embeds": []}, {}, message)
    assert is_empty({"content": None}, {}, message)


def test_faults_have_a_path() -> None:
    body = legacy(row(button(), button()))
    (fault,) = check_message(body, {}, (), at=("data",))
    assert fault.at == ("data", "components", 0, "components", 1, "custom_id")
