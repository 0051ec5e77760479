"""A match of three people, played step by step; the next step follows from the stored table."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import reduce
from typing import Any, TypeAlias

from bot.engine import Combination, GiveBack, Pass, Phase, Play, View, evolve, view
from bot.engine.legality import identify
from bot.engine.rules import decide, match_is_decided
from bot.presentation.table.selection import encode
from bot.table.model import Status
from playground.client.person import Person
from playground.client.resolving import NotOffered
from playground.client.screen import Reply, SeenMessage
from playground.world.model import Channel
from tests.disasters.expected_state import ExpectedState, place_of, tables_shown
from tests.end_to_end.app_harness import LAST, MY_HAND, PASS, PLAY, AppHarness, cards

Move: TypeAlias = Play | Pass | GiveBack
StepAction: TypeAlias = Callable[[], Coroutine[Any, Any, bool]]
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
"""The kinds of steps."""


class Unanswered(Exception):
    """The app didn't answer, or refused."""


@dataclass(frozen=True)
class Step:
    """The next step of a match; `do` returns whether the person saw it confirmed."""

    kind: str
    do: StepAction


def answered(reply: Reply) -> Reply:
    """The reply. Raises `Unanswered` if there is none."""
    if reply.failed is not None:
        raise Unanswered
    return reply


def changed(reply: Reply) -> Reply:
    """The reply to a press on a panel. Raises `Unanswered` if the panel did not change."""
    if not answered(reply).updated:
        raise Unanswered
    return reply


