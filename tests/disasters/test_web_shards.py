"""Pages of several processes with one database: any process serves the pages of every guild."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.engine import verify
from bot.engine.events import Passed, Played
from bot.storage import matches, open_tables
from playground.world.permissions import Permission
from tests.disasters.page_match import still
from tests.disasters.test_shards import SHARDS, Servers, running
from tests.end_to_end.page_client import Page, Site, settings_of_page

AT_ONCE = {"bot.web.access.KEPT_SECONDS": 0.0}
NO_DATABASE = "I can't reach the saved tables right now. Please try again in a moment."


class Pages:
    """Two processes, each with a guild and the page."""

    def __init__(self, servers: Servers, sites: list[Site], settings: list[dict[str, Any]]) -> None:
        self.servers = servers
        self.sites = sites
        self.settings = settings
        """Of each process."""


@pytest.fixture
async def pages(tmp_path: Path, postgresql_url: str) -> AsyncIterator[Pages]:
    async with AsyncExitStack() as closing:
        servers = await closing.enter_async_context(running(tmp_path, postgresql_url))
        http = await closing.enter_async_context(aiohttp.ClientSession())
        sites, every = [], []
        for shard in range(SHARDS):
            servers.houses[shard].constants.update(AT_ONCE)
            url, settings = settings_of_page()
            await servers.start(f"process {shard}", SHARDS, str(shard), **settings)
            sites.append(Site(servers.houses[shard], url, http))
            every.append(settings)
        await servers.connected()
        yield Pages(servers, sites, every)


async def test_a_page_of_another_process_shows_each_change_and_plays(pages: Pages) -> None:
    house, site = pages.servers.houses[1], pages.sites[0]
    players = await house.begin_match(2, ai_players=1, target=1)
    ana, ben, spectator, _ = house.people
    (number,) = await pages.servers.database.fetch(open_tables.numbers, house.guild.id)
    async with site.page(ana.id) as page, site.page(spectator.id) as watcher:
        page.harness = watcher.harness = house
        assert len((await page.watch(number))["hand"]) == 16
        assert (await watcher.watch(number))["hand"] == []
        await players[1].open()
        while not house.is_over():
            await ben.until(lambda: page.must_act() or players[1].must_act() or house.is_over())
            if page.must_act():
                await page.act()
            elif players[1].must_act():
                await players[1].act()
        for each in (page, watcher):
            await ben.until(partial(is_over, each))


async def test_a_hidden_channel_of_another_process_hides_the_table(pages: Pages) -> None:
    house, site = pages.servers.houses[1], pages.sites[0]
    await house.begin_match(1, ai_players=2)
    (number,) = await pages.servers.database.fetch(open_tables.numbers, house.guild.id)
    async with site.page(house.people[1].id) as page:
        page.harness = house
        await page.watch(number)
        house.channel.deny(house.people[1], Permission.VIEW_CHANNEL)
        assert "refusal" in await page.ask("watch", table=number)
    async with site.page(house.world.person("Eve", guilds=[]).id) as page:
        page.harness = house
        assert "refusal" in await page.ask("watch", table=number)


async def test_a_logout_ends_the_session_at_every_process(pages: Pages) -> None:
    one, other = pages.sites
    token = one.sessions.begin(pages.servers.houses[0].people[0].id)
    async with other.connected(token) as page:
        await page.do("home")
        async with one.http.post(
            f"{one.url}/api/logout", json={"session": token}, headers={"Origin": one.url}
        ) as response:
            assert response.status == 200
        while not page.is_closed:  # the other process hears of it within a second
            number = await page.send("home")
            await page.until(partial(is_done, page, number))
        assert page.frames[-1] == {"bye": ""}


async def test_a_move_at_two_processes_at_once_is_made_once(pages: Pages) -> None:
    house, servers = pages.servers.houses[1], pages.servers
    await house.begin_match(1, ai_players=2, target=1)
    (number,) = await servers.database.fetch(open_tables.numbers, house.guild.id)
    moves = 0
    async with AsyncExitStack() as opened:
        one, other = [await opened.enter_async_context(site.page(house.people[0].id)) for site in pages.sites]
        for page in (one, other):
            page.harness = house
            await page.watch(number)
        while await one.until(lambda: is_over(one) or (one.must_act() and still(one.table) == still(other.table))):
            if is_over(one):
                break
            length = one.table["length"]
            answers = await asyncio.gather(*(page.ask(**one.move()) for page in (one, other)))
            assert sorted("ok" in answer for answer in answers) == [False, True], answers
            moves += 1
            await one.until(partial(has_more_than, one, length))
    lines = await servers.database.fetch(matches.load_lines, number)
    verify(lines)
    assert moves == sum(isinstance(line.event, Played | Passed) and line.event.seat == 0 for line in lines)


async def test_a_page_goes_on_while_the_process_of_its_server_is_gone(pages: Pages) -> None:
    house, servers = pages.servers.houses[1], pages.servers
    await house.begin_match(3, target=1000)
    (number,) = await servers.database.fetch(open_tables.numbers, house.guild.id)
    async with AsyncExitStack() as opened:
        found = [await opened.enter_async_context(pages.sites[0].page(person.id)) for person in house.people[:3]]
        for page in found:
            page.harness = house
            await page.watch(number)
        await servers.end("process 1", signal.SIGKILL)
        for _ in range(5):
            mover = await found[0].until(lambda: next(filter(Page.must_act, found), None))
            assert mover is not None
            await mover.act()
        await servers.start("process 1", SHARDS, "1", **pages.settings[1])
        await servers.connected()
        left = found[0].table["seats"]
        await house.people[0].until(lambda: all(f"{seat['cards_left']} card" in house.table().text for seat in left))
        assert all(page.table["length"] == found[0].table["length"] for page in found)


async def test_a_process_that_loses_its_locks_says_so_to_its_pages(pages: Pages) -> None:
    house, servers = pages.servers.houses[1], pages.servers
    await house.begin_match(1, ai_players=2, target=1000)
    (number,) = await servers.database.fetch(open_tables.numbers, house.guild.id)
    async with pages.sites[1].page(house.people[0].id) as page:
        page.harness = house
        await page.watch(number)
        await page.until(page.must_act)
        await servers.disconnect(1)
        await servers.says("process 1", "the connection to the database is lost")
        answers = [await page.ask(**page.move())]
        while "ok" not in answers[-1]:
            answers.append(await page.ask(**page.move()))
        assert {answer["refusal"] for answer in answers[:-1]} <= {NO_DATABASE}


def has_more_than(page: Page, length: int) -> bool:
    """True if a page shows more events than these."""
    return bool(page.table["length"] > length)


def is_over(page: Page) -> bool:
    """True if a page shows the end of the match."""
    return bool(page.table["status"] == "over")


def is_done(page: Page, number: int) -> bool:
    """True if a page has the answer to a request, or is closed."""
    return page.is_closed or any(frame.get("id") == number for frame in page.frames)
