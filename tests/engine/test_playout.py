"""Playouts, compared with `decide` and `evolve` event by event."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from bot.engine import (
    Card,
    Declare,
    GiveBack,
    Options,
    Pass,
    Phase,
    Play,
    State,
    advance,
    begin,
    combination_table,
    commitment,
    format_cards,
    may_pass,
    parse_card,
    plays,
    public_view,
    situation,
    view,
)
from bot.engine.events import Declared, Event, Forgot, GaveBack, HandEnded, Passed, Played
from bot.engine.moves import Deal, Move
from bot.engine.playout import Playout
from bot.engine.rules import owes_declaration
from tests.engine.positions import SEED, after, between_hands, hand_in_play, second_hand, start

CHOICES = {
    "flush_order": ("highest", "sum"),
    "forgotten": ("out", "takes_back"),
    "block": ("lead_and_follow", "lead_only"),
    "last_card": ("declared", "automatic"),
}
RULES = [Options().with_changes(**dict(zip(CHOICES, values, strict=True))) for values in product(*CHOICES.values())]
RULE_IDS = [" ".join(str(getattr(options, name)) for name in CHOICES) for options in RULES]


class RecordedPlayout(Playout):
    """A playout that records events."""

    def __init__(self, options: Options, hands: Sequence[Sequence[Card]], turn: int, direction: int) -> None:
        super().__init__(options, hands, turn, direction)
        self.events: list[Event] = []

    def play(self, index: int, last_card: bool = True) -> None:
        seat, left, declared = self.turn, self.left[self.turn], self.declared
        super().play(index, last_card)
        if self.left[seat] < left:
            cards = combination_table(self.options.flush_order).all[index].cards
            self.events.append(Played(seat, cards, last_card=self.declared != declared))

    def pass_(self) -> None:
        seat = self.turn
        super().pass_()
        if self.winner is None:
            self.events.append(Passed(seat))

    def declare(self, seat: int) -> None:
        super().declare(seat)
        self.events.append(Declared(seat))

    def give_back(self, card: Card) -> None:
        assert self.gives_to is not None
        self.events.append(GaveBack(self.turn, self.gives_to, card))
        super().give_back(card)

    def _forget(self, seat: int) -> None:
        self.events.append(Forgot(seat))
        super()._forget(seat)

    def since(self, state: State) -> tuple[Event, ...]:
        """The events since `state`."""
        events, self.events = tuple(self.events), []
        if self.winner is None:
            return events
        totals = tuple(total + more for total, more in zip(state.totals, self.points, strict=True))
        return (*events, HandEnded(state.hand_number, self.winner, tuple(self.left), self.points, totals))


def assert_same_position(playout: Playout, state: State) -> None:
    """Same cards, same turn, same legal moves."""
    assert state.turn is not None
    now = situation(state, state.turn)
    indexes, may_pass_now = playout.legal()
    assert combination_table(state.match.options.flush_order).at(indexes) == plays(now)
    assert may_pass_now == may_pass(now)
    assert playout.turn == state.turn
    assert playout.left == [len(hand) for hand in state.hands]
    assert playout.declared == sum(1 << seat for seat in state.declared)
    assert playout.out == sum(1 << seat for seat in state.out)


def apply(playout: Playout, move: Move) -> None:
    """Make a move in the playout."""
    match move:
        case Play(_, cards, last_card):
            playout.play(combination_table(playout.options.flush_order).index_of[cards], last_card)
        case Pass():
            playout.pass_()
        case Declare(seat):
            playout.declare(seat)
        case GiveBack(_, card):
            playout.give_back(card)
        case _:
            raise TypeError(move)


def random_move(state: State, chance: Random) -> Move:
    """Any legal move of the seat to move; a last card is not always declared."""
    seat = state.turn
    assert seat is not None
    if state.phase is Phase.EXCHANGE:
        return GiveBack(seat, chance.choice(state.hands[seat]))
    now = situation(state, seat)
    moves: list[Move] = [
        Play(seat, play.cards, last_card=len(now.hand) - play.size == 1 and chance.random() < 0.6)
        for play in plays(now)
    ]
    if may_pass(now):
        moves.append(Pass(seat))
    return chance.choice(moves)


def late_declaration(state: State, chance: Random) -> Move | None:
    """Sometimes, a declaration by a seat that forgot it, before the next move."""
    owing = (seat for seat in range(state.size) if owes_declaration(state, seat) and chance.random() < 0.4)
    return next((Declare(seat) for seat in owing), None)


def random_match(options: Options, seats: int, seed: str) -> Iterator[tuple[State, Move, tuple[Event, ...]]]:
    """A random match: the state before each move, the move, and its events."""
    chance = Random(seed)
    secret = chance.randbytes(32)
    match = replace(start(seats, options=options), commitment=commitment(secret))
    state, _ = advance(begin(match), Deal(secret), secret)
    while state.phase is not Phase.OVER:
        move = late_declaration(state, chance) or random_move(state, chance)
        before = state
        state, events = advance(state, move, secret)
        yield before, move, events


def of_this_hand(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Events without the next deal or the reveal, which no playout has."""
    ends = [index for index, event in enumerate(events) if isinstance(event, HandEnded)]
    return events[: ends[0] + 1] if ends else events


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("options", RULES, ids=RULE_IDS)
def test_a_playout_follows_decide_and_evolve(options: Options, seats: int) -> None:
    entered = Random(f"{options} {seats}")
    playout: RecordedPlayout | None = None
    for state, move, events in random_match(options, seats, f"parity {options} {seats}"):
        if playout is None or playout.winner is not None or entered.random() < 0.05:
            playout = RecordedPlayout.from_state(state)
        if state.phase is Phase.PLAY:
            assert_same_position(playout, state)
        apply(playout, move)
        assert playout.since(state) == of_this_hand(events)


