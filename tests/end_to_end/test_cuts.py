"""Cutting the deck, from players' clients: shown at the table, and part of the salt in the record."""

from bot.engine import MatchStarted
from bot.services import fairness
from playground.people import Person
from playground.sight import SeenMessage
from tests.end_to_end.evidence import opened, record_of, shown, whispered
from tests.end_to_end.room import Player, Room, can_press, play_to_the_end


async def cut(room: Room, person: Person, number: str) -> SeenMessage:
    """Cut at a number that the first page of the panel offers."""
    panel = (await person.click(room.table(person), "Cut")).message
    assert panel is not None
    assert panel.ephemeral
    await person.click(panel, number)
    return panel


async def test_a_cut_is_shown_at_the_table_and_goes_into_the_salt(room: Room) -> None:
    ana, ben, cleo, _ = room.people
    first = await room.open(ana, seats=4, target=1)
    await room.seat([ben, cleo], robots=1)
    panel = await cut(room, ben, "33")
    assert "You have cut at 33." in panel.text
    await cut(room, cleo, "22")
    await ana.until(lambda: "-# ✂️ Ben cut at 33 and Cleo cut at 22" in room.table().text)
    assert f"First shown in message `{first.id}`" in room.table().text

    await ana.slash(room.channel, "gang show")  # the first message is replaced by another
    await ana.until(lambda: room.table().id != first.id)
    await ben.click(panel, "1–21")
    await ben.click(panel, "7")
    await ana.until(lambda: "✂️ Ben cut at 7 and Cleo cut at 22" in room.table().text)
    assert f"First shown in message `{first.id}`" in room.table().text

    await room.begin()
    assert not can_press(room.table(), "Cut")
    assert "The match has begun already." in whispered(await ben.click(panel, "8"))
    await play_to_the_end(room, [Player(room, person) for person in (ana, ben, cleo)])
    assert _salt_of(room, 1) == f"{first.id}-0-7-22-ai"
    assert fairness.check(record_of(room, 1)).is_fair
    reply = await ana.slash(room.channel, "gang verify", number=1)
    await ana.until(lambda: "Everything agrees" in shown(reply).text)
    checked = shown(reply).text
    address = f"https://discord.com/channels/{room.guild.id}/{room.channel.id}/{first.id}"
    assert f"- First shown in message [{first.id}]({address})" in checked
    assert "- Ben cut at 7\n- Cleo cut at 22\n" in checked


async def test_only_players_cut_and_leaving_takes_the_cut_along(room: Room) -> None:
    ana, ben, cleo, _ = room.people
    await room.open(ana, seats=3)
    assert "You do not play at this table." in whispered(await ben.click(room.table(ben), "Cut"))
    await room.seat([ben])
    panel = await cut(room, ben, "40")
    await ana.until(lambda: "Ben cut at 40" in room.table().text)
    for forged in ("0", "64", "01", "٣", "-1", "all"):
        reply = await ben.press_old(f"g4:cut:1:0:{forged}", panel)
        assert "no longer in use" in whispered(reply), forged
    await room.press(ben, "Leave")
    assert "✂️" not in room.table().text
    assert "You do not play at this table." in whispered(await ben.click(panel, "41"))
    await room.seat([ben, cleo])
    assert "✂️" not in room.table().text


async def _finished_alone(room: Room) -> Person:
    """A match against two AI players to its end."""
    ana, *_ = room.people
    await room.open(ana, seats=3, target=1)
    await room.seat([], robots=2)
    await room.begin()
    await play_to_the_end(room, [Player(room, ana)])
    return ana


def _salt_of(room: Room, table: int) -> str:
    match = record_of(room, table)[0].event
    assert isinstance(match, MatchStarted)
    return match.salt


async def test_a_rematch_that_starts_by_itself_waits_for_its_message_also_after_a_crash(room: Room) -> None:
    ana = await _finished_alone(room)
    room.world.faults.next("POST", "/channels/*/messages", status=500, times=100)
    await ana.click(room.table(), "Rematch")
    with opened(room) as connection:
        assert connection.execute("SELECT status FROM tables WHERE id = 2").fetchone() == ("lobby",)
    await room.kill_app()
    room.world.faults.clear()
    await room.start_app()
    await ana.until(lambda: "table 2" in room.table().text and "Hand 1" in room.table().text)
    assert _salt_of(room, 2) == f"{room.table().id}-0-ai-ai"


async def test_no_match_starts_before_the_app_knows_the_id_of_its_message(room: Room) -> None:
    ana, *_ = room.people
    room.world.faults.next("POST", "/channels/*/messages", status="timeout", after=True)
    await ana.slash(room.channel, "gang new", seats=3)
    await ana.until(lambda: any(not message.ephemeral for message in ana.sees(room.channel)))
    table = room.table()
    for _ in range(2):
        await ana.press_old("g4:robot:1:0", table)
    assert "The table is not shown yet." in whispered(await ana.press_old("g4:start:1:0", table))
    await room.kill_app()
    await room.start_app()
    await ana.until(lambda: f"First shown in message `{table.id}`" in room.table().text)
    await room.begin()
    assert _salt_of(room, 1) == f"{table.id}-0-ai-ai"
