"""What cannot be done is refused privately, in a sentence that names the rule, and changes nothing."""

import re

from playground.people import Person
from playground.sight import SeenMessage
from tests.end_to_end.room import MY_HAND, PASS, PLAY, Room, can_press, cards


def whispered(reply: object) -> str:
    message = getattr(reply, "message", None)
    assert message is not None, reply
    assert message.ephemeral
    return str(message.text)


async def _started(room: Room, **options: object) -> None:
    ana, ben, cleo, _ = room.people
    await room.open(ana, seats=3, **options)
    await room.seat([ben, cleo])
    await room.begin()


def _turn(room: Room) -> tuple[Person, list[Person]]:
    """Who is to act, and the others."""
    line = next(line for line in room.table().text.splitlines() if "👉" in line)
    acting = next(person for person in room.people if person.name in line)
    return acting, [person for person in room.people[:3] if person is not acting]


async def test_joining_twice_and_joining_a_full_table(room: Room) -> None:
    ana, ben, cleo, dan = room.people
    await room.open(ana, seats=3)
    assert "already" in whispered(await ana.click(room.table(), "Join"))
    full = room.table()
    join = next(button.custom_id for button in full.buttons if button.label == "Join")
    assert join
    await room.seat([ben, cleo])
    assert "All 3 seats are taken." in whispered(await dan.press_old(join, room.table()))


async def test_only_the_host_sets_options_adds_robots_and_starts(room: Room) -> None:
    ana, ben, *_ = room.people
    await room.open(ana, seats=3)
    for label in ("Add AI", "Options"):
        assert "Only the host" in whispered(await ben.click(room.table(), label))
    await room.press(ben, "Join")
    await room.press(ana, "Add AI")
    assert "Only the host" in whispered(await ben.click(room.table(), "Start"))


async def test_a_hand_is_for_those_who_play(room: Room) -> None:
    await _started(room)
    dan = room.people[3]
    assert "do not play at this table" in whispered(await dan.click(room.table(), MY_HAND))
    assert "No table of yours" not in whispered(await dan.slash(room.channel, "gang hand"))


async def test_who_is_not_to_act_cannot_press_play_or_pass(room: Room) -> None:
    await _started(room)
    _, (waiting, _) = _turn(room)
    panel = await room.hand(waiting)
    await waiting.click(panel, custom_id=cards(panel)[0])
    assert not can_press(panel, PLAY)
    assert not can_press(panel, PASS)
    forged = next(b.custom_id for b in panel.buttons if b.label == PLAY)
    assert forged
    await waiting.press_old(forged, panel)
    assert "It is not your turn" in panel.text
    assert "R23" in panel.text


async def test_the_leader_cannot_pass_nor_lead_without_the_multicolored_one(room: Room) -> None:
    await _started(room)
    leader, _ = _turn(room)
    panel = await room.hand(leader)
    assert "multicolored 1" in panel.text or "any combination" in panel.text
    forged = next(b.custom_id for b in panel.buttons if b.label == PASS)
    assert forged
    await leader.press_old(forged, panel)
    assert "You lead, so you cannot pass." in panel.text


async def test_cards_that_are_no_combination_do_not_light_up_play(room: Room) -> None:
    await _started(room)
    leader, _ = _turn(room)
    panel = await room.hand(leader)
    for custom_id in (0, -1):
        await leader.click(panel, custom_id=cards(panel)[custom_id])
    if not can_press(panel, PLAY):
        assert re.search(r"no combination|multicolored 1", panel.text)
        forged = next(b.custom_id for b in panel.buttons if b.label == PLAY)
        assert forged
        await leader.press_old(forged, panel)
        assert re.search(r"\(rule R\d+\)", panel.text)


async def test_an_old_play_button_is_answered_with_what_is_true_now(room: Room) -> None:
    await _started(room)
    leader, _ = _turn(room)
    panel = await room.hand(leader)
    first = panel.selects[0].options[0]
    await leader.select(panel, first.value)
    if first.value.startswith("k"):
        await leader.select(panel, next(o.value for o in panel.selects[0].options if o.value.startswith("p")))
    old = next(b.custom_id for b in panel.buttons if b.label == PLAY)
    assert old
    await leader.click(panel, PLAY)
    held = len(cards(panel))

    await leader.press_old(old, panel)

    assert "The table has moved on" in panel.text
    assert len(cards(panel)) == held


async def test_a_foreign_button_and_a_table_of_another_server(room: Room) -> None:
    await _started(room)
    ana = room.people[0]
    assert "no longer in use" in whispered(await ana.press_old("g4:dance:1:0", room.table()))
    assert "no longer in use" in whispered(await ana.press_old("something-else", room.table()))
    other = room.world.guild("Other House").channel("games")
    assert "no such table" in whispered(await ana.slash(other, "gang hand", table=1))


async def test_missing_permissions_are_named_when_a_table_is_made(room: Room) -> None:
    from playground.permissions import Permission

    ana = room.people[0]
    room.channel.deny(room.world.bot, Permission.SEND_MESSAGES)
    text = whispered(await ana.slash(room.channel, "gang new"))
    assert "Send Messages" in text
    assert "View Channel" not in text


async def test_only_host_or_manager_closes_a_table(room: Room) -> None:
    from playground.permissions import Permission

    await _started(room)
    ben = room.people[1]
    assert "Only the host" in whispered(await ben.slash(room.channel, "gang close", table=1))
    mod = room.world.person("Mod", permissions=Permission.MANAGE_GUILD)
    assert "is closed" in whispered(await mod.slash(room.channel, "gang close", table=1))
    await ben.until(lambda: "This table is closed." in room.table().text)


async def test_nobody_sees_the_hand_of_another(room: Room) -> None:
    await _started(room)
    panels: dict[str, SeenMessage] = {}
    for person in room.people[:3]:
        panels[person.name] = await room.hand(person)
    for person in room.people:
        private = [message for message in person.sees(room.channel) if message.ephemeral and cards(message)]
        assert [message.id for message in private] == ([panels[person.name].id] if person.name in panels else [])
