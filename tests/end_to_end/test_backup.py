"""A backup is made while the app runs and restored when it has stopped: matches continue from it."""

import asyncio
import os
import sys
from pathlib import Path

from tests.disasters.expected_state import wait_until_recorded
from tests.end_to_end.app_harness import AppHarness, Player, play_until
from tests.end_to_end.app_process import ROOT
from tests.end_to_end.inspection import app_database, database_of, private_text, record_of


async def _bot(harness: AppHarness, *arguments: object, code: int = 0) -> str:
    """Run a command of the app. Returns what it says."""
    environment = {
        **os.environ,
        "DISCORD_TOKEN": harness.world.token,
        "DATABASE_URL": f"sqlite+aiosqlite:///{database_of(harness)}",
    }
    command = (sys.executable, "-m", "bot", *map(str, arguments))
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, env=environment, cwd=ROOT, stdout=pipe, stderr=pipe)
    out, errors = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == code, errors.decode()
    return (out + errors).decode()


async def _restore(harness: AppHarness, backup: Path) -> str:
    """Restore a backup between a stop and a start of the app. Returns what the command says."""
    await harness.stop_app()
    said = await _bot(harness, "restore", backup)
    await harness.start_app()
    return said


async def test_a_match_goes_on_from_the_moment_of_the_backup(harness: AppHarness, tmp_path: Path) -> None:
    ana, *_ = harness.people
    backup = tmp_path / "backup.sqlite3"
    players = await harness.begin_match(4, target=1000)
    await play_until(harness, players, lambda: sum(player.moves for player in players) >= 6)
    await wait_until_recorded(harness)
    assert "Backed up" in await _bot(harness, "backup", backup)
    then, shown = record_of(harness), harness.table().text
    await play_until(
        harness, players, lambda: any("hand 1 is over" in each.text.lower() for each in ana.sees(harness.channel))
    )
    await ana.until(lambda: "Hand 2" in harness.table().text and len(harness.notices()) == 1)

    said = await _restore(harness, backup)

    assert "What was there before is in" in said
    await ana.until(lambda: harness.table().text == shown)
    assert record_of(harness) == then
    mover = next(person for person in harness.people if f"👉 **{person.name}" in shown)
    await ana.until(lambda: any(mover.mention in notice.text for notice in harness.notices()))
    players = [Player(harness, person) for person in harness.people]
    await play_until(harness, players, lambda: "Hand 2" in harness.table().text)


async def test_a_running_app_keeps_its_database(harness: AppHarness, tmp_path: Path) -> None:
    ana, ben, *_ = harness.people
    backup = tmp_path / "backup.sqlite3"
    await _bot(harness, "backup", backup)
    await harness.open_table(ana, seats=3)
    said = await _bot(harness, "restore", backup, code=2)
    assert said.startswith("Nothing was restored: the app uses ")
    assert "stop it first" in said
    await harness.press(ben, "Join")


async def test_tables_of_later_are_gone_and_their_numbers_are_not_used_again(
    harness: AppHarness, tmp_path: Path
) -> None:
    ana, ben, *_ = harness.people
    backup = tmp_path / "backup.sqlite3"
    await harness.open_table(ana, seats=3)
    await _bot(harness, "backup", backup)
    later = await harness.open_table(ben, seats=3)
    await _restore(harness, backup)
    assert "There is no such table" in private_text(await ana.press_old("g4:join:2:0", later))
    await ben.slash(harness.channel, "gang new", seats=3)
    await ana.until(lambda: any("Gang of Four · table 3" in each.text for each in ana.sees(harness.channel)))


async def test_a_press_on_a_button_from_before_the_restore_is_harmless(harness: AppHarness, tmp_path: Path) -> None:
    backup = tmp_path / "backup.sqlite3"
    players = await harness.begin_match(4, target=1000)
    for player in players:
        await player.open()
    await _bot(harness, "backup", backup)
    mover = next(player for player in players if player.must_act())
    await mover.act()
    lines = record_of(harness)
    with app_database(harness) as connection:
        revision = connection.execute("SELECT revision FROM tables").fetchone()
    await _restore(harness, backup)
    async with asyncio.timeout(10):  # the app looks every few seconds whether it has been restored
        while not mover.must_act():
            await mover.open()
    await mover.act()
    assert [line.event for line in record_of(harness)] == [line.event for line in lines]
    with app_database(harness) as connection:
        assert connection.execute("SELECT revision FROM tables").fetchone() == revision
