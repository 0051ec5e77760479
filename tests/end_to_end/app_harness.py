"""A channel with four people in the playground, and the app as a process connected to it."""

import asyncio
import os
import re
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from functools import cache, cached_property
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory
from typing import Final, Literal

from bot.engine import parse_cards
from bot.engine.cards import is_gang
from playground.client.person import Person
from playground.client.screen import Reply, SeenMessage
from playground.playground import Playground
from playground.world.model import Channel, Guild
from playground.world.permissions import Permission
from tests.conftest import SPEC, opened
from tests.end_to_end.app_process import BOUND, AppProcess, Control, Controls, fork_server

MY_HAND, PLAY, LAST, PASS = "My hand", "Play", 'Play and say "Last card!"', "Pass"
YOURS = ("Your turn.", "You lead")
CALL: Final = re.compile(r"Your turn, <@|^<@\d+>, (you lead|it's your turn)")

EVERY_CALL: Final = {
    "bot.presentation.channel.turn_notices.ACTIVE_FOR": 0,
    "bot.presentation.channel.turn_notices.MAX_CALLS": 10**6,
}
"""Constants with which the app calls players to every turn, so that tests can wait for the call."""
PATIENCE = 60.0
"""Seconds that Discord waits for an answer, for slow machines. Where answers get lost, tests set its three seconds."""
ANSWERED_LATE = "10062 the first response came later than three seconds after the event"
"""A violation that a busy machine causes without a fault of the app."""


