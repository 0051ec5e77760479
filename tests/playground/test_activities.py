"""Activities without a browser: who can launch one and how, its instances, and the Entry Point command."""

import asyncio

import pytest

from playground import Channel, NotOffered, Permission, Person, Playground
from playground.world.model import Interaction, InteractionType, Message
from playground.world.posting import Draft, Source
from tests.playground.conftest import Api

LAUNCH = 12
PAGE = "127.0.0.1:1"
BUTTON = {"type": 1, "components": [{"type": 2, "style": 1, "label": "Open", "custom_id": "open"}]}


@pytest.fixture
def table(world: Playground, channel: Channel) -> Message:
    return world.posting.post(channel, Source(world.bot), Draft({"content": "table", "components": [BUTTON]}))


def pressed(world: Playground, person: Person, table: Message) -> Interaction:
    data = {"custom_id": "open", "component_type": 2}
    return world.interactions.start(InteractionType.COMPONENT, person, table.channel, data, message=table)


def used(world: Playground, person: Person, channel: Channel) -> Interaction:
    data = {"id": "1", "name": "gang", "type": 1, "options": []}
    return world.interactions.start(InteractionType.COMMAND, person, channel, data)


async def instance(api: Api, instance_id: str) -> dict[str, object]:
    status, body = await api("GET", f"/applications/{api.world.app.id}/activity-instances/{instance_id}")
    assert status == 200, body
    return dict(body)


async def test_buttons_and_commands_launch_the_activity_of_their_channel(
    world: Playground, api: Api, channel: Channel, table: Message, ana: Person, ben: Person
) -> None:
    world.enable_activities(PAGE)
    interaction = pressed(world, ana, table)
    status, body = await api.callback(interaction, LAUNCH, with_response=True)
    assert status == 200
    launched = body["resource"]["activity_instance"]["id"]
    assert (body["resource"]["type"], body["interaction"]["activity_instance_id"]) == (LAUNCH, launched)
    assert await api.callback(used(world, ben, channel), LAUNCH) == (204, None)
    assert channel.guild is not None
    place = f"gc-{channel.guild.id}-{channel.id}"
    launch_id = launched.removeprefix("i-").removesuffix(f"-{place}")
    assert await instance(api, launched) == {
        "application_id": str(world.app.id),
        "instance_id": launched,
        "launch_id": launch_id,
        "location": {"id": place, "kind": "gc", "channel_id": str(channel.id), "guild_id": str(channel.guild.id)},
        "users": [str(ana.id), str(ben.id)],
    }
    assert (await api.webhook(interaction, "POST", "", {"content": "more"}))[0] == 200
    assert world.violations == []


async def test_an_instance_ends_with_its_last_user_and_never_comes_back(
    world: Playground, api: Api, channel: Channel, ana: Person, ben: Person
) -> None:
    world.enable_activities(PAGE)
    await ana.launch(channel)
    await ben.launch(channel)
    first = ana.activity
    assert first is not None
    assert first is ben.activity
    ana.close_activity()
    assert (await instance(api, first.id))["users"] == [str(ben.id)]
    ben.close_activity()
    status, body = await api("GET", f"/applications/{world.app.id}/activity-instances/{first.id}")
    assert (status, body) == (404, {"message": "404: Not Found", "code": 0})
    await ben.launch(channel)
    assert ben.activity is not None
    assert ben.activity.id != first.id
    assert (await api("GET", f"/applications/1/activity-instances/{ben.activity.id}"))[1]["code"] == 50001
    assert world.violations == []


async def test_a_user_is_in_one_activity_at_a_time(world: Playground, api: Api, channel: Channel, ana: Person) -> None:
    world.enable_activities(PAGE)
    await ana.launch(channel)
    before = ana.activity
    await ana.launch(channel)
    assert ana.activity is before
    await ana.launch(ana.direct_channel)
    assert ana.activity is not None
    assert before is not None
    assert world.activities.find(before.id) is None
    shown = await instance(api, ana.activity.id)
    assert shown["location"] == {
        "id": f"pc-{ana.direct_channel.id}",
        "kind": "pc",
        "channel_id": str(ana.direct_channel.id),
    }


async def test_who_no_longer_sees_the_channel_is_no_longer_in_its_activity(
    world: Playground, channel: Channel, ana: Person, ben: Person
) -> None:
    world.enable_activities(PAGE)
    await ana.launch(channel)
    await ben.launch(channel)
    assert channel.guild is not None
    channel.deny(ana, Permission.VIEW_CHANNEL)
    assert (ana.activity, ben.activity is None) == (None, False)
    channel.guild.remove(ben)
    assert ben.activity is None


