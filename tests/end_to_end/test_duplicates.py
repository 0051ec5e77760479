"""Duplicate matches, from people's clients: the same deals at two tables, compared in both channels in the end."""

import re
from functools import partial

import pytest

from bot.analysis import fairness
from bot.engine.events import Dealt
from playground.client.person import Person
from playground.client.screen import SeenMessage
from playground.world.model import Channel
from playground.world.permissions import Permission
from tests.disasters.truth import is_remembered
from tests.end_to_end.evidence import names_of, opened, record_of, shown, whispered
from tests.end_to_end.room import Player, Room, play_to_the_end

CARD = re.compile(r"(🟢|🟡|🔴|🐉|🐦)")
DUPLICATE = "### Duplicate match: tables 1 and 2"


class Sides:
    """Two tables with different people, who are in one server."""

    def __init__(self, room: Room, *, apart: bool = True) -> None:
        ana, ben, cleo, dan = room.people
        eve, fay = (room.world.person(name) for name in ("Eve", "Fay"))
        for person in (eve, fay):
            room.guild.add(person)
        self.room = room
        self.first, self.second = [ana, ben, cleo], [dan, eve, fay]
        self.here = room.channel
        self.there = room.guild.channel("other games") if apart else room.channel

    async def open(self, **options: object) -> None:
        """Ana opens a table, Dan its duplicate; the others sit down."""
        with self.room.seen_from(self.here, self.first):
            await self.room.open(self.first[0], seats=3, **options)
            await self.room.seat(self.first[1:])
        dan = self.second[0]
        assert "Table 2 is open: " in whispered(await dan.slash(self.there, "gang duplicate", table=1))
        with self.room.seen_from(self.there, self.second):
            await dan.until(lambda: self.shown(self.there, "### Gang of Four · table 2"))
            await self.room.seat(self.second[1:])

    async def play_the_first(self) -> None:
        with self.room.seen_from(self.here, self.first):
            await self.room.begin()
            await play_to_the_end(self.room, [Player(self.room, person) for person in self.first])

    async def play_the_second(self) -> None:
        """One of them forgets to say "Last card!", so that it comes out otherwise."""
        with self.room.seen_from(self.there, self.second):
            await self.room.begin()
            eve = self.second[1]
            players = [Player(self.room, person, forgets=person is eve) for person in self.second]
            await play_to_the_end(self.room, players)

    def shown(self, channel: Channel, start: str) -> list[SeenMessage]:
        """Public messages that begin so."""
        onlooker = self.first[0]
        return [message for message in onlooker.sees(channel) if message.text.startswith(start)]

    def table(self, number: int) -> SeenMessage:
        """The message of a table, wherever it stands."""
        heading = f"### Gang of Four · table {number}\n"
        return [message for place in (self.here, self.there) for message in self.shown(place, heading)][-1]


@pytest.fixture
def sides(room: Room) -> Sides:
    return Sides(room)


async def _finds_no_deal(sides: Sides, number: int, person: Person) -> None:
    """Whichever way somebody asks, nothing is told of a match whose deals the other table plays."""
    other, channel = 3 - number, sides.here if number == 1 else sides.there
    secret = f"Table {other} still plays these deals: they are shown when both matches are over."
    reply = await person.slash(channel, "gang verify", number=number)
    assert secret in whispered(reply)
    assert secret in whispered(await person.slash(channel, "gang match", number=number))
    assert reply.message is not None
    for what in ("open", "record", "text", "still", "moving", "verify"):
        assert secret in whispered(await person.press_old(f"g4:past:{number}:0:t:a:{what}", reply.message))
    table = sides.table(number)
    assert secret in table.text
    assert "Seed" not in table.text
    reports = sides.shown(channel, f"### Table {number} · hand ")
    assert reports
    for report in reports:
        assert not CARD.search(report.text)
        for label in ("All hands", "Move by move"):
            assert secret in whispered(await person.click(report, label))


