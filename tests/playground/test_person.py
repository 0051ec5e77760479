"""Simulated people use an app: commands, components and modals, and what each person sees."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import discord
import pytest

from playground import Channel, NotOffered, Permission, Person, Playground, Reply, SeenMessage
from playground.clock import snowflake_time
from playground.world.posting import Draft, Source, Upload
from tests.conftest import SPEC
from tests.end_to_end.app_harness import PATIENCE
from tests.playground.conftest import Launch, TestApp
from tests.playground.showcase import showcase


def shown(reply: Reply) -> SeenMessage:
    """The message of a reply."""
    assert reply.message is not None, reply
    return reply.message


@pytest.fixture
async def world() -> AsyncIterator[Playground]:
    """A playground that validates every request against Discord's description, if available."""
    async with Playground(rate_limits="off", spec=SPEC) as world:
        world.interactions.answer_seconds = PATIENCE
        yield world


@pytest.fixture
async def app(world: Playground, launch: Launch) -> TestApp:
    return await launch(showcase())


# Commands


async def test_options_reach_the_app(
    world: Playground, app: TestApp, channel: Channel, ana: Person, ben: Person
) -> None:
    reply = await ana.slash(channel, "table new", seats=4)
    assert shown(reply).text == "(4, None, None, True)"
    reply = await ana.slash(channel, "table new", seats=2, pace="Slow", guest=ben, is_open=False)
    assert shown(reply).text == "(2, 'Slow', 'Ben', False)"
    assert shown(reply).raw["interaction_metadata"]["name"] == "table new"
    assert world.violations == []


@pytest.mark.parametrize(
    ("command", "options", "why"),
    [
        ("nothing", {}, "is not offered /nothing"),
        ("table", {}, "is a group"),
        ("table old", {}, "there is no old"),
        ("table new", {}, "seats is required"),
        ("table new", {"seats": 5}, "between 2 and 4"),
        ("table new", {"seats": "4"}, "does not take '4'"),
        ("table new", {"seats": True}, "does not take True"),
        ("table new", {"seats": 4, "pace": "Odd"}, "must be one of"),
        ("table new", {"seats": 4, "guest": 1}, "nothing here has the id 1"),
        ("table new", {"seats": 4, "is_open": 1}, "does not take 1"),
        ("table new", {"seats": 4, "color": "red"}, "has no option"),
        ("admin", {}, "is not offered /admin"),
    ],
)
async def test_commands_that_a_client_does_not_offer(
    app: TestApp, channel: Channel, ana: Person, command: str, options: dict[str, object], why: str
) -> None:
    with pytest.raises(NotOffered, match=why):
        await ana.slash(channel, command, **options)
    assert app.interactions == []


async def test_channels_and_roles_as_options(world: Playground, app: TestApp, channel: Channel, ana: Person) -> None:
    assert channel.guild is not None
    team = channel.guild.role("players", Permission(0), ana)
    assert shown(await ana.slash(channel, "name", place=channel, team=team, whom=team)).text == "games players players"
    assert shown(await ana.slash(channel, "name", place=channel, team=team, whom=ana)).text == "games players ana"
    with pytest.raises(NotOffered):
        await ana.slash(channel, "name", place=team, team=team, whom=ana)


async def test_files_as_options(world: Playground, app: TestApp, channel: Channel, ana: Person) -> None:
    assert shown(await ana.slash(channel, "read", file=("a note.txt", b"hello"))).text == "a note.txt 5 hello"
    encoded = {"filename": "note.txt", "content": "aGVsbG8="}  # as the page sends files
    assert shown(await ana.slash(channel, "read", file=encoded)).text == "note.txt 5 hello"
    for no_file in ("hello", b"hello", ("note.txt", "hello"), {"filename": "note.txt"}):
        with pytest.raises(NotOffered, match="takes a file"):
            await ana.slash(channel, "read", file=no_file)
    assert world.violations == []


async def test_commands_with_conditions(world: Playground, app: TestApp, channel: Channel, ana: Person) -> None:
    manager = world.person("Chief", permissions=Permission.MANAGE_GUILD)
    assert shown(await manager.slash(channel, "admin")).text == "yes"
    with pytest.raises(NotOffered):
        await manager.slash(manager.direct_channel, "admin")
    channel.deny(ana, Permission.USE_APPLICATION_COMMANDS)
    with pytest.raises(NotOffered):
        await ana.slash(channel, "form")
    stranger = world.person("Eve", guilds=[])
    with pytest.raises(NotOffered, match="does not see"):
        await stranger.slash(channel, "form")


