"""The rules of interactions over plain HTTP: one first response in three seconds, a token for fifteen minutes."""

import pytest

from playground import Channel, Permission, Person, Playground
from playground.world.model import Interaction, InteractionType, Message, MessageFlags
from playground.world.posting import Draft, Source
from tests.end_to_end.app_harness import PATIENCE
from tests.playground.conftest import Api

MESSAGE, DEFER, DEFER_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9
FORM = {
    "custom_id": "form",
    "title": "A form",
    "components": [{"type": 18, "label": "Answer", "component": {"type": 4, "custom_id": "a", "style": 1}}],
}
BUTTON = {"type": 1, "components": [{"type": 2, "style": 1, "label": "Go", "custom_id": "go"}]}


@pytest.fixture
async def command(world: Playground, channel: Channel, ana: Person) -> Interaction:
    data = {"id": "1", "name": "gang", "type": 1, "options": []}
    return world.interactions.start(InteractionType.COMMAND, ana, channel, data)


@pytest.fixture
def table(world: Playground, channel: Channel) -> Message:
    return world.posting.post(channel, Source(world.bot), Draft({"content": "table", "components": [BUTTON]}))


@pytest.fixture
async def click(world: Playground, channel: Channel, ana: Person, table: Message) -> Interaction:
    data = {"custom_id": "go", "component_type": 2}
    return world.interactions.start(InteractionType.COMPONENT, ana, channel, data, message=table)


async def test_a_callback_can_return_the_message(api: Api, command: Interaction, click: Interaction) -> None:
    assert await api.callback(command, MESSAGE, {"content": "hi"}) == (204, None)
    status, body = await api.callback(click, MESSAGE, {"content": "hi", "flags": 64}, with_response=True)
    assert status == 200
    assert body["interaction"]["response_message_ephemeral"] is True
    assert body["interaction"]["response_message_loading"] is False
    assert body["interaction"]["response_message_id"] == body["resource"]["message"]["id"]
    assert body["resource"]["type"] == MESSAGE
    assert body["resource"]["message"]["interaction_metadata"]["user"]["global_name"] == "Ana"


async def test_a_second_first_response_is_refused(world: Playground, api: Api, command: Interaction) -> None:
    await api.callback(command, MESSAGE, {"content": "hi"})
    status, body = await api.callback(command, MESSAGE, {"content": "again"})
    assert (status, body["code"]) == (400, 40060)
    assert "40060" in world.violations[0]


def test_an_app_has_three_seconds_to_respond() -> None:
    assert Playground().interactions.answer_seconds == 3


async def test_a_late_response_is_refused(world: Playground, api: Api, command: Interaction) -> None:
    world.clock.advance(PATIENCE / 2)
    assert not command.is_settled
    world.clock.advance(PATIENCE / 2)
    assert command.failure == "The application did not respond"
    status, body = await api.callback(command, MESSAGE, {"content": "late"})
    assert (status, body["code"]) == (404, 10062)
    assert "three seconds" in world.violations[0]


async def test_interactions_fail_without_a_moved_clock_too(world: Playground, channel: Channel, ana: Person) -> None:
    world.interactions.answer_seconds = 0.02
    reply = await ana.press_old("anything", ana.say(channel, "hello"))
    assert reply.failed == "This interaction failed"


async def test_a_response_in_time_stays_valid(world: Playground, api: Api, command: Interaction) -> None:
    await api.callback(command, DEFER)
    world.clock.advance(60)
    status, body = await api.webhook(command, "PATCH", "/messages/@original", {"content": "done"})
    assert (status, body["content"]) == (200, "done")
    assert command.failure is None


async def test_the_token_is_valid_for_fifteen_minutes(world: Playground, api: Api, command: Interaction) -> None:
    await api.callback(command, MESSAGE, {"content": "hi"})
    world.clock.advance(14 * 60 + 55)
    assert (await api.webhook(command, "GET", "/messages/@original"))[0] == 200
    world.clock.advance(6)
    for method, rest, body in (("GET", "/messages/@original", None), ("POST", "", {"content": "x"})):
        status, answer = await api.webhook(command, method, rest, body)
        assert (status, answer["code"]) == (401, 50027)
    assert world.violations == []  # the app can't know it in advance
    assert len(world.refusals) == 2


