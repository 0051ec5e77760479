"""Refusals: one type each, naming its rule and carrying the facts.

    IllegalMove
      NoSuchSeat, MatchIsOver, NotYourTurn, OutOfThisHand, NotNow, ExchangeFirst, NothingToGiveBack,
      NothingToDeclare (AlreadyDeclared, NoCardLeftToDeclare), NothingToTakeBack, WrongSeed
      IllegalPlay
        NotInHand, NotACombination, WrongSize, NotHigher, OpeningNeedsMultiOne,
        MustLeadSeveral, MustPlayHighest
      LeaderMustPlay, MustNotPass

They are raised before anything changes. Their own text is for a prompt and a log; what a player reads is worded
from the facts elsewhere.
"""

from dataclasses import dataclass
from typing import ClassVar

from bot.engine.cards import Card, Cards, format_cards
from bot.engine.combinations import Combination, Criterion, Kind


class IllegalMove(Exception):
    """A move that the rules refuse. `rule` is the number of the rule that says so."""

    rule: ClassVar[str]
    says: ClassVar[str] = "this move is not allowed"

    def __str__(self) -> str:
        return f"{self.rule}: {self.says}"


class IllegalPlay(IllegalMove):
    """Cards that may not be laid now."""


@dataclass(eq=False)
class NotYourTurn(IllegalMove):
    """Another seat is to act."""

    turn: int
    rule = "R23"

    def __str__(self) -> str:
        return f"R23: it is seat {self.turn}'s turn"


class NoSuchSeat(IllegalMove):
    """Three or four play; this is none of their seats."""

    rule = "R19"
    says = "there is no such seat"


class MatchIsOver(IllegalMove):
    """No hand follows."""

    rule = "R32"
    says = "the match is over"


class NotNow(IllegalMove):
    """The table has to deal, or to reveal the seed, before anybody may act; or the other way round."""

    rule = "R26"
    says = "this is not the moment for it"


class OutOfThisHand(IllegalMove):
    """The seat forgot "Last card!" and plays no more in this hand."""

    rule = "R30"
    says = "this seat is out of the hand"


class ExchangeFirst(IllegalMove):
    """Nobody plays before the winner has given a card back."""

    rule = "R27"
    says = "the exchange comes first"


class NothingToGiveBack(IllegalMove):
    """There is no exchange for this seat to complete."""

    rule = "R27"
    says = "this seat has no card to give back"


class NothingToDeclare(IllegalMove):
    """The words "Last card!" from a seat that does not hold one card, or whose play leaves another number of cards."""

    rule = "R29"
    says = "the last card can be declared by who holds one card only"


class AlreadyDeclared(NothingToDeclare):
    """The last card was declared before."""

    says = "the last card is declared already"


class NoCardLeftToDeclare(NothingToDeclare):
    """The words "Last card!" with a play that leaves no card."""

    says = "the last card is declared before it is played"


class NothingToTakeBack(IllegalMove):
    """The event just before is no play or pass of this seat."""

    rule = "R23"
    says = "there is nothing to take back"


class WrongSeed(IllegalMove):
    """The seed is not the one that the match is committed to."""

    rule = "R19"
    says = "the seed does not match the commitment"


@dataclass(eq=False)
class NotInHand(IllegalPlay):
    """The hand lacks some of the cards."""

    cards: Cards
    rule = "R19"

    def __str__(self) -> str:
        return f"R19: the hand does not hold {format_cards(self.cards)}"


@dataclass(eq=False)
class NotACombination(IllegalPlay):
    """Cards that are none of the combinations."""

    cards: Cards
    rule = "R3"

    def __str__(self) -> str:
        return f"R3-R13: {format_cards(self.cards) or 'no card'} is no combination"


@dataclass(eq=False)
class WrongSize(IllegalPlay):
    """A combination of another number of cards than what lies there, and no gang."""

    to_beat: Combination
    tried: Combination
    rule = "R15"

    def __str__(self) -> str:
        return f"R15: {self.to_beat} has {self.to_beat.size} cards, {self.tried} has {self.tried.size}"


@dataclass(eq=False)
class NotHigher(IllegalPlay):
    """A combination that does not beat what lies there.

    `decisive` is the first thing that counts in which it is lower; None where the rules see no difference.
    """

    to_beat: Combination
    tried: Combination
    decisive: Criterion | None

    @property
    def rule(self) -> str:  # type: ignore[override]  # the rule depends on what decided
        """R18 against a gang, R15 where equal, R16 between kinds, R35 for the multicolored 1, else R17."""
        if self.to_beat.kind is Kind.GANG:
            return "R18"
        if self.decisive is None:
            return "R15"
        return {Criterion.KIND: "R16", Criterion.MULTI_ONE: "R35"}.get(self.decisive, "R17")

    def __str__(self) -> str:
        why = f"its {self.decisive.value} is lower" if self.decisive else "it is equal"
        return f"{self.rule}: {self.tried} does not beat {self.to_beat}: {why}"


class OpeningNeedsMultiOne(IllegalPlay):
    """The first lead of a match includes the multicolored 1, which its leader holds."""

    rule = "R21"
    says = "the first lead includes 1M"


class LeaderMustPlay(IllegalMove):
    """Who leads may not pass."""

    rule = "R23"
    says = "who leads may not pass"


@dataclass(eq=False)
class MustLeadSeveral(IllegalPlay):
    """The next seat declared its last card: lead several cards. `blocked` is that seat."""

    blocked: int
    rule = "R31"
    says = "the lead must be a combination of several cards"


@dataclass(eq=False)
class MustPlayHighest(IllegalPlay):
    """The next seat declared its last card: this single, or (following) a gang, is all that may be played."""

    blocked: int
    card: Card
    rule = "R31"

    def __str__(self) -> str:
        return f"R31: the highest single, {self.card}, must be played"


@dataclass(eq=False)
class MustNotPass(IllegalMove):
    """The next seat declared its last card, and the highest single beats what lies there: no passing."""

    blocked: int
    card: Card
    rule = "R31"

    def __str__(self) -> str:
        return f"R31: {self.card} must be played, or a gang; no passing"
