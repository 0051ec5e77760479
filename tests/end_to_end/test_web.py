"""The page's server, with people on the page and people with buttons at one table."""

import asyncio
import json
import re
from pathlib import Path

from bot.engine import commitment
from bot.presentation.table.daily import day_name
from bot.presentation.text.i18n import words_in
from tests.end_to_end.inspection import app_database
from tests.end_to_end.page_client import app_with_page


async def test_two_pages_of_one_user_and_their_hand_show_the_same(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        (player,) = await harness.begin_match(1, ai_players=2)
        ana = harness.people[0]
        async with site.page(ana.id) as one, site.page(ana.id, language="de") as other:
            for page in (one, other):
                await page.watch(1)
            await player.open()
            for _ in range(4):
                await one.until(one.must_act)
                await one.act()
            await other.until(lambda: other.table["revision"] == one.table["revision"])
            assert other.table["hand"] != []
            assert [card["id"] for card in other.table["hand"]] == [card["id"] for card in one.table["hand"]]
            assert (one.table["title"], other.table["title"]) == ("Table 1", "Tisch 1")
            assert player.panel is not None
            await ana.until(lambda: player.must_act() is one.must_act())


async def test_a_refusal_is_the_sentence_of_the_channel(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        players = await harness.begin_match(3)
        for player in players:
            await player.open()
        waiting = next(player for player in players if not player.must_act())
        async with site.page(waiting.person.id) as page:
            table = await page.watch(1)
            answer = await page.ask("pass", table=1, moment=table["moment"])
            assert re.fullmatch(r"It is (Ana|Ben|Cleo)'s turn, not yours\.", answer["refusal"])
            assert answer["rule"] == "R23"
            outdated = await page.ask("pass", table=1, moment=table["moment"] + 1)
            assert outdated["refusal"].startswith("The table has moved on")


async def test_a_page_goes_on_after_a_restart(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        await harness.begin_match(1, ai_players=2)
        token = site.sessions.begin(harness.people[0].id)
        async with site.connected(token) as page:
            before = await page.watch(1)
            await harness.stop_app()
            await page.until(lambda: page.is_closed)
            assert page.frames[-1]["bye"].startswith("I'm restarting")
        await harness.start_app()
        async with site.connected(token) as page:
            after = await page.watch(1)
            assert [card["id"] for card in after["hand"]] == [card["id"] for card in before["hand"]]
        await harness.kill_app()
        await harness.start_app()
        async with site.connected(token) as page:
            await page.watch(1)
            await page.until(page.must_act)
            await page.act()


async def test_the_lobby_on_the_page(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        ana, ben, cleo, _ = harness.people
        await harness.open_table(ana, seats=3)
        async with site.page(ana.id) as host, site.page(ben.id) as guest:
            lobby = await host.watch(1)
            assert (lobby["status"], lobby["size"], len(lobby["seats"])) == ("lobby", 3, 1)
            assert set(lobby["can"]) == {"leave", "option", "add_ai", "fill"}
            await guest.watch(1)
            await guest.do("join", table=1)
            await host.until(lambda: len(host.table["seats"]) == 2)
            assert host.table["seats"][1]["name"] == "Ben"
            assert (await guest.ask("start", table=1))["refusal"] == "Only the host, Ana, can do this."
            names = {option["name"] for option in host.table["settings"]}
            assert {"target", "pace", "edition", "last_card"} <= names
            await host.do("option", table=1, name="target", value="25")
            await guest.until(lambda: "to 25 points" in guest.table["options"])
            await host.do("add_ai", table=1)
            await host.do("remove_ai", table=1)
            await guest.do("leave", table=1)
            await host.until(lambda: len(host.table["seats"]) == 1)
            await host.do("start", table=1, fill=True)
            await host.until(lambda: host.table["status"] == "playing")
            assert len(host.table["hand"]) == 16
        assert cleo.sees(harness.channel)[0].text.count("Hand 1") == 1


async def test_home_a_match_against_ai_players_and_the_hand_of_the_day(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        ana = harness.people[0]
        async with site.page(ana.id) as page:
            assert (await page.do("home"))["tables"] == []
            number = (await page.do("create"))["table"]
            assert (await page.do("create"))["table"] == number
            table = await page.watch(number)
            assert [seat["is_you"] for seat in table["seats"]] == [True, False, False, False]
            assert table["seats"][0]["name"] == "Ana"
            offer = await page.do("daily")
            with app_database(harness) as connection:
                ((seed,),) = connection.execute("SELECT seed FROM daily_deals")
            assert offer["fingerprint"] == f"Fingerprint {commitment(seed)}"
            daily = (await page.do("daily", day=offer["day"]))["table"]
            assert (await page.do("daily"))["table"] == daily
            assert [each["number"] for each in (await page.do("home"))["tables"]] == [number]
            await page.watch(daily)
            while page.table["status"] == "playing":
                await page.until(lambda: page.must_act() or page.table["status"] == "over")
                if page.must_act():
                    await page.act()
            assert page.table["can"] == []
            assert page.table["title"] == "Hand of the day"
            assert page.table["hand_title"] == day_name(offer["day"], words_in("en"))
            assert "place 1 of 1 here" in page.table["notice"]


async def test_a_replay_shows_finished_hands_only(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        await harness.begin_match(1, ai_players=2)
        ana, ben = harness.people[:2]
        async with site.page(ana.id) as page, site.page(ben.id) as other:
            await page.watch(1)
            assert (await other.ask("replay", match=1, moment=0))["refusal"].startswith("This match is still running")
            while page.table["hand_number"] == 1:
                await page.until(lambda: page.must_act() or page.table["hand_number"] > 1)
                if page.must_act():
                    await page.act()
            first = await other.do("replay", match=1, moment=0, seat=None)
            assert [len(hand) for hand in first["hands"]] == [16, 16, 16]
            last = await other.do("replay", match=1, moment=10**6, seat=1)
            assert last["moment"] == first["moments"] - 1
            assert last["hand_number"] == 1
            assert last["result"]["hand"] == 1
            assert [len(hand) > 0 for hand in last["hands"]] == [False, len(last["hand"]) > 0, False]
            assert "refusal" in await other.ask("replay", match=1, moment=0, seat=3)


async def test_the_coach_needs_a_finished_hand_and_its_process(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        await harness.begin_match(1, ai_players=2)
        async with site.page(harness.people[0].id) as page:
            await page.watch(1)
            running = await page.ask("coach", match=1, hand=1, seat=0)
            assert running["refusal"].startswith("This match is still running")
            while page.table["hand_number"] == 1:
                await page.until(lambda: page.must_act() or page.table["hand_number"] > 1)
                if page.must_act():
                    await page.act()
            away = await page.ask("coach", match=1, hand=1, seat=0)
            assert away["refusal"].startswith("The coach isn't available right now")
            for hand, seat in ((2, 0), (1, 3)):
                assert "refusal" in await page.ask("coach", match=1, hand=hand, seat=seat)


async def test_the_button_links_to_the_page_without_the_activity(tmp_path: Path) -> None:
    without_bundle = {"bot.web.files.PAGE": str(tmp_path)}
    async with app_with_page(tmp_path, without_bundle) as (harness, site):
        (player,) = await harness.begin_match(1, ai_players=2)
        for message in (harness.table(), await harness.open_hand(player.person)):
            reply = await player.person.click(message, "Open the table")
            assert reply.message is not None
            (link,) = reply.message.buttons
            assert link.url == f"{site.url}/?table=1"


async def test_many_changes_need_few_pictures(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        await harness.open_table(harness.people[0], seats=4)
        async with site.page(harness.people[0].id) as page:
            await page.watch(1)
            for _ in range(10):
                await asyncio.gather(page.do("add_ai", table=1), page.do("remove_ai", table=1))
            await page.until(lambda: page.table["revision"] >= 20)
            assert len(page.updates) <= 22
            assert all(len(json.dumps(update)) < 20_000 for update in page.updates)