async def test_a_token_needs_a_first_response(world: Playground, api: Api, command: Interaction) -> None:
    status, body = await api.webhook(command, "POST", "", {"content": "x"})
    assert (status, body["code"]) == (404, 10015)


async def test_a_wrong_token_or_id_is_unknown(world: Playground, api: Api, command: Interaction) -> None:
    status, body = await api("POST", f"/interactions/{command.id}/wrong/callback", {"type": 5})
    assert (status, body["code"]) == (404, 10062)
    status, body = await api("POST", f"/interactions/1/{command.token}/callback", {"type": 5})
    assert (status, body["code"]) == (404, 10062)
    await api.callback(command, DEFER)
    status, body = await api("POST", f"/webhooks/1/{command.token}", {"content": "x"})
    assert (status, body["code"]) == (404, 10015)


async def test_an_invalid_response_can_be_corrected(world: Playground, api: Api, command: Interaction) -> None:
    status, body = await api.callback(command, MESSAGE, {"content": "x" * 2001})
    assert (status, body["code"]) == (400, 50035)
    assert body["errors"] == {
        "data": {
            "content": {"_errors": [{"code": "BASE_TYPE_MAX_LENGTH", "message": "Must be 2000 or fewer in length."}]}
        }
    }
    assert (await api.callback(command, MESSAGE, {"content": "x"}))[0] == 204


@pytest.mark.parametrize("kind", [DEFER_UPDATE, UPDATE, CHOICES, 1, 99, None])
async def test_response_types_that_a_command_refuses(api: Api, command: Interaction, kind: int) -> None:
    status, body = await api.callback(command, kind, {"content": "x"})
    assert (status, "type" in body["errors"]) == (400, True)


async def test_a_modal_cannot_respond_to_a_modal(
    world: Playground, api: Api, command: Interaction, ana: Person
) -> None:
    await api.callback(command, MODAL, FORM)
    submitted = world.interactions.start(
        InteractionType.MODAL_SUBMIT, ana, command.channel, {"custom_id": "form", "components": []}, parent=command
    )
    assert (await api.callback(submitted, MODAL, FORM))[0] == 400
    assert (await api.callback(submitted, UPDATE, {"content": "x"}))[0] == 400  # the modal wasn't opened from a message
    assert (await api.callback(submitted, MESSAGE, {"content": "thanks"}))[0] == 204


async def test_a_modal_of_a_button_can_change_the_message(
    world: Playground, api: Api, click: Interaction, ana: Person, table: Message
) -> None:
    await api.callback(click, MODAL, FORM)
    data = {"custom_id": "form", "components": []}
    submitted = world.interactions.start(
        InteractionType.MODAL_SUBMIT, ana, click.channel, data, message=table, parent=click
    )
    await api.callback(submitted, UPDATE, {"content": "changed"})
    assert table.content == "changed"
    metadata = (await api.webhook(submitted, "POST", "", {"content": "more"}))[1]["interaction_metadata"]
    assert metadata["triggering_interaction_metadata"]["interacted_message_id"] == str(table.id)


async def test_a_client_keeps_a_form_by_its_custom_id(
    world: Playground, api: Api, command: Interaction, click: Interaction
) -> None:
    await api.callback(command, MODAL, FORM)
    await api.callback(click, MODAL, FORM | {"title": "Another"})
    assert click.modal
    assert click.modal["title"] == FORM["title"]


async def test_a_webhook_that_is_gone_may_be_asked_twice(world: Playground, api: Api, command: Interaction) -> None:
    await api.callback(command, MODAL, FORM)
    for _ in range(3):
        assert world.violations == []
        assert (await api.webhook(command, "GET", "/messages/@original"))[1]["code"] == 10008
    assert "3 times 404" in world.violations[0]


