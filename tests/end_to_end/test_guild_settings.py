"""Guild settings, seasons, scheduled posts, and the deletion of a guild that removed the app."""

import asyncio
import json
import time
from collections.abc import Callable
from io import BytesIO
from zipfile import ZipFile

import pytest

from bot.analysis.schedules import latest_period
from bot.services.retention import DAY, GUILD_DAYS
from bot.table.guild import PostInterval
from playground.client.person import Person
from playground.client.screen import SeenMessage
from playground.world.permissions import Permission
from tests.end_to_end.app_harness import AppHarness, can_press, play_to_the_end
from tests.end_to_end.inspection import app_database, choose_forged, menu_of, private, private_text, shown


@pytest.fixture
def mod(harness: AppHarness) -> Person:
    return harness.manager


async def _played(harness: AppHarness) -> None:
    await play_to_the_end(harness, await harness.begin_match(4, target=1))


async def test_a_server_says_where_and_by_whom_tables_are_opened_and_with_what(
    harness: AppHarness, mod: Person
) -> None:
    ana, ben, *_ = harness.people
    elsewhere, hosts = harness.guild.channel("talk"), harness.guild.role("hosts", Permission(0), ben)
    panel = await harness.server_settings()
    await mod.select(panel, harness.channel, custom_id=menu_of(panel, "channels"))
    assert f"Tables may be opened in <#{harness.channel.id}>." in panel.text
    assert f"only in these channels: <#{harness.channel.id}>" in private_text(await ana.slash(elsewhere, "gang new"))
    await mod.select(panel, hosts, custom_id=menu_of(panel, "roles"))
    assert f"one of these roles can open tables: <@&{hosts.id}>" in private_text(
        await ana.slash(harness.channel, "gang new")
    )
    await mod.click(panel, "New tables")
    for name, value in (
        ("size", "3"),
        ("edition", "dargaud-1996"),
        ("target", "50"),
        ("pace", "day"),
        ("ai_level", "club"),
    ):
        await mod.select(panel, value, custom_id=next(m.custom_id for m in panel.selects if m.custom_id.endswith(name)))
    await mod.click(panel, "How we play")
    for name, value in (("late", "move"), ("undo", "on"), ("rated", "off")):
        await mod.select(panel, value, custom_id=next(m.custom_id for m in panel.selects if m.custom_id.endswith(name)))

    await harness.kill_app()
    await harness.start_app()

    table = await harness.open_table(ben)
    assert "Dargaud 1996 · to 50 points" in table.text
    assert "day: 24 hours a turn" in table.text
    for text in ("play the safest move at once", "the last move can be taken back", "casual"):
        assert text in table.text
    assert "3." in table.text
    assert "4." not in table.text
    await harness.press(ben, "Add AI")
    await ben.until(lambda: "-# AI players: medium" in harness.table().text)
    table = await harness.open_table(mod, seats=4, edition="days-of-wonder")
    assert "Days of Wonder · to 50 points" in table.text
    await mod.click(panel, "General")
    await mod.select(panel, custom_id=menu_of(panel, "channels"))
    await mod.select(panel, custom_id=menu_of(panel, "roles"))
    assert "Everyone may open tables." in panel.text
    await ana.slash(elsewhere, "gang new")
    await mod.click(panel, "Changes")
    lines = panel.text.splitlines()
    assert len(lines) == 1 + 10
    assert "taking back at new tables" in panel.text
    assert f"{mod.mention}: roles that open tables: <@&{hosts.id}> → –" in lines[1]
    assert "to 100 points → to 50 points" in panel.text


async def test_an_open_table_is_shown_in_the_language_of_the_server(harness: AppHarness, mod: Person) -> None:
    table = await harness.open_table(harness.people[0])
    panel = await harness.server_settings()
    await mod.select(panel, "de", custom_id=menu_of(panel, "publiclanguage"))
    await mod.until(lambda: "Gang of Four · Tisch 1" in harness.table().text)
    assert harness.table().id == table.id
    await mod.select(panel, "discord", custom_id=menu_of(panel, "publiclanguage"))
    await mod.until(lambda: "Gang of Four · table 1" in harness.table().text)


