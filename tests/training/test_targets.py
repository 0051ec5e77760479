"""The values that positions should have: the result of the hand, mixed with the values at the own next turns."""

from typing import Final

import numpy as np
import pytest

from bot.engine.options import Options
from bot.players.compiled.equity import look_ahead
from bot.players.compiled.hand import DIRECTION, WINNER, set_options
from bot.players.compiled.match import chance_of
from bot.players.compiled.network import EQUITY, WINS
from training.arena import Arena, new_arena, score
from training.untrained import new_pool

pytestmark = pytest.mark.usefixtures("machine_code")

HANDS: Final = np.array([[0, 5, 9, 2], [4, 0, 1, 20], [16, 3, 0, 7], [2, 6, 6, 0]])
BEST_AND_CHOSEN: Final = ((0.0, 0.0), (0.5, 0.5), (0.25, -0.75), (1.0, 1.0))
"""The moves of seat 0; the third is a random one."""


def scored(trace: float) -> Arena:
    """A hand that seat 0 has won, with four positions of seat 0 and one of seat 1 among them."""
    arena, pool = new_arena(8), new_pool()
    pool.points[:, :4], pool.size[:] = HANDS, len(HANDS)
    set_options(arena.hand.now, Options(), 4)
    arena.hand.now[WINNER], arena.hand.now[DIRECTION] = 0, 1
    arena.hand.left[:] = 0, 3, 5, 9
    look_ahead(arena.hand.now, arena.totals, False, 1, pool, chance_of(1), arena.outlook)
    records = arena.records
    records.seats[:5] = 0, 0, 1, 0, 0
    records.values[[0, 1, 3, 4]] = BEST_AND_CHOSEN
    records.size[0] = 5
    score(arena, False, pool, chance_of(2), 0, values=True, trace=trace)
    return arena


def worth(arena: Arena, *places: int) -> list[float]:
    return [float(arena.records.targets[place, EQUITY]) for place in places]


def test_alone_the_result_counts_unless_a_random_move_follows() -> None:
    arena = scored(1.0)
    result = worth(arena, 4)[0]
    assert result > 0 > worth(arena, 2)[0]
    assert worth(arena, 0, 1, 3) == pytest.approx([0.25, 0.25, result])
    assert arena.records.targets[:5, WINS].tolist() == [1, 1, 0, 1, 1]


def test_the_value_at_the_own_next_turn_counts_by_the_rest() -> None:
    result = worth(scored(1.0), 4)[0]
    found = worth(scored(0.5), 0, 1, 3, 4)
    assert found[3] == pytest.approx(result)
    assert found[2] == pytest.approx((1.0 + result) / 2)
    assert found[1] == pytest.approx(0.25)
    assert found[0] == pytest.approx((0.5 + 0.25) / 2)
    assert worth(scored(0.0), 0, 1, 3) == pytest.approx([0.5, 0.25, 1.0])
