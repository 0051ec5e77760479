"""Cutting the deck, from players' clients: shown at the table, and part of the salt in the record."""

from bot.analysis import fairness
from bot.engine import MatchStarted
from playground.client.person import Person
from playground.client.screen import Reply, SeenModal
from tests.end_to_end.evidence import opened, record_of, shown, whispered
from tests.end_to_end.room import Player, Room, can_press, play_to_the_end


async def form(room: Room, person: Person) -> SeenModal:
    """Press Cut at the table."""
    modal = (await person.click(room.table(person), "Cut")).modal
    assert modal is not None
    return modal


async def cut(room: Room, person: Person, typed: str) -> Reply:
    """Press Cut, type a number and send it."""
    return await person.submit(await form(room, person), {"number": typed})


async def test_a_cut_is_shown_at_the_table_and_goes_into_the_salt(room: Room) -> None:
    ana, ben, cleo, _ = room.people
    first = await room.open(ana, seats=4, target=1)
    await room.seat([ben, cleo], ai_players=1)
    assert (await cut(room, ben, "33")).failed is None
    await cut(room, cleo, "63")
    await ana.until(lambda: "-# ✂️ Ben cut at 33 and Cleo cut at 63" in room.table().text)
    assert f"First shown in message `{first.id}`" in room.table().text

    await ana.slash(room.channel, "gang show")  # the first message is replaced by another
    await ana.until(lambda: room.table().id != first.id)
    late = await form(room, ben)
    await cut(room, ben, "07")
    await ana.until(lambda: "✂️ Ben cut at 7 and Cleo cut at 63" in room.table().text)
    assert f"First shown in message `{first.id}`" in room.table().text

    await room.begin()
    assert not can_press(room.table(), "Cut")
    assert "The match has begun already." in whispered(await ben.submit(late, {"number": "8"}))
    await play_to_the_end(room, [Player(room, person) for person in (ana, ben, cleo)])
    assert _salt_of(room, 1) == f"{first.id}-0-7-63-ai"
    assert fairness.check(record_of(room, 1)).is_fair
    reply = await ana.slash(room.channel, "gang verify", number=1)
    await ana.until(lambda: "Everything agrees" in shown(reply).text)
    checked = shown(reply).text
    address = f"https://discord.com/channels/{room.guild.id}/{room.channel.id}/{first.id}"
    assert f"- First shown in message [{first.id}]({address})" in checked
    assert "- Ben cut at 7\n- Cleo cut at 63\n" in checked


async def test_the_form_holds_the_cut_and_takes_it_back_when_empty(room: Room) -> None:
    ana, ben, *_ = room.people
    await room.open(ana, seats=3)
    await room.seat([ben])
    empty = await form(room, ben)
    assert [field.get("value") for field in empty.fields.values()] == [None]
    await ben.submit(empty, {"number": " 1"})
    await ana.until(lambda: "Ben cut at 1" in room.table().text)
    again = await form(room, ben)
    assert [field["value"] for field in again.fields.values()] == ["1"]
    assert again.custom_id != empty.custom_id

    for typed in ("0", "64", "-1", "x", "٣", "1e"):
        assert "a number from 1 to 63" in whispered(await ben.submit(again, {"number": typed})), typed
    assert "Ben cut at 1" in room.table().text
    await ben.submit(again, {"number": ""})
    await ana.until(lambda: "✂️" not in room.table().text)


async def test_a_form_outlives_a_restart(room: Room) -> None:
    ana, *_ = room.people
    await room.open(ana, seats=3)
    modal = await form(room, ana)
    await room.kill_app()
    await room.start_app()
    await ana.submit(modal, {"number": "17"})
    await ana.until(lambda: "Ana cut at 17" in room.table().text)


async def test_only_players_cut_and_leaving_takes_the_cut_along(room: Room) -> None:
    ana, ben, cleo, _ = room.people
    await room.open(ana, seats=3)
    assert "You do not play at this table." in whispered(await ben.click(room.table(ben), "Cut"))
    await room.seat([ben])
    late = await form(room, ben)
    await cut(room, ben, "40")
    await ana.until(lambda: "Ben cut at 40" in room.table().text)
    await room.press(ben, "Leave")
    assert "✂️" not in room.table().text
    assert "You do not play at this table." in whispered(await ben.submit(late, {"number": "41"}))
    await room.seat([ben, cleo])
    assert "✂️" not in room.table().text


async def _finished_alone(room: Room) -> Person:
    """A match against two AI players to its end."""
    ana, *_ = room.people
    await room.open(ana, seats=3, target=1)
    await room.seat([], ai_players=2)
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
