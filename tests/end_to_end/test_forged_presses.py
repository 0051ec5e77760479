"""Forged presses: each is answered privately with a sentence, and changes nothing."""

import json

from bot.presentation.ui.custom_ids import Press
from bot.process.logs import MAX_PER_MINUTE
from playground.client.screen import SeenMessage
from tests.end_to_end.app_harness import PLAY, AppHarness, cards, is_complete
from tests.end_to_end.inspection import choose_forged, private_text, shown, stored

UNKNOWN = "This button doesn't work any more."
GARBAGE = (
    "",
    "g4",
    "g4:",
    "g4:card",
    "g4:card:1",
    "g4:play:x:0:n:0:",
    "g4:play:-1:0:n:0:",
    "g4:play:1:-1:n:0:",
    "g4:play:١:0:n:0:",
    "g4:play:²:0:n:0:",
    "g4:play:1:",
    "g4:sort:1:0",
    "g4:sort:1:0:n",
    "g4:sort:1:0:q::",
    "g4:sort:1:0:n:?:",
    "g4:sort:1:0:n:3333:",
    "g4:sort:1:0:n::8.000000000000",
    "g4:sort:1:0:c:🐉:",
    "g4:card:1:0",
    "g4:card:1:0:n::",
    "g4:card:1:0:n:::0",
    "g4:card:1:0:n:::00:0",
    "g4:card:1:0:n:::0:-1",
    "g4:card:1:0:n:::0:7",
    "g4:card:1:0:n:::z:0",
    "g4:card:1:0:n:::x:0:x:0",
    "g4:card:1:0:n:x::x:1",
    "g4:menu:1:0:n::",
    "g4:play:1:0",
    "g4:last:1:0:n:zz:",
    "g4:pass:1:0",
    "g4:declare:1:0",
    "g4:give:1:0",
    "g4:give:1:0:n::",
    "g4:give:1:0:n:01:",
    "g4:__class__:1:0",
    "g4:profile:0:0",
    "g4:profile:0:0:101",
    "g4:profile:0:0:x:figures",
    "g4:curve:0:0",
    "g4:penalties:0:0:99999999999999999999",
    "g4:versus:0:0:-1",
    "g5:hand:1:0",
    "g4:hand:1:0\ng4:forged log line",
)
ON_THE_TABLE = ("card", "play", "last", "pass", "declare", "give", "menu")


async def _playing(harness: AppHarness) -> SeenMessage:
    """A match of three people, and the first one's hand."""
    await harness.begin_match(3)
    return await harness.open_hand(harness.people[0])


async def test_garbage_in_any_button_is_refused_in_a_sentence(harness: AppHarness) -> None:
    panel = await _playing(harness)
    ana, before = harness.people[0], stored(harness)
    drawn = json.dumps(panel.raw["components"])
    for custom_id in GARBAGE:
        assert UNKNOWN in private_text(await ana.press_old(custom_id, panel)), custom_id
    for value in ("", "k", "q", "p?", "pzz", "p3333", "k" + "9" * 90):
        reply = await choose_forged(ana, panel, "g4:menu:1:0:n::", value)
        assert reply.updated if value == "k" else UNKNOWN in private_text(reply), value
    assert stored(harness) == before
    assert json.dumps(panel.raw["components"]) == drawn
    assert harness.log.read_text().count("never offers") <= 2 * MAX_PER_MINUTE  # the test may take more than a minute


async def test_a_forged_press_changes_no_public_message_and_no_panel_of_another_user(harness: AppHarness) -> None:
    await _playing(harness)
    ana, ben, *_ = harness.people
    public, before = harness.table(), stored(harness)
    drawn = json.dumps(public.raw["components"])
    for verb in ON_THE_TABLE:
        for person in (ana, ben):
            private_text(await person.press_old(f"g4:{verb}:1:0:n:0:", public))
    assert UNKNOWN in private_text(await ana.press_old("g4:concede:1:0", public))
    assert stored(harness) == before
    assert json.dumps(public.raw["components"]) == drawn

    panel, dan = await harness.open_hand(ana), harness.people[3]
    drawn, before = json.dumps(panel.raw["components"]), stored(harness)
    for custom_id in (*cards(panel), *(button.custom_id for button in panel.buttons if button.label == PLAY)):
        assert custom_id
        assert UNKNOWN in private_text(await ben.press_old(custom_id, panel))
        assert UNKNOWN in private_text(await dan.press_old(custom_id, panel))
    assert json.dumps(panel.raw["components"]) == drawn
    assert stored(harness) == before
    assert (await ana.click(panel, custom_id=cards(panel)[0])).updated


