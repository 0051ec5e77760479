"""The command `python -m playground`."""

import asyncio
import signal
import sys
from functools import partial
from pathlib import Path

import aiohttp


async def test_it_serves_until_it_is_interrupted() -> None:
    program = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "playground", "--port", "0"),
        stdout=asyncio.subprocess.PIPE,
        cwd=Path(__file__).parents[2],
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # a test run in the background ignores it
    )
    assert program.stdout is not None
    try:
        async with asyncio.timeout(60):
            page = (await program.stdout.readline()).decode().split()[-1]
            app = (await program.stdout.readline()).decode()
            assert f"DISCORD_API_URL={page}api/v10 DISCORD_TOKEN=" in app
            async with aiohttp.ClientSession() as session, session.get(f"{page}page/world") as response:
                shown = await response.json()
            assert [each["global_name"] for each in shown["people"]] == ["Ana", "Ben", "Chi", "Dai"]
            program.send_signal(signal.SIGINT)
            assert await program.wait() == 0
    finally:
        if program.returncode is None:
            program.kill()
            await program.wait()