async def test_commands_of_the_apps_menu(
    world: Playground, app: TestApp, channel: Channel, ana: Person, ben: Person
) -> None:
    asked = shown(await ana.use_on_user(channel, ben, "Who is it"))
    assert asked.text == f"Ben since {world.clock.now():%Y}"
    metadata = asked.raw["interaction_metadata"]
    assert (asked.raw["type"], metadata["name"]) == (23, "Who is it")
    assert metadata["target_user"]["id"] == str(ben.id)
    hello = ben.say(channel, "hello")
    answer = shown(await ana.use_on_message(hello, "Read it"))
    assert answer.text == "Ben: hello"
    assert answer.raw["interaction_metadata"]["target_message_id"] == str(hello.id)
    with pytest.raises(NotOffered, match="not offered Read it here, only"):
        await ana.use_on_user(channel, ben, "Read it")
    with pytest.raises(NotOffered, match="no Apps menu"):
        await ana.use_on_message(asked, "Read it")
    with pytest.raises(NotOffered, match="does not see"):
        await ben.use_on_message(asked, "Read it")
    with pytest.raises(NotOffered, match="is not offered"):
        await ana.slash(channel, "Read it")
    assert world.violations == []


async def test_autocomplete_offers_choices(world: Playground, app: TestApp, channel: Channel, ana: Person) -> None:
    choices = await ana.autocomplete(channel, "find", "card", "7", color="green")
    assert choices == [{"name": "7 green", "value": "7!"}]
    assert shown(await ana.slash(channel, "find", card="7!")).text == "7! any"
    with pytest.raises(NotOffered):
        await ana.autocomplete(channel, "find", "color", "g")


async def test_a_missing_response_is_reported(world: Playground, app: TestApp, channel: Channel, ana: Person) -> None:
    waiting = asyncio.create_task(ana.slash(channel, "mute"))
    await ana.until(lambda: world.interactions.pending)
    world.clock.advance(PATIENCE)
    reply = await waiting
    assert reply.failed == "The application did not respond"
    assert reply.message is None


async def test_a_deferral_is_filled_and_followed_up(
    world: Playground, app: TestApp, channel: Channel, ana: Person, ben: Person
) -> None:
    reply = await ana.slash(channel, "slow")
    assert reply.deferred
    seen = await ana.until(lambda: [each.text for each in ana.sees(channel)] == ["there", "and more"])
    assert seen
    assert not shown(reply).loading
    assert shown(reply).ephemeral
    assert [each.text for each in ben.sees(channel)] == ["and more"]  # later follow-ups have their own flags


# Messages


async def test_all_parts_of_a_message_can_be_read(
    world: Playground, app: TestApp, channel: Channel, ana: Person
) -> None:
    message = shown(await ana.slash(channel, "panel"))
    assert message.text == "# Table\nAna's hand"
    assert [each.label for each in message.buttons] == ["Look", "Twice", "Twice", "Off", "Rules"]
    assert [each.disabled for each in message.buttons] == [False, False, False, True, False]
    assert [each.custom_id for each in message.selects] == ["cards", "guests"]
    assert message.selects[0].options[0].label == "Card 0"
    assert message.author == "The App"
    assert not message.ephemeral
    assert message.flags == 32768
    assert "Look" in str(message)
    assert world.violations == []


async def test_embeds_and_files_can_be_read(world: Playground, app: TestApp, channel: Channel, ana: Person) -> None:
    embed = {"author": {"name": "A"}, "title": "B", "fields": [{"name": "C", "value": "D"}], "footer": {"text": "E"}}
    draft = Draft({"content": "0", "embeds": [embed]}, {0: Upload("hand.png", b"")})
    message = SeenMessage(world.posting.post(channel, Source(world.bot), draft))
    assert message.text == "0\nA\nB\nC\nD\nE"
    assert message.attachments == ["hand.png"]
    assert message.edited_at is None


async def test_buttons_are_pressed_by_label_or_id(app: TestApp, channel: Channel, ana: Person, ben: Person) -> None:
    message = shown(await ana.slash(channel, "panel"))
    assert shown(await ben.click(message, "Look")).text == "pressed look"
    assert shown(await ben.click(message, custom_id="twice:2")).text == "pressed twice:2"
    assert len(ben.sees(channel)) == 3
    assert len(ana.sees(channel)) == 1


