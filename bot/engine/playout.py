"""One hand played on in place, fast: for players that look ahead by playing thousands of hands to their end.

    playout = Playout.of(state)
    playout.declare_all()
    while playout.winner is None:
        plays, may_pass = playout.legal()
        playout.play(plays[0]) if plays else playout.pass_()

It keeps no history, takes nothing back and checks nothing: only what `legal` offers may be done. What is legal it
asks of `legality`; what follows from it is `decide` and `evolve` once more, and a test plays both side by side.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from random import Random
from typing import Self

from bot.engine.cards import ALL_CARDS, DECK, MULTI_ONE, Card, tally
from bot.engine.combinations import Combination, Kind
from bot.engine.finding import Holding, finder
from bot.engine.legality import legal_places, may_let_pass
from bot.engine.options import Options
from bot.engine.parts import Places
from bot.engine.scoring import hand_points
from bot.engine.shuffle import HAND_SIZE
from bot.engine.state import Phase, State
from bot.engine.view import PublicView, public_view


class Playout:
    """A hand in the course of play. In `declared` and `out` each seat has a bit."""

    __slots__ = (
        "_all",
        "_everyone",
        "_finder",
        "_last",
        "_order",
        "_owing",
        "_passed",
        "declared",
        "direction",
        "gives_to",
        "holdings",
        "left",
        "opening",
        "options",
        "out",
        "to_beat",
        "turn",
        "winner",
    )

    def __init__(self, options: Options, hands: Sequence[Sequence[Card]], turn: int, direction: int) -> None:
        self._finder = finder(options.flush_order)
        self._all = self._finder.table.all
        self._everyone = (1 << len(hands)) - 1
        self._order = _order(len(hands), direction, 0)
        self._last = turn
        self._passed = 0
        self._owing: int | None = None
        """Who is out unless it declares before somebody acts (R36)."""
        self.options = options
        self.holdings = [Holding(self._finder, tally(hand)) for hand in hands]
        self.left = [len(hand) for hand in hands]
        self.turn = turn
        self.direction = direction
        self.opening = False
        self.gives_to: int | None = None
        """The seat that `turn` owes a card before anybody plays (R27)."""
        self.to_beat: Combination | None = None
        self.declared = 0
        self.out = 0
        self.winner: int | None = None

    @classmethod
    def of(cls, state: State) -> Self:
        """Play on from `state`, in which a hand is under way."""
        return cls.imagine(public_view(state), state.hands)

    @classmethod
    def imagine(cls, public: PublicView, hands: Sequence[Sequence[Card]]) -> Self:
        """Play on from what everybody sees, as if the seats held `hands`."""
        if public.turn is None:
            raise ValueError("no hand is under way")
        playout = cls(public.match.options, hands, public.turn, public.direction)
        playout.opening = public.opening
        playout.declared, playout.out = _bits(public.declared), _bits(public.out)
        playout._order = _order(len(hands), public.direction, playout.out)
        if public.phase is Phase.EXCHANGE and public.exchange is not None:
            playout.gives_to = public.exchange.gave.seat
        if public.cycle.plays:
            playout._last, playout.to_beat = public.cycle.plays[-1]
            playout._passed = _bits(public.cycle.passed)
            owes = playout._last in public.owing and public.match.options.forgotten == "out"
            playout._owing = playout._last if owes else None
        return playout

    @classmethod
    def deal(cls, options: Options, seats: int, random: Random) -> Self:
        """The first hand of a match, dealt by `random` (R19-R21); seat 0 leads where 1M lies in the dummy."""
        chance = random.random
        deck = sorted(DECK, key=lambda _: chance())
        hands = [deck[start : start + HAND_SIZE] for start in range(0, seats * HAND_SIZE, HAND_SIZE)]
        opener = next((seat for seat, hand in enumerate(hands) if MULTI_ONE in hand), None)
        playout = cls(options, hands, opener or 0, 1)
        playout.opening = opener is not None
        return playout

    def copy(self) -> Self:
        """Another playout at the same point."""
        twin = object.__new__(type(self))
        for name in Playout.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.holdings, twin.left = self.holdings.copy(), self.left.copy()
        return twin

    @property
    def points(self) -> tuple[int, ...]:
        """Points a seat, once there is a winner (R26)."""
        if self.winner is None:
            raise ValueError("the hand is not over")
        return hand_points(self.left, self.winner)

    def legal(self) -> tuple[Places, bool]:
        """The legal plays of the seat whose turn it is, as places in the table, and whether it may pass."""
        held, to_beat = self.holdings[self.turn], self.to_beat
        if self.opening or (self.declared and self._is_blocked()):
            return self._legal_where_bound(held, to_beat)
        return (held.plays(), False) if to_beat is None else (held.answers(to_beat), True)

    def play(self, place: int, last_card: bool = True) -> None:
        """Lay the combination at `place`; `last_card`: and declare, should that leave one card."""
        if self._owing is not None and self._settle(self._owing):
            return
        seat, play = self.turn, self._all[place]
        left = self.left[seat] - play.size
        if left == 0 and play.size == 1 and not self.declared >> seat & 1:
            self._forget(seat)
            return
        self.holdings[seat] = self.holdings[seat].without(play)
        self.left[seat] = left
        self.opening = False
        self.to_beat = play
        self._last = seat
        self._passed = 0
        self.turn = self._order[seat]
        if left < 2:
            self._come_to_the_end(seat, left, last_card)

    def pass_(self) -> None:
        """Pass."""
        if self._owing is None or not self._settle(self._owing):
            self._pass(self.turn)

    def declare(self, seat: int) -> None:
        """Say "Last card!" after the play, as `seat` (R29, R36)."""
        self.declared |= 1 << seat
        self._owing = None

    def declare_all(self) -> None:
        """Say "Last card!" for every seat that holds one card and has not said so.

        Without it a hand may never end under `forgotten=takes_back`: an undeclared last card always comes back (R30).
        """
        for seat, left in enumerate(self.left):
            if left == 1 and not (self.declared | self.out) >> seat & 1:
                self.declare(seat)

    def give_back(self, card: Card) -> None:
        """Complete the exchange (R27)."""
        if self.gives_to is None:
            raise ValueError("no exchange is under way")
        for seat, change in ((self.turn, -1), (self.gives_to, 1)):
            self.holdings[seat] = Holding(self._finder, self.holdings[seat].tally + change * tally((card,)))
            self.left[seat] += change
        self.gives_to = None

    def run(self, random: Random) -> tuple[int, ...]:
        """Play at random to the end, every legal move as likely as another, all declaring; gives the points."""
        chance = random.random
        self.declare_all()
        if self.gives_to is not None:
            self.give_back(ALL_CARDS[random.choice(self.holdings[self.turn].of(Kind.SINGLE))])
        while self.winner is None:
            plays, may_pass = self.legal()
            chosen = int(chance() * (len(plays) + may_pass))
            if chosen < len(plays):
                self.play(plays[chosen])
            else:
                self.pass_()
        return self.points

    def _is_blocked(self) -> bool:
        """R31: whether the seat that acts next has declared its last card."""
        return self.declared >> self._order[self.turn] & 1 == 1

    def _legal_where_bound(self, held: Holding, to_beat: Combination | None) -> tuple[Places, bool]:
        blocked = self._is_blocked()
        plays = legal_places(held, to_beat, self.opening, blocked, self.options)
        return plays, to_beat is not None and may_let_pass(held, to_beat, blocked, self.options)

    def _come_to_the_end(self, seat: int, left: int, last_card: bool) -> None:
        if left == 0:
            self.winner = seat
        elif last_card or self.options.last_card == "automatic":
            self.declared |= 1 << seat
        elif self.options.forgotten == "out":
            self._owing = seat

    def _settle(self, forgetful: int) -> bool:
        """R36: it is too late for the last player to declare. True if that ends the hand (R37)."""
        actor = self.turn
        self._forget(forgetful)
        if self.out | 1 << actor != self._everyone:
            return False
        self.winner = actor
        return True

    def _forget(self, seat: int) -> None:
        """R30."""
        self._owing = None
        if self.options.forgotten == "out":
            self.out |= 1 << seat
            self._order = _order(len(self.left), self.direction, self.out)
        elif self.to_beat is not None:
            self._pass(seat)
        else:
            self.turn = self._order[seat]

    def _pass(self, seat: int) -> None:
        passed, last = self._passed | 1 << seat, self._last
        if passed | self.out | 1 << last != self._everyone:
            self._passed = passed
            self.turn = self._order[seat]
            return
        self._passed = 0
        self.to_beat = None
        self.turn = self._order[last] if self.out >> last & 1 else last


def _bits(seats: Iterable[int]) -> int:
    return sum(1 << seat for seat in seats)


@cache
def _order(seats: int, direction: int, out: int) -> tuple[int, ...]:
    """The seat that follows each seat, past those whose bit is set in `out` (R20, R38)."""
    playing = [seat for seat in range(seats) if not out >> seat & 1]
    return tuple(min(playing, key=lambda other: (other - seat) * direction % seats or seats) for seat in range(seats))
