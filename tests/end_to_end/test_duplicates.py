"""Duplicate matches: the same deals at two tables, compared in both channels at the end."""

from functools import partial

import pytest

from bot.analysis import fairness
from bot.engine.events import Dealt
from playground.client.screen import SeenMessage
from playground.world.model import Channel
from playground.world.permissions import Permission
from tests.disasters.expected_state import wait_until_recorded
from tests.end_to_end.app_harness import AppHarness, Player, play_to_the_end
from tests.end_to_end.inspection import app_database, names_of, private, private_text, record_of, shown, verify

DUPLICATE = "### Duplicate match: tables 1 and 2"


class Sides:
    """Two tables with different people in one server."""

    def __init__(self, harness: AppHarness, *, apart: bool = True) -> None:
        ana, ben, cleo, dan = harness.people
        eve, fay = (harness.world.person(name) for name in ("Eve", "Fay"))
        for person in (eve, fay):
            harness.guild.add(person)
        self.harness = harness
        self.first, self.second = [ana, ben, cleo], [dan, eve, fay]
        self.here = harness.channel
        self.there = harness.guild.channel("other games") if apart else harness.channel

    async def open(self, **options: object) -> None:
        """Ana opens a table, Dan its duplicate; the others sit down."""
        with self.harness.in_channel(self.here, self.first):
            await self.harness.open_table(self.first[0], seats=3, **options)
            await self.harness.seat(self.first[1:])
        dan = self.second[0]
        assert "Table 2 is open." in private_text(await dan.slash(self.there, "gang new", same_deals=1))
        with self.harness.in_channel(self.there, self.second):
            await dan.until(lambda: self.shown(self.there, "### Gang of Four · table 2"))
            await self.harness.seat(self.second[1:])

    async def play_the_first(self) -> None:
        with self.harness.in_channel(self.here, self.first):
            await self.harness.start_match()
            await play_to_the_end(self.harness, [Player(self.harness, person) for person in self.first])

    async def play_the_second(self) -> None:
        """One of them forgets to say "Last card!", so the results differ."""
        with self.harness.in_channel(self.there, self.second):
            await self.harness.start_match()
            eve = self.second[1]
            players = [Player(self.harness, person, forgets=person is eve) for person in self.second]
            await play_to_the_end(self.harness, players)

    def shown(self, channel: Channel, start: str) -> list[SeenMessage]:
        """Public messages that begin so."""
        onlooker = self.first[0]
        return [message for message in onlooker.sees(channel) if message.text.startswith(start)]

    def table(self, number: int) -> SeenMessage:
        """The message of a table in either channel."""
        heading = f"### Gang of Four · table {number}\n"
        return [message for place in (self.here, self.there) for message in self.shown(place, heading)][-1]


@pytest.fixture
def sides(harness: AppHarness) -> Sides:
    return Sides(harness)


async def test_duplicate_tables_get_the_same_deals_and_both_channels_show_the_comparison(
    harness: AppHarness, sides: Sides
) -> None:
    ana, *_ = sides.first
    dan, *_ = sides.second
    await sides.open(target=1)
    await ana.until(lambda: "Duplicate match: the same deals as table 2." in sides.table(1).text)
    assert "Duplicate match: the same deals as table 1." in sides.table(2).text
    assert "can start once table 1 has started" in sides.table(2).text
    assert "Table 1 starts first" in private_text(await dan.click(sides.table(2), "Start"))

    await sides.play_the_first()
    await ana.until(lambda: "The match is over." in sides.table(1).text)
    secret = "Table 2 is still playing these deals: they are shown when both matches are over."
    assert secret in sides.table(1).text
    assert secret in private_text(await ana.slash(sides.here, "gang history", number=1))
    assert sides.shown(sides.here, DUPLICATE) == []

    await sides.play_the_second()
    for channel in (sides.here, sides.there):
        await ana.until(partial(sides.shown, channel, DUPLICATE))
    one, other = (sides.shown(channel, DUPLICATE)[0].text for channel in (sides.here, sides.there))
    assert one == other
    assert len(one.split("\n\n")) == 4
    for part, pair in zip(
        one.split("\n\n")[1:], zip(names_of(harness, 1), names_of(harness, 2), strict=True), strict=True
    ):
        assert all(f"**{name}**: " in part for name in pair)
    for number in (1, 2):
        assert "Seed of the deals" in private_text(
            await ana.click(private(await ana.click(sides.table(number), "More")), "Fair deal")
        )

    records = [record_of(harness, number) for number in (1, 2)]
    assert all(fairness.check(record).is_fair for record in records)
    deals = [[line.event for line in record if isinstance(line.event, Dealt)] for record in records]
    assert [(deal.hand, deal.hands) for deal in deals[0]][: len(deals[1])] == [
        (deal.hand, deal.hands) for deal in deals[1]
    ][: len(deals[0])]
    for number, person in ((1, dan), (2, ana)):
        reply = await person.slash(sides.here, "gang history", number=number)
        assert f"Table {number} · hand 1" in private_text(reply)


