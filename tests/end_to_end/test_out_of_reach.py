"""Tables whose place is gone: everything can still be done from a private hand, and whoever can be told is told."""

import time
from pathlib import Path

import pytest

from bot.presentation.text.i18n import words_in
from playground.client.person import Person
from playground.client.screen import SeenMessage
from playground.world.model import Channel
from playground.world.permissions import Permission
from tests.end_to_end.evidence import opened, whispered
from tests.end_to_end.room import PASS, PLAY, Player, Room, can_press, open_room


async def _playing(
    room: Room, people: int = 3, ai_players: int = 0, *, thread: bool = False, **options: object
) -> None:
    ana = room.people[0]
    await room.open(ana, seats=people + ai_players, **options)
    if thread:
        panel = (await ana.click(room.table(), "Options")).message
        assert panel is not None
        await ana.click(panel, "Customs")
        (menu,) = [menu for menu in panel.selects if menu.custom_id.endswith("thread")]
        await ana.select(panel, "on", custom_id=menu.custom_id)
    await room.seat(room.people[1:people], ai_players)
    await room.begin()


async def _mover(room: Room) -> Person:
    ana = room.people[0]
    (mover,) = await ana.until(lambda: [p for p in room.people if f"👉 **{p.name}**" in room.table().text])
    return mover


async def _thread(room: Room) -> Channel:
    """The thread of the table, once it is played there."""

    def threads() -> list[Channel]:
        found = {notice.message.channel for notice in room.notices()}
        return [channel for channel in found if channel.parent is room.channel]

    (thread,) = await room.people[0].until(threads)
    return thread


async def _hand(person: Person, channel: Channel) -> SeenMessage:
    """The own cards, asked for in another channel."""
    reply = await person.slash(channel, "gang hand")
    assert reply.message is not None
    assert "is gone" in reply.message.text
    return reply.message


async def _more(person: Person, hand: SeenMessage) -> SeenMessage:
    reply = await person.click(hand, "More")
    assert reply.message is not None
    return reply.message


async def test_without_its_channel_a_match_is_paused_and_goes_on(room: Room) -> None:
    await _playing(room)
    mover, people, other = await _mover(room), room.people[:3], room.guild.channel("other games")
    room.channel.delete()
    hands = {person: await _hand(person, other) for person in people}
    for person in people:
        await person.click(await _more(person, hands[person]), "I would like a pause")
    await mover.until(lambda: can_press(hands[mover], "Go on"))
    assert PLAY not in {button.label for button in hands[mover].buttons}
    panel = await _more(mover, hands[mover])
    assert (await mover.click(panel, "Go on")).updated
    assert can_press(panel, "I would like a pause")
    await mover.until(lambda: PLAY in {button.label for button in hands[mover].buttons})


async def test_a_pause_ends_in_the_hand_itself(room: Room) -> None:
    await _playing(room, people=1, ai_players=2)
    ana, other = room.people[0], room.guild.channel("other games")
    room.channel.delete()
    hand = await _hand(ana, other)
    await ana.click(await _more(ana, hand), "I would like a pause")
    await ana.until(lambda: can_press(hand, "Go on"))
    old = next(button.custom_id for button in hand.buttons if button.label == "Go on")
    assert (await ana.click(hand, "Go on")).updated
    assert not can_press(hand, "Go on")
    await ana.press_old(str(old), hand)
    assert "The match is not paused." in hand.text


async def test_without_its_channel_a_late_turn_is_decided_and_the_seat_taken_back(room: Room) -> None:
    await _playing(room, pace="live")
    late, other = await _mover(room), room.guild.channel("other games")
    await room.kill_app()
    room.channel.delete()
    with opened(room) as connection:
        now = time.time_ns() // 1_000_000
        connection.execute(f"UPDATE tables SET turn_stage = 'asked', turn_due = {now}")
        connection.execute(f"UPDATE deadlines SET kind = 'answer', due_at = {now + 3_600_000}")
    await room.start_app(ROBOT_SECONDS="60")
    friend = next(person for person in room.people[:3] if person is not late)
    assert "you can say what the table does" in whispered(await friend.slash(other, "gang turns"))
    panel = await _more(friend, await _hand(friend, other))
    assert f"The time of **{late.name}** at table 1 is up." in panel.text
    assert (await friend.click(panel, "An AI sits in")).updated
    assert "is up." not in panel.text
    hand = await _hand(late, other)
    assert "Somebody sits in for you." in hand.text
    assert not {PLAY, PASS} & {button.label for button in hand.buttons}
    assert (await late.click(hand, "I am back")).updated
    assert PLAY in {button.label for button in hand.buttons}