class AppHarness:
    """Four people in a channel, and an app that can be killed and restarted on the same database."""

    def __init__(self, world: Playground, folder: Path, **settings: str) -> None:
        self.world = world
        self.guild: Guild = world.guild("Tea House", locale="en-US")  # English for every host
        self.channel: Channel = self.guild.channel("games")
        self.people = [world.person(name) for name in ("Ana", "Ben", "Cleo", "Dan")]
        folder.mkdir(exist_ok=True)
        self.log = folder / "app.log"
        self.controls = Controls(folder / "controls")
        self._settings = {"DATABASE_URL": f"sqlite+aiosqlite:///{folder / 'gang.sqlite3'}"} | settings
        self.constants: dict[str, object] = dict(EVERY_CALL)
        """Values for the app's constants from its next start on, by full name."""
        self.ignored_violations: tuple[str, ...] = ()
        """Parts of violations that the test accepts."""
        self.app: AppProcess | None = None

    async def start_app(self, **settings: str) -> None:
        """Start `python -m bot` and wait until it has registered its commands."""
        if not await self.try_start(**settings):
            raise AssertionError(self.log.read_text())

    async def try_start(self, **settings: str) -> bool:
        """Start the app and wait until it is ready or has ended. True if it is ready."""
        assert self.app is None or not self.app.is_alive
        await self.people[0].until(lambda: not self.world.gateway.is_complete())
        environment = self.environment(**settings)
        self.app = await fork_server().start(self.log, environment, self.controls.file, self.constants)
        ready = asyncio.create_task(self.world.app_ready(BOUND))
        await self.app.ended_or(ready)
        if self.app.is_alive:
            await ready
            return True
        ready.cancel()
        await asyncio.gather(ready, return_exceptions=True)
        return False

    def environment(self, **settings: str) -> dict[str, str]:
        """The environment of the app."""
        return {
            **os.environ,
            "DISCORD_TOKEN": self.world.token,
            "DISCORD_API_URL": self.world.api_url,
            "AI_DELAY_SECONDS": "0.02",
            "AI_WORKER": "false",  # its process would start in each of these tests
            "PICTURES": "false",
            "LIMITS_SCALE": "1000",  # programs press faster than people
            **self._settings,
            **settings,
        }

    async def kill_app(self) -> None:
        """Kill the app with SIGKILL."""
        assert self.app is not None
        await self.app.ended(signal.SIGKILL)
        self.app = None

    async def stop_app(self) -> None:
        """Stop the app with SIGTERM, as `docker stop` does, and check that it exits with 0."""
        if self.app is not None:
            await self.cancel_crash()
            assert await self.app.ended(signal.SIGTERM) == 0, self.log.read_text()
            self.app = None

    def now(self) -> int:
        """The app's time in UTC milliseconds."""
        return time.time_ns() // 1_000_000 + self.controls[Control.CLOCK_OFFSET]

    def advance_clock_to(self, moment: int) -> None:
        """Set the app's clock forward to `moment`, unless it is later already."""
        self.controls[Control.CLOCK_OFFSET] += max(0, moment - self.now())

    async def looks_after_deadlines(self) -> None:
        """Wait until the app looks after deadlines, so that time from now on doesn't count as if it was off.

        A crash also ends the wait.
        """
        await self._has_counted(Control.CONNECTED_LOOKS, 1)

    async def has_looked(self) -> None:
        """Wait until the app has looked at its deadlines from now on, and has done what was due."""
        await self._has_counted(Control.IDLE_LOOKS, self.controls[Control.IDLE_LOOKS] + 2)  # one may have begun before

    async def _has_counted(self, looks: Control, enough: int) -> None:
        assert self.app is not None
        async with asyncio.timeout(BOUND):
            while self.controls[looks] < enough and self.app.is_alive:  # noqa: ASYNC110  # shared memory
                await asyncio.sleep(0.01)

    def crash_after(self, steps: int) -> None:
        """Crash the app this many steps from now."""
        self.controls[Control.CRASH_AT] = self.controls[Control.STEPS] + steps

    async def cancel_crash(self) -> bool:
        """Cancel the planned crash. True if the app is still running."""
        assert self.app is not None
        point, self.controls[Control.CRASH_AT] = self.controls[Control.CRASH_AT], 0
        if self.controls[Control.STEPS] == point:  # it may be about to crash
            await asyncio.wait({self.app.end}, timeout=0.5)
        return self.app.is_alive

    @contextmanager
    def in_channel(self, channel: Channel, people: Sequence[Person]) -> Iterator[None]:
        """Use another channel and only some of the people in the block."""
        before = self.channel, self.people
        self.channel, self.people = channel, list(people)
        yield
        self.channel, self.people = before

    def table(self, person: Person | None = None) -> SeenMessage:
        """The newest public table."""
        return self._tables(person or self.people[0])[-1]

    async def press(self, person: Person, label: str) -> Reply:
        """Press a button of the newest table and wait until the table's message changes."""
        table = self.table(person)
        before = table.raw["components"]
        reply = await person.click(table, label)
        if reply.deferred:
            await person.until(lambda: any(table.raw["components"] != before for table in self._tables(person)[-1:]))
        return reply

    async def open_table(self, host: Person, **options: object) -> SeenMessage:
        """Open a table. Returns its message once it links to itself, so the app knows its id."""
        before = {table.id for table in self._tables(host)}
        await host.slash(self.channel, "gang new", **options)
        await host.until(
            lambda: any(self._tables(host)) and self.table(host).id not in before and is_complete(self.table(host))
        )
        return self.table(host)

    async def seat(self, people: Iterable[Person], ai_players: int = 0) -> None:
        """Let people join, and let the first person add AI players."""
        for person in people:
            await self.press(person, "Join")
        for _ in range(ai_players):
            await self.press(self.people[0], "Add AI")

    async def start_match(self) -> None:
        """Press Start as soon as every seat is taken, and wait for the first hand."""
        await self.people[0].until(lambda: can_press(self.table(), "Start"))
        await self.press(self.people[0], "Start")
        await self.people[0].until(lambda: any("Hand 1" in table.text for table in self._tables(self.people[0])[-1:]))

    async def begin_match(self, people: int, ai_players: int = 0, **options: object) -> list["Player"]:
        """Begin a match of the first `people` and AI players. Returns the people as players, without open hands."""
        seated = self.people[:people]
        await self.open_table(seated[0], seats=people + ai_players, **options)
        await self.seat(seated[1:], ai_players)
        await self.start_match()
        return [Player(self, person) for person in seated]

    def _tables(self, person: Person) -> list[SeenMessage]:
        return [message for message in self.messages(person) if message.text.startswith("### Gang of Four ·")]

    def messages(self, person: Person) -> list[SeenMessage]:
        """The messages that a person sees in the channel and its threads, oldest first."""
        places = [self.channel, *(place for place in self.guild.channels.values() if place.parent is self.channel)]
        return sorted((message for place in places for message in person.sees(place)), key=lambda message: message.id)

    async def close_table(self, number: int) -> None:
        """Let a manager close a table from another channel."""
        reply = await self.closing(self._office, number)
        assert reply.message is not None, reply
        await self.manager.click(reply.message, "Yes, close it")

    async def closing(self, place: Channel, number: int) -> Reply:
        """Let a manager type the number of a table to close. Returns the question."""
        settings = await self.manager.slash(place, "gang settings")
        panel = await _turned(self.manager, settings, "This server…", "New tables")
        return await self.manager.submit(
            (await self.manager.click(panel, "Close a table…")).modal, {"number": str(number)}
        )

    async def under_more(self, person: Person, custom_id: str, place: Channel | None = None) -> Reply:
        """Press what a table's More has, such as `close:1:0:open`, `leave-match:1:0` and `repost:1:0`."""
        own = await person.slash(place or self.channel, "gang help")
        assert own.message is not None, own
        return await person.press_old(f"g4:{custom_id}", own.message)

    @cached_property
    def manager(self) -> Person:
        """A member with the Manage Server permission."""
        return self.world.person("Mod", permissions=Permission.MANAGE_GUILD, guilds=[self.guild])

    async def server_settings(self, page: str = "") -> SeenMessage:
        """Open a page of the server's settings as the manager. Returns the panel."""
        reply = await self.manager.slash(self.channel, "gang settings")
        return await _turned(self.manager, reply, "This server…", page)

    async def table_options(self, page: str = "") -> SeenMessage:
        """Open a page of the newest table's options as its host. Returns the panel."""
        host = self.people[0]
        return await _turned(host, await host.click(self.table(), "Options"), page)

    @cached_property
    def _office(self) -> Channel:
        return self.guild.channel("office")

    async def open_hand(self, person: Person) -> SeenMessage:
        """Press "My hand" on the table. Returns the panel."""
        reply = await person.click(self.table(person), MY_HAND)
        assert reply.message is not None, reply
        assert reply.message.ephemeral
        return reply.message

    def notices(self) -> list[SeenMessage]:
        """The turn notices in the channel: at most one, and none after the match."""
        return [message for message in self.messages(self.people[0]) if CALL.search(message.text)]

    def is_over(self) -> bool:
        """True if the newest table shows the end of its match."""
        return any("The match is over." in message.text for message in self._tables(self.people[0])[-1:])


