"""Who may open the page, and see what: tokens, origins, channels, members."""

import json
from pathlib import Path

import aiohttp
import pytest

from bot.web.sessions import SESSION_SECONDS, Sessions
from playground.world.permissions import Permission
from tests.end_to_end.page_client import SECRET, Page, Site, app_with_page

AT_ONCE = {"bot.web.access.KEPT_SECONDS": 0.0}


async def refused(site: Site, token: str | None) -> bool:
    """True if the page isn't let in with this token."""
    async with site.connected(token) as page:
        await page.until(lambda: page.is_closed or page.frames)
        await page.until(lambda: page.is_closed or "welcome" in page.frames[0])
        return page.frames == [{"bye": ""}]


async def test_only_a_session_that_goes_on_opens_the_page(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        ana, ben = harness.people[:2]
        good = site.sessions.begin(ana.id)
        body, _, mark = good.partition(".")
        others = Sessions("another secret of the same length", harness.now).begin(ana.id)
        expired = Sessions(SECRET, lambda: harness.now() - SESSION_SECONDS * 1000).begin(ana.id)
        of_ben = site.sessions.begin(ben.id).partition(".")[0]
        assert not await refused(site, good)
        for token in ("", ".", "x", good[:-2], f"{body}.", f".{mark}", f"{of_ben}.{mark}", others, expired, "é" * 500):
            assert await refused(site, token), token
        assert await refused(site, None)  # without a cookie


async def test_an_open_page_ends_with_its_session(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        await harness.begin_match(1, ai_players=2)
        async with site.page(harness.people[0].id) as page:
            await page.watch(1)
            harness.advance_clock_to(harness.now() + 2 * 24 * 3600 * 1000)
            await page.send("pass", table=1, moment=page.table["moment"])
            await page.until(lambda: page.is_closed)
            assert page.frames[-1] == {"bye": ""}


async def test_logout_ends_the_session_everywhere(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        token = site.sessions.begin(harness.people[0].id)
        async with site.connected(token) as page:
            for origin in ("https://evil.example", None):
                headers = {} if origin is None else {"Origin": origin}
                async with site.http.post(
                    f"{site.url}/api/logout", json={"session": token}, headers=headers
                ) as response:
                    assert response.status == 403
            cookie = {"Cookie": f"session={token}", "Origin": site.url}
            async with site.http.post(f"{site.url}/api/logout", headers=cookie) as response:
                assert response.status == 200
                assert response.cookies["session"]["max-age"] == "0"
            await page.send("home")
            await page.until(lambda: page.is_closed)
        await harness.stop_app()
        await harness.start_app()
        assert await refused(site, token)
        async with site.page(harness.people[0].id) as page:
            await page.do("home")


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "https://1.discordsays.com", ""])
async def test_pages_of_others_are_not_let_in(tmp_path: Path, origin: str) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        headers = {"Cookie": f"session={site.sessions.begin(harness.people[0].id)}"}
        if origin:
            headers["Origin"] = origin
        with pytest.raises(aiohttp.WSServerHandshakeError) as caught:
            await site.http.ws_connect(f"{site.url}/api/socket", headers=headers)
        assert caught.value.status == 403


async def test_our_own_and_discords_pages_are_let_in(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        token = site.sessions.begin(harness.people[0].id)
        for origin in (site.url, f"https://{harness.world.app.id}.discordsays.com"):
            async with site.connected(token, origin=origin) as page:
                assert (await page.do("home"))["today"]
        async with site.connected(None, headers={"Cookie": f"session={token}"}) as page:
            assert (await page.do("home"))["today"]


async def test_strangers_do_not_learn_that_a_table_exists(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        await harness.begin_match(1, ai_players=2)
        stranger = harness.world.person("Eve", guilds=[])
        async with site.page(stranger.id) as page, site.page(harness.people[0].id) as own:
            solo = (await own.do("create"))["table"]
            for number in (1, solo, 99):
                answer = await page.ask("watch", table=number)
                assert answer["refusal"] == "There is no such table in this server."
                assert "refusal" in await page.ask("replay", match=number, moment=0)
                for do in ("join", "pass", "declare", "rematch", "start", "hint", "why", "undo"):
                    assert (await page.ask(do, table=number, moment=0, cards=[]))["refusal"] == answer["refusal"]
        async with site.page(harness.people[1].id) as member:
            assert "refusal" in await member.ask("watch", table=solo)
            assert (await member.watch(1))["you"] is None


async def test_a_hidden_channel_hides_the_table_at_the_next_action_and_picture(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        await harness.begin_match(1, ai_players=2)
        ana, ben = harness.people[:2]
        async with site.page(ana.id) as player, site.page(ben.id) as spectator:
            await player.watch(1)
            await spectator.watch(1)
            harness.channel.deny(ben, Permission.VIEW_CHANNEL)
            await player.until(player.must_act)
            await player.act()
            await player.until(player.must_act)  # by then, the app knows
            await player.act()
            await spectator.until(lambda: "gone" in spectator.frames[-1])
            assert "refusal" in await spectator.ask("watch", table=1)
            seen = len(spectator.frames)
            await player.until(player.must_act)
            assert len(spectator.frames) == seen


async def test_a_user_who_leaves_the_server_loses_the_page(tmp_path: Path) -> None:
    async with app_with_page(tmp_path, AT_ONCE) as (harness, site):
        await harness.begin_match(2, ai_players=1)
        ana, ben, cleo, _ = harness.people
        async with site.page(ana.id) as player, site.page(ben.id) as leaver, site.page(cleo.id) as spectator:
            for page in (player, leaver, spectator):
                await page.watch(1)
            assert len((await leaver.do("home"))["tables"]) == 1
            harness.guild.remove(ben)
            harness.guild.remove(cleo)
            assert (await leaver.do("home"))["tables"] == []
            answer = await leaver.ask("pass", table=1, moment=leaver.table["moment"])
            assert answer["refusal"] == "There is no such table in this server."
            assert "refusal" in await leaver.ask("join", table=1)
            assert "refusal" in await spectator.ask("why", table=1, cards=[])
            await player.until(lambda: gone(leaver, spectator))
            assert not gone(player)


async def test_a_page_gets_a_sentence_if_discord_does_not_say_who_its_user_is(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        await harness.begin_match(2, ai_players=1)
        cleo = harness.people[2]
        harness.world.faults.next("GET", f"/guilds/{harness.guild.id}/members/{cleo.id}", status="timeout")
        async with site.page(cleo.id) as page:
            assert (await page.ask("watch", table=1))["refusal"] == "Something broke on our side. Please try again."
            await page.watch(1)


def gone(*pages: Page) -> bool:
    """True if these pages have been told that they may no longer see the table."""
    return all(any("gone" in frame for frame in page.frames) for page in pages)


async def test_every_response_has_the_security_headers(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        for path in (
            "/",
            "/page/none",
            "/page/..%2f..%2fpyproject.toml",
            "/api/setup",
            "/api/texts",
            "/login",
            "/none",
        ):
            async with site.http.get(f"{site.url}{path}", allow_redirects=False) as response:
                headers = response.headers
                policy = headers["Content-Security-Policy"]
                assert "default-src 'self'" in policy
                assert "unsafe" not in policy
                assert "frame-ancestors https://discord.com" in policy
                assert headers["X-Content-Type-Options"] == "nosniff"
                assert headers["Referrer-Policy"] == "no-referrer"
                assert headers["Server"] == "gang-of-four"
                assert "pyproject" not in await response.text()
        async with site.http.get(f"{site.url}/api/setup") as response:
            assert json.loads(await response.text())["application_id"] == str(harness.world.app.id)