async def test_a_season_begins_is_reset_and_ends_with_a_podium(harness: AppHarness, mod: Person) -> None:
    ana = harness.people[0]
    panel = await harness.server_settings("Season and leaderboard")
    assert "No season is running." in panel.text
    await mod.click(panel, "Activity")
    assert "Nothing yet: no match has ended here in the last 8 weeks." in panel.text
    assert "0 matches" not in panel.text
    await mod.click(panel, "Season and leaderboard")
    modal = (await mod.click(panel, "Start a season…")).modal
    assert modal is not None
    await mod.submit(modal, {"Name": "Spring *2027*"})
    assert "Spring \\*2027\\*" in panel.text
    with app_database(harness) as connection:
        connection.execute(
            "INSERT INTO scores (guild_id, period, user_id, channel_id, edition, people_only,"
            " matches, wins, absent, hands, points, squares, par_hands, luck, skill, skill_squares)"
            " VALUES (?, 's1', ?, 1, 'x', true, 9, 9, 0, 9, 0, 0, 0, 0, 0, 0)",
            (harness.guild.id, ana.id),
        )
    await mod.click(panel, "Reset the season…")
    await mod.click(panel, "Yes, reset it")
    await _played(harness)
    old = await harness.server_settings("Season and leaderboard")
    for each in (panel, old):
        await mod.click(each, "End the season…")
    await mod.click(panel, "Yes, end it")

    def podium() -> list[SeenMessage]:
        return [message for message in ana.sees(harness.channel) if "The season Spring" in message.text]

    (posted,) = await ana.until(podium)
    assert posted.text.count("1 win") == 1
    assert "🥇 1\\. " in posted.text
    assert sum(posted.text.count(medal) for medal in "🥇🥈🥉") >= 3
    await mod.click(old, "Yes, end it")
    assert "The season has changed in the meantime" in old.text
    await harness.kill_app()
    await harness.start_app()
    assert len(podium()) == 1
    assert "No season is running." in (await harness.server_settings("Season and leaderboard")).text


async def test_the_leaderboard_is_posted_once_also_after_the_app_was_off(harness: AppHarness, mod: Person) -> None:
    ana = harness.people[0]
    await _played(harness)
    leaderboard = harness.guild.channel("boards")
    panel = await harness.server_settings("Season and leaderboard")
    await mod.select(panel, "week", custom_id=menu_of(panel, "schedule"))
    await mod.select(panel, leaderboard, custom_id=menu_of(panel, "postin"))
    assert f"The next leaderboard is posted in <#{leaderboard.id}>" in panel.text
    await harness.stop_app()
    past = int(time.time()) - 60 * DAY
    with app_database(
        harness
    ) as connection:  # it was due twice a month ago, and those of last week have played again since
        connection.execute("UPDATE guilds SET post_at = ?", (past,))
        connection.execute("UPDATE scores SET period = ? WHERE period LIKE '%-W%'", (_last_week(),))
    for _ in range(2):
        await harness.start_app()
        (posted,) = await ana.until(lambda: ana.sees(leaderboard))
        assert posted.text.startswith("### Leaderboard from ")
        assert posted.text.count("1 match") == 4
        await _wait_until(lambda: _next_post(harness) > time.time())
        await harness.stop_app()
        with app_database(harness) as connection:  # as if it had crashed before storing it
            connection.execute("UPDATE guilds SET post_at = ?", (past,))
    await harness.start_app()