async def test_the_comparison_is_posted_once_also_after_crashes(harness: AppHarness, sides: Sides) -> None:
    ana, *_ = sides.first
    await sides.open(target=1)
    await sides.play_the_first()
    await harness.kill_app()
    await harness.start_app()
    await sides.play_the_second()
    places = (sides.here, sides.there)
    await ana.until(lambda: all(sides.shown(place, DUPLICATE) for place in places))
    posted = [message.id for place in places for message in sides.shown(place, DUPLICATE)]
    await harness.kill_app()
    with app_database(harness) as connection:  # as if it had crashed before storing that it has posted
        connection.execute("UPDATE tables SET announced_duplicate = 0, displayed_revision = revision - 1")
    await harness.start_app()
    await wait_until_recorded(harness)
    with app_database(harness) as connection:
        assert connection.execute("SELECT deals_secret, announced_duplicate FROM tables").fetchall() == [(0, 1), (0, 1)]
    assert [message.id for place in places for message in sides.shown(place, DUPLICATE)] == posted


async def test_the_other_channel_is_named_only_to_users_who_see_it(harness: AppHarness, sides: Sides) -> None:
    dan = sides.second[0]
    await sides.open(target=1)
    await sides.play_the_first()
    await sides.play_the_second()

    async def verified() -> str:
        reply = await verify(dan, sides.there, 2)
        return await dan.until(lambda: shown(reply).text if "First message of the table" in shown(reply).text else "")

    assert f"/{sides.here.id}/" in await verified()
    sides.here.deny(dan, Permission.VIEW_CHANNEL)
    assert str(sides.here.id) not in await verified()


async def test_updates_missed_by_a_crash_are_displayed_at_the_next_start(harness: AppHarness, sides: Sides) -> None:
    ana, *_ = sides.first
    await sides.open(target=1)
    await sides.play_the_first()
    sides.there.deny(harness.world.bot, Permission.SEND_MESSAGES)
    sides.here.deny(harness.world.bot, Permission.SEND_MESSAGES)
    with harness.in_channel(sides.there, sides.second):
        await sides.second[0].click(sides.table(2), "Start")
        await harness.close_table(2)
    await harness.kill_app()
    for place in (sides.here, sides.there):
        place.allow(harness.world.bot, Permission.SEND_MESSAGES)
        assert sides.shown(place, DUPLICATE) == []
    await harness.start_app()
    await ana.until(lambda: all(len(sides.shown(place, DUPLICATE)) == 1 for place in (sides.here, sides.there)))
    assert "0 hands were played to their end at both tables." in sides.shown(sides.here, DUPLICATE)[0].text


async def test_users_who_cannot_see_a_table_can_duplicate_it_when_its_host_invites_them(
    harness: AppHarness, sides: Sides
) -> None:
    """So the players of one table may not see the other."""
    ana, dan = sides.first[0], sides.second[0]
    await harness.open_table(ana, seats=3)
    for person in sides.second:
        sides.here.deny(person, Permission.VIEW_CHANNEL)
    assert "no such table" in private_text(await dan.slash(sides.there, "gang new", same_deals=1))
    panel = shown(await ana.click(sides.table(1), "Options"))
    await ana.click(panel, "People")
    await ana.select(panel, dan, custom_id=panel.selects[0].custom_id)
    assert "Table 2 is open." in private_text(await dan.slash(sides.there, "gang new", same_deals=1))
