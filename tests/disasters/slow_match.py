"""A match of two people and an AI player with a clock, step by step: they are late, absent, pause and undo."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Concatenate

from bot.engine import GiveBack, view
from bot.engine.events import Event, HandEnded, Undone
from bot.presentation.table.lobby_options import changed_setup
from bot.table import absence, consent, due_actions, lobby, play, standing_orders
from bot.table.model import ClockStage, Status, TurnClock
from bot.table.play import Args, Change
from bot.table.snapshot import Table
from playground.client.person import Person
from tests.disasters.expected_state import ExpectedState, expected_states, pings_shown, place_of
from tests.disasters.scripted_match import Move, ScriptedMatch, Step, answered, changed, chosen
from tests.end_to_end.app_harness import AppHarness


def change_of(
    action: Callable[Concatenate[Table, Args], Change], *facts: Args.args, **named: Args.kwargs
) -> Callable[[Table], Change]:
    """An action with all arguments but the table."""
    return lambda table: action(table, *facts, **named)


def ai_to_move(table: Table) -> str | None:
    """The level of the AI player to act, or None."""
    if table.turn is None or table.row.paused_at is not None or not table.row.status.is_open:
        return None
    return table.seats[table.turn].ai_level


def apply_change(table: Table, change: Change) -> tuple[Table, tuple[Event, ...]]:
    """The table after a change, with what all players have agreed to, and the events."""
    change = consent.apply_consent(table, change, 0)
    after = replace(table, row=change.row).after(change.events)
    if (table.moment, table.user_to_act) != (after.moment, after.user_to_act):
        public = table.public, after.public
        seats = tuple(
            replace(seat, orders=standing_orders.remaining_order(seat.orders, *public)) for seat in after.seats
        )
        clock = None if after.user_to_act is None else _clock(table, change)
        after = replace(after, row=replace(after.row, seats=seats, clock=clock, nudged_at=None))
    return after, change.events


def _clock(table: Table, change: Change) -> TurnClock:
    """A new clock, or after an undo the clock of the resumed turn."""
    last = table.row.last_turn if any(isinstance(event, Undone) for event in change.events) else None
    return TurnClock(0) if last is None else last.clock


def outcome(table: Table, change: Change) -> tuple[Table, tuple[Event, ...]]:
    """The table after a change and the moves of AI players that follow, and all events."""
    table, events = apply_change(table, change)
    while ai_to_move(table) is not None:
        table, more = apply_change(table, due_actions.ai_moves(table))
        events += more
    return table, events


def comparable(table: Table) -> object:
    """The parts of a table that don't depend on time."""
    row = table.row
    seats = [replace(seat, bank=0, ordered_at=None) for seat in row.seats]
    stage = None if row.clock is None else row.clock.stage
    return row.status, seats, row.size, row.settings, row.pausing, row.ending, row.paused_at is None, stage, row.ended


TARGET = 30
PACE = "day"
"""Long enough that no stage of the clock ends during a test."""
HOUR = 3_600_000
PAUSES = ("agree to pause", "pause", "go on")
CLOCK = ("be reminded", "ask the table", "let an AI in", "come back", "move gently")
MOVES = ("an AI answers", "a person answers", "give back", "take back")
KINDS = ("open", "choose a custom", "join", "add an AI", "start", *MOVES, *PAUSES, *CLOCK, "close")
"""The kinds of steps."""
DUE = {ClockStage.RUNNING: "be reminded", ClockStage.REMINDED: "ask the table", ClockStage.ASKED: "move gently"}
"""The step that follows when time passes."""


@dataclass(frozen=True)
class CheckedStep(Step):
    """A step and its expected change of the table."""

    change: Callable[[Table], Change] | None = None