async def test_two_tables_play_the_same_deals_and_both_channels_read_how_it_came_out(room: Room, sides: Sides) -> None:
    ana, *_ = sides.first
    dan, *_ = sides.second
    await sides.open(target=12)
    await ana.until(lambda: "Duplicate match with table 2: the same deals at both." in sides.table(1).text)
    assert "Duplicate match with table 1: the same deals at both." in sides.table(2).text
    assert "can start when table 1 has begun" in sides.table(2).text
    assert "Table 1 begins first" in whispered(await dan.click(sides.table(2), "Start"))

    await sides.play_the_first()
    await ana.until(lambda: "The match is over." in sides.table(1).text)
    await _finds_no_deal(sides, 1, ana)
    await _finds_no_deal(sides, 1, dan)
    assert sides.shown(sides.here, DUPLICATE) == []

    await sides.play_the_second()
    for channel in (sides.here, sides.there):
        await ana.until(partial(sides.shown, channel, DUPLICATE))
    one, other = (sides.shown(channel, DUPLICATE)[0].text for channel in (sides.here, sides.there))
    assert one == other
    assert len(one.split("\n\n")) == 4
    for part, pair in zip(one.split("\n\n")[1:], zip(names_of(room, 1), names_of(room, 2), strict=True), strict=True):
        assert all(f"**{name}**: " in part for name in pair)
    await ana.until(lambda: all("Seed of the deals" in sides.table(number).text for number in (1, 2)))

    records = [record_of(room, number) for number in (1, 2)]
    assert all(fairness.check(record).is_fair for record in records)
    deals = [[line.event for line in record if isinstance(line.event, Dealt)] for record in records]
    assert [(deal.hand, deal.hands) for deal in deals[0]][: len(deals[1])] == [
        (deal.hand, deal.hands) for deal in deals[1]
    ][: len(deals[0])]
    for number, person in ((1, dan), (2, ana)):
        reply = await person.slash(sides.here, "gang match", number=number)
        assert f"Table {number} · hand 1" in whispered(reply)


async def test_it_is_told_once_also_after_crashes(room: Room, sides: Sides) -> None:
    ana, *_ = sides.first
    await sides.open(target=1)
    await sides.play_the_first()
    await room.kill_app()
    await room.start_app()
    await _finds_no_deal(sides, 1, ana)
    await sides.play_the_second()
    places = (sides.here, sides.there)
    await ana.until(lambda: all(sides.shown(place, DUPLICATE) for place in places))
    told = [message.id for place in places for message in sides.shown(place, DUPLICATE)]
    await room.kill_app()
    with opened(room) as connection:  # as if it had died before it could note that it has told
        connection.execute("UPDATE tables SET announced_duplicate = 0, displayed_revision = revision - 1")
    await room.start_app()
    await is_remembered(room)
    with opened(room) as connection:
        assert connection.execute("SELECT deals_secret, announced_duplicate FROM tables").fetchall() == [(0, 1), (0, 1)]
    assert [message.id for place in places for message in sides.shown(place, DUPLICATE)] == told


async def test_the_channel_of_the_deals_is_named_to_those_who_see_it(room: Room, sides: Sides) -> None:
    dan = sides.second[0]
    await sides.open(target=1)
    await sides.play_the_first()
    await sides.play_the_second()

    async def verified() -> str:
        reply = await dan.slash(sides.there, "gang verify", number=2)
        return await dan.until(lambda: shown(reply).text if "First shown in message" in shown(reply).text else "")

    assert f"/{sides.here.id}/" in await verified()
    sides.here.deny(dan, Permission.VIEW_CHANNEL)
    assert str(sides.here.id) not in await verified()


