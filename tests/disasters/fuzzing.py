"""Interactions made up at random: what a client offers, what it still shows, and what only a forger sends."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from bot.presentation.ui.custom_ids import Press
from bot.presentation.ui.verbs import Verb
from playground.client.person import Person
from playground.client.screen import SeenMessage
from playground.world.model import Channel, InteractionType, Json, Message
from playground.world.permissions import Permission

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
    """One interaction, so that it can be sent again in another room: people and places by their index."""

    kind: InteractionType
    who: int
    place: int
    data: Json
    on: str = "none"
    """The message that it comes from: the last one that is `own`, somebody `else`'s or `public`, or `none`."""
    payload: Json = field(default_factory=dict)


class InteractionGenerator:
    """Makes up interactions of a crowd from what they see, what there is to press, and nonsense."""

    def __init__(self, seed: int, people: Sequence[Person], places: Sequence[Channel]) -> None:
        self._random = random.Random(seed)
        self._people = people
        self._places = places

    def interaction(self) -> RandomInteraction:
        """The next one."""
        who = self._random.randrange(len(self._people))
        seen = [place for place in self._places if self._may_be_in(who, place)]
        place = self._places.index(self._random.choice(seen))
        made: Callable[[int, int], RandomInteraction] = self._random.choices(
            (self._offered, self._mutated, self._forged, self._command, self._broken_command, self._form),
            weights=(6, 4, 4, 4, 1, 1),
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
        """Press a button or use a menu that is on somebody's screen."""
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
            data = {"custom_id": self._random.choice(pressed or ["g4:rules:0:0"]), "component_type": 2}
        return RandomInteraction(InteractionType.COMPONENT, who, place, data, on)

    def _mutated(self, who: int, place: int) -> RandomInteraction:
        """Change a part of what could be pressed."""
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
        """Press anything there is, at any table."""
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
        """Send a form, known or not, with anything in it."""
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
            option = "number" if name in ("match", "verify") else "table"
            options.append({"name": option, "type": 4, "value": self._random.choice(TABLES[:-1])})
        if name == "new":
            options.append({"name": "seats", "type": 4, "value": self._random.choice((3, 4))})
        if name == "beats":
            options.append({"name": "first", "type": 3, "value": str(self._random.choice(ODD))})
        return RandomInteraction(InteractionType.COMMAND, who, place, _gang(name, options))

    def _broken_command(self, who: int, place: int) -> RandomInteraction:
        """Use a command with values that it does not take; or have it completed, which none of ours does."""
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

    def _message(self) -> str:
        return self._random.choices(("own", "else", "public", "none"), weights=(6, 2, 2, 1))[0]


COMMANDS: Final = (
    "new", "duplicate", "list", "turns", "settings", "hand", "show", "leave", "close", "leaderboard", "profile",
    "versus", "history", "match", "verify", "daily", "privacy", "rules", "beats", "help", "about", "tutorial",
)  # fmt: skip
NUMBERED: Final = ("duplicate", "hand", "show", "leave", "close", "match", "verify")


def _gang(name: str, options: list[Json]) -> Json:
    return {"type": 1, "name": "gang", "id": "1", "options": [{"name": name, "type": 1, "options": options}]}


def message_for(interaction: RandomInteraction, person: Person, place: Channel) -> Message | None:
    """The message that a interaction comes from, as far as there is one."""
    every = [message for message in place.messages.values() if message.author.is_bot and not message.is_deleted]
    found = {
        "own": [message for message in every if message.reader is person],
        "else": [message for message in every if message.reader not in (None, person)],
        "public": [message for message in every if message.reader is None],
        "none": [],
    }[interaction.on]
    return found[-1] if found else None


def text_of(message: Message | None) -> str:
    """Everything in a message that can be read."""
    return "" if message is None else f"{SeenMessage(message).text} {message.components}"
