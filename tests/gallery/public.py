"""What a channel is told, in a server that speaks one language after the other."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeAlias

from bot.presentation.text.i18n import languages, words_in
from bot.storage.database import Database
from playground.client.person import Person
from playground.client.screen import SeenMessage
from playground.world.model import Channel
from tests.end_to_end.evidence import database_of, menu_of, opened, shown
from tests.end_to_end.room import Player, Room, play_on
from tests.gallery.camera import Row
from tests.services.played import Club, record

Happening: TypeAlias = Callable[[str], Awaitable[SeenMessage]]
"""Has something told in the language that the server speaks."""


def public(name: str, title: str, room: Room, manager: Person, happening: Happening) -> Row:
    """What is told in the channel, in every language."""
    messages = _public(room, manager, happening)
    return Row(f"{name}-languages", f"{title} in every language", room.people[0], messages)


async def _public(room: Room, manager: Person, happening: Happening) -> AsyncIterator[SeenMessage]:
    panel = shown(await manager.slash(room.channel, "gang settings"))
    await manager.click(panel, "This server …")
    menu = panel.selects[0].custom_id
    for language in languages():
        await manager.select(panel, language, custom_id=menu)
        yield await happening(language)
    await manager.select(panel, "discord", custom_id=menu)


def redrawn(room: Room) -> Happening:
    """The newest table as it stands there is drawn in the other language."""

    async def drawn(language: str) -> SeenMessage:
        title = _said(language, "Gang of Four · table {number}", number="\n")
        await room.people[0].until(lambda: title in room.table().text)
        return room.table()

    return drawn


def invitation(room: Room) -> Happening:
    """Two people are called to a table."""
    host, guest, other, *_ = room.people

    async def called(_language: str) -> SeenMessage:
        await room.close(number_of(room.table()))  # the one before
        table = await room.open(host)
        panel = shown(await host.press_old(f"g4:options:{number_of(table)}:0", table))
        await host.click(panel, "People")
        before = _heard(room)
        await host.select(panel, guest, other, custom_id=menu_of(panel, "invite"))
        (notice,) = await host.until(lambda: _heard(room, before))
        return notice

    return called


async def long_match(room: Room) -> list[Player]:
    """Three people with their hands open, at a match that does not end soon."""
    ana, *others = players = [Player(room, person) for person in room.people[:3]]
    await room.open(ana.person, seats=3, target=1000)
    await room.seat([player.person for player in others])
    await room.begin()
    for player in players:
        await player.open()
    return players


def turn(room: Room, players: Sequence[Player]) -> Happening:
    """Somebody moves, and another is called."""

    async def called(_language: str) -> SeenMessage:
        ana, before = room.people[0], _heard(room)
        mover = await ana.until(lambda: next((player for player in players if player.must_act()), None))
        assert mover is not None
        await mover.act()
        (notice,) = await ana.until(lambda: [each for each in _heard(room, before) if _is_notice(each)])
        return notice

    return called


def sheet(room: Room, players: Sequence[Player]) -> Happening:
    """A hand is over."""
    return _playing(room, players, lambda message: bool(message.raw["attachments"]))


def gang(room: Room, players: Sequence[Player]) -> Happening:
    """Somebody lays a gang."""
    return _playing(room, players, lambda message: message.text.startswith("## 🎉"))


def _playing(room: Room, players: Sequence[Player], is_it: Callable[[SeenMessage], bool]) -> Happening:
    async def told(_language: str) -> SeenMessage:
        before = _heard(room)
        await play_on(room, list(players), lambda: any(map(is_it, _heard(room, before))))
        return next(filter(is_it, _heard(room, before)))

    return told


@dataclass(frozen=True, slots=True)
class Pair:
    """The two tables of a duplicate match, each in a channel of its own, with one person at it."""

    tables: tuple[tuple[Channel, Player], tuple[Channel, Player]]
    second: SeenMessage
    """The second table."""
    told: dict[str, SeenMessage] = field(default_factory=dict)
    """What is told there when both matches are over."""


async def pair(room: Room, name: str) -> Pair:
    """Two people, each alone with two AI players, before the start."""
    ana, ben, *_ = room.people
    here, there = (room.guild.channel(f"{name}-{number}") for number in (1, 2))
    with room.seen_from(here, [ana]):
        first = await room.open(ana, seats=3, target=1)
        await room.seat([], ai_players=2)
    with room.seen_from(there, [ben]):
        await ben.slash(there, "gang duplicate", table=number_of(first))
        await ben.until(lambda: any("Duplicate match with" in message.text for message in ben.sees(there)))
        await room.seat([], ai_players=2)
        return Pair(((here, Player(room, ana)), (there, Player(room, ben))), room.table())


async def begin(room: Room, pair: Pair) -> None:
    """Start both matches, with the hands open."""
    for channel, player in pair.tables:
        with room.seen_from(channel, [player.person]):
            await room.begin()
            await player.open()


def comparison(room: Room, pairs: dict[str, Pair]) -> Happening:
    """A duplicate match ends at both tables. The titles that it wins have been nobody's: somebody has deleted them."""

    async def compared(language: str) -> SeenMessage:
        pair = pairs[language]
        for channel, player in pair.tables:
            with opened(room) as connection:
                connection.execute("DELETE FROM titles")
            with room.seen_from(channel, [player.person]):
                await play_on(room, [player], lambda: _is_over(player))  # noqa: B023  # waited for here
        channel, player = pair.tables[1]
        with room.seen_from(channel, [player.person]):
            for name, text, facts in (
                ("comparison", "Duplicate match: tables {first} and {second}", {"first": "\n", "second": ""}),
                ("title", "Titles change hands", {}),
                ("match-over", "The match is over.", {}),
            ):
                said = _said(language, text, **facts)
                found = await player.person.until(lambda: [each for each in _heard(room) if said in each.text])  # noqa: B023
                pair.told[name] = found[-1]
            pair.told["ending"] = next(each for each in _heard(room) if len(each.raw["attachments"]) > 1)
        return pair.told["comparison"]

    return compared