async def test_an_invalid_modal_is_refused(api: Api, command: Interaction) -> None:
    status, body = await api.callback(command, MODAL, FORM | {"title": "x" * 46})
    assert status == 400
    assert "title" in body["errors"]["data"]


async def test_a_deferral_is_loading_until_it_is_filled(world: Playground, api: Api, command: Interaction) -> None:
    status, body = await api.callback(command, DEFER, {"flags": 64}, with_response=True)
    assert body["interaction"]["response_message_loading"] is True
    message = command.original
    assert message is not None
    assert message.flags == MessageFlags.LOADING | MessageFlags.EPHEMERAL
    status, body = await api.webhook(command, "PATCH", "/messages/@original", {"content": "done"})
    assert (status, body["flags"], body["edited_timestamp"]) == (200, 64, None)
    assert world.violations == []


async def test_the_first_follow_up_fills_the_deferral(world: Playground, api: Api, command: Interaction) -> None:
    await api.callback(command, DEFER, {"flags": 64})
    _, first = await api.webhook(command, "POST", "", {"content": "one"})
    _, second = await api.webhook(command, "POST", "", {"content": "two"})
    assert command.original is not None
    assert int(first["id"]) == command.original.id != int(second["id"])
    assert first["flags"] == 64  # the deferral decides, not the follow-up
    assert second["flags"] == 0
    assert ["fills a deferral" in violation for violation in world.violations] == [True]  # it's deprecated


async def test_an_ephemeral_follow_up_does_not_hide_a_public_deferral(
    world: Playground, api: Api, command: Interaction
) -> None:
    await api.callback(command, DEFER)
    status, body = await api.webhook(command, "POST", "", {"content": "my hand", "flags": 64})
    assert (status, body["flags"]) == (200, 0)
    assert world.violations


async def test_a_deferred_update_does_not_change_the_message(
    api: Api, click: Interaction, table: Message, channel: Channel
) -> None:
    assert (await api.callback(click, DEFER_UPDATE))[0] == 204
    assert table.content == "table"
    await api.webhook(click, "PATCH", "/messages/@original", {"content": "changed"})
    assert table.content == "changed"
    _, body = await api.webhook(click, "POST", "", {"content": "new"})
    assert int(body["id"]) != table.id


async def test_an_update_changes_the_clicked_message(api: Api, click: Interaction, table: Message) -> None:
    _, body = await api.callback(click, UPDATE, {"content": "changed"}, with_response=True)
    assert body["resource"]["type"] == UPDATE
    assert table.content == body["resource"]["message"]["content"] == "changed"
    assert table.components[0]["components"][0]["custom_id"] == "go"  # omitted fields are kept


async def test_a_message_stays_ephemeral(world: Playground, api: Api, command: Interaction) -> None:
    await api.callback(command, MESSAGE, {"content": "mine", "flags": 64})
    message = command.original
    assert message is not None
    await api.webhook(command, "PATCH", "/messages/@original", {"content": "still mine", "flags": 0})
    assert message.is_ephemeral
    assert message.reader is command.user


async def test_ephemeral_messages_cannot_be_reached_through_the_channel(
    world: Playground, api: Api, command: Interaction, channel: Channel
) -> None:
    await api.callback(command, MESSAGE, {"content": "mine", "flags": 64})
    assert command.original is not None
    path = f"/channels/{channel.id}/messages/{command.original.id}"
    for method, body in (("GET", None), ("PATCH", {"content": "x"}), ("DELETE", None)):
        status, answer = await api(method, path, body)
        assert (status, answer["code"]) == (404, 10008)
    assert await api("GET", f"/channels/{channel.id}/messages") == (200, [])


async def test_a_token_reaches_its_own_messages_only(
    world: Playground, api: Api, command: Interaction, click: Interaction
) -> None:
    await api.callback(command, MESSAGE, {"content": "mine", "flags": 64})
    await api.callback(click, DEFER_UPDATE)
    assert command.original is not None
    assert (await api.webhook(command, "GET", f"/messages/{command.original.id}"))[0] == 200
    status, body = await api.webhook(click, "PATCH", f"/messages/{command.original.id}", {"content": "x"})
    assert (status, body["code"]) == (404, 10008)