class ScriptedMatch:
    """The steps of three people at one table after another."""

    def __init__(self, harness: AppHarness, *, target: int, **options: object) -> None:
        self.harness = harness
        self.people = harness.people[:SEATS]
        self._options = {"seats": SEATS, "target": target, **options}
        self._elsewhere: Channel | None = None

    def hand_from(self, channel: Channel) -> None:
        """Open hands in this channel from now on, because the table's message is gone."""
        self._elsewhere = channel

    def next_step(self, expected: ExpectedState | None) -> Step:
        """The next step at a table; without a table it is opened."""
        if expected is None:
            return Step("open", self._open)
        if expected.table.row.status is Status.LOBBY:
            return self._in_the_lobby(expected)
        return self._at_play(expected)

    async def _open(self) -> bool:
        reply = answered(await self.people[0].slash(self.harness.channel, "gang new", **self._options))
        return reply.message is not None and " is open." in reply.message.text

    def actor(self, expected: ExpectedState) -> Person:
        """The person who takes the next step: joins, starts, declares a last card, or moves."""
        if expected.table.row.status is Status.LOBBY:
            return self._missing(expected) or self.people[0]
        state, owing = expected.table.state, self._owing(expected)
        assert state is not None
        assert state.turn is not None
        return self._person(expected, state.turn if owing is None else owing)

    def _missing(self, expected: ExpectedState) -> Person | None:
        sitting = {seat.user_id for seat in expected.table.seats}
        return next((person for person in self.people if person.id not in sitting), None)

    def _owing(self, expected: ExpectedState) -> int | None:
        """The seat that has to declare its last card."""
        state = expected.table.state
        assert state is not None
        return next((seat for seat in range(SEATS) if view(state, seat).may_declare), None)

    def _in_the_lobby(self, expected: ExpectedState) -> Step:
        missing = self._missing(expected)
        if missing is not None:
            return Step("join", lambda: self._press_the_table(expected, missing, "Join"))
        return Step("start", lambda: self._press_the_table(expected, self.people[0], "Start"))

    async def _press_the_table(self, expected: ExpectedState, person: Person, label: str) -> bool:
        return answered(await person.click(self._shown(expected, person), label)).deferred

    def _shown(self, expected: ExpectedState, person: Person) -> SeenMessage:
        shown = tables_shown(person, place_of(self.harness, expected), expected.table.id)
        if not shown:
            raise NotOffered(f"{person.name} sees no table")
        return shown[-1]

    def _at_play(self, expected: ExpectedState) -> Step:
        state = expected.table.state
        assert state is not None
        assert state.turn is not None
        owing = self._owing(expected)
        if owing is not None:
            return Step("declare", lambda: self._press_the_panel(expected, owing, DECLARE))
        move = chosen(view(state, state.turn))
        return Step(self._kind(expected, move), self._making(expected, move))

    def _making(self, expected: ExpectedState, move: Move) -> StepAction:
        """The action by which the seat to act makes a move."""
        match move:
            case GiveBack(seat):
                return lambda: self._give_back(expected, seat)
            case Pass(seat):
                return lambda: self._press_the_panel(expected, seat, PASS)
            case Play():
                label = LAST if self._kind(expected, move) == "say last card" else PLAY
                return lambda: self._play(expected, move, label)

    def _kind(self, expected: ExpectedState, move: Move) -> str:
        state = expected.table.state
        assert state is not None
        if not isinstance(move, Play):
            return "pass" if isinstance(move, Pass) else "give back"
        left = len(state.hands[move.seat]) - len(move.cards)
        if left == 0:
            after = reduce(evolve, decide(state, move), state)
            return "end the match" if match_is_decided(after) else "end a hand"
        if left == 1:
            return "forget last card" if expected.table.moment % 2 else "say last card"
        return "follow" if state.cycle.plays else "lead"

    async def _panel(self, expected: ExpectedState, seat: int) -> tuple[Person, SeenMessage]:
        person = self._person(expected, seat)
        if self._elsewhere is None:
            panel = answered(await person.click(self._shown(expected, person), MY_HAND)).message
        else:
            panel = answered(await person.slash(self._elsewhere, "gang hand", table=expected.table.id)).message
        if panel is None or "your hand" not in panel.text:
            raise Unanswered
        return person, panel

    def _person(self, expected: ExpectedState, seat: int) -> Person:
        return next(person for person in self.people if person.id == expected.table.seats[seat].user_id)

    async def _press_the_panel(self, expected: ExpectedState, seat: int, label: str) -> bool:
        person, panel = await self._panel(expected, seat)
        return _is_done(await person.click(panel, label))

    async def _give_back(self, expected: ExpectedState, seat: int) -> bool:
        person, panel = await self._panel(expected, seat)
        changed(await person.click(panel, custom_id=cards(panel)[0]))
        return _is_done(await person.click(panel, "Give back"))

    async def _play(self, expected: ExpectedState, move: Play, label: str) -> bool:
        person, panel = await self._panel(expected, move.seat)
        wanted, kind = f"p{encode(move.cards)}", f".{int(_combination(expected, move).kind)}.0"
        if not panel.selects:
            raise NotOffered("the panel offers no play")
        while wanted not in (offered := [option.value for option in panel.selects[0].options]):
            of_kind = (value for value in offered if value.endswith(kind))
            changed(await person.select(panel, next(of_kind, offered[-1])))
        changed(await person.select(panel, wanted))
        return _is_done(await person.click(panel, label))


def chosen(seen: View) -> Move:
    """Choose the longest play, and the lowest of those, so that hands end soon."""
    if seen.public.phase is Phase.EXCHANGE:
        return GiveBack(seen.seat, seen.hand[0])
    plays = seen.plays()
    if not plays:
        return Pass(seen.seat)
    return Play(seen.seat, max(plays, key=lambda play: (play.size, -play)).cards)


def _combination(expected: ExpectedState, move: Play) -> Combination:
    assert expected.table.state is not None
    situation = view(expected.table.state, move.seat).situation
    assert situation is not None
    combination = identify(situation, move.cards)
    assert combination is not None
    return combination


def _is_done(reply: Reply) -> bool:
    """True if the panel shows that a move was accepted."""
    message = changed(reply).message
    assert message is not None
    return not any(sign in message.text for sign in REFUSED)
