"""`/gang privacy`: what is kept is told, given out, hidden and deleted, as people see it and in the file."""

import json
from pathlib import Path

from playground.client.person import Person
from playground.client.screen import SeenMessage
from tests.end_to_end.evidence import database_of, opened, whispered
from tests.end_to_end.room import Player, Room, play_to_the_end


async def _panel(room: Room, person: Person) -> SeenMessage:
    reply = await person.slash(room.channel, "gang privacy")
    assert reply.message is not None
    assert reply.message.ephemeral
    return reply.message


async def _played(room: Room) -> None:
    ana, *others = room.people
    await room.open(ana, target=1)
    await room.seat(others)
    await room.begin()
    await play_to_the_end(room, [Player(room, person) for person in room.people])


async def _board(room: Room, person: Person) -> str:
    return whispered(await person.slash(room.channel, "gang leaderboard"))


def _contents(file: Path) -> bytes:
    """The whole database as it lies on the disk, its journal too."""
    return b"".join(part.read_bytes() for part in sorted(file.parent.glob(f"{file.name}*")))


async def test_who_hides_stands_on_no_board_until_they_show_themselves(room: Room) -> None:
    ana, ben, *_ = room.people
    await _played(room)
    panel = await _panel(room, ben)
    assert "1 match and 1 hand in 1 server" in panel.text
    await ben.click(panel, "Hide me from boards")
    assert "You are hidden from all boards." in panel.text
    assert "Ben" not in await _board(room, ana)
    await room.kill_app()
    await room.start_app()
    await ben.click(panel, "Show me on boards again")
    assert "Ben" in await _board(room, ana)


async def test_an_export_is_a_file_for_ones_own_eyes(room: Room) -> None:
    ana, ben, *_ = room.people
    await _played(room)
    reply = await ben.click(await _panel(room, ben), "Export all that is mine")
    message = await ben.until(lambda: reply.message if reply.message and reply.message.attachments else None)
    assert message is not None
    assert message.ephemeral
    (attachment,) = message.message.attachments
    found = json.loads(attachment.content)
    assert found["user_id"] == ben.id
    assert [match["name"] for match in found["match_players"]] == ["Ben"]
    assert found["seats"][0]["moves"][0]["t"] == "deal"
    assert "Ana" not in attachment.content.decode()
    assert str(ana.id) not in attachment.content.decode()


async def test_who_is_deleted_is_a_former_player_and_nothing_is_left(room: Room) -> None:
    ana, ben, cleo, _ = room.people
    await _played(room)
    await ana.slash(room.channel, "gang new", seats=3)
    await ana.until(lambda: "table 2" in room.table().text)
    for person in (ben, cleo):
        await room.press(person, "Join")
    await room.begin()

    panel = await _panel(room, ben)
    await ben.click(panel, "Delete me …")
    assert "It cannot be undone." in panel.text
    await ben.click(panel, "No, keep everything")
    await ben.click(panel, "Delete me …")
    await ben.click(panel, "Yes, delete me")
    await ben.until(lambda: "Nothing is kept of you any more." in panel.text)

    await ana.until(lambda: "🤖 for a former player" in room.table().text)
    assert "Ben" not in await _board(room, ana)
    assert "Ana" in await _board(room, ana)
    assert "You do not play" in whispered(await ben.click(room.table(), "My hand"))
    await room.stop_app()
    contents = _contents(database_of(room))
    assert b"Ben" not in contents
    assert str(ben.id).encode() not in contents
    with opened(room) as connection:
        names = connection.execute("SELECT name FROM match_players ORDER BY name").fetchall()
        assert names == [("",), ("Ana",), ("Cleo",), ("Dan",)]
    await room.start_app()


async def test_a_match_that_ends_by_it_is_shown_with_a_former_player(room: Room) -> None:
    ana, *_ = room.people
    await room.open(ana)
    for _ in range(3):
        await room.press(ana, "Add AI")
    await room.begin()
    panel = await _panel(room, ana)
    await ana.click(panel, "Delete me …")
    await ana.click(panel, "Yes, delete me")
    await ana.until(lambda: "🤖 for a former player" in room.table().text)
    assert "This table is closed." in room.table().text
    assert "Ana" not in room.table().text


async def test_nobody_presses_for_somebody_else(room: Room) -> None:
    ana, ben, *_ = room.people
    panel = await _panel(room, ben)
    await room.open(ana)
    for where in (panel, room.table()):
        for what in ("delete:yes", "hide", "export"):
            assert "no longer in use" in whispered(await ana.press_old(f"g4:privacy:0:0:{what}", where))
    for what in ("", ":delete:no", ":everything"):
        assert "no longer in use" in whispered(await ben.press_old(f"g4:privacy:0:0{what}", panel))
