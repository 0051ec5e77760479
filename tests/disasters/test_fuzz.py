"""A crowd sends arbitrary interactions: each is answered once, and nothing leaks.

`GANG_OF_FOUR_FUZZ` is the number of interactions, `GANG_OF_FOUR_SEED` chooses them.
"""

import asyncio
import json
import os
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from bot.presentation.ui.custom_ids import Press, Verb
from playground import payloads
from playground.client.person import Person
from playground.client.screen import SeenMessage
from playground.world.model import CallbackType, Channel, InteractionType, Json, Message
from playground.world.permissions import Permission
from tests.cogs.tree import all_commands, number_options
from tests.end_to_end.app_harness import AppHarness, cards, running_app
from tests.end_to_end.inspection import app_database

ODD: Final[tuple[Any, ...]] = (
    "", " ", "0", "-1", "1", "3", "٣", "²", "1e9", "None", "null", "on", "off", "yes", "mine", "basics", "t", "n", "a",
    "k", "p", "p3333", "k4.99", "🐉", "x" * 100, "9" * 19, str(2**63 - 1), str(2**63), "9" * 400, "\n", "\x00", "%s",
    "<@1>", "'; --", "2026-12-24", "0001-01-01", "9999-12-31", "25:61", "Europe/Paris", "24.12.", "0-0", "22-7",
)  # fmt: skip
VALUES: Final[tuple[Any, ...]] = (
    None, "x", 7, [], [""], ["1", "2"], [None], [[]], [{}], [2**70], ["9" * 30], ["1"] * 40, {"0": "1"},
)  # fmt: skip
FIELDS: Final[tuple[Any, ...]] = (
    None, "x", [], [{}], ["x"], [{"component": None}], [{"component": {"custom_id": "zone"}}],
    [{"component": {"custom_id": "zone", "value": None}}], [{"component": {"custom_id": "name", "value": "x" * 9000}}],
    [{"type": 18, "component": {"type": 4, "custom_id": "zone", "value": "Europe/Paris"}}],
    [{"type": 18, "component": {"type": 4, "custom_id": "name", "value": "\u3164\n@everyone"}}],
    [{"component": {"custom_id": each, "value": "31.2."}} for each in ("first", "last")],
    [{"component": {"custom_id": each, "value": "²:٣"}} for each in ("start", "end")],
)  # fmt: skip
OPTIONS: Final[tuple[Any, ...]] = (None, 1, 2, 3, 0, -1, 2**31, 2**53, 2**64, True, "7G 7R", "x", "", 1.5, [], {})
PAYLOADS: Final[tuple[Json, ...]] = (
    {"locale": "tlh"}, {"locale": 7}, {"guild_locale": None}, {"app_permissions": "0"}, {"entitlements": []},
    {"context": 9}, {"attachment_size_limit": 0}, {"unknown": {"of": "tomorrow"}},
)  # fmt: skip
TABLES: Final = (*range(1, 9), 99, 2**31, 2**63 - 1)


@dataclass(frozen=True, slots=True)
class RandomInteraction:
    """An interaction that can be sent again in another playground: people and places by index."""

    kind: InteractionType
    who: int
    place: int
    data: Json
    on: str = "none"
    """Its message: the last that is the user's `own`, someone `else`'s or `public`, or `none`."""
    payload: Json = field(default_factory=dict)


