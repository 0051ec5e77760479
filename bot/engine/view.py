"""Views: everything that one seat, or every spectator, may know of a match."""

from collections import Counter
from dataclasses import dataclass, field
from itertools import chain

from bot.engine.cards import DECK, Cards
from bot.engine.combinations import Combination
from bot.engine.events import HandEnded, MatchStarted
from bot.engine.legality import Situation, may_pass, plays
from bot.engine.moves import Play
from bot.engine.rules import is_opening, owes_declaration, require_seat, situation
from bot.engine.scoring import Ranking
from bot.engine.shuffle import HAND_SIZE
from bot.engine.state import Cycle, Exchange, History, Phase, State


@dataclass(frozen=True, slots=True)
class PublicView:
    """Everything that any spectator may know (R25): no hand, no dummy, no earlier cycle."""

    match: MatchStarted
    players: tuple[str, ...]
    phase: Phase
    totals: tuple[int, ...]
    dealer: int
    hand_number: int
    direction: int
    left: tuple[int, ...]
    """The number of cards that each seat has left."""
    turn: int | None
    cycle: Cycle
    opening: bool
    """True if the lead must include the multicolored 1 (R21)."""
    declared: frozenset[int]
    owing: frozenset[int]
    """The seats with one undeclared card. Everyone may count cards (R25)."""
    out: frozenset[int]
    exchange: Exchange | None
    cut: Cards
    """The cards looked at under the Chinese deal (R34)."""
    dealt_first: int | None
    last_hand: HandEnded | None
    deciding: bool
    ranking: Ranking | None


@dataclass(frozen=True, slots=True)
class View:
    """Everything that a seat may know: the public view, its own hand and its legal moves."""

    public: PublicView
    seat: int
    hand: Cards = field(repr=False)
    situation: Situation | None
    """None while this seat can't play: no hand is being played, or the seat is out of it."""
    may_take_back: bool = False
    """True if this seat moved last, so it can take the move back if the table allows that."""
    played: Cards | None = None
    """The cards played in this hand so far, ascending; None unless requested (see `view`)."""
    history: History | None = None
    """The plays and passes of this hand in order; None unless requested."""

    @property
    def is_my_turn(self) -> bool:
        """True if this seat must play, pass or give a card back."""
        return self.public.turn == self.seat

    @property
    def may_give_back(self) -> bool:
        """True if this seat must complete the exchange (R27)."""
        return self.is_my_turn and self.public.phase is Phase.EXCHANGE

    @property
    def may_play(self) -> bool:
        """True if it is this seat's turn in a cycle."""
        return self.is_my_turn and self.public.phase is Phase.PLAY

    @property
    def may_pass(self) -> bool:
        """True if this seat may pass now."""
        return self.may_play and self.situation is not None and may_pass(self.situation)

    @property
    def has_played(self) -> bool:
        """True if this seat has played a card in this hand. In the exchange the winner holds a card less."""
        return len(self.hand) < HAND_SIZE and self.public.phase is not Phase.EXCHANGE

    @property
    def may_declare(self) -> bool:
        """True if this seat may declare its last card now."""
        return self.seat in self.public.owing

    def plays(self) -> tuple[Combination, ...]:
        """All legal plays of this seat, ascending; empty unless it is its turn."""
        return plays(self.situation) if self.may_play and self.situation is not None else ()

    def playing(self, cards: Cards) -> Play:
        """The move that plays these cards. It declares a last card."""
        return Play(self.seat, cards, last_card=len(self.hand) - len(cards) == 1)

    @property
    def unseen(self) -> Cards:
        """The cards that this seat hasn't seen, ascending. The view must have the cards played."""
        return tuple(sorted((Counter(DECK) - Counter(self.hand) - Counter(self.played or ())).elements()))


def public_view(state: State) -> PublicView:
    """The view of a spectator."""
    return PublicView(
        match=state.match,
        players=state.players,
        phase=state.phase,
        totals=state.totals,
        dealer=state.dealer,
        hand_number=state.hand_number,
        direction=state.direction,
        left=tuple(len(hand) for hand in state.hands) or (0,) * state.size,
        turn=state.turn,
        cycle=state.cycle,
        opening=state.phase is Phase.PLAY and state.turn is not None and is_opening(state, state.turn),
        declared=state.declared,
        owing=frozenset(seat for seat in range(state.size) if state.hands and owes_declaration(state, seat)),
        out=state.out,
        exchange=state.exchange,
        cut=state.cut,
        dealt_first=state.dealt_first,
        last_hand=state.last_hand,
        deciding=state.deciding,
        ranking=state.ranking,
    )


def view(state: State, seat: int, *, with_played: bool = False, public: PublicView | None = None) -> View:
    """The view of a seat. Raises `NoSuchSeat`.

    `public` is the view of a spectator if it's known already.
    `with_played` adds the cards played so far and the history, for programs; people must remember them (R25).
    """
    require_seat(state, seat)
    plays_on = state.phase is Phase.PLAY and seat not in state.out and bool(state.hands[seat])
    return View(
        public or public_view(state),
        seat,
        state.hands[seat] if state.hands else (),
        situation(state, seat) if plays_on else None,
        state.undo is not None and state.undo.turn == seat,
        _played(state) if with_played else None,
        state.history if with_played else None,
    )


def _played(state: State) -> Cards:
    """The cards played in this hand: those that are neither in a hand nor in the dummy."""
    if not state.hands:
        return ()
    hidden = Counter(chain(state.dummy, *state.hands))
    return tuple(sorted((Counter(DECK) - hidden).elements()))
