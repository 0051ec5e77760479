"""Hints in the private hand."""

from dataclasses import replace

from bot.presentation.ui.custom_ids import Press, Verb
from tests.end_to_end.app_harness import PASS, PLAY, AppHarness, can_press, cards
from tests.end_to_end.inspection import private_text

HINT = "Hint"


async def test_a_hint_selects_a_move(harness: AppHarness) -> None:
    (ana,) = await harness.begin_match(1, ai_players=3)
    await ana.open()
    await ana.person.until(ana.must_act)
    assert ana.panel is not None
    panel = ana.panel
    await ana.person.click(panel, HINT)
    await ana.person.until(lambda: "💡 Hint: " in panel.text)
    advice = next(line for line in ana.panel.text.splitlines() if line.startswith("💡"))
    wanted = PASS if "**pass.**" in advice else PLAY
    assert can_press(ana.panel, wanted)
    moves = len(cards(ana.panel))
    await ana.person.click(ana.panel, wanted)
    assert "💡" not in ana.panel.text
    assert len(cards(ana.panel)) < moves or wanted == PASS


async def test_the_hand_shows_that_a_hint_was_asked_for_too_late(harness: AppHarness) -> None:
    (ana,) = await harness.begin_match(1, ai_players=3)
    await ana.open()
    await ana.person.until(ana.must_act)
    assert ana.panel is not None
    (offered,) = [Press.parse(b.custom_id) for b in ana.panel.buttons if b.custom_id and b.label == HINT]
    reply = await ana.person.press_old(str(replace(offered, moment=offered.moment - 1)), ana.panel)
    assert reply.updated
    assert "The table has moved on, so nothing was done." in ana.panel.text


async def test_rated_matches_and_other_players_get_no_hints(harness: AppHarness) -> None:
    players = await harness.begin_match(3)
    for player in players:
        await player.open()
        assert player.panel is not None
        assert not can_press(player.panel, HINT)
    mover = next(player for player in players if player.must_act())
    assert mover.panel is not None
    real = next(Press.parse(b.custom_id) for b in mover.panel.buttons if b.custom_id and b.custom_id.startswith("g4:p"))
    reply = await mover.person.press_old(str(Press(Verb.HINT, real.table, real.moment, ("n", "", ""))), mover.panel)
    assert "There are no hints in this match." in private_text(reply)