@pytest.mark.parametrize(
    ("label", "why"),
    [
        ("Gone", "no button"),
        ("Twice", "2 buttons say"),
        ("Off", "is disabled"),
        ("Rules", "is a link"),
        ("look", "no button"),
    ],
)
async def test_buttons_that_cannot_be_pressed(
    app: TestApp, channel: Channel, ana: Person, label: str, why: str
) -> None:
    message = shown(await ana.slash(channel, "panel"))
    with pytest.raises(NotOffered, match=why):
        await ana.click(message, label)


async def test_menus_accept_labels_and_values(app: TestApp, channel: Channel, ana: Person, ben: Person) -> None:
    message = shown(await ana.slash(channel, "panel"))
    reply = await ana.select(message, "Card 1", "c3", custom_id="cards")
    assert shown(reply).text == "chose ['c1', 'c3']"
    reply = await ana.select(message, ben, ana, custom_id="guests")
    assert shown(reply).text == "invited ['Ben', 'Ana']"


@pytest.mark.parametrize(
    ("chosen", "custom_id"),
    [
        ([], "cards"),
        (["c0", "c1", "c2", "c3"], "cards"),
        (["c0", "c0"], "cards"),
        (["c9"], "cards"),
        (["c0"], None),
        (["c0"], "x"),
    ],
)
async def test_invalid_choices_are_not_offered(
    app: TestApp, channel: Channel, ana: Person, chosen: list[str], custom_id: str | None
) -> None:
    message = shown(await ana.slash(channel, "panel"))
    with pytest.raises(NotOffered):
        await ana.select(message, *chosen, custom_id=custom_id)


async def test_a_stale_button_reaches_the_app(world: Playground, app: TestApp, channel: Channel, ana: Person) -> None:
    message = shown(await ana.slash(channel, "panel"))
    world.posting.delete(message.message)
    assert message.deleted
    with pytest.raises(NotOffered):
        await ana.click(message, "Look")
    assert shown(await ana.press_old("look", message)).text == "pressed look"


# Modals


async def test_all_field_types_reach_the_app(world: Playground, app: TestApp, channel: Channel, ana: Person) -> None:
    modal = (await ana.slash(channel, "form")).modal
    assert modal is not None
    assert modal.title == "A form"
    assert list(modal.fields) == ["Name", "Kind", "Seats", "Rules", "Note"]
    reply = await ana.submit(modal, {"Name": "Ana", "Note": "hm", "Kind": "Slow", "Seats": "Four", "Rules": True})
    assert shown(reply).text == "('Ana', 'hm', ['Slow'], '4', True)"
    assert world.violations == []


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"Kind": "Live", "Seats": "Four"}, "must be filled in"),
        ({"Name": "A", "Kind": "Live", "Seats": "Four"}, "2 to 8 characters"),
        ({"Name": "Ana", "Seats": "Four"}, "takes 1 to 1"),
        ({"Name": "Ana", "Kind": "Live"}, "must be chosen"),
        ({"Name": "Ana", "Kind": "Odd", "Seats": "Four"}, "no option 'Odd'"),
        ({"Nonsense": "Ana"}, "has no field"),
    ],
)
async def test_invalid_forms_cannot_be_submitted(
    app: TestApp, channel: Channel, ana: Person, values: dict[str, str], why: str
) -> None:
    modal = (await ana.slash(channel, "form")).modal
    with pytest.raises(NotOffered, match=why):
        await ana.submit(modal, values)


async def test_submit_needs_a_form(channel: Channel, ana: Person) -> None:
    with pytest.raises(NotOffered):
        await ana.submit(None, {})


async def test_untouched_fields_keep_their_defaults(
    world: Playground, app: TestApp, channel: Channel, ana: Person, ben: Person
) -> None:
    modal = (await ana.slash(channel, "survey")).modal
    assert modal is not None
    assert (modal.custom_id, modal.text) == ("survey", "Take your time.")
    assert shown(await ana.submit(modal, {})).text == "(['Tea'], 'Live', [], 'as always')"
    modal = (await ana.slash(channel, "survey")).modal
    reply = await ana.submit(modal, {"food": ["Rice", "Soup"], "pace": "Slow", "guest": ben, "note": "new"})
    assert shown(reply).text == "(['Rice', 'Soup'], 'Slow', ['Ben'], 'new')"
    modal = (await ana.slash(channel, "survey")).modal
    with pytest.raises(NotOffered, match="1 to 2 ticks"):
        await ana.submit(modal, {"food": []})
    assert world.violations == []


# The screen and notifications


