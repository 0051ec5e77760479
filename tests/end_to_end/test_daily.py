"""The hand of the day: played alone, in private and once, with a leaderboard that nobody sees too early."""

from playground.client.person import Person
from playground.client.screen import SeenMessage
from tests.end_to_end.app_harness import AppHarness, Player, can_press, cards
from tests.end_to_end.inspection import app_database, private, private_text, shown

TABLE, NO_TABLE = 1, "There is no such table in this server."


async def _daily(harness: AppHarness, person: Person) -> SeenMessage:
    """Open the hand of the day, and have it dealt if it isn't."""
    panel = await _asked(harness, person)
    if can_press(panel, "Deal"):
        assert (await person.click(panel, "Deal")).updated
    return panel


async def _asked(harness: AppHarness, person: Person) -> SeenMessage:
    return private(await person.slash(harness.channel, "gang daily"))


async def played_daily_hand(harness: AppHarness, person: Person) -> SeenMessage:
    """Play it to its end with the panel alone."""
    player = Player(harness, person)
    player.panel = panel = await _daily(harness, person)
    while await person.until(lambda: player.must_act() or can_press(panel, "The day's leaderboard")):
        if can_press(panel, "The day's leaderboard"):
            return panel
        await player.act()
    raise AssertionError


async def _fair_deal(person: Person, panel: SeenMessage) -> str:
    return private_text(await person.click(panel, "Fair deal"))


async def test_it_is_played_alone_and_goes_on_after_a_restart(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    panel = await _daily(harness, ana)
    assert panel.text.startswith("**Hand of the day, ")
    assert "👋 Welcome!" in panel.text
    assert "🤖 Jade" in panel.text
    assert len(cards(panel)) == 16
    assert {button.label for button in panel.buttons}.isdisjoint({"More", "Rematch"})
    other = await _daily(harness, ben)
    assert sorted(cards(other)) != []

    await harness.kill_app()
    await harness.start_app()

    over = await played_daily_hand(harness, ana)
    assert "The match is over." not in over.text
    assert "🥇 1. " in over.text
    leaderboard = await ana.click(over, "The day's leaderboard")
    assert "1\\. **Ana (you)**: " in private_text(leaderboard)
    assert "Seed of the deals" not in await _fair_deal(ana, shown(leaderboard))
    assert "1\\. **Ana (you)**: " in (await _daily(harness, ana)).text
    assert "1 player has finished it." in (await _daily(harness, ben)).text


async def test_a_hand_of_the_day_is_invisible_to_others(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    panel = await played_daily_hand(harness, ana)
    for person in harness.people[1:]:
        assert not person.sees(harness.channel)
    assert not [message for message in ana.sees(harness.channel) if not message.ephemeral]
    wait = "Others are still playing this hand."
    assert wait in private_text(await ana.slash(harness.channel, "gang history", number=TABLE))
    verified = await ana.press_old(f"g4:past:{TABLE}:0:t:a:verify", panel)
    await ana.until(lambda: wait in private_text(verified))
    own = await _daily(harness, ben)
    with app_database(harness) as connection:
        (day,) = connection.execute("SELECT DISTINCT daily FROM tables").fetchone()
    assert wait in private_text(await ben.press_old(f"g4:daily:0:0:{day}", own))
    assert NO_TABLE in private_text(await ben.slash(harness.channel, "gang history", number=TABLE))
    for person in (ana, ben):
        assert NO_TABLE in private_text(await person.slash(harness.channel, "gang hand", table=TABLE))
        for custom_id in (f"repost:{TABLE}:0", f"leave-match:{TABLE}:0", f"close:{TABLE}:0:open"):
            assert NO_TABLE in private_text(await harness.under_more(person, custom_id)), custom_id
    for custom_id in (f"g4:hand:{TABLE}:0", f"g4:hands:{TABLE}:0:1", f"g4:sitin:{TABLE}:0"):
        assert NO_TABLE in private_text(await ben.press_old(custom_id, own))
    assert "Nothing is waiting for you" in private_text(await ben.slash(harness.channel, "gang turns"))
    assert "Table" not in private_text(await ben.slash(harness.channel, "gang list"))
    assert "You haven't finished a match" in private_text(await ana.slash(harness.channel, "gang history"))
    assert "No match" in private_text(await ana.slash(harness.channel, "gang leaderboard"))
    assert "This button doesn't work any more." in private_text(await ana.press_old("g4:daily:0:0:2026-13-01", panel))


async def test_after_the_day_the_deal_is_shown_and_the_own_hand_can_be_replayed(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    await played_daily_hand(harness, ana)
    await harness.kill_app()
    with app_database(harness) as connection:
        connection.execute("DELETE FROM daily_deals WHERE day NOT IN (SELECT day FROM daily_players)")
        for table, column in (("tables", "daily"), ("daily_deals", "day"), ("daily_players", "day")):
            connection.execute(f"UPDATE {table} SET {column} = '2026-01-02'")  # as if it had been played then
    await harness.start_app()
    panel = await played_daily_hand(harness, ben)
    leaderboard = shown(await ben.click(panel, "The day's leaderboard"))
    for _ in range(2):
        await ben.click(leaderboard, "◀ The day before")
    assert "Nobody has finished it yet." in leaderboard.text
    old = shown(await ana.press_old("g4:daily:0:0:2026-01-02", await played_daily_hand(harness, ana)))
    assert "Seed of the deals: `" in await _fair_deal(ana, old)
    past = shown(await ana.click(old, "Replay my hand"))
    assert past.text.startswith("### Table 1 · hand 1")
