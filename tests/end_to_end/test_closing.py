"""`/gang close` asks first. Once cards are dealt, a host needs the consent of the others; a manager does not."""

from playground.world.permissions import Permission
from tests.end_to_end.evidence import shown, whispered
from tests.end_to_end.room import Room, can_press


async def _match(room: Room) -> None:
    await room.open(room.people[0], seats=3)
    await room.seat(room.people[1:2], ai_players=1)
    await room.begin()


async def test_a_lobby_is_closed_by_its_host_after_a_question(room: Room) -> None:
    ana, ben, *_ = room.people
    await room.open(ana, seats=3)
    await room.press(ben, "Join")
    assert "Only the host" in whispered(await ben.slash(room.channel, "gang close"))
    asked = shown(await ana.slash(room.channel, "gang close"))
    assert "**Close table 1?**\nAt the table: Ana and Ben." in asked.text
    assert can_press(room.table(), "Join")
    assert "Only the host" in whispered(
        await ben.press_old("g4:close:1:0", shown(await ben.slash(room.channel, "gang about")))
    )
    await ana.click(asked, "Yes, close it")
    assert asked.text == "Table 1 is closed."
    await ana.until(lambda: "Closed by Ana." in room.table().text)
    assert room.table().buttons == []


async def test_a_host_asks_the_others_and_the_match_ends_with_their_consent(room: Room) -> None:
    await _match(room)
    ana, ben, *_ = room.people
    asked = shown(await ana.slash(room.channel, "gang close"))
    assert "At the table: Ana, Ben, and 🤖 Jade.\nPoints so far: Ana 0, Ben 0, and 🤖 Jade 0." in asked.text
    assert "The match ends when these agree as well: Ben." in asked.text
    await ana.click(asked, "Yes, ask the others")
    assert "You have asked to end the match at table 1." in asked.text
    await ben.until(lambda: "For an end of the match: Ana." in room.table().text)
    more = shown(await ben.click(room.table(), "More"))
    await ben.click(more, custom_id=next(b.custom_id for b in more.buttons if ":end:" in (b.custom_id or "")))
    await ben.until(lambda: "The players agreed to end the match." in room.table().text)
    await ben.click(room.table(), "Rematch")
    await ben.until(lambda: "table 2" in room.table().text)


async def test_a_manager_ends_a_match_at_once_and_the_channel_reads_who_did(room: Room) -> None:
    await _match(room)
    ana, *_ = room.people
    asked = shown(await room.manager.slash(room.channel, "gang close", table=1))
    assert "Points so far" in asked.text
    await room.manager.click(asked, "Yes, close it")
    await ana.until(lambda: f"Closed by {room.manager.mention}." in room.table().text)
    assert can_press(room.table(), "Rematch")
    assert room.manager.pings == []


async def test_a_manager_closes_a_table_that_they_do_not_see_and_is_shown_its_number_only(room: Room) -> None:
    await _match(room)
    room.channel.deny(room.manager, Permission.VIEW_CHANNEL)
    office = room.guild.channel("office")
    asked = shown(await room.manager.slash(office, "gang close", table=1))
    assert asked.text == ("**Close table 1?**\nIt is in a channel that you do not see, so nothing else is shown of it.")
    assert "no such table" in whispered(await room.people[3].slash(office, "gang close", table=2))
    await room.manager.click(asked, "Yes, close it")
    assert asked.text == "Table 1 is closed."
    await room.people[0].until(lambda: "Closed by" in room.table().text)
