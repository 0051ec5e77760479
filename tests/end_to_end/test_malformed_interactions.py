"""Malformed interactions: each is answered once with a sentence."""

from typing import Any

import discord
import pytest

from bot.storage.database import Database
from playground.client.screen import SeenMessage
from playground.world.model import InteractionType
from playground.world.permissions import Permission
from tests.end_to_end.app_harness import AppHarness
from tests.end_to_end.conftest import small_app
from tests.end_to_end.inspection import choose_forged, menu_of, private_text, send_raw, shown, stored

UNKNOWN = "This button doesn't work any more."
NO_COMMAND = "I don't know this form of the command."
HUGE = (2**63, 2**64, 10**30)


async def _panels(harness: AppHarness) -> tuple[SeenMessage, SeenMessage]:
    """The settings of the host of a lobby who manages the server, and those of the server."""
    ana = harness.people[0]
    harness.guild.role("managers", Permission.MANAGE_GUILD, ana)
    await harness.open_table(ana, seats=3)
    own, server = [shown(await ana.slash(harness.channel, "gang settings")) for _ in range(2)]
    await ana.click(server, custom_id="g4:server:0:0")
    return own, server


async def test_a_form_where_a_press_is_expected_and_a_press_where_a_form_is(harness: AppHarness) -> None:
    own, server = await _panels(harness)
    ana, before = harness.people[0], stored(harness)
    typed = [{"type": 18, "component": {"type": 4, "custom_id": "zone", "value": "Europe/Paris"}}]
    for custom_id in ("g4:start:1:0", "g4:hand:1:0", "g4:notifications:0:0", "g4:form:0:0:zone"):
        data: dict[str, Any] = {"custom_id": custom_id, "components": typed}
        assert UNKNOWN in private_text(await send_raw(ana, InteractionType.MODAL_SUBMIT, harness.channel, data, own))
    data = {"custom_id": "g4:robot:1:0", "component_type": 2}  # a press on no message
    assert UNKNOWN in private_text(await send_raw(ana, InteractionType.COMPONENT, harness.channel, data))
    for custom_id in ("g4:typed:0:0:zone:1", "g4:seasonname:0:0:1"):
        assert UNKNOWN in private_text(await ana.press_old(custom_id, server))
    broken: tuple[Any, ...] = (
        [],
        [{}],
        [{"component": None}],
        ["x"],
        None,
        "x",
        [{"component": {"custom_id": "zone"}}],
    )
    for components in broken:
        data = {"custom_id": "g4:typed:0:0:zone:1", "components": components}
        assert UNKNOWN in private_text(await send_raw(ana, InteractionType.MODAL_SUBMIT, harness.channel, data, own))
    assert stored(harness) == before


async def test_menus_with_nothing_too_much_or_something_else_chosen(harness: AppHarness) -> None:
    own, server = await _panels(harness)
    ana = harness.people[0]
    await ana.click(server, custom_id="g4:server:0:0:season")
    await ana.select(server, "week", custom_id=menu_of(server, "schedule"))
    menus = {
        own: ["notifications", "quiet", "zone", "language", "cards"],
        server: ["publiclanguage", "celebrate", "publiccards", "default:0:0:size", "schedule", "postin"],
    }
    for panel, verbs in menus.items():
        for verb in verbs:
            custom_id = f"g4:{verb}" if ":" in verb else f"g4:{verb}:0:0"
            assert UNKNOWN in private_text(await choose_forged(ana, panel, custom_id)), verb
            assert UNKNOWN in private_text(await choose_forged(ana, panel, custom_id, "1", "2")), verb
            assert UNKNOWN in private_text(await ana.press_old(custom_id, panel)), verb
    for verb in ("channels", "roles", "postin"):
        for value in (*map(str, HUGE), "-1", "٣", "²", "", "1" * 5000):
            assert UNKNOWN in private_text(await choose_forged(ana, server, f"g4:{verb}:0:0", value)), (verb, value)
    for verb in ("invite", "remove"):
        for value in (*map(str, HUGE), "٣", ""):
            assert UNKNOWN in private_text(await choose_forged(ana, own, f"g4:{verb}:1:0", value)), (verb, value)
        assert UNKNOWN in private_text(await choose_forged(ana, own, f"g4:{verb}:1:0")), verb


