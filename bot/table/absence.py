"""What becomes of a turn that takes too long, and of a seat whose owner is away, each as a function of the table.

Nobody is punished by surprise: the table is asked, and acts by itself only where it has said so or nobody answers.
"""

from collections.abc import Callable
from dataclasses import replace
from itertools import chain, count
from typing import Final, TypeAlias

from bot.engine import view
from bot.engine.events import Substituted
from bot.players import gentle
from bot.table import lobby, play
from bot.table.lobby import AI_LEVEL, Person
from bot.table.model import ClockStage, Seat, TimeoutPolicy
from bot.table.play import Change
from bot.table.refusals import AlreadySeated, HasConceded, NoLatePlayer, NotSeated, OutdatedAction, PlaysOwnSeat
from bot.table.snapshot import Table
from bot.table.timing import started
from bot.table.user import UserSettings

Outcome: TypeAlias = Callable[[Table], Change]
"""What can be done about somebody who is late."""

GENTLE: Final = "ai:gentle"
"""Who makes a move for an absent owner, in the record."""


def remind(table: Table) -> Change:
    """The end of a turn is near."""
    return _at_stage(table, ClockStage.REMINDED)


def respect(table: Table, user_id: int, settings: UserSettings) -> Change:
    """Move the end of somebody's turn out of their quiet hours and holidays, which they have just set.

    A turn never ends sooner by it.
    """
    row, clock = table.row, table.row.clock
    if clock is None or clock.due is None or table.turn is None or table.person_to_act != user_id:
        raise OutdatedAction
    new = started(row.pace, table.seats[table.turn].bank, clock.began, settings)
    if clock.is_up or new.due is None or new.due <= clock.due:
        raise OutdatedAction
    return Change(replace(row, clock=new))


def time_is_up(table: Table) -> Change:
    """The turn has taken its time: ask the table, or do what it has chosen."""
    if not table.row.settings.on_timeout.asks:
        return _as_chosen(table)
    anybody = any(seat.person is not None for number, seat in enumerate(table.seats) if number != table.turn)
    return _at_stage(table, ClockStage.ASKED if anybody else ClockStage.WAITING)


def nobody_answered(table: Table) -> Change:
    """The table was asked, or a substitute was called for, in vain: do what it has chosen for that."""
    return _as_chosen(table)


def _as_chosen(table: Table) -> Change:
    """What the table has chosen; but where nobody is there for whom to go on, it waits.

    Nobody is, when the last move of everybody who plays was made by the table; with an AI, nobody who is left.
    """
    outcome = _OUTCOMES[table.row.settings.on_timeout]
    present = {number for number, seat in enumerate(table.seats) if seat.person is not None and not seat.missed}
    if outcome is let_ai_play:
        present -= {table.turn}
    return outcome(table) if present else wait(table)


def answer(table: Table, user_id: int, moment: int, outcome: Outcome) -> Change:
    """Do what another player at the table says about the turn that began at `moment` and takes too long."""
    play.require_moment(table, moment)
    _require_late(table)
    seat = play.active_seat(table, user_id)
    if seat == table.turn:
        raise OutdatedAction
    return outcome(table)


def wait(table: Table) -> Change:
    """Wait for whoever is late."""
    return _at_stage(table, ClockStage.WAITING)


def call(table: Table) -> Change:
    """Call for a substitute."""
    return _at_stage(table, ClockStage.CALLED)


def let_ai_play(table: Table) -> Change:
    """Have a robot sit in for whoever is late, until the owner comes back."""
    return _seated(table, _late_seat(table), ai_level=AI_LEVEL, substitute_id=None, substitute_name=None)


def sit_in(table: Table, person: Person, moment: int) -> Change:
    """Play for whoever is late in the turn that began at `moment`, as somebody who does not sit at the table.

    It lasts until the owner comes back. Raises what would keep them from joining.
    """
    play.require_moment(table, moment)
    _require_late(table)
    if table.row.clock is None or table.row.clock.stage is not ClockStage.CALLED:
        raise NoLatePlayer
    if table.seat_of(person.user_id) is not None:
        raise AlreadySeated
    lobby.require_welcome(table.row, person.user_id)
    seat = _late_seat(table)
    name = _unlike(table.seats[seat].name, person.name)
    return _seated(table, seat, ai_level=None, substitute_id=person.user_id, substitute_name=name)


def _unlike(owner: str, name: str) -> str:
    """A substitute's name, numbered if the owner has the same one, so that the log tells them apart.

    It stays within the 32 characters of a display name, of which more aren't shown.
    """
    numbered = (f"{name[:28]} ({number})" for number in count(2))
    return next(each for each in chain([name], numbered) if each != owner)


def come_back(table: Table, user_id: int) -> Change:
    """Take the own seat again."""
    play.require_playing(table)
    number = next((number for number, seat in enumerate(table.seats) if seat.user_id == user_id), None)
    if number is None:
        raise NotSeated
    seat = table.seats[number]
    if seat.conceded:
        raise HasConceded
    if not seat.is_absent:
        raise PlaysOwnSeat
    return _seated(table, number, ai_level=None, substitute_id=None, substitute_name=None)


def move_gently(table: Table) -> Change:
    """Make the gentlest legal move for whoever is late."""
    if table.state is None:
        raise OutdatedAction
    return play.move(table, gentle.choose(view(table.state, _late_seat(table))), by=GENTLE)


_OUTCOMES: Final[dict[TimeoutPolicy, Outcome]] = {
    TimeoutPolicy.ASK_WAIT: wait,
    TimeoutPolicy.ASK_MOVE: move_gently,
    TimeoutPolicy.ASK_AI: let_ai_play,
    TimeoutPolicy.MOVE: move_gently,
    TimeoutPolicy.AI: let_ai_play,
}


def _require_late(table: Table) -> None:
    play.require_going_on(table)
    if table.row.clock is None or not table.row.clock.is_up:
        raise NoLatePlayer


def _late_seat(table: Table) -> int:
    if table.turn is None:
        raise OutdatedAction
    return table.turn


def _at_stage(table: Table, stage: ClockStage) -> Change:
    if table.row.clock is None:
        raise OutdatedAction
    return Change(replace(table.row, clock=replace(table.row.clock, stage=stage)))


def _seated(table: Table, number: int, **who: object) -> Change:
    """Give a seat to another player. The log says so at once, because they may never make a move."""
    seat: Seat = replace(table.seats[number], orders="", missed=False, **who)  # type: ignore[arg-type]  # the fields of a seat
    row = replace(table.row, seats=(*table.seats[:number], seat, *table.seats[number + 1 :]))
    return Change(row, (Substituted(number, play.player_of(seat)),))
