"""Cards as uploaded emoji, and score sheets and replays as pictures: drawn, sent and described."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.engine.cards import ALL_CARDS
from playground import components
from playground.client.screen import SeenMessage
from playground.world.permissions import Permission
from tests.end_to_end.app_harness import AppHarness, Player, play_to_the_end, play_until, running_app
from tests.end_to_end.inspection import choose, private_text, shown, wait_for_log

GALLERY = 12
HOUR = 60 * 60 * 1000


@pytest.fixture
async def harness(tmp_path: Path) -> AsyncIterator[AppHarness]:
    async with running_app(tmp_path, PICTURES="true") as harness:
        await harness.people[0].until(lambda: len(harness.world.emojis) == len(ALL_CARDS))
        yield harness


def _pictures(message: SeenMessage) -> list[dict[str, object]]:
    """The pictures of a message, as Discord shows them."""
    parts = components.flatten(message.raw["components"])
    return [item for part in parts if part["type"] == GALLERY for item in part["items"]]


def _reports(harness: AppHarness) -> list[SeenMessage]:
    return [
        message
        for message in harness.people[0].sees(harness.channel)
        if re.match(r"### Table 1 · hand \d+ is over", message.text)
    ]


async def test_cards_are_emoji_with_names_unless_a_user_chooses_text(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    names = {emoji.name for emoji in harness.world.emojis.values()}
    spoken = {name.rpartition("_")[0] for name in names}
    assert spoken >= {"green_7", "multicolored_1", "yellow_phoenix", "dragon"}
    await harness.begin_match(2, ai_players=1)
    hand = await harness.open_hand(ana)
    pictured = [button for button in hand.buttons if button.emoji and button.emoji.get("name") in names]
    assert len(pictured) == 16
    assert all(button.label for button in pictured)
    assert {button.emoji["id"] for button in pictured if button.emoji} <= {
        str(number) for number in harness.world.emojis
    }

    panel = shown(await ben.slash(harness.channel, "gang settings"))
    await ben.select(panel, "text", custom_id=panel.selects[3].custom_id)
    hand = await harness.open_hand(ben)
    assert not [button for button in hand.buttons if button.emoji and button.emoji.get("name") in names]


async def test_a_server_shows_cards_as_text_in_its_public_messages(harness: AppHarness) -> None:
    ana, manager = harness.people[0], harness.manager
    await harness.begin_match(1, ai_players=2)
    await play_until(
        harness, [Player(harness, ana)], lambda: "<:" in harness.table().text
    )  # the first player may be Ana
    settings = await harness.server_settings()
    await manager.select(settings, "text", custom_id="g4:publiccards:0:0")
    await ana.until(lambda: "<:" not in harness.table().text)
    assert any(button.emoji and button.emoji.get("id") for button in (await harness.open_hand(ana)).buttons)
    await manager.click(settings, "Changes")
    assert "cards as text: off → on" in settings.text


async def test_new_drawings_replace_the_old_ones_a_day_later_and_nothing_else(harness: AppHarness) -> None:
    current = set(_names(harness))
    for emoji in harness.world.emojis.values():
        emoji.name = f"{emoji.name.rpartition('_')[0]}_b"
    others = ["our_mascot", "green_7_large", "cards_left"]
    for number, name in enumerate(others, 1):
        harness.world.emojis[number] = type(emoji)(number, name, emoji.image, emoji.content_type)
    old = set(_names(harness))
    await harness.stop_app()
    harness.constants["bot.services.chores.INTERVAL"] = 0.1
    await harness.start_app()
    await harness.people[0].until(lambda: set(_names(harness)) == {*current, *old})
    harness.advance_clock_to(harness.now() + 23 * HOUR)
    await harness.begin_match(1, ai_players=2)  # the chores run meanwhile
    assert set(_names(harness)) == {*current, *old}
    ids = {number for number, emoji in harness.world.emojis.items() if emoji.name in current or emoji.name in others}
    harness.advance_clock_to(harness.now() + HOUR)
    await harness.people[0].until(lambda: set(harness.world.emojis) == ids)
    assert set(_names(harness)) == {*current, *others}


async def test_an_unknown_emoji_costs_nobody_their_hand(harness: AppHarness) -> None:
    ana = harness.people[0]
    (player,) = await harness.begin_match(1, ai_players=2)
    before = set(harness.world.emojis)
    harness.world.emojis.clear()
    hand = await harness.open_hand(ana)
    assert not any(button.emoji and button.emoji.get("id") for button in hand.buttons)
    assert "<:" not in hand.text

    await ana.until(lambda: len(harness.world.emojis) == len(ALL_CARDS))  # uploaded again
    assert before.isdisjoint(harness.world.emojis)
    await play_until(harness, [player], lambda: "## <:" in harness.table().text)
    hand = await harness.open_hand(ana)
    assert any(button.emoji and button.emoji.get("id") for button in hand.buttons)


async def test_emoji_refused_at_random_delay_nothing(harness: AppHarness) -> None:
    harness.world.emoji_refusals = 0.5
    uploaded = set(harness.world.emojis)
    await play_to_the_end(harness, await harness.begin_match(2, ai_players=1, target=1))
    assert set(harness.world.emojis) == uploaded
    assert any("COMPONENT_INVALID_EMOJI" in refusal for refusal in harness.world.refusals)


def _names(harness: AppHarness) -> list[str]:
    return [emoji.name for emoji in harness.world.emojis.values()]


async def test_a_match_is_shown_in_pictures_with_alternative_texts(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    await play_to_the_end(harness, await harness.begin_match(3, target=12))
    (report,) = _reports(harness)
    await ana.until(lambda: _pictures(report), timeout=60)  # they may come after the text
    result = shown(await ben.click(report, "Score sheet"))
    await ben.until(lambda: _pictures(result))
    sheet, ending = _pictures(result)
    assert "is over" in str(sheet["description"])
    assert "Totals: " in str(sheet["description"])
    assert "The match is over." in str(ending["description"])
    assert [each["description"] for each in _pictures(report)] == [ending["description"]]

    past = shown(await ben.click(shown(await ben.click(report, "All hands")), "Move by move"))
    assert past.ephemeral
    assert ana.name in past.text
    still = shown(await choose(ben, past, "As a picture"))
    await ben.until(lambda: _pictures(still))
    assert "wins the hand. " in str(_pictures(still)[0]["description"])
    moving = shown(await choose(ben, past, "▶ As a moving picture"))
    await ben.until(lambda: _pictures(moving))
    assert "wins the hand. " in str(_pictures(moving)[0]["description"])

    page = shown(await ben.slash(harness.channel, "gang rules"))
    chart = shown(await ben.click(page, "As a picture"))
    await ben.until(lambda: _pictures(chart))
    assert "Any gang beats everything." in str(_pictures(chart)[0]["description"])


async def test_pictures_after_a_hand_are_behind_a_button(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    await harness.begin_match(1, ai_players=2, target=1000)
    await play_until(harness, [Player(harness, ana)], lambda: len(_reports(harness)) > 0)
    (report,) = _reports(harness)
    result = shown(await ben.click(report, "Score sheet"))
    assert result.ephemeral
    await ben.until(lambda: _pictures(result))
    _, following = _pictures(result)
    assert "For the next hand," in str(following["description"])
    assert _pictures(report) == []


async def test_without_permission_for_files_everything_is_shown_in_text(harness: AppHarness) -> None:
    harness.channel.deny(harness.world.bot, Permission.ATTACH_FILES)
    ana = harness.people[0]
    await harness.begin_match(1, ai_players=2, target=1000)
    await play_until(harness, [Player(harness, ana)], lambda: len(_reports(harness)) > 0)
    assert _pictures(_reports(harness)[0]) == []
    assert "Totals: " in _reports(harness)[0].text
    assert "the hands as dealt" in private_text(await ana.click(_reports(harness)[0], "All hands"))


async def test_the_log_says_once_if_names_in_hebrew_would_be_drawn_backwards(tmp_path: Path) -> None:
    complete, incomplete = tmp_path / "complete", tmp_path / "incomplete"
    async with running_app(complete, PICTURES="true") as harness:
        await harness.people[0].until(lambda: len(harness.world.emojis) == len(ALL_CARDS))
        assert "libfribidi0" not in harness.log.read_text()
    missing = {"bot.pictures.render_worker.SHAPING": ("raqm", "no such part")}
    async with running_app(incomplete, missing, PICTURES="true") as harness:
        await harness.people[0].until(lambda: len(harness.world.emojis) == len(ALL_CARDS))
        assert (await wait_for_log(harness, "libfribidi0")).count("libfribidi0") == 1


async def test_a_table_gets_the_emoji_as_soon_as_they_are_uploaded(tmp_path: Path) -> None:
    async with running_app(tmp_path, PICTURES="true") as harness:
        (player,) = await harness.begin_match(1, ai_players=2)
        await play_until(harness, [player], lambda: "## <:" in harness.table().text)
