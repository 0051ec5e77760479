"""Everybody at the same moment: exactly the legal things happen, once each, and the log replays."""

import asyncio
import random
from collections.abc import Coroutine

from bot.engine.events import MatchEnded, Played
from bot.engine.verification import verify
from playground.client.person import Person
from playground.client.resolving import NotOffered
from playground.client.screen import Reply, SeenMessage
from tests.end_to_end.evidence import names_of, record_of, whispered
from tests.end_to_end.room import PASS, PLAY, Player, Room, cards, play_to_the_end

ELSEWHERE = ("More", "Why?")
"""What answers in a message of its own."""
PRESSES_A_PERSON = 15


async def _at_once(*presses: Coroutine[object, object, Reply]) -> list[Reply]:
    replies = await asyncio.gather(*presses)
    assert [reply.failed for reply in replies if reply.failed] == []
    return replies


async def test_two_people_join_the_last_seat(room: Room) -> None:
    ana, ben, cleo, dan = room.people
    table = await room.open(ana, seats=3)
    await room.press(ben, "Join")

    replies = await _at_once(cleo.click(table, "Join"), dan.click(table, "Join"), cleo.click(table, "Join"))

    assert sum(reply.deferred for reply in replies) == 1
    assert len(names_of(room)) == 3
    assert all("seat" in whispered(reply) or "sit" in whispered(reply) for reply in replies if not reply.deferred)


async def test_the_same_button_pressed_twice_acts_once(room: Room) -> None:
    ana, ben, cleo, _ = room.people
    table = await room.open(ana, seats=3)
    await room.seat([ben, cleo])
    starts = await _at_once(*(ana.click(table, "Start") for _ in range(3)))
    assert sum(reply.deferred for reply in starts) == 1
    await ana.until(lambda: "Hand 1" in room.table().text)
    notice = (await ana.until(room.notices))[0]
    leader = next(person for person in room.people if person.mention in notice.text)
    panel = await room.hand(leader)
    await leader.select(panel, panel.selects[0].options[0].value)
    if not panel.text.count("Selected"):
        await leader.select(panel, next(o.value for o in panel.selects[0].options if o.value.startswith("p")))
    button = next(button.custom_id for button in panel.buttons if button.label == PLAY)
    assert button

    await _at_once(*(leader.press_old(button, panel) for _ in range(4)))

    assert sum(isinstance(line.event, Played) for line in record_of(room)) == 1
    assert len(cards(panel)) < 16


async def test_everybody_presses_everything_and_then_asks_for_a_rematch(room: Room) -> None:
    ana, *others = room.people
    await room.open(ana, target=15)
    await room.seat(others)
    await room.begin()
    panels = [await room.hand(person) for person in room.people]

    await asyncio.gather(*(_press_anything(person, panel) for person, panel in zip(room.people, panels, strict=True)))

    await play_to_the_end(room, [Player(room, person) for person in room.people])
    await ana.until(lambda: room.notices() == [])
    lines = record_of(room)
    assert verify(lines).lines == len(lines)
    assert sum(isinstance(line.event, MatchEnded) for line in lines) == 1

    over = room.table()
    await _at_once(*(person.click(over, "Rematch") for person in (*room.people, ana)))
    await ana.until(lambda: "Hand 1" in room.table().text)
    assert sorted(map(str, names_of(room, 2))) == ["Ana", "Ben", "Cleo", "Dan"]
    assert names_of(room, 3) == []


async def _press_anything(person: Person, panel: SeenMessage) -> None:
    """Press what stands there, without looking, each thing twice at the same moment."""
    rng = random.Random(person.name)
    for _ in range(PRESSES_A_PERSON):
        here = [b for b in panel.buttons if not b.disabled and b.label not in ELSEWHERE]
        pressable = [b.custom_id for b in here if b.custom_id]
        selects = [(menu.custom_id, option.value) for menu in panel.selects for option in menu.options]
        try:
            if selects and rng.random() < 0.4:
                custom_id, value = rng.choice(selects)
                replies = [await person.select(panel, value, custom_id=custom_id)]
                eager = [
                    b.custom_id for b in panel.buttons if b.label in (PLAY, PASS) and b.custom_id and not b.disabled
                ]
                replies += await _at_once(*(person.press_old(each, panel) for each in eager * 2))
            else:
                replies = await _at_once(*(person.press_old(rng.choice(pressable), panel) for _ in range(2)))
        except NotOffered:  # the hand was redrawn meanwhile
            continue
        assert all(reply.updated for reply in replies), replies
