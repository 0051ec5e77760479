"""The tutorial with its visible buttons, from the first lesson to the last, and the stored progress."""

from bot.presentation.help.lessons import BASICS, LESSONS
from playground.client.person import Person
from playground.client.screen import SeenMessage
from tests.end_to_end.app_harness import LAST, PASS, PLAY, AppHarness, can_press
from tests.end_to_end.inspection import app_database, private, private_text, stored


async def _tutorial(harness: AppHarness, person: Person) -> SeenMessage:
    return private(await person.slash(harness.channel, "gang tutorial"))


def _heading(done: int) -> str:
    """The heading of the lesson after this many."""
    if done < BASICS:
        return f"The basics · Lesson {done + 1} of {BASICS}: "
    return f"The rest · Lesson {done + 1 - BASICS} of {len(LESSONS) - BASICS}: "


async def _learn(person: Person, panel: SeenMessage, until: int) -> None:
    """Press "Show me" and what it says, or go on, until this many lessons are done."""
    while _heading(until) not in panel.text and "That is the whole game!" not in panel.text:
        onwards = next((label for label in ("Next ▶", "The rest ▶") if can_press(panel, label)), "")
        if onwards:
            await person.click(panel, onwards)
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
    assert panel.text.startswith(f"### {_heading(0)}The cards")
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
    assert _heading(0) in panel.text
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
    assert _heading(2) in panel.text
    await ana.click(panel, "◀ Back")
    assert _heading(1) in panel.text
    await ana.select(panel, "4. A full house of your own", custom_id=panel.selects[-1].custom_id)
    assert _heading(10) in panel.text


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
    assert _heading(9) in first.text
    assert panel.text == drawn
    await _learn(ana, panel, 10)
    again = await _tutorial(harness, ana)
    assert _heading(10) in again.text
    assert "You continue where you stopped." in again.text
    assert _heading(0) in (await _tutorial(harness, ben)).text
    await _learn(ana, again, len(LESSONS))
    await ana.click(panel, "Show me")
    assert "That is the whole game!" in panel.text


async def test_the_tutorial_can_end_after_the_basics(harness: AppHarness) -> None:
    ana = harness.people[0]
    panel = await _tutorial(harness, ana)
    await _learn(ana, panel, BASICS - 1)
    await ana.click(panel, "Show me")
    await ana.click(panel, PLAY)
    assert "You know the basics!" in panel.text
    again = await _tutorial(harness, ana)
    assert "You know the basics!" in again.text
    await ana.click(again, "The rest ▶")
    assert _heading(BASICS) in again.text

    await ana.click(panel, "Play against AI")
    await ana.until(lambda: "your hand" in panel.text)
    assert "`/gang tutorial`" not in panel.text  # they know enough

    await ana.click(again, "◀ Back")
    assert _heading(BASICS - 1) in again.text
