"""Every refusal: its type, rule, attributes and text."""

from typing import Any

import pytest

from bot.engine import (
    Abandon,
    Deal,
    Declare,
    GiveBack,
    IllegalMove,
    Options,
    Pass,
    Play,
    Reveal,
    State,
    Substitute,
    TakeBack,
)
from bot.engine.cards import parse_card, parse_cards
from bot.engine.combinations import Criterion
from bot.engine.errors import (
    AlreadyDeclared,
    ExchangeFirst,
    IllegalPlay,
    LeaderMustPlay,
    MatchIsOver,
    MustLeadSeveral,
    MustNotPass,
    MustPlayHighest,
    NoCardLeftToDeclare,
    NoSuchSeat,
    NotACombination,
    NotHigher,
    NothingToDeclare,
    NothingToGiveBack,
    NothingToTakeBack,
    NotInHand,
    NotNow,
    NotYourTurn,
    OpeningNeedsMultiOne,
    OutOfThisHand,
    WrongSeed,
    WrongSize,
)
from bot.engine.moves import Move
from bot.engine.rules import decide
from tests.engine.positions import SEED, after, between_hands, combination, hand_in_play, move, refusal

HANDS = ("4G 5G 5Y 6R 7R 8R 9R 10R", "3G 3Y 3R 3R 6G 6Y 9Y", "4Y 7G 7Y 10G")
LEAD = hand_in_play(*HANDS)
PAIR = after(LEAD, "5G 5Y")
LAST = hand_in_play("2G 3G", "4G 6G 6Y 9R", "5G 7Y 9G")
BLOCK = after(LAST, "2G!", "pass")
FULL = "1M 2G 2Y 2R 3G 4G 5G 6G 7G 8G 9G 10G 10Y 10R PG PY"
OPENING = hand_in_play(FULL, FULL.replace("1M", "1G"), FULL.replace("1M", "1Y"))
OUT = after(hand_in_play("2G 9G", "3G 8Y 9Y", "4G 8R 9R"), "2G", "3G")
OVER = after(between_hands((0, 3, 2), (0, 103, 2)), Reveal(SEED))
BETWEEN = between_hands((0, 3, 2), (0, 3, 2))
EXCHANGE = after(BETWEEN, Deal(SEED))
LEADING_BLOCK = after(hand_in_play("3G 8G 8Y 9G", "4G 9Y", "3R 10R DR"), "3G", "4G!", "pass", "9G", "pass", "pass")
GANG = after(hand_in_play("3G 3Y 3R 3R 5G", "2G 2Y 2R 2R 8Y", "4G 4Y 10R"), "3G 3Y 3R 3R")