class InteractionGenerator:
    """Invents interactions from visible and other buttons, commands, forms and nonsense."""

    def __init__(self, seed: int, people: Sequence[Person], places: Sequence[Channel]) -> None:
        self._random = random.Random(seed)
        self._people = people
        self._places = places

    def interaction(self) -> RandomInteraction:
        """The next interaction."""
        who = self._random.randrange(len(self._people))
        seen = [place for place in self._places if self._may_be_in(who, place)]
        place = self._places.index(self._random.choice(seen))
        made: Callable[[int, int], RandomInteraction] = self._random.choices(
            (
                *(self._offered, self._mutated, self._forged, self._command, self._broken_command, self._form),
                self._from_apps_menu,
            ),
            weights=(6, 4, 4, 4, 1, 1, 2),
        )[0]
        interaction = made(who, place)
        return (
            replace(interaction, payload=self._random.choice(PAYLOADS)) if self._random.random() < 0.03 else interaction
        )

    def _may_be_in(self, who: int, place: Channel) -> bool:
        """True if the person sees the channel."""
        guild, person = place.guild, self._people[who]
        inside = guild is not None and person.id in guild.members
        return inside and bool(place.world.permissions(person, place) & Permission.VIEW_CHANNEL)

    def _offered(self, who: int, place: int) -> RandomInteraction:
        """Press a button or use a menu that a person sees."""
        seen = [each for each in self._people[who].sees(self._places[place])[-12:] if each.buttons or each.selects]
        if not seen:
            return self._command(who, place)
        message = self._random.choice(seen)
        on = "own" if message.ephemeral else "public"
        data: Json
        if message.selects and self._random.random() < 0.4:
            menu = self._random.choice(message.selects)
            chosen = [self._random.choice(menu.options).value] if menu.options else [str(self._people[who].id)]
            data = {"custom_id": menu.custom_id, "component_type": 3, "values": chosen}
        else:
            pressed = [button.custom_id for button in message.buttons if button.custom_id]
            data = {"custom_id": self._random.choice(pressed or ["g4:rules:0:0:brief"]), "component_type": 2}
        return RandomInteraction(InteractionType.COMPONENT, who, place, data, on)

    def _mutated(self, who: int, place: int) -> RandomInteraction:
        """Change a part of a valid press."""
        interaction = self._offered(who, place)
        if interaction.kind is not InteractionType.COMPONENT:
            return interaction
        parts = str(interaction.data["custom_id"]).split(":")
        at = self._random.randrange(len(parts) + 1)
        odd = self._random.choice((*ODD, *map(str, TABLES), *Verb))
        parts = [*parts[:at], odd, *parts[at + 1 :]] if self._random.random() < 0.8 else parts[:at]
        data = interaction.data | {"custom_id": ":".join(parts)}
        if self._random.random() < 0.3:
            data["values"] = self._random.choice(VALUES)
        if self._random.random() < 0.2:
            data["component_type"] = self._random.choice((2, 3, 5, 8, 99))
        return replace(interaction, data=data, on=self._message())

    def _forged(self, who: int, place: int) -> RandomInteraction:
        """Press any button at any table."""
        arguments = tuple(str(self._random.choice(ODD)) for _ in range(self._random.randrange(4)))
        if self._random.random() < 0.3:
            arguments = ("n", self._random.choice(("", "5", "55", "0")), "", "5", "0")[: self._random.randrange(6)]
        moment = self._random.choice((0, 0, 1, 5, 9, 2**63 - 1))
        press = Press(self._random.choice(list(Verb)), self._random.choice(TABLES), moment, arguments)
        data: Json = {"custom_id": str(press), "component_type": 2}
        if self._random.random() < 0.4:
            values = self._random.choice((*VALUES, [str(self._random.choice(ODD))], [str(self._random.choice(TABLES))]))
            data |= {"component_type": 3, "values": values}
        return RandomInteraction(InteractionType.COMPONENT, who, place, data, self._message())

    def _form(self, who: int, place: int) -> RandomInteraction:
        """Send a form, known or unknown, with any content."""
        verb = self._random.choice((Verb.FORM_SENT, Verb.FORM_SENT, Verb.SEASON_NAME, *Verb))
        arguments = (self._random.choice(("zone", "quiet", "away", "x")), "1")
        data = {"custom_id": str(Press(verb, 0, 0, arguments)), "components": self._random.choice(FIELDS)}
        if not isinstance(data["components"], list):
            data["components"] = []  # discord.py itself reads this one
        return RandomInteraction(InteractionType.MODAL_SUBMIT, who, place, data, self._message())

    def _command(self, who: int, place: int) -> RandomInteraction:
        """Use a command as a client would."""
        name = self._random.choice(COMMANDS)
        options: list[Json] = []
        if name in NUMBERED and self._random.random() < 0.7:
            options.append({"name": NUMBERED[name], "type": 4, "value": self._random.choice(TABLES[:-1])})
        if name == "new":
            options.append({"name": "seats", "type": 4, "value": self._random.choice((3, 4))})
        if name == "rules":
            options.append({"name": "first", "type": 3, "value": str(self._random.choice(ODD))})
        return RandomInteraction(InteractionType.COMMAND, who, place, _gang(name, options))

    def _broken_command(self, who: int, place: int) -> RandomInteraction:
        """Use a command with invalid values, or ask for its autocompletion."""
        interaction = self._command(who, place)
        name = self._random.choice((*COMMANDS, "nothing"))
        option = self._random.choice(("table", "number", "person", "file", "seats", "edition", "whose", "first"))
        kind = self._random.choice((3, 4, 5, 6, 10, 11, 99))
        broken: Json = {"name": option, "type": kind, "value": self._random.choice(OPTIONS)}
        if self._random.random() < 0.2:
            return replace(
                interaction, kind=InteractionType.AUTOCOMPLETE, data=_gang(name, [broken | {"focused": True}])
            )
        return replace(interaction, data=_gang(name, [broken]))

    def _from_apps_menu(self, who: int, place: int) -> RandomInteraction:
        """Use a command of the Apps menu on anyone, or on a message with the buttons of any table."""
        name, target = self._random.choice(IN_APPS_MENU), self._random.choice(self._people)
        data: Json = {"id": "1", "name": name, "type": 2, "target_id": str(target.id)}
        data["resolved"] = {"users": {data["target_id"]: payloads.user_json(target)}}
        public = [seen for seen in self._people[who].sees(self._places[place]) if not seen.ephemeral]
        if name == "My hand" and public:
            press = Press(self._random.choice((Verb.HAND, Verb.JOIN, *Verb)), self._random.choice(TABLES))
            row = {"type": 1, "components": [{"type": 2, "style": 1, "label": "x", "custom_id": str(press)}]}
            message = self._random.choice(public).raw | {"components": [row]}
            data |= {"type": 3, "target_id": message["id"], "resolved": {"messages": {message["id"]: message}}}
        if self._random.random() < 0.2:
            data[self._random.choice(("name", "type", "target_id", "resolved"))] = self._random.choice(OPTIONS)
        return RandomInteraction(InteractionType.COMMAND, who, place, data)

    def _message(self) -> str:
        return self._random.choices(("own", "else", "public", "none"), weights=(6, 2, 2, 1))[0]


