"""The positions after each legal move, as features; the network chooses the best."""

from typing import Final

from bot.players.bits import FIRST_FIVE, FIRST_GANG, PLAYS, Floats, Ints
from bot.players.compiled.features import (
    SURE,
    UNSEEN,
    describe,
    division_words,
    gangs,
    own_words,
    table_words,
    unseen_by,
)
from bot.players.compiled.hand import (
    GAVE,
    GIVER,
    LEADER,
    ORDER,
    OWING,
    PASS,
    TO_BEAT,
    TURN,
    Hand,
    after_play,
    pass_turn,
    settle_owing,
)
from bot.players.compiled.heuristic import weigh, weigh_back
from bot.players.compiled.jit import jit, single, whole
from bot.players.compiled.lookups import Lookups, minus, plus
from bot.players.compiled.match import Chance, below, fraction
from bot.players.compiled.moves import SILENT, Scratch, list_moves
from bot.players.compiled.network import Network, Sums, evaluate, look
from bot.players.compiled.partition import count_above

NO_CHOICE: Final = -1e9
"""The value of a move without an alternative; it isn't computed."""


@jit
def words_after(lookups: Lookups, hand: Hand, me: int, index: int, scratch: Scratch, worth: float) -> None:
    """Write the features of the position after a move to `scratch.words`; `scratch.base` has those before it.

    `worth` is the heuristic's value of the best move.
    """
    move, now, words = scratch.moves[index], scratch.now, scratch.words
    now[:] = hand.now
    after = Hand(now, hand.cards, hand.left, hand.plays, hand.found, hand.played, hand.known, hand.refused)
    words[:] = scratch.base
    if now[OWING] >= 0:
        settle_owing(now)
    if move == PASS:
        pass_turn(now, me)
    else:
        place, order = move % PLAYS, now[ORDER]
        cards = minus(hand.cards[me], lookups.cards[order, place])
        after_play(now, place, hand.left[me] - lookups.sizes[order, place], move < SILENT)
        own_words(lookups, cards, words[UNSEEN], words)
    table_words(lookups, after, me, scratch.division.above, words)
    worse = worth - scratch.values[index]
    division_words(scratch.costs[index], scratch.turns[index], scratch.sure[index], worse, words)
    words[SURE] |= gangs(words[UNSEEN])


@jit
def has_five(hand: Hand, seat: int) -> bool:
    """True if the seat has a play of five cards."""
    for index in range(hand.found[seat] - 1, -1, -1):
        if hand.plays[seat, index] < FIRST_GANG:
            return hand.plays[seat, index] >= FIRST_FIVE
    return False


@jit
def choose(
    lookups: Lookups,
    network: Network,
    weights: Floats,
    sums: Sums,
    hand: Hand,
    totals: Ints,
    deciding: bool,
    scratch: Scratch,
    explore: float,
    chance: Chance,
) -> tuple[int, float, float]:
    """The move of the seat to act, its value, and that of the best move; NO_CHOICE if there is only one move.

    It's the best move, or with the probability `explore` a random one.
    """
    me, total = hand.now[TURN], list_moves(lookups, hand, scratch)
    scratch.listed[0] = total
    if total == 1:
        return scratch.moves[0], NO_CHOICE, NO_CHOICE
    if hand.now[TO_BEAT] >= FIRST_FIVE or has_five(hand, me):
        count_above(lookups.cards[hand.now[ORDER]], unseen_by(hand, me), scratch.division.above)
    weigh(lookups, hand, scratch, weights, total)
    likely = whole(scratch.values[:total].argmax())
    worth = scratch.values[likely]
    describe(lookups, hand, me, totals, deciding, scratch.base)
    words_after(lookups, hand, me, likely, scratch, worth)
    look(network, sums, me, scratch.words)  # the others differ little from the likely one
    random = below(chance, total) if explore > 0 and fraction(chance) < explore else -1
    best, chosen = single(NO_CHOICE), -2
    for index in range(total):
        words_after(lookups, hand, me, index, scratch, worth)
        value = evaluate(network, sums, me, scratch.words)
        scratch.ranks[index] = value
        if index == random or (value > best and chosen != random):
            chosen = index
            scratch.best[:] = scratch.words
        best = max(best, value)
    return scratch.moves[chosen], scratch.ranks[chosen], best


@jit
def choose_back(
    lookups: Lookups,
    network: Network,
    weights: Floats,
    sums: Sums,
    hand: Hand,
    totals: Ints,
    deciding: bool,
    scratch: Scratch,
    explore: float,
    chance: Chance,
) -> int:
    """The card that the leader gives back, as a bit; `now` holds the exchange."""
    now, words = hand.now, scratch.base
    me, giver = now[LEADER], now[GIVER]
    unseen = minus(unseen_by(hand, me), now[GAVE])
    count_above(lookups.cards[now[ORDER]], unseen, scratch.division.above)
    total = weigh_back(lookups, hand, scratch, weights)
    worth = scratch.values[:total].max()
    holds, kept = plus(hand.cards[me], now[GAVE]), hand.cards[me]
    random = below(chance, total) if explore > 0 and fraction(chance) < explore else -1
    best, chosen = single(NO_CHOICE), -2
    for index in range(total):
        card = scratch.moves[index]
        hand.cards[me], hand.known[giver] = minus(holds, card), card
        describe(lookups, hand, me, totals, deciding, words)
        table_words(lookups, hand, me, scratch.division.above, words)
        worse = worth - scratch.values[index]
        division_words(scratch.costs[index], scratch.turns[index], scratch.sure[index], worse, words)
        words[SURE] |= gangs(words[UNSEEN])
        if index == 0:
            look(network, sums, me, words)
        value = evaluate(network, sums, me, words)
        if index == random or (value > best and chosen != random):
            chosen = index
            scratch.best[:] = words
        best = max(best, value)
    hand.cards[me], hand.known[giver] = kept, 0
    return scratch.moves[chosen]
