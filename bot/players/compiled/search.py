"""Search: try the network's best moves in deals that agree with the beliefs.

In each deal the network plays on for all seats, up to the own next choice. Its value there is the result.
"""

from typing import Final, NamedTuple

import numpy as np

from bot.players.bits import KINDS, Floats, Ints
from bot.players.compiled.beliefs import PILES, Beliefs, believe, imagine_believed
from bot.players.compiled.candidates import NO_CHOICE, choose
from bot.players.compiled.equity import Outlook, Pool, look_ahead, new_outlook, play_on, usual_change
from bot.players.compiled.hand import DIRECTION, LEADER, SEATS, TURN, WINNER, Hand, copy_hand, new_hand
from bot.players.compiled.jit import jit, single
from bot.players.compiled.lookups import Lookups
from bot.players.compiled.match import Chance, draw, hand_points, is_over, share
from bot.players.compiled.moves import Scratch, make, new_scratch
from bot.players.compiled.network import Network, Sums, new_sums, reset
from bot.players.compiled.playouts import MOST_MOVES, insert

FINALISTS: Final = 2
"""Moves left in the last round."""


class Effort(NamedTuple):
    """How much a search tries; by default, as much as a master."""

    trials: int = 240
    """Trials in each round of the search; there are at most three rounds."""
    candidates: int = 8
    """Moves that are tried."""
    simulated: int = 24
    """Matches continued after a hand that has ended."""
    valued: int = 8_000
    """A round ends early once the network has valued so many positions: long trials would take seconds."""
    prior: float = single(180)
    """The number of deals for which the network's own value of a move counts."""
    margin: float = single(2)
    """Moves that the network finds worse than the best by more aren't tried."""


class Search(NamedTuple):
    """Arrays and settings of a search."""

    effort: Effort
    beliefs: Beliefs
    chances: Floats
    world: Hand
    trial: Hand
    sums: Sums
    scratch: Scratch
    outlook: Outlook
    chance: Chance
    """For the matches continued after a hand."""
    valued: Ints
    """One number: the positions that the network has valued in this round."""
    moves: Ints
    values: Floats
    totals: Ints
    points: Ints


MASTER: Final = Effort()


def new_search(width: int, beliefs: Beliefs, effort: Effort = MASTER) -> Search:
    """Arrays for one thread and networks of this width."""
    return Search(
        effort,
        beliefs,
        np.zeros(KINDS * PILES, np.float32),
        new_hand(),
        new_hand(),
        new_sums(width),
        new_scratch(),
        new_outlook(),
        np.zeros(1, np.uint64),
        np.zeros(1, np.int64),
        np.zeros(effort.candidates, np.int64),
        np.zeros(effort.candidates, np.float32),
        np.zeros(4, np.int64),
        np.zeros(4, np.int64),
    )


@jit
def keep_best(scratch: Scratch, total: int, best: float, search: Search) -> int:
    """Copy the moves that the network finds best. Returns their number."""
    kept = 0
    for index in range(total):
        value = scratch.ranks[index]
        if value >= best - search.effort.margin:
            kept = insert(search.values, search.moves, kept, search.effort.candidates, value, scratch.moves[index])
    return kept


@jit
def ended_value(search: Search, totals: Ints, deciding: bool, me: int, pool: Pool) -> float:
    """The change of the share by the hand that has ended, in units of its usual change."""
    trial, ending = search.trial, search.totals
    now = trial.now
    hand_points(trial, search.points)
    for seat in range(now[SEATS]):
        search.points[seat] += totals[seat]
    mean = 0.0
    if is_over(now, search.points, deciding):
        mean = share(now, search.points, me)
    else:
        simulated = search.effort.simulated
        for _ in range(simulated):
            ending[:] = search.points
            play_on(now, ending, now[WINNER], pool, search.chance)
            mean += share(now, ending, me) / simulated
    outlook = search.outlook
    return (mean - outlook.shares[me]) / usual_change(outlook.shares[me], outlook.hands[0])


@jit
def value_ahead(
    lookups: Lookups,
    network: Network,
    seen: Floats,
    search: Search,
    totals: Ints,
    deciding: bool,
    me: int,
    pool: Pool,
    chance: Chance,
) -> float:
    """Play the trial on by the network up to the next choice of `me`. Returns its value there, or at the end."""
    trial, scratch = search.trial, search.scratch
    for _ in range(MOST_MOVES):
        if trial.now[WINNER] >= 0:
            break
        move, _, best = choose(lookups, network, seen, search.sums, trial, totals, deciding, scratch, 0.0, chance)
        search.valued[0] += scratch.listed[0]
        if trial.now[TURN] == me and best > NO_CHOICE:
            return best
        make(lookups, trial, move)
    if trial.now[WINNER] < 0:
        trial.now[WINNER] = trial.now[TURN]
    return ended_value(search, totals, deciding, me, pool)


@jit
def sort_best(search: Search, total: int) -> None:
    """Sort the first moves by their values, the best first."""
    for index in range(1, total):
        insert(search.values, search.moves, index, total, search.values[index], search.moves[index])


@jit
def try_in_rounds(
    lookups: Lookups,
    network: Network,
    seen: Floats,
    search: Search,
    hand: Hand,
    totals: Ints,
    deciding: bool,
    pool: Pool,
    chance: Chance,
    total: int,
) -> None:
    """Try the moves in `search`. The worse half is dropped after each round, so the best are tried most often."""
    me, kept, worlds = hand.now[TURN], total, search.effort.prior
    search.values[:total] *= worlds
    while True:
        more, search.valued[0] = max(search.effort.trials // kept, 1), 0
        while more > 0 and search.valued[0] < search.effort.valued:
            more, worlds = more - 1, worlds + 1
            imagine_believed(lookups, hand, me, search.chances, search.world, chance)
            seed = draw(chance)
            for index in range(kept):
                search.chance[0] = seed  # the same luck for all moves
                copy_hand(search.world, search.trial)
                make(lookups, search.trial, search.moves[index])
                search.values[index] += value_ahead(lookups, network, seen, search, totals, deciding, me, pool, chance)
        sort_best(search, kept)
        if kept <= FINALISTS:
            break
        half = (kept + 1) // 2
        search.values[half:kept] /= worlds
        kept = half
    search.values[:kept] /= worlds
    for index in range(kept, total):  # tried in fewer deals, so less is known
        search.values[index] = min(search.values[index], search.values[kept - 1])


@jit
def try_best(
    lookups: Lookups,
    network: Network,
    seen: Floats,
    search: Search,
    hand: Hand,
    totals: Ints,
    deciding: bool,
    scratch: Scratch,
    pool: Pool,
    chance: Chance,
) -> int:
    """Write the moves that were tried and their values to `search`, the best first. Returns their number."""
    for seat in range(hand.now[SEATS]):
        reset(network, search.sums, seat)
    move, _, best = choose(lookups, network, seen, search.sums, hand, totals, deciding, scratch, 0.0, chance)
    if best == NO_CHOICE:
        search.moves[0] = move
        return 1
    total = keep_best(scratch, scratch.listed[0], best, search)
    if total > 1:
        believe(search.beliefs, scratch.best, search.chances)
        before = scratch.now
        before[:] = hand.now
        before[DIRECTION] = -hand.now[DIRECTION]  # as the hand before has left it (R20)
        look_ahead(before, totals, False, hand.now[LEADER], pool, chance, search.outlook)
        try_in_rounds(lookups, network, seen, search, hand, totals, deciding, pool, chance, total)
    return total