COMMANDS: Final = sorted(all_commands())
NUMBERED: Final = number_options()
IN_APPS_MENU: Final = ("Profile", "Compare with me", "Invite to my table", "My hand")


def _gang(name: str, options: list[Json]) -> Json:
    return {"type": 1, "name": "gang", "id": "1", "options": [{"name": name, "type": 1, "options": options}]}


def message_for(interaction: RandomInteraction, person: Person, place: Channel) -> Message | None:
    """The message of an interaction, if there is one."""
    every = [message for message in place.messages.values() if message.author.is_bot and not message.is_deleted]
    found = {
        "own": [message for message in every if message.reader is person],
        "else": [message for message in every if message.reader not in (None, person)],
        "public": [message for message in every if message.reader is None],
        "none": [],
    }[interaction.on]
    return found[-1] if found else None


def text_of(message: Message | None) -> str:
    """All readable text of a message."""
    return "" if message is None else f"{SeenMessage(message).text} {message.components}"


NUMBER = int(os.environ.get("GANG_OF_FOUR_FUZZ", "200"))
SEED = int(os.environ.get("GANG_OF_FOUR_SEED", "13"))
LINES = 40
"""The most interactions that are printed if none of the last few fails alone."""
DELETED = ": 10008 Unknown Message"
"""A refusal that is no fault: the table was posted again between a press and its answer, and the user is told so."""
TOGETHER = 8
"""Interactions that run at the same time."""


