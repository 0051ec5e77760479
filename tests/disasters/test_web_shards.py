"""Pages of several processes with one database: any process serves the pages of every guild."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import aiohttp
import pytest

from bot.storage import open_tables
from playground.world.permissions import Permission
from tests.disasters.test_shards import SHARDS, Servers, running
from tests.end_to_end.page_client import Page, Site, settings_of_page

AT_ONCE = {"bot.web.access.KEPT_SECONDS": 0.0}


class Pages:
    """Two processes, each with a guild and the page."""

    def __init__(self, servers: Servers, sites: list[Site]) -> None:
        self.servers = servers
        self.sites = sites


@pytest.fixture
async def pages(tmp_path: Path, postgresql_url: str) -> AsyncIterator[Pages]:
    async with AsyncExitStack() as closing:
        servers = await closing.enter_async_context(running(tmp_path, postgresql_url))
        http = await closing.enter_async_context(aiohttp.ClientSession())
        sites = []
        for shard in range(SHARDS):
            servers.houses[shard].constants.update(AT_ONCE)
            url, settings = settings_of_page()
            await servers.start(f"process {shard}", SHARDS, str(shard), **settings)
            sites.append(Site(servers.houses[shard], url, http))
        await servers.connected()
        yield Pages(servers, sites)


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


def is_over(page: Page) -> bool:
    """True if a page shows the end of the match."""
    return bool(page.table["status"] == "over")


def is_done(page: Page, number: int) -> bool:
    """True if a page has the answer to a request, or is closed."""
    return page.is_closed or any(frame.get("id") == number for frame in page.frames)