async def test_without_activities_none_is_launched(
    world: Playground, api: Api, channel: Channel, table: Message, ana: Person
) -> None:
    status, body = await api.callback(pressed(world, ana, table), LAUNCH)
    assert (status, body["code"], "type" in body["errors"]) == (400, 50035, True)
    assert len(world.violations) == 1
    with pytest.raises(NotOffered):
        await ana.launch(channel)


async def test_launching_needs_the_permission(
    world: Playground, api: Api, channel: Channel, table: Message, ana: Person
) -> None:
    world.enable_activities(PAGE)
    channel.deny(ana, Permission.USE_EMBEDDED_ACTIVITIES)
    assert (await api.callback(pressed(world, ana, table), LAUNCH))[1]["code"] == 50013
    assert ana.activity is None
    with pytest.raises(NotOffered):
        await ana.launch(channel)
    assert world.violations == []


@pytest.mark.parametrize("kind", [InteractionType.AUTOCOMPLETE, InteractionType.MODAL_SUBMIT])
async def test_other_interactions_launch_nothing(
    world: Playground, api: Api, channel: Channel, ana: Person, kind: InteractionType
) -> None:
    world.enable_activities(PAGE)
    interaction = world.interactions.start(kind, ana, channel, {"id": "1", "name": "gang", "options": []})
    assert (await api.callback(interaction, LAUNCH))[0] == 400


# The Entry Point command


async def test_the_app_can_answer_its_entry_point_command(
    world: Playground, api: Api, channel: Channel, ana: Person
) -> None:
    world.enable_activities(PAGE)
    root = f"/applications/{world.app.id}/commands"
    status, kept = await api("PUT", root, [{"type": 4, "name": "play", "description": "Play.", "handler": 1}])
    assert (status, kept[0]["handler"]) == (200, 1)
    launching = asyncio.create_task(ana.launch(channel))
    (interaction,) = await ana.until(lambda: world.interactions.pending)
    assert interaction.data == {"id": kept[0]["id"], "name": "play", "type": 4}
    assert (await api.callback(interaction, LAUNCH))[0] == 204
    shown = await launching
    assert shown is not None
    assert ana.activity is not None
    assert shown.activity == ana.activity.id
    assert world.violations == []


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"type": 4, "handler": 3}, "handler"),
        ({"type": 4, "description": "x" * 101}, "description"),
        ({"type": 4, "options": [{"type": 3, "name": "x", "description": "x"}]}, "options"),
        ({"type": 1, "description": "x", "handler": 1}, "handler"),
    ],
)
async def test_invalid_entry_points_are_refused(
    world: Playground, api: Api, fields: dict[str, object], field: str
) -> None:
    status, body = await api("PUT", f"/applications/{world.app.id}/commands", [{"name": "launch"} | fields])
    assert (status, list(body["errors"]["0"])) == (400, [field])


async def test_an_app_has_one_entry_point(world: Playground, api: Api) -> None:
    two = [{"type": 4, "name": name} for name in ("one", "two")]
    _, body = await api("PUT", f"/applications/{world.app.id}/commands", two)
    assert body["errors"]["_errors"][0]["code"] == "APPLICATION_COMMANDS_TOO_MANY"


async def test_a_bulk_update_keeps_the_entry_point_that_it_lists(world: Playground, api: Api) -> None:
    world.enable_activities(PAGE)
    root = f"/applications/{world.app.id}/commands"
    _, (launching,) = await api("GET", root)
    assert (launching["type"], launching["handler"], launching["name"]) == (4, 2, "launch")
    status, kept = await api("PUT", root, [launching, {"name": "gang", "description": "Play."}])
    assert (status, kept[0]["id"], kept[0]["handler"]) == (200, launching["id"], 2)
    status, kept = await api("PUT", root, [launching | {"name": "play"}])
    assert (status, kept[0]["id"], kept[0]["name"]) == (200, launching["id"], "play")
    assert (await api("PUT", root, [{"name": "gang", "description": "Play."}]))[1]["code"] == 50240
    assert world.violations == []


async def test_the_application_says_that_it_has_activities(world: Playground, api: Api) -> None:
    assert (await api("GET", "/applications/@me"))[1]["flags"] == 0
    world.enable_activities(PAGE)
    assert (await api("GET", "/applications/@me"))[1]["flags"] == 1 << 17
