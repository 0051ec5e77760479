"""Everyone acts at the same moment: only legal actions happen, once each, and the log can be replayed."""

import asyncio
import random
from collections.abc import Coroutine

from bot.engine.events import MatchEnded
from bot.engine.verification import verify
from playground.client.person import Person
from playground.client.resolving import NotOffered
from playground.client.screen import Reply, SeenMessage
from tests.end_to_end.app_harness import PASS, PLAY, AppHarness, Player, play_to_the_end
from tests.end_to_end.inspection import names_of, record_of

ELSEWHERE = ("More", "Rules")
"""The verbs that answer with a new message."""
PRESSES_A_PERSON = 15


async def _at_once(*presses: Coroutine[object, object, Reply]) -> list[Reply]:
    replies = await asyncio.gather(*presses)
    assert [reply.failed for reply in replies if reply.failed] == []
    return replies


async def test_simultaneous_presses_of_all_players_leave_a_valid_match_and_one_rematch(harness: AppHarness) -> None:
    ana, *_ = harness.people
    await harness.begin_match(4, target=15)
    panels = [await harness.open_hand(person) for person in harness.people]

    await asyncio.gather(
        *(_press_anything(harness, person, panel) for person, panel in zip(harness.people, panels, strict=True))
    )

    await play_to_the_end(harness, [Player(harness, person) for person in harness.people])
    await ana.until(lambda: harness.notices() == [])
    lines = record_of(harness)
    verify(lines)
    assert sum(isinstance(line.event, MatchEnded) for line in lines) == 1

    over = harness.table()
    await _at_once(*(person.click(over, "Rematch") for person in (*harness.people, ana)))
    await ana.until(lambda: "Hand 1" in harness.table().text)
    assert sorted(map(str, names_of(harness, 2))) == ["Ana", "Ben", "Cleo", "Dan"]
    assert names_of(harness, 3) == []


async def _press_anything(harness: AppHarness, person: Person, panel: SeenMessage) -> None:
    """Press every button twice at the same moment. The hand answers, until the match is over."""
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
        assert harness.is_over() or all(reply.updated or reply.deferred for reply in replies), replies
