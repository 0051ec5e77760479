"""A table in memory: its stored row, and the match computed from its log."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from bot.engine import Phase, PublicView, State, View, evolve, public_view, view
from bot.engine.cards import is_gang
from bot.engine.events import AI, Dealt, Declared, Event, Forgot, Passed, Played, Substituted, Undone
from bot.table.model import Seat, TableRow
from bot.table.refusals import NotSeated
from bot.table.standing_orders import NONE, applies

GENTLE: Final = f"{AI}gentle"
"""The name in the record of the AI player that moves for an absent owner."""


@dataclass(frozen=True, slots=True)
class News:
    """A change of a seat's player, a move that was taken back, or a card that came back (R30)."""

    event: Substituted | Undone | Forgot
    moves_left: int
    """The plays and passes for which it stays news: a round of the table."""


@dataclass(frozen=True, slots=True)
class HandStart:
    """A match just before a hand was dealt, from which that hand can be replayed alone."""

    state: State = field(repr=False)
    length: int
    """The number of events in the log."""

    @property
    def hand(self) -> int:
        """The number of the hand dealt next."""
        return self.state.hand_number + 1


@dataclass(frozen=True)
class Table:
    """A table at one moment."""

    row: TableRow
    state: State | None = None
    """The match; None in the lobby and in lists. It contains all hands, so only services may use it."""
    length: int = 0
    """The number of events in the log."""
    moment: int = 0
    """The length of the log when the current turn began. Presses from an earlier turn are refused."""
    gangs: int = 0
    """The number of gangs played in the match."""
    is_gang_undone: bool = False
    """The last of them was taken back."""
    undone: tuple[int, ...] = ()
    """The seats that have taken back moves in this hand, once for each move."""
    forgot: tuple[int, ...] = ()
    """The seats that have forgotten to declare their last card in this hand, once for each time."""
    news: tuple[News, ...] = ()
    """Events of the last round besides moves, the oldest first."""
    starts: tuple[HandStart, ...] = ()
    """The starts of the last two hands. Older ones are dropped, so memory doesn't grow with the match."""

    def after(self, events: Iterable[Event], row: TableRow | None = None) -> "Table":
        """The table after further events, with another `row` if there is one."""
        new, row = tuple(events), row or self.row
        if not new:
            return self if row is self.row else replace(self, row=row)
        state, starts, undone, forgot, news = self.state, self.starts, self.undone, self.forgot, self.news
        is_gang_undone = self.is_gang_undone
        for number, event in enumerate(new, self.length):
            if isinstance(event, Dealt) and state is not None:
                starts, undone, forgot = (*starts, HandStart(state, number))[-2:], (), ()
            elif isinstance(event, Undone):
                undone = (*undone, event.seat)
                is_gang_undone = is_gang_undone or _undoes_gang(event, state)
            elif isinstance(event, Played) and is_gang(event.cards):
                is_gang_undone = False
            elif isinstance(event, Forgot):
                forgot = (*forgot, event.seat)
            news = _news_after(news, event, state)
            state = evolve(state, event)
        steps = [number for number, event in enumerate(new, 1) if not isinstance(event, Declared | Substituted)]
        moment = self.length + steps[-1] if steps else self.moment
        return replace(
            self,
            row=replace(row, turn=None if state is None else _turn(state)),
            state=state,
            length=self.length + len(new),
            moment=moment,
            gangs=self.gangs + sum(isinstance(event, Played) and is_gang(event.cards) for event in new),
            is_gang_undone=is_gang_undone,
            undone=undone,
            forgot=forgot,
            news=news,
            starts=starts,
        )

    @property
    def id(self) -> int:
        """The number that users see."""
        return self.row.id

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in playing order."""
        return self.row.seats

    def seat_of(self, user_id: int) -> int | None:
        """The seat that a user owns, even after conceding, or plays as a substitute."""
        return next((n for n, seat in enumerate(self.seats) if user_id in (seat.user_id, seat.substitute_id)), None)

    @property
    def urgency(self) -> tuple[bool, int, int]:
        """Sort key for tables: the soonest deadline first, then tables without one, the oldest first."""
        due = self.row.clock.due if self.row.clock is not None else None
        return (due is None, due or 0, self.id)

    def view_of(self, user_id: int) -> View:
        """The match as a player sees it. Owners who have conceded see no cards any more. Raises `NotSeated`."""
        seat = self.seat_of(user_id)
        if seat is None or self.state is None:
            raise NotSeated
        seen = view(self.state, seat, public=self.public)
        return replace(seen, hand=(), situation=None) if self.seats[seat].conceded else seen

    @cached_property
    def public(self) -> PublicView | None:
        """The public part of the match; None in the lobby."""
        return None if self.state is None else public_view(self.state)

    @property
    def hands_over(self) -> int:
        """The number of completed hands."""
        return 0 if self.state is None or self.state.last_hand is None else self.state.last_hand.hand

    @property
    def turn(self) -> int | None:
        """The seat to act."""
        return self.row.turn if self.state is None else _turn(self.state)

    @property
    def user_to_act(self) -> int | None:
        """The user to act; None for an AI player."""
        return None if self.turn is None or not self.row.status.is_open else self.seats[self.turn].player_id

    @property
    def follows_orders(self) -> bool:
        """True if a standing order of the seat to act says to pass now."""
        if self.public is None or self.turn is None:
            return False
        orders = self.seats[self.turn].orders
        return orders != NONE and applies(orders, self.public)


def _undoes_gang(undone: Undone, state: State | None) -> bool:
    """True if the move that a seat takes back is a gang."""
    seat, play = state.cycle.plays[-1] if state is not None and state.cycle.plays else (None, None)
    return seat == undone.seat and play is not None and is_gang(play.cards)


def _news_after(news: tuple[News, ...], event: Event, state: State | None) -> tuple[News, ...]:
    """The news after an event in `state`. Moves for a late player who keeps their seat aren't news."""
    if isinstance(event, Dealt) or state is None:
        return ()
    if isinstance(event, Forgot) and state.match.options.forgotten == "out":  # the seat's mark says it
        return news
    if isinstance(event, Undone | Substituted | Forgot):
        is_late_player = isinstance(event, Substituted) and (
            event.for_owner or (state.players[event.seat] == GENTLE and event.by == state.match.seats[event.seat])
        )
        if is_late_player:
            return news
        return (*(each for each in news if each.event.seat != event.seat), News(event, state.size))
    if isinstance(event, Played | Passed):
        return tuple(replace(each, moves_left=each.moves_left - 1) for each in news if each.moves_left > 1)
    return news


def _turn(state: State) -> int | None:
    return None if state.phase is Phase.OVER else state.turn
