"""A backup is made and restored while the app runs: matches go on from its moment, and everything shown comes true."""

import asyncio
import os
import sys
from pathlib import Path

from playground.client.person import Person
from tests.disasters.truth import is_remembered
from tests.end_to_end.evidence import database_of, logged, opened, record_of, whispered
from tests.end_to_end.forge import ROOT
from tests.end_to_end.room import Player, Room, play_to_the_end, play_until


async def _bot(room: Room, *arguments: object) -> str:
    """Run another process of the app beside the one that serves."""
    environment = {
        **os.environ,
        "DISCORD_TOKEN": room.world.token,
        "DATABASE_URL": f"sqlite+aiosqlite:///{database_of(room)}",
    }
    command = (sys.executable, "-m", "bot", *map(str, arguments))
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, env=environment, cwd=ROOT, stdout=pipe, stderr=pipe)
    out, errors = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 0, errors.decode()
    return out.decode()


async def _begun(room: Room) -> list[Player]:
    await room.open(room.people[0], target=1000)
    await room.seat(room.people[1:])
    await room.begin()
    return [Player(room, person) for person in room.people]


async def _shows_whose_turn_it_is(player: Player, mover: Person) -> None:
    await player.person.until(lambda: player.must_act() == (player.person is mover))


async def test_a_match_goes_on_from_the_moment_of_the_backup(room: Room, tmp_path: Path) -> None:
    ana, *_ = room.people
    backup = tmp_path / "backup.sqlite3"
    players = await _begun(room)
    await play_until(room, players, lambda: sum(player.moves for player in players) >= 6)
    await is_remembered(room)
    assert "Backed up" in await _bot(room, "backup", backup)
    then, shown = record_of(room), room.table().text
    await play_until(
        room, players, lambda: any("hand 1 is over" in each.text.lower() for each in ana.sees(room.channel))
    )
    await ana.until(lambda: "Hand 2" in room.table().text and len(room.notices()) == 1)
    message = room.table().id

    said = await _bot(room, "restore", backup)

    assert "What was there before is in" in said
    await logged(room, "restored from a backup")
    await ana.until(lambda: room.table().text == shown)
    assert room.table().id == message
    assert record_of(room) == then
    mover = next(person for person in room.people if f"👉 **{person.name}" in shown)
    await ana.until(lambda: [mover.mention in notice.text for notice in room.notices()] == [True])
    for player in players:  # hands that were open show what is true, without a press
        assert player.panel is not None
        await _shows_whose_turn_it_is(player, mover)
    room_players = [Player(room, person) for person in room.people]
    before = sum("hand 1 is over" in each.text.lower() for each in ana.sees(room.channel))
    await play_until(
        room,
        room_players,
        lambda: sum("hand 1 is over" in each.text.lower() for each in ana.sees(room.channel)) > before,
    )


async def test_tables_of_later_are_closed_and_their_numbers_are_not_used_again(room: Room, tmp_path: Path) -> None:
    ana, ben, *_ = room.people
    backup = tmp_path / "backup.sqlite3"
    await room.open(ana, seats=3)
    await _bot(room, "backup", backup)
    later = await room.open(ben, seats=3)
    await _bot(room, "restore", backup)
    await ana.until(lambda: "It was opened after the moment" in later.text)
    assert "This table is closed." in whispered(await ana.press_old("g4:join:2:0", later))
    third = await room.open(ben, seats=3)
    assert "table 3" in third.text


async def test_a_press_on_what_was_before_the_restore_does_nothing_wrong(room: Room, tmp_path: Path) -> None:
    backup = tmp_path / "backup.sqlite3"
    players = await _begun(room)
    for player in players:
        await player.open()
    await _bot(room, "backup", backup)
    mover = next(player for player in players if player.must_act())
    await mover.act()
    lines = record_of(room)
    with opened(room) as connection:
        revision = connection.execute("SELECT revision FROM tables").fetchone()
    await _bot(room, "restore", backup)
    async with asyncio.timeout(10):  # the app looks every second whether it has been restored
        while not mover.must_act():
            await mover.open()
    await mover.act()
    assert [line.event for line in record_of(room)] == [line.event for line in lines]
    with opened(room) as connection:
        assert connection.execute("SELECT revision FROM tables").fetchone() == revision


async def test_a_finished_match_is_played_to_another_end(room: Room, tmp_path: Path) -> None:
    ana, *_ = room.people
    backup = tmp_path / "backup.sqlite3"
    await room.open(ana, target=1)
    await room.seat(room.people[1:])
    await room.begin()
    await _bot(room, "backup", backup)
    await play_to_the_end(room, [Player(room, person) for person in room.people])
    await _bot(room, "restore", backup)
    await ana.until(lambda: "Hand 1" in room.table().text)
    players = [Player(room, person) for person in room.people]
    await play_to_the_end(room, players)
    with opened(room) as connection:
        assert connection.execute("SELECT count(*) FROM matches").fetchone() == (1,)