async def test_only_visible_channels_and_roles_of_the_server_are_accepted(harness: AppHarness, mod: Person) -> None:
    foreign = harness.world.guild("Other House")
    elsewhere, stranger_role = foreign.channel("announcements"), foreign.role("hosts", Permission(0))
    hidden, shown = harness.guild.channel("back room"), harness.guild.channel("boards")
    hidden.deny(mod, Permission.VIEW_CHANNEL)
    panel = await harness.server_settings("Season and leaderboard")
    await mod.select(panel, "week", custom_id=menu_of(panel, "schedule"))
    for channel_id in (elsewhere.id, hidden.id, 1):
        for verb in ("postin", "channels"):
            reply = await choose_forged(mod, panel, f"g4:{verb}:0:0", str(channel_id))
            assert "doesn't work any more" in private_text(reply), (verb, channel_id)
    for role_id in (stranger_role.id, 1):
        assert "doesn't work any more" in private_text(await choose_forged(mod, panel, "g4:roles:0:0", str(role_id)))
    with app_database(harness) as connection:
        (stored,) = connection.execute("SELECT post_channel_id, channels, roles FROM guilds")
    assert stored == (harness.channel.id, "[]", "[]")

    hidden.allow(mod, Permission.VIEW_CHANNEL)
    await choose_forged(mod, panel, "g4:channels:0:0", str(hidden.id))
    hidden.deny(mod, Permission.VIEW_CHANNEL)
    await choose_forged(mod, panel, "g4:channels:0:0", str(hidden.id), str(shown.id))  # chosen before, so it may stay
    assert f"<#{hidden.id}>, <#{shown.id}>" in panel.text


async def test_the_leaderboard_is_not_posted_in_another_server(harness: AppHarness, mod: Person) -> None:
    await _played(harness)
    foreign = harness.world.guild("Other House")
    elsewhere = foreign.channel("announcements")
    panel = await harness.server_settings("Season and leaderboard")
    await mod.select(panel, "week", custom_id=menu_of(panel, "schedule"))
    await harness.stop_app()
    with app_database(harness) as connection:  # as a forged press could store it before this was checked
        connection.execute(
            "UPDATE guilds SET post_at = ?, post_channel_id = ? WHERE id = ?",
            (int(time.time()) - 60 * DAY, elsewhere.id, harness.guild.id),
        )
        connection.execute("UPDATE scores SET period = ? WHERE period LIKE '%-W%'", (_last_week(),))
    await harness.start_app()
    await _wait_until(lambda: _next_post(harness) > time.time())
    seen = harness.world.person("Vic", guilds=[foreign]).sees(elsewhere)
    assert not [message for message in seen if "Leaderboard" in message.text]


def _next_post(harness: AppHarness) -> int:
    with app_database(harness) as connection:
        ((at,),) = connection.execute("SELECT post_at FROM guilds WHERE id = ?", (harness.guild.id,))
    return int(at)


def _last_week() -> str:
    return latest_period(int(time.time()), PostInterval.WEEK).key


def _left_at(harness: AppHarness) -> list[int | None]:
    """When the app left the server (UTC seconds), if that is stored."""
    with app_database(harness) as connection:
        found = connection.execute("SELECT left_at FROM guilds WHERE id = ?", (harness.guild.id,)).fetchone()
    return list(found or ())


async def _returns(harness: AppHarness) -> None:
    """Remove the app from the server and add it again."""
    await _wait_until(lambda: _left_at(harness) == [None])
    harness.guild.remove(harness.world.bot)
    await _wait_until(lambda: _left_at(harness) != [None])
    harness.guild.add(harness.world.bot)
    await _wait_until(lambda: _left_at(harness) == [None])


async def test_the_app_introduces_itself_once_with_a_start_in_one_tap(harness: AppHarness) -> None:
    ana = harness.people[0]

    def introductions() -> list[SeenMessage]:
        return [message for message in ana.sees(harness.channel) if "Gang of Four is here" in message.text]

    await _returns(harness)
    (first,) = await ana.until(introductions)
    assert first.buttons[0].label == "Use threads"
    assert "Only people who manage this server" in private_text(await ana.click(first, "Use threads"))
    assert "New tables open a thread" in private_text(await harness.manager.click(first, "Use threads"))
    with app_database(harness) as connection:
        (defaults,) = connection.execute("SELECT defaults FROM guilds WHERE id = ?", (harness.guild.id,)).fetchone()
    assert json.loads(defaults)["thread"] is True
    assert "How to play here" in private_text(await ana.click(first, "Help"))
    assert "your hand" in private_text(await ana.click(first, "Play against AI"))
    await harness.kill_app()
    await harness.start_app()
    assert len(introductions()) == 1