async def test_who_manages_the_server_ends_a_table_that_nobody_sees(room: Room) -> None:
    dan, other = room.people[3], room.guild.channel("other games")
    await _playing(room)
    room.channel.delete()
    assert "no such table" in whispered(await dan.slash(other, "gang close", table=1))
    await room.close(1)


async def test_a_table_in_an_archived_thread_is_known_to_who_may_see_its_channel(room: Room) -> None:
    dan, ben = room.people[3], room.people[1]
    await _playing(room, people=1, ai_players=2, thread=True)
    thread = await _thread(room)
    await room.kill_app()
    assert thread.thread is not None
    thread.thread.is_archived = True  # so Discord tells nothing of it at the start
    await room.start_app()
    assert "1 open table" in whispered(await dan.slash(room.channel, "gang list"))
    other = room.guild.channel("other games")
    room.channel.deny(ben, Permission.VIEW_CHANNEL)
    assert "No table is open" in whispered(await ben.slash(other, "gang list"))


@pytest.mark.parametrize("meanwhile", ["while the app runs", "while it does not"])
async def test_a_match_whose_thread_is_deleted_goes_on_in_the_channel(room: Room, meanwhile: str) -> None:
    await _playing(room, thread=True)
    ana, mover, thread = room.people[0], await _mover(room), await _thread(room)
    if meanwhile == "while the app runs":
        thread.delete()
    else:
        await room.kill_app()
        thread.delete()
        await room.start_app()
        assert "Table 1 is below." in whispered(await ana.slash(room.channel, "gang show"))
    await ana.until(lambda: [m for m in ana.sees(room.channel) if "👉" in m.text])
    (notice,) = await ana.until(room.notices)
    assert mover.mention in notice.text
    await ana.until(lambda: not [m for m in ana.sees(room.channel) if "is played in" in m.text])
    player = Player(room, mover)
    await player.open()
    await player.act()
    await ana.until(lambda: room.notices() != [] and mover.mention not in room.notices()[0].text)
    assert len(room.notices()) == 1


async def test_who_reads_direct_messages_is_told_without_the_channel(room: Room) -> None:
    other, german = room.guild.channel("other games"), words_in("de")
    for person in room.people[:3]:
        panel = (await person.slash(room.channel, "gang settings")).message
        assert panel is not None
        for verb, value in (("notifications", "direct"), ("language", "de")):
            await person.select(panel, value, custom_id=next(m.custom_id for m in panel.selects if verb in m.custom_id))
    await _playing(room, pace="day")
    mover = await _mover(room)
    told = german.say("{name}, it is your turn at table {number}.", name=mover.mention, number=1)
    (message,) = await mover.until(lambda: mover.direct_messages)
    assert message.text.startswith(f"{told}\n-# ")
    assert ":R>" in message.text
    room.channel.delete()
    reply = await mover.slash(other, "gang hand")
    assert reply.message is not None
    play = next(option.value for option in reply.message.selects[0].options)
    await mover.select(reply.message, play)
    if play.startswith("k"):
        await mover.select(reply.message, next(o.value for o in reply.message.selects[0].options if o.value[0] == "p"))
    await mover.click(reply.message, german.say("Play"))
    others = [person for person in room.people[:3] if person is not mover]
    await mover.until(lambda: any(person.direct_messages for person in others))
    await mover.until(lambda: mover.direct_messages == [])
    await room.stop_app()
    with opened(room) as connection:  # so nobody is told again at the next start
        (told,) = connection.execute("SELECT notice_id FROM tables").fetchone()
    assert told in [message.id for person in others for message in person.direct_messages]


async def _play_again(room: Room, number: int) -> None:
    """Ask for a rematch of the first table, and wait until it is played at the table of this number."""
    ana = room.people[0]
    await ana.press_old("g4:rematch:1:0", room.table())
    await ana.until(lambda: f"table {number}" in room.table().text and "👉" in room.table().text)


async def test_who_leads_a_rematch_in_a_thread_is_called_there(tmp_path: Path) -> None:
    async with open_room(tmp_path, ROBOT_SECONDS="60") as room:
        ana = room.people[0]
        await _playing(room, people=1, ai_players=2, thread=True)
        await room.close(1)
        for number in range(2, 40):
            await _play_again(room, number)
            if "👉 **Ana**" in room.table().text:
                break
            await room.close(number)
        await _thread(room)
        (notice,) = room.notices()
        assert notice.text.startswith(ana.mention)
        assert [ping.id for ping in ana.pings if f"table {number}" in ping.text] == [notice.id]
