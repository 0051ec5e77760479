"""A match begins with one tap: against AI players, or by filling the free seats of a lobby."""

from playground.client.screen import Reply, SeenMessage
from playground.world.permissions import Permission
from tests.end_to_end.app_harness import AppHarness, can_press
from tests.end_to_end.inspection import private_text, shown

PLAY_AI = "Play against AI"


async def _plays(harness: AppHarness, reply: Reply) -> SeenMessage:
    """The hand after a start: the private answer becomes it."""
    hand = reply.message
    assert hand is not None
    await harness.people[0].until(lambda: "your hand" in hand.text)
    return hand


async def _end(harness: AppHarness, number: int) -> None:
    """End Ana's match."""
    ana = harness.people[0]
    await ana.click(shown(await harness.under_more(ana, f"close:{number}:0:open")), "Yes, close it")


def _tables(harness: AppHarness) -> list[SeenMessage]:
    return [message for message in harness.messages(harness.people[0]) if message.text.startswith("### Gang of Four")]


async def test_an_empty_list_offers_a_match_against_ai_players_with_one_tap(harness: AppHarness) -> None:
    ana = harness.people[0]
    for number, command in enumerate(("gang list", "gang turns", "gang history", "gang leaderboard"), 1):
        empty = shown(await ana.slash(harness.channel, command))
        hand = await _plays(harness, await ana.click(empty, PLAY_AI))
        assert f"Table {number}" in hand.text
        await _end(harness, number)


async def test_no_button_opens_a_table_where_its_user_cannot_write(harness: AppHarness) -> None:
    ana = harness.people[0]
    panel = shown(await ana.slash(harness.channel, "gang help"))
    harness.channel.deny(ana, Permission.SEND_MESSAGES)
    for reply in (await ana.click(panel, "Open a table"), await ana.slash(harness.channel, "gang new")):
        assert f"You can't write in <#{harness.channel.id}>" in private_text(reply)
    hand = await _plays(harness, await ana.click(panel, PLAY_AI))  # nobody else sees it
    more = shown(await ana.click(hand, "More"))
    assert f"You can't write in <#{harness.channel.id}>" in private_text(await ana.click(more, "Show in the channel"))
    assert _tables(harness) == []


async def test_a_command_opens_a_table_that_starts_at_once(harness: AppHarness) -> None:
    ana = harness.people[0]
    reply = await ana.slash(harness.channel, "gang new", seats=3, rated=False, with_ai=True)
    assert "Table 1" in (await _plays(harness, reply)).text


async def test_a_newcomer_who_starts_with_one_tap_is_welcomed_until_the_first_move(harness: AppHarness) -> None:
    ana = harness.people[0]
    panel = shown(await ana.slash(harness.channel, "gang help"))
    hand = await _plays(harness, await ana.click(panel, PLAY_AI))
    assert hand.id == panel.id
    await ana.until(lambda: can_press(hand, "Lowest play") or can_press(hand, "Pass"))
    assert "👋 Welcome!" in hand.text
    assert "`/gang tutorial`" in hand.text
    if can_press(hand, "Lowest play"):
        await ana.click(hand, "Lowest play")
        assert "👋 Welcome!" in hand.text  # so that nothing moves
    await ana.click(hand, "Play" if can_press(hand, "Play") else "Pass")
    assert "👋 Welcome!" not in hand.text
    await _end(harness, 1)
    again = shown(await ana.slash(harness.channel, "gang help"))
    assert "👋 Welcome!" not in (await _plays(harness, await ana.click(again, PLAY_AI))).text


async def test_a_lobby_is_filled_and_started_by_its_host(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    await harness.open_table(ana)
    await harness.press(ben, "Join")
    assert "Only the host" in private_text(await ben.click(harness.table(), "Fill with AI and start"))
    hand = private_text(await ana.click(harness.table(), "Fill with AI and start"))
    assert "Table 1 · your hand" in hand
    await ana.until(lambda: "Hand 1" in harness.table().text)
