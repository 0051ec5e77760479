"""Private panels that their owner posts in the channel."""

from playground.client.screen import SeenMessage
from playground.world.permissions import Permission
from tests.end_to_end.app_harness import AppHarness, can_press
from tests.end_to_end.inspection import private, private_text
from tests.end_to_end.test_daily import played_daily_hand
from tests.end_to_end.test_profile import played_match

REFUSED = "You can't write in this channel"


def _posts(harness: AppHarness) -> list[SeenMessage]:
    return [message for message in harness.people[1].sees(harness.channel) if "Posted by Ana" in message.text]


async def test_the_end_of_a_daily_hand_has_the_result_and_can_be_posted(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    over = await played_daily_hand(harness, ana)
    await ana.until(lambda: "place 1 of 1 here · 1 day in a row" in over.text)
    assert "🏆 Won · 0 points" in over.text or "Not won · " in over.text
    leaderboard = private(await ana.click(over, "The day's leaderboard"))
    harness.channel.deny(ana, Permission.SEND_MESSAGES)
    assert REFUSED in private_text(await ana.click(leaderboard, "Post here"))
    assert _posts(harness) == []

    harness.channel.allow(ana, Permission.SEND_MESSAGES)
    await ana.click(leaderboard, "Post here")
    (post,) = await ben.until(lambda: _posts(harness))
    assert "place 1 of 1 here · 1 day in a row" in post.text
    assert post.buttons == []
    post_here = leaderboard.buttons[0].custom_id
    assert post_here is not None
    assert "This button doesn't work any more." in private_text(await ben.press_old(post_here, leaderboard))


async def test_a_profile_a_chart_and_a_hand_are_posted_by_their_reader(harness: AppHarness) -> None:
    ana, ben, cleo, _ = harness.people
    await played_match(harness, [ana, ben, cleo], target=1)
    panel = private(await ana.slash(harness.channel, "gang profile"))
    await ana.click(panel, "Post here")
    assert not can_press(private(await ana.slash(harness.channel, "gang profile", person=ben)), "Post here")
    await ana.click(panel, "All figures")
    chart = private(await ana.click(panel, "Penalty points per hand"))
    await ana.until(lambda: can_press(chart, "Post here"))
    await ana.click(chart, "Post here")
    past = private(await ana.slash(harness.channel, "gang history", number=1))
    await ana.click(past, "Post here")
    await ben.until(lambda: len(_posts(harness)) == 3)
    profile, penalties, hand = _posts(harness)
    assert profile.text.startswith("### Ana\n")
    assert ": 1 hand" in penalties.text
    assert "Table 1 · hand 1" in hand.text
    assert "wins the hand" in hand.text
    assert private(await ben.click(hand, "Move by move")).text.startswith("### Table 1 · hand 1")

    harness.channel.deny(ana, Permission.SEND_MESSAGES)
    silent = private(await ana.slash(harness.channel, "gang profile"))
    await ana.click(silent, "All figures")
    bars = private(await ana.click(silent, "Penalty points per hand"))
    await ana.until(lambda: "1 hand" in bars.text)
    for shown in (silent, bars, private(await ana.slash(harness.channel, "gang history", number=1))):
        assert not can_press(shown, "Post here")
        assert "Post here" not in [option.label for menu in shown.selects for option in menu.options]