class SlowMatch(ScriptedMatch):
    """The steps at one table, chosen from the wanted kinds."""

    def __init__(self, harness: AppHarness, wanted: Callable[[], list[str]]) -> None:
        """`wanted` returns the kinds of steps still wanted; without any in its match the table is closed."""
        super().__init__(harness, target=TARGET, pace=PACE, last_card="automatic")
        self.people = harness.people[:2]
        self._wanted = wanted
        self._paused_in = -1  # the moment of the last turn in which there was a pause

    def _wants(self, *kinds: str) -> bool:
        return not set(self._wanted()).isdisjoint(kinds)

    def next_step(self, expected: ExpectedState | None) -> CheckedStep:
        if expected is None:
            return CheckedStep("open", self._open)
        if expected.table.row.status is Status.LOBBY:
            return self._in_the_lobby(expected)
        return self._at_play(expected)

    def _in_the_lobby(self, expected: ExpectedState) -> CheckedStep:
        row, (host, guest) = expected.table.row, self.people
        if not row.settings.thread:
            wished = change_of(play.change_lobby, lobby.configure, host.id, changed_setup(row, "thread", "on"))
            return CheckedStep("choose a custom", lambda: self._choose(expected, "thread"), wished)
        if guest.id not in {seat.user_id for seat in row.seats}:
            joined = change_of(play.join, lobby.Person(guest.id, guest.name))
            return CheckedStep("join", lambda: self._press_the_table(expected, guest, "Join"), joined)
        if len(row.seats) < row.size:
            seated = change_of(play.change_lobby, lobby.add_ai, host.id)
            return CheckedStep("add an AI", lambda: self._press_the_table(expected, host, "Add AI"), seated)
        started = change_of(play.start, host.id)
        return CheckedStep("start", lambda: self._press_the_table(expected, host, "Start"), started)

    async def _choose(self, expected: ExpectedState, custom: str) -> bool:
        host = self.people[0]
        panel = answered(await host.click(self._shown(expected, host), "Options")).message
        assert panel is not None
        changed(await host.click(panel, "How we play"))
        (menu,) = [menu for menu in panel.selects if menu.custom_id.endswith(custom)]
        return changed(await host.select(panel, "on", custom_id=menu.custom_id)).updated

    def _at_play(self, expected: ExpectedState) -> CheckedStep:
        table, away = expected.table, self._absent(expected)
        if table.row.paused_at is not None:
            self._paused_in = table.moment
            going_on = change_of(consent.resume, self.people[0].id)
            return CheckedStep("go on", lambda: self._go_on(expected), going_on)
        if away is not None:
            return CheckedStep(
                "come back", lambda: self._come_back(expected, away), change_of(absence.come_back, away.id)
            )
        return self._of_consent(expected) or self._of_time(expected) or self._of_play(expected)

    def _absent(self, expected: ExpectedState) -> Person | None:
        away = {seat.user_id for seat in expected.table.seats if seat.is_absent}
        return next((person for person in self.people if person.id in away), None)

    async def _go_on(self, expected: ExpectedState) -> bool:
        self.harness.advance_clock_to(self.harness.now() + HOUR)
        return await self._press_the_table(expected, self.people[0], "Resume")

    async def _come_back(self, expected: ExpectedState, person: Person) -> bool:
        reply = answered(await person.click(self._shown(expected, person), "I'm back"))
        return reply.message is not None and "You are playing your own seat again" in reply.message.text

    def _of_consent(self, expected: ExpectedState) -> CheckedStep | None:
        """A pause, sometimes before and sometimes after a reminder, once a turn."""
        table = expected.table
        stage = table.row.clock.stage if table.row.clock else None
        if table.row.pausing:
            (person,) = [person for person in self.people if person.id not in table.row.pausing]
            return self._pause(expected, "pause", person)
        when = ClockStage.REMINDED if table.moment % 2 and self._wants(*CLOCK) else ClockStage.RUNNING
        if self._wants(*PAUSES) and stage is when and self._paused_in != table.moment:
            return self._pause(expected, "agree to pause", self.people[table.moment // 2 % 2])
        return None

    def _pause(self, expected: ExpectedState, kind: str, person: Person) -> CheckedStep:
        async def press() -> bool:
            more = answered(await person.click(self._shown(expected, person), "More")).message
            assert more is not None
            return changed(await person.click(more, "Ask for a pause")).updated

        return CheckedStep(kind, press, change_of(consent.agree_to_pause, person.id))

    def _of_time(self, expected: ExpectedState) -> CheckedStep | None:
        """Let the clock of the turn run, as far as later stages are wanted; some turns are quick."""
        table = expected.table
        assert table.row.clock is not None
        assert expected.deadline is not None
        stage = table.row.clock.stage
        if stage is ClockStage.ASKED and self._wants("let an AI in", "come back"):
            (other,) = [person for person in self.people if person.id != expected.user_to_act]
            let_in = change_of(absence.answer, other.id, table.moment, absence.let_ai_play)
            return CheckedStep("let an AI in", lambda: self._let_ai_play(expected, other), let_in)
        stages, is_quick = list(DUE), table.moment % 3 == 0 and self._wants(*MOVES)
        if stage in stages and not is_quick and self._wants(*CLOCK[stages.index(stage) :]):
            return CheckedStep(
                DUE[stage], lambda: self._wait_for_deadline(expected), due_actions.ACTIONS[expected.deadline.kind]
            )
        return None

    async def _let_ai_play(self, expected: ExpectedState, person: Person) -> bool:
        (question,) = pings_shown(person, place_of(self.harness, expected), expected.table.id)
        return answered(await person.click(question, "An AI sits in")).deferred

    async def _wait_for_deadline(self, expected: ExpectedState) -> bool:
        """Let time pass until the deadline has been handled."""
        assert expected.deadline is not None
        assert self.harness.app is not None
        await self.harness.looks_after_deadlines()
        self.harness.advance_clock_to(expected.deadline.due_at)
        async with asyncio.timeout(20):
            while self.harness.app.is_alive:
                if expected_states(self.harness)[expected.table.id].table.row.revision > expected.table.row.revision:
                    return True
                await asyncio.sleep(0.01)
        return False

    def _of_play(self, expected: ExpectedState) -> CheckedStep:
        table = expected.table
        assert table.state is not None
        assert table.turn is not None
        taken_back = self._taking_back(expected)
        if taken_back is not None and self._wants("take back"):
            return taken_back
        if not self._wants(*MOVES, *PAUSES, *CLOCK):
            closed = change_of(consent.close, self.harness.manager.id, may_manage=True)
            return CheckedStep("close", lambda: self._close(expected), closed)
        move = chosen(view(table.state, table.turn))
        return CheckedStep(self._kind(expected, move), self._making(expected, move), change_of(play.move, move))

    def _taking_back(self, expected: ExpectedState) -> CheckedStep | None:
        """Undo the last play, if a person made it and there was no undo shortly before."""
        before, recent = expected.table.state and expected.table.state.undo, expected.lines[-6:]
        if before is None or before.turn is None or any(isinstance(line.event, Undone) for line in recent):
            return None
        seat, person = before.turn, expected.table.seats[before.turn].player_id
        if person is None or expected.table.seats[seat].missed:
            return None
        undone = change_of(consent.undo, person, expected.table.moment)
        return CheckedStep("take back", lambda: self._press_the_panel(expected, seat, "Take back"), undone)

    async def _close(self, expected: ExpectedState) -> bool:
        manager = self.harness.manager
        own = answered(await manager.slash(self.harness.channel, "gang help")).message
        if own is None:
            return False
        asked = answered(await manager.press_old(f"g4:close:{expected.table.id}:0:open", own)).message
        if asked is None:
            return False
        answered(await manager.press_old(f"g4:close:{expected.table.id}:0:{expected.table.row.status}", asked))
        return "is closed" in asked.text

    def _kind(self, expected: ExpectedState, move: Move) -> str:
        """Name a move by the next player; `test_crashes` covers the end of a hand."""
        if isinstance(move, GiveBack):
            return "give back"
        after, events = apply_change(expected.table, play.move(expected.table, move))
        if any(isinstance(event, HandEnded) for event in events):
            return "end a hand"
        return "an AI answers" if ai_to_move(after) is not None else "a person answers"
