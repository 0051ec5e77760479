"""What a server remembers after two months of evenings."""

import re
import time
from collections.abc import AsyncIterator
from random import Random

from bot.storage.database import Database
from playground.people import Person
from playground.sight import SeenMessage
from tests.end_to_end.evidence import database_of, menu_of, shown
from tests.end_to_end.room import YOURS, Player, Room, play_to_the_end
from tests.gallery.camera import Row, Shot
from tests.gallery.languages import is_drawn, pressing, private, using
from tests.services.played import Club, record

MATCHES = 60
DAY = 86_400


async def memories(room: Room, manager: Person) -> AsyncIterator[Shot | Row]:
    """Boards, figures, matches of old, the hand of the day, what is kept, and what a server sets."""
    await _begin_a_season(room, manager)
    await _play_for_two_months(room)
    for part in (
        _boards(room),
        _figures(room),
        _history(room),
        _duplicate(room),
        _privacy(room),
        _server(room, manager),
    ):
        async for shot in part:
            yield shot


async def _begin_a_season(room: Room, manager: Person) -> None:
    panel = await _settings(room, manager, "Season and leaderboard")
    modal = (await manager.click(panel, "Begin a season …")).modal
    assert modal is not None
    await manager.submit(modal, {"Its name": "Autumn"})


async def _play_for_two_months(room: Room) -> None:
    """By simulation: the app finds in its database what it would have stored itself."""
    people = {person.name: person.id for person in room.people}
    since = int(time.time()) - MATCHES * DAY
    club = Club(room.guild.id, people, [room.channel.id], targets=(30, 60), since=since, every=DAY)
    database, rng = Database(f"sqlite+aiosqlite:///{database_of(room)}"), Random(4)
    for number in range(MATCHES):
        await record(database, number, rng, club)
    await database.close()


async def _boards(room: Room) -> AsyncIterator[Shot | Row]:
    ana = room.people[0]
    board = shown(await ana.slash(room.channel, "gang leaderboard"))
    yield Shot("leaderboard", "The leaderboard: `/gang leaderboard`", ana, board)
    yield private("leaderboard", "The leaderboard", ana, using(ana, room, "leaderboard"))


async def _figures(room: Room) -> AsyncIterator[Shot | Row]:
    ana, ben, *_ = room.people
    profile = shown(await ana.slash(room.channel, "gang profile"))
    yield Shot("profile", "All that a server remembers of somebody: `/gang profile`", ana, profile)
    yield private("profile", "All that a server remembers of somebody", ana, using(ana, room, "profile"))
    for name, title, label in (
        ("rating", "**Rating over time**, with its band", "Rating over time"),
        ("penalties", "**Penalty points a hand**", "Penalty points a hand"),
        ("map", "**Who beats whom**", "Who beats whom"),
    ):
        chart = shown(await ana.click(profile, label))
        await is_drawn(ana, chart)
        yield Shot(name, title, ana, chart)
        yield private(name, title, ana, pressing(ana, profile, label), draws=True)
    versus = shown(await ana.slash(room.channel, "gang versus", person=ben))
    yield Shot("versus", "Two people against each other: `/gang versus`", ana, versus)
    yield private("versus", "Two people against each other", ana, using(ana, room, "versus", person=ben))
    opening_titles = pressing(ana, profile, "Titles of this server")
    await opening_titles()
    yield Shot("titles", "Titles, which are won and lost", ana, profile)
    yield private("titles", "Titles", ana, opening_titles)


async def _history(room: Room) -> AsyncIterator[Shot | Row]:
    ana = room.people[0]
    matches = shown(await ana.slash(room.channel, "gang history"))
    yield Shot("history", "What I have played: `/gang history`", ana, matches)
    yield private("history", "What I have played", ana, using(ana, room, "history"))
    checked = shown(await ana.slash(room.channel, "gang verify", number=1))
    await ana.until(lambda: "Everything agrees" in checked.text)
    yield Shot("verify", "The deals of a match, dealt again before one's eyes: `/gang verify`", ana, checked)
    yield private("verify", "The deals of a match, dealt again", ana, using(ana, room, "verify", number=1))
    daily = shown(await ana.slash(room.channel, "gang daily"))
    await ana.until(lambda: any(turn in daily.text for turn in YOURS))
    yield Shot("daily", "The hand of the day: `/gang daily`", ana, daily)
    yield private("daily", "The hand of the day", ana, using(ana, room, "daily"))


async def _duplicate(room: Room) -> AsyncIterator[Shot | Row]:
    ana, ben, *_ = room.people
    here, there = room.channel, room.guild.channel("other games")
    with room.seen_from(here, [ana]):
        first = await room.open(ana, seats=3, target=1)
        await room.seat([], robots=2)
    with room.seen_from(there, [ben]):
        (number,) = re.findall(r"table (\d+)\n", first.text)
        await ben.slash(there, "gang duplicate", table=int(number))
        await ben.until(lambda: any("Duplicate match with" in message.text for message in ben.sees(there)))
        await room.seat([], robots=2)
        yield Shot("duplicate", "A second table with the same deals: `/gang duplicate`", ben, room.table())
    for channel, person in ((here, ana), (there, ben)):
        with room.seen_from(channel, [person]):
            await room.begin()
            await play_to_the_end(room, [Player(room, person)])
    told = await ben.until(lambda: [message for message in ben.sees(there) if "Duplicate match: " in message.text])
    yield Shot("comparison", "Both tables compared, seat by seat", ben, told[0])


async def _privacy(room: Room) -> AsyncIterator[Shot | Row]:
    ana = room.people[0]
    panel = shown(await ana.slash(room.channel, "gang privacy"))
    yield Shot("privacy", "What is kept of me: `/gang privacy`", ana, panel)
    yield private("privacy", "What is kept of me", ana, using(ana, room, "privacy"))
    deleting = pressing(ana, panel, "Delete me …")
    await deleting()
    yield Shot("delete", "Deleting it", ana, panel)
    yield private("delete", "Deleting it", ana, deleting)


async def _server(room: Room, manager: Person) -> AsyncIterator[Shot | Row]:
    panel = await _settings(room, manager, "New tables")
    yield Shot("server-tables", "What new tables of a server begin with", manager, panel)
    await manager.click(panel, "Season and leaderboard")
    await manager.select(panel, "week", custom_id=menu_of(panel, "schedule"))
    yield Shot("server-season", "Seasons, and when the leaderboard is posted", manager, panel)
    await manager.click(panel, "Changes")
    yield Shot("server-changes", "Who has changed what", manager, panel)
    pages = {
        label: pressing(manager, panel, label)
        for label in ("General", "New tables", "Season and leaderboard", "Changes")
    }
    for number, (label, turning) in enumerate(pages.items(), 1):
        yield private(f"server-{number}", f"Settings of a server: **{label}**", manager, turning)
    panel = await _settings(room, manager, "Season and leaderboard")
    await manager.click(panel, "End the season …")
    await manager.click(panel, "Yes, end it")
    ana = room.people[0]
    (podium,) = await ana.until(lambda: [message for message in room.seen(ana) if "🏆" in message.text])
    yield Shot("podium", "A season is over", ana, podium)


async def _settings(room: Room, manager: Person, page: str) -> SeenMessage:
    panel = shown(await manager.slash(room.channel, "gang settings"))
    await manager.click(panel, "This server …")
    await manager.click(panel, page)
    return panel
