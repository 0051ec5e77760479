"""`make play`: the playground with the app on it, open on a running table."""

import asyncio
import os
import re
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from aiohttp import ClientSession, CookieJar
from playwright.async_api import Browser, expect

from bot.web.files import has_sdk
from playground.postgresql import NoServer, programs
from tests.browser import PICTURES
from tests.end_to_end.app_process import ROOT


@pytest.mark.parametrize("arguments", [[], ["--postgresql"]], ids=["sqlite", "postgresql"])
async def test_make_play_opens_on_a_running_table_and_leaves_no_files(arguments: list[str]) -> None:
    if arguments:
        _require_postgresql()
    play = await _started(*arguments)
    assert play.stdout is not None
    line = (await asyncio.wait_for(play.stdout.readline(), 60)).decode()
    folder = Path(line.split()[-1].rstrip(".")) if arguments else None
    if folder is not None:
        assert re.fullmatch(r"PostgreSQL runs for this game only, in /\S+\.\n", line), line
        assert (folder / "data" / "postmaster.pid").exists()
        line = (await asyncio.wait_for(play.stdout.readline(), 60)).decode()
    found = re.search(r"A table is running\. Open (\S+) ", line)
    assert found, line
    second = (await asyncio.wait_for(play.stdout.readline(), 60)).decode()
    assert re.fullmatch(r"Ben and Chi play at a second table: \S+\?people=\d+,\d+&channel=\d+\n", second), second
    third = (await asyncio.wait_for(play.stdout.readline(), 60)).decode()
    login = re.fullmatch(r"The first table in a browser, with a login: (\S+)\n", third)
    assert login, third
    async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as session:
        async with session.get(found[1]) as page:
            assert page.status == 200
            assert "<html" in await page.text()
        await _logged_in(session, login[1], parse_qs(urlsplit(second.split()[-1]).query)["people"][0].split(",")[0])
        await asyncio.wait_for(_reminded_after_a_day(session, second.split()[-1]), 60)

    play.terminate()

    assert await asyncio.wait_for(play.wait(), 20) == 0
    await asyncio.wait_for(play.stdout.read(), 20)  # ends when the app and the server, which inherited it, have ended
    assert play.stderr is not None
    log = (await asyncio.wait_for(play.stderr.read(), 20)).decode()
    assert not re.search("WARN|ERROR|Traceback", log), log
    assert folder is None or not folder.exists()


@pytest.mark.skipif(not has_sdk(), reason="the page isn't built (make web)")
async def test_two_of_four_phones_show_the_table(browser: Browser) -> None:
    play = await _started()
    assert play.stdout is not None
    line = (await asyncio.wait_for(play.stdout.readline(), 60)).decode()
    found = re.search(r"Open (\S+) to see four phones: Ana and Ben see the table, Chi and Dai play with", line)
    assert found, line
    page = await browser.new_page(viewport={"width": 1600, "height": 900}, reduced_motion="reduce")
    await page.goto(found[1])
    for name in ("Ana", "Ben"):
        phone = page.get_by_role("region", name=f"{name}'s phone")
        table = phone.frame_locator("iframe[name^='activity-']")
        await expect(table.get_by_role("heading", name="Table 1")).to_be_visible()
        await expect(table.get_by_text("Chi").first).to_be_visible()
    for name in ("Chi", "Dai"):
        phone = page.get_by_role("region", name=f"{name}'s phone")
        await expect(phone).to_contain_text("your hand")
    PICTURES.mkdir(parents=True, exist_ok=True)
    await page.screenshot(path=PICTURES / "make-play.png")
    play.terminate()
    assert await asyncio.wait_for(play.wait(), 20) == 0


async def _logged_in(session: ClientSession, link: str, person: str) -> None:
    """Log in as this person, and see where that leads."""
    async with session.get(link) as asked:
        assert "wants to access your account" in await asked.text()
    form = {"person": person, "answer": "authorize"}
    async with session.post(asked.url, data=form, allow_redirects=False) as answered:
        back = answered.headers["Location"]
    async with session.get(back, allow_redirects=False) as done:
        assert (done.status, done.headers["Location"]) == (302, "/?table=1")


async def _reminded_after_a_day(session: ClientSession, page: str) -> None:
    """Move the time by a day at each turn, until a player of the second table is reminded."""
    address, query = page.split("?")
    shown = parse_qs(query)
    phone = {"person": shown["people"][0].split(",")[0], "channel": shown["channel"][0]}
    async with session.ws_connect(f"{address}page/socket", params=phone) as socket:
        event = await socket.receive_json()
        while "everyone at table 2 is waiting for you" not in str(event):
            if event["event"] in ("hello", "message") and not event.get("ahead"):
                async with session.post(f"{address}page/time", json={"seconds": 86400}) as response:
                    assert response.status == 200
            event = await socket.receive_json()


async def test_make_play_says_which_database_it_cannot_use() -> None:
    play = await _started("--postgresql", DATABASE_URL="sqlite+aiosqlite:///gang.sqlite3")
    _, said = await asyncio.wait_for(play.communicate(), 60)
    assert said == b"DATABASE_URL names no PostgreSQL database: it would begin with postgresql+asyncpg:\n"
    assert play.returncode == 1


def test_without_postgresql_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoServer, match="apt install postgresql"):
        programs([str(tmp_path)])
    for version in ("9.6", "15", "13"):
        (tmp_path / version / "bin").mkdir(parents=True)
        (tmp_path / version / "bin" / "initdb").touch()
    assert programs([str(tmp_path)]) == tmp_path / "15" / "bin"


def _require_postgresql() -> None:
    try:
        programs()
    except NoServer as error:
        pytest.skip(str(error))


async def _started(*arguments: str, **environment: str) -> asyncio.subprocess.Process:
    kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "playground.play", "--port", "0", *arguments),
        cwd=ROOT,
        env=kept | environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
