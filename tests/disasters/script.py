"""A match of three people, played a step at a time; what the next step is, is read from what is stored."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeAlias

from bot.engine import Combination, GiveBack, Pass, Phase, Play, View, advance, view
from bot.engine.events import HandEnded, MatchEnded
from bot.engine.legality import identify
from bot.presentation.table.hand_state import encode
from bot.table.model import Status
from playground.client.person import Person
from playground.client.resolving import NotOffered
from playground.client.screen import Reply, SeenMessage
from playground.world.model import Channel
from tests.disasters.truth import Truth, place_of, tables_shown
from tests.end_to_end.room import LAST, MY_HAND, PASS, PLAY, Room, cards

Move: TypeAlias = Play | Pass | GiveBack
Doing: TypeAlias = Callable[[], Coroutine[Any, Any, bool]]
SEATS = 3
DECLARE = 'Say "Last card!"'
REFUSED = ("The table has moved on", "⚠️", "Something broke")
KINDS = (
    "open",
    "join",
    "start",
    "lead",
    "follow",
    "pass",
    "say last card",
    "forget last card",
    "declare",
    "end a hand",
    "give back",
    "end the match",
)
"""What a step may be."""


class Unanswered(Exception):
    """The app said nothing, or that it could not do it."""


@dataclass(frozen=True)
class Step:
    """What somebody does next; `do` says whether they saw that it was done."""

    kind: str
    do: Doing


def answered(reply: Reply) -> Reply:
    """The reply, if there is one."""
    if reply.failed is not None:
        raise Unanswered
    return reply


def changed(reply: Reply) -> Reply:
    """The reply to a press on a panel, if it has changed that."""
    if not answered(reply).updated:
        raise Unanswered
    return reply


class Match:
    """What three people do at one table after the other."""

    def __init__(self, room: Room, *, target: int, **options: object) -> None:
        self.room = room
        self.people = room.people[:SEATS]
        self._options = {"seats": SEATS, "target": target, **options}
        self._elsewhere: Channel | None = None

    def hand_from(self, channel: Channel) -> None:
        """Ask for hands in this channel from now on, as the table cannot be pressed any more."""
        self._elsewhere = channel

    def next_step(self, truth: Truth | None) -> Step:
        """What comes next at a table; without one, somebody opens it."""
        if truth is None:
            return Step("open", self._open)
        if truth.table.row.status is Status.LOBBY:
            return self._in_the_lobby(truth)
        return self._at_play(truth)

    async def _open(self) -> bool:
        reply = answered(await self.people[0].slash(self.room.channel, "gang new", **self._options))
        return reply.message is not None and " is open: " in reply.message.text

    def _in_the_lobby(self, truth: Truth) -> Step:
        sitting = {seat.user_id for seat in truth.table.seats}
        absent = next((person for person in self.people if person.id not in sitting), None)
        if absent is not None:
            return Step("join", lambda: self._press_the_table(truth, absent, "Join"))
        return Step("start", lambda: self._press_the_table(truth, self.people[0], "Start"))

    async def _press_the_table(self, truth: Truth, person: Person, label: str) -> bool:
        return answered(await person.click(self._shown(truth, person), label)).deferred

    def _shown(self, truth: Truth, person: Person) -> SeenMessage:
        shown = tables_shown(person, place_of(self.room, truth), truth.table.id)
        if not shown:
            raise NotOffered(f"{person.name} sees no table")
        return shown[-1]

    def _at_play(self, truth: Truth) -> Step:
        state = truth.table.state
        assert state is not None
        assert state.turn is not None
        owing = next((seat for seat in range(SEATS) if view(state, seat).may_declare), None)
        if owing is not None:
            return Step("declare", lambda: self._press_the_panel(truth, owing, DECLARE))
        move = chosen(view(state, state.turn))
        return Step(self._kind(truth, move), self._making(truth, move))

    def _making(self, truth: Truth, move: Move) -> Doing:
        """How whoever is to act makes a move."""
        match move:
            case GiveBack(seat):
                return lambda: self._give_back(truth, seat)
            case Pass(seat):
                return lambda: self._press_the_panel(truth, seat, PASS)
            case Play():
                label = LAST if self._kind(truth, move) == "say last card" else PLAY
                return lambda: self._play(truth, move, label)

    def _kind(self, truth: Truth, move: Move) -> str:
        state = truth.table.state
        assert state is not None
        if not isinstance(move, Play):
            return "pass" if isinstance(move, Pass) else "give back"
        left = len(state.hands[move.seat]) - len(move.cards)
        if left == 0:
            _, events = advance(state, move, truth.table.row.seed)
            ends = any(isinstance(event, MatchEnded) for event in events)
            assert any(isinstance(event, HandEnded) for event in events)
            return "end the match" if ends else "end a hand"
        if left == 1:
            return "forget last card" if truth.table.moment % 2 else "say last card"
        return "follow" if state.cycle.plays else "lead"

    async def _panel(self, truth: Truth, seat: int) -> tuple[Person, SeenMessage]:
        person = self._person(truth, seat)
        if self._elsewhere is None:
            panel = answered(await person.click(self._shown(truth, person), MY_HAND)).message
        else:
            panel = answered(await person.slash(self._elsewhere, "gang hand", table=truth.table.id)).message
        if panel is None or "your hand" not in panel.text:
            raise Unanswered
        return person, panel

    def _person(self, truth: Truth, seat: int) -> Person:
        return next(person for person in self.people if person.id == truth.table.seats[seat].user_id)

    async def _press_the_panel(self, truth: Truth, seat: int, label: str) -> bool:
        person, panel = await self._panel(truth, seat)
        return _is_done(await person.click(panel, label))

    async def _give_back(self, truth: Truth, seat: int) -> bool:
        person, panel = await self._panel(truth, seat)
        changed(await person.click(panel, custom_id=cards(panel)[0]))
        return _is_done(await person.click(panel, "Give back"))

    async def _play(self, truth: Truth, move: Play, label: str) -> bool:
        person, panel = await self._panel(truth, move.seat)
        wanted, kind = f"p{encode(move.cards)}", f"k{int(_combination(truth, move).kind)}.0"
        if not panel.selects:
            raise NotOffered("the panel offers no play")
        while wanted not in (offered := [option.value for option in panel.selects[0].options]):
            changed(await person.select(panel, kind if kind in offered else offered[-1]))
        changed(await person.select(panel, wanted))
        return _is_done(await person.click(panel, label))


def chosen(seen: View) -> Move:
    """What whoever is to act does: the longest play and of those the lowest, so that hands end soon."""
    if seen.public.phase is Phase.EXCHANGE:
        return GiveBack(seen.seat, seen.hand[0])
    plays = seen.plays()
    if not plays:
        return Pass(seen.seat)
    return Play(seen.seat, max(plays, key=lambda play: (play.size, -play)).cards)


def _combination(truth: Truth, move: Play) -> Combination:
    assert truth.table.state is not None
    situation = view(truth.table.state, move.seat).situation
    assert situation is not None
    combination = identify(situation, move.cards)
    assert combination is not None
    return combination


def _is_done(reply: Reply) -> bool:
    """Whether a move was accepted, as its panel says."""
    message = changed(reply).message
    assert message is not None
    return not any(sign in message.text for sign in REFUSED)
