"""Profiles, comparisons of two players, titles and charts, as users see them."""

import asyncio
import re
from functools import partial
from pathlib import Path

from playground import components
from playground.client.person import Person
from playground.client.screen import SeenMessage
from tests.end_to_end.app_harness import AppHarness, Player, can_press, play_to_the_end, running_app
from tests.end_to_end.inspection import app_database, private, private_text

GALLERY = 12
RATED_AT_ONCE = {"bot.table.model.MIN_RATED_TARGET": 1}
TITLES = "### 🏅 New titles"


def _alts(message: SeenMessage) -> list[str]:
    """The alternative texts of a message's pictures."""
    parts = components.flatten(message.raw["components"])
    return [item["description"] for part in parts if part["type"] == GALLERY for item in part["items"]]


async def played_match(harness: AppHarness, people: list[Person], target: int) -> None:
    await harness.open_table(people[0], seats=3, target=target)
    await harness.seat(people[1:])
    await harness.start_match()
    await play_to_the_end(harness, [Player(harness, person) for person in people])
    await people[0].until(lambda: harness.notices() == [])


def _title_messages(harness: AppHarness) -> list[SeenMessage]:
    """The messages about titles in the channel."""
    return [message for message in harness.people[0].sees(harness.channel) if message.text.startswith(TITLES)]


def _hide(harness: AppHarness, person: Person) -> None:
    with app_database(harness) as connection:
        connection.execute("UPDATE users SET hidden = 1 WHERE user_id = ?", (person.id,))


async def test_figures_titles_and_charts_of_a_match(tmp_path: Path) -> None:
    async with running_app(tmp_path, constants=RATED_AT_ONCE, PICTURES="true") as harness:
        ana, ben, cleo, dan = harness.people
        nothing = "**Ben** has not finished a match here yet."
        assert private_text(await ana.slash(harness.channel, "gang profile", person=ben)) == nothing
        assert "No finished match together in this server yet" in private_text(
            await ana.slash(harness.channel, "gang profile", against=ben)
        )

        await played_match(harness, [ana, ben, cleo], target=12)
        panel = private(await ana.slash(harness.channel, "gang profile"))
        assert panel.text.startswith("### Ana (you)")
        with app_database(harness) as connection:
            of_ana = "SELECT count(*), sum(won), sum(gangs) FROM hand_players WHERE user_id = ?"
            hands, won, gangs = connection.execute(of_ana, (ana.id,)).fetchone()
        assert re.search(rf"points per hand, in {hands} hands?", panel.text)
        assert "provisional after 1 rated match" in panel.text
        await ana.click(panel, "All figures")
        assert f"{won} hand{'' if won == 1 else 's'} won" in panel.text
        assert f"{gangs} gang{'' if gangs == 1 else 's'} played" in panel.text
        assert ("Nemesis: " in panel.text) == (won < hands)

        await harness.kill_app()
        await harness.start_app()
        await ana.click(panel, "Titles")
        assert panel.text.count("🏅") == 8
        with app_database(harness) as connection:
            (titles,) = connection.execute("SELECT count(*) FROM titles").fetchone()
        assert panel.text.count("nobody yet") == 8 - titles
        await ana.click(panel, "◀ Back")
        assert panel.text.startswith("### Ana (you)")
        await ana.click(panel, "All figures")
        await _charts(harness, ana, panel, hands)

        other = private(await dan.slash(harness.channel, "gang profile", person=ana))
        assert other.text.startswith("### Ana\n")
        assert not can_press(other, "Against me")
        versus = private(await ben.slash(harness.channel, "gang profile", against=ana))
        assert versus.text.startswith("### Ben – Ana\nFinished together: 1 match")
        assert versus.text.count(f"in {hands} hand{'' if hands == 1 else 's'}") == 2
        assert versus.text == private(await dan.slash(harness.channel, "gang profile", person=ben, against=ana)).text
        assert "two different people" in private_text(await ana.slash(harness.channel, "gang profile", against=ana))
        own = private(await ana.slash(harness.channel, "gang profile"))
        assert private(await ana.click(own, "Head to head")).text.startswith("### Ana – ")


