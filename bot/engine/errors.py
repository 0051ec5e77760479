"""The errors that refuse a move. Each names its rule and carries the values that explain it.

    IllegalMove
      NoSuchSeat, MatchIsOver, NotYourTurn, OutOfThisHand, NotNow, ExchangeFirst, NothingToGiveBack,
      NothingToDeclare (AlreadyDeclared, NoCardLeftToDeclare), NothingToTakeBack, WrongSeed
      IllegalPlay
        NotInHand, NotACombination, WrongSize, NotHigher, OpeningNeedsMultiOne,
        MustLeadSeveral, MustPlayHighest
      LeaderMustPlay, MustNotPass

They are raised before anything changes. Their text is for prompts and logs; players read one that the presentation
makes from the attributes.
"""

from dataclasses import dataclass
from typing import ClassVar

from bot.engine.cards import Card, Cards, format_cards
from bot.engine.combinations import Combination, Criterion, Kind


class IllegalMove(Exception):
    """A move that the rules forbid: the number of the rule, and the reason, with attributes in braces."""

    rule: ClassVar[str]
    says: ClassVar[str] = "this move is not allowed"

    def __str__(self) -> str:
        return f"{self.rule}: {self.says.format_map(vars(self))}"


class IllegalPlay(IllegalMove):
    """Cards that can't be played now."""


@dataclass(eq=False)
class NotYourTurn(IllegalMove):
    """It's another seat's turn."""

    turn: int
    rule = "R23"
    says = "it is seat {turn}'s turn"


class NoSuchSeat(IllegalMove):
    """The match has no seat of that number."""

    rule = "R19"
    says = "there is no such seat"


class MatchIsOver(IllegalMove):
    """The match has ended."""

    rule = "R32"
    says = "the match is over"


class NotNow(IllegalMove):
    """The table must deal or reveal the seed first, or a hand must end before the table can."""

    rule = "R26"
    says = "this can't be done now"


class OutOfThisHand(IllegalMove):
    """The seat forgot "Last card!" and is out of this hand."""

    rule = "R30"
    says = "this seat is out of the hand"


class ExchangeFirst(IllegalMove):
    """The winner must give a card back before the hand is played."""

    rule = "R27"
    says = "the exchange comes first"


class NothingToGiveBack(IllegalMove):
    """The seat has no exchange to complete."""

    rule = "R27"
    says = "this seat has no card to give back"


class NothingToDeclare(IllegalMove):
    """A declared last card by a seat that doesn't hold one card, or whose play doesn't leave one."""

    rule = "R29"
    says = "only a player with one card can declare it"


class AlreadyDeclared(NothingToDeclare):
    """The last card has already been declared."""

    says = "the last card has already been declared"


class NoCardLeftToDeclare(NothingToDeclare):
    """A last card declared with its own play."""

    says = "the last card must be declared before it is played"


class NothingToTakeBack(IllegalMove):
    """The latest event isn't a play or pass of this seat."""

    rule = "R23"
    says = "there is nothing to take back"


class WrongSeed(IllegalMove):
    """The seed doesn't match the commitment of the match."""

    rule = "R19"
    says = "the seed does not match the commitment"


@dataclass(eq=False)
class NotInHand(IllegalPlay):
    """The hand doesn't hold all of the cards."""

    cards: Cards
    rule = "R19"

    def __str__(self) -> str:
        return f"R19: the hand does not hold {format_cards(self.cards)}"


@dataclass(eq=False)
class NotACombination(IllegalPlay):
    """Cards that don't make a combination."""

    cards: Cards

    @property
    def rule(self) -> str:  # type: ignore[override]  # the rule depends on the number of cards
        """R4 for two cards, R5 for three, R6-R9 for five, R10 for four or more than five, R3 for fewer."""
        return {0: "R3", 1: "R3", 2: "R4", 3: "R5", 5: "R6-R9"}.get(len(self.cards), "R10")

    def __str__(self) -> str:
        return f"{self.rule}: {format_cards(self.cards) or 'an empty play'} isn't a combination"


@dataclass(eq=False)
class WrongSize(IllegalPlay):
    """A combination that isn't a gang and doesn't have as many cards as the play to beat."""

    to_beat: Combination
    tried: Combination
    rule = "R15"
    says = "{to_beat} has {to_beat.size} cards, {tried} has {tried.size}"


@dataclass(eq=False)
class NotHigher(IllegalPlay):
    """A combination that doesn't beat the play to beat.

    `decisive` is the criterion in which it is lower; None if the two are equal.
    """

    to_beat: Combination
    tried: Combination
    decisive: Criterion | None

    @property
    def rule(self) -> str:  # type: ignore[override]  # the rule depends on what decided
        """R18 against a gang, R15 if equal, R16 between kinds, R35 for the multicolored 1, else R17."""
        if self.to_beat.kind is Kind.GANG:
            return "R18"
        if self.decisive is None:
            return "R15"
        return {Criterion.KIND: "R16", Criterion.MULTI_ONE: "R35"}.get(self.decisive, "R17")

    def __str__(self) -> str:
        why = f"its {self.decisive.value} is lower" if self.decisive else "it is equal"
        return f"{self.rule}: {self.tried} does not beat {self.to_beat}: {why}"


class OpeningNeedsMultiOne(IllegalPlay):
    """The first lead of a match must include the multicolored 1, which the leader holds."""

    rule = "R21"
    says = "the first lead includes 1M"


class LeaderMustPlay(IllegalMove):
    """The leader can't pass."""

    rule = "R23"
    says = "the leader may not pass"


@dataclass(eq=False)
class MustLeadSeveral(IllegalPlay):
    """The next seat, `blocked`, declared its last card, so the lead must have several cards."""

    blocked: int
    rule = "R31"
    says = "the lead must be a combination of several cards"


@dataclass(eq=False)
class MustPlayHighest(IllegalPlay):
    """The next seat, `blocked`, declared its last card, so only `card` or (when following) a gang can be played."""

    blocked: int
    card: Card
    rule = "R31"
    says = "the highest single, {card}, must be played"


@dataclass(eq=False)
class MustNotPass(IllegalMove):
    """The next seat, `blocked`, declared its last card, and the highest single, `card`, beats the play to beat."""

    blocked: int
    card: Card
    rule = "R31"
    says = "{card} or a gang must be played; passing isn't allowed"
