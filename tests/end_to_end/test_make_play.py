"""`make play`: the playground with the app on it, open on a running table."""

import asyncio
import re
import sys

from aiohttp import ClientSession

from tests.end_to_end.app_process import ROOT


async def test_make_play_opens_on_a_running_table_and_leaves_no_files() -> None:
    play = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "playground.play", "--port", "0", cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    assert play.stdout is not None
    line = (await asyncio.wait_for(play.stdout.readline(), 60)).decode()
    found = re.search(r"A table is running\. Open (\S+) ", line)
    assert found, line
    second = (await asyncio.wait_for(play.stdout.readline(), 60)).decode()
    assert re.fullmatch(r"Ben and Chi play at a second table: \S+\?people=\d+,\d+&channel=\d+\n", second), second
    async with ClientSession() as session, session.get(found[1]) as page:
        assert page.status == 200
        assert "<html" in await page.text()

    play.terminate()

    assert await asyncio.wait_for(play.wait(), 20) == 0
    await asyncio.wait_for(play.stdout.read(), 20)  # ends when the app, which inherited it, has ended too
