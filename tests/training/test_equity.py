"""The value of totals is the mean result of continuing from them."""

import os
from typing import Final

import numpy as np
import pytest

from bot.engine.options import Options
from bot.players.compiled.equity import Outlook, Pool, look_ahead, new_outlook
from bot.players.compiled.hand import DIRECTION, FIELDS, set_options
from bot.players.compiled.match import chance_of
from training.untrained import new_pool

pytestmark = pytest.mark.skipif("GANG_OF_FOUR_TRAINING" not in os.environ, reason="set GANG_OF_FOUR_TRAINING=1")

HANDS: Final = np.array([[0, 5, 9, 2], [4, 0, 1, 20], [16, 3, 0, 7], [2, 6, 6, 0]])


def outlook(totals: tuple[int, ...], options: Options, seats: int = 4, deciding: bool = False) -> Outlook:
    now, found = np.zeros(FIELDS, np.int64), new_outlook()
    set_options(now, options, seats)
    now[DIRECTION] = 1
    look_ahead(now, np.array(totals), deciding, 0, pool(), chance_of(5), found)
    return found


def pool() -> Pool:
    made = new_pool()
    made.points[:, :4] = HANDS
    made.size[:] = 4
    return made


def test_shares_add_up_to_a_match() -> None:
    for seats in (3, 4):
        found = outlook((30, 0, 70, 50), Options(), seats)
        assert float(found.shares[:seats].sum()) == pytest.approx(1, abs=1e-5)
        assert found.hands[0] >= 1


def test_a_low_total_is_worth_more() -> None:
    shares = outlook((10, 40, 90, 60), Options()).shares
    assert shares[0] > shares[1] > max(shares[2:])


def test_a_match_that_is_over_is_worth_its_result() -> None:
    assert list(outlook((100, 7, 20, 7), Options()).shares) == [0, 0.5, 0, 0.5]
    assert list(outlook((100, 7, 20, 7), Options(tie="deciding_hand"), deciding=True).shares) == [0, 0.5, 0, 0.5]
    deciding = outlook((100, 7, 20, 7), Options(tie="deciding_hand")).shares
    assert deciding[0] == 0
    assert list(deciding) != [0, 0.5, 0, 0.5]
    assert outlook((100, 7, 20, 8), Options(end="exceed")).hands[0] >= 1