def told_with_it(name: str, title: str, room: Room, pairs: dict[str, Pair]) -> Row:
    """What else was told when the duplicate matches were over: of `comparison`, once that has been taken."""

    async def told() -> AsyncIterator[SeenMessage]:
        for pair in pairs.values():
            yield pair.told[name]

    return Row(f"{name}-languages", f"{title} in every language", room.people[1], told())


def podium(room: Room, manager: Person) -> Happening:
    """A season of a few matches ends."""

    async def ended(_language: str) -> SeenMessage:
        await begin_season(room, manager, "2026")
        await simulated(room, 5, days=0)
        before = _heard(room)
        await end_season(room, manager)
        (told,) = await room.people[0].until(lambda: _heard(room, before))
        return told

    return ended


def leaderboard(room: Room, manager: Person) -> Happening:
    """The leaderboard of last week is due: in another channel each time, as it is posted once in each."""

    async def posted(language: str) -> SeenMessage:
        ana, channel = room.people[0], room.guild.channel(f"boards-{language.lower()}")
        await begin_season(room, manager, "2026")
        panel = await server_settings(room, manager, "Season and leaderboard")
        await manager.select(panel, "week", custom_id=menu_of(panel, "schedule"))
        await manager.select(panel, channel, custom_id=menu_of(panel, "postin"))
        with opened(room) as connection:
            connection.execute("UPDATE guilds SET post_at = 1")
        await end_season(room, manager)  # which has the app look what is due
        (told,) = await ana.until(lambda: ana.sees(channel))
        return told

    return posted


async def begin_season(room: Room, manager: Person, name: str) -> None:
    """Have the server count from now on."""
    panel = await server_settings(room, manager, "Season and leaderboard")
    modal = (await manager.click(panel, "Begin a season …")).modal
    await manager.submit(modal, {"Its name": name})


async def end_season(room: Room, manager: Person) -> None:
    """Have the podium told."""
    panel = await server_settings(room, manager, "Season and leaderboard")
    await manager.click(panel, "End the season …")
    await manager.click(panel, "Yes, end it")


async def server_settings(room: Room, manager: Person, page: str) -> SeenMessage:
    """The panel of a server."""
    panel = shown(await manager.slash(room.channel, "gang settings"))
    await manager.click(panel, "This server …")
    await manager.click(panel, page)
    return panel


async def simulated(room: Room, matches: int, days: int) -> None:
    """Play matches, one in so many days until now: the app finds in its database what it would have stored itself."""
    people = {person.name: person.id for person in room.people}
    every = days * 86_400
    since = int(time.time()) - matches * every
    club = Club(room.guild.id, people, [room.channel.id], targets=(30, 60), since=since, every=every)
    database, rng = Database(f"sqlite+aiosqlite:///{database_of(room)}"), Random(4)
    for number in range(matches):
        await record(database, number, rng, club)
    await database.close()


def _heard(room: Room, known: Collection[SeenMessage] = ()) -> list[SeenMessage]:
    """What the channel has been told since, oldest first."""
    ids = {message.id for message in known}
    return [message for message in room.seen(room.people[0]) if message.id not in ids and not message.ephemeral]


def _said(language: str, text: str, **facts: object) -> str:
    """A text in a language, up to the fact that is a new line."""
    return words_in(language).say(text, **facts).partition("\n")[0]


def number_of(table: SeenMessage) -> int:
    """The number of a table, from its first button."""
    return int((table.buttons[0].custom_id or "").split(":")[2])


def _is_notice(message: SeenMessage) -> bool:
    """Whether it has a button for the hand, and nothing else."""
    ids = [button.custom_id or "" for button in message.buttons]
    return len(ids) == 1 and ids[0].startswith("g4:hand:")


def _is_over(player: Player) -> bool:
    return player.panel is not None and "The match is over." in player.panel.text