async def test_the_app_introduces_itself_in_a_server_that_added_it_while_it_was_off(harness: AppHarness) -> None:
    ana = harness.people[0]
    await harness.stop_app()
    guild = harness.world.guild("Tea House")
    here = guild.channel("games")
    guild.remove(harness.world.bot)
    guild.add(harness.world.bot)
    for _ in range(2):
        await harness.start_app()
        await ana.until(lambda: ["Gang of Four is here" in message.text for message in ana.sees(here)] == [True])
        await harness.stop_app()
    assert not any("Gang of Four is here" in message.text for message in ana.sees(harness.channel))
    await harness.start_app()


async def test_a_server_is_deleted_some_time_after_it_left_unless_it_returns(harness: AppHarness) -> None:
    await _played(harness)
    bot = harness.world.bot

    def left() -> list[int | None]:
        return _left_at(harness)

    await _returns(harness)
    await harness.stop_app()
    harness.guild.remove(bot)  # unheard
    await harness.start_app()
    await _wait_until(lambda: left() != [None])
    await harness.stop_app()
    with app_database(harness) as connection:
        almost = int(time.time()) - GUILD_DAYS * DAY + 3600
        connection.execute("UPDATE guilds SET left_at = ? WHERE id = ?", (almost, harness.guild.id))
    await harness.start_app()
    await harness.stop_app()
    assert left() == [almost]
    with app_database(harness) as connection:
        connection.execute("UPDATE guilds SET left_at = left_at - 7200 WHERE id = ?", (harness.guild.id,))
    await harness.start_app()
    await _wait_until(lambda: left() == [])
    with app_database(harness) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        kept = {name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names}
    others = {"alembic_version", "sqlite_sequence", "users", "published_commands"}
    kept.pop("served_shards")  # stored after a while
    assert {name for name, rows in kept.items() if rows} == others


async def _wait_until(condition: Callable[[], bool]) -> None:
    """Wait until the database says so."""
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110  # a file can only be polled
            await asyncio.sleep(0.01)


async def test_only_managers_change_guild_settings(harness: AppHarness, mod: Person) -> None:
    ana = harness.people[0]
    panel = shown(await ana.slash(harness.channel, "gang settings"))
    for verb in ("season:0:0:end:1:yes", "server:0:0:log", "server:0:0:export", "season:0:0:begin"):
        assert "Only people who manage" in private_text(await ana.press_old(f"g4:{verb}", panel))
    for verb, value in (("channels:0:0", "1"), ("default:0:0:size", "3"), ("schedule:0:0", "week")):
        assert "Only people who manage" in private_text(await choose_forged(ana, panel, f"g4:{verb}", value))
    own = await harness.server_settings()
    for verb, value in (("default:0:0:size", "5"), ("default:0:0:x", "5"), ("schedule:0:0", "day"), ("roles:0:0", "x")):
        assert "doesn't work any more" in private_text(await choose_forged(mod, own, f"g4:{verb}", value)), verb
    for verb in (
        "season:0:0:begin:1",
        "season:0:0:end:x",
        "server:0:0:cellar",
        "server:0:0:log:x:next",
        "server:0:0:export:x",
    ):
        assert "doesn't work any more" in private_text(await mod.press_old(f"g4:{verb}", own)), verb


async def _exported(mod: Person, panel: SeenMessage, label: str = "Download server data") -> SeenMessage:
    """The answer to a press of the export button, with its file."""
    reply = await mod.click(panel, label)
    message = await mod.until(lambda: reply.message if reply.message and reply.message.attachments else None)
    assert message is not None
    assert message.ephemeral
    return message


