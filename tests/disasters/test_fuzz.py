"""A crowd that presses, types and sends anything at all: every interaction is answered once, and nothing leaks.

`GANG_OF_FOUR_FUZZ` says how many interactions there are, `GANG_OF_FOUR_SEED` which ones.
"""

import asyncio
import json
import os
from collections.abc import Sequence
from pathlib import Path

from playground.client.person import Person
from playground.client.screen import SeenMessage
from playground.world.model import CallbackType, Channel
from playground.world.permissions import Permission
from tests.disasters.fuzzing import InteractionGenerator, RandomInteraction, message_for, text_of
from tests.end_to_end.app_harness import AppHarness, cards, running_app
from tests.end_to_end.evidence import app_database

NUMBER = int(os.environ.get("GANG_OF_FOUR_FUZZ", "200"))
SEED = int(os.environ.get("GANG_OF_FOUR_SEED", "13"))
LINES = 40
"""How many interactions are printed at most where none of the last few goes wrong by itself."""
TOGETHER = 8
"""How many interactions are under way at the same time."""


class Crowd:
    """People of every kind, and tables at every stage, one of them in a channel that few see."""

    def __init__(self, harness: AppHarness) -> None:
        self.harness, world, guild = harness, harness.world, harness.guild
        self.hidden = guild.channel("back room")
        elsewhere = world.guild("Other House")
        more = [world.person(f"Guest {number}", guilds=[guild]) for number in range(8)]
        self.insiders = [world.person(name, guilds=[guild]) for name in ("Zenobia", "Yorick")]
        boss = world.person("Boss", permissions=Permission.ADMINISTRATOR, guilds=[guild])
        eve = world.person("Eve", permissions=Permission.ADMINISTRATOR, guilds=[elsewhere])
        self.people: list[Person] = [*harness.people, harness.manager, *more, *self.insiders, boss, eve]
        self.may_see_hidden = {*self.insiders, boss}
        self.places: list[Channel] = [harness.channel, self.hidden, elsewhere.channel("games")]
        self.hidden.deny(guild.everyone, Permission.VIEW_CHANNEL)
        for person in (*self.insiders, world.bot):
            self.hidden.allow(person, Permission.VIEW_CHANNEL)
        for person in self.insiders:  # so that their names are read nowhere else
            harness.channel.deny(person, Permission.VIEW_CHANNEL)

    async def sit_down(self) -> None:
        """A match of three, a lobby, and a match of the insiders."""
        harness = self.harness
        with harness.in_channel(self.hidden, self.insiders):
            await harness.open_table(self.insiders[0], seats=3)
            await harness.seat(self.insiders[1:], ai_players=1)
            await harness.start_match()
        await harness.open_table(harness.people[0], seats=3, target=1000)
        await harness.seat(harness.people[1:3])
        await harness.start_match()
        await harness.open_table(harness.people[1], seats=4)
        for person in (*harness.people[:3], *self.insiders):
            place = self.hidden if person in self.insiders else harness.channel
            await person.slash(place, "gang hand")

    async def do(self, interaction: RandomInteraction) -> list[str]:
        """Send an interaction and wait for its answer; gives what is wrong with that."""
        person, place = self.people[interaction.who], self.places[interaction.place]
        message = message_for(interaction, person, place)
        before = text_of(message)
        sent = self.harness.world.interactions.start(
            interaction.kind, person, place, interaction.data, message=message, payload=interaction.payload
        )
        await person.until(lambda: sent.is_settled)
        faults = [] if sent.failure is None else [f"unanswered: {sent.failure}"]
        if sent.response_type is CallbackType.UPDATE_MESSAGE and message is not None and message.reader is not person:
            faults.append("a message of somebody else is changed")
        text = text_of(sent.original) if sent.response_type is not CallbackType.DEFERRED_UPDATE else ""
        if "Something broke" in text:
            faults.append("something broke")
        if sent.original is not None and sent.original is not message and sent.original.reader is not person:
            faults.append("the answer is not private")
        names = [insider.name for insider in self.insiders if insider.name in text and insider.name not in before]
        if names and not is_of_guild(interaction) and person not in (*self.may_see_hidden, *self.invited()):
            faults.append(f"somebody who does not see the hidden channel reads of {names}")
        if sent.original is not None and sent.original.reader is person:
            faults += self._strange_cards(person, SeenMessage(sent.original))
        return faults

    def invited(self) -> list[Person]:
        """People who were seated at a table of the hidden channel or asked to it."""
        with app_database(self.harness) as connection:
            where = "WHERE table_id IN (SELECT id FROM tables WHERE channel_id = ?)"
            seated = connection.execute(
                f"SELECT user_id, substitute_id FROM seats {where}", (self.hidden.id,)
            ).fetchall()
            lists = connection.execute("SELECT invited FROM tables WHERE channel_id = ?", (self.hidden.id,)).fetchall()
        known = {user for row in seated for user in row} | {user for (row,) in lists for user in json.loads(row)}
        return [person for person in self.people if person.id in known]

    def _strange_cards(self, person: Person, panel: SeenMessage) -> list[str]:
        """Whether a panel has card buttons of a seat that this person does not play."""
        buttons = cards(panel)
        if not buttons:
            return []
        number = int(buttons[0].split(":")[2])
        with app_database(self.harness) as connection:
            query = "SELECT count(*) FROM seats WHERE table_id = ? AND (user_id = ? OR substitute_id = ?)"
            (seats,) = connection.execute(query, (number, person.id, person.id)).fetchone()
        return [] if seats else [f"cards of table {number}, where they do not sit"]

    def faults_of_the_app(self) -> list[str]:
        """What the log, the requests and the public messages say against it."""
        log = self.harness.log.read_text()
        with app_database(self.harness) as connection:
            seeds = [seed.hex() for (seed,) in connection.execute("SELECT seed FROM tables WHERE status != 'over'")]
        found = [f"the log has {what}" for what in ("Traceback", self.harness.world.token, *seeds) if what in log]
        answers = [seen.status for seen in self.harness.world.requests if seen.route.endswith("/callback")]
        found += [f"an answer was refused with {status}" for status in answers if status >= 400]
        return found + list(self.harness.world.violations)