class Player:
    """A person who plays with the hand panel only."""

    def __init__(
        self, harness: AppHarness, person: Person, *, forgets: bool = False, likes_gangs: bool = False
    ) -> None:
        self.harness = harness
        self.person = person
        self.forgets = forgets
        self.likes_gangs = likes_gangs
        self.panel: SeenMessage | None = None
        self.moves = 0

    def must_act(self) -> bool:
        """True if the panel says that it's this person's turn."""
        text = self.panel.text if self.panel and not self.panel.deleted else ""
        return any(turn in text for turn in YOURS) or "Select the card that you give back" in text

    async def open(self) -> None:
        """Open the hand panel."""
        self.panel = await self.harness.open_hand(self.person)

    async def act(self) -> None:
        """Give a card back, play the longest play that the menu offers, or pass."""
        assert self.panel is not None
        self.moves += 1
        if "give back" in self.panel.text:
            await self.person.click(self.panel, custom_id=cards(self.panel)[0])
            await self.person.click(self.panel, "Give back")
        elif self.panel.selects:
            await self._choose()
            says = can_press(self.panel, LAST) and not self.forgets
            await self.person.click(self.panel, LAST if says else PLAY)
        else:
            await self.person.click(self.panel, PASS)

    async def _choose(self) -> None:
        """Select the longest play that the menu offers, and the lowest of those, so that hands end soon.

        Who likes gangs plays one as soon as the menu has it.
        """
        assert self.panel is not None
        if self.panel.selects[0].options[0].value.startswith("k"):
            longest = self.panel.selects[0].options[-1]
            await self.person.select(self.panel, longest.value)
        plays = [option for option in self.panel.selects[0].options if option.value.startswith("p")]
        gangs = [play for play in plays if self.likes_gangs and is_gang(parse_cards(play.description))]
        await self.person.select(self.panel, max(gangs or plays, key=lambda play: len(play.description.split())).value)


