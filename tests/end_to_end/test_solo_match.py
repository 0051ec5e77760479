"""A match against AI players runs in a private message, until its player shows it in the channel."""

from collections.abc import Callable

from playground.client.person import Person
from playground.client.screen import SeenMessage
from tests.end_to_end.app_harness import PASS, AppHarness, Player, can_press, cards, play_on
from tests.end_to_end.inspection import menu_of, private, private_text, shown

PLAY_AI, CONTINUE, SHOW, END = (
    "Play against AI",
    "Continue my match",
    "Show in the channel",
    "End the match…",
)
NO_TABLE = "There is no such table in this server."


async def _help(harness: AppHarness, person: Person | None = None) -> SeenMessage:
    return shown(await (person or harness.people[0]).slash(harness.channel, "gang help"))


async def _begin(harness: AppHarness, target: int = 0) -> Player:
    """Let Ana begin a match from the help, perhaps with another target than the server's."""
    if target:
        panel = await harness.server_settings("New tables")
        await harness.manager.select(panel, str(target), custom_id=menu_of(panel, "default:0:0:target"))
    ana = harness.people[0]
    player = Player(harness, ana)
    player.panel = await _help(harness)
    await ana.click(player.panel, PLAY_AI)
    assert "your hand" in player.panel.text
    return player


def _posted(harness: AppHarness) -> list[SeenMessage]:
    """The public messages that another member sees."""
    return harness.messages(harness.people[1])


def _says(player: Player, text: str) -> Callable[[], bool]:
    return lambda: player.panel is not None and text in player.panel.text


async def _play_until(harness: AppHarness, player: Player, text: str) -> SeenMessage:
    """Play until the private message says something. Returns the message."""
    await play_on(harness, [player], _says(player, text))
    assert player.panel is not None
    return player.panel


async def test_a_whole_match_stays_in_the_private_message(harness: AppHarness) -> None:
    player = await _begin(harness, target=25)
    ana, panel = player.person, await _play_until(harness, player, "The match is over.")
    await ana.until(lambda: any(button.label.startswith("Share hand ") for button in panel.buttons))
    assert "## 🥇 " in panel.text
    more = shown(await ana.click(panel, "More"))
    assert {"Totals per hand", "Score sheet", "Fair deal", "Move by move"} <= {each.label for each in more.buttons}
    sheet = await ana.click(more, "Score sheet")
    await ana.until(lambda: "score sheet" in private_text(sheet))
    assert "Table 1" in private_text(await ana.slash(harness.channel, "gang history"))
    assert _posted(harness) == []

    replay = shown(await ana.press_old("g4:replay:1:0:1", panel))
    await ana.click(panel, "Rematch")
    assert "Table 2 · your hand" in panel.text
    assert _posted(harness) == []
    await ana.click(replay, "Post here")
    (hand,) = await ana.until(lambda: _posted(harness))
    assert "Table 1 · hand 1" in hand.text
    assert hand.buttons == []  # the others may not see the match


async def test_it_can_be_shown_in_the_channel_and_goes_on_there(harness: AppHarness) -> None:
    player = await _begin(harness)
    ana, panel = player.person, await _play_until(harness, player, "Totals: Ana ")
    assert "hand 1" in panel.text
    assert "Cards left: 🤖 " in panel.text
    more = shown(await ana.click(panel, "More"))
    assert "Only you see this match." in more.text
    await ana.click(more, SHOW)
    assert "is below" in more.text
    await ana.until(lambda: len(_posted(harness)) == 1)  # not the result of the first hand
    assert "Hand 2" in harness.table().text
    assert "Post the table again" in {button.label for button in shown(await ana.click(panel, "More")).buttons}
    await play_on(harness, [player], lambda: any("hand 2 is over" in message.text for message in _posted(harness)))


async def test_a_lost_message_comes_back(harness: AppHarness) -> None:
    player = await _begin(harness)
    ana = player.person
    await ana.until(player.must_act)
    assert len(cards(private(await ana.slash(harness.channel, "gang hand")))) == 16
    turns = private(await ana.slash(harness.channel, "gang turns"))
    assert "Table 1, which only you see: **it is your turn**" in turns.text
    assert len(cards(private(await ana.click(turns, "Table 1 · My hand")))) == 16

    await harness.kill_app()
    await harness.start_app()
    harness.channel.delete()
    other = harness.guild.channel("other games")
    panel = shown(await ana.slash(other, "gang help"))
    await ana.click(panel, CONTINUE)
    assert "Table 1 · your hand" in panel.text
    assert "is gone" not in panel.text
    player.panel = panel
    await _play_until(harness, player, "Totals: Ana ")
    assert not [message for message in ana.sees(other) if not message.ephemeral]


async def test_there_is_one_solo_match_at_a_time(harness: AppHarness) -> None:
    player = await _begin(harness)
    ana = player.person
    await ana.until(player.must_act)
    await player.act()
    await ana.until(player.must_act)
    practice = shown(await ana.slash(harness.channel, "gang practice"))
    await ana.click(practice, "A whole match")
    assert "Table 1 · your hand" in practice.text
    await ana.until(lambda: can_press(practice, PASS) or can_press(practice, "Lowest play"))
    assert "Your match goes on." in practice.text
    more = shown(await ana.click(practice, "More"))
    await ana.click(shown(await ana.click(more, END)), "Yes, close it")
    await ana.until(lambda: "This table is closed." in practice.text)
    panel = await _help(harness)
    await ana.click(panel, PLAY_AI)
    assert "Table 2 · your hand" in panel.text
    assert _posted(harness) == []


async def test_others_know_nothing_about_it(harness: AppHarness) -> None:
    player = await _begin(harness, target=1)
    ben = harness.people[1]
    panel = await _help(harness, ben)
    assert can_press(panel, PLAY_AI)
    for custom_id in ("hand:1:0", "more:1:0", "join:1:0", "sitin:1:0", "totals:1:0"):
        assert NO_TABLE in private_text(await ben.press_old(f"g4:{custom_id}", panel)), custom_id
    assert NO_TABLE in private_text(await ben.slash(harness.channel, "gang hand", table=1))
    assert NO_TABLE in private_text(await harness.closing(harness.channel, 1))
    for command in ("gang list", "gang turns"):
        assert "Table 1" not in private_text(await ben.slash(harness.channel, command))
    await _play_until(harness, player, "The match is over.")
    assert NO_TABLE in private_text(await ben.slash(harness.channel, "gang history", number=1))
    history = private(await ben.slash(harness.channel, "gang history"))
    assert "Table 1" not in shown(await ben.click(history, "The matches of this channel")).text
    own = private(await player.person.slash(harness.channel, "gang history"))
    assert "Table 1" in own.text
