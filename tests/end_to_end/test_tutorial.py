"""The tutorial with its visible buttons, from the first lesson to the last, and the stored progress."""

from bot.presentation.help.lessons import LESSONS
from playground.client.person import Person
from playground.client.screen import SeenMessage
from tests.end_to_end.app_harness import LAST, PASS, PLAY, AppHarness, can_press
from tests.end_to_end.inspection import app_database, private, private_text, stored


async def _tutorial(harness: AppHarness, person: Person) -> SeenMessage:
    return private(await person.slash(harness.channel, "gang tutorial"))


async def _learn(person: Person, panel: SeenMessage, until: int) -> None:
    """Press "Show me" and what it says, or "Next", until this many lessons are done."""
    while f"Lesson {until + 1} of " not in panel.text and "Lesson " in panel.text:
        if can_press(panel, "Next ▶"):
            await person.click(panel, "Next ▶")
            continue
        await person.click(panel, "Show me")
        await person.click(panel, next(label for label in (LAST, "Give back", PLAY, PASS) if can_press(panel, label)))
        assert "✅ Well done!" in panel.text


def _kept(harness: AppHarness) -> dict[int, int]:
    with app_database(harness) as connection:
        return dict(connection.execute("SELECT user_id, lesson FROM users"))


async def test_the_whole_tutorial_can_be_completed_with_show_me(harness: AppHarness) -> None:
    ana = harness.people[0]
    panel = await _tutorial(harness, ana)
    assert panel.text.startswith(f"### Lesson 1 of {len(LESSONS)}: The cards")
    await _learn(ana, panel, len(LESSONS))
    assert "That is the whole game!" in panel.text
    assert "`/gang new`" in panel.text
    assert _kept(harness) == {ana.id: len(LESSONS)}
    assert "That is the whole game!" in (await _tutorial(harness, ana)).text
    assert stored(harness) == []

    hand = (await ana.click(panel, "Play against AI")).message
    assert hand is not None
    await ana.until(lambda: "your hand" in hand.text)
    assert "👋 Welcome!" in hand.text
    assert "`/gang tutorial`" not in hand.text  # the learner knows it already

    panel = await _tutorial(harness, ana)
    await ana.click(panel, "Start over")
    assert "Lesson 1 of " in panel.text
    assert _kept(harness) == {ana.id: 0}


async def test_a_wrong_move_is_explained_and_keeps_the_lesson(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    panel = await _tutorial(harness, ana)
    await _learn(ana, panel, 1)
    await ana.click(panel, "2G")
    await ana.click(panel, "2Y")
    assert "Play 1 card" in panel.text
    assert not can_press(panel, PLAY)
    await ana.click(panel, "✓ 2G")
    await ana.click(panel, PLAY)
    assert "💡 The rules allow that, too. Play" in panel.text
    await ana.click(panel, PASS)
    assert "💡 The rules allow that, too. Play" in panel.text
    await ana.press_old("g4:learn-hand:0:1:play:n:45:", panel)
    assert "❌ Play 1 card" in panel.text
    assert "doesn't work any more" in private_text(await ben.press_old("g4:learn-over:0:0", panel))
    assert _kept(harness) == {ana.id: 1}
    await ana.click(panel, "Show me")
    await ana.click(panel, PLAY)
    assert "Lesson 3 of " in panel.text
    await ana.click(panel, "◀ Back")
    assert "Lesson 2 of " in panel.text
    await ana.select(panel, "11. A full house of your own", custom_id=panel.selects[-1].custom_id)
    assert "Lesson 11 of " in panel.text


async def test_it_goes_on_after_a_restart_from_an_old_panel_and_from_a_new_one(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    first = await _tutorial(harness, ana)
    await _learn(ana, first, 1)
    panel = await _tutorial(harness, ana)
    await _learn(ana, panel, 9)
    drawn = panel.text

    await harness.kill_app()
    await harness.start_app()

    await ana.click(first, "2G")
    assert "That button belongs to another lesson." in first.text
    assert "Lesson 10 of " in first.text
    assert panel.text == drawn
    await _learn(ana, panel, 10)
    again = await _tutorial(harness, ana)
    assert "Lesson 11 of " in again.text
    assert "You continue where you stopped." in again.text
    assert "Lesson 1 of " in (await _tutorial(harness, ben)).text
    await _learn(ana, again, len(LESSONS))
    await ana.click(panel, "Show me")
    assert "That is the whole game!" in panel.text
