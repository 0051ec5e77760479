"""Tables of four people with open hands, and what their players press next."""

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from playground.client.person import Person
from playground.client.resolving import NotOffered
from playground.client.screen import Reply, SeenMessage
from playground.world.model import Channel, Guild
from tests.end_to_end.app_harness import PASS, AppHarness, can_press, cards

LONG_MATCH: Final = 1000
"""The target of the matches, so that none ends."""
NAMES: Final = ("Ana", "Ben", "Cleo", "Dan")
SIGNS: Final = ("Your turn.", "You lead", "Select the card that you give back")
OPEN, TAP, SELECT, PLAY, PASSING, GIVE = (
    "open a hand",
    "tap a card",
    "select a play",
    "play",
    "pass",
    "give a card back",
)
_BUTTONS: Final = {SELECT: ("Lowest play",), PLAY: ('Play and say "Last card!"', "Play"), PASSING: (PASS,)}


class Button(NamedTuple):
    """A button that a person can press."""

    person: Person
    message: SeenMessage
    custom_id: str


@dataclass
class MatchTable:
    """A table in a guild of its own."""

    harness: AppHarness
    guild: Guild
    channel: Channel
    people: list[Person]
    panels: dict[Person, SeenMessage] = field(default_factory=dict)
    """The open hands."""

    @classmethod
    def create(cls, harness: AppHarness, number: int, people: int = 4) -> "MatchTable":
        """A guild with a channel and some people."""
        guild = harness.world.guild(f"Guild {number}")
        players = [harness.world.person(f"{name} {number}", guilds=[guild]) for name in NAMES[:people]]
        return cls(harness, guild, guild.channel("games"), players)

    async def start(self, target: int = LONG_MATCH) -> None:
        """Open the table, fill it with AI players and start a match. Only one table can start at a time."""
        host, *others = self.people
        with self.harness.in_channel(self.channel, self.people):
            await self.harness.open_table(host, seats=4, target=target)
            await self.harness.seat(others, 4 - len(self.people))
            await self.harness.start_match()

    async def open(self, person: Person) -> None:
        """Open a person's hand from the table."""
        reply = await self.press(OPEN, person)
        assert reply.message is not None, reply
        self.panels[person] = reply.message

    async def turn(self, *, passes: bool) -> int:
        """The person to act taps a card and plays; with `passes`, they pass if possible. Returns the presses.

        Stops early if a hand is refreshed meanwhile, and a button is gone.
        """
        person, presses = await self.mover_soon(), 0
        try:
            if not can_press(self.panels[person], "Give back"):  # another tap would take back the choice of a card
                await self.press(TAP, person)
                presses += 1
            kind = self.next_kind(person, passes=passes)
            for each in (SELECT, PLAY) if kind == SELECT else (kind,):
                await self.press(each, person)
                presses += 1
        except NotOffered:
            await self.harness.world.wait_for_change()
        return presses

    async def press(self, kind: str, person: Person) -> Reply:
        _, message, custom_id = self.button(kind, person)
        reply = await person.click(message, custom_id=custom_id)
        assert not reply.failed, reply
        return reply

    @property
    def message(self) -> SeenMessage:
        """The message of the table."""
        with self.harness.in_channel(self.channel, self.people):
            return self.harness.table()

    def mover(self) -> Person | None:
        """The person who must act, according to the open hands."""
        acting = [person for person, panel in self.panels.items() if any(sign in panel.text for sign in SIGNS)]
        return acting[0] if acting else None

    def is_over(self) -> bool:
        """True if the match is over."""
        with self.harness.in_channel(self.channel, self.people):
            return self.harness.is_over()

    async def is_over_or_waits(self) -> bool:
        """Wait until the match is over or a person must act. True if it's over."""
        await self.people[0].until(lambda: self.is_over() or self.mover())
        return self.is_over()

    async def mover_soon(self) -> Person:
        """The person who must act, as soon as a hand shows it."""
        found = await self.people[0].until(self.mover)
        assert found is not None
        return found

    def next_kind(self, person: Person, *, passes: bool) -> str:
        """The kind of the press that moves: with `passes`, a pass if that is allowed."""
        panel = self.panels[person]
        if can_press(panel, "Give back"):
            return GIVE
        return PASSING if not can_press(panel, "Lowest play") or (passes and can_press(panel, PASS)) else SELECT

    def button(self, kind: str, person: Person) -> Button:
        """The button for a kind of press."""
        if kind == OPEN:
            return self._labelled(person, self.message, "My hand")
        panel = self.panels[person]
        if kind == GIVE:
            return self._labelled(person, panel, "Give back")
        if kind == TAP:
            if not cards(panel):
                raise NotOffered("there is no card")
            return Button(person, panel, cards(panel)[0])
        return self._labelled(person, panel, *_BUTTONS[kind])

    def _labelled(self, person: Person, message: SeenMessage, *labels: str) -> Button:
        label = next((label for label in labels if can_press(message, label)), None)
        if label is None:
            raise NotOffered(f"none of {labels} can be pressed")
        (custom_id,) = [each.custom_id for each in message.buttons if each.label == label][:1]
        return Button(person, message, custom_id or "")