async def test_tables_and_moments_that_are_not_there(harness: AppHarness) -> None:
    panel = await _playing(harness)
    ana, elsewhere = harness.people[0], harness.world.guild("Other House").channel("cards")
    await ana.slash(elsewhere, "gang new")
    await ana.until(lambda: any(map(is_complete, ana.sees(elsewhere))))
    before = stored(harness)
    for number in (0, 2, 99999, 2**31, 2**63, 10**60):
        for verb in (*ON_THE_TABLE, "hand", "join", "leave", "robot", "start", "options", "rematch", "concede"):
            text = private_text(await ana.press_old(f"g4:{verb}:{number}:0:n:0:", panel))
            assert "no such table" in text or UNKNOWN in text, (verb, number, text)
    assert stored(harness) == before

    moment = next(Press.parse(b.custom_id).moment for b in panel.buttons if b.label == PLAY and b.custom_id)
    for other in (0, moment - 1, moment + 1, 2**31, 2**63 - 1):
        for verb in ("play", "last", "pass", "give"):
            reply = await ana.press_old(f"g4:{verb}:1:{other}:n:0:", panel)
            assert reply.updated, reply
            assert "The table has moved on" in panel.text
    assert stored(harness) == before


async def test_options_are_the_hosts_and_of_the_values_that_there_are(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    await harness.open_table(ana)
    await harness.press(ben, "Join")
    panel = shown(await ana.click(harness.table(), "Options"))
    before, drawn = stored(harness), json.dumps(panel.raw["components"])
    assert "Only the host" in private_text(await ben.press_old("g4:options:1:0:people", harness.table()))
    own = shown(await ben.slash(harness.channel, "gang help"))
    assert "Only the host" in private_text(await choose_forged(ben, own, "g4:set:1:0:basics:size", "3"))
    assert "Only the host" in private_text(await ben.press_old("g4:options:1:0:house", own))
    assert UNKNOWN in private_text(await choose_forged(ana, harness.table(), "g4:set:1:0:basics:size", "3"))
    for custom_id in ("g4:options:1:0:cellar", "g4:options:1:0:basics:more", "g4:set:1:0:basics:size"):
        assert UNKNOWN in private_text(await ana.press_old(custom_id, panel)), custom_id
    for where in ("cellar:size", "basics:deal", "basics:seed", "basics", "basics:size:3", ""):
        assert UNKNOWN in private_text(await choose_forged(ana, panel, f"g4:set:1:0:{where}", "3")), where
    for name, value in (("size", "5"), ("edition", "mine"), ("target", "0"), ("target", "1001"), ("pace", "never")):
        assert UNKNOWN in private_text(await choose_forged(ana, panel, f"g4:set:1:0:basics:{name}", value)), name
    assert stored(harness) == before
    assert json.dumps(panel.raw["components"]) == drawn


async def test_wrong_verbs_for_the_state_of_the_table(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    await harness.open_table(ana, seats=3)
    lobby = harness.table()
    about = shown(await ana.slash(harness.channel, "gang help"))
    before = stored(harness)
    for verb in ON_THE_TABLE:
        text = private_text(await ana.press_old(f"g4:{verb}:1:0:n:0:", about))
        assert "has not started" in text or UNKNOWN in text, (verb, text)
    assert "has not started" in private_text(await ana.press_old("g4:hand:1:0", lobby))
    assert "has not started" in private_text(await ben.press_old("g4:rematch:1:0", lobby))
    assert "has not started" in private_text(await ana.press_old("g4:concede:1:0", about))
    assert stored(harness) == before

    await harness.seat([ben], ai_players=1)
    await harness.start_match()
    for verb in ("join", "leave", "robot", "unrobot", "options", "start", "rematch"):
        assert "has already started" in private_text(await ben.press_old(f"g4:{verb}:1:0", lobby)), verb