async def test_dismissing_hides_a_private_message(app: TestApp, channel: Channel, ana: Person) -> None:
    panel = shown(await ana.slash(channel, "panel"))
    private = shown(await ana.click(panel, "Look"))
    ana.dismiss(private)
    assert private.deleted
    assert [each.id for each in ana.sees(channel)] == [panel.id]
    with pytest.raises(NotOffered):
        ana.dismiss(panel)


async def test_only_allowed_mentions_notify(
    world: Playground, app: TestApp, channel: Channel, ana: Person, ben: Person
) -> None:
    await ana.slash(channel, "mention", who=ben)
    await ana.until(lambda: any(each.text.startswith("now") for each in ana.sees(channel)))
    assert [each.text for each in ben.pings] == [f"now {ana.mention}"]  # notified before the edit
    assert ana.pings == []  # not an allowed mention at first, and edits don't notify


async def test_direct_messages(world: Playground, app: TestApp, channel: Channel, ana: Person, ben: Person) -> None:
    await ana.slash(channel, "dm")
    await ana.until(lambda: ana.direct_messages)
    message = ana.direct_messages[0]
    assert message.text == "Dear you"
    assert [each.id for each in ana.pings] == [message.id]
    assert ben.direct_messages == []
    assert shown(await ana.click(message, "Reply")).text == "pressed r"
    assert shown(await ana.slash(ana.direct_channel, "find", card="7")).text == "7 any"


async def test_people_can_refuse_direct_messages(
    world: Playground, app: TestApp, channel: Channel, ana: Person
) -> None:
    ana.accepts_direct_messages = False
    await ana.slash(channel, "dm")
    assert "50007" in (await ana.until(lambda: world.refusals))[0]
    assert ana.direct_messages == []


async def test_until_times_out_with_the_screen(channel: Channel, ana: Person) -> None:
    ana.say(channel, "hello")
    with pytest.raises(AssertionError, match="hello"):
        await ana.until(lambda: False, timeout=0.02)


async def test_saying_needs_permission(channel: Channel, ana: Person) -> None:
    channel.deny(ana, Permission.SEND_MESSAGES)
    with pytest.raises(NotOffered):
        ana.say(channel, "hello")


async def test_accounts_can_have_a_creation_date(world: Playground) -> None:
    created = datetime(2020, 2, 29, tzinfo=UTC)
    assert snowflake_time(world.person("Ann", created=created).id) == created.timestamp()


# What the app receives


async def test_the_interaction_of_a_click_is_complete(
    world: Playground, app: TestApp, channel: Channel, ben: Person
) -> None:
    ann = world.person("Ann", locale="de", permissions=Permission.MANAGE_MESSAGES)
    message = shown(await ann.slash(channel, "panel"))
    await ann.click(message, "Look")
    command, click = app.interactions
    assert (command.type, click.type) == (
        discord.InteractionType.application_command,
        discord.InteractionType.component,
    )
    assert command.command is not None
    assert (command.command.name, command.user.display_name) == ("panel", "Ann")
    assert (click.locale, click.guild_locale) == (discord.Locale.german, discord.Locale.american_english)
    assert click.permissions.manage_messages
    assert not click.app_permissions.manage_messages
    assert click.app_permissions.send_messages
    assert click.context.guild
    assert click.filesize_limit == 10 * 1024 * 1024
    assert click.message is not None
    assert click.message.id == message.id
    assert click.message.interaction_metadata is not None
    assert click.message.interaction_metadata.user.id == ann.id
    assert isinstance(click.channel, discord.TextChannel)
    assert click.channel_id == channel.id
    assert isinstance(click.user, discord.Member)
    assert click.user.joined_at is not None
    assert not click.is_expired()


async def test_a_reload_loses_all_ephemeral_messages(world: Playground, channel: Channel, ana: Person) -> None:
    kept = world.posting.post(channel, Source(world.bot), Draft({"content": "for all"}))
    private = world.posting.post(channel, Source(world.bot), Draft({"content": "for Ana", "flags": 64}))
    private.reader = ana
    assert [each.id for each in ana.sees(channel)] == [kept.id, private.id]
    ana.reload()
    assert [each.id for each in ana.sees(channel)] == [kept.id]


async def test_an_ephemeral_message_never_appears_to_someone_who_reads_earlier_messages(
    app: TestApp, channel: Channel, ana: Person
) -> None:
    ana.scrolled_up = True
    await ana.slash(channel, "mention", who=ana)
    ana.scrolled_up = False
    assert ana.sees(channel) == []
    await ana.slash(channel, "mention", who=ana)
    assert "ok" in [each.content for each in ana.sees(channel)]
