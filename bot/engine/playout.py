"""Fast, mutable play of one hand, for programs that look ahead by playing thousands of hands to the end.

    playout = Playout.from_state(state)
    playout.declare_all()
    while playout.winner is None:
        plays, may_pass = playout.legal()
        playout.play(plays[0]) if plays else playout.pass_()

It keeps no history and checks nothing: the caller must choose from `legal()`. `legality` decides what is legal. The
rest repeats `decide` and `evolve`, and a test plays both side by side.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from random import Random
from typing import Self

from bot.engine.cards import ALL_CARDS, DECK, MULTI_ONE, Card, tally
from bot.engine.combinations import Combination, Kind
from bot.engine.finding import HandCombinations, finder
from bot.engine.legality import legal_indexes, pass_is_legal
from bot.engine.lookups import Indexes
from bot.engine.options import Options
from bot.engine.scoring import hand_points
from bot.engine.shuffle import HAND_SIZE
from bot.engine.state import Phase, State
from bot.engine.view import PublicView, public_view


class Playout:
    """A hand being played. `declared` and `out` have one bit for each seat."""

    __slots__ = (
        "_all",
        "_everyone",
        "_finder",
        "_last",
        "_order",
        "_owing",
        "_passed",
        "combinations",
        "declared",
        "direction",
        "gives_to",
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
        """The seat that must declare before the next move, or is out of the hand (R36)."""
        self.options = options
        self.combinations = [HandCombinations(self._finder, tally(hand)) for hand in hands]
        self.left = [len(hand) for hand in hands]
        self.turn = turn
        self.direction = direction
        self.opening = False
        self.gives_to: int | None = None
        """The seat to which `turn` must give a card back first (R27)."""
        self.to_beat: Combination | None = None
        self.declared = 0
        self.out = 0
        self.winner: int | None = None

    @classmethod
    def from_state(cls, state: State) -> Self:
        """Continue from `state`. Raises ValueError if no hand is being played."""
        return cls.from_view(public_view(state), state.hands)

    @classmethod
    def from_view(cls, public: PublicView, hands: Sequence[Sequence[Card]]) -> Self:
        """Continue from a public view as if the seats held `hands`. Raises ValueError if no hand is being played."""
        if public.turn is None:
            raise ValueError("no hand is being played")
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
        """Deal the first hand of a match with `random` (R19-R21). Seat 0 leads if 1M is in the dummy."""
        chance = random.random
        deck = sorted(DECK, key=lambda _: chance())
        hands = [deck[start : start + HAND_SIZE] for start in range(0, seats * HAND_SIZE, HAND_SIZE)]
        opener = next((seat for seat, hand in enumerate(hands) if MULTI_ONE in hand), None)
        playout = cls(options, hands, opener or 0, 1)
        playout.opening = opener is not None
        return playout

    def copy(self) -> Self:
        """An independent copy."""
        copied = object.__new__(type(self))
        for name in Playout.__slots__:
            setattr(copied, name, getattr(self, name))
        copied.combinations, copied.left = self.combinations.copy(), self.left.copy()
        return copied

    @property
    def points(self) -> tuple[int, ...]:
        """The points of each seat (R26). Raises ValueError before there is a winner."""
        if self.winner is None:
            raise ValueError("the hand is not over")
        return hand_points(self.left, self.winner)

    def legal(self) -> tuple[Indexes, bool]:
        """The legal plays of the seat to move, as indexes of the combination table, and True if it may pass."""
        combinations, to_beat = self.combinations[self.turn], self.to_beat
        if self.opening or (self.declared and self._is_blocked()):
            return self._restricted(combinations, to_beat)
        return (combinations.plays(), False) if to_beat is None else (combinations.answers(to_beat), True)

    def play(self, index: int, last_card: bool = True) -> None:
        """Play the combination at `index`; with `last_card`, declare if that leaves one card."""
        if self._owing is not None and self._settle(self._owing):
            return
        seat, play = self.turn, self._all[index]
        size = play.size
        left = self.left[seat] - size
        if left == 0 and size == 1 and not self.declared >> seat & 1:
            self._forget(seat)
            return
        self.combinations[seat] = self.combinations[seat].without(play)
        self.left[seat] = left
        self.opening = False
        self.to_beat = play
        self._last = seat
        self._passed = 0
        self.turn = self._order[seat]
        if left < 2:
            self._finish_play(seat, left, last_card)

    def pass_(self) -> None:
        """Pass for the seat to move."""
        if self._owing is None or not self._settle(self._owing):
            self._pass(self.turn)

    def declare(self, seat: int) -> None:
        """Declare the last card of `seat` after its play (R29, R36)."""
        self.declared |= 1 << seat
        self._owing = None

    def declare_all(self) -> None:
        """Declare for every seat that holds one undeclared card.

        Otherwise a hand may never end under `forgotten=takes_back`: an undeclared last card always returns (R30).
        """
        for seat, left in enumerate(self.left):
            if left == 1 and not (self.declared | self.out) >> seat & 1:
                self.declare(seat)

    def give_back(self, card: Card) -> None:
        """Complete the exchange (R27). Raises ValueError if there isn't one."""
        if self.gives_to is None:
            raise ValueError("there is no exchange")
        for seat, change in ((self.turn, -1), (self.gives_to, 1)):
            self.combinations[seat] = HandCombinations(
                self._finder, self.combinations[seat].tally + change * tally((card,))
            )
            self.left[seat] += change
        self.gives_to = None

    def run(self, random: Random) -> tuple[int, ...]:
        """Play uniformly random legal moves to the end, with every last card declared. Returns the points."""
        chance = random.random
        self.declare_all()
        if self.gives_to is not None:
            self.give_back(ALL_CARDS[random.choice(self.combinations[self.turn].of(Kind.SINGLE))])
        while self.winner is None:
            plays, may_pass = self.legal()
            chosen = int(chance() * (len(plays) + may_pass))
            if chosen < len(plays):
                self.play(plays[chosen])
            else:
                self.pass_()
        return self.points

    def _is_blocked(self) -> bool:
        """True if the next seat has declared its last card (R31)."""
        return self.declared >> self._order[self.turn] & 1 == 1

    def _restricted(self, combinations: HandCombinations, to_beat: Combination | None) -> tuple[Indexes, bool]:
        blocked = self._is_blocked()
        plays = legal_indexes(combinations, to_beat, self.opening, blocked, self.options)
        return plays, to_beat is not None and pass_is_legal(combinations, to_beat, blocked, self.options)

    def _finish_play(self, seat: int, left: int, last_card: bool) -> None:
        if left == 0:
            self.winner = seat
        elif last_card or self.options.last_card == "automatic":
            self.declared |= 1 << seat
        elif self.options.forgotten == "out":
            self._owing = seat

    def _settle(self, forgetful: int) -> bool:
        """Put the seat that didn't declare in time out of the hand (R36). Returns True if that ends the hand (R37)."""
        actor = self.turn
        self._forget(forgetful)
        if self.out | 1 << actor != self._everyone:
            return False
        self.winner = actor
        return True

    def _forget(self, seat: int) -> None:
        """Apply the option `forgotten` (R30)."""
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
    """The next seat after each seat, skipping those whose bit is set in `out` (R20, R38)."""
    playing = [seat for seat in range(seats) if not out >> seat & 1]
    return tuple(min(playing, key=lambda other: (other - seat) * direction % seats or seats) for seat in range(seats))
