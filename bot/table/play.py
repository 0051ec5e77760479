"""Actions at a table in play. Each function takes a table and returns the change; `services.tables` commits it."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Concatenate, ParamSpec, TypeAlias

from bot.engine import (
    Abandon,
    Cards,
    Deal,
    Declare,
    GiveBack,
    MatchStarted,
    Pass,
    Play,
    State,
    TakeBack,
    advance,
)
from bot.engine.cards import Card
from bot.engine.errors import IllegalMove
from bot.engine.events import AI, Declared, Event, MatchEnded, Substituted
from bot.engine.moves import ChosenMove, Move
from bot.engine.rules import owes_declaration
from bot.table import lobby
from bot.table.guild import Opener
from bot.table.limits import FORGOTTEN
from bot.table.model import Seat, Status, TableRow
from bot.table.refusals import (
    DuplicateBeginsFirst,
    HasConceded,
    HasNotStarted,
    HasStarted,
    HasSubstitute,
    IsPaused,
    NotLastPlace,
    NotSeated,
    OutdatedAction,
    Refusal,
    TableIsClosed,
)
from bot.table.salt import Salt
from bot.table.snapshot import Table
from bot.table.timing import full_bank

Args = ParamSpec("Args")
"""The further arguments of an action."""
SeatMove: TypeAlias = ChosenMove | TakeBack


@dataclass(frozen=True, slots=True)
class Change:
    """The result of an action: the table's row, without its new revision, and the events in the match."""

    row: TableRow
    events: tuple[Event, ...] = ()
    also_create: tuple[TableRow, Opener] | None = None
    """A second table to create for the same deals, and the member who opens it."""
    opener: Opener | None = None
    """The member who shows the table in its channel, which counts like opening it there."""
    lost: int = 0
    """Milliseconds in which the app was off. They count like a pause."""


UserAction: TypeAlias = Callable[[Table, int], Change]
"""An action of a user, given by their id."""


def change_lobby(
    table: Table,
    change: Callable[Concatenate[TableRow, Args], TableRow],
    *args: Args.args,
    **kwargs: Args.kwargs,
) -> Change:
    """Apply a function of `table.lobby`, which changes only the table's row."""
    return Change(change(table.row, *args, **kwargs))


def start(table: Table, user_id: int, first: Table | None = None, ai_names: Collection[str] | None = None) -> Change:
    """Start the match as the host and deal the first hand.

    `first` is the other table of a duplicate match if that one starts first. With `ai_names`, those of AI players at
    other tables of the channel, AI players take the free seats before.
    """
    row = table.row
    lobby.require_lobby(row)
    lobby.require_host(row, user_id)
    if ai_names is not None:
        row = lobby.fill_with_ai(row, user_id, ai_names)
    lobby.require_complete(row)
    return _start_match(row, first)


def join(table: Table, person: lobby.Person) -> Change:
    """Take the next free seat. The last player to join a rematch starts it."""
    return start_if_complete(lobby.join(table.row, person))


def cut(table: Table, person: lobby.Person, number: int | None) -> Change:
    """Cut the deck at `number` (1-63), or take the cut back with None. Users without a seat join in the same moment.

    So the last player of a rematch can cut, too.
    """
    lobby.require_may_cut(table.row, person.user_id)
    if table.row.has_owner(person.user_id):
        return change_lobby(table, lobby.cut, person.user_id, number)
    return start_if_complete(lobby.cut(lobby.join(table.row, person), person.user_id, number))


def record_first_message(table: Table, message_id: int) -> Change:
    """Store the id of the first message that shows the table. This starts a match that waits only for it."""
    if table.row.first_message_id is not None:
        return Change(table.row)
    return start_if_complete(replace(table.row, first_message_id=message_id))


def begin_daily(table: Table) -> Change:
    """Deal the hand of the day."""
    lobby.require_lobby(table.row)
    return _start_match(table.row)


def join_as_host(table: Table, person: lobby.Person) -> Change:
    """Join a rematch as its host, who starts it after changing the options."""
    lobby.require_lobby(table.row)
    row = replace(table.row, starts_itself=False)
    if not row.has_owner(person.user_id):
        row = lobby.join(row, person)
    return Change(replace(row, host_id=person.user_id))


def came_last(table: Table, user_id: int) -> bool:
    """True for an owner in the last place of a finished match: the place of a seat isn't its substitute's."""
    ranking = table.state.ranking if table.state else None
    return ranking is not None and table.row.seat_owned_by(user_id) in ranking[-1]


def require_last_place(table: Table, user_id: int) -> None:
    """Raise `NotLastPlace` unless the user came last in the match."""
    if not came_last(table, user_id):
        raise NotLastPlace


def start_if_complete(row: TableRow) -> Change:
    """Start a match that waits for nothing else."""
    return _start_match(row) if lobby.starts_now(row) else Change(row)


