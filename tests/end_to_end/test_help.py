"""Rules, reasons of refusals, comparisons of plays, and languages, as users see them."""

from playground.client.person import Person
from playground.client.screen import SeenMessage
from tests.end_to_end.app_harness import AppHarness, cards, play_to_the_end
from tests.end_to_end.inspection import app_database, choose_forged, private_text, shown


async def _settings(harness: AppHarness, person: Person) -> SeenMessage:
    return shown(await person.slash(harness.channel, "gang settings"))


async def _more_help(harness: AppHarness, person: Person) -> SeenMessage:
    """The longer help."""
    panel = shown(await person.slash(harness.channel, "gang help"))
    await person.click(panel, "More")
    return panel


async def test_the_rules_are_turned_page_by_page(harness: AppHarness) -> None:
    ana = harness.people[0]
    page = shown(await ana.slash(harness.channel, "gang rules"))
    assert "Gang of Four in brief" in page.text
    await ana.click(page, "Next ▶")
    assert "64 cards" in page.text
    await ana.select(page, "last")
    assert "The block" in page.text
    await ana.click(page, "◀ Back")
    assert "Playing a hand" in page.text
    (menu,) = page.selects
    assert "doesn't work any more" in private_text(await choose_forged(ana, page, menu.custom_id, "cheating"))


async def test_the_help_offers_what_is_done_at_a_table_to_those_who_sit_at_one(harness: AppHarness) -> None:
    ana = harness.people[0]

    async def offered() -> list[str]:
        return [button.label for button in (await _more_help(harness, ana)).buttons]

    assert "My hand" not in await offered()
    await harness.open_table(ana)
    assert "My hand" in await offered()


def _unselected(panel: SeenMessage) -> list[str]:
    """The custom ids of the cards that aren't selected."""
    selected = {button.custom_id for button in panel.buttons if button.label.startswith("✓")}
    return [each for each in cards(panel) if each not in selected]


async def test_a_refusal_shows_the_very_rule_in_the_hand(harness: AppHarness) -> None:
    ana, *_ = harness.people
    players = await harness.begin_match(2, ai_players=1)
    for player in players:
        await player.open()
    (leader, *_) = await ana.until(lambda: [player for player in players if player.must_act()])
    panel = leader.panel
    assert panel is not None
    for at in (0, -1, 0, -1, 0, -1):  # six cards of several numbers can't become a play
        await leader.person.click(panel, custom_id=_unselected(panel)[at])
    assert "These cards don't make a combination." in panel.text
    assert (await leader.person.click(panel, "Why?")).updated
    _, case, after = panel.text.rpartition("These cards don't make a combination.")
    assert case
    assert "**Gang:** four, five or six cards of one number" in after
    assert len([button for button in panel.buttons if button.label.startswith("✓")]) == 6


async def test_why_also_opens_the_rules_of_tables(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    await harness.open_table(ana)
    refusal = shown(await ben.click(harness.table(), "Invite"))
    assert "Only the host" in refusal.text
    why = shown(await ben.click(refusal, "Why?"))
    assert why.text.startswith("The host invites")
    await ben.click(why, "Rules")
    assert "### At the table" in why.text


async def test_a_table_shows_its_own_rules_on_every_page(harness: AppHarness) -> None:
    ana = harness.people[0]
    await harness.begin_match(1, ai_players=2, edition="summary-sheet", target=50)
    rules = shown(await ana.click(harness.table(), "Rules"))
    assert "goes over the target (50 points)" in rules.text
    await ana.select(rules, "last")
    assert "When you follow, play what you like, or pass." in rules.text
    assert "you may not pass" not in rules.text
    await ana.click(rules, "Next ▶")
    assert "has gone over the target" in rules.text
    general = shown(await ana.slash(harness.channel, "gang rules"))
    assert "usually 100 points" in general.text


async def test_two_plays_are_compared_typed_or_chosen(harness: AppHarness) -> None:
    ana = harness.people[0]
    panel = shown(await ana.slash(harness.channel, "gang rules", first="7g 7r", second="2G 2G 2Y 2R"))
    assert "Gang of Four: 2s beats pair of 7s: a gang beats anything that isn't a gang." in panel.text
    panel = shown(await ana.slash(harness.channel, "gang rules", first="7X", second="Dragon"))
    assert 'I can\'t read "7 X"' in panel.text
    assert "Choose the cards of both plays." in panel.text
    assert "beats" not in panel.text.replace("What beats what", "")
    rules = shown(await ana.slash(harness.channel, "gang rules"))
    panel = shown(await ana.click(rules, "Compare two plays"))
    assert "Pair of 7s beats pair of 6s" in panel.text
    why = shown(await ana.click(panel, "Why?"))
    assert "R17" in why.text
    await ana.click(panel, "Choose the second play")
    yellow = panel.selects[1]
    sevens = [option.value for option in yellow.options if option.label == "8Y"]
    await ana.select(panel, *sevens, custom_id=yellow.custom_id)
    assert "no combination" in panel.text
    red = panel.selects[2]
    await ana.select(panel, custom_id=red.custom_id)
    assert "Pair of 8s beats pair of 7s" in panel.text


async def test_users_get_their_own_language_and_channels_the_servers(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    panel = await _settings(harness, ana)
    await ana.select(panel, "de", custom_id=panel.selects[2].custom_id)
    assert "Deine Einstellungen" in panel.text
    with app_database(harness) as connection:
        assert connection.execute("SELECT language FROM users").fetchall() == [("de",)]
    await harness.begin_match(2, ai_players=1)
    assert "Tisch 1" in (await harness.open_hand(ana)).text
    assert "Table 1" in (await harness.open_hand(ben)).text
    assert "table 1" in harness.table().text
    await ana.select(panel, "discord", custom_id=panel.selects[2].custom_id)
    assert "Your settings" in panel.text


async def test_every_command_in_the_help_can_be_run(harness: AppHarness) -> None:
    ana = harness.people[0]
    await harness.open_table(ana)
    panel = await _more_help(harness, ana)
    seen = {}
    for button in panel.buttons[:-1]:
        reply = (await ana.click(panel, custom_id=button.custom_id)).message
        assert reply is not None, button.label
        seen[button.label] = reply.text
    for label, text in {
        "Open a table": "Table 2 is open",
        "Open tables": "2 open tables",
        "Hand of the day": "same cards",
        "My hand": "has not started",
        "Learn by playing": "Lesson 1",
        "Leaderboard": "Leaderboard",
        "My settings": "Your settings",
    }.items():
        assert text.lower() in seen[label].lower()
    assert "doesn't work any more" in private_text(await ana.press_old("g4:help:0:0:import", panel))
    await ana.click(panel, "◀ Back")
    assert [button.label for button in panel.buttons][-1] == "More"


async def test_only_the_own_help_turns_its_page(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    panel = shown(await ana.slash(harness.channel, "gang help"))
    for page in ("more", "back"):
        assert "doesn't work any more" in private_text(await ben.press_old(f"g4:help:0:0:{page}", panel))


async def test_the_help_offers_ones_profile_after_a_match(harness: AppHarness) -> None:
    ana, *_ = harness.people
    assert "My profile" not in [button.label for button in (await _more_help(harness, ana)).buttons]
    await play_to_the_end(harness, await harness.begin_match(3, target=1))
    answer = shown(await ana.click(await _more_help(harness, ana), "My profile"))
    await ana.until(lambda: not answer.loading)
    assert "1 match" in answer.text
