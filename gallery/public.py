"""Pictures of public messages, in a guild that changes its language."""

import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeAlias

from bot.engine.events import Played
from bot.engine.record import from_fields
from bot.presentation.text.i18n import languages, words_in
from bot.storage.database import Database
from gallery.camera import Row
from playground.client.person import Person
from playground.client.screen import SeenMessage
from playground.world.model import Channel
from tests.end_to_end.app_harness import AppHarness, Player, play_on
from tests.end_to_end.inspection import app_database, database_of, menu_of, shown
from tests.simulated_matches import Club, record

Trigger: TypeAlias = Callable[[str], Awaitable[SeenMessage]]
"""Makes the app post a message in the language of the guild."""


def public(name: str, title: str, harness: AppHarness, manager: Person, trigger: Trigger) -> Row:
    """The public messages in every language."""
    messages = _public(harness, manager, trigger)
    return Row(f"{name}-languages", f"{title} in every language", harness.people[0], messages)


async def _public(harness: AppHarness, manager: Person, trigger: Trigger) -> AsyncIterator[SeenMessage]:
    panel = shown(await manager.slash(harness.channel, "gang settings"))
    await manager.click(panel, "This server…")
    menu = panel.selects[0].custom_id
    for language in languages():
        await manager.select(panel, language, custom_id=menu)
        yield await trigger(language)
    await manager.select(panel, "discord", custom_id=menu)


def redrawn(harness: AppHarness) -> Trigger:
    """Draw the newest table in the other language."""

    async def drawn(language: str) -> SeenMessage:
        title = _said(language, "Gang of Four · table {number}", number="\n")
        await harness.people[0].until(lambda: title in harness.table().text)
        return harness.table()

    return drawn


def invitation(harness: AppHarness) -> Trigger:
    """Two people are invited to a table."""
    host, guest, other, *_ = harness.people

    async def called(_language: str) -> SeenMessage:
        await harness.close_table(number_of(harness.table()))  # the one before
        table = await harness.open_table(host)
        panel = shown(await host.press_old(f"g4:options:{number_of(table)}:0", table))
        await host.click(panel, "People")
        before = _new_messages(harness)
        await host.select(panel, guest, other, custom_id=menu_of(panel, "invite"))
        (notice,) = await host.until(lambda: _new_messages(harness, before))
        return notice

    return called


async def long_match(harness: AppHarness) -> list[Player]:
    """Three people with open hands in a long match. They want to be mentioned on every turn."""
    players = await harness.begin_match(3, target=1000)
    for player in players:
        panel = shown(await player.person.slash(harness.channel, "gang settings"))
        await player.person.select(panel, "every", custom_id=menu_of(panel, "notifications"))
        await player.open()
    return players


def turn(harness: AppHarness, players: Sequence[Player]) -> Trigger:
    """A player moves, and the next one is notified."""

    async def called(_language: str) -> SeenMessage:
        ana, before = harness.people[0], _new_messages(harness)
        mover = await ana.until(lambda: next((player for player in players if player.must_act()), None))
        assert mover is not None
        await mover.act()
        (notice,) = await ana.until(lambda: [each for each in _new_messages(harness, before) if _is_notice(each)])
        return notice

    return called


def sheet(harness: AppHarness, players: Sequence[Player]) -> Trigger:
    """A hand is over."""
    return lambda _language: _next_message(harness, players, _is_result)


async def gang(harness: AppHarness, players: Sequence[Player]) -> SeenMessage:
    """Play until a gang is celebrated that doesn't end the hand. After that, its message is gone."""
    for player in players:
        player.likes_gangs = True
    while True:
        celebration = await _next_message(harness, players, lambda message: message.text.startswith("## 🎉"))
        with app_database(harness) as connection:
            (last,) = connection.execute("SELECT line FROM events ORDER BY table_id DESC, seq DESC").fetchone()
        if isinstance(from_fields(json.loads(last)).event, Played):
            return celebration


async def _next_message(
    harness: AppHarness, players: Sequence[Player], is_it: Callable[[SeenMessage], bool]
) -> SeenMessage:
    before = _new_messages(harness)
    await play_on(harness, list(players), lambda: any(map(is_it, _new_messages(harness, before))))
    return next(filter(is_it, _new_messages(harness, before)))


@dataclass(frozen=True, slots=True)
class Pair:
    """The two tables of a duplicate match, each in its own channel with one person."""

    tables: tuple[tuple[Channel, Player], tuple[Channel, Player]]
    second: SeenMessage
    """The second table."""
    results: dict[str, SeenMessage] = field(default_factory=dict)
    """The messages when both matches are over."""


async def pair(harness: AppHarness, name: str) -> Pair:
    """Two people, each with two AI players, before the start."""
    ana, ben, *_ = harness.people
    here, there = (harness.guild.channel(f"{name}-{number}") for number in (1, 2))
    with harness.in_channel(here, [ana]):
        first = await harness.open_table(ana, seats=3, target=1)
        await harness.seat([], ai_players=2)
    with harness.in_channel(there, [ben]):
        await ben.slash(there, "gang new", same_deals=number_of(first))
        await ben.until(lambda: any("Duplicate match:" in message.text for message in ben.sees(there)))
        await harness.seat([], ai_players=2)
        return Pair(((here, Player(harness, ana)), (there, Player(harness, ben))), harness.table())


async def begin(harness: AppHarness, pair: Pair) -> None:
    """Start both matches, with the hands open."""
    for channel, player in pair.tables:
        with harness.in_channel(channel, [player.person]):
            await harness.start_match()
            await player.open()