async def test_what_a_crash_left_untold_is_told_at_the_next_start(room: Room, sides: Sides) -> None:
    ana, *_ = sides.first
    await sides.open(target=1)
    await sides.play_the_first()
    sides.there.deny(room.world.bot, Permission.SEND_MESSAGES)
    sides.here.deny(room.world.bot, Permission.SEND_MESSAGES)
    with room.seen_from(sides.there, sides.second):
        await sides.second[0].click(sides.table(2), "Start")
        await room.close(2)
    await room.kill_app()
    for place in (sides.here, sides.there):
        place.allow(room.world.bot, Permission.SEND_MESSAGES)
        assert sides.shown(place, DUPLICATE) == []
    await room.start_app()
    await ana.until(lambda: all(len(sides.shown(place, DUPLICATE)) == 1 for place in (sides.here, sides.there)))
    assert "0 hands were played to their end at both tables." in sides.shown(sides.here, DUPLICATE)[0].text


async def test_in_one_channel_it_is_told_once(room: Room) -> None:
    sides = Sides(room, apart=False)
    ana, *_ = sides.first
    await sides.open(target=1)
    with room.seen_from(sides.here, sides.first):
        await ana.click(sides.table(1), "Start")
        await ana.until(lambda: "Hand 1" in sides.table(1).text)
    await sides.second[0].click(sides.table(2), "Start")
    for number in (1, 2):
        await room.close(number)
    await ana.until(lambda: sides.shown(sides.here, DUPLICATE))
    await is_remembered(room)
    assert len(sides.shown(sides.here, DUPLICATE)) == 1


async def test_nobody_plays_at_both_and_both_play_the_same_game(room: Room, sides: Sides) -> None:
    ana, ben, _ = sides.first
    dan, eve, _ = sides.second
    await sides.open()
    both = "nobody plays at both"
    with room.seen_from(sides.here, sides.first):
        await room.press(ben, "Leave")
    assert both in whispered(await dan.click(sides.table(1), "Join"))
    assert both in whispered(await eve.click(sides.table(1), "Join"))
    with room.seen_from(sides.there, sides.second):
        await room.press(sides.second[2], "Leave")
    assert both in whispered(await ana.click(sides.table(2), "Join"))
    assert "has its duplicate already: table 2." in whispered(await ben.slash(sides.here, "gang duplicate", table=1))
    assert "no such table" in whispered(await ben.slash(sides.here, "gang duplicate", table=9))
    panel = (await ana.click(sides.table(1), "Options")).message
    assert panel is not None
    refused = await ana.select(panel, "4", custom_id=panel.selects[0].custom_id)
    assert "seats and rules stay the same at both" in whispered(refused)


async def test_who_does_not_see_the_other_table_opens_its_duplicate_when_its_host_invites_them(
    room: Room, sides: Sides
) -> None:
    """So the people of one table need not see the other."""
    ana, dan = sides.first[0], sides.second[0]
    await room.open(ana, seats=3)
    for person in sides.second:
        sides.here.deny(person, Permission.VIEW_CHANNEL)
    assert "no such table" in whispered(await dan.slash(sides.there, "gang duplicate", table=1))
    panel = (await ana.click(sides.table(1), "Options")).message
    assert panel is not None
    await ana.click(panel, "People")
    await ana.select(panel, dan, custom_id=panel.selects[0].custom_id)
    assert "Table 2 is open: " in whispered(await dan.slash(sides.there, "gang duplicate", table=1))


async def test_tables_are_doubled_where_the_server_lets_tables_be_opened(room: Room, sides: Sides) -> None:
    manager = room.world.person("Mod", permissions=Permission.MANAGE_GUILD)
    room.guild.add(manager)
    await room.open(sides.first[0], seats=3)
    panel = (await manager.slash(sides.here, "gang settings")).message
    assert panel is not None
    await manager.click(panel, "This server …")
    (menu,) = [menu.custom_id for menu in panel.selects if "channels" in menu.custom_id]
    await manager.select(panel, sides.here, custom_id=menu)
    reply = await sides.second[0].slash(sides.there, "gang duplicate", table=1)
    assert "tables are opened in these channels" in whispered(reply)
