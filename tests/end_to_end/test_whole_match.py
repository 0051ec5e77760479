"""Whole matches, played with buttons."""

import re
from pathlib import Path

from bot.engine.cards import is_gang
from bot.engine.events import Played
from bot.presentation.text.cards import gang_name
from playground.client.person import Person
from playground.client.screen import SeenMessage
from tests.end_to_end.app_harness import AppHarness, Player, play_to_the_end, play_until, running_app
from tests.end_to_end.inspection import private_text, record_of, shown
from tests.end_to_end.low_gangs import ONE, ONES, low_gangs
from tests.end_to_end.page_client import app_with_page


async def test_four_people_play_a_match_to_the_end_and_the_leaderboard_shows_it(any_harness: AppHarness) -> None:
    harness = any_harness
    ana, *others = harness.people
    players = await harness.begin_match(4, target=12)

    await play_to_the_end(harness, players)

    over = harness.table().text
    assert all(person.name in over for person in harness.people)
    more = shown(await ana.click(harness.table(), "More"))
    assert "Seed of the deals" in private_text(await ana.click(more, "Fair deal"))
    reports = [message for message in ana.sees(harness.channel) if re.search(r"hand \d+ is over", message.text)]
    assert reports
    hands = shown(await others[0].click(reports[0], "All hands"))
    assert hands.ephemeral
    assert all(person.name in hands.text for person in harness.people)
    assert hands.text.count("🟢") + hands.text.count("🟡") + hands.text.count("🔴") > 50
    reply = await others[0].slash(harness.channel, "gang leaderboard")
    assert reply.message is not None
    lines = [line for line in reply.message.text.splitlines() if "1 match" in line]
    assert len(lines) == 4
    assert sum("1 win" in line for line in lines) >= 1
    assert "(you)" in reply.message.text
    await ana.until(lambda: harness.notices() == [])


async def test_gangs_are_celebrated_unless_the_server_turns_it_off(harness: AppHarness) -> None:
    ana = harness.people[0]

    def gangs() -> list[Played]:
        return [
            line.event for line in record_of(harness) if isinstance(line.event, Played) and is_gang(line.event.cards)
        ]

    texts: dict[int, str] = {}

    def celebrated() -> dict[int, str]:
        """All celebrations seen until now. They are gone after the hand."""
        seen = [message for message in ana.sees(harness.channel) if message.text.startswith("## 🎉")]
        assert len(seen) <= 1
        texts.update({message.id: message.text for message in seen})
        return texts

    begun = await harness.begin_match(4, target=1000)
    players = [Player(harness, player.person, likes_gangs=True) for player in begun]
    await play_until(harness, players, lambda: len(celebrated()) > 0)
    for text in celebrated().values():
        facts = [(f"{gang_name(len(each.cards))}!", harness.people[each.seat].name) for each in gangs()]
        assert any(gang in text and name in text for gang, name in facts)

    panel = await harness.server_settings()
    await harness.manager.select(panel, "off", custom_id=panel.selects[1].custom_id)
    posts, laid_before = len(celebrated()), len(gangs())
    await play_until(harness, players, lambda: bool(celebrated()) and len(gangs()) > laid_before + 1)
    assert len(celebrated()) <= posts + 1  # one may have been in progress
    assert "This server…" not in [button.label for button in (await _settings(harness, ana)).buttons]


async def test_a_gang_that_is_taken_back_is_celebrated_no_longer(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site), low_gangs(harness, site, rated=False) as match:
        ana = harness.people[0]

        def celebrated() -> int:
            return sum(message.text.startswith("## 🎉") for message in ana.sees(harness.channel))

        await match.play(ONE)
        for place in (1, 2, 3):
            await match.pass_turn(place)
        for _ in range(2):
            await match.play(ONES)
            await ana.until(lambda: celebrated() == 1)
            page = match.pages[0]
            await page.do("undo", table=1, moment=page.table["moment"])
            await ana.until(lambda: celebrated() == 0)
            await page.until(page.must_act)


async def test_a_server_can_celebrate_the_gangs_of_ai_players(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    panel = await harness.server_settings()
    await harness.manager.select(panel, "all", custom_id=panel.selects[1].custom_id)
    await harness.begin_match(2, ai_players=2, target=1000)

    def by_ai() -> bool:
        texts = (message.text for message in ana.sees(harness.channel))
        return any(text.startswith("## 🎉") and "🤖" in text for text in texts)

    await play_until(harness, [Player(harness, ana), Player(harness, ben)], by_ai)


async def _settings(harness: AppHarness, person: Person) -> SeenMessage:
    return shown(await person.slash(harness.channel, "gang settings"))


async def test_a_match_within_discords_rate_limits(tmp_path: Path) -> None:
    """People play faster than the channel may be edited: it shows the latest state, and nobody waits."""
    async with running_app(tmp_path, rate_limits="real") as harness:
        ana, *_ = harness.people
        players = await harness.begin_match(3, target=1)
        await play_to_the_end(harness, players)

        posts = [seen for seen in harness.world.requests if seen.method == "POST" and seen.route.endswith("/messages")]
        assert len(posts) < sum(player.moves for player in players)
        assert [seen for seen in harness.world.requests if seen.status == 429] == []
        await ana.until(lambda: harness.notices() == [])