def is_of_guild(interaction: RandomInteraction) -> bool:
    """Whether the answer may name every member of the guild who has played: boards and figures."""
    return any(word in str(interaction.data) for word in ("daily", "leaderboard", "profile", "versus", "board", "map"))


async def _all(crowd: Crowd, interactions: Sequence[RandomInteraction]) -> list[str]:
    """Do several things at the same time; gives what was wrong, with the interaction."""
    done = await asyncio.gather(*map(crowd.do, interactions))
    return [
        f"{fault}: {interaction}" for interaction, faults in zip(interactions, done, strict=True) for fault in faults
    ]


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


async def _rush(folder: Path, interactions: Sequence[RandomInteraction]) -> list[str]:
    """Do these things in a new room; gives what was wrong."""
    async with running_app(_made(folder)) as harness:
        crowd = Crowd(harness)
        await crowd.sit_down()
        for interaction in interactions:
            if faults := [*await crowd.do(interaction), *crowd.faults_of_the_app()]:
                return faults
    return []


async def _shrunk(folder: Path, interactions: Sequence[RandomInteraction]) -> Sequence[RandomInteraction]:
    """The shortest of a few ends of the list that goes wrong by itself; all of it where none does."""
    for length in (1, 2, 4, 8, 16, 32):
        try:
            if await _rush(folder / str(length), interactions[-length:]):
                return interactions[-length:]
        except AssertionError:  # the room itself found a traceback in the log
            return interactions[-length:]
    return interactions


async def _fuzz(folder: Path, interactions: list[RandomInteraction], faults: list[str]) -> None:
    """Do one thing after another, each noted in `interactions`, until something is wrong, which goes into `faults`."""
    async with running_app(folder) as harness:
        crowd = Crowd(harness)
        await crowd.sit_down()
        fuzz = InteractionGenerator(SEED, crowd.people, crowd.places)
        while len(interactions) < NUMBER and not faults:
            batch = [fuzz.interaction() for _ in range(TOGETHER)]
            interactions += batch
            faults += [*await _all(crowd, batch), *crowd.faults_of_the_app()]
            if len(interactions) % 1000 == 0:
                print(f"seed {SEED}: {len(interactions)} of {NUMBER} interactions", flush=True)  # noqa: T201  # for the soak


async def test_whatever_is_sent_is_answered_once_and_tells_nothing(tmp_path: Path) -> None:
    interactions: list[RandomInteraction] = []
    faults: list[str] = []
    try:
        await _fuzz(_made(tmp_path / "room"), interactions, faults)
    except AssertionError as error:  # the room finds faults, too, when it is left
        faults = faults or [str(error)]
    if faults:
        short = await _shrunk(tmp_path / "again", interactions)
        said = [f"seed {SEED}, interaction {len(interactions)}", *faults, "To see it again:", *map(str, short[-LINES:])]
        raise AssertionError("\n".join(said))
