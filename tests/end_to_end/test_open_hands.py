"""Open hands on a slow network: a refresh that is under way never undoes what a person has just selected."""

from functools import partial
from pathlib import Path

import pytest

from bot.engine.cards import DRAGON
from bot.presentation.table.selection import decode, encode
from playground.client.screen import SeenMessage
from tests.end_to_end.app_harness import AppHarness, Player, cards, play_until, running_app
from tests.end_to_end.inspection import shown
from tests.not_none import not_none

EDIT_OF_A_HAND = "PATCH", "/webhooks/*"


async def select_during_a_refresh(harness: AppHarness, seconds: float) -> Player:
    """Let one of three players move, and another one select a card while their hands are refreshed that slowly."""
    players = await harness.begin_match(3)
    for player in players:
        await player.open()
    (mover,) = await players[0].person.until(lambda: [each for each in players if each.must_act()])
    waiting = next(each for each in players if each is not mover)
    assert waiting.panel
    harness.world.faults.next(*EDIT_OF_A_HAND, status="slow", seconds=seconds, times=2)
    await mover.act()
    await waiting.person.until(lambda: harness.world.faults.held == 2)
    await waiting.person.click(waiting.panel, custom_id=cards(waiting.panel)[0])
    return waiting


def has_selected(player: Player) -> bool:
    """True if the player's panel shows a selection."""
    assert player.panel
    return any(button.label.startswith("✓") for button in player.panel.buttons)


async def test_a_selection_survives_a_refresh_that_is_under_way(harness: AppHarness) -> None:
    player = await select_during_a_refresh(harness, 0.3)

    def is_over() -> bool:
        assert has_selected(player)
        return harness.world.faults.held == 0

    await player.person.until(is_over)


async def test_a_refresh_that_takes_longer_than_an_answer_can_wait_is_not_seen_last(harness: AppHarness) -> None:
    player = await select_during_a_refresh(harness, 1.0)
    await player.person.until(lambda: harness.world.faults.held == 0)
    await player.person.until(lambda: has_selected(player))


async def test_a_refresh_without_an_answer_is_made_again(tmp_path: Path) -> None:
    constants = {"bot.presentation.channel.refresh_queue.TIMEOUT": 0.5}
    async with running_app(tmp_path, constants) as harness:
        players = await harness.begin_match(3)
        for player in players:
            await player.open()
        (mover,) = await players[0].person.until(lambda: [each for each in players if each.must_act()])
        before = [not_none(player.panel).text for player in players]
        harness.world.faults.next(*EDIT_OF_A_HAND, status="slow", seconds=20, times=2)
        await mover.act()
        for player, text in zip(players, before, strict=True):
            await player.person.until(partial(_differs, player, text))


def _differs(player: Player, text: str) -> bool:
    return not_none(player.panel).text != text


@pytest.mark.parametrize("route", [EDIT_OF_A_HAND, ("POST", "/interactions/*")], ids=["refreshes", "answers"])
async def test_people_play_while_requests_take_a_third_of_a_second(harness: AppHarness, route: tuple[str, str]) -> None:
    players = await harness.begin_match(3)
    harness.world.faults.next(*route, status="slow", seconds=0.3, times=10_000)
    await play_until(harness, players, lambda: all(player.moves > 1 for player in players))


async def test_a_hand_that_never_appeared_is_opened_again(harness: AppHarness) -> None:
    (player,) = await harness.begin_match(1, ai_players=2)
    ana = player.person
    ana.scrolled_up = True
    await ana.slash(harness.channel, "gang hand")
    ana.scrolled_up = False
    assert not any("your hand" in each.text for each in ana.sees(harness.channel))
    await player.open()
    assert any("your hand" in each.text for each in ana.sees(harness.channel))


def colors(panel: SeenMessage) -> list[int]:
    """The colors of the cards in a hand, in their order."""
    return [decode(custom_id.rsplit(":", 2)[1])[0].color for custom_id in cards(panel)]


async def test_the_order_of_cards_is_remembered(harness: AppHarness) -> None:
    ana = harness.people[0]
    await harness.begin_match(3)
    panel = await harness.open_hand(ana)
    assert colors(panel) != sorted(colors(panel))
    more = shown(await ana.click(panel, "More"))
    await ana.click(more, "Sort by color")
    await ana.until(lambda: colors(panel) == sorted(colors(panel)))
    assert any(button.label == "Sort by number" for button in more.buttons)
    later = await harness.open_hand(ana)
    assert colors(later) == sorted(colors(later))
    settings = shown(await ana.slash(harness.channel, "gang settings"))
    await ana.click(settings, "Sort by number")
    later = await harness.open_hand(ana)
    assert colors(later) != sorted(colors(later))


async def test_a_welcome_stays_while_cards_are_selected(harness: AppHarness) -> None:
    ana = harness.people[0]
    await harness.begin_match(3)
    panel = await harness.open_hand(ana)
    before = panel.text
    await ana.click(panel, custom_id=cards(panel)[0])
    assert len(panel.text.splitlines()) == len(before.splitlines())
    assert panel.text.splitlines()[-1] == before.splitlines()[-1]


async def test_an_older_button_selects_the_lowest_play_of_this_turn(harness: AppHarness) -> None:
    players = await harness.begin_match(3)
    for player in players:
        await player.open()
    (mover,) = await players[0].person.until(lambda: [each for each in players if each.must_act()])
    ana, panel = mover.person, not_none(mover.panel)
    await ana.click(panel, "Lowest play")
    lowest = panel.text
    await ana.press_old(f"g4:lowest:1:0:n:{encode((DRAGON,))}:a", panel)
    assert panel.text == lowest