def comparison(harness: AppHarness, pairs: dict[str, Pair]) -> Trigger:
    """Finish a duplicate match at both tables. Titles are deleted first, so that it wins some."""

    async def compared(language: str) -> SeenMessage:
        pair = pairs[language]
        for channel, player in pair.tables:
            with app_database(harness) as connection:
                connection.execute("DELETE FROM titles")
            with harness.in_channel(channel, [player.person]):
                await play_on(harness, [player], lambda: _is_over(player))  # noqa: B023  # waited for here
        channel, player = pair.tables[1]
        with harness.in_channel(channel, [player.person]):
            for name, text, facts in (
                ("comparison", "Duplicate match: tables {first} and {second}", {"first": "\n", "second": ""}),
                ("title", "New titles", {}),
                ("match-over", "The match is over.", {}),
            ):
                said = _said(language, text, **facts)
                found = await player.person.until(
                    lambda: [each for each in _new_messages(harness) if said in each.text]  # noqa: B023  # awaited at once
                )
                pair.results[name] = found[-1]
            drawn = await player.person.until(
                lambda: [each for each in _new_messages(harness) if each.raw["attachments"]]
            )
            pair.results["ending"] = drawn[-1]
        return pair.results["comparison"]

    return compared


def other_messages(name: str, title: str, harness: AppHarness, pairs: dict[str, Pair]) -> Row:
    """Picture the other messages after the duplicate matches."""

    async def results() -> AsyncIterator[SeenMessage]:
        for pair in pairs.values():
            yield pair.results[name]

    return Row(f"{name}-languages", f"{title} in every language", harness.people[1], results())


def podium(harness: AppHarness, manager: Person) -> Trigger:
    """A season of a few matches ends."""

    async def ended(_language: str) -> SeenMessage:
        await begin_season(harness, manager, "2026")
        await simulated(harness, 5, days=0)
        before = _new_messages(harness)
        await end_season(harness, manager)
        (results,) = await harness.people[0].until(lambda: _new_messages(harness, before))
        return results

    return ended


def leaderboard(harness: AppHarness, manager: Person) -> Trigger:
    """The leaderboard of last week is due: in another channel each time, as it is posted once in each."""

    async def posted(language: str) -> SeenMessage:
        ana, channel = harness.people[0], harness.guild.channel(f"boards-{language.lower()}")
        await begin_season(harness, manager, "2026")
        panel = await server_settings(harness, manager, "Season and leaderboard")
        await manager.select(panel, "week", custom_id=menu_of(panel, "schedule"))
        await manager.select(panel, channel, custom_id=menu_of(panel, "postin"))
        with app_database(harness) as connection:
            connection.execute("UPDATE guilds SET post_at = 1")
        await end_season(harness, manager)  # so the app looks for due work
        (results,) = await ana.until(lambda: ana.sees(channel))
        return results

    return posted


async def begin_season(harness: AppHarness, manager: Person, name: str) -> None:
    """Begin a season."""
    panel = await server_settings(harness, manager, "Season and leaderboard")
    modal = (await manager.click(panel, "Start a season…")).modal
    await manager.submit(modal, {"Name": name})


async def end_season(harness: AppHarness, manager: Person) -> None:
    """Let the app post the podium."""
    panel = await server_settings(harness, manager, "Season and leaderboard")
    await manager.click(panel, "End the season…")
    await manager.click(panel, "Yes, end it")


async def server_settings(harness: AppHarness, manager: Person, page: str) -> SeenMessage:
    """The panel of a server."""
    panel = shown(await manager.slash(harness.channel, "gang settings"))
    await manager.click(panel, "This server…")
    await manager.click(panel, page)
    return panel


async def simulated(harness: AppHarness, matches: int, days: int) -> None:
    """Store matches of the past, one every few days, as the app would."""
    people = {person.name: person.id for person in harness.people}
    every = days * 86_400
    since = int(time.time()) - matches * every
    club = Club(harness.guild.id, people, [harness.channel.id], targets=(30, 60), since=since, every=every)
    database, rng = Database(f"sqlite+aiosqlite:///{database_of(harness)}"), Random(4)
    for number in range(matches):
        await record(database, number, rng, club)
    await database.close()


def _new_messages(harness: AppHarness, known: Collection[SeenMessage] = ()) -> list[SeenMessage]:
    """The newer messages in the channel, oldest first."""
    ids = {message.id for message in known}
    return [
        message for message in harness.messages(harness.people[0]) if message.id not in ids and not message.ephemeral
    ]


def _said(language: str, text: str, **facts: object) -> str:
    """A text in a language, up to the fact that is a new line."""
    return words_in(language).say(text, **facts).partition("\n")[0]


def number_of(table: SeenMessage) -> int:
    """The number of a table, from its first button."""
    return int((table.buttons[0].custom_id or "").split(":")[2])


def _is_result(message: SeenMessage) -> bool:
    """True if a button shows all hands."""
    return any((button.custom_id or "").startswith("g4:hands:") for button in message.buttons)


def _is_notice(message: SeenMessage) -> bool:
    """True if its buttons open the hand and, unless the player leads, pass."""
    return [(button.custom_id or "").split(":")[1] for button in message.buttons] in (["hand"], ["hand", "passcall"])


def _is_over(player: Player) -> bool:
    return player.panel is not None and "The match is over." in player.panel.text