REFUSALS = [
    pytest.param(OVER, Pass(0), MatchIsOver, {}, "R32: the match is over", id="R32 over"),
    pytest.param(BETWEEN, Pass(0), NotNow, {}, "R26: this can't be done now", id="R26 no hand is played"),
    pytest.param(BETWEEN, Reveal(SEED), NotNow, {}, "R26: this can't be done now", id="R26 nothing to reveal yet"),
    pytest.param(LEAD, Deal(SEED), NotNow, {}, "R26: this can't be done now", id="R26 no deal within a hand"),
    pytest.param(LEAD, Pass(2), NotYourTurn, {"turn": 0}, "R23: it is seat 0's turn", id="R23 turn"),
    pytest.param(LEAD, "pass", LeaderMustPlay, {}, "R23: the leader may not pass", id="R23 lead"),
    pytest.param(LEAD, Declare(9), NoSuchSeat, {}, "R19: there is no such seat", id="R19 seat to declare"),
    pytest.param(LEAD, Substitute(-1, "Bo"), NoSuchSeat, {}, "R19: there is no such seat", id="R19 seat to fill"),
    pytest.param(LEAD, TakeBack(0), NothingToTakeBack, {}, "R23: there is nothing", id="R23 undo"),
    pytest.param(OUT, Play(0, parse_cards("9G")), OutOfThisHand, {}, "R30: this seat is out", id="R30 out plays"),
    pytest.param(OUT, Declare(0), OutOfThisHand, {}, "R30: this seat is out", id="R30 out declares"),
    pytest.param(EXCHANGE, "9G", ExchangeFirst, {}, "R27: the exchange comes first", id="R27 first"),
    pytest.param(LEAD, GiveBack(0, parse_card("4G")), NothingToGiveBack, {}, "R27: this seat has no", id="R27 none"),
    pytest.param(LEAD, Declare(0), NothingToDeclare, {}, "R29: only a player", id="R29 several left"),
    pytest.param(BLOCK, Declare(0), AlreadyDeclared, {}, "R29: the last card has already", id="R29 twice"),
    pytest.param(
        hand_in_play("5G", "8G", "8Y"), "5G!", NoCardLeftToDeclare, {}, "R29: the last card", id="R29 too late"
    ),
    pytest.param(LEAD, Abandon("", b"?"), WrongSeed, {}, "R19: the seed does not match", id="R19 seed"),
    pytest.param(
        LEAD,
        "5G 10R 10R DR",
        NotInHand,
        {"cards": parse_cards("10R 10R DR")},
        "R19: the hand does not hold 10R 10R DR",
        id="R19 hand",
    ),
    pytest.param(
        LEAD,
        "4G 5G",
        NotACombination,
        {"cards": parse_cards("4G 5G")},
        "R4: 4G 5G isn't a combination",
        id="R4 no pair",
    ),
    pytest.param(LEAD, Play(0, ()), NotACombination, {"cards": ()}, "R3: an empty play", id="R3 no card"),
    pytest.param(
        PAIR,
        "9Y",
        WrongSize,
        {"to_beat": combination("5G 5Y"), "tried": combination("9Y")},
        "R15: <PAIR 5G 5Y> has 2 cards, <SINGLE 9Y> has 1",
        id="R15 size",
    ),
    pytest.param(
        PAIR,
        "3R 3R",
        NotHigher,
        {"to_beat": combination("5G 5Y"), "tried": combination("3R 3R"), "decisive": Criterion.NUMBER},
        "R17: <PAIR 3R 3R> does not beat <PAIR 5G 5Y>: its number is lower",
        id="R17 number",
    ),
    pytest.param(
        after(hand_in_play("5R 8G", "5Y 8Y", "6G 8R"), "5R!"),
        "5Y",
        NotHigher,
        {"decisive": Criterion.COLOR},
        "its color is lower",
        id="R17 color",
    ),
    pytest.param(
        after(hand_in_play("5R 8G", "5R 8Y", "6G 8R"), "5R!"),
        "5R",
        NotHigher,
        {"decisive": None},
        "R15: <SINGLE 5R> does not beat <SINGLE 5R>: it is equal",
        id="R15 equal",
    ),
    pytest.param(
        after(hand_in_play("2G 4G 6G 8G 10G 10G", "2Y 3Y 4Y 5R 6Y 9G", "6R 8R"), "2G 4G 6G 8G 10G!"),
        "2Y 3Y 4Y 5R 6Y",
        NotHigher,
        {"decisive": Criterion.KIND},
        "R16: <STRAIGHT 2Y 3Y 4Y 5R 6Y> does not beat <FLUSH",
        id="R16 kind",
    ),
    pytest.param(GANG, "2G 2Y 2R 2R", NotHigher, {"decisive": Criterion.NUMBER}, "R18: <GANG", id="R18 lower gang"),
    pytest.param(GANG, "8Y", NotHigher, {"decisive": Criterion.KIND}, "R18: <SINGLE 8Y>", id="R18 a single on it"),
    pytest.param(
        OPENING, "2G 2Y", OpeningNeedsMultiOne, {}, "R21: the first lead includes 1M", id="R21 without the 1M"
    ),
    pytest.param(
        LEADING_BLOCK,
        "8Y",
        MustLeadSeveral,
        {"blocked": 1},
        "R31: the lead must be a combination of several cards",
        id="R31 several",
    ),
    pytest.param(
        BLOCK,
        "7Y",
        MustPlayHighest,
        {"blocked": 0, "card": parse_cards("9G")[0]},
        "R31: the highest single, 9G, must be played",
        id="R31 follow",
    ),
    pytest.param(
        BLOCK,
        "pass",
        MustNotPass,
        {"blocked": 0, "card": parse_cards("9G")[0]},
        "R31: 9G or a gang must be played; passing isn't allowed",
        id="R31 pass",
    ),
]


@pytest.mark.parametrize(("state", "asked", "kind", "facts", "text"), REFUSALS)
def test_refusal(
    state: State,
    asked: str | Move,
    kind: type[IllegalMove],
    facts: dict[str, Any],
    text: str,
    request: pytest.FixtureRequest,
) -> None:
    before = (state.turn, state.hands, state.cycle, state.declared, state.out, state.phase)
    error = refusal(state, asked)
    assert (state.turn, state.hands, state.cycle, state.declared, state.out, state.phase) == before
    assert type(error) is kind
    assert {name: getattr(error, name) for name in facts} == facts
    assert text in str(error)
    assert error.rule == request.node.callspec.id.split()[0]


def leaf_errors(kind: type[IllegalMove]) -> set[type[IllegalMove]]:
    """The errors that are raised: those without subclasses, and one parent."""
    below = set().union(*(leaf_errors(child) for child in kind.__subclasses__()))
    return below | ({kind} if kind not in (IllegalMove, IllegalPlay) else set())


def test_every_refusal_has_a_row() -> None:
    assert {row.values[2] for row in REFUSALS} == leaf_errors(IllegalMove)


def test_cards_may_be_played_in_any_order() -> None:
    state = hand_in_play("5G 6R 6Y", "7G 8G", "7Y 8Y", options=Options(last_card="automatic"))
    shuffled = Play(0, tuple(reversed(parse_cards("6Y 6R"))))
    assert decide(state, shuffled) == decide(state, move(state, "6Y 6R"))
