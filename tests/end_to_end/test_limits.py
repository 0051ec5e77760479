"""Rate limits as a user meets them, and their absence for others."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final, cast

import discord
import pytest

from bot.discord_client.client import GangBot
from bot.engine import Options
from bot.presentation.channel.announcer import Announcer
from bot.presentation.channel.open_hands import OpenHands
from bot.presentation.channel.table_alerts import TableAlertPosts
from bot.presentation.text.emojis import CardEmojis
from bot.presentation.text.readers import Readers
from bot.services.guild_settings import Guilds
from bot.services.rate_limiter import RateLimiter
from bot.services.table_alerts import TableAlerts
from bot.services.user_settings import Users
from bot.storage.database import Database
from bot.table import lobby, play
from bot.table.limits import RATES, Action
from bot.table.lobby import NewTable, TableSetup
from bot.table.model import Pace
from cogs.tables import TablesCog
from playground.client.person import Person
from playground.client.screen import Reply, SeenMessage
from playground.world.interactions import FIRST_ANSWER_SECONDS
from playground.world.model import InteractionType
from tests.end_to_end.app_harness import AppHarness, running_app
from tests.end_to_end.conftest import small_app
from tests.end_to_end.inspection import choose_forged, menu_of, private_text, send_raw, shown
from tests.table_harness import OPENER, TableHarness

PRESSES: Final = min(rate.number for rate in RATES if rate.action is Action.PRESS)
"""Presses allowed at once."""


@pytest.fixture
async def limited(tmp_path: Path) -> AsyncIterator[AppHarness]:
    """An app with its normal limits."""
    async with running_app(tmp_path, LIMITS_SCALE="1") as harness:
        yield harness


async def test_managers_set_how_many_tables_a_host_opens(limited: AppHarness) -> None:
    ana, *_ = limited.people
    mod, panel = limited.manager, await limited.server_settings("Limits")
    await mod.select(panel, "1", custom_id=menu_of(panel, "host_tables"))
    await limited.open_table(ana)
    assert "You have 1 open table. Close it first." in private_text(await ana.slash(limited.channel, "gang new"))
    await mod.click(panel, "Changes")
    assert f"{mod.mention}: open tables per host: 5 → 1" in panel.text


async def test_a_flood_of_presses_is_acknowledged_gets_one_message_and_reaches_no_database(database: Database) -> None:
    asking = list[int]()

    async def prepare(interaction: discord.Interaction) -> None:
        asking.append(interaction.user.id)

    async with small_app(database, RateLimiter(lambda: 0.0), prepare) as (channel, ana, ben):  # no time passes
        rules = [shown(await person.slash(channel, "gang rules")) for person in (ana, ben)]
        data = {"custom_id": "g4:rules:0:0:brief", "component_type": 2}

        async def press(person: Person, message: SeenMessage) -> Reply:
            return await send_raw(person, InteractionType.COMPONENT, channel, data, message)

        replies = [await press(ana, rules[0]) for _ in range(2 * PRESSES)]
        assert all(reply.failed is None for reply in replies)
        refused = ["Try again in 1 second." in shown(reply).text for reply in replies]
        assert [number for number, is_refused in enumerate(refused) if is_refused] == [PRESSES - 1]
        assert "Try again" not in shown(await press(ben, rules[1])).text
        assert (asking.count(ana.id), asking.count(ben.id)) == (PRESSES, 2)
        assert "Try again in 1 second." in shown(await ana.slash(channel, "gang help")).text


async def test_a_flood_of_completions_counts_and_is_not_answered(database: Database) -> None:
    async with small_app(database, RateLimiter(lambda: 0.0)) as (channel, ana, _):  # no time passes
        for _ in range(PRESSES):
            assert (await send_raw(ana, InteractionType.AUTOCOMPLETE, channel, {"name": "gang"})).failed is None
        assert "Try again in 1 second." in shown(await ana.slash(channel, "gang help")).text
        ana.world.interactions.answer_seconds = FIRST_ANSWER_SECONDS
        assert (await send_raw(ana, InteractionType.AUTOCOMPLETE, channel, {"name": "gang"})).failed is not None


async def test_completions_are_limited_over_time(database: Database) -> None:
    now = [0.0]
    async with small_app(database, RateLimiter(lambda: now[0])) as (channel, ana, _):
        for _ in range(68):
            assert (await send_raw(ana, InteractionType.AUTOCOMPLETE, channel, {"name": "gang"})).failed is None
            now[0] += 0.125
        ana.world.interactions.answer_seconds = FIRST_ANSWER_SECONDS
        assert (await send_raw(ana, InteractionType.AUTOCOMPLETE, channel, {"name": "gang"})).failed is not None


async def test_opening_a_rematch_again_and_again_is_limited_like_invitations(database: Database) -> None:
    now = [0.0]
    limiter, house = RateLimiter(lambda: now[0]), TableHarness(database)

    def tables_cog(client: GangBot) -> TablesCog:
        guilds = Guilds(database, house.clock.milliseconds)
        posts = TableAlertPosts(TableAlerts(database, house.clock.milliseconds), limiter)
        readers = Readers(Users(database), guilds, CardEmojis(client, None))
        none = cast("Announcer", None), cast("OpenHands", None)  # no channel shows these tables
        return TablesCog(house.tables, guilds, *none, posts, readers, limiter)

    async with small_app(database, limiter, cog=tables_cog) as (channel, ana, ben):
        assert channel.guild is not None
        guild_id = channel.guild.id
        await Guilds(database, house.clock.milliseconds).record_locale(guild_id, None, "en")  # by an earlier table
        setup = TableSetup(3, "days-of-wonder", Options(target=1), Pace.NONE)
        host = lobby.Person(ana.id, "Ana")
        table = await house.posted(await house.tables.create(NewTable(guild_id, channel.id, host, setup), OPENER))
        await house.tables.act(table.id, play.join, lobby.Person(ben.id, "Ben"))
        await house.tables.act(table.id, play.change_lobby, lobby.add_ai, ana.id)
        over = await house.play_to_end(await house.tables.act(table.id, play.start, ana.id))
        listed = shown(await ana.slash(channel, "gang list"))
        data = {"custom_id": f"g4:rematch:{over.id}:0", "component_type": 2}
        answers = []
        for _ in range(4):
            answers.append(private_text(await send_raw(ana, InteractionType.COMPONENT, channel, data, listed)))
            for number in await house.tables.open.rematches(over.id):
                await house.tables.act(number, play.change_lobby, lobby.leave, ana.id)
            now[0] += 60
        assert ["is open" in answer for answer in answers] == [True, True, True, False]
        assert "Try again in 7 minutes." in answers[3]


async def test_presses_of_others_use_up_nothing_of_a_managers_limits(limited: AppHarness) -> None:
    ana, *_ = limited.people
    about = shown(await ana.slash(limited.channel, "gang help"))
    for verb in ("server:0:0:export", "season:0:0:end:1:yes"):
        for _ in range(13):
            assert "Only people who manage" in private_text(await ana.press_old(f"g4:{verb}", about)), verb
    panel = await limited.server_settings("Season and leaderboard")
    assert (await limited.manager.click(panel, "Start a season…")).modal is not None
    await limited.manager.click(panel, "General")
    reply = await limited.manager.click(panel, "Download server data")
    await limited.manager.until(lambda: "It holds the records of 0 matches." in shown(reply).text)


async def test_a_host_invites_no_more_at_once_than_the_server_allows(limited: AppHarness) -> None:
    ana, *_ = limited.people
    crowd = [limited.world.person(f"Guest {number}", guilds=[limited.guild]) for number in range(4)]
    settings = await limited.server_settings("Limits")
    await limited.manager.select(settings, "3", custom_id="g4:limit:0:0:invitations")
    await limited.open_table(ana)
    panel = await limited.table_options("People")
    (invite,) = [menu for menu in panel.raw["components"] if menu.get("components", [{}])[0].get("max_values")]
    assert invite["components"][0]["max_values"] == 3
    refused = await choose_forged(ana, panel, menu_of(panel, "invite"), *(str(guest.id) for guest in crowd))
    assert "You can invite at most 3 people at once." in private_text(refused)
    await ana.select(panel, *crowd[:3], custom_id=menu_of(panel, "invite"))
    await ana.until(lambda: all(guest.pings for guest in crowd[:3]))
    assert not crowd[3].pings


async def test_a_host_cannot_invite_everyone_at_once(limited: AppHarness) -> None:
    ana, ben, *_ = limited.people
    crowd = [limited.world.person(f"Guest {number}", guilds=[limited.guild]) for number in range(12)]
    await limited.open_table(ana)
    panel = await limited.table_options("People")
    await ana.select(panel, *crowd[:10], custom_id=menu_of(panel, "invite"))
    assert "Invited:" in panel.text
    refused = await ana.select(panel, crowd[10], custom_id=menu_of(panel, "invite"))
    assert "Try again in 60 seconds." in private_text(refused)
    again = await ana.select(panel, *crowd[:3], custom_id=menu_of(panel, "invite"))  # they have been invited already
    assert again.message is None or "Try again" not in again.message.text
    await ana.until(lambda: all(guest.pings for guest in crowd[:10]))
    assert not any(person.pings for person in (ben, *crowd[10:]))


async def test_a_host_has_two_tables_announced_in_half_an_hour(limited: AppHarness) -> None:
    ana, ben, cleo, _ = limited.people
    for person in (ben, cleo):
        await person.click(shown(await person.slash(limited.channel, "gang settings")), "Alert me to new tables")
    for number in range(3):
        await limited.open_table(ana)
        await limited.close_table(number + 1)
    await limited.open_table(ben)
    await cleo.until(lambda: len(cleo.pings) == 3)
    assert len(ben.pings) == 2


async def test_tables_are_posted_again_six_times_a_minute_in_their_channel(limited: AppHarness) -> None:
    await limited.open_table(limited.people[0])
    for number, person in enumerate(limited.people[:3]):
        channel = limited.guild.channel(f"elsewhere {number}")
        for again in range(3):
            answer = private_text(await limited.under_more(person, "repost:1:0", channel))
            expected = "Table 1 is below." if 3 * number + again < 6 else "Try again in"
            assert expected in answer
