"""What two people and an AI do at a table with a clock and a thread, a step at a time: they are late, away, pause."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from bot.engine import GiveBack, view
from bot.engine.events import HandEnded, Undone
from bot.presentation.table.lobby_options import setup
from bot.table import absence, consent, due_actions, lobby, play
from bot.table.model import ClockStage, Status
from bot.table.play import Change
from bot.table.snapshot import Table
from playground.client.person import Person
from tests.disasters.model import change_of, goes_on, robot_to_move
from tests.disasters.script import Match, Move, Step, answered, changed, chosen
from tests.disasters.steered import SteeredRoom
from tests.disasters.truth import Truth, calls_shown, place_of, truths

TARGET = 30
PACE = "day"
"""Long enough that no stage of the clock ends by itself, however often the app dies in it."""
HOUR = 3_600_000
PAUSES = ("agree to pause", "pause", "go on")
CLOCK = ("be reminded", "ask the table", "let an AI in", "come back", "move gently")
MOVES = ("an AI answers", "a person answers", "give back", "take back")
KINDS = ("open", "choose a custom", "join", "add an AI", "start", *MOVES, *PAUSES, *CLOCK, "close")
"""What a step may be."""
DUE = {ClockStage.RUNNING: "be reminded", ClockStage.REMINDED: "ask the table", ClockStage.ASKED: "move gently"}
"""What time does next."""


@dataclass(frozen=True)
class Deed(Step):
    """A step, and what it makes of a table."""

    change: Callable[[Table], Change] | None = None


class Course(Match):
    """What is done at one table: of what can be done next, what somebody still wants to see."""

    room: SteeredRoom

    def __init__(self, room: SteeredRoom, wanted: Callable[[], list[str]]) -> None:
        """`wanted`: the kinds of steps that somebody wants to see; with none of its match left, the table is closed."""
        super().__init__(room, target=TARGET, pace=PACE, last_card="automatic")
        self.people = room.people[:2]
        self._wanted = wanted
        self._paused_in = -1  # the moment of the last turn in which there was a pause

    def _wants(self, *kinds: str) -> bool:
        return not set(self._wanted()).isdisjoint(kinds)

    def next_step(self, truth: Truth | None) -> Deed:
        if truth is None:
            return Deed("open", self._open)
        if truth.table.row.status is Status.LOBBY:
            return self._in_the_lobby(truth)
        return self._at_play(truth)

    def _in_the_lobby(self, truth: Truth) -> Deed:
        row, (host, guest) = truth.table.row, self.people
        custom = next((name for name in ("thread", "undo") if not getattr(row.settings, name)), None)
        if custom is not None:
            wished = change_of(play.change_lobby, lobby.configured, host.id, setup(row, custom, "on"))
            return Deed("choose a custom", lambda: self._choose(truth, custom), wished)
        if guest.id not in {seat.user_id for seat in row.seats}:
            joined = change_of(play.join, lobby.Person(guest.id, guest.name))
            return Deed("join", lambda: self._press_the_table(truth, guest, "Join"), joined)
        if len(row.seats) < row.size:
            seated = change_of(play.change_lobby, lobby.with_ai, host.id)
            return Deed("add an AI", lambda: self._press_the_table(truth, host, "Add AI"), seated)
        started = change_of(play.start, host.id)
        return Deed("start", lambda: self._press_the_table(truth, host, "Start"), started)

    async def _choose(self, truth: Truth, custom: str) -> bool:
        host = self.people[0]
        panel = answered(await host.click(self._shown(truth, host), "Options")).message
        assert panel is not None
        changed(await host.click(panel, "Customs"))
        (menu,) = [menu for menu in panel.selects if menu.custom_id.endswith(custom)]
        return changed(await host.select(panel, "on", custom_id=menu.custom_id)).updated

    def _at_play(self, truth: Truth) -> Deed:
        table, away = truth.table, self._absent(truth)
        if table.row.paused_at is not None:
            self._paused_in = table.moment
            going_on = change_of(consent.resume, self.people[0].id)
            return Deed("go on", lambda: self._go_on(truth), going_on)
        if away is not None:
            return Deed("come back", lambda: self._come_back(truth, away), change_of(absence.come_back, away.id))
        return self._of_consent(truth) or self._of_time(truth) or self._of_play(truth)

    def _absent(self, truth: Truth) -> Person | None:
        away = {seat.user_id for seat in truth.table.seats if seat.is_absent}
        return next((person for person in self.people if person.id in away), None)

    async def _go_on(self, truth: Truth) -> bool:
        self.room.lets_time_pass_until(self.room.now() + HOUR)
        return await self._press_the_table(truth, self.people[0], "Go on")

    async def _come_back(self, truth: Truth, person: Person) -> bool:
        reply = answered(await person.click(self._shown(truth, person), "I am back"))
        return reply.message is not None and "You play your own seat again" in reply.message.text

    def _of_consent(self, truth: Truth) -> Deed | None:
        """A pause, now and then before and now and then after a reminder, one a turn."""
        table = truth.table
        stage = table.row.clock.stage if table.row.clock else None
        if table.row.pausing:
            (person,) = [person for person in self.people if person.id not in table.row.pausing]
            return self._pause(truth, "pause", person)
        when = ClockStage.REMINDED if table.moment % 2 and self._wants(*CLOCK) else ClockStage.RUNNING
        if self._wants(*PAUSES) and stage is when and self._paused_in != table.moment:
            return self._pause(truth, "agree to pause", self.people[table.moment // 2 % 2])
        return None

    def _pause(self, truth: Truth, kind: str, person: Person) -> Deed:
        async def press() -> bool:
            more = answered(await person.click(self._shown(truth, person), "More")).message
            assert more is not None
            return changed(await person.click(more, "I would like a pause")).updated

        return Deed(kind, press, change_of(consent.agree_to_pause, person.id))

    def _of_time(self, truth: Truth) -> Deed | None:
        """The turn takes longer, as far as somebody wants to see what comes of it; now and then it is a quick one."""
        table = truth.table
        assert table.row.clock is not None
        assert truth.deadline is not None
        stage = table.row.clock.stage
        if stage is ClockStage.ASKED and self._wants("let an AI in", "come back"):
            (other,) = [person for person in self.people if person.id != truth.person]
            let_in = change_of(absence.answer, other.id, table.moment, absence.let_ai_play)
            return Deed("let an AI in", lambda: self._let_in(truth, other), let_in)
        stages, is_quick = list(DUE), table.moment % 3 == 0 and self._wants(*MOVES)
        if stage in stages and not is_quick and self._wants(*CLOCK[stages.index(stage) :]):
            return Deed(DUE[stage], lambda: self._is_late(truth), due_actions.ACTIONS[truth.deadline.kind])
        return None

    async def _let_in(self, truth: Truth, person: Person) -> bool:
        (question,) = calls_shown(person, place_of(self.room, truth), truth.table.id)
        return answered(await person.click(question, "An AI sits in")).deferred

    async def _is_late(self, truth: Truth) -> bool:
        """Let time pass until what is due is done."""
        assert truth.deadline is not None
        assert self.room.app is not None
        self.room.lets_time_pass_until(truth.deadline.due_at)
        async with asyncio.timeout(20):
            while self.room.app.is_alive:
                if truths(self.room)[truth.table.id].table.row.revision > truth.table.row.revision:
                    return True
                await asyncio.sleep(0.01)
        return False

    def _of_play(self, truth: Truth) -> Deed:
        table = truth.table
        assert table.state is not None
        assert table.turn is not None
        taken_back = self._taking_back(truth)
        if taken_back is not None and self._wants("take back"):
            return taken_back
        if not self._wants(*MOVES, *PAUSES, *CLOCK):
            closed = change_of(consent.close, self.room.manager.id, may_manage=True)
            return Deed("close", lambda: self._close(truth), closed)
        move = chosen(view(table.state, table.turn))
        return Deed(self._kind(truth, move), self._making(truth, move), change_of(play.move, move))

    def _taking_back(self, truth: Truth) -> Deed | None:
        """The last play, if a person made it themselves, and not too soon after another was taken back."""
        before, of_late = truth.table.state and truth.table.state.undo, truth.lines[-6:]
        if before is None or before.turn is None or any(isinstance(line.event, Undone) for line in of_late):
            return None
        seat, person = before.turn, truth.table.seats[before.turn].person
        if person is None or truth.table.seats[seat].missed:
            return None
        undone = change_of(consent.undo, person, truth.table.moment)
        return Deed("take back", lambda: self._press_the_panel(truth, seat, "Take back"), undone)

    async def _close(self, truth: Truth) -> bool:
        asked = answered(await self.room.manager.slash(self.room.channel, "gang close", table=truth.table.id)).message
        if asked is None:
            return False
        answered(await self.room.manager.press_old(f"g4:close:{truth.table.id}:0", asked))
        return "is closed" in asked.text

    def _kind(self, truth: Truth, move: Move) -> str:
        """Who is to act after it; the end of a hand, which is longer, is left to `test_kills`."""
        if isinstance(move, GiveBack):
            return "give back"
        after, events = goes_on(truth.table, play.move(truth.table, move))
        if any(isinstance(event, HandEnded) for event in events):
            return "end a hand"
        return "an AI answers" if robot_to_move(after) is not None else "a person answers"