def _records(message: SeenMessage) -> list[str]:
    """The names of the records in an exported file."""
    (attachment,) = message.message.attachments
    with ZipFile(BytesIO(attachment.content)) as file:
        return [name for name in file.namelist() if name.startswith("records/")]


async def test_a_manager_exports_the_matches_of_channels_that_they_can_see(harness: AppHarness, mod: Person) -> None:
    await _played(harness)
    message = await _exported(mod, await harness.server_settings())
    assert "It holds the record of 1 match." in message.text
    assert len(_records(message)) == 1

    elsewhere = harness.guild.channel("talk")
    panel = shown(await mod.slash(elsewhere, "gang settings"))
    await mod.click(panel, "This server…")
    harness.channel.deny(mod, Permission.VIEW_CHANNEL)
    message = await _exported(mod, panel)
    assert "It holds the records of 0 matches." in message.text
    assert _records(message) == []


async def test_records_that_do_not_fit_are_in_the_next_file(
    harness: AppHarness, mod: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _played(harness)
    await _played(harness)
    panel = await harness.server_settings()
    (whole,) = (await _exported(mod, panel)).message.attachments
    monkeypatch.setattr("playground.payloads.interactions.MAX_FILE_BYTES", len(whole.content) - 1)
    first = await _exported(mod, panel)
    assert "There was no room for the record of the oldest match." in first.text
    second = await _exported(mod, first, "Download older records")
    assert len({*_records(first), *_records(second)}) == 2
    assert "no room" not in second.text


async def test_an_administrator_exports_the_matches_of_deleted_channels(harness: AppHarness, mod: Person) -> None:
    admin = harness.world.person("Admin", permissions=Permission.ADMINISTRATOR)
    harness.guild.add(admin)
    await _played(harness)
    elsewhere = harness.guild.channel("talk")
    harness.channel.delete()
    for person, expected in ((mod, 0), (admin, 1)):
        panel = shown(await person.slash(elsewhere, "gang settings"))
        await person.click(panel, "This server…")
        assert len(_records(await _exported(person, panel))) == expected


async def test_a_rematch_asks_for_the_same_permissions_as_a_new_table(harness: AppHarness, mod: Person) -> None:
    await _played(harness)
    ana, elsewhere = harness.people[0], harness.guild.channel("talk")
    over, about = harness.table(), private(await ana.slash(elsewhere, "gang help"))
    harness.channel.deny(ana, Permission.SEND_MESSAGES)
    refused = f"You can't write in <#{harness.channel.id}>"
    assert refused in private_text(await ana.click(over, "Rematch"))
    assert refused in private_text(await ana.press_old("g4:rematch:1:0", about))  # from another channel
    harness.channel.allow(ana, Permission.SEND_MESSAGES)
    panel = await harness.server_settings()
    await mod.select(panel, elsewhere, custom_id=menu_of(panel, "channels"))
    for reply in (await ana.click(over, "Rematch"), await ana.press_old("g4:rematch:1:0", about)):
        assert f"only in these channels: <#{elsewhere.id}>" in private_text(reply)
    with app_database(harness) as connection:
        assert connection.execute("SELECT count(*) FROM tables").fetchone() == (1,)


async def test_a_setting_changed_while_a_table_is_being_drawn_is_shown(harness: AppHarness) -> None:
    ana, manager = harness.people[0], harness.manager
    await harness.open_table(ana)
    settings = await harness.server_settings()
    harness.world.faults.next("PATCH", "/channels/*/messages/*", status="slow", seconds=1.0)
    await harness.people[1].click(harness.table(), "Join")
    await ana.until(lambda: harness.world.faults.held == 1)
    await manager.select(settings, "fr", custom_id="g4:publiclanguage:0:0")
    await ana.until(lambda: can_press(harness.table(), "Rejoindre"))