async def _charts(harness: AppHarness, ana: Person, panel: SeenMessage, hands: int) -> None:
    """Each has a picture, an alternative text and a table with the same facts."""
    for label, alt, line in (
        ("Rating over time", "Ana: Rating over time", r"^1\\\. \d+, likely \d+ to \d+$"),
        ("Penalty points per hand", "Ana: Penalty points per hand", r"^\d+ points?: \d+ hands?$"),
        ("Who beats whom", "Who beats whom", r"^\w+ \d : \d \w+ \(\d+%\)$"),
    ):
        chart = private(await ana.click(panel, label))
        await ana.until(partial(_alts, chart))
        assert _alts(chart)[0].startswith(f"{alt}. ")
        assert re.search(line, chart.text, re.MULTILINE)
    more = private(await ana.click(harness.table(), "More"))
    totals = private(await ana.click(more, "Totals per hand"))
    await ana.until(lambda: _alts(totals))
    assert _alts(totals)[0].startswith("Table 1: the totals hand by hand. Totals: ")
    assert f"\nHand {hands}: " in totals.text


async def test_hidden_users_are_shown_to_themselves_only(harness: AppHarness) -> None:
    ana, ben, cleo, _ = harness.people
    await played_match(harness, [ana, ben, cleo], target=1)
    panel = private(await ben.slash(harness.channel, "gang profile", person=ana))
    first = private(await ben.slash(harness.channel, "gang profile", person=ana))
    await ben.click(panel, "All figures")
    settings = private(await ana.slash(harness.channel, "gang settings"))
    await ana.select(settings, "text", custom_id=settings.selects[3].custom_id)
    _hide(harness, ana)
    refused = "This player hides their stats."
    assert private_text(await ben.slash(harness.channel, "gang profile", person=ana)) == refused
    assert private_text(await ben.slash(harness.channel, "gang profile", against=ana)) == refused
    for label in ("Rating over time", "Penalty points per hand"):
        assert private_text(await ben.click(panel, label)) == refused
    assert private_text(await ben.click(first, "Against me")) == refused
    assert "Ana" not in private_text(await ben.click(panel, "Who beats whom"))
    assert private(await ana.slash(harness.channel, "gang profile")).text.startswith("### Ana (you)")


def _give_title_stats(harness: AppHarness, person: Person) -> None:
    """Store statistics that win a person a title after the next match."""
    with app_database(harness) as connection:
        columns = ("blocked", "forgot", "gifts", "given", "hardest", "comebacks", "streak", "longest")
        zeros = ", ".join("0" for _ in columns)
        insert = f"INSERT INTO title_stats (guild_id, user_id, gangs, beaten, {', '.join(columns)})"
        connection.execute(f"{insert} VALUES (?, ?, 99, 0, {zeros})", (harness.guild.id, person.id))


def _forget_what_was_told(harness: AppHarness) -> None:
    """Reset the display, as if the app had crashed before it stored that the titles were announced."""
    with app_database(harness) as connection:
        connection.execute("UPDATE tables SET announced_titles = 0, displayed_revision = revision - 1")


async def _wait_until_announced(harness: AppHarness) -> None:
    query = "SELECT count(*) FROM tables WHERE NOT announced_titles OR displayed_revision < revision"
    async with asyncio.timeout(20):
        with app_database(harness) as connection:
            while connection.execute(query).fetchone() != (0,):  # noqa: ASYNC110  # a file can only be polled
                await asyncio.sleep(0.02)


async def test_won_titles_are_announced_once_also_after_a_crash(harness: AppHarness) -> None:
    ana, ben, cleo, _ = harness.people
    _give_title_stats(harness, ana)
    await played_match(harness, [ana, ben, cleo], target=1)
    (posted,) = _title_messages(harness)
    assert "**The Gang Crown** goes to **Ana**: " in posted.text
    assert ana.sees(harness.channel).index(posted) < ana.sees(harness.channel).index(harness.table())
    await harness.kill_app()
    _forget_what_was_told(harness)
    await harness.start_app()
    await _wait_until_announced(harness)
    assert [message.id for message in _title_messages(harness)] == [posted.id]


async def test_without_celebrations_titles_are_not_announced(harness: AppHarness) -> None:
    panel = await harness.server_settings()
    await harness.manager.select(panel, "off", custom_id=panel.selects[1].custom_id)
    ana, ben, cleo, _ = harness.people
    _give_title_stats(harness, ana)
    await played_match(harness, [ana, ben, cleo], target=1)
    await _wait_until_announced(harness)
    assert _title_messages(harness) == []
    assert "The Gang Crown" in private(await ana.slash(harness.channel, "gang profile")).text