def test_the_random_matches_cover_the_rare_rules() -> None:
    met: Counter[str] = Counter()
    for number, options in enumerate(RULES * 2):
        for state, move, events in random_match(options, 3 + number % 2, f"rare {number}"):
            met.update(rare_rules(state, move, of_this_hand(events)))
    assert set(met) == {
        "out",
        "taken back",
        "deserted",
        "the lead of one who is out falls on",
        "declared late",
        "bound to lead several",
        "bound to the highest single",
        "must not pass",
        "the last card was several",
    }


def rare_rules(state: State, move: Move, events: tuple[Event, ...]) -> Iterator[str]:
    """The rarely applied rules that this move met."""
    forgotten = any(isinstance(event, Forgot) for event in events)
    ended = isinstance(events[-1], HandEnded)
    if forgotten:
        yield "taken back" if state.match.options.forgotten == "takes_back" else "out"
    if forgotten and ended:
        yield "deserted"
    if isinstance(move, Declare):
        yield "declared late"
    if isinstance(move, Play) and ended and len(move.cards) > 1:
        yield "the last card was several"
    if state.phase is not Phase.PLAY or state.turn is None or isinstance(move, Declare):
        return
    if not state.cycle.plays and state.last_hand is not None and state.dealer in state.out:
        yield "the lead of one who is out falls on"
    now = situation(state, state.turn)
    free = now._replace(blocked=None)
    if plays(now) != plays(free):
        yield "bound to lead several" if now.to_beat is None else "bound to the highest single"
    if may_pass(now) != may_pass(free):
        yield "must not pass"


def test_a_random_run_ends_with_the_points_of_its_hand() -> None:
    for seed in range(50):
        playout = Playout.deal(Options(), 3 + seed % 2, Random(seed))
        points = playout.run(Random(seed))
        assert playout.winner is not None
        assert points == playout.points
        assert points[playout.winner] == 0
        assert [seat for seat, left in enumerate(playout.left) if left == 0] == [playout.winner]