async def _turned(person: Person, reply: Reply, *pages: str) -> SeenMessage:
    """The panel of a reply, after its buttons for these pages."""
    assert reply.message is not None, reply
    for page in filter(None, pages):
        await person.click(reply.message, page)
    return reply.message


def cards(panel: SeenMessage) -> list[str]:
    """The custom ids of a panel's card buttons."""
    return [button.custom_id for button in panel.buttons if button.custom_id and ":card:" in button.custom_id]


def is_complete(table: SeenMessage) -> bool:
    """True if the app knows the id of the message that shows a lobby: only then its match can start."""
    return any(re.search(":(start|fill):", str(button.custom_id)) and not button.disabled for button in table.buttons)


def can_press(message: SeenMessage, label: str) -> bool:
    """True if the message has an enabled button with this label."""
    return any(button.label == label and not button.disabled for button in message.buttons)


async def play_to_the_end(harness: AppHarness, players: list[Player]) -> None:
    """Play until the match is over."""
    await play_until(harness, players, harness.is_over)


async def play_until(harness: AppHarness, players: list[Player], is_enough: Callable[[], bool]) -> None:
    """Open the hands and play until `is_enough()`."""
    for player in players:
        if not harness.is_over():  # the match may have ended just when the app was killed
            await player.open()
    await play_on(harness, players, is_enough)


async def play_on(harness: AppHarness, players: list[Player], is_enough: Callable[[], bool]) -> None:
    """Play with the open hands until `is_enough()`."""

    def next_to_act() -> Player | bool:
        return is_enough() or next((player for player in players if player.must_act()), False)

    while isinstance(mover := await harness.people[0].until(next_to_act), Player):
        await mover.act()


@asynccontextmanager
async def running_app(
    folder: Path,
    constants: Mapping[str, object] | None = None,
    *,
    rate_limits: Literal["real", "off"] = "off",
    **settings: str,
) -> AsyncIterator[AppHarness]:
    """Run the app for the block, then check that it broke none of Discord's rules and logged no traceback.

    Its database is migrated, unless the settings name another one.
    """
    async with Playground(rate_limits=rate_limits, spec=SPEC) as world:
        world.interactions.answer_seconds = PATIENCE
        harness = AppHarness(world, folder, **settings)
        harness.constants.update(constants or {})
        if "DATABASE_URL" not in settings:
            copy(f"{_migrated_folder().name}/gang.sqlite3", folder)
        try:
            await harness.start_app()
            yield harness
            violations = [
                each for each in world.violations if not any(part in each for part in harness.ignored_violations)
            ]
            assert violations == []
        finally:
            await harness.stop_app()
        log = harness.log.read_text()
        assert "Traceback" not in log, log
        assert world.token not in log


@cache
def _migrated_folder() -> TemporaryDirectory[str]:
    """A folder with an empty database that has the schema, since copying it is faster than migrating."""
    folder = TemporaryDirectory()
    with ThreadPoolExecutor(1) as thread:  # the caller's event loop is running
        thread.submit(asyncio.run, _migrate(f"sqlite+aiosqlite:///{folder.name}/gang.sqlite3")).result()
    return folder


async def _migrate(url: str) -> None:
    async with opened(url) as database:
        await database.upgrade()