def _start_match(row: TableRow, first: Table | None = None) -> Change:
    names = tuple(seat.name for seat in row.seats)
    match = MatchStarted(row.edition, row.options, names, *_dealer_and_salt(row, first))
    events: tuple[Event, ...] = (match, *_ai_players(row))
    events += _advanced(Table(row).after(events), Deal(row.seed))
    seats = tuple(replace(seat, bank=full_bank(row.pace)) for seat in row.seats)
    started = replace(row, status=Status.PLAYING, seats=seats, was_duplicate=row.duplicate_of is not None)
    return Change(started, events)


def _dealer_and_salt(row: TableRow, first: Table | None) -> tuple[int, str, str]:
    """The first dealer, the commitment and the salt. A duplicate match takes all three from its first table.

    The salt of a hand of the day is its date. Raises `DuplicateBeginsFirst` until the first table has started, and
    `NotPostedYet` until the table's message is posted.
    """
    if row.first_table_id is None:
        return _eldest(row), row.commitment, row.daily or str(Salt.of(row))
    if first is None or first.state is None:
        raise DuplicateBeginsFirst(row.first_table_id)
    match = first.state.match
    return match.dealer, match.commitment, match.salt


def move(table: Table, made: SeatMove, by: str | None = None) -> Change:
    """Make a seat's move, and the table's automatic moves after it.

    `by` is the name of the AI player who makes the move for an absent owner.
    """
    if table.state is None:
        raise HasNotStarted
    before = _change_of_player(table, table.state, made.seat, by)
    if _needs_declaration(table, table.state, made, by):
        before = (*before, Declared(made.seat))
    events = (*before, *_advanced(table.after(before), made))
    row = table.row.with_seat(made.seat, replace(table.seats[made.seat], missed=by is not None))
    if any(isinstance(event, MatchEnded) for event in events):
        row = replace(row, status=Status.OVER)
    return Change(row, events)


def _change_of_player(table: Table, state: State, number: int, by: str | None) -> tuple[Event, ...]:
    """The event that says in the log who makes the next move of a seat.

    There is one before each move for an absent owner. Otherwise, there is none if the log already names the player.
    """
    if by is not None:
        return (Substituted(number, by, for_owner=True),)
    player = player_of(table.seats[number])
    return () if state.players[number] == player else (Substituted(number, player),)


def _needs_declaration(table: Table, state: State, made: SeatMove, by: str | None) -> bool:
    """True if the table declares a last card: it moves for an owner, or a player has forgotten that too often.

    Without a limit, players could make a hand as long as they like, and its end reads all its lines.
    """
    is_last_card = isinstance(made, Play) and owes_declaration(state, made.seat)
    may_forget = state.match.options.forgotten == "takes_back"
    return is_last_card and ((by is not None and may_forget) or table.forgot.count(made.seat) >= FORGOTTEN)


def play(table: Table, user_id: int, cards: Cards, *, last_card: bool, moment: int) -> Change:
    """Play cards in the turn that began at `moment`."""
    return move(table, Play(acting_seat(table, user_id, moment), cards, last_card))


def pass_turn(table: Table, user_id: int, moment: int) -> Change:
    """Pass in the turn that began at `moment`."""
    return move(table, Pass(acting_seat(table, user_id, moment)))


def declare(table: Table, user_id: int) -> Change:
    """Declare the last card."""
    return move(table, Declare(acting_seat(table, user_id)))


def give_back(table: Table, user_id: int, card: Card, moment: int) -> Change:
    """Give a card back to complete the exchange, as the winner of the last hand."""
    return move(table, GiveBack(acting_seat(table, user_id, moment), card))


def acting_seat(table: Table, user_id: int, moment: int | None = None) -> int:
    """The seat with which a user acts in a match that is going on. Raises a refusal, also for an earlier turn."""
    require_going_on(table)
    seat = active_seat(table, user_id)
    if moment is not None:
        require_moment(table, moment)
    return seat


def try_pass(table: Table, number: int) -> Change | None:
    """Pass, or return None if the rules forbid it."""
    try:
        return move(table, Pass(number))
    except IllegalMove:
        return None


def player_of(seat: Seat) -> str:
    """The name of a seat's player in the record."""
    if seat.ai_level is not None:
        return f"{AI}{seat.ai_level}"
    return seat.name if seat.substitute_name is None else seat.substitute_name


def require_moment(table: Table, moment: int) -> None:
    """Raise `OutdatedAction` for a press from an earlier turn."""
    if table.moment != moment:
        raise OutdatedAction


def require_going_on(table: Table) -> None:
    """Raise `IsPaused`, or a refusal of `require_playing`."""
    require_playing(table)
    if table.row.paused_at is not None:
        raise IsPaused


