"""Practice hands with their visible buttons: alone, again, after a restart, and from a finished match."""

import json

from bot.engine.cards import sorted_cards
from bot.engine.events import Dealt
from bot.presentation.table.selection import encode
from bot.presentation.ui.custom_ids import Press, Verb
from playground.client.person import Person
from playground.client.screen import SeenMessage
from tests.end_to_end.app_harness import LAST, PASS, PLAY, AppHarness, can_press, cards, play_to_the_end
from tests.end_to_end.inspection import app_database, choose, choose_forged, private, private_text, record_of, stored

UNKNOWN = "This button doesn't work any more."
AGAIN = "Same hand again"


async def _practice(harness: AppHarness, person: Person) -> SeenMessage:
    return private(await person.slash(harness.channel, "gang practice"))


async def _press(person: Person, panel: SeenMessage, label: str) -> None:
    """Press a button and wait for the answer, which comes after the AI players have moved."""
    before = panel.raw["components"]
    await person.click(panel, label)
    await person.until(lambda: panel.raw["components"] != before)


async def _choose(person: Person, panel: SeenMessage, level: str) -> None:
    """Choose a level."""
    before = panel.raw["components"]
    await person.select(panel, level)
    await person.until(lambda: panel.raw["components"] != before)


async def _begin(harness: AppHarness, person: Person, deal: str) -> SeenMessage:
    """Begin a hand against the weakest AI players."""
    panel = await _practice(harness, person)
    await _choose(person, panel, "beginner")
    await _press(person, panel, deal)
    return panel


async def _move(person: Person, panel: SeenMessage) -> None:
    """Make a move: the lowest play, or a pass."""
    if can_press(panel, "Lowest play"):
        await _press(person, panel, "Lowest play")
        await _press(person, panel, LAST if can_press(panel, LAST) else PLAY)
    else:
        await _press(person, panel, PASS)


async def _play_on(person: Person, panel: SeenMessage) -> None:
    while not can_press(panel, AGAIN):
        await _move(person, panel)


def _own_cards(panel: SeenMessage) -> str:
    return "".join(Press.parse(custom_id).arguments[-2] for custom_id in cards(panel))


def _rows(harness: AppHarness) -> list[tuple[object, ...]]:
    with app_database(harness) as connection:
        return list(connection.execute("SELECT user_id, source, level, seat FROM practices"))


async def test_a_hand_is_played_across_a_restart_and_again(harness: AppHarness) -> None:
    ana = harness.people[0]
    panel = await _begin(harness, ana, "With a gang")
    assert panel.text.startswith("### Practice · with a gang")
    assert "very easy" in panel.text
    dealt = _own_cards(panel)
    await _move(ana, panel)

    await harness.kill_app()
    await harness.start_app()

    again = await _practice(harness, ana)
    assert _own_cards(again) == _own_cards(panel)
    await _move(ana, again)
    if not can_press(again, AGAIN):
        await _press(ana, panel, PASS if can_press(panel, PASS) else "Lowest play")
        assert _own_cards(again) == _own_cards(panel)
    await _play_on(ana, again)
    assert "🏁" in again.text
    replay = private(await ana.click(again, "Move by move"))
    assert replay.text.startswith("### Practice · hand 1")
    assert "**Ana**: " in replay.text
    await ana.click(replay, "Next ▶")
    assert "led: " in replay.text
    await _press(ana, again, AGAIN)
    assert _own_cards(again) == dealt
    await _press(ana, again, "Another hand")
    await _choose(ana, again, "simple")
    await _press(ana, again, "Continue")
    await _play_on(ana, again)
    await _press(ana, again, "From the next seat")
    assert _rows(harness) == [(ana.id, "gang", "beginner", 3)] or _rows(harness) == [(ana.id, "gang", "beginner", 1)]
    await ana.click(replay, "Next ▶")
    await ana.until(lambda: any("hand is gone." in each.text for each in ana.sees(harness.channel)))
    assert stored(harness) == []
    assert not harness.messages(harness.people[1])


async def test_a_hint_selects_its_cards(harness: AppHarness) -> None:
    ana = harness.people[0]
    panel = await _begin(harness, ana, "Before the last card")
    await _press(ana, panel, "Hint")
    assert "💡 Hint: " in panel.text
    assert can_press(panel, PLAY) or can_press(panel, PASS)


async def test_a_match_at_a_level_begins_at_once(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    panel = await _practice(harness, ana)
    await _choose(ana, panel, "beginner")
    await ana.click(panel, "A whole match")
    more = private(await ana.click(panel, "More"))
    assert "-# AI players: very easy" in more.text
    await ana.click(private(await ana.click(more, "End the match…")), "Yes, close it")
    guide = private(await ana.slash(harness.channel, "gang help"))
    await ana.click(guide, "More")
    await ana.select(guide, "simple")
    assert "Table 2 · your hand" in guide.text
    assert "-# AI players: easy" in private(await ana.click(guide, "More")).text
    assert ben.sees(harness.channel) == []


async def test_a_finished_hand_is_played_from_its_replay(harness: AppHarness) -> None:
    *_, dan = harness.people
    await play_to_the_end(harness, await harness.begin_match(3, target=1))
    replay = private(await dan.slash(harness.channel, "gang history", number=1))
    await choose(dan, replay, "As seen by Ben")
    reply = await choose(dan, replay, "Play from here")
    assert reply.message is not None
    panel = reply.message
    await dan.until(lambda: not panel.loading)
    assert panel.text.startswith("### Practice · table 1, hand 1")
    assert not any(name in panel.text for name in ("Ana", "Ben", "Cleo"))
    (deal,) = (line.event for line in record_of(harness) if isinstance(line.event, Dealt))
    assert _own_cards(panel) == encode(sorted_cards(deal.hands[1]))
    await _play_on(dan, panel)
    assert _rows(harness) == [(dan.id, "match", "simple", 1)]


async def test_forged_presses_harm_nothing(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    await harness.open_table(ana)
    panel, public = await _begin(harness, ana, "New deal"), harness.table()
    drawn, before, rows = json.dumps(panel.raw["components"]), stored(harness), _rows(harness)
    number = Press.parse(cards(panel)[0]).table
    moment = Press.parse(cards(panel)[0]).moment
    for custom_id in ("g4:playai:0:0:strongest", f"g4:practice-hand:{number}:{moment}:everything:n::"):
        assert UNKNOWN in private_text(await ana.press_old(custom_id, panel)), custom_id
    theirs = (f"g4:practice:{number}:0:again:club", f"g4:practice-hand:{number}:{moment}:pass:n::")
    for custom_id in theirs:
        assert UNKNOWN in private_text(await ben.press_old(custom_id, panel))
        assert UNKNOWN in private_text(await ana.press_old(custom_id, public))
        await ben.press_old(custom_id, await _practice(harness, ben))
    await ben.until(lambda: sum("hand is gone." in each.text for each in ben.sees(harness.channel)) == len(theirs))
    reply = await choose_forged(ana, panel, f"g4:practice:{number}:0:level:club", "strongest")
    assert UNKNOWN in private_text(reply)
    assert (json.dumps(panel.raw["components"]), stored(harness), _rows(harness)) == (drawn, before, rows)
    await ana.press_old(str(Press(Verb.PRACTICE_HAND, number, moment + 1, ("pass", "n", "", ""))), panel)
    await ana.until(lambda: "The table has moved on, so nothing was done." in panel.text)
    assert _rows(harness) == rows