async def test_a_deleted_response_cannot_be_edited(world: Playground, api: Api, command: Interaction) -> None:
    await api.callback(command, MESSAGE, {"content": "hi"})
    assert await api.webhook(command, "DELETE", "/messages/@original") == (204, None)
    assert (await api.webhook(command, "PATCH", "/messages/@original", {"content": "x"}))[1]["code"] == 10008
    assert (await api.webhook(command, "DELETE", "/messages/@original"))[1]["code"] == 10008


async def test_a_modal_has_no_original_message(api: Api, command: Interaction) -> None:
    await api.callback(command, MODAL, FORM)
    assert (await api.webhook(command, "GET", "/messages/@original"))[1]["code"] == 10008
    assert (await api.webhook(command, "POST", "", {"content": "x"}))[0] == 200


async def test_a_click_on_a_deleted_message_cannot_update_it(
    world: Playground, api: Api, click: Interaction, table: Message
) -> None:
    world.posting.delete(table)
    assert (await api.callback(click, UPDATE, {"content": "x"}))[1]["code"] == 10008
    assert (await api.callback(click, MESSAGE, {"content": "x"}))[0] == 204


async def test_responses_in_a_deleted_channel_are_refused(
    world: Playground, api: Api, command: Interaction, channel: Channel
) -> None:
    channel.delete()
    assert (await api.callback(command, MESSAGE, {"content": "x"}))[1]["code"] == 10003
    assert world.violations == []


async def test_responses_need_no_channel_permission(
    world: Playground, api: Api, command: Interaction, channel: Channel
) -> None:
    channel.deny(world.bot, Permission.VIEW_CHANNEL | Permission.SEND_MESSAGES)
    assert (await api.callback(command, MESSAGE, {"content": "x"}))[0] == 204
    assert (await api.webhook(command, "POST", "", {"content": "y"}))[0] == 200
    assert (await api("POST", f"/channels/{channel.id}/messages", {"content": "z"}))[1]["code"] == 50001


async def test_an_empty_response_is_refused(api: Api, command: Interaction) -> None:
    assert (await api.callback(command, MESSAGE, {}))[1]["code"] == 50006
    assert (await api.callback(command, MESSAGE))[1]["code"] == 50006


async def test_only_a_deferred_message_can_be_ephemeral(api: Api, command: Interaction) -> None:
    _, body = await api.callback(command, DEFER, {"flags": 64 | 32768})
    assert "flags" in body["errors"]["data"]


async def test_only_choices_respond_to_an_autocomplete(
    world: Playground, api: Api, channel: Channel, ana: Person
) -> None:
    data = {
        "id": "1",
        "name": "gang",
        "options": [{"name": "join", "type": 1, "options": [{"name": "t", "type": 3, "value": "", "focused": True}]}],
    }
    asked = world.interactions.start(InteractionType.AUTOCOMPLETE, ana, channel, data)
    assert (await api.callback(asked, MESSAGE, {"content": "x"}))[0] == 400
    too_many = {"choices": [{"name": str(n), "value": str(n)} for n in range(26)]}
    assert "choices" in (await api.callback(asked, CHOICES, too_many))[1]["errors"]["data"]
    assert (await api.callback(asked, CHOICES, {"choices": [{"name": "a", "value": "b"}]}))[0] == 204
    assert asked.choices == [{"name": "a", "value": "b"}]


async def test_interactions_fail_without_the_app_in_the_guild(world: Playground, channel: Channel, ana: Person) -> None:
    message = world.posting.post(channel, Source(world.bot), Draft({"content": "x", "components": [BUTTON]}))
    assert channel.guild is not None
    channel.guild.remove(world.bot)
    clicked = world.interactions.start(InteractionType.COMPONENT, ana, channel, {"custom_id": "go"}, message=message)
    assert clicked.failure == "This interaction failed"
