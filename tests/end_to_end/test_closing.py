"""Closing a table asks first. Once cards are dealt, a host needs the consent of the others; a manager does not."""

from typing import Final

from playground.client.person import Person
from playground.world.permissions import Permission
from tests.end_to_end.app_harness import AppHarness, can_press
from tests.end_to_end.inspection import private_text, shown

LEAVING: Final = ("Leave", "Leave the match…")
"""The labels before and after the deal."""
CLOSING: Final = "Close the table…"


async def test_a_lobby_is_closed_by_its_host_after_a_question(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    await harness.open_table(ana, seats=3)
    await harness.press(ben, "Join")
    assert "Only the host" in private_text(await harness.under_more(ben, "close:1:0:open"))
    asked = shown(await harness.under_more(ana, "close:1:0:open"))
    assert "**Close table 1?**\nAt the table: Ana and Ben." in asked.text
    assert can_press(harness.table(), "Join")
    assert "Only the host" in private_text(
        await ben.press_old("g4:close:1:0:lobby", shown(await ben.slash(harness.channel, "gang help")))
    )
    await ana.click(asked, "Yes, close it")
    assert asked.text == "Table 1 is closed."
    await ana.until(lambda: "Closed by Ana." in harness.table().text)
    assert harness.table().buttons == []


async def test_a_question_from_the_lobby_closes_no_match(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    await harness.open_table(ana, seats=3)
    await harness.seat([ben], 1)
    asked = shown(await harness.under_more(ana, "close:1:0:open"))
    await harness.start_match()
    assert "The table has moved on, so nothing was done." in private_text(await ana.click(asked, "Yes, close it"))
    assert "Hand 1" in harness.table().text


async def test_an_older_menu_takes_consent_back_and_never_gives_it(harness: AppHarness) -> None:
    await harness.begin_match(2, ai_players=1)
    ana, ben, *_ = harness.people
    one = shown(await ana.click(harness.table(), "More"))
    await ana.click(one, "Ask to end the match")
    other = shown(await ana.click(harness.table(), "More"))
    await ana.click(other, "Keep playing")
    await ben.click(shown(await ben.click(harness.table(), "More")), "Ask to end the match")
    await ana.click(one, "Keep playing")
    assert can_press(one, "Ask to end the match")
    assert "agreed to end" not in harness.table().text


async def test_a_host_asks_the_others_and_the_match_ends_with_their_consent(harness: AppHarness) -> None:
    await harness.begin_match(2, ai_players=1)
    ana, ben, *_ = harness.people
    asked = shown(await harness.under_more(ana, "close:1:0:open"))
    assert "At the table: Ana, Ben, and 🤖 Jade.\nPoints so far: Ana 0, Ben 0, and 🤖 Jade 0." in asked.text
    assert "The match ends when these players agree, too: Ben." in asked.text
    await ana.click(asked, "Yes, ask the others")
    assert "You have asked to end the match at table 1." in asked.text
    await ben.until(lambda: "Want to end the match: Ana." in harness.table().text)
    more = shown(await ben.click(harness.table(), "More"))
    await ben.click(more, custom_id=next(b.custom_id for b in more.buttons if ":end:" in (b.custom_id or "")))
    await ben.until(lambda: "The players agreed to end the match." in harness.table().text)
    await ben.click(harness.table(), "Rematch")
    await ben.until(lambda: "table 2" in harness.table().text)


async def test_the_last_player_reads_that_those_who_conceded_lose(harness: AppHarness) -> None:
    await harness.begin_match(3)
    ana, *others = harness.people[:3]
    for person in others:
        asked = shown(await harness.under_more(person, "leave-match:1:0"))
        await person.click(asked, "Yes, concede")
    asked = shown(await harness.under_more(ana, "close:1:0:open"))
    assert "The match ends at once. If it's rated, players who have left it come last." in asked.text


async def test_a_manager_ends_a_match_at_once_and_the_channel_shows_who_did(harness: AppHarness) -> None:
    await harness.begin_match(2, ai_players=1)
    ana, *_ = harness.people
    more = shown(await harness.manager.click(harness.table(harness.manager), "More"))
    asked = shown(await harness.manager.click(more, "Close the table…"))
    assert "Points so far" in asked.text
    await harness.manager.click(asked, "Yes, close it")
    await ana.until(lambda: f"Closed by {harness.manager.mention}." in harness.table().text)
    assert can_press(harness.table(), "Rematch")
    assert harness.manager.pings == []


async def test_a_manager_closes_a_table_that_they_do_not_see_and_is_shown_its_number_only(harness: AppHarness) -> None:
    await harness.begin_match(2, ai_players=1)
    harness.channel.deny(harness.manager, Permission.VIEW_CHANNEL)
    office = harness.guild.channel("office")
    asked = shown(await harness.closing(office, 1))
    assert asked.text == ("**Close table 1?**\nIt is in a channel that you can't see, so nothing else is shown.")
    assert "no such table" in private_text(await harness.closing(office, 2))
    dan = harness.people[3]
    assert "no such table" in private_text(await harness.under_more(dan, "close:2:0:open", office))
    assert "Only people who manage" in private_text(await harness.under_more(dan, "close:0:0:begin", office))
    await harness.manager.click(asked, "Yes, close it")
    assert asked.text == "Table 1 is closed."
    await harness.people[0].until(lambda: "Closed by" in harness.table().text)


async def test_more_offers_what_each_may_do_at_the_table(harness: AppHarness) -> None:
    ana, ben, cleo, _ = harness.people

    async def offered(person: Person) -> set[str]:
        more = shown(await harness.under_more(person, f"{menu}:1:0"))
        return {button.label for button in more.buttons} & {"Post the table again", *LEAVING, CLOSING}

    menu = "options"
    await harness.open_table(ana, seats=3)
    await harness.press(ben, "Join")
    before = [await offered(person) for person in (ana, ben, cleo, harness.manager)]
    assert "The match has not started yet." in shown(await ana.slash(harness.channel, "gang hand")).text
    await harness.seat([], ai_players=1)
    await harness.start_match()
    menu = "more"
    after = [await offered(person) for person in (ana, ben, cleo, harness.manager)]
    again = "Post the table again"
    for found, leave in zip((before, after), LEAVING, strict=True):
        assert found == [{again, leave, CLOSING}, {again, leave}, {again}, {again, CLOSING}]