async def test_ids_with_impossible_numbers_are_refused(harness: AppHarness) -> None:
    own, server = await _panels(harness)
    ana = harness.people[0]
    for number in (*HUGE, "٣", "²", "9" * 5000):
        for custom_id in (
            f"g4:hand:{number}:0",
            f"g4:hand:1:{number}",
            f"g4:profile:0:0:{number}:figures",
            f"g4:curve:0:0:{number}",
            f"g4:server:0:0:log:{number}:x",
            f"g4:season:0:0:end:{number}:yes",
            f"g4:season:0:0:reset:{number}:yes",
            f"g4:board:0:0:wins:all:all:any:0:{number}:next",
            f"g4:past:{number}:0:t:a:first",
            f"g4:history:0:{number}:mine:next",
        ):
            panel = server if "server" in custom_id or "season" in custom_id else own
            assert UNKNOWN in private_text(await ana.press_old(custom_id, panel)), custom_id
    for number in (2**31, 2**53, 2**63, 0, -1):
        for command, option in (("hand", "table"), ("new", "same_deals"), ("history", "number")):
            data = _command(harness, command, [{"name": option, "type": 4, "value": number}])
            assert "no such table" in private_text(await send_raw(ana, InteractionType.COMMAND, harness.channel, data))


@pytest.mark.parametrize("kind", [InteractionType.COMPONENT, InteractionType.COMMAND])
async def test_an_interaction_without_its_member_is_no_error_of_the_app(
    harness: AppHarness, kind: InteractionType
) -> None:
    ana = harness.people[0]
    await harness.open_table(ana, seats=3)
    table = harness.table()
    data: dict[str, Any] = {"id": "1", "name": "gang", "type": 1, "options": [{"name": "hand", "type": 1}]}
    if kind is InteractionType.COMPONENT:
        data = {"custom_id": "g4:join:1:0", "component_type": 2}
    sent = ana.world.interactions.start(
        kind, ana, harness.channel, data, message=table.message, payload={"member": ...}
    )
    await ana.until(lambda: sent.is_settled)
    assert sent.original is not None
    assert SeenMessage(sent.original).text.startswith((UNKNOWN, NO_COMMAND))
    assert " ERROR " not in harness.log.read_text()


async def test_commands_that_discord_does_not_have(harness: AppHarness) -> None:
    ana = harness.people[0]
    for data in (
        _command(harness, "nothing", []),
        _command(harness, "hand", [{"name": "table", "type": 4, "value": "many"}]),
        _command(harness, "hand", [{"name": "table", "type": 4, "value": 10**30}]),  # orjson reads it as 1e30
        _command(harness, "history", [{"name": "file", "type": 11, "value": "12"}]),
        _command(harness, "new", [{"name": "target", "type": 4, "value": 10**9}]),
        _command(harness, "new", [{"name": "target", "type": 4, "value": 0}]),
        _command(harness, "new", [{"name": "edition", "type": 3, "value": "mine"}]),
        _command(harness, "new", [{"value": 3}]),
        _command(harness, "history", [{"name": "whose", "type": 3, "value": "yours"}]),
        _command(harness, "profile", [{"name": "person", "type": 6, "value": "12"}]),
        {"type": 1, "name": "gang", "id": "1"},
        {"type": 1, "id": "1"},
        {"type": 2, "name": "gang", "id": "1", "target_id": "1"},
        {"type": 2, "name": "Profile", "id": "1", "target_id": "1"},
        {"type": 3, "name": "Profile", "id": "1", "target_id": "1"},
        {"type": 3, "name": "My hand", "id": "1", "target_id": "1", "resolved": {"messages": {"1": {}}}},
        {
            "type": 1,
            "name": "gang",
            "id": "1",
            "options": [{"name": "hand", "type": 1}],
            "resolved": {"users": {"1": {}}},
        },
    ):
        assert NO_COMMAND in private_text(await send_raw(ana, InteractionType.COMMAND, harness.channel, data)), data
    for data in (_command(harness, "hand", [{"name": "table", "type": 4, "value": 1, "focused": True}]), {"name": "x"}):
        reply = await send_raw(ana, InteractionType.AUTOCOMPLETE, harness.channel, data)
        assert (reply.failed, reply.choices) == (None, ())


def _command(harness: AppHarness, name: str, options: list[dict[str, object]]) -> dict[str, Any]:
    command = next(command for commands in harness.world.commands.values() for command in commands.values())
    return {
        "type": 1,
        "name": "gang",
        "id": str(command["id"]),
        "options": [{"name": name, "type": 1, "options": options}],
    }


@pytest.mark.parametrize("kind", ["command", "press", "autocomplete"])
async def test_a_fault_before_the_handler_is_answered_too(kind: str, database: Database) -> None:
    async def prepare(_interaction: discord.Interaction) -> None:
        raise ArithmeticError

    async with small_app(database, prepare=prepare) as (channel, ana, _):
        if kind == "command":
            reply = await ana.slash(channel, "gang help")
        elif kind == "press":
            data = {"custom_id": "g4:rules:0:0:brief", "component_type": 2}
            reply = await send_raw(ana, InteractionType.COMPONENT, channel, data)
        else:
            reply = await send_raw(ana, InteractionType.AUTOCOMPLETE, channel, {"name": "gang"})
        assert reply.failed is None
        assert kind == "autocomplete" or "Something broke" in shown(reply).text