def test_a_run_is_reproducible() -> None:
    first, second = (Playout.deal(Options(), 4, Random(7)) for _ in range(2))
    assert first.run(Random(8)) == second.run(Random(8))
    assert first.left == second.left


def test_a_run_begins_with_the_exchange() -> None:
    state, _ = advance(between_hands((0, 5, 3), (0, 5, 3)), Deal(SEED), SEED)
    playout = RecordedPlayout.from_state(state)
    assert (playout.turn, playout.gives_to, playout.left) == (0, 1, [17, 15, 16])
    playout.run(Random(1))
    assert isinstance(playout.events[0], GaveBack)
    assert playout.gives_to is None


def test_playing_on_a_copy_does_not_change_the_original() -> None:
    playout = Playout.deal(Options(), 4, Random(3))
    legal, left = playout.legal(), playout.left.copy()
    assert playout.copy().run(Random(4)) == playout.copy().run(Random(4))
    assert (playout.legal(), playout.left, playout.winner) == (legal, left, None)


def test_a_copy_has_the_whole_state() -> None:
    state = after(hand_in_play("5G 9R", "6G 8G 8R", "7G 7Y 10R", lead=0), "5G!", "6G")
    playout = RecordedPlayout.from_state(state)
    copy = playout.copy()
    assert copy.legal() == playout.legal()
    assert (copy.declared, copy.turn, copy.to_beat) == (playout.declared, playout.turn, playout.to_beat)


@pytest.mark.parametrize("seats", [3, 4])
def test_a_dealt_playout_opens_with_the_multicolored_1(seats: int) -> None:
    multi_one = parse_card("1M")
    for seed in range(40):
        playout = Playout.deal(Options(), seats, Random(seed))
        assert playout.left == [16] * seats
        holders = [seat for seat in range(seats) if playout.combinations[seat].tally >> 2 * multi_one & 1]
        opened = [multi_one in combination_table().all[index].cards for index in playout.legal()[0]]
        if holders:
            assert [playout.turn] == holders
            assert all(opened)
        else:
            assert seats == 3
            assert not any(opened)


def test_a_playout_from_a_view_with_assumed_hands() -> None:
    state = second_hand("5G 5Y 9R", "6G 6Y 8R", "7G 7Y 2R")
    seen = view(state, 1)
    imagined = ("7G 7Y 2R", "6G 6Y 8R", "5G 5Y 9R")
    playout = Playout.from_view(seen.public, [[parse_card(word) for word in hand.split()] for hand in imagined])
    assert [format_cards(play.cards) for play in combination_table().at(playout.legal()[0])] == [
        "2R",
        "7G",
        "7Y",
        "7G 7Y",
    ]
    assert playout.direction == -1


def test_between_hands_there_is_no_playout() -> None:
    state = between_hands((0, 5, 3), (0, 5, 3))
    with pytest.raises(ValueError, match="no hand"):
        Playout.from_state(state)
    with pytest.raises(ValueError, match="no hand"):
        Playout.from_view(public_view(state), state.hands)


def test_points_need_a_winner_and_a_gift_needs_an_exchange() -> None:
    playout = Playout.deal(Options(), 4, Random(0))
    with pytest.raises(ValueError, match="not over"):
        _ = playout.points
    with pytest.raises(ValueError, match="no exchange"):
        playout.give_back(parse_card("5G"))


@pytest.mark.parametrize("forgotten", ["out", "takes_back"])
@pytest.mark.parametrize("hands", [("3G", "4G", "5G", "6G"), ("3G", "4G", "5G"), ("2R", "4G 4Y", "5G", "6G")])
def test_a_hand_of_undeclared_last_cards_ends(hands: tuple[str, ...], forgotten: str) -> None:
    state = hand_in_play(*hands, options=Options().with_changes(forgotten=forgotten))
    playout = Playout.from_state(state)
    assert min(playout.run(Random(1))) == 0
    again = Playout.from_state(state)
    again.declare_all()
    while again.winner is None:
        found, _ = again.legal()
        again.play(found[0]) if found else again.pass_()
