"""Tables: options, robots, leaving, conceding, closing, lists; several at once."""

import re

import pytest

from playground.client.screen import SeenMessage
from playground.world.permissions import Permission
from tests.end_to_end.evidence import record_of, whispered
from tests.end_to_end.room import Player, Room, play_to_the_end, play_until


async def _set_everything_otherwise(room: Room, panel: SeenMessage) -> list[str]:
    """Choose, in every menu of all pages, something that is not set yet; gives what was chosen."""
    ana = room.people[0]
    chosen = []
    for page in ("Basics", "Customs", "House rules"):
        if page != "Basics":
            await ana.click(panel, page)
        for number in range(len(panel.selects)):
            menu = panel.selects[number]
            other = next(option for option in menu.options if not option.default and option.value not in ("300", "4"))
            await ana.select(panel, other.value, custom_id=menu.custom_id)
            chosen.append(other.label)
    return chosen


async def test_a_table_with_every_option_set_otherwise_is_played_to_its_end(room: Room) -> None:
    ana, ben, *_ = room.people
    await room.open(ana)
    panel = (await ana.click(room.table(), "Options")).message
    assert panel is not None
    chosen = await _set_everything_otherwise(room, panel)
    assert len(chosen) == 17
    shown = [text for text in chosen[1:] if not text.startswith("time is up")]
    await ana.until(lambda: all(text in room.table().text for text in shown))
    assert "private" in whispered(await ben.click(room.table(), "Join"))
    await ana.click(panel, "People")
    await ana.select(panel, ben, custom_id=panel.selects[0].custom_id)
    await room.seat([ben], ai_players=1)
    await room.begin()
    assert room.table().message.channel.parent is room.channel

    await play_to_the_end(room, [Player(room, person) for person in (ana, ben)])


async def test_the_host_alone_plays_at_once_with_robots(room: Room) -> None:
    ana = room.people[0]
    await room.open(ana, target=15, seats=3)
    await room.seat([], ai_players=2)
    await room.begin()

    await play_to_the_end(room, [Player(room, ana)])

    await ana.click(room.table(), "Rematch")
    await ana.until(lambda: "table 2" in room.table().text and "Hand 1" in room.table().text)


async def test_a_robot_gives_its_seat_to_a_person_and_can_be_sent_away(room: Room) -> None:
    ana, ben, *_ = room.people
    await room.open(ana, seats=3)
    await room.seat([], ai_players=2)
    await room.press(ben, "Join")
    assert room.table().text.count("🤖") == 1
    await room.press(ana, "Remove AI")
    assert "🤖" not in room.table().text


async def test_the_host_leaves_and_the_next_person_is_host(room: Room) -> None:
    ana, ben, *_ = room.people
    await room.open(ana, seats=3)
    await room.press(ben, "Join")
    await room.press(ana, "Leave")
    assert "**Ben** (host)" in room.table().text
    await ben.slash(room.channel, "gang leave")
    await ana.until(lambda: "This table is closed." in room.table().text)


async def test_who_concedes_is_played_for_and_without_people_the_match_is_over(room: Room) -> None:
    ana, ben, *_ = room.people
    await room.open(ana, seats=3)
    await room.seat([ben], ai_players=1)
    await room.begin()
    for person in (ben, ana):
        ask = (await person.slash(room.channel, "gang leave")).message
        assert ask is not None
        assert "Concede" in ask.text
        await person.click(ask, "Yes, concede")
    await ana.until(lambda: "This table is closed." in room.table().text)
    assert "Seed of the deals" in room.table().text
    assert "🤖 for Ben" in room.table().text


async def test_several_tables_channels_and_servers_do_not_mix(room: Room) -> None:
    ana, ben, *_ = room.people
    second = room.guild.channel("more games")
    elsewhere = room.world.guild("Other House").channel("cards")
    for channel in (room.channel, room.channel, second, elsewhere):
        await ana.slash(channel, "gang new", seats=3)
    await ana.until(lambda: len([m for m in ana.sees(elsewhere) if "table 4" in m.text and m.buttons]) == 1)
    reply = await ben.slash(room.channel, "gang list")
    assert reply.message is not None
    text = reply.message.text
    assert "3 open tables" in text
    assert re.search(r"\[Table 1\]\(https://discord\.com/channels/\d+/\d+/\d+\)", text)
    reply = await ben.slash(elsewhere, "gang list")
    assert reply.message is not None
    assert "1 open table" in reply.message.text


async def test_a_table_in_a_channel_that_one_may_not_see_is_not_told_of(room: Room) -> None:
    ana, ben, cleo, _ = room.people
    secret = room.guild.channel("secret")
    await ana.slash(secret, "gang new", seats=3)
    await ana.until(lambda: [m for m in ana.sees(secret) if "table 1" in m.text and m.buttons])
    await cleo.click(next(m for m in cleo.sees(secret) if m.buttons), "Join")
    for person in (ben, cleo):
        secret.deny(person, Permission.VIEW_CHANNEL)

    assert "No table is open" in whispered(await ben.slash(room.channel, "gang list"))
    assert "no such table" in whispered(await ben.slash(room.channel, "gang show", table=1))
    assert "Table 1" in whispered(await cleo.slash(room.channel, "gang list"))