def require_playing(table: Table) -> None:
    """Raise `HasNotStarted` or `TableIsClosed` unless the match is being played."""
    if table.row.status is Status.LOBBY:
        raise HasNotStarted
    if table.row.status is not Status.PLAYING:
        raise TableIsClosed


def require_over(table: Table) -> None:
    """Raise `HasNotStarted` or `HasStarted` unless the table is over or closed."""
    if table.row.status is Status.LOBBY:
        raise HasNotStarted
    if table.row.status is Status.PLAYING:
        raise HasStarted


def active_seat(table: Table, user_id: int) -> int:
    """The seat that a user plays. Raises `NotSeated`, `HasConceded` or `HasSubstitute`."""
    number = table.seat_of(user_id)
    if number is None:
        raise NotSeated
    seat = table.seats[number]
    if seat.player_id != user_id:
        raise HasConceded if seat.conceded else HasSubstitute
    return number


def absence(table: Table, user_id: int) -> Refusal | None:
    """The reason why a user doesn't play a seat, if there is one."""
    try:
        active_seat(table, user_id)
    except Refusal as refusal:
        return refusal
    return None


def concede(table: Table, user_id: int) -> Change:
    """Give a seat to an AI player. If no players are left, the match is abandoned.

    Owners give up their seat for good. If a substitute leaves, the owner can still come back.
    """
    require_playing(table)
    number = active_seat(table, user_id)
    return _to_ai(table, number, for_good=table.seats[number].user_id == user_id)


def leave_for_good(table: Table, user_id: int) -> Change:
    """Give up a user's seat, present or absent, because their data is being deleted."""
    row = table.row
    if row.status is Status.LOBBY:
        return Change(lobby.leave(row, user_id))
    require_playing(table)
    number = table.seat_of(user_id)
    if number is None:
        raise NotSeated
    return _to_ai(table, number, for_good=table.seats[number].user_id == user_id)


def with_host_at_table(row: TableRow) -> TableRow:
    """The row with another host, if the host has no seat any more and another user can be it."""
    hosts = lobby.possible_hosts(row)
    return replace(row, host_id=hosts[0]) if hosts and row.host_id not in hosts else row


def _to_ai(table: Table, number: int, *, for_good: bool) -> Change:
    """Let an AI player play a seat. If no player is left and no owner can come back, the match is abandoned."""
    seat = replace(
        table.seats[number],
        ai_level=table.row.settings.ai_level,
        conceded=for_good,
        substitute_id=None,
        substitute_name=None,
        orders="",
    )
    row = with_host_at_table(table.row.with_seat(number, seat))
    events = (Substituted(number, player_of(seat)),)
    if all(seat.player_id is None and not seat.is_absent for seat in row.seats):
        over = abandon(replace(table.after(events), row=row), "conceded")
        return replace(over, events=events + over.events)
    return Change(row, events)


def abandon(table: Table, reason: str, closed_by: int | None = None) -> Change:
    """Close a table without a ranking. `reason` goes into the record if the match has started."""
    row = replace(table.row, status=Status.CLOSED, ended=reason, closed_by_id=closed_by)
    if table.state is None:
        return Change(row)
    return Change(row, _advanced(table, Abandon(reason, row.seed)))


def show_in_channel(table: Table, user_id: int, opener: Opener) -> Change:
    """Show a match in its channel that only its player has seen."""
    require_playing(table)
    active_seat(table, user_id)
    if table.row.in_channel:
        raise OutdatedAction
    return Change(replace(table.row, in_channel=True, parent_id=table.row.parent_id or opener.parent_id), opener=opener)


def set_thread(table: Table, thread_id: int) -> Change:
    """Play in a thread that was opened."""
    return Change(replace(table.row, thread_id=thread_id))


def remove_thread(table: Table) -> Change:
    """Play in the channel, because the table's own thread couldn't be opened or was deleted."""
    return Change(replace(table.row, thread_id=None, settings=replace(table.row.settings, thread=False)))


def forget_parent(table: Table) -> Change:
    """Know no channel to which the table belongs: the thread in which it was opened was deleted."""
    return Change(replace(table.row, parent_id=None))


def _ai_players(row: TableRow) -> tuple[Event, ...]:
    """The seats that AI players play from the first deal on."""
    return tuple(
        Substituted(number, f"{AI}{seat.ai_level}")
        for number, seat in enumerate(row.seats)
        if seat.ai_level is not None
    )


def _eldest(row: TableRow) -> int:
    """The seat of the eldest player, who deals (R22): the oldest Discord account has the lowest id."""
    people = [(seat.user_id, number) for number, seat in enumerate(row.seats) if seat.user_id is not None]
    return min(people)[1]


def _advanced(table: Table, made: Move) -> tuple[Event, ...]:
    if table.state is None:
        raise HasNotStarted
    return advance(table.state, made, table.row.seed)[1]