class Crowd:
    """People with different permissions, and tables at every stage, one of them in a hidden channel."""

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
        for person in self.insiders:  # so their names appear nowhere else
            harness.channel.deny(person, Permission.VIEW_CHANNEL)

    async def sit_down(self) -> None:
        """A match of three, a lobby, and a match of the insiders."""
        harness = self.harness
        with harness.in_channel(self.hidden, self.insiders):
            await harness.open_table(self.insiders[0], seats=3)
            await harness.seat(self.insiders[1:], ai_players=1)
            await harness.start_match()
        await harness.begin_match(3, target=1000)
        await harness.open_table(harness.people[1], seats=4)
        for person in (*harness.people[:3], *self.insiders):
            place = self.hidden if person in self.insiders else harness.channel
            await person.slash(place, "gang hand")

    async def do(self, interaction: RandomInteraction) -> list[str]:
        """Send an interaction and wait for its answer. Returns the faults."""
        person, place = self.people[interaction.who], self.places[interaction.place]
        message = message_for(interaction, person, place)
        before = text_of(message)
        sent = self.harness.world.interactions.start(
            interaction.kind, person, place, interaction.data, message=message, payload=interaction.payload
        )
        await person.until(lambda: sent.is_settled)
        faults = [] if sent.failure is None else [f"unanswered: {sent.failure}"]
        if sent.response_type is CallbackType.UPDATE_MESSAGE and message is not None and message.reader is not person:
            faults.append("another user's message was changed")
        text = text_of(sent.original) if sent.response_type is not CallbackType.DEFERRED_UPDATE else ""
        if "Something broke" in text:
            faults.append("something broke")
        if sent.original is not None and sent.original is not message and sent.original.reader is not person:
            faults.append("the answer is not private")
        names = [insider.name for insider in self.insiders if insider.name in text and insider.name not in before]
        if names and not is_of_guild(interaction) and person not in (*self.may_see_hidden, *self.invited()):
            faults.append(f"a user who can't see the hidden channel reads {names}")
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
        """The faults of a panel with cards of a seat or a practice hand that isn't the person's."""
        buttons = cards(panel)
        if not buttons:
            return []
        verb, number = buttons[0].split(":")[1:3]
        queries = {
            Verb.CARD: "SELECT count(*) FROM seats WHERE ? IN (user_id, substitute_id) AND table_id = ?",
            Verb.PRACTICE_HAND: "SELECT count(*) FROM practices WHERE user_id = ? AND begun_at = ?",
        }
        if verb not in queries:  # everyone may see a puzzle or a lesson
            return []
        with app_database(self.harness) as connection:
            (own,) = connection.execute(queries[Verb(verb)], (person.id, int(number))).fetchone()
        return [] if own else [f"cards of {verb} {number}, which aren't theirs"]

    def faults_of_the_app(self) -> list[str]:
        """The errors in the log, the requests and the public messages."""
        log = self.harness.log.read_text()
        with app_database(self.harness) as connection:
            seeds = [seed.hex() for (seed,) in connection.execute("SELECT seed FROM tables WHERE status != 'over'")]
        found = [f"the log has {what}" for what in ("Traceback", self.harness.world.token, *seeds) if what in log]
        answers = [seen.status for seen in self.harness.world.requests if seen.route.endswith("/callback")]
        found += [f"an answer was refused with {status}" for status in answers if status >= 400 and status != 404]
        refused = [each for each in self.harness.world.refusals if "/callback: " in each]
        found += [each for each in refused if not each.endswith(DELETED)]
        return found + list(self.harness.world.violations)


def is_of_guild(interaction: RandomInteraction) -> bool:
    """True if the answer may name any member who has played, as leaderboards and profiles do."""
    words = ("daily", "leaderboard", "profile", "Profile", "Compare with me", "versus", "board", "map")
    return any(word in str(interaction.data) for word in words)


async def _all(crowd: Crowd, interactions: Sequence[RandomInteraction]) -> list[str]:
    """Send several interactions at the same time. Returns the faults, with the interaction."""
    done = await asyncio.gather(*map(crowd.do, interactions))
    return [
        f"{fault}: {interaction}" for interaction, faults in zip(interactions, done, strict=True) for fault in faults
    ]


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


async def _rush(folder: Path, interactions: Sequence[RandomInteraction]) -> list[str]:
    """Send these interactions in a new playground. Returns the faults."""
    async with running_app(_made(folder)) as harness:
        crowd = Crowd(harness)
        await crowd.sit_down()
        for interaction in interactions:
            if faults := [*await crowd.do(interaction), *crowd.faults_of_the_app()]:
                return faults
    return []


async def _shrunk(folder: Path, interactions: Sequence[RandomInteraction]) -> Sequence[RandomInteraction]:
    """The shortest of a few ends of the list that fails alone; the whole list if none does."""
    for length in (1, 2, 4, 8, 16, 32):
        try:
            if await _rush(folder / str(length), interactions[-length:]):
                return interactions[-length:]
        except AssertionError:  # the playground found a traceback in the log
            return interactions[-length:]
    return interactions


async def _fuzz(folder: Path, interactions: list[RandomInteraction], faults: list[str]) -> None:
    """Send interactions, recorded in `interactions`, until there are `faults`."""
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


async def test_any_interaction_is_answered_once_and_leaks_nothing(tmp_path: Path) -> None:
    interactions: list[RandomInteraction] = []
    faults: list[str] = []
    try:
        await _fuzz(_made(tmp_path / "room"), interactions, faults)
    except AssertionError as error:  # leaving the playground can find faults, too
        faults = faults or [str(error)]
    if faults:
        short = await _shrunk(tmp_path / "again", interactions)
        said = [f"seed {SEED}, interaction {len(interactions)}", *faults, "To see it again:", *map(str, short[-LINES:])]
        raise AssertionError("\n".join(said))