async def test_a_table_is_posted_again_at_the_end_of_its_channel(room: Room) -> None:
    ana = room.people[0]
    first = await room.open(ana)
    ana.say(room.channel, "A lot has been said since.")
    await ana.slash(room.channel, "gang show")
    await ana.until(lambda: first.deleted and room.table().id != first.id)


async def test_things_to_read(room: Room) -> None:
    ana = room.people[0]
    for command, expected in (("rules", "Gang of Four in brief"), ("help", "How to play here"), ("about", "trademark")):
        reply = await ana.slash(room.channel, f"gang {command}")
        assert reply.message is not None
        assert reply.message.ephemeral
        assert expected in reply.message.text
    reply = await ana.slash(room.channel, "gang leaderboard")
    assert reply.message is not None
    assert "No match of this sort" in reply.message.text


@pytest.mark.parametrize("what", [Permission.CREATE_PUBLIC_THREADS, Permission.SEND_MESSAGES_IN_THREADS])
async def test_a_table_that_may_have_no_thread_says_so_and_is_played_in_its_channel(
    room: Room, what: Permission
) -> None:
    room.channel.deny(room.world.bot, what)
    ana = room.people[0]
    await room.open(ana, seats=3)
    panel = (await ana.click(room.table(), "Options")).message
    assert panel is not None
    await ana.click(panel, "Customs")
    (thread,) = [menu for menu in panel.selects if menu.custom_id.endswith("thread")]
    await ana.select(panel, "on", custom_id=thread.custom_id)
    assert "not allowed to create public threads" in panel.text
    await room.seat([], ai_players=2)
    await room.begin()
    await play_until(room, [Player(room, ana)], lambda: len(record_of(room)) > 12)
    assert all(message.message.channel is room.channel for message in room.seen(ana))


async def test_who_was_sent_away_comes_again_only_when_invited(room: Room) -> None:
    ana, ben, *_ = room.people
    await room.open(ana, seats=3)
    await room.seat([ben])
    panel = (await ana.click(room.table(), "Options")).message
    assert panel is not None
    await ana.click(panel, "People")
    await ana.select(panel, str(ben.id), custom_id=panel.selects[1].custom_id)
    assert "has sent you away" in whispered(await ben.click(room.table(), "Join"))
    await ana.select(panel, ben, custom_id=panel.selects[0].custom_id)
    await room.seat([ben])


def _invitations(room: Room) -> list[SeenMessage]:
    return [
        message for message in room.seen(room.people[0]) if re.search(" invites | would like a rematch", message.text)
    ]


async def test_who_is_invited_is_called_once_and_sits_down_by_that_message(room: Room) -> None:
    ana, ben, cleo, dan = room.people
    await room.open(ana)
    panel = (await ana.click(room.table(), "Options")).message
    assert panel is not None
    await ana.click(panel, "People")
    await ana.select(panel, ben, cleo, ana, custom_id=panel.selects[0].custom_id)
    (call,) = await ana.until(lambda: _invitations(room))
    assert f"{ben.mention} and {cleo.mention}" in call.text
    for person, rings in ((ana, []), (ben, [call.id]), (cleo, [call.id]), (dan, [])):
        assert [ping.id for ping in person.pings] == rings
    assert "you are invited" in whispered(await ben.slash(room.channel, "gang turns"))
    await room.kill_app()
    await room.start_app()
    await ben.click(call, "Join")
    await ana.until(lambda: "**Ben**" in room.table().text)
    assert [message.id for message in _invitations(room)] == [call.id]
    await ana.select(panel, dan, custom_id=panel.selects[0].custom_id)
    (again,) = await dan.until(lambda: [message for message in _invitations(room) if dan.mention in message.text])
    assert [ping.id for ping in ben.pings] == [call.id]
    for person in (cleo, dan):
        await person.click(again, "Join")
    await ana.until(lambda: _invitations(room) == [])
    await room.begin()


async def test_an_app_is_not_invited(room: Room) -> None:
    ana, *_ = room.people
    await room.open(ana)
    panel = (await ana.click(room.table(), "Options")).message
    assert panel is not None
    await ana.click(panel, "People")
    await ana.select(panel, room.world.bot, custom_id=panel.selects[0].custom_id)
    assert "Apps cannot be invited." in panel.text


async def test_a_rematch_calls_the_others_and_begins_when_they_are_there(room: Room) -> None:
    ana, ben, cleo, _ = room.people
    await room.open(ana, target=1, seats=3)
    await room.seat([ben, cleo])
    await room.begin()
    await play_to_the_end(room, [Player(room, person) for person in (ana, ben, cleo)])
    await cleo.click(room.table(), "Rematch")
    (call,) = await ana.until(lambda: _invitations(room))
    assert f"{cleo.mention} would like a rematch: table 2 begins when all have joined." in call.text
    rung = [person for person in room.people if call.id in [ping.id for ping in person.pings]]
    assert rung == [ana, ben]
    await ana.click(call, "Join")
    await ben.click(room.table(), "Join")
    await ana.until(lambda: "Hand 1" in room.table().text)
    await ana.until(lambda: _invitations(room) == [])
